//! Finds and embeds the source images of sprites, for `hitmask report --art`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hitmask::Sprite;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, ImageFormat, ImageResult, RgbaImage};
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};

/// File extensions of images that can be baked, in their usual spellings.
const ENDINGS: [&str; 7] = ["png", "PNG", "gif", "GIF", "webp", "apng", "WEBP"];

/// Returns the images of the file below `folder` that has the sprite's name, one per animation
/// frame. Returns none if the file is missing or unreadable.
pub(super) fn find(folder: &Path, sprite: Sprite<'_>) -> Vec<RgbaImage> {
    let paths = ENDINGS.iter().filter_map(|ending| path(folder, sprite.name(), ending));
    let Some(path) = { paths }.find(|path| path.is_file()) else { return Vec::new() };
    let bytes = std::fs::read(path).unwrap_or_default();
    images(&bytes).unwrap_or_default()
}

/// Tests whether a file is an image inside the art folder.
pub(super) fn is_art(folder: &Path, file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default();
    let places = folder.canonicalize().and_then(|folder| Ok((folder, file.canonicalize()?)));
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        && places.is_ok_and(|(folder, file)| file.starts_with(folder))
}

/// Decodes an image file into its frames.
fn images(bytes: &[u8]) -> ImageResult<Vec<RgbaImage>> {
    let frames = match image::guess_format(bytes)? {
        ImageFormat::Gif => GifDecoder::new(Cursor::new(bytes))?.into_frames(),
        ImageFormat::Png if PngDecoder::new(Cursor::new(bytes))?.is_apng()? => {
            PngDecoder::new(Cursor::new(bytes))?.apng()?.into_frames()
        }
        ImageFormat::WebP if WebPDecoder::new(Cursor::new(bytes))?.has_animation() => {
            WebPDecoder::new(Cursor::new(bytes))?.into_frames()
        }
        _ => return Ok(vec![image::load_from_memory(bytes)?.into_rgba8()]),
    };
    frames.map(|frame| frame.map(image::Frame::into_buffer)).collect()
}

/// Returns the image as a PNG data URI, or `None` if encoding fails.
pub(super) fn uri(image: &RgbaImage) -> Option<String> {
    let mut png = Vec::new();
    image.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).ok()?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(png)))
}

/// Returns the path that the image of a sprite would have, or `None` if it is outside of `folder`.
/// Sprite names come from the atlas file and are not trusted.
fn path(folder: &Path, name: &str, ending: &str) -> Option<PathBuf> {
    let file = PathBuf::from(format!("{name}.{ending}"));
    let inside = file.components().all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| folder.join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out_of_the_folder_have_no_path() {
        let folder = Path::new("art");
        assert_eq!(path(folder, "a/b", "png"), Some(PathBuf::from("art/a/b.png")));
        for name in ["../a", "a/../../b", "/etc/passwd"] {
            assert_eq!(path(folder, name, "png"), None, "{name}");
        }
    }
}
