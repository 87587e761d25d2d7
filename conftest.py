"""The examples of README.md and docs/ are tests: `python` blocks share a namespace a file, `shell` blocks run in bash.

In shell blocks, lines that begin with `make` or `sudo` are left out: they set up what is already there. The blocks of
one session share a folder, so a deck that one example learns is there for the next.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser


@pytest.fixture(scope="session")
def shell_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shell examples run."""
    return tmp_path_factory.mktemp("examples")


def run_shell(example: Example) -> None:
    """Run the lines of a shell block; any failing line fails the example."""
    folder: Path = example.namespace["shell_folder"]
    script = "\n".join(line for line in example.parsed.splitlines() if not line.lstrip().startswith(("make", "sudo")))
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{script}\nexit status {done.returncode}\n{done.stdout}\n{done.stderr}"


pytest_collect_file = Sybil(
    parsers=[CodeBlockParser(language="shell", evaluator=run_shell), PythonCodeBlockParser()],
    patterns=["README.md", "docs/*.md"],
    fixtures=["shell_folder"],
).pytest()
