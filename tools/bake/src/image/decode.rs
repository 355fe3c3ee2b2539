//! Decodes image files to masks: PNG, APNG, GIF, WebP, JPEG, BMP, TGA and Aseprite. [`Pages`] keeps decoded
//! files for the length of one bake.
//!
//! Called by `frame_source`. Invariants: sizes are checked before memory is allocated. A file is decoded
//! once per group of settings that affect its masks, as long as the cache is not cleared. Frames of an
//! animation are composited as a viewer shows them.

use super::image_file::{DecodedImage, ImageFile};
use super::{aseprite, bmp_image, gif_image, jpeg_image, png_image, tga_image, webp_image};
use crate::error::{BakeError, BakeFault};
use crate::limits::BakeLimits;
use crate::settings::{LayerPlane, SourceSettings};
use crate::{names, read_file};
use hitmask::{TexelRule, Warning};
use image::ImageFormat;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Decodes the images of the file at `path`, in order.
pub(super) fn stills(
    path: &Path,
    settings: &SourceSettings,
    limits: &BakeLimits,
) -> Result<Vec<DecodedImage>, BakeError> {
    let bytes = read_file::read(path)?;
    let file = ImageFile { path, settings, limits };
    match decoder(path, &bytes) {
        Some(decode) => decode(&file, &bytes),
        None => {
            // Text can begin like a BMP.
            let known = image::guess_format(&bytes).ok().filter(|&it| it != ImageFormat::Bmp);
            let found = known.map(|it| format!(", but by its first bytes {}", it.to_mime_type()));
            Err(BakeError::not_an_image(path, &found.unwrap_or_default()))
        }
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
    let read = file.and_then(|file| file.take(64).read_to_end(&mut start));
    // A file too short for a magic number is damaged, which is an error.
    let is_known = || read_file::is_pointer(&start) || decoder(path, &start).is_some();
    read.is_ok() && start.len() > 5 && !is_known()
}

/// Decodes the images of a file.
type Decode = fn(&ImageFile<'_>, &[u8]) -> Result<Vec<DecodedImage>, BakeError>;

/// Returns the decoder of a file by its first bytes. Extensions are unreliable, but a TGA has no other
/// mark.
fn decoder(path: &Path, bytes: &[u8]) -> Option<Decode> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(png_image::decode),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(gif_image::decode),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            Some(webp_image::decode)
        }
        [0xFF, 0xD8, 0xFF, ..] => Some(jpeg_image::decode),
        _ if bmp_image::is_bmp(bytes) => Some(bmp_image::decode),
        _ if aseprite::is_aseprite(bytes) => Some(aseprite::stills),
        _ if has_extension(path, "tga") && tga_image::is_tga(bytes) => Some(tga_image::decode),
        _ => None,
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    let own = path.extension().and_then(|own| own.to_str());
    own.is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// The images of a file, as it states them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Images {
    /// Number of frames; 0 for a still image, and for a file that is no intact image.
    pub(crate) frames: u64,
    /// Number of texels of all frames together.
    pub(crate) texels: u64,
}

impl Images {
    /// Returns the images of a file at `path` with these bytes. Decodes nothing: a limit of 0 refuses the
    /// file with the number that it states.
    pub(crate) fn stated(path: &Path, bytes: &[u8]) -> Self {
        let settings = &SourceSettings::default();
        let stated = |max_frames| {
            let limits = &BakeLimits { max_texels: 0, max_frames, ..BakeLimits::UNLIMITED };
            let decode = decoder(path, bytes)?;
            match decode(&ImageFile { path, settings, limits }, bytes).err()?.fault {
                BakeFault::OverLimit { quantity, needed, .. } => Some((quantity, needed)),
                _ => None,
            }
        };
        match stated(0) {
            Some(("frames", frames)) => {
                Self { frames, texels: stated(u64::MAX).map_or(0, |(_, texels)| texels) }
            }
            stated => Self { frames: 0, texels: stated.map_or(0, |(_, texels)| texels) },
        }
    }
}

/// Size limit of the cached masks in bytes. Beyond it the cache is cleared. A bake visits sprites
/// in order of their names, so it rarely needs an earlier page again.
const MAX_CACHED_BYTES: usize = 128 << 20;

/// Decoded files that several sources of one bake share.
///
/// Threads that need the same file wait for the thread that decodes it.
pub(crate) struct Pages {
    slots: Mutex<HashMap<Key, Slot>>,
    limits: BakeLimits,
    /// Findings about sprites that were made of the files.
    warnings: Mutex<Vec<Warning>>,
}

type Slot = Arc<Mutex<Option<Arc<[DecodedImage]>>>>;

