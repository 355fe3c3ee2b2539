//! Bakes with a cache: the bytes equal those of a full bake, and only changed sprites are baked.

use super::{built, planes};
use hitmask::{Atlas, BuildFault, Mask};
use hitmask_bake::{Bake, CacheNote, Report};
use hitmask_scenes::{Folder, Random};
use image::{Rgba, RgbaImage};
use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Helpers that create files in a test folder.
trait Art {
    /// Writes a PNG file of random pixels. Different seeds give different images.
    fn image(&self, name: &str, seed: u64);

    /// Returns a bake of all images in `art`, a sheet, a mask and a sprite with planes.
    fn bake(&self) -> Bake;

    /// Bakes with the cache. Compares atlas and report with those of a bake without a cache.
    fn check(&self, bake: impl Fn() -> Bake) -> Report;
}

impl Art for Folder {
    fn image(&self, name: &str, seed: u64) {
        let mut random = Random::new(seed);
        let (w, h) = (20 + random.below(9), 12 + random.below(30));
        let solid: Vec<bool> = (0..w * h).map(|_| random.below(4) > 0).collect();
        let alpha = |x, y| if solid[(y * w + x) as usize] { 255 } else { 0 };
        let image = RgbaImage::from_fn(w, h, |x, y| Rgba([9, 9, 9, alpha(x, y)]));
        image.save_with_format(self.path(name), image::ImageFormat::Png).unwrap();
    }

    fn bake(&self) -> Bake {
        let mask = |text: &str| text.parse::<Mask>().unwrap();
        let grid = hitmask_bake::Grid::of([8, 8]);
        let bake = Bake::new().angles(16).sprites(self.path("art")).unwrap();
        bake.sheets(self.path("sheet.png"), grid)
            .unwrap()
            .mask("made", mask("###\n.#.\n.##"))
            .frames(
                "cyclops",
                [planes([("body", mask(".###\n####")), ("eye", mask("....\n..#."))])],
                None,
            )
    }

    fn check(&self, bake: impl Fn() -> Bake) -> Report {
        let output = self.path("sprites.hitmask");
        let report = bake().cache(self.path("cache")).write(&output).unwrap();
        let plain = bake().write(self.path("plain.hitmask")).unwrap();
        let bytes = fs::read(&output).unwrap();
        assert!(bytes == fs::read(self.path("plain.hitmask")).unwrap(), "the bytes differ");
        Atlas::from_vec(bytes).unwrap().verify().unwrap();
        let Report { sprites, frames, shared_frames, poses, bytes, .. } = report;
        assert_eq!(
            (sprites, frames, shared_frames),
            (plain.sprites, plain.frames, plain.shared_frames)
        );
        assert_eq!((poses, bytes), (plain.poses, plain.bytes));
        assert_eq!(
            (&report.each, &report.warnings, &report.hints),
            (&plain.each, &plain.warnings, &plain.hints)
        );
        report
    }
}

/// An old time with a fraction of a second, as a fine clock gives it.
fn old() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::new(1_500_000_000, 700)
}

fn backdate(path: PathBuf) {
    File::options().write(true).open(path).unwrap().set_modified(old()).unwrap();
}

fn art(test: &str) -> Folder {
    let folder = Folder::new(test);
    fs::create_dir(folder.path("art")).unwrap();
    for seed in 0..9 {
        folder.image(&format!("art/{seed}.png"), seed);
    }
    folder.image("art/again.png", 3); // duplicate of 3.png
    folder.image("sheet.png", 77);
    RgbaImage::new(4, 5).save(folder.path("art/blank.png")).unwrap(); // causes a warning
    folder
}

#[test]
fn an_unchanged_bake_bakes_and_writes_nothing() {
    let folder = art("same");
    let first = folder.check(|| folder.bake());
    assert_eq!((first.kept, first.written, first.sprites), (0, true, 14));
    assert_eq!((first.warnings.len(), first.hints.len()), (3, 1), "{:?}", first.hints);
    backdate(folder.path("sprites.hitmask"));
    for _ in 0..2 {
        let again = folder.check(|| folder.bake());
        assert_eq!((again.kept, again.written), (14, false));
        assert_eq!(again.notes, []);
        let meta = fs::metadata(folder.path("sprites.hitmask")).unwrap();
        assert_eq!(meta.modified().unwrap(), old());
    }
    // A bake without a cache also leaves a file with the same bytes alone.
    let plain = folder.bake().write(folder.path("sprites.hitmask")).unwrap();
    assert!(!plain.written && plain.kept == 0);
}

#[test]
fn a_changed_file_bakes_only_its_sprite() {
    let folder = art("one");
    folder.check(|| folder.bake());
    folder.image("art/4.png", 100);
    let report = folder.check(|| folder.bake());
    assert_eq!((report.kept, report.written), (13, true));
    // A rewrite with the same contents counts as unchanged.
    folder.image("art/4.png", 100);
    let report = folder.check(|| folder.bake());
    assert_eq!((report.kept, report.written), (14, false));
    folder.image("sheet.png", 5);
    assert_eq!(folder.check(|| folder.bake()).kept, 13);
}

