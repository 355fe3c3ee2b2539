use super::posed::{Posed, PosedRef, mirrored};
use crate::geom::Point;
use crate::mask::{LEAD, MaskRef, inside, quarter_turn, stride_of, words_of};

/// The poses of one source, their masks in one pool: what a list of [`Posed`] holds, without an
/// allocation for each.
#[derive(Default)]
pub(crate) struct Poses {
    words: Vec<u64>,
    poses: Vec<Place>,
}

/// Where a pose lies.
#[derive(Clone, Copy)]
struct Place {
    /// First word of its first strip.
    start: usize,
    width: u32,
    height: u32,
    area: u32,
    origin: Point,
    pivot2: i32,
}

impl Poses {
    /// Forgets all poses; the room stays.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.poses.clear();
    }

    /// Bytes of masks that there is room for.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<u64>() * self.words.capacity()
    }

    /// Number of poses.
    pub(crate) fn len(&self) -> usize {
        self.poses.len()
    }

    pub(crate) fn get(&self, i: usize) -> PosedRef<'_> {
        let Place { start, width, height, origin, pivot2, .. } = self.poses[i];
        if width == 0 {
            return PosedRef { mask: MaskRef::empty(), origin, pivot2 };
        }
        let pool = &self.words[start - LEAD as usize..];
        let mask = MaskRef::in_pool(pool, LEAD, stride_of(height), width, height);
        PosedRef { mask, origin, pivot2 }
    }

    /// Set pixels of pose `i`.
    pub(crate) fn area(&self, i: usize) -> u32 {
        self.poses[i].area
    }

    /// Owned copies.
    pub(crate) fn to_posed(&self) -> Vec<Posed> {
        (0..self.len()).map(|i| self.get(i).to_posed()).collect()
    }

    /// Appends a pose without pixels.
    pub(super) fn add_empty(&mut self, pivot2: i32) {
        let origin = Point::default();
        self.poses.push(Place { start: 0, width: 0, height: 0, area: 0, origin, pivot2 });
    }

    /// Appends a tight mask of `width` x `height` pixels, which is not empty. `fill(s, rows)`
    /// writes the zero rows of strip s; bits past the width are cut off.
    pub(super) fn add(
        &mut self,
        (width, height): (u32, u32),
        origin: Point,
        pivot2: i32,
        fill: impl Fn(u32, &mut [u64]),
    ) {
        let start = self.room(width, height);
        let mut area = 0;
        let stride = stride_of(height) as usize;
        for (s, strip) in (0..).zip(self.words[start..].chunks_exact_mut(stride)) {
            let (rows, keep) = (&mut strip[..height as usize], inside(width, s));
            fill(s, rows);
            for row in rows {
                *row &= keep;
                area += row.count_ones();
            }
        }
        self.poses.push(Place { start, width, height, area, origin, pivot2 });
    }

    /// Appends pose `i` turned a quarter clockwise about its pivot, as [`Posed::quarter_turned`].
    pub(super) fn add_quarter_turned(&mut self, i: usize) {
        let before = self.poses[i];
        if before.width == 0 {
            return self.poses.push(before);
        }
        let Place { width, height, pivot2, .. } = before;
        let start = self.room(height, width);
        let (words, strips) = self.words.split_at_mut(start);
        let pool = &words[before.start - LEAD as usize..];
        quarter_turn(MaskRef::in_pool(pool, LEAD, stride_of(height), width, height), strips);
        let origin = Point::new(mirrored(before.origin.y, height, pivot2), before.origin.x);
        self.poses.push(Place { start, width: height, height: width, origin, ..before });
    }

    /// Appends pose `i` turned half a turn about its pivot.
    pub(super) fn add_half_turned(&mut self, i: usize) {
        // Twice a quarter, of which the first is taken out again.
        self.add_quarter_turned(i);
        self.add_quarter_turned(self.len() - 1);
        self.poses.remove(self.len() - 2);
    }

    /// Zero words for the strips of a mask at the end; where they start.
    fn room(&mut self, width: u32, height: u32) -> usize {
        let start = self.words.len().max(LEAD as usize);
        self.words.resize(start + words_of(width, height) as usize, 0);
        start
    }
}
