//! Decodes image files to masks: PNG, APNG, GIF, WebP, BMP, TGA and Aseprite. [`Pages`] keeps decoded
//! files for the length of one bake.
//!
//! Called by `frame_source`. Invariants: sizes are checked before memory is allocated. A file is decoded
//! once per group of settings that affect its masks, as long as the cache is not cleared. Frames of an
//! animation are composited as a viewer shows them.

use super::image_file::{DecodedImage, ImageFile};
use super::{aseprite, bmp_image, gif_image, png_image, tga_image, webp_image};
use crate::error::BakeError;
use crate::limits::BakeLimits;
use crate::read_file;
use crate::settings::{LayerPlane, SourceSettings};
use hitmask::TexelRule;
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

/// Size limit of the cached masks in bytes. Beyond it the cache is cleared. A bake visits sprites
/// in order of their names, so it rarely needs an earlier page again.
const MAX_CACHED_BYTES: usize = 128 << 20;

/// Decoded files that several sources of one bake share.
///
/// Threads that need the same file wait for the thread that decodes it.
pub(crate) struct Pages {
    slots: Mutex<HashMap<Key, Slot>>,
    limits: BakeLimits,
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
        Self { slots: Mutex::default(), limits }
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
