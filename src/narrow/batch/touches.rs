//! Is a pixel set in both? Stages 3 to 5 for that question.
//!
//! ```text
//! bucket the pairs, but for the long ones where a probe may settle them:
//!     probe one block, the middle rows of the middle strip
//!     bucket what is left of them, but for the tall ones
//! walk the tall ones by the rows in which both have pixels
//! for strip = the middle one, then the others:
//!     run the buckets
//!     bucket the pairs that have another strip and are not settled
//! ```
//!
//! 1. Sprites are solid inside: the probe settles most hits, and misses cost it one block. It does
//!    not ask whether there is a far strip, which is as good as random: without one it reads zeros.
//! 2. All jobs of a bucket take the same number of turns through the same code, up to 8 blocks
//!    even unrolled: a bucket costs a mispredicted branch or two, and a pair none.
//! 3. Of tall pairs most blocks cannot hold a pixel of both, see `rows.rs`, and those that may are too
//!    few for buckets of their own: `tall.rs`.
//! 4. A strip is run to its end, without looking in between: for 8 blocks and less the branch
//!    costs more than the blocks it could save.

use super::geometry::{
    BACKWARDS, FAR, Geometry, HIGH, NOBODY, PROBES, REVERSED, TURNS, WIDE, blocks_of,
};
use super::list::List;
use super::stage::Stage;
use super::tall::{SOME, Walk};
use super::task::Task;
use super::window::{STEP, Window, is_set};
use super::{CHUNK, FEW, Scratch};
use crate::mask::{Pool, TOGETHER, WORD};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, u64x8};

/// Blocks of a long strip between two looks at what was found.
const LOOK: usize = 8;

/// Is a pixel set in both?
#[derive(Clone, Copy)]
pub(crate) struct Touches;

impl Task<FEW> for Touches {
    type Answer = bool;

    #[inline(always)]
    fn run<S: Simd>(
        &mut self,
        simd: S,
        scratch: &mut Scratch<FEW>,
        pool: Pool<'_>,
        answers: &mut [bool],
    ) {
        let mut hits = [false; CHUNK];
        settle(simd, scratch, pool, answers.len(), &mut hits);
        for (answer, hit) in answers.iter_mut().zip(hits) {
            *answer = hit;
        }
    }
}

/// Settles the first `n` pairs staged in `scratch`.
#[inline(always)]
fn settle<S: Simd>(
    simd: S,
    scratch: &mut Scratch<FEW>,
    pool: Pool<'_>,
    n: usize,
    hits: &mut [bool; CHUNK],
) {
    let Scratch { stage, geometry, buckets, open, probed, tall, walks } = scratch;
    let (n, words) = (n.min(CHUNK), pool.words);
    geometry.fill::<true, false>(stage, n);
    for (pair, &first) in (0_u16..).zip(&geometry.first.0[..n]) {
        buckets.append(first, pair);
    }
    let [down, up] = tall;
    let (mut more, mut down_more, mut up_more) = (open.refill(), down.refill(), up.refill());
    let mut filled = buckets.filled(simd, (PROBES / 64) as usize) as u32;
    while filled != 0 {
        let key = PROBES + filled.trailing_zeros();
        filled &= filled - 1;
        probed.copy(buckets.take(key));
        for &pair in probed.as_slice() {
            let i = pair as usize % CHUNK;
            hits[i] = if key & BACKWARDS != 0 {
                probe::<S, true>(simd, geometry, words, i)
            } else {
                probe::<S, false>(simd, geometry, words, i)
            };
            let left = u32::from(!hits[i]);
            match (key & HIGH != 0, key & BACKWARDS != 0) {
                (true, false) => down_more.push_if(pair, left),
                (true, true) => up_more.push_if(pair, left),
                (false, _) => {
                    buckets.append_if(geometry.key.0[i], pair, left);
                    if key & WIDE != 0 {
                        more.push_if(pair, left);
                    }
                }
            }
        }
    }
    down_more.finish();
    up_more.finish();
    by_ranges::<S, false>(simd, (stage, geometry, walks), pool, hits, down);
    by_ranges::<S, true>(simd, (stage, geometry, walks), pool, hits, up);
    more.finish();
    for turn in 0..TURNS {
        buckets.take(NOBODY + turn);
    }
    let mut turn = 0;
    loop {
        for group in 0..PROBES / 64 {
            let mut filled = buckets.filled(simd, group as usize);
            while filled != 0 {
                let key = group * 64 + filled.trailing_zeros();
                filled &= filled - 1;
                bucket(simd, geometry, words, hits, (key, buckets.take(key)));
            }
        }
        turn += 1;
        open.retain(|i| !hits[i] & (turn * WORD < geometry.columns.0[i]));
        if open.as_slice().is_empty() {
            break;
        }
        for &pair in open.as_slice() {
            let i = pair as usize % CHUNK;
            geometry.turn_to(i, turn);
            buckets.append(geometry.key.0[i], pair);
        }
    }
}

/// Settles tall pairs, each strip cut to the rows in which both may have pixels: some blocks of all
/// of them, then some more of those that are left. A function of its own, as those below.
#[inline(always)]
fn by_ranges<S: Simd, const R: bool>(
    simd: S,
    (stage, geometry, walks): (&Stage, &Geometry, &mut [Walk; SOME]),
    pool: Pool<'_>,
    hits: &mut [bool; CHUNK],
    pairs: &mut List,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut start = 0;
            while !pairs.as_slice().is_empty() {
                for some in pairs.as_slice().chunks(SOME) {
                    let mut open = 0;
                    for &pair in some {
                        let walk = Walk::new::<S, R>(simd, (stage, geometry), pool, pair, start);
                        walks[open % SOME] = walk;
                        open += usize::from(walk.is_open());
                    }
                    settle_walks::<S, R>(simd, pool.words, hits, &mut walks[..open]);
                }
                start += TOGETHER as u32;
                pairs.retain(|i| !hits[i] & (geometry.columns.0[i] > start * WORD));
            }
        },
    );
}

