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
//! Called by the world. Invariants: a failed call changes nothing. Placements of one slot keep their
//! order, so the last one counts.

use crate::memory::parallel;
use crate::memory::vec_growth;
use crate::scene::bulk_placement::{PLACE_BLOCK, PlacementJob};
use crate::scene::dirty_set::ChangeList;
use crate::scene::placement::{self, PlaceContext, PlacedMask};
use crate::scene::placement_check::{PlacementCheck, Request};
use crate::scene::slots::Slots;
use crate::scene::{BulkPlaceError, Collider, ColliderId, PlaceError, Placement, Scene};
use crate::simd::vectorized;
use std::ops::Range;

/// Colliders per thread: few, because the update that follows needs the thread anyway.
const PLACEMENTS_PER_THREAD: usize = 5_000;

#[derive(Clone, Debug, Default)]
pub(crate) struct BulkBuffers {
    grouped: GroupedPlacements,
    checks: Vec<PlacementCheck>,
    /// The placed masks before a call for few colliders.
    before: Vec<PlacedMask>,
    /// The changes that each thread found.
    changes: Vec<ChangeList>,
}

impl Scene {
    /// Gives `ids[i]` the placement `placements[i]`; if an id repeats, the last one.
    pub(crate) fn set_placements(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        assert_eq!(ids.len(), placements.len(), "ids and placements differ in length");
        let threads = parallel::threads_for(ids.len(), PLACEMENTS_PER_THREAD);
        parallel::within(threads, || self.place_with(threads, ids, placements))
    }

    fn place_with(
        &mut self,
        threads: usize,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        let mut checks = std::mem::take(&mut self.bulk.checks);
        if checks.len() < threads {
            checks.resize_with(threads, PlacementCheck::default);
        }
        let scene = &*self;
        parallel::share(&mut checks[..threads], (0, ids, placements), &split, &|check, request| {
            vectorized(
                #[inline(always)]
                || scene.check_placements(request, check),
            );
        });
        let placed = self.place_checked(&checks[..threads], ids, placements);
        self.bulk.checks = checks;
        placed
    }

    fn place_checked(
        &mut self,
        workers: &[PlacementCheck],
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        let threads = workers.len();
        if let Some(index) = workers.iter().find_map(|check| check.fault) {
            // Recomputed, because an error is larger than the result that workers carry.
            let cause = self.placement_error(ids[index], placements[index]);
            return cause.map_err(|cause| BulkPlaceError { index, cause });
        }
        if workers.iter().any(|check| !check.undrawn.is_empty()) {
            let undrawn: Vec<usize> =
                workers.iter().flat_map(|check| &check.undrawn).copied().collect();
            self.show_all(ids, placements, &undrawn)?;
        }
        let ends = workers.windows(2).all(|pair| pair[0].last < pair[1].first);
        let ascends = ends && workers.iter().all(|check| check.ascends);
        let any_fixed = workers.iter().any(|check| check.fixed);
        let slots = ids.iter().map(|id| id.slot());
        let fixed: Vec<(usize, PlacedMask)> = slots
            .filter(|&slot| any_fixed && self.appearances.get(self.slots.appearances[slot]).fixed)
            .map(|slot| (slot, self.slots.moving[slot]))
            .collect();
        self.bulk.before.clear();
        if ids.len() <= PLACE_BLOCK && self.slots.displaced.get_mut().is_some() {
            self.bulk.before.extend(ids.iter().map(|id| self.slots.placed(id.slot())));
        }
        let grouped = (!ascends && threads > 1).then_some(&mut self.bulk.grouped);
        let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
        let Slots { positions, angles, scales, appearances: appearance_indices, moving, .. } =
            &mut self.slots;
        let span = workers[threads - 1].last - workers[0].first + 1;
        let contiguous = ascends && span == ids.len() as i64;
        let job = PlacementJob {
            from: 0,
            contiguous,
            ids,
            placements,
            positions,
            angles,
            scales,
            appearance_indices,
            moving,
        };
        let (appearances, slot_count) = (&self.appearances, job.moving.len());
        let limits = self.dirty.limits;
        if self.bulk.changes.len() < threads {
            self.bulk.changes.resize_with(threads, ChangeList::default);
        }
        let changes = &mut self.bulk.changes[..threads];
        changes.iter_mut().for_each(|list| list.begin(slot_count, threads, limits));
        let place = |changes: &mut ChangeList, job: PlacementJob<'_>| {
            job.place(&context, appearances, changes);
        };
        if let Some(grouped) = grouped {
            grouped.group(ids, placements, slot_count);
            let grouped = &*grouped;
            let (ids, placements) = grouped.items();
            let whole = grouped.whole(PlacementJob { ids, placements, ..job });
            let split = |job, left: &[ChangeList], right: &[ChangeList]| {
                grouped.split(job, left.len(), right.len())
            };
            parallel::share(changes, whole, &split, &|changes, (_, job)| place(changes, job));
        } else if ascends {
            parallel::share(changes, job, &split_job, &place);
        } else {
            place(&mut changes[0], job);
        }
        let undrawn: usize =
            self.bulk.changes[..threads].iter().map(|list| list.undrawn.len()).sum();
        if undrawn > 0 {
            let listed = self.bulk.changes[..threads].iter().flat_map(|list| &list.undrawn);
            let slots: Vec<u32> = listed.copied().collect();
            self.draw_placed(&slots);
        }
        let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
        // The placed masks of fixed colliders are stored elsewhere, so the lists of changes miss some.
        for &(slot, number) in &fixed {
            self.slots.moving[slot] = number;
        }
        for (slot, _) in fixed {
            let Slots { positions, angles, scales, .. } = &self.slots;
            let pose = (positions[slot], angles[slot], scales[slot]);
            let appearance = self.slots.appearances[slot];
            let Ok(placed) = self.appearances.placed(&context, appearance, pose) else {
                continue;
            };
            self.slots.put_placed(slot, true, placed);
            self.dirty.add(slot, slot_count);
            self.dirty.add_fixed();
        }
        self.note_moves(ids, threads);
        self.dirty.add_lists(&self.bulk.changes[..threads], slot_count);
        Ok(())
    }

    /// Tells queries which boxes have changed. Few colliders may have drifted by little; others count as
    /// far, which costs less than their former boxes.
    fn note_moves(&mut self, ids: &[ColliderId], threads: usize) {
        let Self { slots, bulk: BulkBuffers { before, changes, .. }, .. } = self;
        for (id, before) in ids.iter().zip(&*before) {
            let (slot, fixed) = (id.slot(), slots.moving[id.slot()].is_empty());
            let now = slots.placed(slot);
            slots.displaced.note(slot, *before, now, fixed);
        }
        let Some(homes) = slots.displaced.get_mut().filter(|_| before.is_empty()) else { return };
        if ChangeList::are_whole(&changes[..threads]) {
            for &slot in changes[..threads].iter().flat_map(ChangeList::slots) {
                homes.note_change(slot as usize, None, slots.moving[slot as usize].is_empty());
            }
        } else {
            homes.note_all();
        }
    }

    /// Returns the first fault of a placement, in the order of the checks of [`set`](Self::set).
    fn placement_error(&self, id: ColliderId, place: Placement) -> Result<(), PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let Placement { position, angle } = place;
        let collider = Collider { position, angle, ..self.slots.collider(&self.appearances, slot) };
        placement::check_upright(&collider)?;
        let appearance = self.slots.appearances[slot];
        let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
        self.appearances.placed(&context, appearance, (position, angle, collider.scale)).map(drop)
    }
}

