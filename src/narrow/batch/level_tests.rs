//! A stage between 1 and 2: settles pairs of large masks by their coarse levels.
//!
//! Called by the engine. The levels are masks in the same pool, so the kernels of `Touches` test
//! them like any other. `narrow/coarse.rs` does the same for one pair.
//!
//! ```text
//! stage dilated(first) and outer(second), and inner(first) and inner(second), in cells
//! outer:  test all pairs with levels                                               a miss is certain
//! inner:  test the pairs that are left                                             a hit is certain
//! exact:  test the masks of the pairs that are still left, and of pairs without levels
//! ```
//!
//! 1. Each test reads 1/64 of the pixels. At 256 px the outer levels settle 79% of the misses, and
//!    the inner ones 86% of the hits. At 64 px it is 38% and 24%, which costs more than it saves.
//!    The atlas chooses the least side of masks with levels.
//! 2. A settled pair gets an empty second mask, so the later tests put it aside with the pairs that
//!    do not overlap. Packing the pairs that are left takes longer than that.

use super::buffers::{BatchBuffers, TOUCHES_PAIRS, Work};
use super::dispatch::{probe_chunk, touches_chunk};
use super::staging::{CHUNK, LANES, Lanes, PASSES, Stage};
use crate::mask::{CELL, MaskPool, MaskSize, has_levels, stride_of};
use crate::narrow::Certainty;
use bytemuck::Zeroable;
use fearless_simd::Simd;

/// The arrays of the level tests: 41 KiB.
#[derive(Zeroable)]
pub(super) struct LevelBuffers {
    outer: Stage,
    inner: Stage,
    /// All ones for each pair that has levels, else 0.
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
    u32::from(has_levels(size.width(), size.height(), least))
}

/// Answers pairs by their levels, and with `EXACT` by pixels where these cannot decide.
#[inline(never)]
pub(super) fn levels_chunk<S: Simd, const EXACT: bool>(
    simd: S,
    scratch: &mut BatchBuffers<TOUCHES_PAIRS>,
    levels: &mut LevelBuffers,
    pool: MaskPool<'_>,
    answers: &mut [Certainty],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            let BatchBuffers { stage, work } = scratch;
            settle::<S, EXACT>(simd, (stage, work), levels, pool, answers);
        },
    );
}

/// Answers pairs by their levels. A chunk without levels costs what `Touches` costs.
#[inline(always)]
pub(super) fn coarse_chunk<S: Simd>(
    simd: S,
    scratch: &mut BatchBuffers<TOUCHES_PAIRS>,
    levels: &mut Option<Box<LevelBuffers>>,
    pool: MaskPool<'_>,
    answers: &mut [Certainty],
) {
    if may_have_levels(&scratch.stage, pool, answers.len()) {
        let levels = levels.get_or_insert_with(bytemuck::zeroed_box);
        return levels_chunk::<_, false>(simd, scratch, levels, pool, answers);
    }
    let mut hits = [false; CHUNK];
    touches_chunk(simd, scratch, pool, &mut hits[..answers.len()]);
    for (answer, hit) in answers.iter_mut().zip(hits) {
        *answer = if hit { Certainty::Yes } else { Certainty::No };
    }
}

