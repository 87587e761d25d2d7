"""stub"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.rules import RuleSet

ANSWERS: dict[str, Callable[[RuleSet, dict[str, Any]], dict[str, Any]]] = {}
