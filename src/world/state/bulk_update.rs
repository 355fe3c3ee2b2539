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
//! Called by users of [`World`]. Invariant: a failed [`World::set_placements`] changes nothing.

use crate::memory::parallel;
use crate::simd::vectorized;
use crate::world::state::bulk_placement::PlacementJob;
use crate::world::state::dirty_set::ChangeList;
use crate::world::state::placement::{self, PlaceContext};
use crate::world::state::placement_check::{PlacementCheck, Request};
use crate::world::state::slots::Slots;
use crate::world::{
    BulkPlaceError, Collider, ColliderId, PlaceError, Placement, PlacementLayout, PlacementSlice,
    World,
};

/// Colliders per thread. Placing so few takes less time than waking a thread, but the update that
/// follows needs the thread anyway.
const COLLIDERS_PER_THREAD: usize = 5_000;

impl World {
    /// Moves and rotates many colliders: the collider `ids[i]` gets `placements[i]`. Everything
    /// else about it stays. If an id occurs twice, the last placement counts.
    ///
    /// Takes some nanoseconds a collider, and twice as many if the indices of `ids` are not
    /// contiguous. It uses one thread for every 5,000 colliders. If the indices do not ascend, the
    /// placements are first sorted by ranges of indices, at 24 bytes of memory each.
    ///
    /// The placements are read in place, in any of three [layouts](PlacementLayout).
    ///
    /// ```
    /// # use hitmask::{Angle, Atlas, AtlasBuilder, Collider, ColliderId, Placement, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = atlas.sprite_id("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// # for _ in 0..3 { world.insert(Collider::new(a))?; }
    /// let ids: Vec<ColliderId> = world.ids().collect();
    /// let placements: Vec<Placement> = (0..ids.len())
    ///     .map(|i| Placement { position: [i as f32, 0.0], angle: Angle::Radians(0.1) })
    ///     .collect();
    /// world.set_placements(&ids, &placements)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BulkPlaceError`] with the first collider that cannot be placed. The world is unchanged.
    ///
    /// # Panics
    /// If the slices have different lengths.
    pub fn set_placements<P: PlacementLayout>(
        &mut self,
        ids: &[ColliderId],
        placements: &[P],
    ) -> Result<(), BulkPlaceError> {
        self.place_many(ids, P::slice(placements))
    }

    fn place_many(
        &mut self,
        ids: &[ColliderId],
        placements: PlacementSlice<'_>,
    ) -> Result<(), BulkPlaceError> {
        assert_eq!(ids.len(), placements.len(), "ids and placements differ in length");
        let threads = parallel::threads_for(ids.len(), COLLIDERS_PER_THREAD);
        parallel::within(threads, || self.place_with(threads, ids, placements))
    }

    fn place_with(
        &mut self,
        threads: usize,
        ids: &[ColliderId],
        placements: PlacementSlice<'_>,
    ) -> Result<(), BulkPlaceError> {
        let mut checks = std::mem::take(&mut self.checks);
        if checks.len() < threads {
            checks.resize_with(threads, PlacementCheck::default);
        }
        let world = &*self;
        parallel::share(&mut checks[..threads], (0, ids, placements), &split, &|check, request| {
            vectorized(
                #[inline(always)]
                || world.check_placements(request, check),
            );
        });
        let placed = self.place_checked(&checks[..threads], ids, placements);
        self.checks = checks;
        placed
    }

    fn place_checked(
        &mut self,
        workers: &[PlacementCheck],
        ids: &[ColliderId],
        placements: PlacementSlice<'_>,
    ) -> Result<(), BulkPlaceError> {
        let threads = workers.len();
        if let Some(index) = workers.iter().find_map(|check| check.fault) {
            // Recomputed, because an error is larger than the result that workers carry.
            let cause = self.placement_error(ids[index], placements.get(index));
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
        let grouped = (!ascends && threads > 1).then_some(&mut self.grouped);
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
        let limits = self.dirty.limits();
        if self.changes.len() < threads {
            self.changes.resize_with(threads, ChangeList::default);
        }
        let changes = &mut self.changes[..threads];
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
        let undrawn: usize = self.changes[..threads].iter().map(|list| list.undrawn.len()).sum();
        if undrawn > 0 {
            let listed = self.changes[..threads].iter().flat_map(|list| &list.undrawn);
            let slots: Vec<u32> = listed.copied().collect();
            self.draw_placed(&slots);
        }
        let context = PlaceContext::new(&self.atlas, &self.poses, &self.masks);
        // The placed masks of fixed colliders are stored elsewhere.
        for &id in ids.iter().filter(|_| any_fixed) {
            let slot = id.slot();
            let appearance = self.slots.appearances[slot];
            if self.appearances.get(appearance).fixed {
                let Slots { positions, angles, scales, .. } = &self.slots;
                let pose = (positions[slot], angles[slot].into(), scales[slot]);
                let Ok(placed) = self.appearances.placed(&context, appearance, pose) else {
                    continue;
                };
                self.slots.put_placed(slot, true, placed);
                self.finder.index.mark_fixed_dirty();
            }
        }
        self.dirty.add_lists(&self.changes[..threads], slot_count);
        Ok(())
    }

    /// Returns the reason why a collider cannot be placed here. A placement may have several
    /// faults. The checks run in the order of [`set`](Self::set), so both calls report the same
    /// one.
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

/// Splits a request in proportion to the workers.
fn split<'a>(
    (at, ids, placements): Request<'a>,
    left: &[PlacementCheck],
    right: &[PlacementCheck],
) -> (Request<'a>, Request<'a>) {
    let cut = ids.len() * left.len() / (left.len() + right.len());
    let (earlier, later) = placements.split_at(cut);
    ((at, &ids[..cut], earlier), (at + cut, &ids[cut..], later))
}

/// Splits a placement job in proportion to the workers.
fn split_job<'s>(
    job: PlacementJob<'s>,
    left: &[ChangeList],
    right: &[ChangeList],
) -> (PlacementJob<'s>, PlacementJob<'s>) {
    job.split(left.len(), right.len())
}
