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
    /// True where the pivot lies in the middle of the origin pixel, not at its corner.
    pub half: bool,
}

/// A borrowed [`Posed`], as an atlas hands it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PosedRef<'a> {
    /// The pixels, trimmed to the tight box.
    pub mask: MaskRef<'a>,
    /// The box's top-left pixel, relative to the lattice origin.
    pub origin: Point,
    /// True where the pivot lies in the middle of the origin pixel, not at its corner.
    pub half: bool,
}

impl Posed {
    /// A look at this posed mask.
    #[must_use]
    pub fn as_ref(&self) -> PosedRef<'_> {
        PosedRef { mask: self.mask.as_ref(), origin: self.origin, half: self.half }
    }

    /// Mirrored left to right about the lattice origin: column u becomes f - 1 - u, with f = 1
    /// where [`half`](Self::half) is set and 0 otherwise.
    #[must_use]
    pub fn flip_x(&self) -> Self {
        let x = mirrored(self.origin.x, self.mask.width(), self.half);
        Self { mask: self.mask.flip_x(), origin: Point::new(x, self.origin.y), half: self.half }
    }

    /// Mirrored top to bottom about the lattice origin: row v becomes f - 1 - v.
    #[must_use]
    pub fn flip_y(&self) -> Self {
        let flipped = self.as_ref().flip_y();
        Self { mask: flipped.mask.to_mask(), origin: flipped.origin, half: self.half }
    }

    /// Turned a quarter clockwise about the pivot: pixel (u, v) becomes (f - 1 - v, u).
    #[must_use]
    pub fn quarter_turned(&self) -> Self {
        let x = mirrored(self.origin.y, self.mask.height(), self.half);
        let mask = self.mask.quarter_turned();
        Self { mask, origin: Point::new(x, self.origin.x), half: self.half }
    }
}

impl PosedRef<'_> {
    /// The tight box, relative to the lattice origin; empty where no pixel is set.
    #[must_use]
    pub fn rect(&self) -> Rect {
        let Point { x, y } = self.origin;
        Rect::new(x, y, x + self.mask.width() as i32, y + self.mask.height() as i32)
    }

    /// Mirrored top to bottom about the lattice origin. Costs nothing.
    #[must_use]
    pub fn flip_y(&self) -> Self {
        let y = mirrored(self.origin.y, self.mask.height(), self.half);
        Self { mask: self.mask.flip_y(), origin: Point::new(self.origin.x, y), half: self.half }
    }
}

/// Where a span of `length` from `start` begins once u has become f - 1 - u. A span without
/// pixels stays where it is.
pub(crate) const fn mirrored(start: i32, length: u32, half: bool) -> i32 {
    if length == 0 { start } else { half as i32 - start - length as i32 }
}