#[test]
fn files_are_added_removed_copied_and_renamed() {
    let folder = art("random");
    folder.check(|| folder.bake());
    let mut random = Random::new(4);
    for round in 0..25 {
        let name = |n: u32| format!("art/{n}.png");
        let (one, other) = (random.below(14), random.below(14));
        match random.below(4) {
            0 => folder.image(&name(one), u64::from(random.below(12))),
            1 => drop(fs::remove_file(folder.path(&name(one)))),
            2 => drop(fs::rename(folder.path(&name(one)), folder.path(&name(other)))),
            _ => drop(fs::copy(folder.path(&name(one)), folder.path(&name(other)))),
        }
        let report = folder.check(|| folder.bake());
        assert!(report.kept + 2 >= report.sprites, "round {round}: {} kept", report.kept);
    }
}

#[test]
fn a_changed_file_with_the_same_size_and_time_is_detected_by_its_contents() {
    let folder = Folder::new("tick");
    let masks = ["#.#\n###", "###\n#.#"];
    let rgba = |text: &str| {
        let rows: Vec<&str> = text.lines().collect();
        RgbaImage::from_fn(3, 2, |x, y| {
            let solid = rows[y as usize].as_bytes()[x as usize] == b'#';
            Rgba([0, 0, 0, if solid { 255 } else { 0 }])
        })
    };
    // Bytes after the end of a PNG are ignored. The padding gives both files the same size.
    let write = |text: &str| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        rgba(text).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        let mut bytes = bytes.into_inner();
        bytes.resize(500, 0);
        let path = folder.write("art/a.png", bytes);
        backdate(path.clone());
        fs::metadata(path).unwrap().len()
    };
    let bake = || Bake::new().angles(4).sprites(folder.path("art")).unwrap();
    let sizes: Vec<u64> = masks
        .iter()
        .cycle()
        .take(6)
        .map(|text| {
            let size = write(text);
            let report = folder.check(bake);
            assert!(report.written && report.kept == 0);
            size
        })
        .collect();
    assert!(sizes.iter().all(|&size| size == sizes[0]), "{sizes:?}");
}

#[test]
fn changed_settings_bake_only_the_sprites_that_use_them() {
    let folder = art("settings");
    folder.check(|| folder.bake());
    let with_one_more = || {
        let settings = hitmask::Settings { angles: 8, ..Default::default() };
        let still = "#".parse::<Mask>().unwrap();
        folder.bake().frames("own", [still], settings)
    };
    assert_eq!(folder.check(with_one_more).kept, 14);
    assert_eq!(folder.check(|| with_one_more().angles(12)).kept, 1);
    assert_eq!(folder.check(|| with_one_more().angles(12).max_error(1.0)).kept, 1);
    assert_eq!(folder.check(|| with_one_more().angles(12).max_error(1.0)).kept, 15);
    assert_eq!(folder.check(|| with_one_more().resolution(2.0)).kept, 0);
    assert_eq!(folder.check(|| folder.bake().alpha(hitmask::AlphaRule::Above(3))).kept, 0);
}

#[test]
fn compact_atlases_reuse_unchanged_masks() {
    let folder = art("compact");
    let bake = || folder.bake().compact(true);
    folder.check(|| folder.bake());
    assert_eq!(folder.check(bake).kept, 0);
    assert_eq!(folder.check(bake).kept, 14);
    folder.image("art/4.png", 100);
    let report = folder.check(bake);
    assert_eq!((report.kept, report.written), (13, true));
    assert_eq!(folder.check(|| folder.bake()).kept, 0);
}

#[test]
fn with_a_size_limit_a_change_bakes_all_sprites() {
    let folder = art("limit");
    let refused = folder.bake().max_bytes(1).to_bytes().unwrap_err();
    let BuildFault::OverBudget { bytes: least, .. } = built(refused).fault else {
        panic!("1 byte suffices");
    };
    let bake = || folder.bake().max_bytes(least + least / 4);
    let first = folder.check(bake);
    assert!(first.each.iter().any(|baked| baked.angles < 16), "the limit has no effect");
    assert_eq!(folder.check(bake).kept, 14);
    folder.image("art/4.png", 100);
    assert_eq!(folder.check(bake).kept, 0);
}

