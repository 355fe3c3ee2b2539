//! A stage between 1 and 2: settles pairs of large masks by their coarse levels.
//!
//! Called by `levels_chunk`. The levels are masks in the same pool, so the
//! kernels of `Touches` test them like any other. `narrow/coarse.rs` does the same for one pair.
//!
//! ```text
//! outer:  stage dilated(first) and outer(second), in cells, for all pairs          a miss is certain
//! inner:  of the pairs that are left, stage both inner levels                      a hit is certain
//! exact:  stage the masks of the pairs that are still left
//! ```
//!
//! 1. Each test reads 1/64 of the pixels. At 256 px the outer levels settle 79% of the misses, and
//!    the inner ones 86% of the hits. At 64 px it is 38% and 24%, which costs more than it saves.
//!    The atlas chooses the least side of masks with levels.
//! 2. The second and third test take the pairs that are left only, close together, so a settled pair
//!    costs nothing more.

use super::staging::{LANES, Lanes, PASSES, Stage};
use super::{CHUNK, TOUCHES_PAIRS, Work, probe_chunk};
use crate::mask::{CELL, MaskPool, MaskSize, stride_of};
use crate::narrow::Certainty;
use bytemuck::Zeroable;
use fearless_simd::Simd;

/// The arrays of the level tests: 27 KiB.
#[derive(Zeroable)]
pub(super) struct LevelScratch {
    /// The levels of a test, or the masks of the pairs that are left.
    stage: Stage,
    /// The pairs in `stage`.
    pairs: Lanes<u32>,
    /// 1 for each pair that has levels.
    has_levels: Lanes<u32>,
}

/// Tests whether one of the first `n` pairs may have levels: a large first and a large second mask.
#[inline(always)]
pub(super) fn may_have_levels(stage: &Stage, pool: MaskPool<'_>, n: usize) -> bool {
    let least = pool.level_side;
    let sizes = stage.a_size.0[..n].iter().zip(&stage.b_size.0[..n]);
    sizes.fold(0, |any, (&a, &b)| any | is_large(a, least) & is_large(b, least)) != 0
}

/// Returns 1 if a mask of this size has levels, else 0.
#[inline(always)]
fn is_large(size: u32, least: u32) -> u32 {
    let size = MaskSize(size);
    u32::from(size.width() >= least) | u32::from(size.height() >= least)
}

/// Settles the first `n` pairs: writes what the levels say of each, and what the masks say of those
/// without levels. With `EXACT` the masks settle every `Maybe` too.
#[inline(always)]
pub(super) fn settle<S: Simd, const EXACT: bool>(
    simd: S,
    (stage, work): (&Stage, &mut Work<TOUCHES_PAIRS>),
    levels: &mut LevelScratch,
    pool: MaskPool<'_>,
    answers: &mut [Certainty],
) {
    let n = answers.len().min(CHUNK);
    let mut hits = [false; CHUNK];
    levels.stage_outer(stage, pool, n);
    probe_chunk(simd, (&levels.stage, work), pool, n, &mut hits);
    let answer = |hit: bool| if hit { Certainty::Maybe } else { Certainty::No };
    for (found, hit) in answers.iter_mut().zip(hits) {
        *found = answer(hit);
    }
    let left = levels.stage_inner(stage, &hits, n);
    hits[..left].fill(false);
    probe_chunk(simd, (&levels.stage, work), pool, left, &mut hits);
    for (&pair, &hit) in levels.pairs.0[..left].iter().zip(&hits) {
        if let (Some(found), true) = (answers.get_mut(pair as usize), hit) {
            *found = Certainty::Yes;
        }
    }
    let left = levels.stage_masks(stage, n, |pair| {
        EXACT && answers.get(pair).is_some_and(|&found| found == Certainty::Maybe)
    });
    hits[..left].fill(false);
    probe_chunk(simd, (&levels.stage, work), pool, left, &mut hits);
    for (&pair, &hit) in levels.pairs.0[..left].iter().zip(&hits) {
        if let Some(found) = answers.get_mut(pair as usize) {
            *found = if hit { Certainty::Yes } else { Certainty::No };
        }
    }
}

