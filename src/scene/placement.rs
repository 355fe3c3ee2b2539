//! Placement: the position of a collider snapped to the lattice, its posed mask, and a table of all
//! poses of the appearances in use.
//!
//! Invariant: a table entry is what [`PlacedMask::find`] returns for that pose at the origin.

use crate::atlas::{Atlas, Located, Records, SpritePoses};
use crate::broad::{I32x4, Item, transpose};
use crate::geom::{self, Flip, Point, Rect};
use crate::mask::{MaskDescriptor, MaskRef, MaskSize};
use crate::memory::vec_growth;
use crate::pose::{self, Angle, Pose, ScalePolicy, Unit};
use crate::scene::runtime_masks::MaskStore;
use crate::scene::shown_poses::ShownPoses;
use crate::scene::{Collider, ColliderShape, MaskId, PlaceError};
use std::collections::HashMap;

/// A posed mask and its position. 16 bytes, because every update moves all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlacedMask {
    /// Top-left corner of the tight box, in mask pixels.
    x0: i32,
    y0: i32,
    /// The mask for kernels. A run-time mask has no words, only the size of its tight box.
    descriptor: MaskDescriptor,
}

impl PlacedMask {
    /// Returns the placed mask of a run-time mask, by its tight box.
    pub(crate) fn from_rect(rect: Rect) -> Self {
        // No side exceeds that of a mask.
        let size = MaskSize::new(rect.width(), rect.height());
        Self { x0: rect.x0, y0: rect.y0, descriptor: MaskDescriptor { words: 0, size } }
    }

    /// Returns a mask without pixels that carries a number.
    pub(crate) fn with_number(number: u32) -> Self {
        Self { x0: number as i32, ..Self::default() }
    }

    /// Returns the number of [`with_number`](Self::with_number), or any other number.
    #[inline(always)]
    pub(crate) const fn number(&self) -> u32 {
        self.x0 as u32
    }

    /// Stands for a pose that is not drawn yet. Only the table of poses holds it.
    pub(crate) const UNDRAWN: Self =
        Self { x0: 0, y0: 0, descriptor: MaskDescriptor { words: 1, size: MaskSize(0) } };

    /// Returns true for [`UNDRAWN`](Self::UNDRAWN), moved or not. No mask starts at word 1.
    #[inline(always)]
    pub(crate) const fn is_undrawn(&self) -> bool {
        self.descriptor.words == 1
    }

    /// Returns the first word of the mask, if it is a drawn pose of a sprite with a pixel.
    #[inline(always)]
    pub(crate) const fn words(&self) -> Option<u32> {
        if self.descriptor.words > 1 { Some(self.descriptor.words) } else { None }
    }

    /// Replaces the first word of the mask, which has moved.
    pub(crate) const fn set_words(&mut self, words: u32) {
        self.descriptor.words = words;
    }

    /// Returns the mask in the words of all poses, if it is a pose of a sprite.
    #[inline(always)]
    pub(crate) fn mask<'w>(&self, words: &'w [u64]) -> Option<MaskRef<'w>> {
        (self.descriptor.words != 0).then(|| self.descriptor.shown_in(words))
    }

    /// Returns the same mask moved by an offset; both positions are in range.
    #[inline(always)]
    pub(crate) const fn moved(self, [right, down]: [i32; 2]) -> Self {
        Self {
            x0: self.x0.wrapping_add(right),
            y0: self.y0.wrapping_add(down),
            descriptor: self.descriptor,
        }
    }

    pub(crate) const fn origin(&self) -> Point {
        Point::new(self.x0, self.y0)
    }

    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.descriptor.size.is_empty()
    }
}

impl Item for PlacedMask {
    type Payload = MaskDescriptor;

    #[inline(always)]
    fn rect(&self) -> Rect {
        let Self { x0, y0, descriptor: MaskDescriptor { size, .. } } = *self;
        Rect::new(
            x0,
            y0,
            x0.wrapping_add(size.width() as i32),
            y0.wrapping_add(size.height() as i32),
        )
    }

    #[inline(always)]
    fn payload(&self) -> MaskDescriptor {
        self.descriptor
    }

