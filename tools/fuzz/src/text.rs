//! Target `text`: reads bytes as one of the files that a bake accepts.
//!
//! The kinds are text masks, manifests, sheet descriptions, tilesets and Aseprite files. A file is
//! read, or refused with a typed error. If it bakes, the atlas opens and verifies.

use crate::files::{MAX_BYTES, bake, limited, write};
use hitmask::Mask;
use hitmask_bake::Bake;

/// Kinds of files, selected by the first byte of the input.
pub const KINDS: [&str; 9] =
    ["mask", "toml", "json", "atlas", "tsx", "aseprite", "tsj", "plist", "xml"];

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    if bytes.len() > MAX_BYTES {
        return;
    }
    match KINDS[usize::from(kind) % KINDS.len()] {
        "mask" => picture(bytes),
        "toml" => manifest(bytes),
        ending => bake(limited().sprites(write(&format!("sheet.{ending}"), bytes)), true),
    }
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
    bake(Bake::new().manifest(write("hitmask.toml", bytes)), false);
}
