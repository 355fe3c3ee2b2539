//! Target `text`: reads bytes as one of the files that a bake accepts.
//!
//! The kinds are text masks, manifests, sheet descriptions, tilesets and Aseprite files. A file is
//! read, or refused with a typed error. If it bakes, the atlas opens and verifies.

use crate::files::{bake, write};
use hitmask::{Bake, Mask};

/// Kinds of files, selected by the first byte of the input.
pub const KINDS: [&str; 7] = ["mask", "toml", "json", "atlas", "tsx", "aseprite", "tsj"];

/// Size limit of a file in bytes.
const MAX_BYTES: usize = 1 << 14;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    if bytes.len() > MAX_BYTES {
        return;
    }
    match KINDS[usize::from(kind) % KINDS.len()] {
        "mask" => picture(bytes),
        "toml" => manifest(bytes),
        "aseprite" if aseprite_texels(bytes) > 1 << 20 => {}
        ending => {
            let path = write(&format!("sheet.{ending}"), bytes);
            let is_small = ending == "aseprite" || has_small_numbers(bytes);
            // Tilesets are drawn while they are read.
            let is_tileset = ending.starts_with("ts") || contains(bytes, b"tilewidth");
            if is_small || !is_tileset {
                bake(Bake::new().sprites(path), is_small);
            }
        }
    }
}

/// Returns true if `part` occurs in `bytes`.
fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
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

/// Tests that no number has more than three digits. Larger numbers are legitimate but slow.
fn has_small_numbers(bytes: &[u8]) -> bool {
    let long = bytes.windows(4).any(|four| four.iter().all(u8::is_ascii_digit));
    let power = |two: &[u8]| matches!(two, [b'0'..=b'9' | b'.', b'e' | b'E']);
    !long && !bytes.windows(2).any(power)
}

/// Returns the number of texels of all frames of an Aseprite file, from its header.
fn aseprite_texels(bytes: &[u8]) -> u64 {
    let number = |at: usize| match bytes.get(at..at + 2) {
        Some(&[low, high]) => u64::from(u16::from_le_bytes([low, high])),
        _ => 0,
    };
    number(6) * number(8) * number(10)
}
