//! Is a pixel set in both? Stages 3 to 5 for that question.
//!
//! ```text
//! bucket the pairs, but for the long ones where a probe may settle them:
//!     probe one block, the middle rows of the middle strip
//!     bucket what is left of them
//! for strip = the middle one, then the others:
//!     run the buckets
//!     bucket the pairs that have another strip and are not settled
//! the same for large pairs, but one pair after the other
//! ```
//!
//! 1. Sprites are solid inside: the probe settles most hits, and misses cost it one block. It does
//!    not ask whether there is a far strip, which is as good as random: without one it reads zeros.
//! 2. All jobs of a bucket take the same number of turns through the same code, up to 8 blocks
//!    even unrolled: a bucket costs a mispredicted branch or two, and a pair none.
//! 3. Strips share cache lines: the one that a strip reaches into is the next one's own. What is
//!    larger than a bucket's worth of pairs can keep in the nearest cache goes pair by pair.
//! 4. A strip is run to its end, without looking in between: for 8 blocks and less the branch
//!    costs more than the blocks it could save.

use super::geometry::{
    BACKWARDS, FAR, Geometry, NOBODY, PROBES, REVERSED, TURNS, WIDE, blocks_of, is_large,
};
use super::task::Task;
use super::window::{Window, is_set};
use super::{CHUNK, FEW, Scratch};
use crate::mask::WORD;
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
        pool: &[u64],
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
    pool: &[u64],
    n: usize,
    hits: &mut [bool; CHUNK],
) {
    let Scratch { stage, geometry, buckets, open, probed } = scratch;
    let n = n.min(CHUNK);
    geometry.fill::<true, false>(stage, n);
    for (pair, &first) in (0_u16..).zip(&geometry.first.0[..n]) {
        buckets.append(first, pair);
    }
    let mut more = open.refill();
    for kind in (PROBES..NOBODY).step_by(BACKWARDS as usize) {
        for key in kind..kind + TURNS {
            probed.copy(buckets.take(key));
            for &pair in probed.as_slice() {
                let i = pair as usize % CHUNK;
                hits[i] = if kind & BACKWARDS != 0 {
                    probe::<S, true>(simd, geometry, pool, i)
                } else {
                    probe::<S, false>(simd, geometry, pool, i)
                };
                buckets.append_if(geometry.key.0[i], pair, u32::from(!hits[i]));
                if kind & WIDE != 0 {
                    more.push_if(pair, u32::from(!hits[i]));
                }
            }
        }
    }
    more.finish();
    buckets.clear(PROBES);
    let mut turn = 0;
    loop {
        for group in 0..PROBES / 64 {
            let mut filled = buckets.filled(simd, group as usize);
            while filled != 0 {
                let key = group * 64 + filled.trailing_zeros();
                filled &= filled - 1;
                bucket(simd, geometry, pool, hits, (key, buckets.take(key)));
            }
        }
        turn += 1;
        open.retain(|i| !hits[i] & (turn * WORD < geometry.columns.0[i]));
        if turn == 1 {
            for &pair in open.as_slice() {
                let i = pair as usize % CHUNK;
                if is_large(geometry.blocks.0[i], geometry.columns.0[i]) {
                    other_strips(simd, geometry, pool, hits, i);
                }
            }
            open.retain(|i| !is_large(geometry.blocks.0[i], geometry.columns.0[i]));
        }
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

/// Runs the strips of pair `i` but the middle one, one after the other.
#[inline(always)]
fn other_strips<S: Simd>(
    simd: S,
    geometry: &mut Geometry,
    pool: &[u64],
    hits: &mut [bool; CHUNK],
    i: usize,
) {
    for turn in 1..geometry.columns.0[i].div_ceil(WORD) {
        geometry.turn_to(i, turn);
        let (key, pair) = (geometry.key.0[i], [i as u16]);
        match (key & FAR != 0, key & REVERSED != 0) {
            (false, false) => any::<S, false, false>(simd, geometry, pool, hits, &pair),
            (true, false) => any::<S, true, false>(simd, geometry, pool, hits, &pair),
            (false, true) => any::<S, false, true>(simd, geometry, pool, hits, &pair),
            (true, true) => any::<S, true, true>(simd, geometry, pool, hits, &pair),
        }
        if hits[i] {
            break;
        }
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
fn strip<S: Simd, const F: bool, const R: bool>(
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
