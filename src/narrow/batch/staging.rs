//! Stage 1: the queries of one chunk as a struct of arrays, so that stage 2 handles 16 pairs at
//! once.
//!
//! # Sources
//!
//! Four pairs at a time. [`Listed`] serves the batch of an atlas, [`Positions`] the pair finder of a
//! world.
//!
//! ```text
//! list:     load four pairs of four words, and transpose: first masks, second masks, dx, dy
//!           for four mask numbers: load the records, and transpose: first words, sizes
//! indexed:  for four positions on either side: load the masks, and transpose: first words, sizes
//!           dx, dy: corner of the second mask minus corner of the first
//! ```
//!
//! 1. Each vector that is stored holds one field of four pairs, as stage 2 reads it: about 20
//!    instructions per pair. Pair by pair, each field would be one load and one store: 41
//!    instructions per pair.
//! 2. A list is tested for large masks once per chunk, and the result applies to the next chunk.
//!    Lists are mostly uniform, and lists of small sprites skip the diagonal extents.
//! 3. Out-of-range indices go to a `#[cold]` function: selecting between two addresses costs 5
//!    instructions more per pair.
//! 4. No closure is called per pair, because it would be compiled without the instructions of the
//!    level (64 px 1.56x, 16 px 1.9x as long).
//!
//! # Diagonal reject
//!
//! A stage between 1 and 2, for the pairs of a list: rejects pairs that cannot touch, by the diagonal
//! extents of their masks.
//!
//! ```text
//! if b begins after the end of a, or ends before a begins, along either diagonal:
//!     replace b by an empty mask
//! ```
//!
//! 1. Most misses are pairs whose boxes overlap only at a corner. Two of three misses of the
//!    benches end here, before a pixel is read.
//! 2. The loop is vectorised like stage 2 and has no branch per pair: 0.5 ns per pair. If all
//!    sprites are smaller than [`LARGE_SIDE`], reading their pixels is cheaper.

use crate::mask::{Diagonals, MaskDescriptor, MaskSize};
use bytemuck::Zeroable;
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i32x4, u32x4, u64x2};

/// Pairs per chunk. Lower: buckets hold too few pairs. Higher: the arrays leave the fastest caches.
/// 256 and 1,024 take the same time within noise.
pub(crate) const CHUNK: usize = 512;

/// Pairs in one pass of a vectorised stage.
pub(crate) const LANES: usize = 16;

pub(crate) const PASSES: usize = CHUNK / LANES;

/// One number for each pair of a chunk, aligned to cache lines.
///
/// One line longer than a chunk. Otherwise the numbers of one pair would fall into the same two
/// cache sets in all arrays. They would evict each other: +2% to +3% time at every size.
#[derive(Clone, Copy, Zeroable)]
#[repr(align(64))]
pub(crate) struct Lanes<T>(pub(crate) [T; CHUNK + LINE]);

/// Numbers per cache line.
const LINE: usize = 64 / size_of::<u32>();

impl<T> Lanes<T> {
    #[inline(always)]
    pub(crate) fn pass(&self, pass: usize) -> &[T; LANES] {
        &self.0.as_chunks().0[pass]
    }

    #[inline(always)]
    pub(crate) fn pass_mut(&mut self, pass: usize) -> &mut [T; LANES] {
        &mut self.0.as_chunks_mut().0[pass]
    }

    #[inline(always)]
    fn put(&mut self, at: usize, four: [T; 4]) {
        self.0.as_chunks_mut().0[at] = four;
    }
}

/// The queries of one chunk: first word and size of both masks, and the offset of the second.
#[derive(Zeroable)]
pub(crate) struct Stage {
    pub(crate) a_words: Lanes<u32>,
    pub(crate) a_size: Lanes<u32>,
    pub(crate) b_words: Lanes<u32>,
    pub(crate) b_size: Lanes<u32>,
    pub(crate) dx: Lanes<i32>,
    pub(crate) dy: Lanes<i32>,
    /// The next four are filled only for lists of pairs with large masks.
    pub(crate) a_falling: Lanes<u32>,
    pub(crate) a_rising: Lanes<u32>,
    pub(crate) b_falling: Lanes<u32>,
    pub(crate) b_rising: Lanes<u32>,
}

