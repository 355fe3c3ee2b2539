//! A file that cannot be read any more costs no sprite: `Bake::keep_going` keeps the masks of the last bake that
//! could read it.

use crate::encode::sheets::{entry, json};
use crate::image;
use hitmask::{Atlas, Flip, Pose};
use hitmask_bake::{Bake, BakeFault, Report};
use hitmask_scenes::Folder;
use std::fs;
use std::path::Path;

/// Returns each sprite with its pixels in every pose of every frame.
fn pixels(path: &Path) -> Vec<(String, Vec<String>)> {
    let atlas = Atlas::open(path).unwrap();
    atlas.verify().unwrap();
    let drawn = atlas.drawn().unwrap();
    let poses = |sprite: hitmask::Sprite<'_>| {
        let steps = (0..sprite.frame_count())
            .flat_map(|frame| (0..sprite.angles()).map(move |step| (frame, step)));
        let shown = steps.map(|(frame, step)| {
            let posed = sprite.posed(frame, Pose { step, scale: 0 }, Flip::NONE).unwrap();
            format!("{:?}\n{}", posed.origin, posed.mask.to_mask())
        });
        shown.collect::<Vec<String>>()
    };
    drawn.sprites().map(|sprite| (sprite.name().to_owned(), poses(sprite))).collect()
}

fn write(folder: &Folder, bake: Bake) -> Report {
    bake.write(folder.path("a.hitmask")).unwrap()
}

/// Returns what a program leaves that is stopped while it saves an image, and other damage.
fn damaged(good: &[u8]) -> Vec<Vec<u8>> {
    let mut flipped = good.to_vec();
    let at = flipped.len() / 2;
    flipped[at] ^= 0xFF;
    let zeros = vec![0; good.len()];
    vec![
        Vec::new(),
        good[..good.len() / 2].to_vec(),
        good[..20].to_vec(),
        flipped,
        zeros,
        b"not an image".to_vec(),
    ]
}

#[test]
fn a_damaged_image_keeps_its_last_masks_in_every_kind_of_bake() {
    for (kind, compact, cached) in [
        ("full", false, false),
        ("full-cached", false, true),
        ("compact", true, false),
        ("compact-cached", true, true),
    ] {
        let folder = Folder::new(kind);
        image(&folder, "art/a.png", 5);
        image(&folder, "art/ship.png", 9);
        let bake = || {
            let bake = Bake::new().keep_going(true).angles(8).compact(compact);
            let bake = if cached { bake.cache(folder.path("cache")) } else { bake };
            write(&folder, bake.sprites(folder.path("art")).unwrap())
        };
        let output = folder.path("a.hitmask");
        let first = bake();
        assert_eq!((first.sprites, first.stale.len(), first.failures.len()), (2, 0, 0));
        let (before, bytes) = (pixels(&output), fs::read(&output).unwrap());
        let good = fs::read(folder.path("art/ship.png")).unwrap();
        for broken in damaged(&good) {
            folder.write("art/ship.png", &broken);
            let report = bake();
            assert_eq!(report.stale, ["ship"], "{kind}: {broken:?}");
            assert_eq!((report.sprites, report.failures.len()), (2, 1));
            assert!(report.failures[0].0.ends_with("ship.png"));
            assert_eq!(fs::read(&output).unwrap(), bytes, "{kind}");
            assert!(!report.written);
            let summary = report.summary();
            assert!(summary[0].starts_with("1 file cannot be baked, such as: "), "{summary:?}");
            assert!(
                summary[1].starts_with("\"ship\" keeps its masks of the last bake"),
                "{summary:?}"
            );
            let of_ship = |report: &Report| report.each[1].clone();
            let (old, new) = (of_ship(&first), of_ship(&report));
            assert_eq!((old.angles, old.poses), (new.angles, new.poses));
            assert!(new.error >= old.error && new.error < 2.0 * old.error, "{old:?} {new:?}");
        }
        // The other sprite is baked meanwhile, again and again.
        for side in [6, 7] {
            image(&folder, "art/a.png", side);
            let report = bake();
            assert_eq!((report.stale.len(), report.kept), (1, 1));
            let now = pixels(&output);
            assert_eq!(now[1], before[1]);
            assert_ne!(now[0], before[0]);
        }
        // The old image, and then a new one, give what a bake from nothing gives.
        for side in [9, 10] {
            image(&folder, "art/ship.png", side);
            let report = bake();
            assert!(report.stale.is_empty() && report.failures.is_empty());
            let plain = Bake::new().angles(8).compact(compact).sprites(folder.path("art")).unwrap();
            assert_eq!(fs::read(&output).unwrap(), plain.to_bytes().unwrap(), "{kind} {side}");
        }
        // A sprite whose file is gone is gone.
        fs::remove_file(folder.path("art/ship.png")).unwrap();
        assert_eq!((bake().sprites, pixels(&output).len()), (1, 1));
        // A damaged file that never had a sprite is left out.
        folder.write("art/new.png", "not an image");
        let report = bake();
        assert_eq!((report.sprites, report.stale.len(), report.failures.len()), (1, 0, 1));
    }
}