/// Takes all walks to their ends, a step of each at a time.
#[inline(always)]
fn settle_walks<S: Simd, const R: bool>(
    simd: S,
    words: &[u64],
    hits: &mut [bool; CHUNK],
    walks: &mut [Walk],
) {
    let mut open = [0_u8; SOME];
    for (slot, open) in (0..).zip(&mut open) {
        *open = slot;
    }
    let mut left = walks.len();
    while left > 0 {
        let mut kept = 0;
        for at in 0..left {
            let slot = open[at % SOME];
            let walk = &mut walks[slot as usize];
            let (job, inside) = walk.step::<R>();
            let window = Window::<S, true, R>::new(simd, words, job, STEP as usize);
            let hit = is_set(union(&window, 0, STEP as usize) & u64x8::splat(simd, inside));
            hits[walk.pair as usize % CHUNK] = hit;
            open[kept % SOME] = slot;
            kept += usize::from(!hit & walk.is_open());
        }
        left = kept;
    }
}

/// One block of pair `i`, the middle one of the middle strip.
#[inline(always)]
fn probe<S: Simd, const REVERSED: bool>(
    simd: S,
    geometry: &Geometry,
    pool: &[u64],
    i: usize,
) -> bool {
    is_set(Window::<S, true, REVERSED>::new(simd, pool, geometry.probe(i), 1).both(0))
}

/// Runs the jobs of one bucket.
#[inline(always)]
fn bucket<S: Simd>(
    simd: S,
    geometry: &Geometry,
    pool: &[u64],
    hits: &mut [bool; CHUNK],
    jobs: (u32, &[u16]),
) {
    match (jobs.0 & FAR != 0, jobs.0 & REVERSED != 0) {
        (false, false) => by_length::<S, false, false>(simd, geometry, pool, hits, jobs),
        (true, false) => by_length::<S, true, false>(simd, geometry, pool, hits, jobs),
        (false, true) => by_length::<S, false, true>(simd, geometry, pool, hits, jobs),
        (true, true) => by_length::<S, true, true>(simd, geometry, pool, hits, jobs),
    }
}

#[inline(always)]
fn by_length<S: Simd, const F: bool, const R: bool>(
    simd: S,
    geometry: &Geometry,
    pool: &[u64],
    hits: &mut [bool; CHUNK],
    (key, pairs): (u32, &[u16]),
) {
    match blocks_of(key) {
        1 => fixed::<S, F, R, 1>(simd, geometry, pool, hits, pairs),
        2 => fixed::<S, F, R, 2>(simd, geometry, pool, hits, pairs),
        3 => fixed::<S, F, R, 3>(simd, geometry, pool, hits, pairs),
        4 => fixed::<S, F, R, 4>(simd, geometry, pool, hits, pairs),
        5 => fixed::<S, F, R, 5>(simd, geometry, pool, hits, pairs),
        6 => fixed::<S, F, R, 6>(simd, geometry, pool, hits, pairs),
        7 => fixed::<S, F, R, 7>(simd, geometry, pool, hits, pairs),
        8 => fixed::<S, F, R, 8>(simd, geometry, pool, hits, pairs),
        _ => any::<S, F, R>(simd, geometry, pool, hits, pairs),
    }
}

/// The kernel for `BLOCKS` blocks, unrolled. A function of its own, or else a build without
/// optimisation, where each variable has its place on the stack, needs megabytes of it.
#[inline(always)]
fn fixed<S: Simd, const F: bool, const R: bool, const BLOCKS: usize>(
    simd: S,
    geometry: &Geometry,
    pool: &[u64],
    hits: &mut [bool; CHUNK],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let window = Window::<S, F, R>::new(simd, pool, geometry.job(i), BLOCKS);
                hits[i] = is_set(union(&window, 0, BLOCKS));
            }
        },
    );
}

/// The kernel for any number of blocks. A function of its own, since it is called from several
/// places and a call costs nothing beside what it does.
#[inline(always)]
fn any<S: Simd, const F: bool, const R: bool>(
    simd: S,
    geometry: &Geometry,
    pool: &[u64],
    hits: &mut [bool; CHUNK],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let blocks = geometry.blocks.0[i] as usize;
                let window = Window::<S, F, R>::new(simd, pool, geometry.job(i), blocks);
                hits[i] = strip(&window, blocks);
            }
        },
    );
}

/// A strip of any number of blocks: from the middle to the end, then from the middle to the start,
/// since sprites are solid inside.
#[inline(always)]
pub(crate) fn strip<S: Simd, const F: bool, const R: bool>(
    window: &Window<'_, S, F, R>,
    blocks: usize,
) -> bool {
    let middle = if blocks > LOOK { blocks / 2 } else { 0 };
    let mut start = middle;
    while start < blocks {
        let end = (start + LOOK).min(blocks);
        if is_set(union(window, start, end)) {
            return true;
        }
        start = end;
    }
    let mut end = middle;
    while end > 0 {
        let start = end.saturating_sub(LOOK);
        if is_set(union(window, start, end)) {
            return true;
        }
        end = start;
    }
    false
}

/// Blocks `start` to `end`, at least one, in one.
#[inline(always)]
fn union<S: Simd, const FAR: bool, const REVERSED: bool>(
    window: &Window<'_, S, FAR, REVERSED>,
    start: usize,
    end: usize,
) -> u64x8<S> {
    let mut any = window.both(start);
    for block in start + 1..end {
        any |= window.both(block);
    }
    any
}
