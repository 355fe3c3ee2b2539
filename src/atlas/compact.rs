//! The compact atlas: source masks and settings, from which all poses can be drawn.
//!
//! Invariant: an expanded atlas equals, byte for byte, the atlas that a bake of the same masks and
//! settings gives. The reason is that the same [`Drawer`] draws both.

use super::aligned_bytes::Bytes;
use super::builder::Drawer;
use super::compression;
use super::drawing_cost;
use super::drawn_poses::PoseData;
use super::error::{AtlasError, Section};
use super::format::{Header, checked};
use super::id::AtlasId;
use super::options::AtlasOptions;
use super::pool_writer::WriteError;
use super::pose_job::{DrawError, Entry};
use super::source_sprite::{Image, SourceSprite};
use super::validate::{self, Records};
use super::write::{AtlasWriter, FrameEntry, SpriteEntry};
use crate::pose::Resolution;
use std::iter;

/// Sprites drawn between two checks of the size limit.
const SPRITES_PER_SIZE_CHECK: usize = 256;

pub(crate) struct CompactWriter(AtlasWriter<'static>);

impl CompactWriter {
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self(AtlasWriter::compact(resolution))
    }

    /// Appends a sprite. Names must ascend over all calls.
    pub(crate) fn add(&mut self, sprite: &SourceSprite) -> Result<(), WriteError> {
        let mut entry = |image: &Image| {
            let mask = image.tight.as_ref();
            let source = PoseData::new(mask, image.corner, mask.count() as u32);
            let mut run = self.0.begin_run();
            self.0.add_poses(&mut run, iter::once(source))?;
            let first_pose = self.0.end_run(run)?;
            Ok(FrameEntry { first_pose, pivot: image.pivot, size: image.size })
        };
        let frames =
            sprite.images.iter().map(&mut entry).collect::<Result<Vec<_>, WriteError>>()?;
        self.0.add_sprite(&SpriteEntry::of(sprite), &frames)
    }

    /// Returns the bytes of the atlas. `full` is the size and the id of the drawn atlas.
    pub(crate) fn finish(self, full: (u64, AtlasId)) -> Result<Vec<u8>, WriteError> {
        self.0.into_bytes(full).map(|bytes| compression::pack(&bytes))
    }
}

/// Draws the full atlas of checked records. Fails first if it may exceed a limit of `options`.
pub(super) fn expand(
    bytes: &[u8],
    head: &Header,
    options: &AtlasOptions,
) -> Result<Bytes, AtlasError> {
    validate::pool(bytes, head)?;
    let records = Records::new(bytes, head);
    drawing_cost::check(std::iter::once(records), options)?;
    let wrong = |section, index: usize, field| {
        let index = index as u32;
        AtlasError::Corrupt { section, index, field, offset: 0 }
    };
    let size_is_wrong = || wrong(Section::Header, 0, "full_bytes");
    let mut drawer = Drawer::limited(records.resolution(), head.full_bytes);
    let sprites: Vec<usize> = (0..records.sprites().len()).collect();
    for batch in sprites.chunks(SPRITES_PER_SIZE_CHECK) {
        let sprite = |&i: &usize| {
            SourceSprite::read(&records, i).ok_or_else(|| wrong(Section::Sprites, i, "frames"))
        };
        let entries = batch.iter().map(|i| sprite(i).map(Entry::New));
        drawer.add(&entries.collect::<Result<Vec<_>, _>>()?).map_err(|error| match error {
            DrawError::Write(_) => size_is_wrong(),
            DrawError::Pose { name, .. } => {
                let at = batch.iter().find(|&&i| records.name(i) == name);
                wrong(Section::Sprites, checked(at.copied()), "scales")
            }
        })?;
    }
    let whole = drawer.finish_in_place().map_err(|_| size_is_wrong())?;
    if whole.as_slice().len() as u64 == head.full_bytes { Ok(whole) } else { Err(size_is_wrong()) }
}
