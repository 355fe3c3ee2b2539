//! Tests of two masks at an offset on their coarse levels alone.
//!
//! Called by `Mask::coarse`. `batch::level_tests` does the same for many pairs. Invariants:
//! `No` and `Yes` equal the answer of the pixels, and the order of the masks does not matter.

use super::Certainty;
use crate::geom::Point;
use crate::mask::{Levels, MaskRef};

/// Tests `a`, at (0, 0), and `b`, at `offset`. Masks without levels are tested exactly.
pub(crate) fn certainty(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Certainty {
    let (Some(of_a), Some(of_b)) = (a.levels(), b.levels()) else {
        return if a.touches(b, offset) { Certainty::Yes } else { Certainty::No };
    };
    // One of the two is dilated, so the order decides where cells are aligned. The mask farther
    // left comes first, then the upper one. Masks at one place are alike, or one is flipped.
    let (dx, dy) = (offset.x, offset.y);
    let is_later = dx < 0 || dx == 0 && (dy < 0 || dy == 0 && a.place_key() > b.place_key());
    let (first, second, offset) = if is_later {
        (of_b, of_a, Point::new(dx.wrapping_neg(), dy.wrapping_neg()))
    } else {
        (of_a, of_b, offset)
    };
    of_levels(first, second, offset)
}

fn of_levels(first: Levels<'_>, second: Levels<'_>, offset: Point) -> Certainty {
    let cells = first.cells_to(second, offset);
    if !first.dilated.touches(second.outer, cells + Point::new(1, 1)) {
        Certainty::No
    } else if first.inner.touches(second.inner, cells) {
        Certainty::Yes
    } else {
        Certainty::Maybe
    }
}