/// A file and the settings that affect its masks.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    path: PathBuf,
    rule: TexelRule,
    thresholds: Vec<u8>,
    planes: Vec<LayerPlane>,
    slices: Vec<String>,
}

impl Pages {
    pub(crate) fn new(limits: BakeLimits) -> Self {
        Self { slots: Mutex::default(), limits, warnings: Mutex::default() }
    }

    /// Adds a warning about a sprite.
    pub(super) fn warn(&self, warning: Warning) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
    }

    /// Takes the warnings about a sprite.
    pub(crate) fn warnings(&self, sprite: &str) -> Vec<Warning> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.extract_if(.., |it| names::composed(it.sprite()) == sprite).collect()
    }

    /// Returns the limits on what files take to decode.
    pub(super) const fn limits(&self) -> &BakeLimits {
        &self.limits
    }

    /// Returns the images of the file at `path`.
    pub(super) fn get(
        &self,
        path: &Path,
        settings: &SourceSettings,
    ) -> Result<Arc<[DecodedImage]>, BakeError> {
        let key = Key {
            path: path.to_owned(),
            rule: settings.sprite.texel_rule(),
            thresholds: settings.sprite.ascending_thresholds(),
            planes: settings.planes.clone(),
            slices: settings.slices.clone(),
        };
        let slot = {
            // A panic in another thread leaves the table valid, because each change is one
            // insertion or a clear.
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let slot_bytes =
                |slot: &Slot| slot.try_lock().map_or(0, |still| bytes(still.as_deref()));
            if slots.values().map(slot_bytes).sum::<usize>() > MAX_CACHED_BYTES {
                slots.clear();
            }
            slots.entry(key).or_default().clone()
        };
        let mut decoded = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stills) = &*decoded {
            return Ok(stills.clone());
        }
        let stills: Arc<[DecodedImage]> = stills(path, settings, &self.limits)?.into();
        *decoded = Some(stills.clone());
        Ok(stills)
    }
}

/// Estimates the bytes of the masks of some images.
fn bytes(stills: Option<&[DecodedImage]>) -> usize {
    let texels = |still: &DecodedImage| {
        let [width, height] = still.size().map(|side| side as usize);
        let planes = still.planes.len().saturating_add(1);
        planes.saturating_mul(width).saturating_mul(height)
    };
    stills.unwrap_or_default().iter().map(texels).sum::<usize>() / 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::codecs::gif::GifEncoder;
    use image::{DynamicImage, Frame};
    use std::io::Cursor;

    #[test]
    fn a_file_states_its_images_in_every_format() {
        let stated = |name: &str, bytes: &[u8]| Images::stated(Path::new(name), bytes);
        for (name, format) in [
            ("a.png", ImageFormat::Png),
            ("a.webp", ImageFormat::WebP),
            ("a.bmp", ImageFormat::Bmp),
            ("a.tga", ImageFormat::Tga),
        ] {
            let mut bytes = Cursor::new(Vec::new());
            DynamicImage::new_rgba8(7, 5).write_to(&mut bytes, format).unwrap();
            let bytes = bytes.into_inner();
            assert_eq!(stated(name, &bytes), Images { frames: 0, texels: 35 }, "{name}");
            assert_eq!(stated(name, &bytes[..9]), Images::default(), "{name}");
        }
        let mut gif = Vec::new();
        let frame = || Frame::new(DynamicImage::new_rgba8(4, 6).into_rgba8());
        GifEncoder::new(&mut gif).encode_frames([frame(), frame(), frame()]).unwrap();
        assert_eq!(stated("a.gif", &gif), Images { frames: 3, texels: 72 });
        // A layer, and two frames of 3 x 2 px without a cel.
        let frame = |chunks: &[u8], count: u8| {
            let mut frame = vec![16 + chunks.len() as u8, 0, 0, 0, 0xFA, 0xF1, count, 0];
            frame.extend([100, 0, 0, 0, count, 0, 0, 0]);
            [&frame, chunks].concat()
        };
        let mut layer = vec![25, 0, 0, 0, 0x04, 0x20, 1, 0];
        layer.extend([0; 14]);
        layer.extend([1, 0, b'a']);
        let frames = [frame(&layer, 1), frame(&[], 0)].concat();
        let mut head =
            vec![128 + frames.len() as u8, 0, 0, 0, 0xE0, 0xA5, 2, 0, 3, 0, 2, 0, 32, 0, 1];
        head.resize(128, 0);
        assert_eq!(stated("a.ase", &[head, frames].concat()), Images { frames: 2, texels: 12 });
        assert_eq!(stated("a.txt", b"no image, but some text"), Images::default());
    }
}