/// Settles the first pairs, one for each of `answers`: writes what the levels say of each, and what
/// the masks say of those without levels. With `EXACT` the masks settle every `Maybe` too. Empties
/// the second masks of pairs that the levels settle.
#[inline(always)]
pub(super) fn settle<S: Simd, const EXACT: bool>(
    simd: S,
    (stage, work): (&mut Stage, &mut Work<TOUCHES_PAIRS>),
    levels: &mut LevelBuffers,
    pool: MaskPool<'_>,
    answers: &mut [Certainty],
) {
    let n = answers.len().min(CHUNK);
    let LevelBuffers { outer, inner, has_levels } = levels;
    stage_levels(stage, (outer, inner, has_levels), pool, n);
    let (mut maybe, mut certain, mut exact) = ([false; CHUNK], [false; CHUNK], [false; CHUNK]);
    probe_chunk(simd, (outer, work), pool, n, &mut maybe);
    keep(inner, &maybe);
    probe_chunk(simd, (inner, work), pool, n, &mut certain);
    for i in 0..CHUNK {
        let is_open = EXACT & maybe[i] & !certain[i];
        let keeps = u32::from(is_open).wrapping_neg() | !has_levels.0[i];
        stage.b_size.0[i] &= keeps;
    }
    probe_chunk(simd, (stage, work), pool, n, &mut exact);
    for (i, answer) in answers.iter_mut().enumerate().take(CHUNK) {
        *answer = if certain[i] | exact[i] {
            Certainty::Yes
        } else if !EXACT & maybe[i] {
            Certainty::Maybe
        } else {
            Certainty::No
        };
    }
}

/// Empties the second masks of the pairs that `kept` does not have.
#[inline(always)]
fn keep(stage: &mut Stage, kept: &[bool; CHUNK]) {
    for (size, &kept) in stage.b_size.0.iter_mut().zip(kept) {
        *size &= u32::from(kept).wrapping_neg();
    }
}

