//! Very many changes at once, from slices and iterators.
//!
//! ```text
//! check    each id and each place; the first fault ends it, and nothing has changed
//! write    each collider's place, pose and box; side by side where the slots ascend
//! ```

use crate::geom::MAX_POSITION;
use crate::memory::parallel;
use crate::pose::Angle;
use crate::simd::vectorized;
use crate::world::state::bulk_placement::{self, PlacementJob};
use crate::world::state::placement::{self, MaskSource, PlaceContext};
use crate::world::state::slots::{NO_COLLIDER, Slots};
use crate::world::{BulkPlaceError, Collider, ColliderId, PlaceError, Placement, World};

/// Colliders for which another thread pays: they are placed sooner than it wakes, but the update that follows then
/// has it.
const COLLIDERS_PER_THREAD: usize = 5_000;

impl Placement {
    /// The bits of its angle in radians; of parts of a turn those of a number that is less than any.
    #[inline(always)]
    fn radians(self) -> u32 {
        match self.angle {
            Angle::Radians(radians) => radians.to_bits(),
            Angle::Turn(turn) => u32::from(turn),
        }
    }

    /// True where it is a place, for a sprite.
    #[inline(always)]
    fn is_valid(self, resolution: f32) -> bool {
        are_in_range(&self.position, resolution) && are_finite(&[self.radians()])
    }
}

/// True where these may be coordinates of a position: found of all of them at once, with neither a
/// branch nor a comparison.
#[inline(always)]
fn are_in_range(coordinates: &[f32], resolution: f32) -> bool {
    let least = coordinates.iter().fold(0, |least, p| least | margin(MAX_POSITION, p * resolution));
    least >= 0
}

/// True where these are the bits of numbers.
#[inline(always)]
fn are_finite(bits: &[u32]) -> bool {
    bits.iter().fold(0, |least, &bits| least | margin(f32::MAX, f32::from_bits(bits))) >= 0
}

/// Less than 0 where a value is more than `most` to either side, or no number.
#[inline(always)]
fn margin(most: f32, value: f32) -> i32 {
    // Positive numbers are in the order of their bits, and what is no number comes after them.
    (most.to_bits() as i32).wrapping_sub(value.abs().to_bits() as i32)
}

impl World {
    /// Moves and turns many colliders: that of `ids[i]` goes to `placements[i]`, and is otherwise as
    /// it was. Where an id comes twice the last place holds.
    ///
    /// Takes some nanoseconds a collider, twice as many where their indices do not follow each other;
    /// where the indices of `ids` ascend and none is [fixed](Collider::fixed), there is a thread for every 5,000.
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
    /// [`BulkPlaceError`] with the first that cannot be placed; the world is then as it was.
    ///
    /// # Panics
    /// Where the slices are not of one length.
    pub fn set_placements(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        assert_eq!(ids.len(), placements.len(), "as many places as ids");
        let threads = parallel::threads_for(ids.len(), COLLIDERS_PER_THREAD);
        parallel::within(threads, || self.place_with(threads, ids, placements))
    }

