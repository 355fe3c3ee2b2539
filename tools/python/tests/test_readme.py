"""The examples of the README and of its chapter of the guide run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_guide import GUIDE

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
CHAPTER = (GUIDE / "chapters" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README + CHAPTER, re.DOTALL)


def test_the_readme_is_short_and_the_chapter_shows_its_program() -> None:
    assert len(README.splitlines()) <= 100
    assert '](../../python/README.md "first")' in CHAPTER
    assert len(EXAMPLES) == 2


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example: str) -> None:
    if "pygame" in example:
        pytest.importorskip("pygame")
    told = subprocess.run([sys.executable, "-c", example], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
