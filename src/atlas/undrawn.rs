//! The poses of an undrawn atlas: their numbers, and drawing one of them from its source mask.
//!
//! Used by `Atlas`, `Sprite` and the poses that `world` shows. Invariant: a pose that is drawn
//! alone equals, pixel by pixel, the same pose of the atlas drawn in full.

#![deny(clippy::arithmetic_side_effects)]

use super::error::{FileError, Section};
use super::format::{FrameRecord, MAX_POSES, SpriteRecord, checked, sampling_from_byte};
use super::options::DrawingCost;
use super::source_sprite::is_inside;
use super::validate::Records;
use crate::error::CallError;
use crate::geom::Point;
use crate::mask::MAX_SIDE;
use crate::pose::Pose;
use crate::raster::{DrawBuffers, PoseBuffer, PosedRef, Raster};
use std::collections::HashMap;
use std::fmt;

/// The number of the first pose of each frame record, as in a drawn atlas that shares none.
pub(super) struct PoseNumbers {
    firsts: Vec<u32>,
    /// True if a side of a pose may exceed [`MAX_SIDE`].
    pub(super) are_huge: bool,
}

impl PoseNumbers {
    #[cfg(feature = "runtime")]
    pub(super) const fn new(firsts: Vec<u32>, are_huge: bool) -> Self {
        Self { firsts, are_huge }
    }

    /// Numbers the poses of a compact atlas and checks its source masks.
    pub(super) fn of(records: &Records<'_>) -> Result<Self, FileError> {
        let (mut firsts, mut next) = (Vec::with_capacity(records.frames().len()), 0_u64);
        let (resolution, mut are_huge) = (records.resolution().value(), false);
        for (i, sprite) in records.sprites().iter().enumerate() {
            let each = sprite.poses_each();
            let largest = checked(records.scales_of(sprite).last().copied()) * resolution;
            for frame in records.frames_of(sprite) {
                let mask = records.mask(frame.first_pose as usize);
                let diagonal = f64::from(mask.width()).hypot(mask.height().into());
                are_huge |= diagonal * f64::from(largest) + 2.0 > MAX_SIDE.into();
                if !is_inside(records, frame) {
                    let (section, index) = (Section::Sprites, i as u32);
                    return Err(FileError::Corrupt { section, index, field: "frames", offset: 0 });
                }
                // Wraps only in an atlas that is refused below.
                firsts.push(next as u32);
                next = next.saturating_add(each);
            }
        }
        if next > MAX_POSES {
            let cost = DrawingCost::Poses;
            return Err(FileError::OverLimit { cost, needed: next, limit: MAX_POSES });
        }
        Ok(Self { firsts, are_huge })
    }

    /// Returns the number of the first pose of a frame record, which must be in range.
    pub(super) fn first(&self, frame: usize) -> u32 {
        self.firsts[frame]
    }

    /// Returns the index of the frame record of a pose, and the number of the pose in that frame.
    fn frame_of(&self, pose: u32) -> Option<(usize, u32)> {
        let frame = self.firsts.partition_point(|&first| first <= pose).checked_sub(1)?;
        Some((frame, pose.checked_sub(self.firsts[frame])?))
    }
}

impl<'a> Records<'a> {
    /// Prepares the source mask of a frame record of a compact atlas for drawing.
    pub(super) fn raster(&self, sprite: &SpriteRecord, frame: &FrameRecord) -> Raster {
        let at = frame.first_pose as usize;
        let (tight, Point { x, y }) = (self.mask(at).to_mask(), self.origin(at));
        let pivot = match tight.width() {
            0 => frame.pivot,
            _ => from_corner(frame.pivot, [x, y]),
        };
        Raster::of_tight(tight, pivot, checked(sampling_from_byte(sprite.sampling)))
    }

    fn sprite_of(&self, frame: usize) -> Option<&'a SpriteRecord> {
        let sprites = self.sprites();
        let after = sprites.partition_point(|sprite| sprite.first_frame as usize <= frame);
        sprites.get(after.checked_sub(1)?)
    }
}

