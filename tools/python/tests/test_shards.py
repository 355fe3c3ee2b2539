"""Shards of a bake: merged, they are the atlas of one bake. A local cluster of Dask bakes them as the recipe says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hitmask
from hitmask import Bake, BakeError, DamagedError, Mask, MergeReport

# Beside the tests in a check of the wheel.
RECIPES = [Path(__file__).parent / "SHARDS.md", Path(__file__).parents[2] / "bake" / "src" / "SHARDS.md"]


def bake(compact: bool = False) -> Bake:
    bake = Bake(angles=8, compact=compact)
    for side in range(3, 10):
        bake.add_frames(f"s{side}", Mask.disc(side))
    return bake


@pytest.mark.parametrize("compact", [False, True])
def test_merged_shards_are_the_atlas_of_one_bake(tmp_path: Path, compact: bool) -> None:
    out, shards = tmp_path / "all.hitmask", [tmp_path / f"{i}.shard" for i in (1, 2, 3)]
    reports = [bake(compact).shard(i, 3).write(path) for i, path in enumerate(shards, 1)]
    assert sum(report.sprites for report in reports) == 7
    whole = bake(compact).to_bytes()
    report = hitmask.merge(out, shards[::-1])
    assert (report.shards, report.sprites, report.bytes, report.written) == (3, 7, len(whole), True)
    assert repr(report) == f"MergeReport(shards=3, sprites=7, bytes={len(whole)}, written=True)"
    assert isinstance(report, MergeReport) and out.read_bytes() == whole
    assert not hitmask.merge(out, [str(shard) for shard in shards]).written


def test_a_second_bake_of_a_shard_copies_its_sprites(tmp_path: Path) -> None:
    def write(side: int) -> hitmask.BakeReport:
        bake = Bake(angles=8, cache=tmp_path / "cache").add_frames("changed", Mask.disc(side))
        return bake.add_frames("same", Mask.disc(9)).shard(1, 1).write(tmp_path / "shard")

    assert (write(4).kept, write(4).kept, write(5).kept) == (0, 2, 1)


def test_a_scheduler_numbers_the_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BakeError, match="neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"):
        bake().shard("auto").to_bytes()
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "1")
    with pytest.raises(BakeError, match="the variable JOB_COMPLETIONS is not set; .*completionMode: Indexed"):
        bake().shard("auto").to_bytes()
    monkeypatch.setenv("JOB_COMPLETIONS", "3")
    assert bake().shard("auto").to_bytes() == bake().shard(2, 3).to_bytes()


def test_shards_that_are_not_one_bake_are_refused_as_in_rust(tmp_path: Path) -> None:
    out, one, two = tmp_path / "out", tmp_path / "one", tmp_path / "two"
    bake().shard(1, 2).write(one)
    bake().shard(2, 2).write(two)
    bake().write(out)
    old = out.read_bytes()
    with pytest.raises(BakeError, match="there is no shard 3 of 2; number the shards from 1, up to 65536"):
        bake().shard(3, 2).to_bytes()
    with pytest.raises(BakeError, match="of 2 shards, number 2 is missing beside .*one; bake the missing"):
        hitmask.merge(out, [one])
    with pytest.raises(BakeError, match="one and .*one are both shard 1; name each shard once"):
        hitmask.merge(out, [one, one])
    with pytest.raises(BakeError, match="no shard was given; name all shards of one bake"):
        hitmask.merge(out, [])
    with pytest.raises(BakeError, match="is a whole atlas, not a shard"):
        hitmask.merge(tmp_path / "new", [one, out])
    with pytest.raises(FileNotFoundError):
        hitmask.merge(out, [one, tmp_path / "gone"])
    with pytest.raises(DamagedError, match="this is one shard"):
        bake().shard(1, 2).atlas()
    assert out.read_bytes() == old


def test_a_call_without_a_whole_shard_is_refused_and_changes_nothing() -> None:
    made = bake()
    with pytest.raises(TypeError, match="lacks the number of shards"):
        made.shard(1)  # type: ignore[call-overload]
    with pytest.raises(hitmask.InvalidValueError, match='the shard is "all"'):
        made.shard("all")  # type: ignore[call-overload]
    with pytest.raises(OverflowError):
        made.shard(-1, 2)
    assert made.to_bytes() == bake().to_bytes()


def test_a_cluster_of_dask_bakes_the_atlas_of_one_bake(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    text = next(path for path in RECIPES if path.exists()).read_text(encoding="utf-8")
    [recipe] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "art").mkdir()
    for side in range(3, 12):
        image.fromarray(np.full((side, side + 1, 4), 255, np.uint8)).save(tmp_path / "art" / f"{side}.png")
    # Processes, as the default of a program. Without the web page, for which a port might be missing.
    assert "Client()" in recipe
    recipe = recipe.replace("Client()", "Client(processes=True, n_workers=2, dashboard_address=None)")
    (tmp_path / "recipe.py").write_text(recipe, encoding="utf-8")
    ran = subprocess.run([sys.executable, "recipe.py"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert len(list(tmp_path.glob("part-*.shard"))) == 4
    assert (tmp_path / "sprites.hitmask").read_bytes() == Bake().add(tmp_path / "art").to_bytes()