#[test]
fn files_whose_sprites_are_not_known_without_reading_them_keep_all_of_them() {
    let folder = Folder::new("last-unopened");
    for (name, side) in [("page.png", 9), ("walk_1.png", 5), ("walk_2.png", 6), ("ship.png", 7)] {
        image(&folder, name, side);
    }
    let frames = [entry("a", [0, 0, 3, 3], ""), entry("b/c", [3, 0, 3, 3], "")];
    let sheet = json(&frames, "page.png", "");
    folder.write("ui.json", &sheet);
    let manifest = folder.write(
        "hitmask.toml",
        "[[source]]\nfiles = [\"*.png\", \"*.json\"]\nnumbered = true\nangles = 4\n",
    );
    let output = folder.path("a.hitmask");
    for cached in [false, true] {
        let bake = || {
            let bake = Bake::new().keep_going(true);
            let bake = if cached { bake.cache(folder.path("cache")) } else { bake };
            write(&folder, bake.manifest(&manifest).unwrap())
        };
        bake();
        let before = pixels(&output);
        let names: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["ship", "ui/a", "ui/b/c", "walk"]);
        for (name, stale) in [
            ("ui.json", &["ui/a", "ui/b/c"][..]),
            ("page.png", &["ui/a", "ui/b/c"]),
            ("walk_2.png", &["walk"]),
        ] {
            let good = fs::read(folder.path(name)).unwrap();
            for broken in [&b""[..], &good[..good.len() / 2]] {
                folder.write(name, broken);
                let report = bake();
                assert_eq!(report.stale, stale, "{name}");
                assert_eq!(report.failures.len(), 1, "{name}: {:?}", report.failures);
                assert_eq!(pixels(&output), before, "{name}");
            }
            // Also if the page is not there.
            fs::remove_file(folder.path(name)).unwrap();
            if name == "page.png" {
                assert_eq!(bake().stale, stale, "{name}");
                assert_eq!(pixels(&output), before, "{name}");
            }
            folder.write(name, &good);
            let report = bake();
            assert!(report.failures.is_empty() && report.stale.is_empty(), "{name}");
        }
    }
}

#[test]
fn an_aseprite_file_that_does_not_look_like_one_any_more_keeps_its_sprite() {
    for cached in [false, true] {
        let folder = Folder::new("last-ase");
        image(&folder, "art/a.png", 5);
        let bake = || {
            let bake = Bake::new().keep_going(true).angles(4);
            let bake = if cached { bake.cache(folder.path("cache")) } else { bake };
            bake.sprites(folder.path("art")).unwrap()
        };
        let counts = || {
            let report = write(&folder, bake());
            (report.sprites, report.warnings.len(), report.failures.len())
        };
        // A file of another program is passed over, also beside an image of its name.
        folder.write("art/hero.ase", vec![0_u8; 500]);
        assert_eq!(counts(), (1, 1, 0));
        image(&folder, "art/hero.png", 5);
        assert_eq!((counts(), counts()), ((2, 1, 0), (2, 1, 0)));
        // Without that image the file is suspicious, unless the cache knows that it has had no sprite.
        fs::remove_file(folder.path("art/hero.png")).unwrap();
        assert_eq!(counts(), if cached { (1, 1, 0) } else { (2, 0, 1) });
        // As a PNG, because the extension does not decide.
        image(&folder, "art/hero.ase", 6);
        assert_eq!(counts(), (2, 0, 0));
        let before = pixels(&folder.path("a.hitmask"));
        folder.write("art/hero.ase", vec![0_u8; 500]);
        for _ in 0..3 {
            assert_eq!(counts(), (2, 0, 1));
            assert_eq!(pixels(&folder.path("a.hitmask")), before);
        }
        assert_eq!(write(&folder, bake()).stale, ["hero"]);
        let strict = bake().keep_going(false).write(folder.path("a.hitmask"));
        assert_eq!(strict.unwrap_err().fault, BakeFault::NotAnImage);
    }
}

