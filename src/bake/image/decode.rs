//! Decodes image files to masks: PNG, APNG, GIF, WebP and Aseprite.
//!
//! Called by `frame_source` and `pages`. Invariant: sizes are checked before memory is allocated.
//! Frames of an animation are composited as a viewer shows them.

use super::image_file::ImageFile;
use super::{aseprite, gif_image, glob_walk, png_image, webp_image};
use crate::bake::solidify::DecodedImage;
use crate::bake::{BakeError, Settings};
use std::io::Read;
use std::path::Path;

/// Decodes the images of the file at `path`, in order.
pub(super) fn stills(path: &Path, settings: &Settings) -> Result<Vec<DecodedImage>, BakeError> {
    let bytes = glob_walk::read(path)?;
    let file = ImageFile { path, settings };
    match kind(&bytes) {
        Some(Kind::Png) => png_image::decode(&file, &bytes),
        Some(Kind::Gif) => gif_image::decode(&file, &bytes),
        Some(Kind::WebP) => webp_image::decode(&file, &bytes),
        Some(Kind::Aseprite) => aseprite::stills(path, &bytes, settings),
        None => Err(BakeError::NotAnImage { path: path.to_owned() }),
    }
}

/// Returns true if a file has an extension of Aseprite, but the first bytes of no image. Other
/// programs use these extensions too: .ase is a palette of Adobe and a scene of 3ds Max.
pub(in crate::bake) fn is_foreign(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !["ase", "aseprite"].iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return false;
    }
    let mut start = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(12).read_to_end(&mut start));
    // A file too short for a magic number is damaged, which is an error.
    read.is_ok() && start.len() > 5 && kind(&start).is_none()
}

/// File formats by their first bytes. Extensions are unreliable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Gif,
    WebP,
    Aseprite,
}

fn kind(bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Kind::Png),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Kind::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
        _ if aseprite::is_aseprite(bytes) => Some(Kind::Aseprite),
        _ => None,
    }
}