impl Stage {
    /// Stores words and sizes of four pairs, and the offsets, from index 4 x `at` on.
    #[inline(always)]
    pub(crate) fn put<S: Simd>(
        &mut self,
        at: usize,
        [a, b]: [(u32x4<S>, u32x4<S>); 2],
        [dx, dy]: [[i32; 4]; 2],
    ) {
        self.a_words.put(at, a.0.into());
        self.a_size.put(at, a.1.into());
        self.b_words.put(at, b.0.into());
        self.b_size.put(at, b.1.into());
        self.dx.put(at, dx);
        self.dy.put(at, dy);
    }

    /// Stores the diagonal extents of both masks of four pairs.
    #[inline(always)]
    pub(crate) fn put_diagonals<S: Simd>(&mut self, at: usize, [a, b]: [[u32x4<S>; 2]; 2]) {
        self.a_falling.put(at, a[0].into());
        self.a_rising.put(at, a[1].into());
        self.b_falling.put(at, b[0].into());
        self.b_rising.put(at, b[1].into());
    }
}

/// A sequence of pairs to query.
pub(crate) trait PairSource {
    /// Stages the next pairs, at most `limit` and at most [`CHUNK`], and returns their number.
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize;
}

/// The pairs of a list. Their masks are numbered entries of a table: the poses of an atlas.
pub(crate) struct Listed<'a, P, F> {
    pub(crate) pairs: &'a [P],
    /// Returns the words of a pair: the number of the first mask, the number of the second mask, dx
    /// and dy. [`MaskSize::FLIPPED`] is set in the number of a flipped mask.
    pub(crate) words: F,
    /// The table of masks: the [`MaskDescriptor`] in words 0 and 2, the
    /// [`Diagonals`] in words 1 and 3.
    pub(crate) masks: &'a [[u32; 4]],
    /// The previous chunk had large masks, so pairs are tested by their diagonal extents first.
    pub(crate) large: bool,
    /// Whether pairs are tested by their diagonal extents at all.
    pub(crate) by_diagonals: bool,
}

impl<P, F: Fn(&P) -> [u32; 4]> PairSource for Listed<'_, P, F> {
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize {
        let (now, later) = self.pairs.split_at(limit.min(CHUNK).min(self.pairs.len()));
        self.pairs = later;
        // Locals, so that they stay in registers.
        let (words, masks) = (&self.words, self.masks);
        if self.large && self.by_diagonals {
            put_all::<S, P, F, true>(simd, stage, (words, masks), now);
            reject(stage, now.len());
        } else {
            put_all::<S, P, F, false>(simd, stage, (words, masks), now);
        }
        self.large = are_large(stage, now.len());
        now.len()
    }
}

/// Stages pairs, at most one chunk.
#[inline(always)]
fn put_all<S: Simd, P, F: Fn(&P) -> [u32; 4], const DIAGONALS: bool>(
    simd: S,
    stage: &mut Stage,
    (words, masks): (&F, &[[u32; 4]]),
    pairs: &[P],
) {
    let (fours, rest) = pairs.as_chunks::<4>();
    for (at, four) in fours.iter().enumerate().take(CHUNK / 4) {
        let [p, q, r, s] = four;
        let four = [words(p), words(q), words(r), words(s)];
        put_listed::<S, DIAGONALS>(simd, stage, at, masks, four);
    }
    if !rest.is_empty() {
        let mut four = [[0; 4]; 4];
        for (four, pair) in four.iter_mut().zip(rest) {
            *four = words(pair);
        }
        put_listed::<S, DIAGONALS>(simd, stage, fours.len() % (CHUNK / 4), masks, four);
    }
}

/// Stages `four` pairs from index 4 x `at` on.
#[inline(always)]
fn put_listed<S: Simd, const DIAGONALS: bool>(
    simd: S,
    stage: &mut Stage,
    at: usize,
    masks: &[[u32; 4]],
    four: [[u32; 4]; 4],
) {
    let [p, q, r, s] = four;
    let numbers = [[p[0], q[0], r[0], s[0]], [p[1], q[1], r[1], s[1]]];
    let (p, q) = (u32x4::load_array(simd, p), u32x4::load_array(simd, q));
    let (r, s) = (u32x4::load_array(simd, r), u32x4::load_array(simd, s));
    let (low, odd_low) = (p.zip_low(r), q.zip_low(s));
    let (high, odd_high) = (p.zip_high(r), q.zip_high(s));
    let (a, b) = (low.zip_low(odd_low), low.zip_high(odd_low));
    let right: i32x4<S> = high.zip_low(odd_high).bitcast();
    let down: i32x4<S> = high.zip_high(odd_high).bitcast();
    let [a, b] = [columns_of(simd, masks, a, numbers[0]), columns_of(simd, masks, b, numbers[1])];
    stage.put(at, [(a[0], a[2]), (b[0], b[2])], [right.into(), down.into()]);
    if DIAGONALS {
        stage.put_diagonals(at, [[a[1], a[3]], [b[1], b[3]]]);
    }
}

