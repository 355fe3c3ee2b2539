use super::{MAX_SIDE, MaskRef, stride_of};

/// Where a mask lies in a pool and which way up it is shown: all that a kernel needs, in 8 bytes.
///
/// The stride is not kept: it follows from the height. A mask without pixels is the default, 0 x 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HotMask {
    /// Word of the pool at which the first strip starts.
    pub(crate) words: u32,
    /// Width in the low 16 bits, height in the 15 above, and on top 1 where it is upside down.
    pub(crate) size: u32,
}

impl HotMask {
    pub(crate) const WIDTH: u32 = 0xffff;
    pub(crate) const HEIGHT_SHIFT: u32 = 16;
    pub(crate) const HEIGHT: u32 = 0x7fff;
    pub(crate) const FLIP_SHIFT: u32 = 31;
    pub(crate) const FLIPPED: u32 = 1 << Self::FLIP_SHIFT;

    /// The mask, which lies in this pool: without its boards.
    #[inline]
    pub(crate) fn shown_in(self, pool: &[u64]) -> MaskRef<'_> {
        let (width, height) =
            (self.size & Self::WIDTH, self.size >> Self::HEIGHT_SHIFT & Self::HEIGHT);
        let mask = MaskRef::in_pool(pool, self.words, stride_of(height), width, height);
        if self.size & Self::FLIPPED == 0 { mask } else { mask.flip_y() }
    }
}

// Both sides fit their bits.
const _: () = assert!(MAX_SIDE <= HotMask::HEIGHT && MAX_SIDE <= HotMask::WIDTH);