impl LevelScratch {
    /// Stages the dilated level of the first mask and the outer level of the second for the first
    /// `n` pairs. Pairs without levels get an empty second mask.
    #[inline(always)]
    fn stage_outer(&mut self, stage: &Stage, pool: MaskPool<'_>, n: usize) {
        for pass in 0..n.div_ceil(LANES).min(PASSES) {
            let [a_words, a_size] = [&stage.a_words, &stage.a_size].map(|lanes| lanes.pass(pass));
            let [b_words, b_size] = [&stage.b_words, &stage.b_size].map(|lanes| lanes.pass(pass));
            let [dx, dy] = [&stage.dx, &stage.dy].map(|lanes| lanes.pass(pass));
            let to = &mut self.stage;
            let a_words_to = to.a_words.pass_mut(pass);
            let a_size_to = to.a_size.pass_mut(pass);
            let b_words_to = to.b_words.pass_mut(pass);
            let b_size_to = to.b_size.pass_mut(pass);
            let dx_to = to.dx.pass_mut(pass);
            let dy_to = to.dy.pass_mut(pass);
            let has_levels = self.has_levels.pass_mut(pass);
            for i in 0..LANES {
                let pair = PairOfMasks {
                    words: [a_words[i], b_words[i]],
                    sizes: [a_size[i], b_size[i]],
                    offset: [dx[i], dy[i]],
                };
                let ordered = pair.ordered();
                let [first, second] = ordered.levels();
                let large =
                    is_large(a_size[i], pool.level_side) & is_large(b_size[i], pool.level_side);
                let [right, down] = ordered.cells();
                has_levels[i] = large;
                // Cells may meet where the boxes of the masks do not.
                let large = large & ordered.boxes_overlap();
                a_words_to[i] = first.dilated;
                a_size_to[i] = first.dilated_size;
                b_words_to[i] = second.outer & large.wrapping_neg();
                b_size_to[i] = second.size & large.wrapping_neg();
                dx_to[i] = right.wrapping_add(1);
                dy_to[i] = down.wrapping_add(1);
            }
        }
    }

    /// Stages both inner levels of the pairs that `outer` has found, and returns their number.
    #[inline(always)]
    fn stage_inner(&mut self, stage: &Stage, outer: &[bool; CHUNK], n: usize) -> usize {
        let left = self.keep(n, |pair| outer[pair % CHUNK]);
        for (at, &pair) in self.pairs.0[..left].iter().enumerate() {
            let ordered = PairOfMasks::of(stage, pair as usize % CHUNK).ordered();
            let [first, second] = ordered.levels();
            let words = [first.inner, second.inner];
            let cells =
                PairOfMasks { words, sizes: [first.size, second.size], offset: ordered.cells() };
            cells.put(&mut self.stage, at);
        }
        left
    }

    /// Stages the masks of the pairs without levels and of those that `also` chooses, and returns
    /// their number.
    #[inline(always)]
    fn stage_masks(&mut self, stage: &Stage, n: usize, also: impl Fn(usize) -> bool) -> usize {
        let has_levels = self.has_levels;
        let left = self.keep(n, |pair| (has_levels.0[pair % CHUNK] == 0) | also(pair));
        for (at, &pair) in self.pairs.0[..left].iter().enumerate() {
            PairOfMasks::of(stage, pair as usize % CHUNK).put(&mut self.stage, at);
        }
        left
    }

    /// Lists those of the first `n` pairs that `keep` chooses, and returns their number.
    #[inline(always)]
    fn keep(&mut self, n: usize, keep: impl Fn(usize) -> bool) -> usize {
        let mut left = 0;
        for pair in 0..n.min(CHUNK) {
            self.pairs.0[left % CHUNK] = pair as u32;
            left += usize::from(keep(pair));
        }
        left
    }
}

/// The query of one pair, as a stage holds it.
#[derive(Clone, Copy)]
struct PairOfMasks {
    words: [u32; 2],
    sizes: [u32; 2],
    offset: [i32; 2],
}

/// The places of the levels of one mask in the pool, and their sizes with the flip bit.
#[derive(Clone, Copy)]
struct LevelPlaces {
    dilated: u32,
    outer: u32,
    inner: u32,
    dilated_size: u32,
    /// Size of the outer and of the inner level.
    size: u32,
}

