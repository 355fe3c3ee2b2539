//! The extents of a mask along both diagonals. Sprites are round rather than square, so most pairs
//! whose boxes overlap only at a corner do not touch.
//!
//! Columns count from the left edge. Rows count from the top edge for one diagonal, and from the bottom
//! edge for the other. So flipping top to bottom swaps the two and changes nothing else. The extents of
//! a mask are:
//!
//! ```text
//! falling  minimum and maximum of x + y over all pixels: top-left and bottom-right corner
//! rising   minimum and maximum of x + h - 1 - y over all pixels: bottom-left and top-right corner
//! ```
//!
//! Computed by the atlas. `narrow::batch` compares the extents of a pair before it reads pixels.
//!
//! Invariant: no pixel of the mask is outside its extents.

use super::{MAX_SIDE, MaskRef, WORD};

/// The extents of a mask along both diagonals. Each has the minimum in the low 16 bits and the
/// maximum in the high 16 bits. A vertical flip swaps the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Diagonals {
    pub(crate) falling: u32,
    pub(crate) rising: u32,
}

// No extent exceeds the sum of both sides, and that of a mask without pixels is the sum.
const _: () = assert!(2 * MAX_SIDE < 1 << 16);

impl Diagonals {
    pub(crate) fn of(mask: MaskRef<'_>) -> Self {
        let (width, height) = (mask.width(), mask.height());
        let [top_left, top_right] = nearest(mask, 0..height);
        let [bottom_left, bottom_right] = nearest(mask, (0..height).rev());
        // A mask without pixels touches nothing, so any extents are valid.
        let pack = |near_left: u32, near_right: u32| {
            near_left | (width + height).wrapping_sub(near_right + 2) << 16
        };
        Self { falling: pack(top_left, bottom_right), rising: pack(bottom_left, top_right) }
    }

    /// Returns the minimum and the maximum along one diagonal.
    #[inline(always)]
    pub(crate) const fn ends(along: u32) -> [i32; 2] {
        [(along & 0xffff) as i32, (along >> 16) as i32]
    }
}

/// Returns the distances of the nearest set pixels from the left end and from the right end of the
/// first of `rows`. A row farther counts as much as a column farther inwards.
fn nearest(mask: MaskRef<'_>, rows: impl Iterator<Item = u32>) -> [u32; 2] {
    let most = mask.width() + mask.height();
    let (mut left, mut right) = (most, most);
    for (farther, row) in (0..).zip(rows) {
        // No later row can be nearer. On a disc this skips two thirds of the rows from either side.
        if farther >= left.max(right) {
            break;
        }
        if let Some([first, last]) = ends(mask, row) {
            left = left.min(farther + first);
            // A damaged atlas may have bits beyond the last column.
            right = right.min(farther + mask.width().saturating_sub(last + 1));
        }
    }
    [left, right]
}

/// Returns the first and the last set column of a row; `None` for a clear row.
fn ends(mask: MaskRef<'_>, row: u32) -> Option<[u32; 2]> {
    let strip = |s: u32| Some((s * WORD, mask.word(s, row))).filter(|(_, word)| *word != 0);
    let (column, word) = (0..mask.strips()).find_map(strip)?;
    let (last_column, last_word) = (0..mask.strips()).rev().find_map(strip)?;
    Some([column + word.trailing_zeros(), last_column + WORD - 1 - last_word.leading_zeros()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Mask, dotted};

    /// Computes the extents pixel by pixel.
    fn truth(mask: MaskRef<'_>) -> [[i32; 2]; 2] {
        let (w, h) = (mask.width() as i32, mask.height() as i32);
        let places = (0..h).flat_map(|y| (0..w).map(move |x| (x, y)));
        let pixels = places.filter(|&(x, y)| mask.get(x, y));
        let both = pixels.map(|(x, y)| [x + y, x + h - 1 - y]);
        both.fold([[i32::MAX, i32::MIN]; 2], |known, now| {
            [0, 1].map(|i| [known[i][0].min(now[i]), known[i][1].max(now[i])])
        })
    }

    fn found(mask: MaskRef<'_>) -> [[i32; 2]; 2] {
        let Diagonals { falling, rising } = Diagonals::of(mask);
        [falling, rising].map(Diagonals::ends)
    }

    #[test]
    fn extents_match_those_of_every_pixel() {
        let mut masks = vec![dotted(3, 3), dotted(64, 9), dotted(65, 130), dotted(200, 31)];
        let mut line = Mask::new(400, 400).unwrap();
        (0..400).for_each(|i| line.set(i, i, true));
        let mut ring = Mask::new(130, 100).unwrap();
        for (x, y) in (0..100).flat_map(|y| (0..130).map(move |x| (x, y))) {
            let [right, down] = [(2 * x - 129) * 10, (2 * y - 99) * 13].map(|p: i32| i64::from(p));
            let square = right * right + down * down;
            ring.set(x, y, (1_200_000..1_690_000).contains(&square));
        }
        masks.extend([line, ring, Mask::full(1, 1), Mask::full(64, 1), Mask::full(MAX_SIDE, 1)]);
        masks.extend([Mask::full(1, MAX_SIDE), Mask::full(3, MAX_SIDE - 1)]);
        for mask in &masks {
            let turned = mask.as_ref().flip_y();
            assert_eq!(found(mask.as_ref()), truth(mask.as_ref()), "{}", mask.width());
            assert_eq!(found(turned), truth(turned), "upside down");
            let [falling, rising] = found(mask.as_ref());
            assert_eq!(found(turned), [rising, falling]);
        }
    }

    #[test]
    fn corners_of_the_largest_mask_keep_their_extents() {
        let mut mask = Mask::new(MAX_SIDE, MAX_SIDE).unwrap();
        let last = MAX_SIDE as i32 - 1;
        [(0, 0), (last, last)].iter().for_each(|&(x, y)| mask.set(x, y, true));
        assert_eq!(found(mask.as_ref()), [[0, 2 * last], [last, last]]);
        assert_eq!(found(mask.as_ref().flip_y()), [[last, last], [0, 2 * last]]);
    }

    #[test]
    fn a_mask_without_pixels_does_not_panic() {
        Diagonals::of(MaskRef::empty());
        Diagonals::of(Mask::new(MAX_SIDE, 2).unwrap().as_ref());
        Diagonals::of(Mask::new(1, MAX_SIDE).unwrap().as_ref());
    }
}
