"""Directions of imports: engine -> nothing, vision -> engine.cards, hardware -> nothing of ours, firmware -> all."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = ("engine", "vision", "hardware", "firmware")
ALLOWED = {"engine": {"engine"}, "hardware": {"hardware"}, "firmware": set(OURS)}
FILES = sorted(file for package in OURS for file in (ROOT / package).rglob("*.py"))


def imported(file: Path) -> list[str]:
    """Dotted names of all that a file imports, also inside functions."""
    names = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative imports hide the direction"
            names.append(node.module or "")
    return names


def may_import(file: Path, name: str) -> bool:
    package = file.relative_to(ROOT).parts[0]
    target = name.split(".")[0]
    if target not in OURS:
        return package != "engine" or target in sys.stdlib_module_names
    if package != "vision":
        return target in ALLOWED[package]
    synthetic = "synthetic" in file.relative_to(ROOT).parts
    if target == "vision":
        return name.startswith("vision.synthetic") == synthetic  # the table and the eyes share no code
    return target == "engine" if synthetic else name in {"engine.cards", "engine.errors"}


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_imports_go_one_way(file: Path) -> None:
    wrong = [name for name in imported(file) if not may_import(file, name)]
    assert not wrong, f"{file.relative_to(ROOT)} must not import {wrong}"


def test_no_import_cycles() -> None:
    graph = {module(file): {name for name in imported(file) if name.split(".")[0] in OURS} for file in FILES}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, f"cycle: {' -> '.join((*path, name))}"
        if name in graph and name not in done:
            for target in graph[name]:
                visit(target, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def module(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
