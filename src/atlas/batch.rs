//! Queries over many pose pairs of one atlas, on the batch kernels of `narrow`.
//!
//! Part of the public API. Few pairs go to the single-pair kernels. Invariant: both ways give the
//! same answers.

use super::format::HotPose;
use super::{Atlas, PoseId};
use crate::geom::Point;
use crate::mask::{MaskPool, MaskRef};
use crate::narrow::batch::{Engine, Listed};
use crate::narrow::{Certainty, Contact};
use crate::simd::Simd;
use std::fmt;

/// Two stored poses and the offset of the second from the first: one query of a [`Batch`].
/// [`Batch`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PosePair {
    /// The first pose. The top-left pixel of its mask is at (0, 0).
    pub a: PoseId,
    /// The second pose.
    pub b: PoseId,
    /// The position of the second mask's top-left pixel, in pixels from that of the first.
    pub offset: Point,
}

/// The queries of [`MaskRef`] for many pairs of a [drawn](Atlas::drawn) atlas at once. Up to 9 pairs are answered one by
/// one. From about 128 pairs on, a batch takes 33% to 50% of the time of single pairs, for masks of
/// up to 64 px.
///
/// Keep a batch and reuse it. The first `touches` allocates 235 KiB, and the first `overlap_area` 605
/// KiB. Each query writes the answer of pair i to answer i. If the slices differ in length, the
/// excess elements are ignored.
///
/// The first batch of an atlas, or the first [`World`](crate::World) over it, reads both ends of
/// every mask of more than 64 rows. The atlas then stores which rows hold pixels, in at most 1/128
/// of the bytes of its masks. The first batch also measures the empty corners of all masks, on the
/// calling thread. The atlas stores 16 bytes per pose for that. Batches may be created from any
/// number of threads and jobs of a pool.
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Point, Pose, PosePair};
/// let arrow: Mask = "
///     .#.
///     .##
/// ".parse()?;
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("arrow", arrow).to_bytes()?)?;
/// let sprite = atlas.sprite(atlas.sprite_id("arrow").unwrap()).unwrap();
/// let upright = sprite.pose_id(0, Pose::default(), Flip::NONE).unwrap();
///
/// let pair = |x, y| PosePair { a: upright, b: upright, offset: Point::new(x, y) };
/// let mut hits = [false; 2];
/// atlas.batch().touches(&[pair(1, 1), pair(2, -1)], &mut hits);
/// assert_eq!(hits, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Batch<'a> {
    poses: &'a [HotPose],
    staged: &'a [[u32; 4]],
    pool: MaskPool<'a>,
    simd: Simd,
    engine: Engine,
    /// Up to this many pairs are answered one by one.
    max_single_pairs: usize,
}

/// Largest number of pairs for which single queries are faster than a batch. Measured for touches
/// of 64 px masks (AVX-512, Zen 4): single queries take 22 to 26 ns per pair. A batch takes 136 ns
/// for 1 pair. Per pair it takes 45 ns for 4, 27.5 ns for 8, 24.5 ns for 10 and 21.5 ns for 12.
const MAX_SINGLE_PAIRS: usize = 9;

impl Atlas {
    /// Returns a batch over the poses of this atlas, with the fastest instruction set of this
    /// machine.
    #[must_use]
    pub fn batch(&self) -> Batch<'_> {
        let simd = Simd::preferred();
        Batch {
            poses: self.stored(),
            staged: self.staged(),
            pool: self.pool(),
            simd,
            engine: Engine::new(simd),
            max_single_pairs: MAX_SINGLE_PAIRS,
        }
    }
}

