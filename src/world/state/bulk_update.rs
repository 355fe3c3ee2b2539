//! Bulk placement: moves and rotates many colliders in one call.
//!
//! ```text
//! check    every id and placement; the first error ends the call, and nothing has changed
//! write    position, pose and box of each collider, in parallel by ranges of slots
//! ```
//!
//! Called by users of [`World`]. Invariant: a failed [`World::set_placements`] changes nothing.

use crate::geom::MAX_POSITION;
use crate::memory::parallel;
use crate::pose::Angle;
use crate::simd::vectorized;
use crate::world::state::bulk_placement::{self, PlacementJob};
use crate::world::state::dirty_set::ChangeList;
use crate::world::state::placement::{self, MaskSource, PlaceContext};
use crate::world::state::slots::{NO_COLLIDER, Slots};
use crate::world::{BulkPlaceError, Collider, ColliderId, PlaceError, Placement, World};

/// Colliders per thread. Placing so few takes less time than waking a thread, but the update that
/// follows needs the thread anyway.
const COLLIDERS_PER_THREAD: usize = 5_000;

impl Placement {
    /// Returns the bits of the angle in radians. A turn returns the bits of a finite number.
    #[inline(always)]
    fn radians(self) -> u32 {
        match self.angle {
            Angle::Radians(radians) => radians.to_bits(),
            Angle::Turn(turn) => u32::from(turn),
        }
    }

    /// Returns true if a sprite can be placed here.
    #[inline(always)]
    fn is_valid(self, resolution: f32) -> bool {
        are_in_range(&self.position, resolution) && are_finite(&[self.radians()])
    }
}

/// Returns true if all coordinates are finite and in range. Tests them together, without a branch
/// or a float comparison.
#[inline(always)]
fn are_in_range(coordinates: &[f32], resolution: f32) -> bool {
    let least = coordinates.iter().fold(0, |least, p| least | margin(MAX_POSITION, p * resolution));
    least >= 0
}

/// Returns true if these are the bits of finite numbers.
#[inline(always)]
fn are_finite(bits: &[u32]) -> bool {
    bits.iter().fold(0, |least, &bits| least | margin(f32::MAX, f32::from_bits(bits))) >= 0
}

/// Returns a negative number if `value` is not a number or its magnitude exceeds `most`.
#[inline(always)]
fn margin(most: f32, value: f32) -> i32 {
    // Non-negative floats sort like their bits, and NaN sorts after all numbers.
    (most.to_bits() as i32).wrapping_sub(value.abs().to_bits() as i32)
}

impl World {
    /// Moves and rotates many colliders: the collider `ids[i]` gets `placements[i]`. Everything
    /// else about it stays. If an id occurs twice, the last placement counts.
    ///
    /// Takes some nanoseconds a collider, and twice as many if the indices of `ids` are not
    /// contiguous. It uses one thread for every 5,000 colliders. If the indices do not ascend, the
    /// placements are first sorted by ranges of indices, at 20 bytes of memory each.
    ///
    /// ```
    /// # use hitmask::{Angle, Atlas, Bake, Collider, ColliderId, Placement, World};
    /// # let atlas = Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?;
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
    pub fn set_placements(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        assert_eq!(ids.len(), placements.len(), "ids and placements differ in length");
        let threads = parallel::threads_for(ids.len(), COLLIDERS_PER_THREAD);
        parallel::within(threads, || self.place_with(threads, ids, placements))
    }

