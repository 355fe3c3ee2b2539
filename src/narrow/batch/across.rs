//! The box of an overlap of three strips and more, of which not all has to be read.
//!
//! ```text
//! from, to = the first and the last strip with a pixel, by the columns of each; none: no box
//! down from the top:    all strips from..=to of 8 rows in one, until a row is not zero
//! up from the bottom:   likewise
//! ```
//!
//! 1. The strips between `from` and `to` can only make the box higher, and mostly not by much: what is
//!    between the first and the last row is not read in them.
//! 2. Both searches for a row end where nobody can foresee it, two mispredictions a pair. With three
//!    strips and more that is less than what they save, with two it is not: 1.07 to 1.11 times as long.

use super::place::Place;
use super::span::Span;
use super::strip::{bits, columns};
use super::window::{Job, Strips, Window};
use crate::mask::{BLOCK, WORD};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

#[inline(always)]
pub(super) fn across<S: Simd, const R: bool>(strips: &Strips<'_, S, R>, place: Place) -> Span {
    let (mut from, mut to) = (0, strips.len() - 1);
    let mut leftmost = columns_of(strips, from);
    while leftmost == 0 {
        if from == to {
            return Span::NONE;
        }
        from += 1;
        leftmost = columns_of(strips, from);
    }
    // These end, since `from` has a pixel.
    let mut rightmost = columns_of(strips, to);
    while rightmost == 0 {
        to -= 1;
        rightmost = columns_of(strips, to);
    }
    // Rows that hold a pixel are in the range of its strip.
    let (mut first, mut last) = (strips.blocks, 0);
    for strip in from..=to {
        let (start, end) = strips.range(strip);
        if start < end {
            (first, last) = (first.min(start), last.max(end - 1));
        }
    }
    let mut above = rows_of(strips, (from, to), first);
    while above == 0 {
        first += 1;
        above = rows_of(strips, (from, to), first);
    }
    let mut below = rows_of(strips, (from, to), last);
    while below == 0 {
        last -= 1;
        below = rows_of(strips, (from, to), last);
    }
    let a = place.row(first * BLOCK + above.trailing_zeros());
    let b = place.row(last * BLOCK + (WORD - 1) - below.leading_zeros());
    Span {
        x0: from * WORD + leftmost.trailing_zeros(),
        y0: a.min(b),
        x1: (to + 1) * WORD - rightmost.leading_zeros(),
        // Only guards that hold pixels, of a damaged atlas, are found above the overlap.
        y1: a.max(b).wrapping_add(1),
    }
}

/// The columns of a strip with a pixel in both.
#[inline(always)]
fn columns_of<S: Simd, const R: bool>(strips: &Strips<'_, S, R>, strip: u32) -> u64 {
    let (from, to) = strips.range(strip);
    let blocks = to.saturating_sub(from) as usize;
    if blocks == 0 {
        0
    } else if strips.is_far(strip) {
        columns(&strips.window::<true>(strip, (from, to)), blocks)
    } else {
        columns(&strips.window::<false>(strip, (from, to)), blocks)
    }
}

/// One bit for each row of a block, as walked, that has a pixel in both in one of the strips from
/// the one to the other, all inside.
#[inline(always)]
fn rows_of<S: Simd, const R: bool>(
    strips: &Strips<'_, S, R>,
    (from, to): (u32, u32),
    block: u32,
) -> u64 {
    let down = block * BLOCK;
    let along = if R { (strips.blocks - 1) * BLOCK - down } else { down };
    let mut any = u64x8::splat(strips.simd, 0);
    for strip in from..=to {
        let near = strips.job.near + strip * strips.left_stride + down;
        // Without a far strip the zeros in front of the pool, and so no branch.
        let far = (near + strips.left_stride) & u32::from(strips.is_far(strip)).wrapping_neg();
        let right = strips.job.right + strip * strips.right_stride + along;
        let job = Job { near, far, right, shift: strips.job.shift };
        any |= Window::<S, true, R>::across(strips.simd, strips.pools, job, 1).both(0);
    }
    bits(any)
}
