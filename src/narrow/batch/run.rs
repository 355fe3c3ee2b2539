//! Stages 3 to 5: who needs which kernel, and the kernels.
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
//! 1. Sprites are solid inside: the probe settles most hits, and misses cost it one block.
//! 2. All jobs of a bucket take the same number of turns through the same code, up to 8 blocks
//!    even unrolled: a bucket costs a mispredicted branch or two, and a pair none.
//! 3. Strips share cache lines: the one that a strip reaches into is the next one's own. What is
//!    larger than a bucket's worth of pairs can keep in the nearest cache goes pair by pair (512
//!    px, area: 168 ns the other way).
//! 4. A strip is run to its end, without looking in between: for 8 blocks and less the branch
//!    costs more than the blocks it could save.

use super::bucket::KEYS;
use super::geometry::{BLOCKS, FAR, Geometry, LARGE, REVERSED, is_large};
use super::query::{Place, Query};
use super::window::{Job, ROWS, Window};
use super::{CHUNK, Scratch};
use crate::mask::WORD;
use fearless_simd::Simd;

/// Settles the first `n` pairs staged in `scratch`, and puts what is found into `found`.
#[inline(always)]
pub(crate) fn run<S: Simd, Q: Query + Copy>(
    simd: S,
    query: Q,
    scratch: &mut Scratch,
    pool: &[u64],
    n: usize,
    found: &mut [Q::Found; CHUNK],
) {
    let Scratch { stage, geometry, buckets, open } = scratch;
    let n = n.min(CHUNK);
    match (Q::PROBE, Q::PLACE) {
        (true, _) => geometry.fill::<true, false>(stage, n),
        (false, true) => geometry.fill::<false, true>(stage, n),
        (false, false) => geometry.fill::<false, false>(stage, n),
    }
    let firsts = geometry.first.0[..n].iter().zip(&geometry.open.0[..n]);
    let mut adding = open.refill();
    for (pair, (&first, &is_open)) in (0_u16..).zip(firsts) {
        buckets.append(first, pair);
        adding.push_if(pair, is_open);
    }
    adding.finish();
    buckets.clear();
    let mut widest = 0;
    for &pair in open.as_slice() {
        let i = pair as usize % CHUNK;
        widest = widest.max(geometry.columns.0[i]);
        if Q::PROBE {
            found[i] = probe(simd, query, geometry, pool, i);
            buckets.append_if(geometry.key.0[i], pair, !Q::is_settled(found[i]));
        }
    }
    let mut turn = 0;
    loop {
        for group in 0..KEYS / 64 {
            let mut filled = buckets.filled(simd, group);
            while filled != 0 {
                let key = group * 64 + filled.trailing_zeros() as usize;
                filled &= filled - 1;
                bucket(simd, query, geometry, pool, found, (key as u32, buckets.take(key)));
            }
        }
        turn += 1;
        if turn * WORD >= widest {
            break;
        }
        open.retain(|i| !Q::is_settled(found[i]) & (turn * WORD < geometry.columns.0[i]));
        if turn == 1 && widest > LARGE {
            let done = u32::from(Q::PROBE);
            for &pair in open.as_slice() {
                let i = pair as usize % CHUNK;
                if is_large(geometry.blocks.0[i], geometry.columns.0[i]) {
                    all_strips(simd, query, geometry, pool, found, (i, done));
                }
            }
            open.retain(|i| !is_large(geometry.blocks.0[i], geometry.columns.0[i]));
        }
        for &pair in open.as_slice() {
            let i = pair as usize % CHUNK;
            geometry.turn_to(i, turn);
            buckets.append(geometry.key.0[i], pair);
        }
    }
}

/// Runs the strips of pair `i` from turn `done` on, one after the other.
#[inline(always)]
fn all_strips<S: Simd, Q: Query + Copy>(
    simd: S,
    query: Q,
    geometry: &mut Geometry,
    pool: &[u64],
    found: &mut [Q::Found; CHUNK],
    (i, done): (usize, u32),
) {
    for turn in done..geometry.columns.0[i].div_ceil(WORD) {
        if turn > 0 {
            geometry.turn_to(i, turn);
        }
        let (key, pair) = (geometry.key.0[i], [i as u16]);
        match (key & FAR != 0, key & REVERSED != 0) {
            (false, false) => any::<S, Q, false, false>(simd, query, geometry, pool, found, &pair),
            (true, false) => any::<S, Q, true, false>(simd, query, geometry, pool, found, &pair),
            (false, true) => any::<S, Q, false, true>(simd, query, geometry, pool, found, &pair),
            (true, true) => any::<S, Q, true, true>(simd, query, geometry, pool, found, &pair),
        }
        if Q::is_settled(found[i]) {
            break;
        }
    }
}

