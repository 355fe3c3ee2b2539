//! Target `text`: reads bytes as one of the files that a bake accepts.
//!
//! The kinds are text masks, manifests, sheet descriptions, tilesets, levels and Aseprite files. A file is
//! read, or refused with a typed error. If it bakes, the atlas opens and verifies.

use crate::files::{MAX_BYTES, bake, limited, limited_level, write};
use hitmask::Mask;
use hitmask_bake::{Bake, MapRule, SourceSettings};

/// Kinds of files, selected by the first byte of the input.
pub const KINDS: [&str; 12] = [
    "mask", "toml", "json", "atlas", "tsx", "aseprite", "tsj", "plist", "xml", "tmx", "tmj", "ldtk",
];

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    if bytes.len() > MAX_BYTES {
        return;
    }
    match KINDS[usize::from(kind) % KINDS.len()] {
        "mask" => picture(bytes),
        "toml" => manifest(bytes),
        ending @ ("tmx" | "tmj" | "ldtk") => {
            let path = write(&format!("level.{ending}"), bytes);
            bake(limited_level().sprites_with(path, rules()));
        }
        ending => bake(limited().sprites(write(&format!("sheet.{ending}"), bytes))),
    }
}

/// Rules that seeds match: without rules, nothing becomes of the values of an IntGrid.
fn rules() -> SourceSettings {
    let some = |text: &str| Some(text.to_owned());
    let water = MapRule { class: some("water"), becomes: some("hazard"), ..MapRule::default() };
    let wall = MapRule { class: some("1"), becomes: some("solid"), ..MapRule::default() };
    let shaped = MapRule { property: some("shaped"), shapes: Some(true), ..MapRule::default() };
    let map = vec![MapRule { sensor: Some(true), ..water }, wall, shaped];
    SourceSettings { map, ..SourceSettings::from(still()) }
}

fn still() -> hitmask::Settings {
    hitmask::Settings { angles: 1, ..hitmask::Settings::default() }
}

fn picture(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Mask>() {
        Ok(mask) => assert_eq!(mask.to_string().parse::<Mask>(), Ok(mask)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn manifest(bytes: &[u8]) {
    // `root` may be any folder, and a search of the whole disk takes too long.
    let text = String::from_utf8_lossy(bytes);
    if text.contains("root") && text.contains(['/', '\\', '.']) {
        return;
    }
    // A valid manifest can ask for a bake of hours.
    match Bake::new().manifest(write("hitmask.toml", bytes)) {
        Ok(bake) => _ = (bake.watched(), bake.output()),
        Err(error) => assert!(!error.to_string().is_empty() && !format!("{error:?}").is_empty()),
    }
}