    fn place_with(
        &mut self,
        threads: usize,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        let mut workers = [CheckResult::default(); parallel::MOST];
        let workers = &mut workers[..threads];
        let world = &*self;
        parallel::share(workers, (0, ids, placements), &split, &|check, request| {
            *check = vectorized(
                #[inline(always)]
                || world.check_placements(request),
            );
        });
        if let Some(index) = workers.iter().find_map(|check| check.fault) {
            // Found out again, because errors are larger than what workers should carry.
            let cause = self.placement_error(ids[index], &placements[index]);
            return cause.map_err(|cause| BulkPlaceError { index, cause });
        }
        let ends = workers.windows(2).all(|pair| pair[0].last < pair[1].first);
        let ascends = ends && workers.iter().all(|check| check.ascends);
        let in_parallel = ascends && !workers.iter().any(|check| check.fixed);
        let context = PlaceContext::new(&self.atlas, &self.masks);
        let Slots { positions, angles, scales, appearances: appearance_ids, moving, .. } =
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
            appearance_ids,
            moving,
        };
        if in_parallel {
            let appearances = &self.appearances;
            parallel::share(workers, job, &split_job, &|_, job| job.place(&context, appearances));
        } else {
            job.place(&context, &self.appearances);
        }
        for &id in ids.iter().filter(|_| !in_parallel) {
            let slot = id.slot();
            let appearance = self.slots.appearances[slot];
            if self.appearances.get(appearance).fixed {
                let Slots { positions, angles, scales, .. } = &self.slots;
                let pose = (positions[slot], angles[slot].into(), scales[slot]);
                let Ok(placed) = self.appearances.placed(&context, appearance, pose) else {
                    continue;
                };
                self.slots.put_placed(slot, true, placed);
                self.finder.mark_fixed_dirty();
            }
        }
        // A list of very many would be no shorter way than to look at all.
        if ids.len() >= self.slots.len() / 8 {
            self.dirty.add_all();
        } else {
            ids.iter().for_each(|id| self.dirty.add(id.slot()));
        }
        Ok(())
    }

    /// Looks at many places, of which the first has this index.
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

    /// True where these are the colliders in the slots from `first` on, sprites that move, and all
    /// could go where they should: what is true of most blocks, found without a branch.
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
        let mut good = true;
        for ((id, &generation), slot) in ids.iter().zip(generations).zip(first as u32..) {
            good &= (id.index() == slot) & (id.generation() == generation);
        }
        good & self.can_place(appearances, placements, resolution)
    }

    /// The same of slots that do not follow each other: what is known of them is gathered. A call of its
    /// own, or else those that do take a fifth longer.
    #[inline(never)]
    fn are_valid_gathered(
        &self,
        ids: &[ColliderId],
        placements: &[Placement],
        resolution: f32,
    ) -> bool {
        let Slots { generations, appearances, .. } = &self.slots;
        let generations = &generations[..appearances.len()];
        let (mut appearance_ids, mut good) = ([NO_COLLIDER; bulk_placement::BLOCK], true);
        let appearance_ids = &mut appearance_ids[..ids.len()];
        for (appearance, id) in appearance_ids.iter_mut().zip(ids) {
            let slot = id.slot();
            let present = slot < appearances.len();
            // Of a slot that is not there: nobody's look.
            let (generation, appearance_id) =
                if present { (generations[slot], appearances[slot]) } else { (0, NO_COLLIDER) };
            *appearance = appearance_id;
            good &= id.generation() == generation;
        }
        good & self.can_place(appearance_ids, placements, resolution)
    }

    /// True where these are looks of sprites that move, and the places are places.
    #[inline(always)]
    fn can_place(&self, appearances: &[u32], placements: &[Placement], resolution: f32) -> bool {
        // In arrays of their own they are looked at many at once.
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

    /// True where a collider could go there.
    #[inline(always)]
    fn can_place_one(&self, id: ColliderId, place: &Placement, resolution: f32) -> bool {
        let Some(slot) = self.slots.find(id) else { return false };
        let source = self.appearances.source(self.slots.appearances[slot]);
        let is_allowed =
            matches!(source, MaskSource::Atlas(_)) || placement::is_upright(place.angle);
        is_allowed & place.is_valid(resolution)
    }

    /// Why a collider could not go there. A place may be wrong in several ways: it is asked of what
    /// [`set`](Self::set) asks, in its order, so that both refuse it for the same.
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

/// True where the first is in a slot before that of the second.
const fn ascend(first: &ColliderId, second: &ColliderId) -> bool {
    first.index() < second.index()
}

/// Ids and their places, and the index of the first.
type Request<'a> = (usize, &'a [ColliderId], &'a [Placement]);

/// Two parts of what is asked.
fn split<'a>(
    (at, ids, placements): Request<'a>,
    left: &[CheckResult],
    right: &[CheckResult],
) -> (Request<'a>, Request<'a>) {
    let cut = ids.len() * left.len() / (left.len() + right.len());
    ((at, &ids[..cut], &placements[..cut]), (at + cut, &ids[cut..], &placements[cut..]))
}

/// Two parts of what is to be placed.
fn split_job<'s>(
    job: PlacementJob<'s>,
    left: &[CheckResult],
    right: &[CheckResult],
) -> (PlacementJob<'s>, PlacementJob<'s>) {
    job.split(left.len(), right.len())
}

/// What a look at many places finds.
#[derive(Clone, Copy, Default)]
struct CheckResult {
    /// The first that cannot be placed.
    fault: Option<usize>,
    /// True where the slots ascend.
    ascends: bool,
    /// True where one is fixed.
    fixed: bool,
    first: i64,
    last: i64,
}
