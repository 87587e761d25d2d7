"""Stands in for kms++'s module, which picamera2 imports for a preview that the appliance never opens."""

from __future__ import annotations


class _Names(type):
    def __getattr__(cls, name: str) -> str:
        return name


class PixelFormat(metaclass=_Names):
    """Only the names of formats are looked up."""
