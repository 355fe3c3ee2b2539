//! [`UndrawnAtlas`]: an atlas whose compact form has not been drawn.
//!
//! Made by `open`, and the only way to an `Atlas`. Invariant: the records are checked.

use super::aligned_bytes::Bytes;
use super::error::AtlasError;
use super::format::{Header, KIND_COMPACT};
use super::id::AtlasId;
use super::options::AtlasOptions;
use super::validate::{self, Records};
use super::{Atlas, Sprite, compact, compression, verify};
use std::fmt;

/// An atlas whose records are checked, and whose poses have not been drawn if it is
/// [compact](crate::Bake::compact). It describes any file within milliseconds per megabyte.
/// [`AtlasOptions::open_undrawn`] opens one.
///
/// The sprites of a compact atlas have all their settings here, but no poses:
/// [`Sprite::posed`] and [`Sprite::pose_id`] return `None`, and [`Sprite::source`] returns the
/// source masks.
///
/// ```
/// use hitmask::{AtlasOptions, Bake, Flip, Mask, Pose};
/// let path = std::env::temp_dir().join(format!("hitmask-doc-undrawn-{}", std::process::id()));
/// let tile = Bake::new().mask("tile", Mask::solid(6, 4)?).compact(true);
/// std::fs::write(&path, tile.to_bytes()?)?;
/// let undrawn = AtlasOptions::new().open_undrawn(&path)?;
/// let sprite = undrawn.sprites().next().unwrap();
/// assert!(undrawn.is_compact() && sprite.posed(0, Pose::default(), Flip::NONE).is_none());
/// assert_eq!(sprite.source(0).unwrap().0.count(), 24);
/// let atlas = undrawn.draw()?;
/// assert_eq!(atlas.pose_count(), 64);
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct UndrawnAtlas {
    bytes: Bytes,
    header: Header,
    options: AtlasOptions,
    id: AtlasId,
}

impl UndrawnAtlas {
    pub(super) fn checked(bytes: Bytes, options: AtlasOptions) -> Result<Self, AtlasError> {
        let bytes = compression::unpack(bytes, options.max_bytes)?;
        let header = validate::records(bytes.as_slice())?;
        let id = AtlasId::of(&Records::new(bytes.as_slice(), &header));
        Ok(Self { bytes, header, options, id })
    }

    /// Returns the id of the atlas, as [`Atlas::id`].
    #[must_use]
    pub const fn id(&self) -> AtlasId {
        self.id
    }

    /// Returns true if the atlas stores source masks, from which poses are drawn.
    #[must_use]
    pub const fn is_compact(&self) -> bool {
        self.header.kind == KIND_COMPACT
    }

    /// Returns the bytes of the drawn atlas, as the header states them.
    #[must_use]
    pub const fn drawn_bytes(&self) -> u64 {
        self.header.full_bytes
    }

    /// Returns the number of frames of all sprites together.
    #[must_use]
    pub fn frame_count(&self) -> u32 {
        self.records().sprites().iter().map(|sprite| sprite.frames).sum()
    }

    /// Returns the number of stored poses, as [`Atlas::pose_count`]. Returns `None` if the atlas is
    /// compact, because shared poses are known only once they are drawn.
    #[must_use]
    pub fn pose_count(&self) -> Option<u32> {
        (!self.is_compact()).then_some(self.header.poses)
    }

    /// Returns the number of mask pixels along one side of a pixel.
    #[must_use]
    pub fn resolution(&self) -> f32 {
        self.records().resolution().value()
    }

    /// Returns all sprites, in order of their names.
    pub fn sprites(&self) -> impl ExactSizeIterator<Item = Sprite<'_>> {
        Sprite::all(self.records(), self.id, !self.is_compact())
    }

    /// Reads and checks every stored byte, as [`Atlas::verify`].
    ///
    /// # Errors
    /// [`AtlasError`] for the first fault found.
    pub fn verify(&self) -> Result<(), AtlasError> {
        verify::verify(self.bytes.as_slice(), &self.header, &self.records())
    }

    /// Draws the poses of a compact atlas, on all cores. Another atlas is ready at once.
    ///
    /// # Errors
    /// [`AtlasError::OverLimit`] if the poses exceed a limit of the options. [`AtlasError::Corrupt`]
    /// if they do not have the size that the header states.
    pub fn draw(self) -> Result<Atlas, AtlasError> {
        if !self.is_compact() {
            return Ok(Atlas::new(self.bytes, self.header));
        }
        let bytes = compact::expand(self.bytes.as_slice(), &self.header, &self.options)?;
        let header = validate::records(bytes.as_slice())?;
        Ok(Atlas::new(bytes, header))
    }

    fn records(&self) -> Records<'_> {
        Records::new(self.bytes.as_slice(), &self.header)
    }
}

impl fmt::Debug for UndrawnAtlas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UndrawnAtlas")
            .field("sprites", &self.header.sprites)
            .field("is_compact", &self.is_compact())
            .finish_non_exhaustive()
    }
}
