"""The programs for other engines run with the real packages, 30 frames each, in a window of Xvfb.

`HITMASK_ENGINES=1`, as `check.sh` sets it, makes an error of what is otherwise skipped.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from test_guide import GUIDE

places = [Path(__file__).parents[1] / "examples", Path(__file__).parent / "examples"]
FOLDER = next(place for place in places if place.exists())
# The package, whether it needs a display, and what it prints.
EXAMPLES = {
    "with_arcade": ("arcade", True, r"[1-9]\d* pairs touch"),
    "with_pyglet": ("pyglet", True, r"ring at .*, stopped by [1-9]"),
    "with_pygame_zero": ("pgzero", False, r"[1-9]\d* pairs touch"),
    "with_pymunk": ("pymunk", False, r"\d+ pieces a body, [1-9]\d* pairs touch, by \d+ pixels at most"),
}


def skip(reason: str) -> NoReturn:
    if os.environ.get("HITMASK_ENGINES"):
        pytest.fail(f"HITMASK_ENGINES is set, and {reason}")
    pytest.skip(reason)


def test_every_example_is_tested_and_in_the_guide() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(EXAMPLES)
    chapter = (GUIDE / "chapters" / "python.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(with_\w+)\.py` \|", chapter, re.MULTILINE) == list(EXAMPLES)
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"""hitmask ') and len([line for line in text.splitlines() if line]) <= 50, path


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str) -> None:
    package, needs_display, expected = EXAMPLES[name]
    if importlib.util.find_spec(package) is None:
        skip(f"{package} is not installed: pip install {package}")
    command = [sys.executable, str(FOLDER / f"{name}.py"), "30"]
    if needs_display:
        if shutil.which("xvfb-run") is None:
            skip("xvfb-run is not installed: apt-get install xvfb libgl1 libgl1-mesa-dri libglu1-mesa")
        command = ["xvfb-run", "-a", *command]
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    told = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)
    assert told.returncode == 0 and re.search(expected, told.stdout), told.stdout + told.stderr
