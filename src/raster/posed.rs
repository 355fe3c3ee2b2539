use crate::geom::{Point, Rect};
use crate::mask::{Mask, MaskRef};

/// A mask at one pose: trimmed to its set pixels, and where it lies on the lattice.
///
/// The lattice origin is the pixel that a collider's position snaps to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posed {
    /// The pixels, trimmed to the tight box.
    pub mask: Mask,
    /// The box's top-left pixel, relative to the lattice origin.
    pub origin: Point,
    /// Where the pivot lies from the lattice origin on both axes, in half-pixels: 0 at its corner,
    /// 1 in the middle of its pixel; at resolution 2 or 4, which have their own smaller pixels, up
    /// to twice or four times that.
    pub pivot2: i32,
}

/// A borrowed [`Posed`], as an atlas hands it out. Two of them at two positions are as far apart as
/// [`Snap`](crate::Snap) says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PosedRef<'a> {
    /// The pixels, trimmed to the tight box.
    pub mask: MaskRef<'a>,
    /// The box's top-left pixel, relative to the lattice origin.
    pub origin: Point,
    /// Where the pivot lies from the lattice origin on both axes, in half-pixels: 0 at its corner,
    /// 1 in the middle of its pixel; at resolution 2 or 4, which have their own smaller pixels, up
    /// to twice or four times that.
    pub pivot2: i32,
}

impl Posed {
    /// A look at this posed mask.
    #[must_use]
    pub fn as_ref(&self) -> PosedRef<'_> {
        PosedRef { mask: self.mask.as_ref(), origin: self.origin, pivot2: self.pivot2 }
    }

    /// Mirrored left to right about the lattice origin: column u becomes f - 1 - u, f being
    /// [`pivot2`](Self::pivot2).
    #[must_use]
    pub fn flip_x(&self) -> Self {
        let x = mirrored(self.origin.x, self.mask.width(), self.pivot2);
        Self { mask: self.mask.flip_x(), origin: Point::new(x, self.origin.y), pivot2: self.pivot2 }
    }

    /// Mirrored top to bottom about the lattice origin: row v becomes f - 1 - v.
    #[must_use]
    pub fn flip_y(&self) -> Self {
        let flipped = self.as_ref().flip_y();
        Self { mask: flipped.mask.to_mask(), origin: flipped.origin, pivot2: self.pivot2 }
    }

    /// Turned a quarter clockwise about the pivot: pixel (u, v) becomes (f - 1 - v, u).
    #[must_use]
    pub fn quarter_turned(&self) -> Self {
        let x = mirrored(self.origin.y, self.mask.height(), self.pivot2);
        let mask = self.mask.quarter_turned();
        Self { mask, origin: Point::new(x, self.origin.x), pivot2: self.pivot2 }
    }
}

impl PosedRef<'_> {
    /// The tight box, relative to the lattice origin; empty where no pixel is set.
    #[must_use]
    pub fn rect(&self) -> Rect {
        self.mask.rect_at(self.origin)
    }

    /// An owned copy.
    pub(super) fn to_posed(self) -> Posed {
        Posed { mask: self.mask.to_mask(), origin: self.origin, pivot2: self.pivot2 }
    }

    /// Mirrored top to bottom about the lattice origin. Costs nothing.
    #[must_use]
    pub fn flip_y(&self) -> Self {
        let y = mirrored(self.origin.y, self.mask.height(), self.pivot2);
        Self { mask: self.mask.flip_y(), origin: Point::new(self.origin.x, y), pivot2: self.pivot2 }
    }
}

/// Where a span of `length` from `start` begins once u has become f - 1 - u. A span without
/// pixels stays where it is.
#[inline(always)]
pub(crate) const fn mirrored(start: i32, length: u32, pivot2: i32) -> i32 {
    if length == 0 { start } else { pivot2 - start - length as i32 }
}
