//! The position and size of a mask in 8 bytes, as kernels take them.
//!
//! Invariant: the size of a mask is packed and unpacked here only.

use super::{BLOCK, MAX_SIDE, MaskRef, stride_of};
use bytemuck::{Pod, Zeroable};

/// The sides of a mask in pixels and its orientation, packed into 32 bits. The width is in the low
/// 16 bits and the height in the next 15. The highest bit is 1 where the mask is flipped top to
/// bottom.
///
/// The constants are for vector code, which works on the plain number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct MaskSize(pub(crate) u32);

impl MaskSize {
    pub(crate) const WIDTH: u32 = 0xffff;
    pub(crate) const HEIGHT_SHIFT: u32 = 16;
    pub(crate) const HEIGHT: u32 = 0x7fff;
    pub(crate) const FLIP_SHIFT: u32 = 31;
    pub(crate) const FLIPPED: u32 = 1 << Self::FLIP_SHIFT;

    /// Packs the size of an unflipped mask. No side exceeds [`MAX_SIDE`].
    #[inline(always)]
    pub(crate) const fn new(width: u32, height: u32) -> Self {
        Self(width | height << Self::HEIGHT_SHIFT)
    }

    #[inline(always)]
    pub(crate) const fn width(self) -> u32 {
        self.0 & Self::WIDTH
    }

    #[inline(always)]
    pub(crate) const fn height(self) -> u32 {
        self.0 >> Self::HEIGHT_SHIFT & Self::HEIGHT
    }

    /// Returns 1 where the mask is flipped top to bottom, else 0.
    #[inline(always)]
    pub(crate) const fn flip_bit(self) -> u32 {
        self.0 >> Self::FLIP_SHIFT
    }

    /// Flips the mask where the highest bit of `bits` is set.
    #[inline(always)]
    pub(crate) const fn flipped_by(self, bits: u32) -> Self {
        Self(self.0 ^ bits & Self::FLIPPED)
    }

    #[inline(always)]
    pub(crate) const fn is_empty(self) -> bool {
        self.width() == 0 || self.height() == 0
    }
}

// Both sides fit their fields.
const _: () = assert!(MAX_SIDE <= MaskSize::HEIGHT && MAX_SIDE <= MaskSize::WIDTH);

/// The position of a mask in a pool, its size and its orientation.
///
/// The stride is not stored because it follows from the height. The default is a mask of 0 x 0
/// pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MaskDescriptor {
    /// Index of the first word of the first strip in the pool.
    pub(crate) words: u32,
    pub(crate) size: MaskSize,
}

impl MaskDescriptor {
    /// Words per cache line. The words of a mask start at a multiple of it.
    pub(crate) const LINE_WORDS: u32 = BLOCK;

    /// Returns the mask in `pool`, without its coarse levels.
    #[inline]
    pub(crate) fn shown_in(self, pool: &[u64]) -> MaskRef<'_> {
        let (width, height) = (self.size.width(), self.size.height());
        let mask = MaskRef::in_pool(pool, self.words, stride_of(height), width, height);
        if self.size.flip_bit() == 0 { mask } else { mask.flip_y() }
    }
}
