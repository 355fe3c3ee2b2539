//! Shards: merged, they equal the atlas of a single bake byte for byte. Each has about the same work, and
//! keeps its masks of the last bake. Shards that do not belong together are rejected by path.

use super::planes;
use crate::encode::sheets::{entry, json};
use hitmask::{Atlas, AtlasOptions, FileError, Mask, Pivot, Sampling, Settings};
use hitmask_bake::{Bake, BakeFault, Report, merge};
use hitmask_scenes::{Folder, all, named, sample};
use std::fs;
use std::path::PathBuf;

/// Writes the shards of a bake and returns their paths.
fn shards_of(folder: &Folder, name: &str, of: u32, bake: impl Fn() -> Bake) -> Vec<PathBuf> {
    let shard = |i| {
        let path = folder.path(&format!("{name}-{i}"));
        bake().shard(i, of).write(&path).unwrap();
        path
    };
    (1..=of).map(shard).collect()
}

/// Returns a bake of all kinds of sprites: turning, still, scaled, with coverage, with planes,
/// duplicate, empty.
fn bake() -> Bake {
    let find = |name| named(name).mask();
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let covered = Settings { angles: 8, sampling: Sampling::Coverage25, ..Settings::default() };
    let odd = Settings { angles: 12, pivot: Pivot::HalfTexels(-3, 5), ..Settings::default() };
    let chosen = Settings { max_error: Some(2.0), ..Settings::default() };
    all()
        .iter()
        .fold(Bake::new().angles(16), |bake, p| bake.mask(format!("all/{}", p.name), p.mask()))
        .frames("walk", [find("hull"), find("ring"), find("hull")], still)
        .frames("thin", [find("diagonal")], covered)
        .frames("odd", [find("star")], odd)
        .frames("chosen", [find("star")], chosen)
        .mask("again", find("hull"))
        .mask("empty", Mask::new(5, 4).unwrap())
        .frames("target", [planes([("rim", find("ring")), ("bull", find("hull"))])], None)
}

#[test]
fn any_number_of_shards_merges_into_the_atlas_of_a_single_bake() {
    let folder = Folder::new("shards-any");
    for (name, bake) in [
        ("whole", &bake as &dyn Fn() -> Bake),
        ("compact", &|| bake().compact(true)),
        ("fine", &|| bake().resolution(2.0)),
        ("few", &|| {
            Bake::new().mask("dot", named("dot").mask()).mask("ring", named("ring").mask())
        }),
    ] {
        let one = bake().to_bytes().unwrap();
        let output = folder.path("merged.hitmask");
        for of in sample(1..=7, 3) {
            let mut shards = shards_of(&folder, name, of, bake);
            shards.rotate_left(of as usize / 2);
            let _ = fs::remove_file(&output);
            let merged = merge(&output, &shards, AtlasOptions::DEFAULT).unwrap();
            assert!(fs::read(&output).unwrap() == one, "{name} in {of}");
            assert_eq!((merged.shards, merged.bytes), (of as usize, one.len()));
            assert_eq!(merged.sprites, Atlas::from_bytes(&one).unwrap().sprites().len());
            assert!(merged.written);
            // A second merge leaves the file alone.
            assert!(!merge(&output, &shards, AtlasOptions::DEFAULT).unwrap().written);
        }
    }
}

#[test]
fn a_shard_does_not_open_as_an_atlas() {
    let folder = Folder::new("shards-atlas");
    let shards = shards_of(&folder, "part", 2, bake);
    assert_eq!(Atlas::open(&shards[0]).unwrap_err(), FileError::Shard);
    let bytes = fs::read(&shards[0]).unwrap();
    assert_eq!(Atlas::from_bytes(&bytes).unwrap_err(), FileError::Shard);
}

#[test]
fn a_truncated_or_changed_shard_is_rejected() {
    let folder = Folder::new("shards-damaged");
    let small = || {
        let bake = Bake::new().angles(4).mask("dot", named("dot").mask());
        bake.mask("wedge", ".#\n##".parse().unwrap()).mask("bar", "###".parse().unwrap())
    };
    let shards = shards_of(&folder, "part", 2, small);
    let good = fs::read(&shards[0]).unwrap();
    let path = folder.path("damaged");
    let mut seen = [0; 5];
    let mut fails = |bytes: &[u8], at: usize| {
        fs::write(&path, bytes).unwrap();
        let shards = [&path, &shards[1]];
        let error = merge(folder.path("out"), shards, AtlasOptions::DEFAULT).unwrap_err();
        let text = error.to_string();
        let kind = match error.fault {
            BakeFault::Shard if text.ends_with(" is not a shard") => 0,
            BakeFault::Shard if text.starts_with("another version of hitmask wrote ") => 1,
            BakeFault::Damaged => 2,
            BakeFault::Atlas(_) => 3,
            _ => panic!("{at}: {error}"),
        };
        seen[kind] += 1;
    };
    for len in 0..good.len() {
        fails(&good[..len], len);
    }
    // Bytes 80 to 127 are padding of the head and are not checked.
    for at in (0..80).chain(sample(128..good.len(), 4)) {
        let mut changed = good.clone();
        changed[at] ^= 0x10;
        fails(&changed, at);
    }
    assert!(seen[..4].iter().all(|&n| n >= 8), "{seen:?}");
    assert!(!folder.path("out").exists());
}

