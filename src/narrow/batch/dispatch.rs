//! Stages 3 and 4: the schedule of the pairs, and the selection of their kernels.
//!
//! There are two schedules, because each loses with the queries of the other. Queries that walk
//! everything run pair by pair. Touches runs strip by strip, after a probe.
//!
//! ```text
//! pair by pair:    bucket the overlapping pairs by blocks, strips and row direction
//!                  for each bucket, for each of its pairs: walk all strips
//!
//! probe first:     bucket the pairs, except the large ones
//!                  probe one block of each large pair: the middle rows of its middle strip
//!                  bucket the large pairs that are still open, except the tall ones
//!                  walk the tall pairs by the rows that are occupied in both masks
//!                  for strip = the middle one, then the others:
//!                      run the buckets
//!                      bucket the open pairs that have another strip
//! ```
//!
//! 1. All pairs of a bucket run the same number of iterations of the same code. So a misprediction
//!    or two is paid per bucket, and none per pair.
//! 2. Pair by pair, all strips of a pair are walked in one go. The far strip of one step is the
//!    near strip of the next. So it is still in the L1 cache (area, 256 px: 59 ns -> 47 ns). For
//!    touches that order costs one misprediction per pair (80 px: 7.5 ns -> 9.0 ns).
//! 3. Sprites are solid inside, so the probe settles most hits. A miss costs one block more. The
//!    probe does not branch on the presence of a far strip, which is unpredictable: without one it
//!    reads zeros.
//! 4. Single-strip jobs, pairs of several strips and tall pairs run in one function each, never
//!    inlined. All kernels in one function compete for registers (touches
//!    512 px 1.07x with AVX2). A call per bucket is too many where there are many buckets: 160 px
//!    1.05x to 1.15x.
//! 5. Each kernel is a closure of its own (`vectorize`). Otherwise an unoptimised build, which
//!    gives each variable a stack slot, would need megabytes of stack.

use super::buffers::{BatchBuffers, TOUCHES_PAIRS, Work};
use super::job_buckets::{
    BUCKETS_PER_KEY, FAR, IndexList, NO_OVERLAP, PROBE_REVERSED, PROBE_TALL, PROBE_WIDE, PROBES,
    REVERSED, STRIP_CLASSES, STRIP_UNIT, blocks_of,
};
use super::pair_geometry::{Geometry, TALL_WALKED, is_tall};
use super::shifted_rows::{ShiftedRows, Strips, any_bit};
use super::staging::{CHUNK, Stage};
use super::strip_query::{Query, WalkPosition};
use super::touches_query::{TallWalk, Touches, WALKS, settle_tall};
use crate::mask::{MaskPool, WORD};
use fearless_simd::Simd;

/// Settles the first `n` pairs, each with all its strips at once, without a probe.
#[inline(always)]
pub(crate) fn pair_by_pair<S: Simd, Q: Query, const PAIRS: usize>(
    simd: S,
    query: Q,
    scratch: &mut BatchBuffers<PAIRS>,
    pool: MaskPool<'_>,
    n: usize,
    found: &mut [Q::Found],
) {
    let BatchBuffers { stage, work } = scratch;
    let Work { geometry, buckets, .. } = &mut *work;
    let n = n.min(CHUNK);
    let firsts = geometry.first.0[..n].iter().zip(&geometry.open.0[..n]);
    for (pair, (&first, &overlaps)) in (0_u16..).zip(firsts) {
        buckets.append_any_if(first, pair, overlaps);
    }
    one_strip_each(simd, query, work, pool, found);
    several_strips_each(simd, query, (stage, work), pool, found);
}

/// Runs the buckets of single-strip jobs: the current strips of pairs after a probe.
#[inline(never)]
fn one_strip_each<S: Simd, Q: Query, const PAIRS: usize>(
    simd: S,
    query: Q,
    work: &mut Work<PAIRS>,
    pool: MaskPool<'_>,
    found: &mut [Q::Found],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            let Work { geometry, buckets, .. } = work;
            for group in 0..STRIP_UNIT / 64 {
                let mut filled = buckets.filled(simd, group as usize);
                while filled != 0 {
                    let key = group * 64 + filled.trailing_zeros();
                    filled &= filled - 1;
                    let jobs = (key, buckets.take(key));
                    one_strip(simd, query, geometry, pool.words, found, jobs);
                }
            }
        },
    );
}

// A single-strip pair in a bucket of its exact number of blocks is never tall.
const _: () = assert!(!is_tall(blocks_of(FAR - 1), 1, TALL_WALKED));

// With a probe, the buckets below `PROBES` are those of jobs.
const _: () = assert!(STRIP_UNIT == PROBES);