/// Returns the table columns of four masks. A number out of range stands for an empty mask.
#[inline(always)]
fn columns_of<S: Simd>(
    simd: S,
    masks: &[[u32; 4]],
    numbers: u32x4<S>,
    four: [u32; 4],
) -> [u32x4<S>; 4] {
    let [p, q, r, s] = four;
    let (p, q) = (record(simd, masks, p), record(simd, masks, q));
    let (r, s) = (record(simd, masks, r), record(simd, masks, s));
    // Not an unzip, which crosses the halves of wide vectors with AVX-512.
    let (even, odd) = (p.zip_low(r), q.zip_low(s));
    let (words, falling) = (even.zip_low(odd), even.zip_high(odd));
    let (even, odd) = (p.zip_high(r), q.zip_high(s));
    let (size, rising) = (even.zip_low(odd), even.zip_high(odd));
    [words, falling, size | (numbers & MaskSize::FLIPPED), rising]
}

#[inline(always)]
fn record<S: Simd>(simd: S, masks: &[[u32; 4]], number: u32) -> u32x4<S> {
    match masks.get((number & !MaskSize::FLIPPED) as usize) {
        Some(mask) => u32x4::load_array_ref(simd, mask),
        None => u32x4::load_array(simd, empty_mask()),
    }
}

/// Returns the record of an empty mask. A call, so that the hot path prepares nothing for it.
#[cold]
#[inline(never)]
const fn empty_mask() -> [u32; 4] {
    [0; 4]
}

/// Masks and the positions of their top-left corners: columns of equal length.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) masks: &'a [MaskDescriptor],
    pub(crate) x: &'a [i32],
    pub(crate) y: &'a [i32],
}

impl Columns<'_> {
    /// Returns the same columns, sliced to one length, so that one bounds check replaces three.
    #[inline(always)]
    fn even(self) -> Self {
        let Self { masks, x, y } = self;
        Self { masks, x: &x[..masks.len()], y: &y[..masks.len()] }
    }

    /// Returns the first words and the sizes of the masks at four positions.
    #[inline(always)]
    fn masks<S: Simd>(self, simd: S, at: [u32; 4]) -> (u32x4<S>, u32x4<S>) {
        let low = [self.mask(at[0]), self.mask(at[1])];
        let high = [self.mask(at[2]), self.mask(at[3])];
        let low: u32x4<S> = u64x2::load_array(simd, low).bitcast();
        let high: u32x4<S> = u64x2::load_array(simd, high).bitcast();
        let (even, odd) = (low.zip_low(high), low.zip_high(high));
        (even.zip_low(odd), even.zip_high(odd))
    }

    #[inline(always)]
    fn mask(self, at: u32) -> u64 {
        let MaskDescriptor { words, size } = self.masks[at as usize];
        u64::from(words) | u64::from(size.0) << 32
    }
}

/// Pairs of colliders, by positions in `first` and `second`, each with its columns.
pub(crate) struct Positions<'a> {
    pub(crate) first: &'a [u32],
    pub(crate) second: &'a [u32],
    pub(crate) sides: [Columns<'a>; 2],
}

impl PairSource for Positions<'_> {
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, stage: &mut Stage, limit: usize) -> usize {
        let limit = limit.min(CHUNK).min(self.first.len()).min(self.second.len());
        let (first, later) = self.first.split_at(limit);
        let (second, later_second) = self.second.split_at(limit);
        (self.first, self.second) = (later, later_second);
        let sides = self.sides.map(
            #[inline(always)]
            |side| side.even(),
        );
        let (firsts, rest) = first.as_chunks::<4>();
        let (seconds, rest_seconds) = second.as_chunks::<4>();
        for (at, (&a, &b)) in firsts.iter().zip(seconds).enumerate().take(CHUNK / 4) {
            put_four(simd, stage, at, sides, [a, b]);
        }
        if !rest.is_empty() {
            // Padded with a valid pair, whose answer is not read.
            let (mut a, mut b) = ([rest[0]; 4], [rest_seconds[0]; 4]);
            a[..rest.len()].copy_from_slice(rest);
            b[..rest.len()].copy_from_slice(rest_seconds);
            put_four(simd, stage, firsts.len() % (CHUNK / 4), sides, [a, b]);
        }
        limit
    }
}

