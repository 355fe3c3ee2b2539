//! One pair, yes or no: the kernel behind `touches` on two masks.
//!
//! ```text
//! swap, so that the left mask comes first; leave unless the boxes overlap
//! a small left mask: one strip, and none beyond; the same without a look at either
//! leave if the middle 16 rows of the middle strip share a pixel, or are all there is
//! large masks: leave if their boards know
//! for each strip of the right mask, the middle one first:
//!   leave if its rows share a pixel: (near >> shift | far << (64 - shift)) & right
//! ```
//!
//! 1. What costs here is mispredicted branches: a pair has few rows, and which way it goes is as
//!    good as random. So the swap is made of conditional moves, the middle is looked at without
//!    asking whether there is a far strip, and a strip of up to [`LOOK`] blocks is walked to its
//!    end with one look at what was found.
//! 2. Several strips that the middle leaves open are enough work for the widest instructions of the
//!    machine, chosen at run time.
//! 3. Nothing is built that another query might need, and what is rare is behind calls that are
//!    never inlined: it would cost every pair the room for its locals.
//! 4. Two masks upside down are two upright masks at the mirrored offset. One of the two upside
//!    down goes to `single`, which can walk rows backwards.

use super::batch::place::Place;
use super::batch::query::{Query, Reply, one};
use super::batch::touches;
use super::batch::window::{self, Job, Window};
use super::single::{self, Shape};
use super::{Certainty, coarse};
use crate::geom::Point;
use crate::mask::{BLOCK, MaskRef, WORD, strips_of};
use fearless_simd::Simd;
use std::hint::select_unpredictable;
use wide::u64x8;

/// Blocks of a strip between two looks at what was found.
const LOOK: usize = 8;

/// A left mask whose sides are no longer than this has no second strip, and a way of its own.
/// Not 64: in a scene of one size the processor learns which way it goes, but for sprites of 80
/// pixels, some of which are narrower than a strip, that would be as good as random.
const SMALL: u32 = 40;

/// Words of the smaller mask from which the coarse boards are asked before the pixels. Lower, and
/// boards cost more than the pixels they save; higher, and large misses are walked in full.
const LARGE: u32 = 1024;

