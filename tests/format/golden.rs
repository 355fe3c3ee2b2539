//! The committed atlas opens, and equals a current bake byte for byte.

use hitmask::{Atlas, AtlasBuilder, Mask, Sampling, Settings};
use hitmask_scenes::{Picture, all, named};
use std::path::Path;

/// Returns the bytes of an atlas with every feature of the format.
fn baked() -> Vec<u8> {
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let thin = Settings { angles: 4, sampling: Sampling::Coverage25, ..Settings::default() };
    let pictures = all();
    let bake =
        pictures.iter().filter(|p| p.width < 70).fold(AtlasBuilder::new().angles(8), |bake, p| {
            bake.mask(format!("turning/{}", p.name), p.mask())
        });
    let frames = pictures.iter().filter(|p| p.width > 70).map(Picture::mask);
    let target = [[named("ring").mask(), named("hull").mask()]];
    bake.frames_with("still", frames, still)
        .frames_with("thin", [pictures[4].mask()], thin)
        .resolution(2.0)
        .frames_with("large", [Mask::disc(130).unwrap()], Settings::default())
        .planes("target", ["rim", "bull"], target)
        .unwrap()
        .to_bytes()
        .unwrap()
}

#[test]
fn the_committed_atlas_equals_a_current_bake() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v2.hitmask");
    let bytes = baked();
    // A new format version needs a new file: HITMASK_BLESS=1 cargo test --test format golden.
    if std::env::var_os("HITMASK_BLESS").is_some() {
        std::fs::write(&path, &bytes).unwrap();
    }
    let golden = Atlas::open(&path).unwrap();
    golden.verify().unwrap();
    assert!(golden.as_bytes() == bytes, "a bake gives other bytes than {}", path.display());
}