#[test]
fn a_merge_of_compact_shards_keeps_the_limits() {
    let folder = Folder::new("shards-limits");
    let tile = || Mask::solid(30, 30).unwrap();
    let bake = || Bake::new().mask("a", tile()).mask("b", tile()).compact(true);
    let shards = [1, 2].map(|i| folder.path(&format!("part-{i}")));
    for (i, path) in (1..).zip(&shards) {
        bake().shard(i, 2).write(path).unwrap();
    }
    let output = folder.path("all.hitmask");
    let error = merge(&output, &shards, AtlasOptions { max_poses: 100, ..AtlasOptions::DEFAULT })
        .unwrap_err();
    assert!(error.to_string().contains("128 poses"), "{error}");
    let BakeFault::Atlas(cause) = &error.fault else { panic!("{error}") };
    assert!(matches!(**cause, FileError::OverLimit { needed: 128, limit: 100, .. }));
    assert!(!output.exists());
    merge(&output, &shards, AtlasOptions { max_poses: 128, ..AtlasOptions::DEFAULT }).unwrap();
}

#[test]
fn shards_of_different_art_are_rejected_and_the_folder_of_the_art_does_not_matter() {
    let here = Folder::new("shards-art");
    let there = Folder::new("shards-art-there");
    let sheet = json(&[entry("f", [0, 0, 2, 2], "")], "page.png", "");
    for folder in [&here, &there] {
        for (name, side) in [("a", 5), ("b", 6), ("c", 7)] {
            crate::image(folder, &format!("art/{name}.png"), side);
        }
        crate::image(folder, "page.png", 8);
        folder.write("ui.json", &sheet);
    }
    let bake = |folder: &Folder, tile: u32| {
        let grid = hitmask_bake::Grid::of([tile, 2]);
        let bake = Bake::new().angles(4).sprites(folder.path("art")).unwrap();
        bake.sprites(folder.path("ui.json")).unwrap().sheets(folder.path("page.png"), grid).unwrap()
    };
    let shards = |other: &Folder, tile: u32| {
        [(1, &here, 4), (2, other, tile)].map(|(i, folder, tile)| {
            let path = here.path(&format!("part-{i}"));
            bake(folder, tile).shard(i, 2).write(&path).unwrap();
            path
        })
    };
    let output = here.path("a.hitmask");
    merge(&output, shards(&there, 4), AtlasOptions::DEFAULT).unwrap();
    let whole = fs::read(&output).unwrap();
    assert!(whole == bake(&here, 4).to_bytes().unwrap());
    let refused = |tile: u32| {
        let parts = shards(&there, tile);
        let error = merge(&output, &parts, AtlasOptions::DEFAULT).unwrap_err();
        assert_eq!(error.fault, BakeFault::Shard);
        let [one, two] = parts.each_ref().map(|path| path.display());
        let said =
            format!("{one} and {two} are shards of different art: a file has changed between them");
        assert_eq!(error.to_string(), said);
        assert_eq!(fs::read(&output).unwrap(), whole);
    };
    // Another image, whichever shard it is in, another page, another description, and another grid.
    for name in ["art/a.png", "art/b.png", "art/c.png", "page.png"] {
        let good = fs::read(there.path(name)).unwrap();
        crate::image(&there, name, 9);
        refused(4);
        there.write(name, good);
    }
    there.write("ui.json", sheet.replace("\"x\":0", "\"x\":1"));
    refused(4);
    there.write("ui.json", sheet);
    refused(8);
    merge(&output, shards(&there, 4), AtlasOptions::DEFAULT).unwrap();
}

/// Bakes the shards of a bake with a cache each, and returns their reports.
fn cached(folder: &Folder, of: u32, bake: &dyn Fn() -> Bake) -> Vec<Report> {
    let shard = |i| {
        let bake = bake().shard(i, of).cache(folder.path(&format!("{i}.cache")));
        bake.write(folder.path(&format!("{i}.shard"))).unwrap()
    };
    (1..=of).map(shard).collect()
}

