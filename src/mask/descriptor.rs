//! The 8 bytes that tell a kernel where a mask lies and how large it is.
//!
//! Used by the atlas's pose records, the broad phase's leaves and the batch kernels. Invariant: the size of
//! a mask is packed and unpacked here only.

use super::{MAX_SIDE, MaskRef, stride_of};
use bytemuck::{Pod, Zeroable};

/// Both sides of a mask in pixels and its orientation, packed into 32 bits: the width in the low 16, the
/// height in the 15 above, and in the highest bit 1 where the mask is shown upside down.
///
/// Vector code works on the plain number, hence the constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct MaskSize(pub(crate) u32);

impl MaskSize {
    pub(crate) const WIDTH: u32 = 0xffff;
    pub(crate) const HEIGHT_SHIFT: u32 = 16;
    pub(crate) const HEIGHT: u32 = 0x7fff;
    pub(crate) const FLIP_SHIFT: u32 = 31;
    pub(crate) const FLIPPED: u32 = 1 << Self::FLIP_SHIFT;

    /// Packs the size of an upright mask. No side exceeds [`MAX_SIDE`].
    #[inline(always)]
    pub(crate) const fn new(width: u32, height: u32) -> Self {
        Self(width | height << Self::HEIGHT_SHIFT)
    }

    /// Width in pixels.
    #[inline(always)]
    pub(crate) const fn width(self) -> u32 {
        self.0 & Self::WIDTH
    }

    /// Height in pixels.
    #[inline(always)]
    pub(crate) const fn height(self) -> u32 {
        self.0 >> Self::HEIGHT_SHIFT & Self::HEIGHT
    }

    /// 1 where the mask is shown upside down, else 0.
    #[inline(always)]
    pub(crate) const fn flip_bit(self) -> u32 {
        self.0 >> Self::FLIP_SHIFT
    }

    /// Turns the mask over where the highest bit of `bits` is set.
    #[inline(always)]
    pub(crate) const fn flipped_by(self, bits: u32) -> Self {
        Self(self.0 ^ bits & Self::FLIPPED)
    }

    /// True where the mask has no pixels.
    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.width() == 0 || self.height() == 0
    }
}

// Both sides fit their bits.
const _: () = assert!(MAX_SIDE <= MaskSize::HEIGHT && MAX_SIDE <= MaskSize::WIDTH);

/// Where a mask lies in a pool, its size and its orientation: all that a kernel needs, in 8 bytes.
///
/// The stride is not stored because it follows from the height. The default is a mask of 0 x 0 pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MaskDescriptor {
    /// Word of the pool at which the first strip starts.
    pub(crate) words: u32,
    pub(crate) size: MaskSize,
}

impl MaskDescriptor {
    /// Returns the mask, without its coarse levels. It lies in `pool`.
    #[inline]
    pub(crate) fn shown_in(self, pool: &[u64]) -> MaskRef<'_> {
        let (width, height) = (self.size.width(), self.size.height());
        let mask = MaskRef::in_pool(pool, self.words, stride_of(height), width, height);
        if self.size.flip_bit() == 0 { mask } else { mask.flip_y() }
    }
}
