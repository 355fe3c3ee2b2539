use super::validate::Records;
use super::{Atlas, PoseId};
use crate::geom::{Point, Rect};
use crate::mask::{MaskRef, Pool};
use crate::narrow::batch::{Engine, Listed};
use crate::narrow::{Contact, OverlapMasks, ScanOrder};
use crate::simd::Simd;
use std::fmt;

/// Two stored poses and the offset of the second from the first: one question to a [`Batch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PosePair {
    /// The first pose; its mask's top-left pixel is at (0, 0).
    pub a: PoseId,
    /// The second pose.
    pub b: PoseId,
    /// The top-left pixel of the second one's mask, in pixels from the first one's.
    pub offset: Point,
}

/// The queries of [`MaskRef`] for many pairs of an atlas at once. Up to 9 pairs are asked one by one. From
/// about 128 pairs on, a batch takes 1/3 to 1/2 of the time of single pairs where masks have up to 64 px.
///
/// Keep a batch and use it again: it allocates 240 KiB with the first `touches`, and 610 KiB with the first
/// other query. Each query answers pair i in answer i. Answers without a pair, and pairs without an answer,
/// are left alone.
///
/// The first batch of an atlas, or the first [`World`](crate::World) over it, reads both ends of every
/// mask of more than 64 rows, and the atlas keeps which rows hold pixels: at most 1/128 of its masks'
/// bytes. The first batch also measures the empty corners of all masks: 60 ms for 145,000 poses of 350 MB
/// on two cores. The atlas keeps 16 bytes a pose of that.
///
/// ```
/// use hitmask::{Atlas, Bake, Flip, Mask, Point, Pose, PosePair};
/// let arrow: Mask = "
///     .#.
///     .##
/// ".parse()?;
/// let atlas = Atlas::from_vec(Bake::new().mask("arrow", arrow).to_bytes()?)?;
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
    records: Records<'a>,
    staged: &'a [[u32; 4]],
    pool: Pool<'a>,
    simd: Simd,
    engine: Engine,
    /// Up to this many pairs are asked one by one.
    one_by_one: usize,
}

/// Up to this many pairs take less time one by one than together. Touches of 64 px: one by one 22 to 26 ns a
/// pair, and together 136 ns for one, 45 a pair for four, 27.5 for eight, 24.5 for ten, 21.5 for twelve
/// (AVX-512, Zen 4).
const ONE_BY_ONE: usize = 9;

impl Atlas {
    /// A batch over the poses of this atlas.
    #[must_use]
    pub fn batch(&self) -> Batch<'_> {
        let simd = Simd::preferred();
        Batch {
            records: self.records(),
            staged: self.staged(),
            pool: self.pool(),
            simd,
            engine: Engine::new(simd),
            one_by_one: ONE_BY_ONE,
        }
    }
}

