//! A committed atlas opens for ever, and is what a bake of today gives, byte for byte.

use hitmask::{Atlas, Bake, Sampling, Settings};
use hitmask_sprites::{Picture, all};
use std::path::Path;

fn baked() -> Vec<u8> {
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let thin = Settings { angles: 4, sampling: Sampling::Coverage25, ..Settings::default() };
    let pictures = all();
    let bake = pictures
        .iter()
        .filter(|p| p.width < 70)
        .fold(Bake::new().angles(8), |bake, p| bake.mask(format!("turning/{}", p.name), p.mask()));
    let frames = pictures.iter().filter(|p| p.width > 70).map(Picture::mask);
    bake.frames_with("still", frames, still)
        .frames_with("thin", [pictures[4].mask()], thin)
        .to_bytes()
        .unwrap()
}

#[test]
fn the_committed_atlas_is_what_a_bake_gives_today() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1.hitmask");
    let bytes = baked();
    // A new version of the format needs a new file: HITMASK_BLESS=1 cargo test --test golden.
    if std::env::var_os("HITMASK_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &bytes).unwrap();
    }
    let golden = Atlas::open(&path).unwrap();
    golden.verify().unwrap();
    assert!(golden.as_bytes() == bytes, "a bake gives other bytes than {}", path.display());
}
