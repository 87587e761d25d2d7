"""Property tests are the same on every run and measure no time: the machine may be busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("steady")
