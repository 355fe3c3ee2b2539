//! Committed atlases keep opening, and the newest equals a current bake byte for byte.

use hitmask::{Atlas, Bake, Flip, Pose, Sampling, Settings};
use hitmask_scenes::{Picture, all};
use std::path::{Path, PathBuf};

/// Returns a bake that uses only features of format version 1.
fn plain() -> Bake {
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let thin = Settings { angles: 4, sampling: Sampling::Coverage25, ..Settings::default() };
    let pictures = all();
    let bake = pictures
        .iter()
        .filter(|p| p.width < 70)
        .fold(Bake::new().angles(8), |bake, p| bake.mask(format!("turning/{}", p.name), p.mask()));
    let frames = pictures.iter().filter(|p| p.width > 70).map(Picture::mask);
    bake.frames_with("still", frames, still).frames_with("thin", [pictures[4].mask()], thin)
}

/// Adds the features of format version 2.
fn baked() -> Vec<u8> {
    let find = |name| hitmask_scenes::named(name).mask();
    plain()
        .resolution(2.0)
        .planes("target", ["rim", "bull"], [[find("ring"), find("hull")]])
        .unwrap()
        .to_bytes()
        .unwrap()
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn an_atlas_of_version_1_opens_with_the_same_masks() {
    let old = Atlas::open(golden("v1.hitmask")).unwrap();
    old.verify().unwrap();
    let new = Atlas::from_vec(plain().to_bytes().unwrap()).unwrap();
    assert_eq!(old.as_bytes()[8], 1);
    assert_eq!((old.resolution(), old.frame_count()), (1.0, new.frame_count()));
    assert_eq!(old.sprites().len(), new.sprites().len());
    for (old, new) in old.sprites().zip(new.sprites()) {
        assert_eq!((old.name(), old.frame_count()), (new.name(), new.frame_count()));
        assert_eq!((old.angles(), old.scales()), (new.angles(), new.scales()));
        assert_eq!(old.planes().collect::<Vec<_>>(), ["body"]);
        for frame in 0..old.frame_count() {
            for step in 0..old.angles() {
                for scale in 0..old.scales().len() as u32 {
                    let posed = |sprite: hitmask::Sprite<'_>, x, y| {
                        let posed =
                            sprite.posed(frame, Pose { step, scale }, Flip { x, y }).unwrap();
                        (posed.mask.to_mask(), posed.origin)
                    };
                    for (x, y) in [(false, false), (true, false), (false, true)] {
                        assert_eq!(posed(old, x, y), posed(new, x, y), "{}", old.name());
                    }
                }
            }
        }
    }
}

#[test]
fn the_committed_atlas_equals_a_current_bake() {
    let path = golden("v2.hitmask");
    let bytes = baked();
    // A new format version needs a new file: HITMASK_BLESS=1 cargo test --test format golden.
    if std::env::var_os("HITMASK_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &bytes).unwrap();
    }
    let golden = Atlas::open(&path).unwrap();
    golden.verify().unwrap();
    assert!(golden.as_bytes() == bytes, "a bake gives other bytes than {}", path.display());
}
