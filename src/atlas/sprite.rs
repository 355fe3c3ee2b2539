//! Looks up the sprites of an atlas and their frames, planes and poses.
//!
//! Part of the public API. Invariant: a [`Sprite`] exists only for an id in range, so only frames,
//! poses and planes are checked.

use super::atlas::Atlas;
use super::format::{FrameRecord, SpriteRecord, checked, rule_from_bytes, sampling_from_byte};
use super::id::PoseId;
use super::pose_lookup::shown_by;
use super::undrawn::from_corner;
use super::validate::Records;
use crate::geom::{Flip, Point};
use crate::ids::SpriteId;
use crate::mask::{AlphaRule, MaskRef};
use crate::pose::{self, Angle, FlipMapping, Pose};
use crate::raster::{Posed, PosedRef, Raster, Sampling};
use std::fmt;

/// Name of the single plane of a sprite that was baked without named planes.
pub const DEFAULT_PLANE: &str = "body";

impl Atlas {
    /// Returns the id of the sprite with this name. Costs a binary search over the names.
    #[must_use]
    pub fn sprite_id(&self, name: &str) -> Option<SpriteId> {
        let records = self.records();
        let of = |i: usize| records.name(i);
        let (mut low, mut high) = (0, records.sprites().len());
        while low < high {
            let middle = low.midpoint(high);
            match of(middle).cmp(name) {
                std::cmp::Ordering::Equal => {
                    return Some(SpriteId::of_atlas(self.id(), middle as u32));
                }
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns a sprite. Returns `None` if the id is out of range or belongs to another atlas.
    #[must_use]
    pub fn sprite(&self, id: SpriteId) -> Option<Sprite<'_>> {
        let id = id.within(self.id())?;
        let records = self.records();
        let record = records.sprites().get(id.index() as usize)?;
        Some(Sprite { records, record, id, plane: 0, is_drawn: self.is_drawn() })
    }

    /// Returns all sprites, in order of their names.
    pub fn sprites(&self) -> impl ExactSizeIterator<Item = Sprite<'_>> {
        let (records, atlas, is_drawn) = (self.records(), self.id(), self.is_drawn());
        let of = move |(i, record)| {
            let id = SpriteId::of_atlas(atlas, i as u32);
            Sprite { records, record, id, plane: 0, is_drawn }
        };
        records.sprites().iter().enumerate().map(of)
    }
}

/// One sprite of an atlas: its settings, frames, planes and poses.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Pose};
/// let wedge: Mask = ".#\n##".parse()?;
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("wedge", wedge).to_bytes()?)?;
/// let sprite = atlas.sprites().next().unwrap();
/// assert_eq!((sprite.name(), sprite.frame_count()), ("wedge", 1));
/// let posed = sprite.posed(0, Pose::default(), Flip::NONE).unwrap();
/// assert_eq!(posed.mask.count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Sprite<'a> {
    records: Records<'a>,
    /// The record of the sprite, looked up once for many pose queries.
    record: &'a SpriteRecord,
    id: SpriteId,
    plane: u32,
    /// False in an undrawn atlas, whose pose records are source masks.
    is_drawn: bool,
}

