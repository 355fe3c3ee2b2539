use super::MAX_SIDE;

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
}

// Both sides fit their bits.
const _: () = assert!(MAX_SIDE <= HotMask::HEIGHT && MAX_SIDE <= HotMask::WIDTH);