    #[inline(always)]
    fn edges(four: [Self; 4]) -> [I32x4; 4] {
        let [x0, y0, _, size] = transpose(four.map(
            #[inline(always)]
            |Self { x0, y0, descriptor }| {
                [x0, y0, descriptor.words as i32, descriptor.size.0 as i32]
            },
        ));
        let width = size & I32x4::splat(MaskSize::WIDTH as i32);
        let height =
            (size >> MaskSize::HEIGHT_SHIFT as i32) & I32x4::splat(MaskSize::HEIGHT as i32);
        [x0, y0, x0 + width, y0 + height]
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum MaskSource {
    Atlas(SpritePoses),
    Mask(MaskId),
}

#[derive(Clone, Copy)]
pub(crate) struct PlaceContext<'w> {
    pub(crate) records: Records<'w>,
    pub(crate) poses: &'w ShownPoses,
    pub(crate) masks: &'w MaskStore,
    /// Mask pixels per pixel of the world.
    pub(crate) resolution: f32,
}

impl<'w> PlaceContext<'w> {
    pub(crate) fn new(atlas: &'w Atlas, poses: &'w ShownPoses, masks: &'w MaskStore) -> Self {
        let records = atlas.records();
        Self { records, poses, masks, resolution: records.resolution().value() }
    }

    /// Returns a pose at a lattice origin, drawn or not; `None` for [`SpritePoses::NONE`].
    #[inline(always)]
    fn place(&self, sprite_poses: &SpritePoses, pose: Pose, lattice: Point) -> Option<PlacedMask> {
        match self.poses.locate(&self.records, sprite_poses, pose) {
            Some(located) => Some(PlacedMask::located(located, lattice)),
            None if self.poses.are_drawn_on_demand() => {
                sprite_poses.pose_id(pose).map(|_| PlacedMask::UNDRAWN)
            }
            None => None,
        }
    }
}

impl PlacedMask {
    /// Returns the placed mask of a source, which may be [`UNDRAWN`](Self::UNDRAWN).
    pub(crate) fn find(
        context: &PlaceContext<'_>,
        source: MaskSource,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<Self, PlaceError> {
        let lattice = snap(position, context.resolution).ok_or(PlaceError::Position(position))?;
        match source {
            MaskSource::Atlas(sprite_poses) => {
                let is_size = pose::is_size(scale);
                let fault =
                    if is_size { PlaceError::Angle(angle) } else { PlaceError::Scale(scale) };
                let scales = context.records.poses().scales(&sprite_poses);
                pose::nearest(sprite_poses.angles(), scales, angle, scale)
                    .and_then(|pose| context.place(&sprite_poses, pose, lattice))
                    .ok_or(fault)
            }
            MaskSource::Mask(id) => {
                let runtime_mask = context.masks.get(id).ok_or(PlaceError::UnknownMask(id))?;
                Ok(Self::from_rect(runtime_mask.rect().translated(lattice)))
            }
        }
    }

    /// Returns the placed mask of a located pose.
    #[inline(always)]
    pub(crate) fn located(located: Located, lattice: Point) -> Self {
        let Rect { x0, y0, .. } = located.rect.placed(lattice);
        Self { x0, y0, descriptor: located.hot }
    }
}

/// Returns an error for a run-time mask with a frame, plane, flip, angle or scale.
pub(crate) fn check_upright(collider: &Collider) -> Result<(), PlaceError> {
    let Collider { shape: ColliderShape::Mask(mask), angle, scale, flip, .. } = *collider else {
        return Ok(());
    };
    if collider.frame == 0
        && collider.plane == 0
        && is_upright(angle)
        && scale == 1.0
        && flip == Flip::NONE
    {
        Ok(())
    } else {
        Err(PlaceError::PosedMask(mask))
    }
}

/// Returns an error for a sprite at a scale, above 0, that the policy refuses.
pub(crate) fn check_scale(
    context: &PlaceContext<'_>,
    source: MaskSource,
    scale: f32,
    policy: ScalePolicy,
) -> Result<(), PlaceError> {
    let MaskSource::Atlas(sprite_poses) = source else { return Ok(()) };
    let poses = context.records.poses();
    match policy.refused(poses.scales(&sprite_poses), scale) {
        Some(nearest) => Err(PlaceError::UnbakedScale { scale, nearest, policy }),
        None => Ok(()),
    }
}

pub(crate) const fn is_upright(angle: Angle) -> bool {
    matches!(angle.unit(), Unit::Radians(0.0) | Unit::Turn(0))
}

/// Returns the lattice origin of a position: floor(r p + 1/2) on each axis, where r is the
/// resolution. Returns `None` if p is not finite or r p exceeds
/// [`MAX_POSITION`](crate::MAX_POSITION).
#[inline(always)]
pub(crate) fn snap(position: [f32; 2], resolution: f32) -> Option<Point> {
    // The resolution is a power of two, so the product is exact.
    geom::lattice(position.map(|p| p * resolution))
}

/// As [`snap`] on one axis, for a coordinate in range.
#[inline(always)]
pub(crate) fn snap_edge(position: f32, resolution: f32) -> i32 {
    // The resolution is a power of two, so the product is exact.
    geom::pixel(position * resolution)
}

/// Upper bound on poses of an appearance in the table, 64 KiB. Others are looked up.
const MAX_TABLE_POSES: usize = 1 << 12;

/// Marks a range without entries. It exceeds every index, even with a step added.
const NO_POSES: u32 = 1 << 31;

/// The table entries of an appearance, by scale, then by step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoseRange {
    first: u32,
    /// Steps for each scale; 0 if there is one scale.
    angles: u32,
}

/// The poses of all appearances. Those that differ only in rules share entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoseTable {
    placed: Vec<PlacedMask>,
    appearances: Vec<PoseRange>,
    ranges: HashMap<SpritePoses, PoseRange>,
}