/// Stages four pairs from index 4 x `at` on.
#[inline(always)]
fn put_four<S: Simd>(
    simd: S,
    stage: &mut Stage,
    at: usize,
    [first_columns, second_columns]: [Columns<'_>; 2],
    [a, b]: [[u32; 4]; 2],
) {
    let (mut dx, mut dy) = ([0; 4], [0; 4]);
    for n in 0..4 {
        let (a, b) = (a[n] as usize, b[n] as usize);
        dx[n] = second_columns.x[b].wrapping_sub(first_columns.x[a]);
        dy[n] = second_columns.y[b].wrapping_sub(first_columns.y[a]);
    }
    let masks = [first_columns.masks(simd, a), second_columns.masks(simd, b)];
    stage.put(at, masks, [dx, dy]);
}

/// Side in pixels, a power of two, from which a mask counts as large. Chunks without a large mask
/// skip this stage. With 128, 100 px takes 12.9 ns instead of 12.1 ns, the same as without this
/// stage. 64 px and 80 px do not change.
const LARGE_SIDE: u32 = 64;

/// The size bits that are set only for sides of [`LARGE_SIDE`] pixels and more.
const LARGE: u32 =
    MaskSize::new(MaskSize::WIDTH & !(LARGE_SIDE - 1), MaskSize::HEIGHT & !(LARGE_SIDE - 1)).0;

/// Replaces the second mask by an empty one in each of the first `n` pairs that cannot touch.
#[inline(always)]
pub(super) fn reject(stage: &mut Stage, n: usize) {
    for pass in 0..n.div_ceil(LANES).min(PASSES) {
        let [a_size, a_falling, a_rising] =
            [&stage.a_size, &stage.a_falling, &stage.a_rising].map(|lanes| lanes.pass(pass));
        let [b_falling, b_rising] =
            [&stage.b_falling, &stage.b_rising].map(|lanes| lanes.pass(pass));
        let [dx, dy] = [&stage.dx, &stage.dy].map(|lanes| lanes.pass(pass));
        let b_size = stage.b_size.pass_mut(pass);
        for i in 0..LANES {
            let [falling, rising] = extents_as_shown(a_size[i], [a_falling[i], a_rising[i]]);
            let [b_falling, b_rising] = extents_as_shown(b_size[i], [b_falling[i], b_rising[i]]);
            // Nothing overflows for boxes that overlap. For other boxes the result does not matter.
            let (right, down) = (dx[i], dy[i]);
            // Rows along the rising diagonal count from the bottom edges.
            let lower = MaskSize(a_size[i]).height() as i32 - MaskSize(b_size[i]).height() as i32;
            let along_rising = right.wrapping_sub(down).wrapping_add(lower);
            let apart = are_apart(falling, b_falling, right.wrapping_add(down))
                | are_apart(rising, b_rising, along_rising);
            b_size[i] &= u32::from(apart).wrapping_sub(1);
        }
    }
}

/// Tests whether one of the first `n` pairs has a large mask.
#[inline(always)]
pub(super) fn are_large(stage: &Stage, n: usize) -> bool {
    let sizes = stage.a_size.0[..n].iter().zip(&stage.b_size.0[..n]);
    sizes.fold(0, |all, (a, b)| all | a | b) & LARGE != 0
}

/// Returns the extents along the falling and the rising diagonal. A flipped mask has them swapped.
#[inline(always)]
fn extents_as_shown(size: u32, [falling, rising]: [u32; 2]) -> [u32; 2] {
    let differ = (falling ^ rising) & MaskSize(size).flip_bit().wrapping_neg();
    [falling ^ differ, rising ^ differ]
}

/// Tests whether two extents along one diagonal, the second moved by `offset`, are disjoint.
#[inline(always)]
fn are_apart(a: u32, b: u32, offset: i32) -> bool {
    let [least, most] = Diagonals::ends(a);
    let [b_least, b_most] = Diagonals::ends(b);
    (most < offset.wrapping_add(b_least)) | (offset.wrapping_add(b_most) < least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point;
    use crate::mask::{Mask, MaskRef, dotted};
    use crate::narrow::reference;
    use bytemuck::Zeroable;
    use proptest::prelude::*;

    /// Returns a mask of one of five shapes, which is large from a side of 64 px on.
    fn mask(shape: u32, side: u32) -> Mask {
        let mut mask = Mask::new(side, side + shape).unwrap();
        let (w, h) = (i64::from(mask.width()), i64::from(mask.height()));
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            let [right, down] = [2 * x + 1 - w, 2 * y + 1 - h];
            let set = match shape {
                0 => right * right + down * down <= w * w,
                1 => (right + down).abs() < 9,
                2 => (right - down).abs() < 9,
                _ => x + y > w && x % 3 > 0,
            };
            mask.set(x as i32, y as i32, set);
        }
        if shape == 4 { dotted(side, side) } else { mask }
    }

    fn is_rejected(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> bool {
        let mut stage = Box::new(Stage::zeroed());
        let size = |mask: MaskRef<'_>| {
            let flipped = u32::from(mask.is_flipped()) << MaskSize::FLIP_SHIFT;
            MaskSize::new(mask.width(), mask.height()).flipped_by(flipped).0
        };
        // The extents of the stored, upright mask: a flip is a bit of the size.
        let stored =
            |mask: MaskRef<'_>| Diagonals::of(if mask.is_flipped() { mask.flip_y() } else { mask });
        let (extents_a, extents_b) = (stored(a), stored(b));
        // Not the first lane of a pass, behind pairs that stay empty.
        let i = LANES + 3;
        (stage.a_size.0[i], stage.b_size.0[i]) = (size(a), size(b));
        (stage.a_falling.0[i], stage.a_rising.0[i]) = (extents_a.falling, extents_a.rising);
        (stage.b_falling.0[i], stage.b_rising.0[i]) = (extents_b.falling, extents_b.rising);
        (stage.dx.0[i], stage.dy.0[i]) = (offset.x, offset.y);
        assert!(are_large(&stage, i + 1) && !are_large(&stage, i));
        reject(&mut stage, i + 1);
        assert!(stage.b_size.0[i] == 0 || stage.b_size.0[i] == size(b));
        stage.b_size.0[i] == 0
    }

    proptest! {
        #[test]
        fn rejected_pairs_share_no_pixel(
            (a, b) in (0_u32..5, 0_u32..5),
            (side, side_b) in (64_u32..150, 3_u32..150),
            (x, y) in (-160_i32..160, -160_i32..160),
            (up, other_up) in (any::<bool>(), any::<bool>()),
        ) {
            let (a, b) = (mask(a, side), mask(b, side_b));
            let (a, b) = (a.as_ref(), b.as_ref());
            let a = if up { a.flip_y() } else { a };
            let b = if other_up { b.flip_y() } else { b };
            let offset = Point::new(x, y);
            prop_assert!(!is_rejected(a, b, offset) || reference::contact(a, b, offset).is_none());
        }
    }

    #[test]
    fn pairs_whose_boxes_overlap_only_at_a_corner_are_rejected() {
        let disc = mask(0, 100);
        let disc = disc.as_ref();
        for (x, y) in [(75, 75), (-75, 75), (75, -75), (-75, -75)] {
            assert!(is_rejected(disc, disc, Point::new(x, y)), "{x} {y}");
        }
        for (x, y) in [(70, 70), (70, -70), (-70, 70), (-70, -70), (0, 99), (99, 0)] {
            assert!(!is_rejected(disc, disc, Point::new(x, y)), "{x} {y}");
        }
        // One blade beside another, and a dot in the empty corner of a blade.
        let blade = mask(1, 100);
        assert!(is_rejected(blade.as_ref(), blade.as_ref(), Point::new(9, 9)));
        assert!(!is_rejected(blade.as_ref(), blade.as_ref(), Point::new(9, -9)));
        assert!(is_rejected(blade.as_ref().flip_y(), blade.as_ref().flip_y(), Point::new(9, -9)));
        let dot = Mask::full(9, 9);
        for (x, y) in [(0, 0), (90, 90)] {
            assert!(is_rejected(blade.as_ref(), dot.as_ref(), Point::new(x, y)));
            assert!(is_rejected(dot.as_ref(), blade.as_ref(), Point::new(-x, -y)));
        }
    }

    #[test]
    fn offsets_far_out_of_range_do_not_panic() {
        let disc = mask(0, 100);
        for x in [i32::MIN, i32::MAX, 1 << 30, -1 << 30] {
            for y in [i32::MIN, 0, i32::MAX] {
                is_rejected(disc.as_ref(), disc.as_ref(), Point::new(x, y));
            }
        }
    }
}
