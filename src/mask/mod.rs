//! Masks: one bit per pixel. The bit layout is described here and nowhere else.
//!
//! A mask of w x h pixels is cut into column **strips**, each 64 pixels wide. A strip is h
//! words of 64 bits from top to bottom; bit x of a word is pixel x of that row, least
//! significant first. Bits beyond the width are zero.
//!
//! Strips live in a **pool** of words. Each strip starts at a multiple of 8 words (64 bytes) and
//! is followed by at least 7 zero **guard** words; 8 zero words stand in front of the first. So a
//! kernel that works in blocks of 8 rows may run up to 7 rows past either end of a strip, read
//! zeros there, and needs no code for the tail:
//!
//! ```text
//! pool: 0 0 0 0 0 0 0 0 | row 0, row 1, ... row h-1, 0 0 0 0 0 0 0 .. | row 0, row 1, ...
//!       lead              strip 0: pixels 0..64                         strip 1: pixels 64..128
//! ```
//!
//! [`Mask`] owns a pool with one mask in it; [`MaskRef`] looks at one mask in somebody's pool.
//! What these types keep true: every strip lies inside the pool with its guards, and the bits
//! beyond the width are zero.

mod alpha;
mod blit;
mod coarse;
mod components;
mod convex_hull;
mod descriptor;
mod diagonal_extents;
mod edit;
mod error;
mod layout;
#[expect(clippy::module_inception, reason = "the file holds the type `Mask`")]
mod mask;
mod mask_ref;
mod minkowski_sum;
mod moments;
mod morphology;
mod occupied_rows;
mod outline;
mod packed_bits;
mod polygon;
mod rotate90;
mod runs;
mod scale;
mod simplify;
mod text;
mod union;

pub use alpha::AlphaRule;
pub(crate) use coarse::{BoardShape, CELL, add_boards, boards_of};
pub use components::{Component, Components, Connectivity};
pub(crate) use descriptor::{MaskDescriptor, MaskSize};
pub(crate) use diagonal_extents::Diagonals;
pub use error::MaskError;
pub use layout::MAX_SIDE;
pub(crate) use layout::{BLOCK, LEAD, WORD, inside, shifted, stride_of, strips_of, words_of};
pub use mask::Mask;
pub use mask_ref::MaskRef;
pub use morphology::GrowShape;
pub(crate) use occupied_rows::{LOOK, Pool, RowRanges, TALL, TOGETHER};
pub use outline::Outline;
pub use polygon::Polygon;
pub(crate) use rotate90::{quarter_turn, transpose};

/// Pixels without a pattern that an error could hide in, for tests.
#[cfg(test)]
pub(crate) fn dotted(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, (x * 7 + y * 5 + x * y) % 3 == 0);
        }
    }
    mask
}
