//! `Bake::keep_going`: one faulty file does not stop the bake of the others.

use super::built;
use crate::encode::png::{self, Png};
use crate::encode::sheets::{entry, json};
use crate::image;
use hitmask::{Atlas, BuildFault, CallError, Mask};
use hitmask_bake::{Bake, BakeFault, Report};
use hitmask_scenes::Folder;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

fn names(path: &Path) -> Vec<String> {
    let atlas = Atlas::open(path).unwrap();
    atlas.verify().unwrap();
    atlas.sprites().map(|sprite| sprite.name().to_owned()).collect()
}

fn files(report: &Report) -> Vec<&Path> {
    let mut files: Vec<&Path> = report.failures.iter().map(|(file, _)| file.as_path()).collect();
    files.sort();
    files
}

/// Writes two good images and one faulty file of each kind. Returns the paths of the faulty files.
fn faulty_art(folder: &Folder) -> Vec<PathBuf> {
    image(folder, "art/a.png", 5);
    image(folder, "art/sub/z.png", 6);
    let good = fs::read(folder.path("art/a.png")).unwrap();
    let mut faulty = vec![
        folder.write("art/level.png", png::of_alpha([8, 32_768], |_, _| 255)),
        folder.write("art/poster.png", Png::new([8, 65_537], png::RGBA).still(&[]).cut()),
        folder.write("art/text.png", "not an image"),
        folder.write("art/cut.png", &good[..good.len() / 2]),
        folder.write("art/empty.gif", ""),
        folder.write("art/sub/old.aseprite", b"\x80\0\0\0\xE0\xA5 damaged".as_slice()),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.png", folder.path("art/dangling.png")).unwrap();
        faulty.push(folder.path("art/dangling.png"));
        faulty.push(folder.write("art/line\nbreak.png", &good));
    }
    faulty.sort();
    faulty
}

#[test]
fn every_kind_of_faulty_file_is_listed_and_the_others_are_baked() {
    let folder = Folder::new("going");
    let faulty = faulty_art(&folder);
    let output = folder.path("a.hitmask");
    for pattern in ["art", "art/**/*"] {
        let bake = Bake::new().keep_going(true).sprites(folder.path(pattern)).unwrap();
        let report = bake.write(&output).unwrap();
        assert_eq!(files(&report), faulty, "{pattern}");
        assert_eq!((report.sprites, report.each.len()), (2, 2));
        assert_eq!(names(&output), ["a", "sub/z"]);
    }
    // The bytes are those of a bake without the faulty files.
    let alone = Folder::new("alone");
    image(&alone, "a.png", 5);
    image(&alone, "sub/z.png", 6);
    let alone = Bake::new().sprites(alone.root()).unwrap().to_bytes().unwrap();
    assert_eq!(fs::read(&output).unwrap(), alone);
    let error = |name: &str| {
        let bake = Bake::new().keep_going(true).sprites(folder.path("art")).unwrap();
        let report = bake.write(&output).unwrap();
        let found = report.failures.into_iter().find(|(path, _)| path.ends_with(name));
        found.unwrap().1
    };
    let level = built(error("level.png").clone());
    assert_eq!(level.fault, BuildFault::FrameTooLarge);
    assert!(level.to_string().contains("8 x 32768"), "{level}");
    let (quantity, needed, limit) = ("pixels a side", 65_537, 65_536);
    let fault = BakeFault::OverLimit { quantity, needed, limit };
    assert_eq!(error("poster.png").fault, fault);
    assert!(error("text.png").fault == BakeFault::NotAnImage);
    assert!(error("cut.png").fault == BakeFault::Damaged);
    #[cfg(unix)]
    assert!(matches!(error("dangling.png").fault,
        BakeFault::Read(cause) if cause.kind == ErrorKind::NotFound));
}

#[test]
fn without_keep_going_the_first_fault_ends_the_bake() {
    let folder = Folder::new("strict");
    faulty_art(&folder);
    let output = folder.path("a.hitmask");
    Bake::new().sprites(folder.path("art/a.png")).unwrap().write(&output).unwrap();
    let before = fs::read(&output).unwrap();
    let bake = Bake::new().sprites(folder.path("art"));
    assert!(bake.and_then(|bake| bake.write(&output)).is_err());
    assert_eq!(fs::read(&output).unwrap(), before);
    // These need all files in any case.
    let bake = || Bake::new().keep_going(true).sprites(folder.path("art")).unwrap();
    assert!(bake().to_bytes().is_err() && bake().check(&output).is_err());
    assert!(bake().shard(1, 2).write(folder.path("shard")).is_err());
    assert_eq!(fs::read(&output).unwrap(), before);
}

