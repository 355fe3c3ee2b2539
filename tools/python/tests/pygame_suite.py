"""Runs the tests of pygame-ce, which its wheel ships, against the drop-ins: `python tests/pygame_suite.py`.

Nothing of them is copied. A test is left out where it tests pygame's own code, each with the reason.
"""

from __future__ import annotations

import importlib
import os
import sys
import unittest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

EXCLUDED: dict[str, str] = {
    "pygame.tests.mask_test.MaskModuleTest.test_buffer_interface": (
        "tests the words of pygame's own memory; a wheel for Python 3.10 has no buffers, which came with 3.11"
    ),
    "pygame.tests.sprite_test.SpriteModuleTest.test_deprecation__sprite_submodule": (
        "tests the warning of pygame's own old module pygame._sprite"
    ),
}


def drop_in() -> None:
    """Puts the drop-ins in the place of pygame's modules."""
    import pygame
    import pygame.sprite

    from hitmask.pygame import mask, sprite

    pygame.mask, pygame.Mask = mask, mask.Mask
    pygame.sprite = sprite
    sys.modules["pygame.mask"], sys.modules["pygame.sprite"] = mask, sprite


def tests(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    """Returns the single tests of a suite."""
    found: list[unittest.TestCase] = []
    for test in suite:
        found += tests(test) if isinstance(test, unittest.TestSuite) else [test]
    return found


def run(only: str | None = None) -> unittest.TestResult:
    """Runs the tests of masks and sprites, or those whose name has a text."""
    drop_in()
    loader, suite = unittest.TestLoader(), unittest.TestSuite()
    for name in ("mask_test", "sprite_test"):
        module = importlib.import_module(f"pygame.tests.{name}")
        for test in tests(loader.loadTestsFromModule(module)):
            if test.id() not in EXCLUDED and (only is None or only in test.id()):
                suite.addTest(test)
    return unittest.TextTestRunner(verbosity=1).run(suite)


if __name__ == "__main__":
    result = run(sys.argv[1] if len(sys.argv) > 1 else None)
    print(f"{result.testsRun} tests, {len(EXCLUDED)} excluded, {len(result.skipped)} skipped")
    for name, reason in EXCLUDED.items():
        print(f"excluded: {name}: {reason}")
    sys.exit(not result.wasSuccessful())