impl PairOfMasks {
    #[inline(always)]
    fn of(stage: &Stage, i: usize) -> Self {
        Self {
            words: [stage.a_words.0[i], stage.b_words.0[i]],
            sizes: [stage.a_size.0[i], stage.b_size.0[i]],
            offset: [stage.dx.0[i], stage.dy.0[i]],
        }
    }

    #[inline(always)]
    fn put(self, stage: &mut Stage, i: usize) {
        let i = i % CHUNK;
        [stage.a_words.0[i], stage.b_words.0[i]] = self.words;
        [stage.a_size.0[i], stage.b_size.0[i]] = self.sizes;
        [stage.dx.0[i], stage.dy.0[i]] = self.offset;
    }

    /// Returns the pair with its masks in the order of `narrow/coarse.rs`, which does not depend on
    /// the order of the query.
    #[inline(always)]
    fn ordered(self) -> Self {
        let [dx, dy] = self.offset;
        // A mask starts at a multiple of 8 words, so the flip bit fits below.
        let key = |i: usize| self.words[i] | MaskSize(self.sizes[i]).flip_bit();
        let is_later = (dx < 0) | (dx == 0) & ((dy < 0) | (dy == 0) & (key(0) > key(1)));
        let swap = u32::from(is_later).wrapping_neg();
        let swapped = |[a, b]: [u32; 2]| {
            let differ = (a ^ b) & swap;
            [a ^ differ, b ^ differ]
        };
        let negated = |v: i32| (v ^ swap as i32).wrapping_sub(swap as i32);
        Self {
            words: swapped(self.words),
            sizes: swapped(self.sizes),
            offset: [negated(dx), negated(dy)],
        }
    }

    /// Returns 1 if the boxes of the masks overlap, else 0. The pair must be ordered, so its offset
    /// points right.
    #[inline(always)]
    fn boxes_overlap(self) -> u32 {
        let [first, second] = self.sizes.map(MaskSize);
        let [dx, dy] = self.offset;
        // With the origin shifted, one unsigned comparison tests both ends.
        let (above, height) = (second.height().wrapping_sub(1), first.height() + second.height());
        let overlaps_y = (dy as u32).wrapping_add(above) < height.wrapping_sub(1);
        u32::from((dx as u32) < first.width()) & u32::from(overlaps_y)
    }

    /// Returns the places of the levels of both masks.
    #[inline(always)]
    fn levels(self) -> [LevelPlaces; 2] {
        [0, 1].map(|i| {
            let size = MaskSize(self.sizes[i]);
            let (columns, rows) = (size.width().div_ceil(CELL), size.height().div_ceil(CELL));
            let each = strips_of_cells(columns) * stride_of(rows);
            let inner = self.words[i].wrapping_sub(each);
            let outer = inner.wrapping_sub(each);
            let dilated = outer.wrapping_sub(strips_of_cells(columns + 1) * stride_of(rows + 1));
            let flip = size.0 & MaskSize::FLIPPED;
            LevelPlaces {
                dilated,
                outer,
                inner,
                dilated_size: MaskSize::new(columns + 1, rows + 1).0 | flip,
                size: MaskSize::new(columns, rows).0 | flip,
            }
        })
    }

    /// Returns the offset in cells from the levels of the first mask to those of the second.
    #[inline(always)]
    fn cells(self) -> [i32; 2] {
        // The cells of a flipped mask are aligned with its last row.
        let top = |i: usize| {
            let size = MaskSize(self.sizes[i]);
            let above = size.height().wrapping_sub(size.height().div_ceil(CELL) * CELL);
            (above & size.flip_bit().wrapping_neg()) as i32
        };
        let [dx, dy] = self.offset;
        // Offsets beyond any mask wrap to offsets beyond any mask.
        let down = dy.wrapping_add(top(1)).wrapping_sub(top(0));
        [dx >> CELL.ilog2(), down >> CELL.ilog2()]
    }
}

/// Returns the strips of a row of cells: at most 32, so that vectors multiply 16-bit halves.
#[inline(always)]
const fn strips_of_cells(columns: u32) -> u32 {
    (columns + 63) / 64 & 0x7fff
}
