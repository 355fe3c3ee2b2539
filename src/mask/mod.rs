//! Masks: one bit per pixel. This page is the only description of the bit layout.
//!
//! A mask of w x h pixels is cut into column **strips**, each 64 pixels wide. A strip is h words of
//! 64 bits from top to bottom. Bit x of a word is pixel x of that row, least significant first.
//! Bits beyond the width are zero.
//!
//! Strips are stored in a **pool** of words. Each strip starts at a multiple of 8 words (64 bytes)
//! and is followed by at least 7 zero **guard** words. 8 zero words precede the first strip. A
//! kernel that works in blocks of 8 rows may therefore read up to 7 rows past either end of a
//! strip. It reads zeros there and needs no tail code:
//!
//! ```text
//! pool: 0 0 0 0 0 0 0 0 | row 0, row 1, ... row h-1, 0 0 0 0 0 0 0 .. | row 0, row 1, ...
//!       lead              strip 0: pixels 0..64                         strip 1: pixels 64..128
//! ```
//!
//! [`Mask`] owns a pool with one mask in it; [`MaskRef`] borrows one mask of any pool.
//!
//! Invariants: every strip lies inside the pool together with its guards. Bits beyond the width are
//! zero.

mod border_tracer;
mod components;
mod conversion;
mod descriptor;
mod diagonal_extents;
mod edit;
mod layout;
mod levels;
#[expect(clippy::module_inception, reason = "the file holds the type `Mask`")]
mod mask;
mod mask_arena;
mod moments;
mod morphology;
mod occupied_rows;
mod outline;
mod polygon;
mod polygon_fill;
mod region_search;
mod resample;
mod runs;
mod texel_rule;

#[cfg(feature = "shapes")]
pub(crate) use border_tracer::{BorderTracer, RIGHT, STEPS};
pub use components::{Component, Components, Connectivity};
pub(crate) use descriptor::{MaskDescriptor, MaskSize};
pub(crate) use diagonal_extents::Diagonals;
pub(crate) use layout::{BLOCK, LEAD, WORD, inside, shifted, stride_of, strips_of, words_of};
pub use layout::{MAX_FRAME_SIDE, MAX_SIDE};
pub(crate) use levels::{CELL, LEVEL_SIDE, LevelShape, Levels, has_levels, write_levels};
pub use mask::{Mask, MaskKey, MaskRef};
pub(crate) use mask_arena::{LINE_BYTES, MaskArena, first_line, lines_of};
pub use morphology::GrowShape;
pub(crate) use occupied_rows::{MaskPool, RANGE_ENTRIES, RANGE_STRIPS, RowRanges, TALL_ROWS};
pub use polygon::Polygon;
pub(crate) use resample::{quarter_turn, transpose};
pub use texel_rule::{AlphaRule, Channel, ColorRange, TexelRule};

/// Returns a mask with an irregular pattern, for tests.
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