impl<'a> Sprite<'a> {
    fn frame(self, frame: u32) -> Option<&'a FrameRecord> {
        (frame < self.record.frames).then(|| self.records.frame(self.record, frame, self.plane))
    }

    /// Returns the id of the sprite.
    #[must_use]
    pub const fn id(self) -> SpriteId {
        self.id
    }

    /// Returns the name: the path of the image without its extension, unless the bake set a name.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.records.name(self.id.index() as usize)
    }

    /// Returns the number of frames, at least 1.
    #[must_use]
    pub fn frame_count(self) -> u32 {
        self.record.frames
    }

    /// Returns the names of the planes, in order. Each frame has one mask per plane and pose. A
    /// collider shows the first plane by default. A sprite that was baked without planes has one,
    /// named `body`.
    pub fn planes(self) -> impl Iterator<Item = &'a str> {
        let named = self.records.planes_of(self.record);
        named.chain((self.record.named_planes == 0).then_some(DEFAULT_PLANE))
    }

    /// Returns the index of the plane with this name.
    #[must_use]
    pub fn plane(self, name: &str) -> Option<u32> {
        self.planes().position(|plane| plane == name).map(|i| i as u32)
    }

    /// Returns the number of planes, at least 1.
    #[must_use]
    pub fn plane_count(self) -> u32 {
        self.record.planes()
    }

    /// Returns the sprite with another plane selected. [`posed`](Self::posed) and
    /// [`pose_id`](Self::pose_id) then return the masks of that plane. Returns `None` if there is
    /// no such plane.
    #[must_use]
    pub fn in_plane(self, plane: u32) -> Option<Self> {
        (plane < self.plane_count()).then_some(Self { plane, ..self })
    }

    /// Returns the number of angle steps in a full turn: 1 or a multiple of 4.
    #[must_use]
    pub fn angles(self) -> u32 {
        self.record.angles()
    }

    /// Returns the baked scales, ascending. 1 is source size.
    #[must_use]
    pub fn scales(self) -> &'a [f32] {
        self.records.scales_of(self.record)
    }

    /// Returns the alpha rule of the bake.
    #[must_use]
    pub fn alpha_rule(self) -> AlphaRule {
        let sprite = self.record;
        checked(rule_from_bytes(sprite.rule, sprite.rule_value))
    }

    /// Returns the sampling of the bake.
    #[must_use]
    pub fn sampling(self) -> Sampling {
        checked(sampling_from_byte(self.record.sampling))
    }

    /// Returns width and height of a frame's image in texels, before trimming. Returns `None` if
    /// there is no such frame.
    #[must_use]
    pub fn frame_size(self, frame: u32) -> Option<[u32; 2]> {
        self.frame(frame).map(|f| [f.width, f.height])
    }

    /// Returns the pivot of a frame, in half-texels from the top-left corner of its image. Returns
    /// `None` if there is no such frame.
    #[must_use]
    pub fn pivot(self, frame: u32) -> Option<[i32; 2]> {
        self.frame(frame).map(|f| f.pivot)
    }

    pub(crate) fn resolution(self) -> f32 {
        self.records.resolution().value()
    }

    /// Returns the pivot of a frame as [`PosedRef::pivot2`].
    pub(super) fn pivot2(self, frame: u32) -> Option<[i32; 2]> {
        self.frame(frame).map(|frame| self.records.pivot2(frame))
    }

    /// Returns the pose nearest to an angle and a scale, by the rules of
    /// [`PoseSet::nearest`](crate::PoseSet::nearest).
    #[must_use]
    pub fn nearest(self, angle: impl Into<Angle>, scale: f32) -> Option<Pose> {
        pose::nearest(self.angles(), self.scales(), angle.into(), scale)
    }

    /// Returns a frame at a stored pose. The flip is applied before the rotation. Returns `None` if
    /// there is no such frame or pose, or if the atlas is [undrawn](Atlas#undrawn-atlases).
    #[must_use]
    pub fn posed(self, frame: u32, pose: Pose, flip: Flip) -> Option<PosedRef<'a>> {
        let frame = self.frame(frame)?;
        let id = self.shown(frame, pose, flip)?;
        let pivot2 = self.records.pivot2(frame);
        let (mask, origin) = (self.records.mask(id.index()), self.records.origin(id.index()));
        let posed = PosedRef { mask, origin, pivot2 };
        Some(if id.is_flipped() { posed.flip_y() } else { posed })
    }

    /// Returns a copy of a frame at a pose, which is drawn if the atlas is
    /// [undrawn](Atlas#undrawn-atlases). The flip is applied before the rotation. Returns `None` if
    /// there is no such frame or pose. Drawing takes about 2 microseconds for 64 px.
    ///
    /// Returns `None` too if a side of the pose would exceed [`MAX_SIDE`](crate::MAX_SIDE), which a
    /// bake refuses.
    #[must_use]
    pub fn draw(self, frame: u32, pose: Pose, flip: Flip) -> Option<Posed> {
        if self.is_drawn {
            return self.posed(frame, pose, flip).map(|posed| posed.to_posed());
        }
        let (frame, sprite) = (self.frame(frame)?, self.record);
        let shown = self.mapping(pose, flip)?;
        let stored = Pose { step: shown.step(pose.step), ..pose };
        let drawn = self.records.drawn_pose(sprite, frame, stored).ok()?;
        let posed = drawn.get(0);
        Some(if shown.flip_y() { posed.flip_y().to_posed() } else { posed.to_posed() })
    }

    /// Returns the id of the stored pose that shows a frame at a pose, for a
    /// [`Batch`](crate::Batch). The flip is applied before the rotation. Returns `None` if there is
    /// no such frame or pose, or if the atlas is [undrawn](Atlas#undrawn-atlases).
    #[must_use]
    pub fn pose_id(self, frame: u32, pose: Pose, flip: Flip) -> Option<PoseId> {
        self.shown(self.frame(frame)?, pose, flip)
    }

    /// Returns the mask of a frame in the current plane before its poses are drawn, trimmed, and its
    /// top-left corner in the image. Both are in texels. Returns `None` if there is no such frame,
    /// or unless the atlas is [undrawn](Atlas#undrawn-atlases).
    #[must_use]
    pub fn source(self, frame: u32) -> Option<(MaskRef<'a>, Point)> {
        let at = self.frame(frame).filter(|_| !self.is_drawn)?.first_pose as usize;
        Some((self.records.mask(at), self.records.origin(at)))
    }

    /// Returns a frame in the current plane as a [`Raster`]. It draws the frame under a transform
    /// that no baked pose shows, such as an uneven scale: see
    /// [`MasksMut::insert_drawn`](crate::MasksMut::insert_drawn). Copies the mask.
    ///
    /// Returns `None` if there is no such frame, or if the atlas has no mask with one pixel per
    /// texel. An [undrawn](Atlas#undrawn-atlases) atlas has it. Any other has it if it is baked at
    /// the scale 1 / [resolution](Atlas::resolution). The exception is [`Coverage25`](Sampling::Coverage25)
    /// about a pivot in the middle of a texel: there a pixel covers several texels.
    #[must_use]
    pub fn raster(self, frame: u32) -> Option<Raster> {
        let record = self.frame(frame)?;
        if !self.is_drawn {
            return Some(self.records.raster(self.record, record));
        }
        let scale = self.scales().iter().position(|scale| scale * self.resolution() == 1.0)?;
        let upright = Pose { step: 0, scale: scale as u32 };
        let PosedRef { mask, origin, pivot2 } = self.posed(frame, upright, Flip::NONE)?;
        // At this pose, pixel u shows texel u + floor((px2 + 1 - fx) / 2) by the rule of `Raster`.
        let shift = |axis: usize| record.pivot[axis] + 1 - pivot2[axis];
        // Elsewhere the samples of a pixel lie in several texels.
        let is_exact = |axis: usize| record.pivot[axis] & 1 == pivot2[axis];
        if self.sampling() != Sampling::Nearest && !(is_exact(0) && is_exact(1)) {
            return None;
        }
        let corner = origin + Point::new(shift(0) >> 1, shift(1) >> 1);
        let pivot = from_corner(record.pivot, corner.into());
        Some(Raster::of_tight(mask.to_mask(), pivot, self.sampling()))
    }

    fn shown(self, frame: &FrameRecord, pose: Pose, flip: Flip) -> Option<PoseId> {
        let mapping = self.mapping(pose, flip).filter(|_| self.is_drawn)?;
        shown_by(frame.first_pose, pose, mapping)
    }

    /// Returns the stored step of a pose; `None` if there is no such pose.
    fn mapping(self, pose: Pose, flip: Flip) -> Option<FlipMapping> {
        let sprite = self.record;
        let is_stored = pose.step < sprite.angles()
            && pose.scale < sprite.scales
            && (sprite.is_mirrored() || flip == Flip::NONE);
        is_stored.then(|| FlipMapping::new(sprite.stored_steps(), flip))
    }

    /// Returns the bytes of the masks of all planes. Masks shared with other sprites count in full.
    /// In an [undrawn](Atlas#undrawn-atlases) atlas these are the source masks.
    #[must_use]
    pub fn mask_bytes(self) -> u64 {
        let sprite = self.record;
        let records = self.records;
        let per_frame = match self.is_drawn {
            true => sprite.poses_each(),
            false => 1,
        };
        let frames = records.frames_of(sprite);
        let words = |pose: &super::format::HotPose| {
            u64::from(crate::mask::words_of(pose.size.width(), pose.size.height()))
        };
        frames
            .iter()
            .flat_map(|f| &records.hot()[f.first_pose as usize..][..per_frame as usize])
            .map(|pose| 8 * words(pose))
            .sum()
    }
}

impl fmt::Debug for Sprite<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sprite {} {:?}", self.id.index(), self.name())
    }
}
