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
    each: &mut (dyn FnMut(usize, MoveResult) + Send),
) -> Result<(), CallError> {
    assert_eq!(ids.len(), motions.len(), "ids and motions differ in length");
    let changed = Changed::default();
    let moves = Moves { scene, index, each, starts: Vec::with_capacity(ids.len()), changed };
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
    /// Takes the results, in order.
    each: &'s mut (dyn FnMut(usize, MoveResult) + Send),
    /// The former positions of the walkers that were moved.
    starts: Vec<[f32; 2]>,
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
    ) -> Result<(), CallError> {
        let size = BATCH_PER_THREAD * threads;
        for first in (0..ids.len()).step_by(size) {
            let batch = first..ids.len().min(first + size);
            let mut ahead = Vec::new().into_iter();
            if threads > 1 {
                let (search, plain) = (self.search(), filter.without_functions());
                let walk = |&at: &usize| search.walk(ids[at], motions[at], rules, plain());
                let numbers: Vec<usize> = batch.clone().collect();
                ahead = parallel::map(&numbers, walk).into_iter();
                self.changed.clear();
            }
            for at in batch {
                match self.walk(ahead.next(), (ids[at], motions[at]), rules, filter) {
                    Ok(moved) => (self.each)(at, moved),
                    Err(cause) => {
                        self.take_back(ids);
                        return Err(cause.of_item(at));
                    }
                }
            }
        }
        Ok(())
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
        let walked = match ahead {
            Some(Ok(walked)) if self.still_holds(id, &walked) => walked,
            _ => self.search().walk(id, motion, rules, filter)?,
        };
        let before = if is_ahead { self.scene.placed.rect(id) } else { None };
        self.scene.move_to(id, walked.result.position)?;
        self.starts.push(walked.start);
        let after = if is_ahead { self.scene.placed.rect(id) } else { None };
        if before != after {
            before.into_iter().chain(after).for_each(|rect| self.changed.push(rect));
        }
        Ok(walked.result)
    }

    /// Tests whether a walk that was computed ahead is that of now.
    fn still_holds(&self, id: ColliderId, walked: &Walked) -> bool {
        let Placed { slots, .. } = &self.scene.placed;
        // A walker that is named twice may have moved within its pixel.
        let is_at_start = slots.find(id).is_some_and(|slot| slots.positions[slot] == walked.start);
        is_at_start && walked.area.is_some_and(|area| !self.changed.touch(area))
    }

    /// Places all walkers where they started.
    fn take_back(&mut self, ids: &[ColliderId]) {
        for (&id, &position) in ids.iter().zip(&self.starts).rev() {
            // The collider had this place, so it is not refused.
            let _ = self.scene.move_to(id, position);
        }
    }
}

/// Bits of the set of cells: few of them are shared by the walkers of a batch.
const CELL_BITS: usize = 1 << 16;
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

    fn push(&mut self, rect: Rect) {
        self.rects.push(rect);
        let cells = &mut self.cells;
        let set = |cell: usize| {
            cells[cell / 64] |= 1 << (cell % 64);
            false
        };
        if any_cell(rect, set).is_none() {
            self.cells.fill(u64::MAX);
        }
    }

    /// Tests whether a rectangle of the list overlaps `area`.
    fn touch(&self, area: Rect) -> bool {
        let is_set = |cell: usize| self.cells[cell / 64] >> (cell % 64) & 1 == 1;
        any_cell(area, is_set) != Some(false)
            && self.rects.iter().any(|rect| rect.intersection(area).is_some())
    }
}

/// Tests whether `is_one` holds for the bit of any cell that a rectangle covers; `None` if it covers too many.
#[inline]
fn any_cell(rect: Rect, mut is_one: impl FnMut(usize) -> bool) -> Option<bool> {
    let [left, top, right, bottom] =
        [rect.x0, rect.y0, rect.x1.saturating_sub(1), rect.y1.saturating_sub(1)]
            .map(|edge| edge >> CELL_SHIFT);
    let count = |low: i32, high: i32| i64::from(high) - i64::from(low) + 1;
    if count(left, right) * count(top, bottom) > MAX_CELLS {
        return None;
    }
    for y in top..=bottom {
        let row = (y as u32).wrapping_mul(0x85eb_ca77);
        for x in left..=right {
            let hash = (x as u32).wrapping_mul(0x9e37_79b1) ^ row;
            if is_one((hash >> 16) as usize % CELL_BITS) {
                return Some(true);
            }
        }
    }
    Some(false)
}
