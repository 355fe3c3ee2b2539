//! The moves of many colliders, one after another, with the results of single calls.
//!
//! ```text
//! for each batch of walkers:
//!   compute all walks from the places at its start           on several threads
//!   for each walker in order:
//!     compute its walk again if it has moved itself, or a walker before it in its area
//!     place it
//! ```
//!
//! A walk depends on its start, to the bit, and on the colliders in its area alone. So the results are
//! those of moving one by one, at any number of threads. With one thread nothing is computed ahead.
//!
//! Invariant: a call that fails leaves all walkers where they were.

use crate::error::CallError;
use crate::geom::Rect;
use crate::ids::ColliderId;
use crate::memory::parallel;
use crate::motion::move_rules::{MoveResult, MoveRules};
use crate::motion::walk::Walked;
use crate::query::{Filter, Search};
use crate::scene::Scene;
use crate::scene::placed::Placed;
use crate::update::box_index::BoxIndex;

/// Walkers that repay one more thread.
const WALKS_PER_THREAD: usize = 256;

/// Walkers of a batch for each thread. In a larger batch more walkers meet, and walk twice.
const BATCH_PER_THREAD: usize = 128;

/// Moves each of `ids` by its motion, in pixels, in order.
pub(crate) fn walk_all(
    scene: &mut Scene,
    index: &BoxIndex,
    (ids, motions): (&[ColliderId], &[[f32; 2]]),
    rules: MoveRules,
    filter: Filter<'_>,
) -> Result<Vec<MoveResult>, CallError> {
    assert_eq!(ids.len(), motions.len(), "ids and motions differ in length");
    let moves = Moves { scene, index, starts: Vec::new(), changed: Changed::default() };
    if filter.keep.is_some() || filter.contacts.is_some() {
        // A callback stays on this thread.
        return moves.walk_all((ids, motions), rules, filter, 1);
    }
    let threads = parallel::threads_for(ids.len(), WALKS_PER_THREAD);
    let filter = filter.without_functions();
    parallel::within(threads, || moves.walk_all((ids, motions), rules, filter(), threads))
}

struct Moves<'s> {
    scene: &'s mut Scene,
    index: &'s BoxIndex,
    /// The walkers that were moved, with their former positions.
    starts: Vec<(ColliderId, [f32; 2])>,
    /// The boxes, before and after their moves, of the walkers of this batch.
    changed: Changed,
}

impl Moves<'_> {
    fn walk_all(
        mut self,
        (ids, motions): (&[ColliderId], &[[f32; 2]]),
        rules: MoveRules,
        filter: Filter<'_>,
        threads: usize,
    ) -> Result<Vec<MoveResult>, CallError> {
        self.starts.reserve(ids.len());
        let numbers: Vec<usize> = (0..ids.len()).collect();
        let mut results = Vec::with_capacity(ids.len());
        for batch in numbers.chunks(BATCH_PER_THREAD * threads) {
            let (search, plain) = (self.search(), filter.without_functions());
            let walk = |&at: &usize| search.walk(ids[at], motions[at], rules, plain());
            let ahead = if threads == 1 { Vec::new() } else { parallel::map(batch, walk) };
            let mut ahead = ahead.into_iter();
            self.changed.clear();
            for &at in batch {
                match self.walk(ahead.next(), (ids[at], motions[at]), rules, filter) {
                    Ok(moved) => results.push(moved),
                    Err(cause) => {
                        self.take_back();
                        return Err(cause.of_item(at));
                    }
                }
            }
        }
        Ok(results)
    }

    fn search(&self) -> Search<'_> {
        Search { scene: self.scene, index: self.index }
    }

    /// Moves a walker, as computed `ahead` if neither its start nor its area has changed since.
    fn walk(
        &mut self,
        ahead: Option<Result<Walked, CallError>>,
        (id, motion): (ColliderId, [f32; 2]),
        rules: MoveRules,
        filter: Filter<'_>,
    ) -> Result<MoveResult, CallError> {
        let is_ahead = ahead.is_some();
        let Placed { slots, .. } = &self.scene.placed;
        let Some(slot) = slots.find(id) else { return Err(CallError::Stale(id)) };
        let start = slots.positions[slot];
        let is_valid = |walked: &Walked| {
            // A walker that is named twice may have moved within its pixel.
            walked.start == start && walked.area.is_some_and(|area| !self.changed.touch(area))
        };
        let walked = match ahead {
            Some(Ok(walked)) if is_valid(&walked) => walked,
            _ => self.search().walk(id, motion, rules, filter)?,
        };
        let before = if is_ahead { self.scene.placed.rect(id) } else { None };
        self.scene.move_to(id, walked.result.position)?;
        self.starts.push((id, start));
        let after = if is_ahead { self.scene.placed.rect(id) } else { None };
        if before != after {
            self.changed.extend(before.into_iter().chain(after));
        }
        Ok(walked.result)
    }

    /// Places all walkers where they started.
    fn take_back(&mut self) {
        for (id, position) in self.starts.drain(..).rev() {
            // The collider had this place, so it is not refused.
            let _ = self.scene.move_to(id, position);
        }
    }
}

/// Bits of the set of cells: few of them are shared by the walkers of a batch.
const CELL_BITS: usize = 1 << 14;
/// Log2 of the side of a cell in pixels: most boxes and areas lie in one to four.
const CELL_SHIFT: i32 = 6;
/// Cells of a rectangle above which all cells count as covered.
const MAX_CELLS: i64 = 64;

/// A list of rectangles, with a set of hashed cells that tells most others apart from them.
struct Changed {
    rects: Vec<Rect>,
    cells: Vec<u64>,
}

impl Default for Changed {
    fn default() -> Self {
        Self { rects: Vec::new(), cells: vec![0; CELL_BITS / 64] }
    }
}

impl Changed {
    fn clear(&mut self) {
        self.rects.clear();
        self.cells.fill(0);
    }

    fn extend(&mut self, rects: impl Iterator<Item = Rect>) {
        for rect in rects {
            self.rects.push(rect);
            match cells(rect) {
                Some(cells) => cells.for_each(|cell| self.cells[cell / 64] |= 1 << (cell % 64)),
                None => self.cells.fill(u64::MAX),
            }
        }
    }

    /// Tests whether a rectangle of the list overlaps `area`.
    fn touch(&self, area: Rect) -> bool {
        let is_set = |cell: usize| self.cells[cell / 64] >> (cell % 64) & 1 == 1;
        cells(area).is_none_or(|mut cells| cells.any(is_set))
            && self.rects.iter().any(|rect| rect.intersection(area).is_some())
    }
}

/// Returns the bits of the cells that a rectangle covers; `None` if it covers too many.
fn cells(Rect { x0, y0, x1, y1 }: Rect) -> Option<impl Iterator<Item = usize>> {
    let [columns, rows] = [(x0, x1), (y0, y1)]
        .map(|(low, high)| low >> CELL_SHIFT..=high.saturating_sub(1) >> CELL_SHIFT);
    let count = |cells: &std::ops::RangeInclusive<i32>| {
        i64::from(*cells.end()) - i64::from(*cells.start()) + 1
    };
    let bit = |x: i32, y: i32| {
        let hash = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77);
        (hash >> 18) as usize % CELL_BITS
    };
    (count(&columns) * count(&rows) <= MAX_CELLS)
        .then(|| rows.flat_map(move |y| columns.clone().map(move |x| bit(x, y))))
}