#[test]
fn a_second_bake_of_a_shard_bakes_only_what_has_changed() {
    let folder = Folder::new("shards-cache");
    for side in 4..13 {
        crate::image(&folder, &format!("art/{side}.png"), side);
    }
    let art = || Bake::new().angles(8).sprites(folder.path("art")).unwrap();
    for (of, bake) in [(3, &art as &dyn Fn() -> Bake), (2, &|| art().compact(true))] {
        let merged = || {
            let shards = (1..=of).map(|i| folder.path(&format!("{i}.shard")));
            merge(folder.path("all.hitmask"), shards, AtlasOptions::DEFAULT).unwrap();
            assert!(fs::read(folder.path("all.hitmask")).unwrap() == bake().to_bytes().unwrap());
        };
        let first = cached(&folder, of, bake);
        assert!(first.iter().all(|report| report.kept == 0 && report.written));
        for report in cached(&folder, of, bake) {
            assert_eq!(
                (report.kept, report.written, &*report.notes),
                (report.sprites, false, &[][..])
            );
        }
        merged();
        // One sprite is baked again. The other shards get a new head, because their art has changed.
        let old = fs::read(folder.path("art/9.png")).unwrap();
        let alpha = |x, y| if x == y { 0 } else { 255 };
        folder.write("art/9.png", crate::encode::png::of_alpha([9, 9], alpha));
        let changed = cached(&folder, of, bake);
        assert!(changed.iter().all(|report| report.written));
        let baked = changed.iter().map(|report| report.sprites - report.kept).sum::<usize>();
        assert_eq!(baked, 1);
        merged();
        // Of another division, each shard keeps the sprites that it has had.
        let other = cached(&folder, 1, bake).remove(0);
        assert_eq!((other.sprites, other.kept), (9, first[0].sprites));
        folder.write("art/9.png", old);
        for i in 1..=of {
            fs::remove_file(folder.path(&format!("{i}.shard"))).unwrap();
        }
    }
}

#[test]
fn the_cache_of_a_shard_is_not_taken_for_that_of_an_atlas() {
    let folder = Folder::new("shards-cache-check");
    let [shard, cache] = ["1.shard", "1.cache"].map(|name| folder.path(name));
    let bake = || Bake::new().mask("dot", named("dot").mask()).cache(&cache).shard(1, 1);
    bake().write(&shard).unwrap();
    let check = bake().check(&shard).unwrap();
    assert_eq!((check.is_fresh, check.unreadable), (false, Some(FileError::Shard)));
}

#[test]
fn a_large_shard_keeps_masks_that_stay_on_disk() {
    let folder = Folder::new("shards-large");
    let bake = |side: u32| {
        let bake = Bake::new().mask("large", Mask::solid(1500, 1400).unwrap());
        bake.mask("small", Mask::solid(side, 3).unwrap())
    };
    cached(&folder, 1, &|| bake(4));
    assert!(fs::metadata(folder.path("1.shard")).unwrap().len() > 17 << 20);
    let report = cached(&folder, 1, &|| bake(5)).remove(0);
    assert_eq!((report.sprites, report.kept), (2, 1));
    merge(folder.path("all"), [folder.path("1.shard")], AtlasOptions::DEFAULT).unwrap();
    assert!(fs::read(folder.path("all")).unwrap() == bake(5).to_bytes().unwrap());
}

#[test]
fn sprites_are_divided_by_the_work_that_files_and_settings_state() {
    let folder = Folder::new("shards-work");
    for side in [30, 31, 32, 33] {
        crate::image(&folder, &format!("art/{side}.png"), side);
    }
    crate::image(&folder, "art/a.png", 80);
    let art = || Bake::new().sprites(folder.path("art")).unwrap();
    let still = || Settings { angles: 1, ..Settings::default() };
    let by_settings = || {
        let mask = || Mask::solid(90, 80).unwrap();
        let bake = Bake::new().frames("turns", [mask()], None);
        (0..3).fold(bake, |bake, i| bake.frames(format!("{i}"), [mask()], still()))
    };
    for (bake, alone) in [(&art as &dyn Fn() -> Bake, "a"), (&by_settings, "turns")] {
        let shards = [1, 2].map(|i| {
            let report = bake().shard(i, 2).write(folder.path(&format!("{i}"))).unwrap();
            report.each.into_iter().map(|one| one.sprite).collect::<Vec<_>>()
        });
        assert_eq!(shards[0], [alone]);
        assert!(shards[1].len() >= 3, "{shards:?}");
    }
}
