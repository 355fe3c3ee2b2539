//! A cache of decoded files for the length of one bake.
//!
//! Used by `frame_source`. Invariant: a file is decoded once per group of settings that affect its
//! masks, as long as the cache is not cleared.

use super::decode;
use super::image_file::DecodedImage;
use crate::LayerPlane;
use crate::{BakeError, BakeLimits, SourceSettings};
use hitmask::TexelRule;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
        let stills: Arc<[DecodedImage]> = decode::stills(path, settings, &self.limits)?.into();
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
