//! Committed atlases keep opening, and the newest equals a current bake byte for byte.

use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Pivot, Pose, PoseSet, Raster, Sampling, Settings};
use hitmask_scenes::{Picture, all};
use std::path::{Path, PathBuf};

/// Returns a bake that uses only features of format version 1.
fn plain() -> AtlasBuilder {
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let thin = Settings { angles: 4, sampling: Sampling::Coverage25, ..Settings::default() };
    let pictures = all();
    let bake =
        pictures.iter().filter(|p| p.width < 70).fold(AtlasBuilder::new().angles(8), |bake, p| {
            bake.mask(format!("turning/{}", p.name), p.mask())
        });
    let frames = pictures.iter().filter(|p| p.width > 70).map(Picture::mask);
    bake.frames_with("still", frames, still).frames_with("thin", [pictures[4].mask()], thin)
}

/// Adds the features of format versions 2 and 3: resolution, planes, and large masks with levels.
fn baked() -> Vec<u8> {
    let find = |name| hitmask_scenes::named(name).mask();
    plain()
        .resolution(2.0)
        .frames_with("large", [Mask::disc(130).unwrap()], Settings::default())
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
    let mut lowered = 0;
    for (old, new) in old.sprites().zip(new.sprites()) {
        assert_eq!((old.name(), old.frame_count()), (new.name(), new.frame_count()));
        assert_eq!((old.angles(), old.scales()), (new.angles(), new.scales()));
        assert_eq!(old.planes().collect::<Vec<_>>(), ["body"]);
        for frame in 0..old.frame_count() {
            // Old bakes lowered y by half a texel if one side was odd and the other even.
            if old.pivot(frame) != new.pivot(frame) {
                lowered += 1;
                check_lowered(old, frame);
                continue;
            }
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
    assert!(lowered > 0);
}

/// Asserts that the poses of a frame equal its source, drawn about the stored pivot.
fn check_lowered(old: hitmask::Sprite<'_>, frame: u32) {
    let [x, y] = old.pivot(frame).unwrap();
    let size = old.frame_size(frame).unwrap();
    assert_eq!([x, y], [size[0] as i32, size[1] as i32 - 1]);
    let raster =
        Raster::new(&source(old.name(), frame), Pivot::HalfTexels(x, y), old.sampling()).unwrap();
    let poses = PoseSet::new(old.angles(), old.scales()).unwrap();
    for step in 0..old.angles() {
        for scale in 0..old.scales().len() as u32 {
            let pose = Pose { step, scale };
            let drawn = raster.pose(&poses, pose).unwrap();
            let stored = old.posed(frame, pose, Flip::NONE).unwrap();
            assert_eq!(stored, drawn.as_ref(), "{} frame {frame} {pose:?}", old.name());
        }
    }
}

/// Returns the mask that [`plain`] bakes as a frame of a sprite.
fn source(sprite: &str, frame: u32) -> Mask {
    match sprite.strip_prefix("turning/") {
        Some(name) => hitmask_scenes::named(name).mask(),
        None if sprite == "thin" => all()[4].mask(),
        None => {
            let mut wide = all().into_iter().filter(|p| p.width > 70);
            wide.nth(frame as usize).unwrap().mask()
        }
    }
}

#[test]
fn an_atlas_of_version_2_opens_with_the_same_masks() {
    let old = Atlas::open(golden("v2.hitmask")).unwrap();
    old.verify().unwrap();
    assert_eq!(old.as_bytes()[8], 2);
    let new = Atlas::from_vec(baked()).unwrap();
    for old in old.sprites() {
        let new = new.sprite(new.sprite_id(old.name()).unwrap()).unwrap();
        let poses = (0..old.angles())
            .flat_map(|step| (0..old.scales().len() as u32).map(move |scale| Pose { step, scale }));
        for (frame, pose) in poses.flat_map(|pose| (0..old.frame_count()).map(move |f| (f, pose))) {
            let [old, new] = [old, new].map(|sprite| sprite.posed(frame, pose, Flip::X));
            assert_eq!(old, new);
        }
    }
}

#[test]
fn the_committed_atlas_equals_a_current_bake() {
    let path = golden("v3.hitmask");
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