impl Batch<'_> {
    /// The same with another instruction set, or with the present one where this machine does
    /// not have it: for tests and benchmarks.
    #[must_use]
    pub fn with_simd(self, simd: Simd) -> Self {
        if simd.level().is_none() {
            return self;
        }
        // One by one the best level is used, whatever was asked for.
        Self { simd, engine: Engine::new(simd), one_by_one: 0, ..self }
    }

    /// The instruction set in use.
    #[must_use]
    pub const fn simd(&self) -> Simd {
        self.simd
    }

    /// Tests for each pair whether a pixel is set in both, as [`MaskRef::touches`] says.
    pub fn touches(&mut self, pairs: &[PosePair], answers: &mut [bool]) {
        if self.settle_few(pairs, answers, |a, b, at| a.touches(b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.touches(self.pool, listed(staged, pairs), answers);
    }

    /// Tests for each pair whether at least `pixels` pixels are set in both; 0 counts as 1.
    pub fn overlap_at_least(&mut self, pixels: u32, pairs: &[PosePair], answers: &mut [bool]) {
        if self.settle_few(pairs, answers, |a, b, at| a.overlap_at_least(pixels, b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.overlap_at_least(pixels, self.pool, listed(staged, pairs), answers);
    }

    /// Counts for each pair the pixels set in both, as [`MaskRef::overlap_area`] says.
    pub fn overlap_area(&mut self, pairs: &[PosePair], answers: &mut [u64]) {
        if self.settle_few(pairs, answers, |a, b, at| a.overlap_area(b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.area(self.pool, listed(staged, pairs), answers);
    }

    /// Finds for each pair the tight box round the pixels set in both, in the first mask's pixels, as
    /// [`MaskRef::overlap_rect`] says.
    pub fn overlap_rect(&mut self, pairs: &[PosePair], answers: &mut [Option<Rect>]) {
        if self.settle_few(pairs, answers, |a, b, at| a.overlap_rect(b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.rect(self.pool, listed(staged, pairs), answers);
    }

    /// Finds for each pair the first pixel set in both, by `order`, in the first mask's pixels, as
    /// [`MaskRef::first_overlap`] says.
    pub fn first_overlap(
        &mut self,
        order: ScanOrder,
        pairs: &[PosePair],
        answers: &mut [Option<Point>],
    ) {
        if self.settle_few(pairs, answers, |a, b, at| a.first_overlap(order, b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.point(order, self.pool, listed(staged, pairs), answers);
    }

    /// Finds for each pair box, area and topmost pixel of the overlap, in the first mask's pixels, as
    /// [`MaskRef::contact`] says.
    pub fn contact(&mut self, pairs: &[PosePair], answers: &mut [Option<Contact>]) {
        if self.settle_few(pairs, answers, |a, b, at| a.contact(b, at)) {
            return;
        }
        let staged = self.staged;
        self.engine.contact(self.pool, listed(staged, pairs), answers);
    }

    /// Writes for each pair the pixels set in both, as [`MaskRef::overlap_mask`] says, but cut to where the
    /// boxes of the two masks overlap. What `masks` held before is gone.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Flip, Mask, OverlapMasks, Point, Pose, PosePair};
    /// let arrow: Mask = "
    ///     .#.
    ///     .##
    /// ".parse()?;
    /// let atlas = Atlas::from_vec(Bake::new().mask("arrow", arrow).to_bytes()?)?;
    /// let sprite = atlas.sprite(atlas.sprite_id("arrow").unwrap()).unwrap();
    /// let upright = sprite.pose_id(0, Pose::default(), Flip::NONE).unwrap();
    ///
    /// let pair = |x, y| PosePair { a: upright, b: upright, offset: Point::new(x, y) };
    /// let mut masks = OverlapMasks::new();
    /// atlas.batch().overlap_mask(&[pair(0, 1), pair(2, -1)], &mut masks);
    /// let (both, corner) = masks.get(0).unwrap();
    /// assert_eq!((both.to_string(), corner), ("#.\n".to_owned(), Point::new(0, 1)));
    /// assert!(masks.get(1).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_mask(&mut self, pairs: &[PosePair], masks: &mut OverlapMasks) {
        let staged = self.staged;
        self.engine.mask(self.pool, (listed(staged, pairs), pairs.len()), masks);
    }

    /// Answers few pairs one by one; returns false, and does nothing, where they are many.
    fn settle_few<T>(
        &self,
        pairs: &[PosePair],
        answers: &mut [T],
        ask: impl Fn(MaskRef<'_>, MaskRef<'_>, Point) -> T,
    ) -> bool {
        if pairs.len().min(answers.len()) > self.one_by_one {
            return false;
        }
        let hot = self.records.hot();
        let shown = |id: PoseId| match hot.get(id.index()) {
            Some(&pose) => id.shows(pose).shown_in(self.pool.words),
            None => MaskRef::empty(),
        };
        for (pair, answer) in pairs.iter().zip(answers) {
            *answer = ask(shown(pair.a), shown(pair.b), pair.offset);
        }
        true
    }
}

fn listed<'a>(
    masks: &'a [[u32; 4]],
    pairs: &'a [PosePair],
) -> Listed<'a, PosePair, impl Fn(&PosePair) -> [u32; 4]> {
    let words = |pair: &PosePair| {
        [pair.a.bits(), pair.b.bits(), pair.offset.x as u32, pair.offset.y as u32]
    };
    Listed { pairs, words, masks, large: true }
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("simd", &self.simd).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bake, Flip, Mask, Pose};

    #[test]
    fn pixels_among_the_guards_of_large_masks_are_no_panic() {
        // Three strips of nine blocks: large enough for every way to walk them.
        let wide: Mask = format!("{}\n", "#".repeat(130)).repeat(66).parse().unwrap();
        let bytes = Bake::new().mask("wide", wide).to_bytes().unwrap();
        // They are last in the file.
        let masks = Atlas::from_vec(bytes.clone()).unwrap().records().pool().len();
        let pool = bytes.len() - 8 * masks;
        // Opening does not read the masks: there may be one row alone, and that a guard.
        for word in (pool..bytes.len()).step_by(8) {
            let mut changed = bytes.clone();
            changed[pool..].fill(0);
            changed[word..][..8].fill(0xff);
            let atlas = Atlas::from_vec(changed).unwrap();
            let wide = atlas.sprite_id("wide").and_then(|id| atlas.sprite(id)).unwrap();
            let ids = [false, true]
                .map(|up| wide.pose_id(0, Pose::default(), Flip { x: false, y: up }).unwrap());
            let pairs: Vec<PosePair> = [[0, 0], [1, 1], [-70, 2], [0, -5]]
                .into_iter()
                .flat_map(|offset| ids.map(|a| ids.map(|b| (a, b, offset))))
                .flatten()
                .map(|(a, b, offset)| PosePair { a, b, offset: offset.into() })
                .collect();
            let some = pairs.len();
            let mut batch = atlas.batch();
            batch.touches(&pairs, &mut vec![false; some]);
            batch.overlap_area(&pairs, &mut vec![0; some]);
            batch.overlap_rect(&pairs, &mut vec![None; some]);
            batch.contact(&pairs, &mut vec![None; some]);
            for order in [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right] {
                batch.first_overlap(order, &pairs, &mut vec![None; some]);
            }
        }
    }
}
