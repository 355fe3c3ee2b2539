//! Target `image`: reads bytes as an image of each format that a bake accepts.
//!
//! The checksums of PNG chunks are put right, so that changed chunks reach the decoder. An image is
//! refused with a typed error, or it bakes and the atlas verifies.

use crate::files;
use hitmask::Bake;

/// File endings, selected by the first byte of the input.
pub const ENDINGS: [&str; 6] = ["png", "gif", "webp", "bmp", "tga", "apng"];

/// Size limit of a file in bytes.
const MAX_BYTES: usize = 1 << 14;

/// Texels beyond which an image is legitimate but slow.
const MAX_TEXELS: u64 = 1 << 16;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    let ending = ENDINGS[usize::from(kind) % ENDINGS.len()];
    let mut bytes = bytes.to_vec();
    if bytes.len() > MAX_BYTES || texels(ending, &bytes) > MAX_TEXELS {
        return;
    }
    if ending.ends_with("png") {
        mend_png(&mut bytes);
    }
    files::bake(Bake::new().sprites(files::write(&format!("image.{ending}"), &bytes)), true);
}

/// Puts the checksums of all chunks right, up to the first one that is cut.
fn mend_png(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(&[a, b, c, d]) = bytes.get(at..at + 4) {
        let end = at + 8 + u32::from_be_bytes([a, b, c, d]) as usize;
        let Some(checked) = bytes.get(at + 4..end) else { return };
        let crc = crc32fast::hash(checked).to_be_bytes();
        let Some(place) = bytes.get_mut(end..end + 4) else { return };
        place.copy_from_slice(&crc);
        at = end + 4;
    }
}

/// Returns the texels of an image, from its header. Those of a WebP are not limited: its frames have
/// headers of their own.
fn texels(ending: &str, bytes: &[u8]) -> u64 {
    let number = |at: usize, len: usize, is_big: bool| {
        let digits = bytes.get(at..at + len).unwrap_or_default().iter();
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if is_big { digits.fold(0, add) } else { digits.rev().fold(0, add) }
    };
    let side = |at, len, is_big| number(at, len, is_big);
    match ending {
        "png" | "apng" => side(16, 4, true).saturating_mul(side(20, 4, true)),
        "gif" => side(6, 2, false) * side(8, 2, false),
        "bmp" => {
            let sides =
                [18, 22].map(|at| u64::from((side(at, 4, false) as u32 as i32).unsigned_abs()));
            sides[0] * sides[1]
        }
        "tga" => side(12, 2, false) * side(14, 2, false),
        _ => 0,
    }
}