/// Returns the pivot from the corner of a source mask, in half-texels of up to 26 bits.
pub(super) fn from_corner(pivot: [i32; 2], corner: [i32; 2]) -> [i32; 2] {
    [0, 1].map(|axis| pivot[axis].saturating_sub(corner[axis].saturating_mul(2)))
}

/// Largest size of the prepared source masks that a drawer keeps, in bytes.
const MAX_RASTER_BYTES: usize = 4 << 20;

/// Draws single poses of an undrawn atlas, and keeps the source masks that it drew last.
#[derive(Default)]
pub(crate) struct PoseDrawer {
    /// By frame record.
    rasters: HashMap<u32, Raster>,
    raster_bytes: usize,
    buffers: DrawBuffers,
    drawn: PoseBuffer,
    /// Of each atlas of a combined one.
    #[cfg(feature = "runtime")]
    parts: Vec<PoseDrawer>,
}

impl PoseDrawer {
    #[cfg(feature = "runtime")]
    pub(super) fn of_part(&mut self, at: usize) -> &mut Self {
        if self.parts.len() <= at {
            self.parts.resize_with(at.saturating_add(1), Self::default);
        }
        &mut self.parts[at]
    }

    /// Returns the pose that `draw` appends to an empty buffer.
    pub(super) fn drawn_by(
        &mut self,
        draw: impl FnOnce(&mut Self, &mut PoseBuffer) -> Result<(), CallError>,
    ) -> Result<PosedRef<'_>, CallError> {
        let mut drawn = std::mem::take(&mut self.drawn);
        drawn.clear();
        let done = draw(self, &mut drawn);
        self.drawn = drawn;
        done.map(|()| self.drawn.get(0))
    }

    /// Appends the pose of this number to `drawn`. A number out of range gives a pose without pixels.
    /// Fails if a side exceeds [`MAX_SIDE`], which happens only in a file that no bake wrote.
    pub(super) fn draw_into(
        &mut self,
        records: &Records<'_>,
        numbers: &PoseNumbers,
        pose: u32,
        drawn: &mut PoseBuffer,
    ) -> Result<(), CallError> {
        let found = numbers
            .frame_of(pose)
            .and_then(|(frame, within)| Some((frame, within, records.sprite_of(frame)?)));
        let Some((frame, within, sprite)) = found else {
            drawn.add_empty([0; 2]);
            return Ok(());
        };
        let steps = sprite.stored_steps();
        let scale = within.checked_div(steps).map_or(usize::MAX, |scale| scale as usize);
        let scale = records.scales_of(sprite).get(scale).copied();
        let (Some(step), Some(scale)) = (within.checked_rem(steps), scale) else {
            drawn.add_empty([0; 2]);
            return Ok(());
        };
        if self.raster_bytes > MAX_RASTER_BYTES {
            self.rasters.clear();
            self.raster_bytes = 0;
        }
        let raster = self.rasters.entry(frame as u32).or_insert_with(|| {
            let raster = records.raster(sprite, &records.frames()[frame]);
            self.raster_bytes = self.raster_bytes.saturating_add(raster.bytes());
            raster
        });
        // The first drawing prepares the texels.
        let before = raster.bytes();
        let done =
            raster.draw((step, steps), scale, records.resolution(), &mut self.buffers, drawn);
        self.raster_bytes = self.raster_bytes.saturating_add(raster.bytes().saturating_sub(before));
        done
    }
}

impl PoseDrawer {
    #[cfg(feature = "runtime")]
    pub(crate) fn last(&self) -> PosedRef<'_> {
        self.drawn.get(0)
    }
}

impl fmt::Debug for PoseDrawer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} prepared masks", self.rasters.len())
    }
}

impl Records<'_> {
    pub(super) fn drawn_pose(
        &self,
        sprite: &SpriteRecord,
        frame: &FrameRecord,
        stored: Pose,
    ) -> Result<PoseBuffer, CallError> {
        let (mut drawn, mut buffers) = (PoseBuffer::default(), DrawBuffers::default());
        let steps = sprite.stored_steps();
        let scale = self.scales_of(sprite)[stored.scale as usize];
        let raster = self.raster(sprite, frame);
        raster.draw((stored.step, steps), scale, self.resolution(), &mut buffers, &mut drawn)?;
        Ok(drawn)
    }
}
