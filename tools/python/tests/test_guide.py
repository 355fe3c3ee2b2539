"""The examples of the guide in Python print what the guide says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(os.environ.get("HITMASK_GUIDE", Path(__file__).parents[2] / "guide"))
PROGRAMS = sorted(GUIDE.glob("examples/*/main.py"))


def test_the_guide_has_examples_in_python() -> None:
    assert len(PROGRAMS) >= 16


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.parent.name)
def test_an_example_prints_what_the_guide_says(program: Path) -> None:
    printed = subprocess.run([sys.executable, program.absolute()], cwd=GUIDE, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    assert printed.stdout == (program.parent / "prints.txt").read_text()
