use crate::mask::MAX_SIDE;

/// Which pixel of an overlap counts as the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum First {
    /// The topmost, and of those the leftmost.
    #[default]
    Top,
    /// The bottommost, and of those the leftmost.
    Bottom,
    /// The leftmost, and of those the topmost.
    Left,
    /// The rightmost, and of those the topmost.
    Right,
}

impl First {
    /// A number that is the lower the earlier the pixel (x, y) comes, and is not `u32::MAX`.
    #[inline(always)]
    pub(crate) const fn rank(self, x: u32, y: u32) -> u32 {
        // More bits than a side takes: only a damaged atlas has any.
        let (x, y) = (x & END, y & END);
        match self {
            Self::Top => y << 16 | x,
            Self::Bottom => (END - y) << 16 | x,
            Self::Left => x << 16 | y,
            Self::Right => (END - x) << 16 | y,
        }
    }

    /// Returns the pixel of a rank; of `u32::MAX` some pixel.
    #[inline(always)]
    pub(crate) const fn pixel(self, rank: u32) -> (u32, u32) {
        let (major, minor) = (rank >> 16, rank & 0xffff);
        match self {
            Self::Top => (minor, major),
            Self::Bottom => (minor, END.wrapping_sub(major)),
            Self::Left => (major, minor),
            Self::Right => (END.wrapping_sub(major), minor),
        }
    }
}

/// No side of a mask has more bits.
const END: u32 = 0x7fff;

const _: () = assert!(MAX_SIDE <= END);