/// Runs the buckets of pairs of several strips.
#[inline(never)]
fn several_strips_each<S: Simd, Q: Query, const PAIRS: usize>(
    simd: S,
    query: Q,
    (stage, work): (&Stage, &mut Work<PAIRS>),
    pool: MaskPool<'_>,
    found: &mut [Q::Found],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            let Work { geometry, buckets, .. } = work;
            for group in STRIP_UNIT / 64..STRIP_UNIT * STRIP_CLASSES / 64 {
                let mut filled = buckets.filled(simd, group as usize);
                while filled != 0 {
                    let key = group * 64 + filled.trailing_zeros();
                    filled &= filled - 1;
                    let pairs = buckets.take(key);
                    let of = (stage, &*geometry);
                    let reversed = key & REVERSED != 0;
                    // For the last buckets both numbers are lower bounds.
                    let strips = key / STRIP_UNIT + 1;
                    match (is_tall(blocks_of(key), strips, TALL_WALKED), reversed) {
                        (false, false) => {
                            all_strips::<S, Q, false, false>(simd, query, of, pool, found, pairs);
                        }
                        (false, true) => {
                            all_strips::<S, Q, true, false>(simd, query, of, pool, found, pairs);
                        }
                        (true, false) => {
                            all_strips::<S, Q, false, true>(simd, query, of, pool, found, pairs);
                        }
                        (true, true) => {
                            all_strips::<S, Q, true, true>(simd, query, of, pool, found, pairs);
                        }
                    }
                }
            }
        },
    );
}

/// Settles the first `n` pairs strip by strip, after a probe. `found` must be false.
#[inline(always)]
pub(crate) fn probe_first<S: Simd, Q: Query<Found = bool>, const PAIRS: usize>(
    simd: S,
    query: Q,
    (stage, work): (&Stage, &mut Work<PAIRS>),
    pool: MaskPool<'_>,
    n: usize,
    found: &mut [bool; CHUNK],
) {
    let Work { geometry, buckets, open, probed, tall, walks } = &mut *work;
    let (n, words) = (n.min(CHUNK), pool.words);
    geometry.fill::<true>(stage, n);
    for (pair, &first) in (0_u16..).zip(&geometry.first.0[..n]) {
        buckets.append_if(first, pair, 1);
    }
    let [down, up] = tall;
    let (mut more, mut more_down, mut more_up) = (open.refill(), down.refill(), up.refill());
    let mut filled = buckets.filled(simd, (PROBES / 64) as usize) as u32;
    while filled != 0 {
        let key = PROBES + filled.trailing_zeros();
        filled &= filled - 1;
        probed.copy(buckets.take(key));
        for &pair in probed.as_slice() {
            let i = pair as usize % CHUNK;
            found[i] = if key & PROBE_REVERSED != 0 {
                probe::<S, true>(simd, geometry, words, i)
            } else {
                probe::<S, false>(simd, geometry, words, i)
            };
            let left = u32::from(!found[i]);
            match (key & PROBE_TALL != 0, key & PROBE_REVERSED != 0) {
                (true, false) => more_down.push_if(pair, left),
                (true, true) => more_up.push_if(pair, left),
                (false, _) => {
                    buckets.append_if(geometry.key.0[i], pair, left);
                    if key & PROBE_WIDE != 0 {
                        more.push_if(pair, left);
                    }
                }
            }
        }
    }
    more_down.finish();
    more_up.finish();
    tall_pairs::<S, false>(simd, (stage, geometry, walks), pool, found, down);
    tall_pairs::<S, true>(simd, (stage, geometry, walks), pool, found, up);
    more.finish();
    for copy in 0..BUCKETS_PER_KEY {
        buckets.take(NO_OVERLAP + copy);
    }
    let mut visit = 0;
    loop {
        one_strip_each(simd, query, work, pool, found);
        let Work { geometry, buckets, open, .. } = &mut *work;
        visit += 1;
        open.retain(|i| !found[i] & (visit * WORD < geometry.columns.0[i]));
        if open.as_slice().is_empty() {
            break;
        }
        for &pair in open.as_slice() {
            let i = pair as usize % CHUNK;
            geometry.advance_strip(i, visit);
            buckets.append_if(geometry.key.0[i], pair, 1);
        }
    }
}

/// Tests the middle block of the middle strip of pair `i`.
#[inline(always)]
fn probe<S: Simd, const REVERSED: bool>(
    simd: S,
    geometry: &Geometry,
    words: &[u64],
    i: usize,
) -> bool {
    any_bit(ShiftedRows::<S, true, REVERSED>::new(simd, words, geometry.probe(i), 1).both(0))
}

/// Runs the kernel for tall pairs that a probe left open.
#[inline(never)]
fn tall_pairs<S: Simd, const R: bool>(
    simd: S,
    (stage, geometry, walks): (&Stage, &Geometry, &mut [TallWalk; WALKS]),
    pool: MaskPool<'_>,
    found: &mut [bool; CHUNK],
    pairs: &mut IndexList,
) {
    simd.vectorize(
        #[inline(always)]
        move || settle_tall::<S, R>(simd, (stage, geometry, walks), pool, found, pairs),
    );
}

