//! One strip, walked: rows and columns with a pixel in both. Rows are counted as walked.
//!
//! 8 blocks give the 64 bits of one word of rows; longer strips take one such word after the other.
//! So the first row is one count of trailing zeros.

use super::area::Count;
use super::window::{ROWS, Window};
use crate::mask::WORD;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// Blocks whose rows fit a word.
pub(crate) const GROUP: usize = WORD as usize / ROWS;

/// Rows as walked, and columns of a strip, with a pixel in both.
pub(crate) struct Extent {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) columns: u64,
    pub(crate) area: u32,
}

/// Walks a strip. Without a pixel `columns` is 0 and the rest means nothing.
#[inline(always)]
pub(crate) fn walk<S: Simd, const F: bool, const R: bool, const AREA: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
) -> Extent {
    let nothing = u64x8::splat(window.simd, 0);
    let mut all = nothing;
    let mut count = Count::new(nothing);
    let (mut first, mut last) = (u32::MAX, 0);
    let mut start = 0;
    while start < blocks {
        let end = (start + GROUP).min(blocks);
        let mut rows = 0;
        for block in start..end {
            let both = window.both(block);
            all |= both;
            rows |= bits(both) << (ROWS * (block - start));
            if AREA {
                count.add(both);
            }
        }
        let row = (start * ROWS) as u32;
        let lowest = if rows == 0 { u32::MAX } else { row + rows.trailing_zeros() };
        let highest = if rows == 0 { 0 } else { row + (WORD - 1) - rows.leading_zeros() };
        first = first.min(lowest);
        last = last.max(highest);
        start = end;
    }
    Extent { first, last, columns: union(all), area: if AREA { count.total() } else { 0 } }
}

/// Of up to [`GROUP`] blocks: one bit for each row and for each column with a pixel in both, and the
/// area.
#[inline(always)]
pub(crate) fn few_blocks<S: Simd, const F: bool, const R: bool, const AREA: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
) -> (u64, u64, u32) {
    let nothing = u64x8::splat(window.simd, 0);
    let (mut all, mut rows, mut count) = (nothing, 0, Count::new(nothing));
    for block in 0..blocks {
        let both = window.both(block);
        all |= both;
        rows |= bits(both) << (ROWS * block);
        if AREA {
            count.add(both);
        }
    }
    (rows, union(all), if AREA { count.total() } else { 0 })
}

/// The columns with a pixel in both.
#[inline(always)]
pub(crate) fn columns<S: Simd, const F: bool, const R: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
) -> u64 {
    let mut all = u64x8::splat(window.simd, 0);
    for block in 0..blocks {
        all |= window.both(block);
    }
    union(all)
}

/// One bit for each row that is not zero.
#[inline(always)]
pub(crate) fn bits<S: Simd>(block: u64x8<S>) -> u64 {
    block.simd_ne(u64x8::splat(block.simd, 0)).to_bitmask()
}

/// All rows in one.
#[inline(always)]
fn union<S: Simd>(block: u64x8<S>) -> u64 {
    let (low, high) = block.split();
    let (low, high) = (low | high).split();
    let [a, b] = (low | high).to_array();
    a | b
}

/// Of up to [`GROUP`] blocks, one bit for each row with a pixel in `columns`.
#[inline(always)]
pub(crate) fn rows<S: Simd, const F: bool, const R: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
    columns: u64,
) -> u64 {
    let wanted = u64x8::splat(window.simd, columns);
    let mut rows = 0;
    for block in 0..blocks {
        rows |= bits(window.both(block) & wanted) << (ROWS * block);
    }
    rows
}

/// The first row, as walked, of blocks `from` to `to` with a pixel in `columns`.
#[inline(always)]
pub(crate) fn first_row<S: Simd, const F: bool, const R: bool>(
    window: &Window<'_, S, F, R>,
    (from, to): (usize, usize),
    columns: u64,
) -> Option<u32> {
    let wanted = u64x8::splat(window.simd, columns);
    for block in from..to {
        let rows = bits(window.both(block) & wanted);
        if rows != 0 {
            return Some((block * ROWS) as u32 + rows.trailing_zeros());
        }
    }
    None
}

/// The last such row.
#[inline(always)]
pub(crate) fn last_row<S: Simd, const F: bool, const R: bool>(
    window: &Window<'_, S, F, R>,
    (from, to): (usize, usize),
    columns: u64,
) -> Option<u32> {
    let wanted = u64x8::splat(window.simd, columns);
    for block in (from..to).rev() {
        let rows = bits(window.both(block) & wanted);
        if rows != 0 {
            return Some((block * ROWS) as u32 + (WORD - 1) - rows.leading_zeros());
        }
    }
    None
}