fn split<'a>(
    (at, ids, placements): Request<'a>,
    left: &[PlacementCheck],
    right: &[PlacementCheck],
) -> (Request<'a>, Request<'a>) {
    let cut = ids.len() * left.len() / (left.len() + right.len());
    let (earlier, later) = placements.split_at(cut);
    ((at, &ids[..cut], earlier), (at + cut, &ids[cut..], later))
}

fn split_job<'s>(
    job: PlacementJob<'s>,
    left: &[ChangeList],
    right: &[ChangeList],
) -> (PlacementJob<'s>, PlacementJob<'s>) {
    job.split(left.len(), right.len())
}

/// Upper bound on groups: enough to balance the load of the threads.
const MAX_GROUPS: usize = 64;

/// Placements grouped by ranges of slots, so that each thread writes a range of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupedPlacements {
    ids: Vec<ColliderId>,
    placements: Vec<Placement>,
    /// Start of each group among the ids, and the end of the last.
    starts: Vec<usize>,
    /// Low bits of a slot that do not select its group.
    shift: u32,
}

/// Groups, and the job to place them. The job starts with the first group.
pub(crate) type GroupedJob<'s> = (Range<usize>, PlacementJob<'s>);

impl GroupedPlacements {
    /// Replaces the contents by placements of `ids`, whose slots are below `slots`.
    pub(crate) fn group(&mut self, ids: &[ColliderId], placements: &[Placement], slots: usize) {
        let last = slots.saturating_sub(1);
        self.shift = (0..usize::BITS).find(|shift| last >> shift < MAX_GROUPS).unwrap_or(0);
        let shift = self.shift;
        let group = |id: &ColliderId| id.slot() >> shift;
        let mut next = [0; MAX_GROUPS];
        ids.iter().for_each(|id| next[group(id)] += 1);
        let mut end = 0;
        self.starts.clear();
        self.starts.push(0);
        for next in &mut next {
            end += std::mem::replace(next, end);
            self.starts.push(end);
        }
        let blank = Placement::default();
        let to_ids =
            vec_growth::resized_prefix_with(&mut self.ids, ids.len(), ColliderId::new(0, 0));
        let to = vec_growth::resized_prefix_with(&mut self.placements, ids.len(), blank);
        for (id, place) in ids.iter().zip(placements) {
            let next = &mut next[group(id)];
            (to_ids[*next], to[*next]) = (*id, *place);
            *next += 1;
        }
    }

    /// Returns the grouped ids and placements.
    pub(crate) fn items(&self) -> (&[ColliderId], &[Placement]) {
        let count = self.starts[MAX_GROUPS];
        (&self.ids[..count], &self.placements[..count])
    }

    pub(crate) fn whole<'s>(&self, job: PlacementJob<'s>) -> GroupedJob<'s> {
        (0..MAX_GROUPS, job)
    }

    /// Splits groups, with their placements in the proportion of `left` to `right`.
    pub(crate) fn split<'s>(
        &self,
        (groups, job): GroupedJob<'s>,
        left: usize,
        right: usize,
    ) -> (GroupedJob<'s>, GroupedJob<'s>) {
        let start = self.starts[groups.start];
        let wanted = start + job.ids.len() * left / (left + right);
        let ends = &self.starts[groups.start + 1..=groups.end];
        let middle = groups.start + ends.partition_point(|&end| end <= wanted);
        let (job, later) = job.split_at(self.starts[middle] - start, middle << self.shift);
        ((groups.start..middle, job), (middle..groups.end, later))
    }
}