/// The only place that selects the kernel for the pairs of a single-strip bucket.
#[inline(always)]
fn one_strip<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    jobs: (u32, &[u16]),
) {
    match (jobs.0 & FAR != 0, jobs.0 & REVERSED != 0) {
        (false, false) => {
            by_blocks::<S, Q, false, false>(simd, query, geometry, words, found, jobs)
        }
        (true, false) => by_blocks::<S, Q, true, false>(simd, query, geometry, words, found, jobs),
        (false, true) => by_blocks::<S, Q, false, true>(simd, query, geometry, words, found, jobs),
        (true, true) => by_blocks::<S, Q, true, true>(simd, query, geometry, words, found, jobs),
    }
}

#[inline(always)]
fn by_blocks<S: Simd, Q: Query, const F: bool, const R: bool>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    (key, pairs): (u32, &[u16]),
) {
    // Const conditions, so that kernels which are never selected are not compiled.
    if const { Q::UNROLLED >= 4 } {
        match blocks_of(key) {
            1 => return kernel::<S, Q, F, R, 1>(simd, query, geometry, words, found, pairs),
            2 => return kernel::<S, Q, F, R, 2>(simd, query, geometry, words, found, pairs),
            3 => return kernel::<S, Q, F, R, 3>(simd, query, geometry, words, found, pairs),
            4 => return kernel::<S, Q, F, R, 4>(simd, query, geometry, words, found, pairs),
            _ => {}
        }
    }
    if const { Q::UNROLLED >= 8 } {
        match blocks_of(key) {
            5 => return kernel::<S, Q, F, R, 5>(simd, query, geometry, words, found, pairs),
            6 => return kernel::<S, Q, F, R, 6>(simd, query, geometry, words, found, pairs),
            7 => return kernel::<S, Q, F, R, 7>(simd, query, geometry, words, found, pairs),
            8 => return kernel::<S, Q, F, R, 8>(simd, query, geometry, words, found, pairs),
            _ => {}
        }
    }
    kernel::<S, Q, F, R, 0>(simd, query, geometry, words, found, pairs);
}

/// The kernel for one strip of `BLOCKS` blocks, unrolled; 0 stands for any number.
#[inline(always)]
fn kernel<S: Simd, Q: Query, const F: bool, const R: bool, const BLOCKS: usize>(
    simd: S,
    query: Q,
    geometry: &Geometry,
    words: &[u64],
    found: &mut [Q::Found],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let blocks = if BLOCKS > 0 { BLOCKS } else { geometry.blocks.0[i] as usize };
                let window = ShiftedRows::<S, F, R>::new(simd, words, geometry.job(i), blocks);
                put(found, i, query.single_strip(window, blocks, WalkPosition::default()));
            }
        },
    );
}

/// The kernel for any number of blocks and strips; `TALL` pairs by their occupied rows.
#[inline(always)]
fn all_strips<S: Simd, Q: Query, const R: bool, const TALL: bool>(
    simd: S,
    query: Q,
    (stage, geometry): (&Stage, &Geometry),
    pool: MaskPool<'_>,
    found: &mut [Q::Found],
    pairs: &[u16],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            for &pair in pairs {
                let i = pair as usize % CHUNK;
                let rows = if TALL {
                    let first = (geometry.near.0[i], geometry.right.0[i]);
                    Some(geometry.rows(stage, pool, i, first))
                } else {
                    None
                };
                let strips: Strips<'_, S, R> = geometry.strips(simd, pool.words, rows, i);
                put(found, i, query.pair(strips, WalkPosition::default()));
            }
        },
    );
}

/// Stores the result of pair `i`. The index is always in range; the check avoids a panic path.
#[inline(always)]
fn put<T>(all: &mut [T], i: usize, found: T) {
    if let Some(slot) = all.get_mut(i) {
        *slot = found;
    }
}

/// Answers the staged pairs for `Touches`, which starts with a probe.
#[inline(never)]
pub(super) fn touches_chunk<S: Simd>(
    simd: S,
    scratch: &mut BatchBuffers<TOUCHES_PAIRS>,
    pool: MaskPool<'_>,
    answers: &mut [bool],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            let mut hits = [false; CHUNK];
            let BatchBuffers { stage, work } = scratch;
            probe_chunk(simd, (stage, work), pool, answers.len(), &mut hits);
            for (answer, hit) in answers.iter_mut().zip(hits) {
                *answer = hit;
            }
        },
    );
}

/// Tests the first `n` pairs, whose `hits` must be false. Not inlined, to share one copy.
#[inline(never)]
pub(super) fn probe_chunk<S: Simd>(
    simd: S,
    pairs: (&Stage, &mut Work<TOUCHES_PAIRS>),
    pool: MaskPool<'_>,
    n: usize,
    hits: &mut [bool; CHUNK],
) {
    simd.vectorize(
        #[inline(always)]
        move || probe_first(simd, Touches, pairs, pool, n, hits),
    );
}
