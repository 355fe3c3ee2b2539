//! Bulk placement: moves and rotates many colliders in one call.
//!
//! ```text
//! check    every id and placement; the first error ends the call, and nothing has changed
//! write    position, pose and box of each collider, in parallel by ranges of slots
//! draw     the poses that are shown for the first time, if the atlas is undrawn
//! ```
//!
//! Drawing can fail if there is a budget of poses, or a file that no bake wrote. Poses are then
//! drawn before anything is written.
//!
//! Invariants: a failed call changes nothing. Placements of one slot keep their order, so the last one
//! counts.

use crate::error::CallError;
use crate::ids::ColliderId;
use crate::memory::parallel;
use crate::scene::bulk::{
    PLACE_BLOCK, PlacementCheck, PlacementChecker, PlacementJob, PlacementRun,
};
use crate::scene::changes::ChangeList;
use crate::scene::placed::Slots;
use crate::scene::placement;
use crate::scene::scene::Scene;
use crate::scene::{Collider, PlacedMask, Placement};
use crate::simd::vectorized;

/// Colliders per thread: few, because the update that follows needs the thread anyway.
const PLACEMENTS_PER_THREAD: usize = 5_000;

impl Scene {
    /// Gives `ids[i]` the placement `placements[i]`; if an id repeats, the last one.
    pub(crate) fn set_placements(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), CallError> {
        assert_eq!(ids.len(), placements.len(), "ids and placements differ in length");
        let run = PlacementRun { first: 0, ids, placements };
        let threads = parallel::threads_for(ids.len(), PLACEMENTS_PER_THREAD);
        parallel::within(threads, || self.place(threads, run))
    }

    fn place(&mut self, threads: usize, run: PlacementRun<'_>) -> Result<(), CallError> {
        let mut checks = std::mem::take(&mut self.bulk.checks);
        if checks.len() < threads {
            checks.resize_with(threads, PlacementCheck::default);
        }
        let checker = PlacementChecker::new(&self.stock, &self.placed);
        parallel::share(&mut checks[..threads], run, &PlacementRun::split, &|check, run| {
            vectorized(
                #[inline(always)]
                || checker.check(run, check),
            );
        });
        let placed = self.place_checked(&checks[..threads], run);
        self.bulk.checks = checks;
        placed
    }

    fn place_checked(
        &mut self,
        checks: &[PlacementCheck],
        run: PlacementRun<'_>,
    ) -> Result<(), CallError> {
        let PlacementRun { ids, placements, .. } = run;
        if let Some(index) = checks.iter().find_map(|check| check.fault) {
            // Recomputed, because an error is larger than the result that workers carry.
            let cause = self.placement_error(ids[index], placements[index]);
            return cause.map_err(|cause| cause.of_item(index));
        }
        if checks.iter().any(|check| !check.undrawn.is_empty()) {
            let undrawn: Vec<usize> =
                checks.iter().flat_map(|check| &check.undrawn).copied().collect();
            self.show_all(ids, placements, &undrawn)?;
        }
        let Slots { moving, .. } = &self.placed.slots;
        let any_fixed = checks.iter().any(|check| check.fixed);
        let fixed: Vec<(usize, PlacedMask)> = (ids.iter().map(|id| id.slot()))
            .filter(|&slot| any_fixed && self.placed.is_fixed(slot as u32))
            .map(|slot| (slot, moving[slot]))
            .collect();
        // Few are recorded by their states, so that a small motion is known as such. Of many only the fixed
        // ones are, which the threads write as if they were moving.
        let is_few = ids.len() <= PLACE_BLOCK && self.changes.displaced.are_found();
        let mut before = std::mem::take(&mut self.bulk.before);
        before.clear();
        if is_few {
            before.extend(ids.iter().map(|id| self.state(id.slot())));
        } else {
            before.extend(fixed.iter().map(|&(slot, _)| self.state(slot)));
        }
        self.write(checks, run);
        let threads = checks.len();
        let undrawn = self.bulk.changes[..threads].iter().flat_map(|list| &list.undrawn);
        let undrawn: Vec<u32> = undrawn.copied().collect();
        if !undrawn.is_empty() {
            self.draw_placed(&undrawn);
        }
        self.put_fixed(&fixed);
        for before in &before {
            self.record(before, &self.state(before.id.slot()));
        }
        self.bulk.before = before;
        if !is_few {
            let Self { placed, changes, bulk, .. } = self;
            let lists = &mut bulk.changes[..threads];
            if any_fixed {
                lists.iter_mut().for_each(|list| list.retain(|slot| !placed.is_fixed(slot)));
            }
            let slots = &placed.slots;
            changes.record_moves(lists, slots.len(), |slot| slots.moving[slot as usize].is_empty());
        }
        Ok(())
    }

    /// Writes positions, angles and placed masks, as if all colliders were moving. Lists the changes.
    fn write(&mut self, checks: &[PlacementCheck], run: PlacementRun<'_>) {
        let Self { stock, placed, changes, bulk, .. } = self;
        let (threads, appearances) = (checks.len(), &placed.appearances);
        let ends = checks.windows(2).all(|pair| pair[0].last < pair[1].first);
        let ascends = ends && checks.iter().all(|check| check.ascends);
        let span = checks[threads - 1].last - checks[0].first + 1;
        let contiguous = ascends && span == run.ids.len() as i64;
        let slots = placed.slots.len();
        let job = PlacementJob::new(&mut placed.slots, run, contiguous);
        if bulk.changes.len() < threads {
            bulk.changes.resize_with(threads, ChangeList::default);
        }
        let lists = &mut bulk.changes[..threads];
        lists.iter_mut().for_each(|list| list.begin(slots, threads, changes.dirty.limits));
        let context = stock.context();
        let place = |list: &mut ChangeList, job: PlacementJob<'_>| {
            job.place(&context, appearances, list);
        };
        if ascends {
            parallel::share(lists, job, &PlacementJob::split, &place);
        } else if threads > 1 {
            bulk.grouped.group(run, slots);
            let grouped = &bulk.grouped;
            let split = |job, left: &[_], right: &[_]| grouped.split(job, left.len(), right.len());
            parallel::share(lists, grouped.whole(job), &split, &|list, (_, job)| place(list, job));
        } else {
            place(&mut lists[0], job);
        }
    }

    /// Places fixed colliders again, each with what its slot held: the number of an entry elsewhere.
    #[inline]
    fn put_fixed(&mut self, fixed: &[(usize, PlacedMask)]) {
        for &(slot, number) in fixed {
            self.placed.slots.moving[slot] = number;
        }
        for &(slot, _) in fixed {
            let Slots { positions, angles, scales, appearances, .. } = &self.placed.slots;
            let pose = (positions[slot], angles[slot], scales[slot]);
            let context = self.stock.context();
            let placed = self.placed.appearances.placed(&context, appearances[slot], pose);
            let Ok(placed) = placed else { continue };
            self.placed.slots.put_placed(slot, true, placed);
        }
    }

    /// Returns the first fault of a placement, in the order of the checks of [`set`](Self::set).
    fn placement_error(&self, id: ColliderId, place: Placement) -> Result<(), CallError> {
        let slot = self.placed.slots.find(id).ok_or(CallError::Stale(id))?;
        let Placement { position, angle } = place;
        let collider = Collider { position, angle, ..self.placed.collider(slot) };
        placement::check_upright(&collider)?;
        let (pose, context) = ((position, angle, collider.scale), self.stock.context());
        let appearance = self.placed.slots.appearances[slot];
        self.placed.appearances.placed(&context, appearance, pose).map(drop)
    }
}
