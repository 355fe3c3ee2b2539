//! A question that is answered by walking the strips of a pair.

use super::place::Place;
use super::window::{Strips, Window};
use crate::geom::Point;
use crate::mask::{BLOCK, WORD};
use fearless_simd::Simd;

/// What the walk gathers, and what it makes of it.
pub(crate) trait Query: Copy {
    /// What is known of a pair.
    type Found: Copy;
    /// What is known before the first strip.
    const NONE: Self::Found;

    /// Kernels for one strip of up to 8 blocks are unrolled. Where a block takes long it gains
    /// nothing, and makes eight times the code.
    const UNROLLED: bool = false;

    /// Blocks without a pixel need not be looked at.
    const CUT: bool = true;

    /// What is known after a strip of `blocks` blocks, of `known` before.
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
        known: Self::Found,
    ) -> Self::Found;

    /// What is known of a pair of one strip, which is what a query may do better.
    #[inline(always)]
    fn only<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        place: Place,
    ) -> Self::Found {
        self.strip(window, blocks, place, Self::NONE)
    }

    /// What is known after all strips, which is what a query may do better.
    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: Strips<'_, S, REVERSED>,
        place: Place,
    ) -> Self::Found {
        let mut known = Self::NONE;
        for strip in 0..strips.len() {
            known = one(self, strips, strip, place, known);
        }
        known
    }
}

/// What the caller gets of what a walk gathers.
pub(crate) trait Reply: Query {
    /// What the caller gets.
    type Answer;
    /// The walk or the answer takes where the overlap lies: [`Place`], or its corner.
    const PLACE: bool;

    /// The answer for a pair the top-left corner of whose overlap lies there, in the first mask's pixels.
    fn answer(self, found: Self::Found, corner: Point) -> Self::Answer;
}

/// What `query` knows after strip `strip`.
#[inline(always)]
pub(crate) fn one<S: Simd, Q: Query, const REVERSED: bool>(
    query: Q,
    strips: Strips<'_, S, REVERSED>,
    strip: u32,
    place: Place,
    known: Q::Found,
) -> Q::Found {
    let (from, to) = strips.range(strip);
    if from >= to {
        return known;
    }
    let (blocks, before) = ((to - from) as usize, from * BLOCK);
    let place = Place { column: strip * WORD, before, ..place };
    if strips.is_far(strip) {
        query.strip(strips.window::<true>(strip, (from, to)), blocks, place, known)
    } else {
        query.strip(strips.window::<false>(strip, (from, to)), blocks, place, known)
    }
}