/// Stages the dilated level of the first mask and the outer level of the second, and both inner
/// levels, for the first `n` pairs. Pairs without levels get empty second masks.
#[inline(always)]
fn stage_levels(
    stage: &Stage,
    (outer, inner, has_levels): (&mut Stage, &mut Stage, &mut Lanes<u32>),
    pool: MaskPool<'_>,
    n: usize,
) {
    for pass in 0..n.div_ceil(LANES).min(PASSES) {
        let [a_words, a_size] = [&stage.a_words, &stage.a_size].map(|lanes| lanes.pass(pass));
        let [b_words, b_size] = [&stage.b_words, &stage.b_size].map(|lanes| lanes.pass(pass));
        let [dx, dy] = [&stage.dx, &stage.dy].map(|lanes| lanes.pass(pass));
        let outer_a_words = outer.a_words.pass_mut(pass);
        let outer_a_size = outer.a_size.pass_mut(pass);
        let outer_b_words = outer.b_words.pass_mut(pass);
        let outer_b_size = outer.b_size.pass_mut(pass);
        let outer_dx = outer.dx.pass_mut(pass);
        let outer_dy = outer.dy.pass_mut(pass);
        let inner_a_words = inner.a_words.pass_mut(pass);
        let inner_a_size = inner.a_size.pass_mut(pass);
        let inner_b_words = inner.b_words.pass_mut(pass);
        let inner_b_size = inner.b_size.pass_mut(pass);
        let inner_dx = inner.dx.pass_mut(pass);
        let inner_dy = inner.dy.pass_mut(pass);
        let has_levels = has_levels.pass_mut(pass);
        for i in 0..LANES {
            let pair = PairOfMasks {
                words: [a_words[i], b_words[i]],
                sizes: [a_size[i], b_size[i]],
                offset: [dx[i], dy[i]],
            };
            let ordered = pair.ordered();
            let [first, second] = ordered.levels();
            let large = is_large(a_size[i], pool.level_side) & is_large(b_size[i], pool.level_side);
            let [right, down] = ordered.cells();
            has_levels[i] = large.wrapping_neg();
            // Cells may meet where the boxes of the masks do not.
            let large = (large & ordered.boxes_overlap()).wrapping_neg();
            outer_a_words[i] = first.dilated;
            outer_a_size[i] = first.dilated_size;
            outer_b_words[i] = second.outer;
            outer_b_size[i] = second.size & large;
            outer_dx[i] = right.wrapping_add(1);
            outer_dy[i] = down.wrapping_add(1);
            inner_a_words[i] = first.inner;
            inner_a_size[i] = first.size;
            inner_b_words[i] = second.inner;
            inner_b_size[i] = second.size & large;
            inner_dx[i] = right;
            inner_dy[i] = down;
        }
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

impl LevelPlaces {
    #[inline(always)]
    fn of(words: u32, size: u32) -> Self {
        let size = MaskSize(size);
        let (columns, rows) = (size.width().div_ceil(CELL), size.height().div_ceil(CELL));
        let each = strips_of_cells(columns) * stride_of(rows);
        let inner = words.wrapping_sub(each);
        let outer = inner.wrapping_sub(each);
        let dilated = outer.wrapping_sub(strips_of_cells(columns + 1) * stride_of(rows + 1));
        let flip = size.0 & MaskSize::FLIPPED;
        Self {
            dilated,
            outer,
            inner,
            dilated_size: MaskSize::new(columns + 1, rows + 1).0 | flip,
            size: MaskSize::new(columns, rows).0 | flip,
        }
    }
}

impl PairOfMasks {
    /// Returns the pair in the order of `narrow/coarse.rs`, whatever that of the query.
    #[inline(always)]
    fn ordered(self) -> Self {
        let [dx, dy] = self.offset;
        // A mask starts at a multiple of 8 words, so the flip bit fits below.
        let Self { words: [a, b], sizes: [a_size, b_size], .. } = self;
        let (key, other) = (a | a_size >> MaskSize::FLIP_SHIFT, b | b_size >> MaskSize::FLIP_SHIFT);
        let is_later = u32::from(dx < 0)
            | u32::from(dx == 0)
                & (u32::from(dy < 0) | u32::from(dy == 0) & u32::from(key > other));
        let swap = is_later.wrapping_neg();
        let (words, sizes) = ((a ^ b) & swap, (a_size ^ b_size) & swap);
        let sign = swap as i32;
        Self {
            words: [a ^ words, b ^ words],
            sizes: [a_size ^ sizes, b_size ^ sizes],
            offset: [(dx ^ sign).wrapping_sub(sign), (dy ^ sign).wrapping_sub(sign)],
        }
    }

    /// Returns 1 if the boxes of the masks of an ordered pair overlap, else 0.
    #[inline(always)]
    fn boxes_overlap(self) -> u32 {
        let Self { sizes: [first, second], offset: [dx, dy], .. } = self;
        let (first, second) = (MaskSize(first), MaskSize(second));
        // With the origin shifted, one unsigned comparison tests both ends.
        let (above, height) = (second.height().wrapping_sub(1), first.height() + second.height());
        let overlaps_y = (dy as u32).wrapping_add(above) < height.wrapping_sub(1);
        u32::from((dx as u32) < first.width()) & u32::from(overlaps_y)
    }

    #[inline(always)]
    fn levels(self) -> [LevelPlaces; 2] {
        let Self { words: [a, b], sizes: [a_size, b_size], .. } = self;
        [LevelPlaces::of(a, a_size), LevelPlaces::of(b, b_size)]
    }

    /// Returns the offset in cells from the levels of the first mask to those of the second.
    #[inline(always)]
    fn cells(self) -> [i32; 2] {
        let Self { sizes: [first, second], offset: [dx, dy], .. } = self;
        // Offsets beyond any mask wrap to offsets beyond any mask.
        let down = dy.wrapping_add(cells_above(second)).wrapping_sub(cells_above(first));
        [dx >> CELL.ilog2(), down >> CELL.ilog2()]
    }
}

/// Returns the row of pixels at which the cells of a mask start. Those of a flipped mask are aligned
/// with its last row, so they may start above it.
#[inline(always)]
const fn cells_above(size: u32) -> i32 {
    let size = MaskSize(size);
    let above = size.height().wrapping_sub(size.height().div_ceil(CELL) * CELL);
    (above & size.flip_bit().wrapping_neg()) as i32
}

/// Returns the strips of a row of cells: at most 65, so that vectors multiply 16-bit halves.
#[inline(always)]
const fn strips_of_cells(columns: u32) -> u32 {
    ((columns + 63) >> 6) & 0x7fff
}
