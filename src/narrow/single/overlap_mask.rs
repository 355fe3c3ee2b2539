//! The pixels set in both of two masks, as a mask of the first one's size.
//!
//! ```text
//! for each strip of a that b reaches: its rows and (near >> shift | far << (64 - shift)) of b's
//! ```

use super::{Work, on};
use crate::geom::Point;
use crate::mask::{BLOCK, Mask, MaskRef, WORD, strips_of};
use crate::narrow::simd_level;
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, u64x8};

/// Where the boxes of two masks that are the same way up overlap, in rows as they are stored.
struct Meeting {
    /// The first row of the first mask.
    top: i32,
    /// Words of each strip, whole blocks of them: past the last row one side reads zeros.
    words: usize,
    columns: u32,
    /// Row of the first mask that the second one's first meets.
    dy: i32,
}

impl Meeting {
    #[inline(always)]
    fn new(a: &MaskRef<'_>, b: &MaskRef<'_>, Point { x: dx, y: dy }: Point) -> Option<Self> {
        let [aw, ah, bw, bh] = [a.width(), a.height(), b.width(), b.height()].map(|v| v as i32);
        let some = (aw > 0) & (ah > 0) & (bw > 0) & (bh > 0);
        // Sides are below 2^15: what passes has offsets as small.
        if !((dx < aw) & (dx > -bw) & (dy < ah) & (dy > -bh) & some) {
            return None;
        }
        let dy = if a.is_flipped() { ah - bh - dy } else { dy };
        let (top, bottom) = (dy.max(0), ah.min(dy + bh));
        let words = ((bottom - top) as u32).next_multiple_of(BLOCK) as usize;
        Some(Self { top, words, columns: (aw.min(dx + bw) - dx.max(0)) as u32, dy })
    }
}

/// `words` words of a strip from row `row` on, guards included.
#[inline(always)]
fn rows<'p>(mask: &MaskRef<'p>, strip: u32, row: u32, words: usize) -> &'p [u64] {
    let (pool, start) = mask.strip(strip);
    &pool[start + row as usize..][..words]
}

/// The pixels set in both `a`, at (0, 0), and `b`, at `offset`: a mask of `a`'s size.
pub(in crate::narrow) fn overlap_mask(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Mask {
    let mut both = Mask::clear_of(a.width(), a.height());
    share_on(simd_level::preferred(), a, b, offset, &mut both);
    both
}

/// The same in `both`, whatever it was before.
pub(in crate::narrow) fn overlap_mask_into(
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
    both: &mut Mask,
) {
    both.reset(a.width(), a.height());
    share_on(simd_level::preferred(), a, b, offset, both);
}

/// Sets what both share in a clear mask of `a`'s size.
#[inline(always)]
pub(super) fn share_on(
    level: Level,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
    both: &mut Mask,
) {
    if a.is_flipped() | b.is_flipped() {
        both.draw(*a, [0, 0]);
        return both.intersect(*b, offset);
    }
    if let Some(meeting) = Meeting::new(a, b, offset) {
        on(level, Share { a, b, dx: offset.x, meeting, both });
    }
}

struct Share<'p, 'm> {
    a: &'p MaskRef<'p>,
    b: &'p MaskRef<'p>,
    dx: i32,
    meeting: Meeting,
    both: &'m mut Mask,
}

impl Work for Share<'_, '_> {
    type Answer = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { a, b, dx, meeting: Meeting { top, words, columns, dy }, both } = self;
        let (a_row, b_row) = (top as u32, (top - dy) as u32);
        // Strips that b does not reach stay clear.
        let left = dx.max(0) as u32;
        for s in left / WORD..strips_of(left + columns) {
            // The strip of b that this one begins in, and how far; it ends in the one after it.
            let column = (s * WORD) as i32 - dx;
            let (strip, shift) = (column >> WORD.ilog2(), column as u32 % WORD);
            // One that there is not counts as clear: its rows are those of another, masked out.
            let is_near = (0 <= strip) & (strip < b.strips() as i32);
            let is_far = (shift != 0) & (strip + 1 < b.strips() as i32);
            let near = rows(b, if is_near { strip as u32 } else { 0 }, b_row, words);
            let far = rows(b, if is_far { (strip + 1) as u32 } else { 0 }, b_row, words);
            let keep = |part: bool| u64::from(part).wrapping_neg();
            let keep_near = u64x8::splat(simd, keep(is_near));
            let keep_far = u64x8::splat(simd, keep(is_far));
            let own = rows(a, s, a_row, words).as_chunks().0;
            let target = both.strip_mut(s)[top as usize..][..words].as_chunks_mut().0;
            let parts = near.as_chunks().0.iter().zip(far.as_chunks().0);
            for (target, (own, (near, far))) in target.iter_mut().zip(own.iter().zip(parts)) {
                let near = (u64x8::load_array_ref(simd, near) & keep_near) >> shift;
                let far = (u64x8::load_array_ref(simd, far) & keep_far) << ((WORD - shift) % WORD);
                *target = ((near | far) & u64x8::load_array_ref(simd, own)).into();
            }
        }
    }
}
