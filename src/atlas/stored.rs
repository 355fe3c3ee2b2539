//! Poses with all that can be worked out before their place in the file is known: by other threads
//! than the one that writes.

use crate::geom::Point;
use crate::mask::{MaskRef, add_boards};
use crate::raster::{PosedRef, Poses};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A pose as it is stored.
pub(super) struct Stored<'a> {
    pub(super) mask: MaskRef<'a>,
    pub(super) origin: Point,
    pub(super) area: u32,
    /// None for a mask that has none, or is not to be met.
    pub(super) boards: &'a [u64],
    /// Of its pixels.
    pub(super) hash: u64,
}

impl<'a> Stored<'a> {
    pub(super) fn new(mask: MaskRef<'a>, origin: Point, area: u32, boards: &'a [u64]) -> Self {
        Self { mask, origin, area, boards, hash: hash(mask) }
    }
}

/// The poses of one image.
#[derive(Default)]
pub(super) struct StoredPoses {
    poses: Poses,
    boards: Vec<u64>,
    /// For each pose where its boards end, and the hash of its pixels.
    rest: Vec<(usize, u64)>,
}

impl StoredPoses {
    /// Those that `draw` appends, instead of what was there; the room stays.
    pub(super) fn fill<E>(
        &mut self,
        draw: impl FnOnce(&mut Poses) -> Result<(), E>,
    ) -> Result<(), E> {
        self.poses.clear();
        self.boards.clear();
        self.rest.clear();
        draw(&mut self.poses)?;
        for i in 0..self.poses.len() {
            let mask = self.poses.get(i).mask;
            add_boards(mask, &mut self.boards);
            self.rest.push((self.boards.len(), hash(mask)));
        }
        Ok(())
    }

    /// Bytes of the masks that there is room for.
    pub(super) fn bytes(&self) -> usize {
        self.poses.bytes()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Stored<'_>> {
        let mut start = 0;
        self.rest.iter().enumerate().map(move |(i, &(end, hash))| {
            let PosedRef { mask, origin, .. } = self.poses.get(i);
            let boards = &self.boards[start..end];
            start = end;
            Stored { mask, origin, area: self.poses.area(i), boards, hash }
        })
    }
}

/// A hash of a mask's pixels. Nothing but speed depends on it.
fn hash(mask: MaskRef<'_>) -> u64 {
    let size = u64::from(mask.width()) << 32 | u64::from(mask.height());
    (0..mask.strips())
        .fold(size, |hash, s| xxh3_64_with_seed(bytemuck::cast_slice(mask.rows(s)), hash))
}