    fn place_with(
        &mut self,
        threads: usize,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        let mut workers = [CheckResult::default(); parallel::MAX_THREADS];
        let workers = &mut workers[..threads];
        let world = &*self;
        parallel::share(workers, (0, ids, placements), &split, &|check, request| {
            *check = vectorized(
                #[inline(always)]
                || world.check_placements(request),
            );
        });
        if let Some(index) = workers.iter().find_map(|check| check.fault) {
            // Recomputed, because an error is larger than the result that workers carry.
            let cause = self.placement_error(ids[index], &placements[index]);
            return cause.map_err(|cause| BulkPlaceError { index, cause });
        }
        let ends = workers.windows(2).all(|pair| pair[0].last < pair[1].first);
        let ascends = ends && workers.iter().all(|check| check.ascends);
        let any_fixed = workers.iter().any(|check| check.fixed);
        let grouped = (!ascends && threads > 1).then_some(&mut self.grouped);
        let context = PlaceContext::new(&self.atlas, &self.masks);
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

    /// Checks a run of placements. The first one has the index `at` in the whole call.
    #[inline(always)]
    fn check_placements(&self, (mut at, ids, placements): Request<'_>) -> CheckResult {
        let mut check = CheckResult { ascends: true, ..CheckResult::default() };
        let (mut next, resolution) = (0, self.atlas.resolution());
        for (ids, placements) in
            ids.chunks(bulk_placement::BLOCK).zip(placements.chunks(bulk_placement::BLOCK))
        {
            let first = ids[0].index();
            if self.are_valid_contiguous(first as usize, ids, placements, resolution) {
                check.ascends &= first >= next;
                next = first + ids.len() as u32;
                at += ids.len();
                continue;
            }
            if self.are_valid_gathered(ids, placements, resolution) {
                check.ascends &= first >= next && ids.is_sorted_by(ascend);
                next = ids[ids.len() - 1].index() + 1;
                at += ids.len();
                continue;
            }
            for (&id, place) in ids.iter().zip(placements) {
                if !self.can_place_one(id, place, resolution) {
                    return CheckResult { fault: Some(at), ..check };
                }
                check.ascends &= id.index() >= next;
                next = id.index() + 1;
                check.fixed |= self.appearances.get(self.slots.appearances[id.slot()]).fixed;
                at += 1;
            }
        }
        if let [first, .., last] | [first @ last] = ids {
            (check.first, check.last) = (i64::from(first.index()), i64::from(last.index()));
        }
        check
    }

    /// Returns true if `ids` are the moving sprites in the slots from `first` on, and all
    /// placements are valid. This holds for most blocks, and is computed without a branch.
    #[inline(always)]
    fn are_valid_contiguous(
        &self,
        first: usize,
        ids: &[ColliderId],
        placements: &[Placement],
        resolution: f32,
    ) -> bool {
        let slots = first..first + ids.len();
        let Slots { generations, appearances, .. } = &self.slots;
        let (Some(generations), Some(appearances)) =
            (generations.get(slots.clone()), appearances.get(slots))
        else {
            return false;
        };
        let mut valid = true;
        for ((id, &generation), slot) in ids.iter().zip(generations).zip(first as u32..) {
            valid &= (id.index() == slot) & (id.generation() == generation);
        }
        valid & self.can_place(appearances, placements, resolution)
    }

    /// As [`are_valid_contiguous`](Self::are_valid_contiguous), for arbitrary slots: gathers their
    /// state first. Not inlined, because contiguous slots would take 20% longer.
    #[inline(never)]
    fn are_valid_gathered(
        &self,
        ids: &[ColliderId],
        placements: &[Placement],
        resolution: f32,
    ) -> bool {
        let Slots { generations, appearances, .. } = &self.slots;
        let generations = &generations[..appearances.len()];
        let (mut appearance_indices, mut valid) = ([NO_COLLIDER; bulk_placement::BLOCK], true);
        let appearance_indices = &mut appearance_indices[..ids.len()];
        for (appearance, id) in appearance_indices.iter_mut().zip(ids) {
            let slot = id.slot();
            let present = slot < appearances.len();
            // A slot out of range counts as empty.
            let (generation, appearance_index) =
                if present { (generations[slot], appearances[slot]) } else { (0, NO_COLLIDER) };
            *appearance = appearance_index;
            valid &= id.generation() == generation;
        }
        valid & self.can_place(appearance_indices, placements, resolution)
    }

    /// Returns true if all appearances are moving sprites and all placements are valid.
    #[inline(always)]
    fn can_place(&self, appearances: &[u32], placements: &[Placement], resolution: f32) -> bool {
        // Copied to arrays of their own, so that the checks are vectorised.
        let (mut positions, mut angles) =
            ([[0.0; 2]; bulk_placement::BLOCK], [0; bulk_placement::BLOCK]);
        let (positions, angles) =
            (&mut positions[..placements.len()], &mut angles[..placements.len()]);
        for ((position, angle), place) in positions.iter_mut().zip(&mut *angles).zip(placements) {
            (*position, *angle) = (place.position, place.radians());
        }
        self.appearances.are_moving_sprites(appearances)
            & are_in_range(positions.as_flattened(), resolution)
            & are_finite(angles)
    }

    /// Returns true if the collider can be placed here.
    #[inline(always)]
    fn can_place_one(&self, id: ColliderId, place: &Placement, resolution: f32) -> bool {
        let Some(slot) = self.slots.find(id) else { return false };
        let source = self.appearances.source(self.slots.appearances[slot]);
        let is_allowed =
            matches!(source, MaskSource::Atlas(_)) || placement::is_upright(place.angle);
        is_allowed & place.is_valid(resolution)
    }

    /// Returns the reason why a collider cannot be placed here. A placement may have several
    /// faults. The checks run in the order of [`set`](Self::set), so both calls report the same
    /// one.
    fn placement_error(&self, id: ColliderId, place: &Placement) -> Result<(), PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let Placement { position, angle } = *place;
        let collider = Collider { position, angle, ..self.slots.collider(&self.appearances, slot) };
        placement::check_upright(&collider)?;
        let appearance = self.slots.appearances[slot];
        let context = PlaceContext::new(&self.atlas, &self.masks);
        self.appearances.placed(&context, appearance, (position, angle, collider.scale)).map(drop)
    }
}

/// Returns true if the slot of `first` is before that of `second`.
const fn ascend(first: &ColliderId, second: &ColliderId) -> bool {
    first.index() < second.index()
}

/// A run of ids and placements, with the index of the first one in the whole call.
type Request<'a> = (usize, &'a [ColliderId], &'a [Placement]);

/// Splits a request in proportion to the workers.
fn split<'a>(
    (at, ids, placements): Request<'a>,
    left: &[CheckResult],
    right: &[CheckResult],
) -> (Request<'a>, Request<'a>) {
    let cut = ids.len() * left.len() / (left.len() + right.len());
    ((at, &ids[..cut], &placements[..cut]), (at + cut, &ids[cut..], &placements[cut..]))
}

/// Splits a placement job in proportion to the workers.
fn split_job<'s>(
    job: PlacementJob<'s>,
    left: &[ChangeList],
    right: &[ChangeList],
) -> (PlacementJob<'s>, PlacementJob<'s>) {
    job.split(left.len(), right.len())
}

/// The result of checking a run of placements.
#[derive(Clone, Copy, Default)]
struct CheckResult {
    /// Index of the first collider that cannot be placed.
    fault: Option<usize>,
    /// True if the slots ascend.
    ascends: bool,
    /// True if a collider is fixed.
    fixed: bool,
    first: i64,
    last: i64,
}