#[test]
fn masks_that_the_new_atlas_cannot_hold_leave_the_old_atlas_whole() {
    let folder = Folder::new("last-refused");
    image(&folder, "art/a.png", 5);
    image(&folder, "art/ship.png", 9);
    let output = folder.path("a.hitmask");
    let bake = || Bake::new().keep_going(true).angles(8).sprites(folder.path("art")).unwrap();
    write(&folder, bake());
    let before = fs::read(&output).unwrap();
    let good = fs::read(folder.path("art/ship.png")).unwrap();
    folder.write("art/ship.png", &good[..30]);
    for (other, why) in [
        (bake().resolution(2.0), "another resolution"),
        (bake().compact(true), "compact"),
        (bake().max_bytes(1_000_000), "limit on the size"),
    ] {
        let error = other.write(&output).unwrap_err();
        assert_eq!(error.fault, BakeFault::Damaged);
        assert!(
            error.help().contains(why) && error.help().contains("a.hitmask is unchanged"),
            "{}",
            error.help()
        );
        assert_eq!(fs::read(&output).unwrap(), before);
    }
    // Other angles and scales are those of the other sprites alone.
    assert_eq!(write(&folder, bake().angles(16).scales([1.0, 2.0])).stale, ["ship"]);
    let atlas = Atlas::open(&output).unwrap();
    let angles: Vec<u32> = atlas.sprites().map(|sprite| sprite.angles()).collect();
    assert_eq!(angles, [16, 8]);
    // A compact atlas gives its masks to a full one, and keeps a size limit.
    folder.write("art/ship.png", &good);
    write(&folder, bake().compact(true));
    let compact = pixels(&output);
    folder.write("art/ship.png", &good[..30]);
    assert_eq!(write(&folder, bake().compact(true).max_bytes(1_000_000)).stale, ["ship"]);
    assert_eq!(write(&folder, bake()).stale, ["ship"]);
    assert_eq!(pixels(&output), compact);
}

#[test]
fn a_file_at_the_output_that_is_no_atlas_has_no_masks() {
    let folder = Folder::new("last-none");
    image(&folder, "art/a.png", 5);
    folder.write("art/ship.png", "");
    for old in [&b""[..], b"HITMASK\x1a and so on"] {
        let output = folder.write("a.hitmask", old);
        let bake = Bake::new().keep_going(true).sprites(folder.path("art")).unwrap();
        let report = bake.write(output).unwrap();
        assert_eq!((report.sprites, report.stale.len(), report.failures.len()), (1, 0, 1));
    }
}

/// Runs as a build script in another process of this test, where `OUT_DIR` is set.
#[test]
fn a_build_script_keeps_the_last_masks_only_if_it_keeps_going() {
    const ART: &str = "HITMASK_TEST_ART";
    if let Some(art) = std::env::var_os(ART) {
        let keeps = std::env::var_os("HITMASK_TEST_KEEPS").is_some();
        let bake = Bake::new().keep_going(keeps).angles(4).sprites(art).unwrap();
        bake.write_out_dir("sprites").unwrap();
        return;
    }
    let folder = Folder::new("last-out-dir");
    image(&folder, "art/a.png", 5);
    image(&folder, "art/ship.png", 9);
    fs::create_dir(folder.path("out")).unwrap();
    let run = |keeps: bool| {
        let name = "last_good::a_build_script_keeps_the_last_masks_only_if_it_keeps_going";
        let mut script = std::process::Command::new(std::env::current_exe().unwrap());
        script.args(["--exact", name, "--nocapture"]);
        script.env(ART, folder.path("art")).env("OUT_DIR", folder.path("out"));
        if keeps {
            script.env("HITMASK_TEST_KEEPS", "1");
        }
        let output = script.output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(run(false).0);
    let read = |name: &str| fs::read(folder.path(&format!("out/{name}"))).unwrap();
    let before = [read("sprites.hitmask"), read("sprites.rs")];
    folder.write("art/ship.png", "");
    let (is_built, said) = run(true);
    assert!(is_built && said.contains("cargo::warning=\"ship\" keeps its masks"), "{said}");
    assert_eq!([read("sprites.hitmask"), read("sprites.rs")], before);
    assert!(!run(false).0);
    assert_eq!([read("sprites.hitmask"), read("sprites.rs")], before);
}