#[test]
fn a_bake_without_a_good_file_fails_with_the_first_fault() {
    let folder = Folder::new("none-good");
    let text = folder.write("art/text.png", "not an image");
    let broken = folder.write("art/sheet.json", "{");
    let output = folder.path("a.hitmask");
    for file in [&text, &broken] {
        let bake = Bake::new().keep_going(true).sprites(file).unwrap();
        let error = bake.write(&output).unwrap_err();
        assert!(error.to_string().contains(file.to_str().unwrap()), "{error}");
        assert!(!output.exists());
    }
    // Faults that are not those of one file end the bake.
    let bake = || Bake::new().keep_going(true);
    let none = bake().sprites(folder.path("none")).unwrap_err();
    assert!(matches!(none.fault, BakeFault::Read(_)), "{none}");
    image(&folder, "a.png", 5);
    let twice = bake().sprites(folder.path("a.png")).unwrap().mask("a", Mask::new(1, 1).unwrap());
    assert_eq!(twice.write(&output).unwrap_err().fault, BakeFault::SameName);
    let masks = bake().mask("a", Mask::new(1, 1).unwrap()).frames::<Mask>("none", [], None);
    assert_eq!(built(masks.write(&output).unwrap_err()).fault, BuildFault::NoFrames);
}

#[test]
fn a_sprite_too_large_for_one_of_its_poses_does_not_stop_the_others() {
    let folder = Folder::new("turned");
    image(&folder, "art/a.png", 5);
    // 600 texels at scale 64 take 38,400 pixels, more than a mask may have.
    folder.write("art/wide.png", png::of_alpha([600, 1], |_, _| 255));
    let output = folder.path("a.hitmask");
    let bake = Bake::new()
        .keep_going(true)
        .angles(1)
        .scales([1.0, 64.0])
        .sprites(folder.path("art"))
        .unwrap();
    let report = bake.write(&output).unwrap();
    assert_eq!(names(&output), ["a"]);
    let [(path, error)] = &report.failures[..] else { panic!("{:?}", report.failures) };
    assert!(path.ends_with("wide.png"));
    let fault = built(error.clone()).fault;
    assert!(matches!(fault, BuildFault::Settings(Some(CallError::TooLarge { .. }))), "{error}");
}

#[test]
fn the_cache_keeps_the_good_sprites_and_tries_the_faulty_files_again() {
    let folder = Folder::new("going-cache");
    image(&folder, "art/a.png", 5);
    image(&folder, "art/z.png", 6);
    folder.write("art/m.png", "not an image");
    let output = folder.path("a.hitmask");
    let bake = || {
        let bake = Bake::new().keep_going(true).cache(folder.path("cache"));
        bake.sprites(folder.path("art")).unwrap().write(&output).unwrap()
    };
    let counts = |report: &Report| (report.sprites, report.kept, report.failures.len());
    assert_eq!(counts(&bake()), (2, 0, 1));
    let again = bake();
    assert_eq!((counts(&again), again.written), ((2, 2, 1), false));
    image(&folder, "art/m.png", 7);
    assert_eq!(counts(&bake()), (3, 2, 0));
    let whole = fs::read(&output).unwrap();
    folder.write("art/a.png", "damaged");
    assert_eq!(counts(&bake()), (3, 3, 1));
    assert_eq!(names(&output), ["a", "m", "z"]);
    assert_eq!(fs::read(&output).unwrap(), whole);
}

#[test]
fn a_manifest_leaves_out_faulty_files_and_sprites_that_lack_a_frame() {
    let folder = Folder::new("going-manifest");
    for name in ["walk_1.png", "walk_2.png", "run_1.png", "ship.png"] {
        image(&folder, name, 5);
    }
    folder.write("run_2.png", "not an image");
    folder.write("jump_1.aseprite", "not an image");
    image(&folder, "jump_2.png", 5);
    folder.write("sheet.json", "{");
    let manifest = "[[source]]\nfiles = [\"*.png\", \"*.aseprite\", \"*.json\"]\nnumbered = true\n";
    let manifest = folder.write("hitmask.toml", manifest);
    let bake = Bake::new().keep_going(true).manifest(manifest).unwrap();
    let report = bake.write(folder.path("a.hitmask")).unwrap();
    let mut faulty = ["jump_1.aseprite", "run_2.png", "sheet.json"].map(|name| folder.path(name));
    faulty.sort();
    assert_eq!(files(&report), faulty);
    assert_eq!(names(&folder.path("a.hitmask")), ["ship", "walk"]);
    assert!(bake.watched().contains(&folder.path("sheet.json")), "a repaired file is baked again");
}

#[test]
fn a_fault_that_many_sprites_share_is_listed_once() {
    let folder = Folder::new("going-page");
    image(&folder, "a.png", 5);
    folder.write("page.png", "not an image");
    let frames: Vec<String> = (0..9).map(|i| entry(&i.to_string(), [0, 0, 1, 1], "")).collect();
    let sheet = json(&frames, "page.png", "");
    let sheet = folder.write("ui.json", sheet);
    let bake = Bake::new().keep_going(true).sprites(sheet).unwrap();
    let report = bake.sprites(folder.path("a.png")).unwrap().write(folder.path("out")).unwrap();
    assert_eq!((report.sprites, report.failures.len()), (1, 1));
    assert!(report.failures[0].0.ends_with("page.png"));
}