/// One block of pair `i`, the middle one of the middle strip.
#[inline(always)]
fn probe<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    pool: &[u64],
    i: usize,
) -> Q::Found {
    let key = geometry.key.0[i];
    let (blocks, rows) = (geometry.blocks.0[i], ROWS as u32);
    let middle = blocks / 2;
    let reversed = key & REVERSED != 0;
    let near = geometry.near.0[i] + middle * rows;
    let job = Job {
        near,
        // The words in front of the first mask are zero: one block's worth.
        far: if key & FAR != 0 { near + geometry.left_stride.0[i] } else { 0 },
        right: geometry.right.0[i] + rows * if reversed { blocks - 1 - middle } else { middle },
        shift: geometry.shift.0[i],
    };
    let place = Place { column: 0, rows: 0, upwards: false };
    if reversed {
        query.strip(Window::<S, true, true>::new(simd, pool, job, 1), 1, place)
    } else {
        query.strip(Window::<S, true, false>::new(simd, pool, job, 1), 1, place)
    }
}

/// Runs the jobs of one bucket.
#[inline(always)]
fn bucket<S: Simd, Q: Query + Copy>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    pool: &[u64],
    found: &mut [Q::Found; CHUNK],
    jobs: (u32, &[u16]),
) {
    match (jobs.0 & FAR != 0, jobs.0 & REVERSED != 0) {
        (false, false) => by_length::<S, Q, false, false>(simd, query, geometry, pool, found, jobs),
        (true, false) => by_length::<S, Q, true, false>(simd, query, geometry, pool, found, jobs),
        (false, true) => by_length::<S, Q, false, true>(simd, query, geometry, pool, found, jobs),
        (true, true) => by_length::<S, Q, true, true>(simd, query, geometry, pool, found, jobs),
    }
}

#[inline(always)]
fn by_length<S: Simd, Q: Query + Copy, const F: bool, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    pool: &[u64],
    found: &mut [Q::Found; CHUNK],
    (key, pairs): (u32, &[u16]),
) {
    if !Q::UNROLLED {
        return any::<S, Q, F, R>(simd, query, geometry, pool, found, pairs);
    }
    match key % FAR {
        0 => fixed::<S, Q, F, R, 1>(simd, query, geometry, pool, found, pairs),
        1 => fixed::<S, Q, F, R, 2>(simd, query, geometry, pool, found, pairs),
        2 => fixed::<S, Q, F, R, 3>(simd, query, geometry, pool, found, pairs),
        3 => fixed::<S, Q, F, R, 4>(simd, query, geometry, pool, found, pairs),
        4 => fixed::<S, Q, F, R, 5>(simd, query, geometry, pool, found, pairs),
        5 => fixed::<S, Q, F, R, 6>(simd, query, geometry, pool, found, pairs),
        6 => fixed::<S, Q, F, R, 7>(simd, query, geometry, pool, found, pairs),
        7 => fixed::<S, Q, F, R, 8>(simd, query, geometry, pool, found, pairs),
        _ => any::<S, Q, F, R>(simd, query, geometry, pool, found, pairs),
    }
}

/// The kernel for `BLOCKS` blocks, unrolled.
#[inline(always)]
fn fixed<S: Simd, Q: Query + Copy, const F: bool, const R: bool, const BLOCKS: usize>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    pool: &[u64],
    found: &mut [Q::Found; CHUNK],
    pairs: &[u16],
) {
    for &pair in pairs {
        let i = pair as usize % CHUNK;
        let window = Window::<S, F, R>::new(simd, pool, geometry.job(i), BLOCKS);
        let more = query.strip(window, BLOCKS, geometry.place(i));
        found[i] = Q::join(found[i], more);
    }
}

/// The kernel for any number of blocks. A function of its own, since it is called from several
/// places and a call costs nothing beside what it does.
#[inline(always)]
fn any<S: Simd, Q: Query + Copy, const F: bool, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    pool: &[u64],
    found: &mut [Q::Found; CHUNK],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let blocks = geometry.blocks.0[i] as usize;
                let window = Window::<S, F, R>::new(simd, pool, geometry.job(i), blocks);
                let more = query.strip(window, blocks, geometry.place(i));
                found[i] = Q::join(found[i], more);
            }
        },
    );
}

const _: () = assert!(BLOCKS < FAR);