impl PoseTable {
    pub(crate) fn add(&mut self, sprite_poses: &SpritePoses, context: &PlaceContext<'_>) {
        let Self { placed, appearances, ranges } = self;
        appearances.push(
            *ranges
                .entry(*sprite_poses)
                .or_insert_with(|| PoseRange::new(placed, sprite_poses, context)),
        );
    }

    /// Takes the poses out of the table, without appearances. An atlas bounds their number.
    pub(crate) fn without_appearances(&mut self) -> Self {
        Self { appearances: Vec::new(), ..std::mem::take(self) }
    }

    /// Stores a pose of an appearance, placed at the origin, after it was drawn.
    pub(crate) fn store(&mut self, appearance: u32, pose: Pose, placed: PlacedMask) {
        let range = self.appearances[appearance as usize];
        let at = range.first + range.angles * pose.scale + pose.step;
        if range.is_present()
            && let Some(entry) = self.placed.get_mut(at as usize)
        {
            *entry = placed;
        }
    }

    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut PlacedMask> {
        self.placed.iter_mut()
    }

    #[inline(always)]
    pub(crate) fn appearances(&self) -> &[PoseRange] {
        &self.appearances
    }

    /// Returns the pose of a step and a scale in `range`; `None` if the range has no entries.
    #[inline(always)]
    pub(crate) fn get(
        &self,
        range: PoseRange,
        step: u32,
        scale: impl Fn() -> u32,
    ) -> Option<&PlacedMask> {
        // Most sprites have one scale, and need no look-up.
        let scaled = if range.angles == 0 { 0 } else { range.angles * scale() };
        self.placed.get((range.first + scaled + step) as usize)
    }
}

impl PoseRange {
    pub(crate) const fn is_present(self) -> bool {
        self.first < NO_POSES
    }

    fn new(
        placed: &mut Vec<PlacedMask>,
        sprite_poses: &SpritePoses,
        context: &PlaceContext<'_>,
    ) -> Self {
        let none = Self { first: NO_POSES, angles: 0 };
        let (start, angles, scales) = (placed.len(), sprite_poses.angles(), sprite_poses.scales());
        let count = angles as usize * scales as usize;
        if count > MAX_TABLE_POSES || start + count > NO_POSES as usize {
            return none;
        }
        vec_growth::reserve(placed, start + count);
        for scale in 0..scales {
            for step in 0..angles {
                let pose = context.place(sprite_poses, Pose { step, scale }, Point::default());
                let Some(pose) = pose else {
                    placed.truncate(start);
                    return none;
                };
                placed.push(pose);
            }
        }
        Self { first: start as u32, angles: if scales == 1 { 0 } else { angles } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finer_resolution_has_a_finer_lattice_and_ends_nearer() {
        assert_eq!(snap([0.25, 0.2], 2.0), Some(Point::new(1, 0)));
        assert_eq!(snap([-0.25, 3.9], 4.0), Some(Point::new(-1, 16)));
        assert_eq!(snap([3.0, 2.9], 0.5), Some(Point::new(2, 1)));
        assert_eq!(snap([0.6e9, 0.0], 2.0), None);
        assert_eq!(snap([2e9, 0.0], 0.5), Some(Point::new(1_000_000_000, 0)));
    }
}
