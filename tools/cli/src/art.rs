//! Finds and embeds the source images of sprites.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hitmask::Sprite;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, ImageFormat, ImageResult, RgbaImage};
use std::ffi::{OsStr, OsString};
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// File extensions of images that can be baked, in their usual spellings.
const ENDINGS: [&str; 11] =
    ["png", "PNG", "gif", "GIF", "webp", "apng", "WEBP", "bmp", "BMP", "tga", "TGA"];

/// Returns the images of the file below `folder` that has the sprite's name, one per animation
/// frame. Returns none if the file is missing or unreadable.
pub(crate) fn find(folder: &Path, sprite: Sprite<'_>) -> Vec<RgbaImage> {
    let paths = ENDINGS.iter().filter_map(|ending| path(folder, sprite.name(), ending));
    let Some(path) = { paths }.find(|path| path.is_file()) else { return Vec::new() };
    let bytes = std::fs::read(&path).unwrap_or_default();
    images(&path, &bytes).unwrap_or_default()
}

/// Tests whether a file is an image inside the art folder.
pub(crate) fn is_art(folder: &Path, file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default();
    let places = folder.canonicalize().and_then(|folder| Ok((folder, file.canonicalize()?)));
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
        && places.is_ok_and(|(folder, file)| file.starts_with(folder))
}

/// Decodes the image file at `path` into its frames.
fn images(path: &Path, bytes: &[u8]) -> ImageResult<Vec<RgbaImage>> {
    // A TGA is known by its extension alone.
    let format = image::guess_format(bytes).or_else(|_| ImageFormat::from_path(path))?;
    let frames = match format {
        ImageFormat::Gif => GifDecoder::new(Cursor::new(bytes))?.into_frames(),
        ImageFormat::Png if PngDecoder::new(Cursor::new(bytes))?.is_apng()? => {
            PngDecoder::new(Cursor::new(bytes))?.apng()?.into_frames()
        }
        ImageFormat::WebP if WebPDecoder::new(Cursor::new(bytes))?.has_animation() => {
            WebPDecoder::new(Cursor::new(bytes))?.into_frames()
        }
        _ => return Ok(vec![image::load_from_memory_with_format(bytes, format)?.into_rgba8()]),
    };
    frames.map(|frame| frame.map(image::Frame::into_buffer)).collect()
}

/// Returns the image as a PNG data URI, or `None` if encoding fails.
pub(crate) fn uri(image: &RgbaImage) -> Option<String> {
    let mut png = Vec::new();
    image.write_to(&mut Cursor::new(&mut png), ImageFormat::Png).ok()?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(png)))
}

/// Returns the path of the image of a sprite, or `None` if there is none in `folder`. Sprite names
/// come from the atlas file and are not trusted.
fn path(folder: &Path, name: &str, ending: &str) -> Option<PathBuf> {
    let file = PathBuf::from(format!("{name}.{ending}"));
    let inside = file.components().all(|part| matches!(part, Component::Normal(_)));
    let parts = file.iter().filter(|_| inside);
    let path = parts.fold(folder.to_owned(), entry);
    inside.then_some(path)
}

/// Returns the path of the entry `name` of a folder. Sprite names are composed (NFC), while systems
/// may store names of files in another form.
fn entry(folder: PathBuf, name: &OsStr) -> PathBuf {
    let path = folder.join(name);
    let name = name.to_string_lossy();
    if name.is_ascii() || path.symlink_metadata().is_ok() {
        return path;
    }
    let is_same = |entry: &OsString| entry.to_string_lossy().nfc().eq(name.nfc());
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let same = entries.map(|entry| entry.file_name()).find(is_same);
    same.map_or(path, |same| folder.join(same))
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