impl Batch<'_> {
    /// Returns the batch with another instruction set, for tests and benchmarks. Keeps the present
    /// one if this machine does not support `simd`.
    #[must_use]
    pub fn with_simd(self, simd: Simd) -> Self {
        if simd.level().is_none() {
            return self;
        }
        // Single queries always use the best instruction set, so this batch never uses them.
        Self { simd, engine: Engine::new(simd), max_single_pairs: 0, ..self }
    }

    /// Tests for each pair whether a pixel is set in both masks, like [`Mask::touches`](crate::Mask::touches).
    pub fn touches(&mut self, pairs: &[PosePair], answers: &mut [bool]) {
        if self.answer_one_by_one(pairs, answers, |a, b, at| a.touches(b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.touches(self.pool, listed(staged, pairs), answers);
    }

    /// Asks for each pair what the coarse levels alone say, like [`Mask::coarse`](crate::Mask::coarse). Pairs without
    /// levels are tested exactly. Takes about 0.75x the time of [`touches`](Self::touches) for masks
    /// with levels, from 240 px on, and about 1.1x for smaller ones.
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder, Certainty, Flip, Mask, Point, Pose, PosePair};
    /// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("disc", Mask::disc(150)?).to_bytes()?)?;
    /// let disc = atlas.sprites().next().unwrap().pose_id(0, Pose::default(), Flip::NONE).unwrap();
    /// let pair = |x| PosePair { a: disc, b: disc, offset: Point::new(x, x) };
    /// let mut answers = [Certainty::Maybe; 2];
    /// atlas.batch().coarse(&[pair(10), pair(290)], &mut answers);
    /// assert_eq!(answers, [Certainty::Yes, Certainty::No]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn coarse(&mut self, pairs: &[PosePair], answers: &mut [Certainty]) {
        // Without the test of diagonals, so that the answers equal those of single pairs.
        let pairs = Listed { by_diagonals: false, ..listed(self.staged, pairs) };
        self.engine.coarse(self.pool, pairs, answers);
    }

    /// Tests for each pair whether at least `pixels` pixels are set in both masks. 0 counts as 1.
    pub fn overlap_at_least(&mut self, pixels: u32, pairs: &[PosePair], answers: &mut [bool]) {
        let least = u64::from(pixels.max(1));
        if self.answer_one_by_one(pairs, answers, |a, b, at| a.overlap_area(b, at) >= least) {
            return;
        }
        let staged = self.staged;
        self.engine.overlap_at_least(pixels, self.pool, listed(staged, pairs), answers);
    }

    /// Counts for each pair the pixels set in both masks, like [`Mask::overlap_area`](crate::Mask::overlap_area).
    pub fn overlap_area(&mut self, pairs: &[PosePair], answers: &mut [u64]) {
        if self.answer_one_by_one(pairs, answers, |a, b, at| a.overlap_area(b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.area(self.pool, listed(staged, pairs), answers);
    }

    /// Finds for each pair the box, area and topmost pixel of the overlap, like
    /// [`Mask::contact`](crate::Mask::contact). Positions are in pixels of the first mask. Answers the pairs one by one,
    /// so a batch is no faster here than single calls, and allocates nothing.
    pub fn contact(&mut self, pairs: &[PosePair], answers: &mut [Option<Contact>]) {
        self.answer_each(pairs, answers, |a, b, at| a.contact(b, at));
    }

    /// Answers the pairs one by one and returns true, if they are few.
    fn answer_one_by_one<T>(
        &self,
        pairs: &[PosePair],
        answers: &mut [T],
        ask: impl Fn(MaskRef<'_>, MaskRef<'_>, Point) -> T,
    ) -> bool {
        let are_few = pairs.len().min(answers.len()) <= self.max_single_pairs;
        if are_few {
            self.answer_each(pairs, answers, ask);
        }
        are_few
    }

    fn answer_each<T>(
        &self,
        pairs: &[PosePair],
        answers: &mut [T],
        ask: impl Fn(MaskRef<'_>, MaskRef<'_>, Point) -> T,
    ) {
        let shown = |id: PoseId| match self.poses.get(id.index()) {
            Some(&pose) => id.shows(pose.descriptor()).shown_in(self.pool.words),
            None => MaskRef::empty(),
        };
        for (pair, answer) in pairs.iter().zip(answers) {
            *answer = ask(shown(pair.a), shown(pair.b), pair.offset);
        }
    }
}

fn listed<'a>(
    masks: &'a [[u32; 4]],
    pairs: &'a [PosePair],
) -> Listed<'a, PosePair, impl Fn(&PosePair) -> [u32; 4]> {
    let words = |pair: &PosePair| {
        [pair.a.bits(), pair.b.bits(), pair.offset.x as u32, pair.offset.y as u32]
    };
    Listed { pairs, words, masks, large: true, by_diagonals: true }
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("simd", &self.simd).finish_non_exhaustive()
    }
}