#[test]
fn an_unusable_cache_is_ignored_with_a_note() {
    let folder = art("notes");
    let cache = folder.path("cache");
    folder.check(|| folder.bake());
    let good = fs::read(&cache).unwrap();
    let atlas = fs::read(folder.path("sprites.hitmask")).unwrap();
    let mut other_version = good.clone();
    other_version[20] ^= 1;
    let damaged = CacheNote::CacheDamaged { path: cache.clone() };
    for (bytes, note) in [
        (good[..good.len() / 2].to_vec(), damaged.clone()),
        (Vec::new(), damaged.clone()),
        (good[..16].to_vec(), damaged),
        (other_version, CacheNote::CacheOfOtherVersion { path: cache.clone() }),
    ] {
        fs::write(&cache, bytes).unwrap();
        let report = folder.check(|| folder.bake());
        assert_eq!((report.kept, report.written), (0, false));
        assert_eq!(report.notes, [note]);
        assert_eq!(folder.check(|| folder.bake()).notes, []);
    }
    // The output is the atlas of another bake, then a damaged atlas, then missing.
    let mut damaged = atlas.clone();
    let end = damaged.len() - 9;
    damaged[end] ^= 1;
    let other = Bake::new().mask("other", "#".parse().unwrap()).to_bytes().unwrap();
    for bytes in [other, damaged] {
        fs::write(folder.path("sprites.hitmask"), bytes).unwrap();
        let report = folder.check(|| folder.bake());
        assert_eq!((report.kept, report.written), (0, true));
        assert_eq!(report.notes, [CacheNote::CacheOfOtherAtlas { path: cache.clone() }]);
    }
    fs::remove_file(folder.path("sprites.hitmask")).unwrap();
    let report = folder.check(|| folder.bake());
    assert_eq!((report.kept, report.written, report.notes), (0, true, vec![]));
    fs::remove_file(&cache).unwrap();
    let report = folder.check(|| folder.bake());
    assert_eq!((report.kept, report.written, report.notes), (0, false, vec![]));
}

#[test]
fn a_file_that_is_not_a_cache_is_kept_and_the_bake_runs_without_a_cache() {
    let folder = art("foreign");
    let atlas = folder.bake().to_bytes().unwrap();
    let cache = folder.path("cache");
    for bytes in [b"no cache".to_vec(), b"HITMASK-CACHE".to_vec(), atlas] {
        fs::write(&cache, &bytes).unwrap();
        backdate(cache.clone());
        for _ in 0..2 {
            let report = folder.check(|| folder.bake());
            assert_eq!(report.kept, 0);
            assert_eq!(report.notes, [CacheNote::CacheForeign { path: cache.clone() }]);
            assert_eq!(fs::read(&cache).unwrap(), bytes);
            assert_eq!(fs::metadata(&cache).unwrap().modified().unwrap(), old());
        }
    }
    // Once the file is removed, a cache is written.
    fs::remove_file(&cache).unwrap();
    assert_eq!(folder.check(|| folder.bake()).notes, []);
    assert_eq!(folder.check(|| folder.bake()).kept, 14);
}

#[test]
fn a_cache_that_cannot_be_written_causes_a_note_and_the_atlas_is_written() {
    let folder = art("unwritten");
    let bake = folder.bake().cache(folder.path("missing/cache"));
    let report = bake.write(folder.path("sprites.hitmask")).unwrap();
    assert!(report.written);
    assert!(matches!(&report.notes[..], [CacheNote::CacheNotWritten { path, .. }]
        if *path == folder.path("missing/cache")));
}

#[test]
fn a_failed_bake_keeps_atlas_and_cache() {
    let folder = art("failed");
    folder.check(|| folder.bake());
    fs::write(folder.path("art/5.png"), "no picture").unwrap();
    let bake = folder.bake().cache(folder.path("cache"));
    bake.write(folder.path("sprites.hitmask")).unwrap_err();
    folder.image("art/5.png", 5);
    let report = folder.check(|| folder.bake());
    assert_eq!((report.kept, report.written), (14, false));
}

#[test]
fn check_names_the_differences_and_writes_nothing() {
    let folder = art("check");
    let output = folder.path("sprites.hitmask");
    let check = |bake: Bake| {
        let plain = bake.check(&output).unwrap();
        let cached = bake.cache(folder.path("cache")).check(&output).unwrap();
        assert_eq!(plain, cached);
        plain
    };
    // The atlas does not exist yet, so all sprites are new.
    let first = check(folder.bake());
    assert!(!first.is_fresh && first.new.len() == 14 && first.unreadable.is_some());
    assert!(!output.exists() && !folder.path("cache").exists());
    folder.check(|| folder.bake());
    let state = || (fs::read(&output).unwrap(), fs::read(folder.path("cache")).unwrap());
    let before = state();
    let fresh = check(folder.bake());
    assert!(fresh.is_fresh && fresh.new.is_empty() && fresh.unreadable.is_none());
    folder.image("art/4.png", 100);
    folder.image("art/late.png", 101);
    fs::remove_file(folder.path("art/5.png")).unwrap();
    let stale = check(folder.bake());
    assert!(!stale.is_fresh);
    assert_eq!(
        (&stale.new[..], &stale.gone[..]),
        (&["late".to_owned()][..], &["5".to_owned()][..])
    );
    assert_eq!(stale.changed, ["4"]);
    // Settings count as a change even if no pixel differs.
    assert_eq!(check(folder.bake().alpha(hitmask::AlphaRule::Above(127))).changed.len(), 13);
    assert_eq!(check(folder.bake().resolution(2.0)).changed.len(), 13);
    assert_eq!(state(), before);
    // The same sprites as a compact atlas.
    folder.check(|| folder.bake());
    let compact = check(folder.bake().compact(true));
    assert!(!compact.is_fresh && compact.changed.is_empty() && compact.new.is_empty());
    fs::write(&output, "no atlas").unwrap();
    let other = check(folder.bake());
    assert!(!other.is_fresh && other.unreadable.is_some());
}
