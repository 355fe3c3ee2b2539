"""Forked processes: bakes and updates work in a child, on one thread, and the parent goes on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no os.fork")

# What the parent does too, so that rayon's threads run when it forks. 6,000 colliders are updated by several.
COMMON = """
import os, sys, threading, warnings
import numpy as np
import hitmask
from hitmask import Atlas, Bake, Mask, World
warnings.simplefilter("ignore", DeprecationWarning)

def baked():
    bake = Bake(angles=64)
    for size in range(3, 30):
        bake.add_frames(f"disc{size}", Mask.disc(size))
    return bake.to_bytes()

def placed(atlas):
    world = World(atlas)
    random = np.random.default_rng(3)
    xy = random.uniform(0, 3000, (6000, 2)).astype(np.float32)
    ids = np.array([world.insert(f"disc{3 + i % 27}", at) for i, at in enumerate(xy.tolist())], np.uint64)
    world.set_placements(ids, xy, random.uniform(0, 6, 6000).astype(np.float32))
    return world

def answers(world=None):
    atlas = Atlas(baked())
    atlas.verify()
    world = world or placed(atlas)
    world.update()
    pairs = world.touching().tolist()
    kept = World.from_snapshot([world.atlas], world.snapshot())
    for id in kept.ids().tolist():
        kept.turn_to(id, 1.0)
    kept.update(lambda a, b, contact: contact.area % 2)
    return atlas.to_bytes(), pairs, kept.touching().tolist(), kept.state_hash()

def in_child(work):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if work() else 2
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0, "the child failed"

expected = answers()
"""


def run(program: str) -> None:
    told = subprocess.run([sys.executable, "-c", COMMON + program], capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr


def test_a_child_of_os_fork_bakes_and_updates() -> None:
    run("""
world = placed(Atlas(expected[0]))
world.update()
def threads():
    found = []
    work = [threading.Thread(target=lambda: found.append(answers())) for _ in range(2)]
    [one.start() for one in work]
    [one.join() for one in work]
    return found == [expected, expected]
def child():
    world.update()
    in_child(lambda: answers() == expected)
    return answers(world) == expected and threads()
in_child(child)
assert answers(world) == expected and answers() == expected
""")


def test_a_child_of_multiprocessing_bakes_and_updates() -> None:
    run("""
import multiprocessing
context = multiprocessing.get_context("fork")
with context.Pool(2) as pool:
    assert pool.map(answers, [None] * 3) == [expected] * 3
process = context.Process(target=answers)
process.start()
process.join()
assert process.exitcode == 0 and answers() == expected
""")


def test_a_fork_within_a_bake_is_told_and_harms_no_other() -> None:
    run("""
begun, goes_on, results = threading.Event(), threading.Event(), []
def progress(done, all):
    begun.set()
    goes_on.wait()
bake = Bake(angles=64, progress=progress).add_frames("a", Mask.disc(9)).add_frames("b", Mask.disc(8))
thread = threading.Thread(target=lambda: results.append(bake.to_bytes()))
thread.start()
begun.wait()
world = placed(Atlas(expected[0]))
def child():
    world.update()
    assert world.touching().tolist() == expected[1]
    try:
        baked()
    except hitmask.StateError as error:
        return "spawn" in error.help and "another thread baked" in str(error)
in_child(child)
goes_on.set()
thread.join()
assert len(results) == 1 and answers() == expected
""")


def test_a_world_that_the_parent_used_while_it_forked_is_busy() -> None:
    run("""
world = placed(Atlas(expected[0]))
begun, goes_on = threading.Event(), threading.Event()
def keep(a, b, contact):
    begun.set()
    goes_on.wait()
    return True
thread = threading.Thread(target=world.update, args=(keep,))
thread.start()
begun.wait()
def child():
    try:
        world.touching()
    except hitmask.BusyError as error:
        return "forked" in str(error) and answers() == expected
in_child(child)
goes_on.set()
thread.join()
assert world.touching().tolist() == expected[1]
""")