/// True where a pixel is set in both `a` at (0, 0) and `b` at `offset`.
#[inline(always)]
pub(crate) fn touches(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> bool {
    let swap = offset.x < 0;
    // What is rare gets copies: the address of what is looked at here must not be known elsewhere, or
    // each field would be stored for it.
    let (left, right) = (*select_unpredictable(swap, &b, &a), *select_unpredictable(swap, &a, &b));
    let dx = offset.x.unsigned_abs();
    let dy = select_unpredictable(swap, offset.y.wrapping_neg(), offset.y);
    let (left_h, right_h) = (left.height() as i32, right.height() as i32);
    // Sides are below 2^15: a pair that passes has offsets as small, and 32 bits suffice for it.
    let meet_x = (dx < left.width()) & (right.width() != 0);
    if !(meet_x & (dy < left_h) & (dy > -right_h)) {
        return false;
    }
    if a.is_flipped() != b.is_flipped() {
        return one_upside_down(a, b, offset);
    }
    let dy = if a.is_flipped() { left_h - right_h - dy } else { dy };
    let (top, right_top) = (dy.max(0) as u32, (-dy).max(0) as u32);
    let rows = (left.height() - top).min(right.height() - right_top);
    if rows == 0 {
        return false;
    }
    let blocks = rows.div_ceil(BLOCK);
    let (half, words) = ((blocks / 2 * BLOCK) as usize, BLOCK as usize);
    // Both again where there is one block.
    let before = half.saturating_sub(words);
    if left.width().max(left.height()) <= SMALL {
        let ((left_pool, near), (right_pool, other)) = (left.strip(0), right.strip(0));
        let (near, other) = (near + top as usize, other + right_top as usize);
        let both =
            |down: usize| eight(left_pool, near + down) >> dx & eight(right_pool, other + down);
        let hit = is_set(both(half) | both(before));
        if hit | (blocks <= 2) {
            return hit;
        }
        let words = (blocks * BLOCK) as usize;
        let (near, right) = (&left_pool[near..][..words], &right_pool[other..][..words]);
        return one_strip_touches(near, &[], right, dx);
    }
    let columns = (left.width() - dx).min(right.width());
    let lanes = strips_of(columns);
    let (skip, shift) = (dx / WORD, dx % WORD);
    // The strip that the middle column lies in.
    let middle = (columns - 1) / (2 * WORD);

    let (left_pool, near) = left.strip(skip + middle);
    let (right_pool, other) = right.strip(middle);
    let near = near + top as usize;
    let other = other + right_top as usize;
    let is_far = (shift != 0) & (columns - middle * WORD + shift > WORD);
    // Whether there is a far strip is as good as random. Without one, the zeros that every pool
    // begins with take its place.
    let far = near + left.stride();
    let in_both = |down: usize| {
        let far = eight(left_pool, select_unpredictable(is_far, far + down, 0));
        let window = eight(left_pool, near + down) >> shift | far << ((WORD - shift) % WORD);
        window & eight(right_pool, other + down)
    };
    let hit = is_set(in_both(half) | in_both(before));
    // In one branch: what it looked at may have been all.
    if hit | ((blocks <= 2) & (lanes == 1)) {
        return hit;
    }
    if lanes == 1 {
        let words = (blocks * BLOCK) as usize;
        let (near, right) = (&left_pool[near..][..words], &right_pool[other..][..words]);
        let far = if is_far { &left_pool[far..][..words] } else { &[] };
        return one_strip_touches(near, far, right, shift);
    }
    let back =
        |middle_start: usize, stride: usize| (middle_start - middle as usize * stride) as u32;
    let near = back(near, left.stride());
    let far = near + left.stride() as u32;
    let strips = Shape {
        pools: [left_pool, right_pool],
        job: Job { near, far, right: back(other, right.stride()), shift },
        left_stride: left.stride() as u32,
        right_stride: right.stride() as u32,
        columns,
        blocks,
    };
    strips_touch(a, b, offset, strips)
}

/// Eight words from word `from` on.
#[inline(always)]
fn eight(pool: &[u64], from: usize) -> u64x8 {
    u64x8::new(*pool[from..from + 8].first_chunk().unwrap())
}

/// Whether the only strip does; `far` is empty where there is no far strip.
#[inline(never)]
fn one_strip_touches(near: &[u64], far: &[u64], right: &[u64], shift: u32) -> bool {
    if far.is_empty() {
        strip_touches::<false>(near, near, right, shift)
    } else {
        strip_touches::<true>(near, far, right, shift)
    }
}

/// Whether one of several strips meets a pixel, of the masks as they are stored.
#[inline(never)]
fn strips_touch(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, strips: Shape<'_>) -> bool {
    let words = |mask: MaskRef<'_>| mask.strips() * mask.height();
    if words(a).min(words(b)) >= LARGE {
        match coarse::certainty(a, b, offset) {
            Certainty::No => return false,
            Certainty::Yes => return true,
            Certainty::Maybe => {}
        }
    }
    single::walk(Meets, strips)
}

#[cold]
#[inline(never)]
fn one_upside_down(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> bool {
    single::ask(Meets, &a, &b, offset)
}

/// Is a pixel set in both? From the middle strip and the middle of each outwards.
#[derive(Clone, Copy)]
struct Meets;

impl Query for Meets {
    type Found = bool;
    const NONE: bool = false;

    #[inline(always)]
    fn strip<S: Simd, const FAR: bool, const REVERSED: bool>(
        self,
        window: Window<'_, S, FAR, REVERSED>,
        blocks: usize,
        _: Place,
        known: bool,
    ) -> bool {
        known || touches::strip(&window, blocks)
    }

    #[inline(always)]
    fn pair<S: Simd, const REVERSED: bool>(
        self,
        strips: window::Strips<'_, S, REVERSED>,
        place: Place,
    ) -> bool {
        let (n, middle) = (strips.len(), (strips.columns - 1) / (2 * WORD));
        let mut known = false;
        for i in 0..n {
            let strip = if i < n - middle { middle + i } else { n - 1 - i };
            known = one(self, strips, strip, place, known);
            if known {
                break;
            }
        }
        known
    }
}

impl Reply for Meets {
    type Answer = bool;
    const PLACE: bool = false;

    #[inline(always)]
    fn answer(self, found: bool, _: Point) -> bool {
        found
    }
}

/// True where any bit is set. (`u64x8::any` looks at sign bits only.)
#[inline(always)]
fn is_set(block: u64x8) -> bool {
    block.to_array().iter().fold(0, |all, row| all | row) != 0
}

#[inline(always)]
fn strip_touches<const FAR: bool>(near: &[u64], far: &[u64], right: &[u64], shift: u32) -> bool {
    let (near, far, right) = (near.as_chunks().0, far.as_chunks().0, right.as_chunks().0);
    let n = near.len().min(far.len()).min(right.len());
    // Equal lengths, said so that the loops need no further checks.
    let (near, far, right) = (&near[..n], &far[..n], &right[..n]);
    let union = |start: usize, end: usize| {
        let mut any = u64x8::from(0);
        for block in start..end {
            let mut window = u64x8::new(near[block]) >> shift;
            if FAR {
                window |= (u64x8::new(far[block]) << 1) << (WORD - 1 - shift);
            }
            any |= window & u64x8::new(right[block]);
        }
        is_set(any)
    };
    if n <= LOOK {
        return union(0, n);
    }
    // From the middle to the end, then from the start to the middle: sprites are solid inside.
    let middle = n / 2;
    (middle..n).step_by(LOOK).any(|start| union(start, (start + LOOK).min(n)))
        || (0..middle).step_by(LOOK).any(|start| union(start, (start + LOOK).min(middle)))
}
