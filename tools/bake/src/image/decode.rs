//! Decodes image files to masks: PNG, APNG, GIF, WebP, BMP, TGA and Aseprite.
//!
//! Called by `frame_source` and `pages`. Invariant: sizes are checked before memory is allocated.
//! Frames of an animation are composited as a viewer shows them.

use super::image_file::{DecodedImage, ImageFile};
use super::{aseprite, bmp_image, gif_image, glob_walk, png_image, tga_image, webp_image};
use crate::{BakeError, BakeLimits, SourceSettings};
use std::io::Read;
use std::path::Path;

/// Decodes the images of the file at `path`, in order.
pub(super) fn stills(
    path: &Path,
    settings: &SourceSettings,
    limits: &BakeLimits,
) -> Result<Vec<DecodedImage>, BakeError> {
    let bytes = glob_walk::read(path)?;
    let file = ImageFile { path, settings, limits };
    match kind(path, &bytes) {
        Some(Kind::Png) => png_image::decode(&file, &bytes),
        Some(Kind::Gif) => gif_image::decode(&file, &bytes),
        Some(Kind::WebP) => webp_image::decode(&file, &bytes),
        Some(Kind::Bmp) => bmp_image::decode(&file, &bytes),
        Some(Kind::Tga) => tga_image::decode(&file, &bytes),
        Some(Kind::Aseprite) => aseprite::stills(&file, &bytes),
        None => Err(BakeError::not_an_image(path)),
    }
}

/// Returns true if a file has the extension .ase, but the first bytes of no image. Other programs
/// use the extension too, for a palette (Adobe) or a scene (3ds Max).
pub(crate) fn is_foreign(path: &Path) -> bool {
    if !has_extension(path, "ase") {
        return false;
    }
    let mut start = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(18).read_to_end(&mut start));
    // A file too short for a magic number is damaged, which is an error.
    read.is_ok() && start.len() > 5 && kind(path, &start).is_none()
}

/// File formats by their first bytes. Extensions are unreliable, but a TGA has no other mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Gif,
    WebP,
    Bmp,
    Tga,
    Aseprite,
}

fn kind(path: &Path, bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Kind::Png),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Kind::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
        _ if bmp_image::is_bmp(bytes) => Some(Kind::Bmp),
        _ if aseprite::is_aseprite(bytes) => Some(Kind::Aseprite),
        _ if has_extension(path, "tga") && tga_image::is_tga(bytes) => Some(Kind::Tga),
        _ => None,
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    let own = path.extension().and_then(|own| own.to_str());
    own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
}
