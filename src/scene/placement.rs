//! Placement: the position of a collider snapped to the lattice, and its posed mask.

use crate::atlas::Located;
use crate::broad::{I32x4, Item, transpose};
use crate::error::CallError;
use crate::geom::{self, Flip, Point, Rect};
use crate::mask::{MaskDescriptor, MaskRef, MaskSize};
use crate::pose::{Angle, Unit};
use crate::scene::{Collider, ColliderShape};

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

    /// Returns the placed mask of a located pose.
    #[inline(always)]
    pub(crate) fn located(located: Located, lattice: Point) -> Self {
        let Rect { x0, y0, .. } = located.rect.placed(lattice);
        Self { x0, y0, descriptor: located.hot }
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

/// Returns an error for a run-time mask with a frame, plane, flip, angle or scale.
pub(crate) fn check_upright(collider: &Collider) -> Result<(), CallError> {
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
        Err(CallError::PosedMask(mask))
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
