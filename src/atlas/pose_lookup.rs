//! Finds the stored pose for a sprite, frame, plane, flip, angle and scale.
//!
//! A [`SpritePoses`] holds the part of the lookup that does not depend on angle and scale.

use super::Atlas;
use super::format::{ColdPose, HotPose};
use super::id::PoseId;
use super::validate::Records;
use crate::geom::{Flip, Rect};
use crate::ids::SpriteId;
use crate::mask::{MaskDescriptor, MaskSize};
use crate::pose::{self, FlipMapping, Pose};
use crate::raster::mirrored;

/// A request for a sprite, without position, angle and scale.
#[derive(Clone, Copy)]
pub(crate) struct PoseRequest {
    pub(crate) sprite: SpriteId,
    pub(crate) frame: u32,
    pub(crate) plane: u32,
    pub(crate) flip: Flip,
}

/// A resolved [`PoseRequest`], valid for all angles and scales.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SpritePoses {
    /// The pose of step 0 at the first scale.
    first_pose: u32,
    angles: u32,
    first_scale: u32,
    scales: u32,
    shown: FlipMapping,
    /// Distance of the pivot from the lattice origin on each axis, in half-pixels.
    pub(crate) pivot2: [i32; 2],
}

/// A stored pose and its box.
pub(crate) struct Located {
    pub(crate) pose: PoseId,
    pub(crate) hot: MaskDescriptor,
    /// The tight box, relative to the lattice origin. Empty if no pixel is set.
    pub(crate) rect: Rect,
}

/// The part of a request that does not exist, with the number that does.
pub(crate) enum MissingPart {
    Sprite {
        sprites: u32,
    },
    Frame {
        frames: u32,
    },
    Plane {
        planes: u32,
    },
    /// The sprite is never mirrored.
    Flip,
}

/// The record slices that a pose lookup reads, resolved once for many lookups.
#[derive(Clone, Copy)]
pub(crate) struct Poses<'a> {
    hot: &'a [HotPose],
    cold: &'a [ColdPose],
    scales: &'a [f32],
}

impl SpritePoses {
    /// A placeholder without poses.
    pub(crate) const NONE: Self = Self {
        first_pose: MaskSize::FLIPPED,
        angles: 1,
        first_scale: 0,
        scales: 1,
        shown: FlipMapping::new(2, Flip::NONE),
        pivot2: [0; 2],
    };

    #[inline(always)]
    pub(crate) const fn angles(&self) -> u32 {
        self.angles
    }

    pub(crate) const fn scales(&self) -> u32 {
        self.scales
    }

    /// Returns the stored pose of a pose; `None` for [`SpritePoses::NONE`].
    #[inline(always)]
    pub(crate) fn pose_id(&self, pose: Pose) -> Option<PoseId> {
        // `PoseId` has 31 bits. An atlas of 2^31 poses does not fit in memory.
        shown_by(self.first_pose, pose, self.shown)
    }
}

impl Located {
    /// Returns a pose from its upright mask and the mask's offset from the lattice origin.
    #[inline(always)]
    pub(crate) fn new(
        pose: PoseId,
        mask: MaskDescriptor,
        [x0, y0]: [i32; 2],
        pivot2: [i32; 2],
    ) -> Self {
        let (width, height) = (mask.size.width(), mask.size.height());
        let y0 = if pose.is_flipped() { mirrored(y0, height, pivot2[1]) } else { y0 };
        let rect = Rect::new(x0, y0, x0 + width as i32, y0 + height as i32);
        Self { pose, hot: pose.shows(mask), rect }
    }
}

impl<'a> Records<'a> {
    #[inline]
    pub(crate) fn poses(&self) -> Poses<'a> {
        Poses { hot: self.hot(), cold: self.cold(), scales: self.scales() }
    }
}

impl Atlas {
    pub(crate) fn sprite_poses(&self, wanted: &PoseRequest) -> Result<SpritePoses, MissingPart> {
        let records = self.records();
        let sprites = records.sprites();
        let Some(sprite) = sprites.get(wanted.sprite.index() as usize) else {
            return Err(MissingPart::Sprite { sprites: sprites.len() as u32 });
        };
        if wanted.frame >= sprite.frames {
            return Err(MissingPart::Frame { frames: sprite.frames });
        }
        let planes = sprite.planes();
        if wanted.plane >= planes {
            return Err(MissingPart::Plane { planes });
        }
        if !sprite.is_mirrored() && wanted.flip != Flip::NONE {
            return Err(MissingPart::Flip);
        }
        let frame = sprite.first_frame + wanted.frame * planes + wanted.plane;
        Ok(SpritePoses {
            first_pose: self.first_pose(frame as usize),
            angles: sprite.angles(),
            first_scale: sprite.first_scale,
            scales: sprite.scales,
            shown: FlipMapping::new(sprite.stored_steps(), wanted.flip),
            pivot2: records.pivot2(&records.frames()[frame as usize]),
        })
    }
}

impl<'a> Poses<'a> {
    /// Returns the mask and the box of a pose; `None` for [`SpritePoses::NONE`].
    #[inline(always)]
    pub(crate) fn at(&self, sprite_poses: &SpritePoses, pose: Pose) -> Option<Located> {
        let pose = sprite_poses.pose_id(pose)?;
        let (hot, cold) = (self.hot.get(pose.index())?, self.cold.get(pose.index())?);
        Some(Located::new(pose, hot.descriptor(), cold.origin, sprite_poses.pivot2))
    }

    /// Returns the index of the sprite's scale nearest to a positive number.
    #[inline(never)]
    pub(crate) fn nearest_scale(&self, sprite_poses: &SpritePoses, scale: f32) -> u32 {
        pose::nearest_scale(self.scales(sprite_poses), scale)
    }

    #[inline(always)]
    pub(crate) fn scales(&self, sprite_poses: &SpritePoses) -> &'a [f32] {
        &self.scales[sprite_poses.first_scale as usize..][..sprite_poses.scales as usize]
    }
}

/// Returns the pose that shows a frame at `pose`; `None` for indices of 2^31 or more.
#[inline(always)]
pub(super) fn shown_by(first_pose: u32, pose: Pose, shown: FlipMapping) -> Option<PoseId> {
    PoseId::new(first_pose + pose.scale * shown.stored + shown.step(pose.step), shown.flip_y())
}
