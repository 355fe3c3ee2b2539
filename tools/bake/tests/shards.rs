//! Shards: merged, they equal the atlas of a single bake byte for byte. Shards that do not belong
//! together are rejected by path.

use super::planes;
use crate::encode::sheets::{entry, json};
use hitmask::{Atlas, AtlasOptions, FileError, Mask, Pivot, Sampling, Settings};
use hitmask_bake::{Bake, BakeFault, merge};
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
fn a_shard_has_the_same_bytes_in_every_bake() {
    let shard = |i| bake().shard(i, 3).to_bytes().unwrap();
    assert!(shard(1) == shard(1) && shard(1) != shard(2));
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
