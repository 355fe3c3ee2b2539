//! Target `image`: reads bytes as an image of each format that a bake accepts.
//!
//! The checksums of PNG chunks are put right, so that changed chunks reach the decoder. An image is
//! refused with a typed error, or it bakes and the atlas verifies.

use crate::files;

/// File endings, selected by the first byte of the input.
pub const ENDINGS: [&str; 6] = ["png", "gif", "webp", "bmp", "tga", "apng"];

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else { return };
    let ending = ENDINGS[usize::from(kind) % ENDINGS.len()];
    let mut bytes = bytes.to_vec();
    if bytes.len() > files::MAX_BYTES {
        return;
    }
    if ending.ends_with("png") {
        mend_png(&mut bytes);
    }
    let path = files::write(&format!("image.{ending}"), &bytes);
    files::bake(files::limited().sprites(path));
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
