//! Stages 4 and 5 for queries that walk all strips of a pair: pairs by their number of blocks and
//! strips, and the kernels.
//!
//! ```text
//! bucket the pairs that meet, by blocks, strips and the direction of rows
//! for each bucket, for each pair in it: walk its strips
//! ```
//!
//! 1. All pairs of a bucket take the same number of turns through the same code: a bucket costs a
//!    mispredicted branch or two, and a pair none.
//! 2. A pair is walked with all its strips at once: the strip that one reaches into is the next
//!    one's own, and is then still in the nearest cache.

use super::geometry::{FAR, Geometry, REVERSED, STRIP, STRIPS, TALL_WALKED, blocks_of, is_tall};
use super::query::Query;
use super::stage::Stage;
use super::window::{Strips, Window};
use super::{ALL, CHUNK, Scratch};
use crate::mask::Pool;
use fearless_simd::Simd;

/// Walks the first `n` pairs, whose geometry is filled, and puts what is found into `found`, which
/// has room for them.
#[inline(always)]
pub(crate) fn run<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    scratch: &mut Scratch<ALL>,
    pool: Pool<'_>,
    n: usize,
    found: &mut [Q::Found],
) {
    let Scratch { stage, geometry, buckets, .. } = scratch;
    let (n, words) = (n.min(CHUNK), pool.words);
    let firsts = geometry.first.0[..n].iter().zip(&geometry.open.0[..n]);
    for (pair, (&first, &meets)) in (0_u16..).zip(firsts) {
        buckets.append_any_if(first, pair, meets);
    }
    for group in 0..STRIP * STRIPS / 64 {
        let mut filled = buckets.filled(simd, group as usize);
        while filled != 0 {
            let key = group * 64 + filled.trailing_zeros();
            filled &= filled - 1;
            let pairs = buckets.take(key);
            // Of the last buckets at least so many.
            let is_tall = Q::CUT & is_tall(blocks_of(key), key / STRIP + 1, TALL_WALKED);
            match (is_tall, key & REVERSED != 0) {
                (false, false) => {
                    bucket::<S, Q, false>(simd, query, geometry, words, found, (key, pairs));
                }
                (false, true) => {
                    bucket::<S, Q, true>(simd, query, geometry, words, found, (key, pairs));
                }
                (true, false) => {
                    tall::<S, Q, false>(simd, query, (stage, geometry), pool, found, pairs);
                }
                (true, true) => {
                    tall::<S, Q, true>(simd, query, (stage, geometry), pool, found, pairs);
                }
            }
        }
    }
}

/// Notes what is found of pair `i`. There is room for it: the check is for the compiler.
#[inline(always)]
fn put<T>(all: &mut [T], i: usize, found: T) {
    if let Some(slot) = all.get_mut(i) {
        *slot = found;
    }
}

/// Runs the pairs of one bucket.
#[inline(always)]
fn bucket<S: Simd, Q: Query, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    (key, pairs): (u32, &[u16]),
) {
    match (key >= STRIP, key & FAR != 0, Q::UNROLLED) {
        (true, _, _) => any::<S, Q, R>(simd, query, geometry, words, found, pairs),
        (_, false, true) => {
            by_length::<S, Q, false, R>(simd, query, geometry, words, found, (key, pairs));
        }
        (_, true, true) => {
            by_length::<S, Q, true, R>(simd, query, geometry, words, found, (key, pairs));
        }
        (_, false, _) => one_strip::<S, Q, false, R>(simd, query, geometry, words, found, pairs),
        (_, true, _) => one_strip::<S, Q, true, R>(simd, query, geometry, words, found, pairs),
    }
}

#[inline(always)]
fn by_length<S: Simd, Q: Query, const F: bool, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    (key, pairs): (u32, &[u16]),
) {
    match blocks_of(key) {
        1 => fixed::<S, Q, F, R, 1>(simd, query, geometry, words, found, pairs),
        2 => fixed::<S, Q, F, R, 2>(simd, query, geometry, words, found, pairs),
        3 => fixed::<S, Q, F, R, 3>(simd, query, geometry, words, found, pairs),
        4 => fixed::<S, Q, F, R, 4>(simd, query, geometry, words, found, pairs),
        5 => fixed::<S, Q, F, R, 5>(simd, query, geometry, words, found, pairs),
        6 => fixed::<S, Q, F, R, 6>(simd, query, geometry, words, found, pairs),
        7 => fixed::<S, Q, F, R, 7>(simd, query, geometry, words, found, pairs),
        8 => fixed::<S, Q, F, R, 8>(simd, query, geometry, words, found, pairs),
        _ => one_strip::<S, Q, F, R>(simd, query, geometry, words, found, pairs),
    }
}

/// The kernel for one strip of `BLOCKS` blocks, unrolled. A function of its own, as the next, or else
/// a build without optimisation, where each variable has its place on the stack, needs megabytes of it.
#[inline(always)]
fn fixed<S: Simd, Q: Query, const F: bool, const R: bool, const BLOCKS: usize>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let window = Window::<S, F, R>::new(simd, words, geometry.job(i), BLOCKS);
                put(found, i, query.only(window, BLOCKS, geometry.place(i)));
            }
        },
    );
}

/// The kernel for one strip of any number of blocks.
#[inline(always)]
fn one_strip<S: Simd, Q: Query, const F: bool, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let blocks = geometry.blocks.0[i] as usize;
                let window = Window::<S, F, R>::new(simd, words, geometry.job(i), blocks);
                put(found, i, query.only(window, blocks, geometry.place(i)));
            }
        },
    );
}

/// The kernel for any number of blocks and strips. A function of its own, since it is called from
/// several places and a call costs nothing beside what it does.
#[inline(always)]
fn any<S: Simd, Q: Query, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let strips: Strips<'_, S, R> = geometry.strips(simd, words, None, i);
                put(found, i, query.pair(strips, geometry.place(i)));
            }
        },
    );
}

/// The kernel for tall pairs: each strip cut to the rows in which both masks have pixels. A function of
/// its own, likewise.
#[inline(always)]
fn tall<S: Simd, Q: Query, const R: bool>(
    simd: S,
    query: Q,
    (stage, geometry): (&Stage, &Geometry),
    pool: Pool<'_>,
    found: &mut [Q::Found],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let first = (geometry.near.0[i], geometry.right.0[i]);
                let rows = geometry.rows(stage, pool, i, first);
                let strips: Strips<'_, S, R> = geometry.strips(simd, pool.words, Some(rows), i);
                put(found, i, query.pair(strips, geometry.place(i)));
            }
        },
    );
}
