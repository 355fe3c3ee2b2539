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
use crate::world::state::bulk_placement::{self, Part};
use crate::world::state::placement::{self, Ground, Model};
use crate::world::state::slots::{NOBODY, Slots};
use crate::world::{BulkPlaceError, Collider, ColliderId, PlaceError, Placement, World};

/// Colliders for which another thread pays: they are placed sooner than it wakes, but the update that follows then
/// has it.
const PAYS: usize = 5_000;

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
    fn is_good(self, resolution: f32) -> bool {
        are_near(&self.position, resolution) && are_angles(&[self.radians()])
    }
}

/// True where these may be coordinates of a position: found of all of them at once, with neither a
/// branch nor a comparison.
#[inline(always)]
fn are_near(coordinates: &[f32], resolution: f32) -> bool {
    let room = coordinates.iter().fold(0, |room, p| room | room_of(MAX_POSITION, p * resolution));
    room >= 0
}

/// True where these are the bits of numbers.
#[inline(always)]
fn are_angles(bits: &[u32]) -> bool {
    bits.iter().fold(0, |room, &bits| room | room_of(f32::MAX, f32::from_bits(bits))) >= 0
}

/// Less than 0 where a value is more than `most` to either side, or no number.
#[inline(always)]
fn room_of(most: f32, value: f32) -> i32 {
    // Positive numbers are in the order of their bits, and what is no number comes after them.
    (most.to_bits() as i32).wrapping_sub(value.abs().to_bits() as i32)
}

impl World {
    /// Moves and turns many colliders: that of `ids[i]` goes to `places[i]`, and is otherwise as
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
    /// let places: Vec<Placement> = (0..ids.len())
    ///     .map(|i| Placement { position: [i as f32, 0.0], angle: Angle::Radians(0.1) })
    ///     .collect();
    /// world.set_placements(&ids, &places)?;
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
        places: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        assert_eq!(ids.len(), places.len(), "as many places as ids");
        let threads = parallel::threads_for(ids.len(), PAYS);
        parallel::within(threads, || self.place_on(threads, ids, places))
    }

    fn place_on(
        &mut self,
        threads: usize,
        ids: &[ColliderId],
        places: &[Placement],
    ) -> Result<(), BulkPlaceError> {
        let mut workers = [Check::default(); parallel::MOST];
        let workers = &mut workers[..threads];
        let world = &*self;
        parallel::share(workers, (0, ids, places), &split, &|check, asked| {
            *check = vectorized(
                #[inline(always)]
                || world.check_places(asked),
            );
        });
        if let Some(index) = workers.iter().find_map(|check| check.fault) {
            // Found out again, because errors are larger than what workers should carry.
            let cause = self.check_place(ids[index], &places[index]);
            return cause.map_err(|cause| BulkPlaceError { index, cause });
        }
        let ends = workers.windows(2).all(|pair| pair[0].last < pair[1].first);
        let ascends = ends && workers.iter().all(|check| check.ascends);
        let side_by_side = ascends && !workers.iter().any(|check| check.fixed);
        let ground = Ground::new(&self.atlas, &self.masks);
        let Slots { positions, angles, scales, looks: shown, moving, .. } = &mut self.slots;
        let span = workers[threads - 1].last - workers[0].first + 1;
        let in_a_row = ascends && span == ids.len() as i64;
        let all = Part { from: 0, in_a_row, ids, places, positions, angles, scales, shown, moving };
        if side_by_side {
            let looks = &self.looks;
            parallel::share(workers, all, &split_part, &|_, part| part.place(&ground, looks));
        } else {
            all.place(&ground, &self.looks);
        }
        for &id in ids.iter().filter(|_| !side_by_side) {
            let slot = id.slot();
            let look = self.slots.looks[slot];
            if self.looks.get(look).fixed {
                let Slots { positions, angles, scales, .. } = &self.slots;
                let pose = (positions[slot], angles[slot].into(), scales[slot]);
                let Ok(placed) = self.looks.placed(&ground, look, pose) else {
                    continue;
                };
                self.slots.put_placed(slot, true, placed);
                self.finder.forget_fixed();
            }
        }
        // A list of very many would be no shorter way than to look at all.
        if ids.len() >= self.slots.len() / 8 {
            self.unsettled.add_all();
        } else {
            ids.iter().for_each(|id| self.unsettled.add(id.slot()));
        }
        Ok(())
    }

    /// Looks at many places, of which the first has this index.
    #[inline(always)]
    fn check_places(&self, (mut at, ids, places): Asked<'_>) -> Check {
        let mut check = Check { ascends: true, ..Check::default() };
        let (mut next, resolution) = (0, self.atlas.resolution());
        for (ids, places) in
            ids.chunks(bulk_placement::BLOCK).zip(places.chunks(bulk_placement::BLOCK))
        {
            let first = ids[0].index();
            if self.are_good(first as usize, ids, places, resolution) {
                check.ascends &= first >= next;
                next = first + ids.len() as u32;
                at += ids.len();
                continue;
            }
            if self.are_good_apart(ids, places, resolution) {
                check.ascends &= first >= next && ids.is_sorted_by(ascend);
                next = ids[ids.len() - 1].index() + 1;
                at += ids.len();
                continue;
            }
            for (&id, place) in ids.iter().zip(places) {
                if !self.is_place(id, place, resolution) {
                    return Check { fault: Some(at), ..check };
                }
                check.ascends &= id.index() >= next;
                next = id.index() + 1;
                check.fixed |= self.looks.get(self.slots.looks[id.slot()]).fixed;
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
    fn are_good(
        &self,
        first: usize,
        ids: &[ColliderId],
        places: &[Placement],
        resolution: f32,
    ) -> bool {
        let slots = first..first + ids.len();
        let Slots { generations, looks, .. } = &self.slots;
        let (Some(generations), Some(looks)) = (generations.get(slots.clone()), looks.get(slots))
        else {
            return false;
        };
        let mut good = true;
        for ((id, &generation), slot) in ids.iter().zip(generations).zip(first as u32..) {
            good &= (id.index() == slot) & (id.generation() == generation);
        }
        good & self.can_go(looks, places, resolution)
    }

    /// The same of slots that do not follow each other: what is known of them is gathered. A call of its
    /// own, or else those that do take a fifth longer.
    #[inline(never)]
    fn are_good_apart(&self, ids: &[ColliderId], places: &[Placement], resolution: f32) -> bool {
        let Slots { generations, looks, .. } = &self.slots;
        let generations = &generations[..looks.len()];
        let (mut shown, mut good) = ([NOBODY; bulk_placement::BLOCK], true);
        let shown = &mut shown[..ids.len()];
        for (look, id) in shown.iter_mut().zip(ids) {
            let slot = id.slot();
            let present = slot < looks.len();
            // Of a slot that is not there: nobody's look.
            let (generation, shown) =
                if present { (generations[slot], looks[slot]) } else { (0, NOBODY) };
            *look = shown;
            good &= id.generation() == generation;
        }
        good & self.can_go(shown, places, resolution)
    }

    /// True where these are looks of sprites that move, and the places are places.
    #[inline(always)]
    fn can_go(&self, looks: &[u32], places: &[Placement], resolution: f32) -> bool {
        // In arrays of their own they are looked at many at once.
        let (mut positions, mut angles) =
            ([[0.0; 2]; bulk_placement::BLOCK], [0; bulk_placement::BLOCK]);
        let (positions, angles) = (&mut positions[..places.len()], &mut angles[..places.len()]);
        for ((position, angle), place) in positions.iter_mut().zip(&mut *angles).zip(places) {
            (*position, *angle) = (place.position, place.radians());
        }
        self.looks.all_move_posed(looks)
            & are_near(positions.as_flattened(), resolution)
            & are_angles(angles)
    }

    /// True where a collider could go there.
    #[inline(always)]
    fn is_place(&self, id: ColliderId, place: &Placement, resolution: f32) -> bool {
        let Some(slot) = self.slots.find(id) else { return false };
        let model = self.looks.model(self.slots.looks[slot]);
        let shown = matches!(model, Model::SpriteReport(_)) || placement::is_upright(place.angle);
        shown & place.is_good(resolution)
    }

    /// Why a collider could not go there. A place may be wrong in several ways: it is asked of what
    /// [`set`](Self::set) asks, in its order, so that both refuse it for the same.
    fn check_place(&self, id: ColliderId, place: &Placement) -> Result<(), PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let Placement { position, angle } = *place;
        let collider = Collider { position, angle, ..self.slots.collider(&self.looks, slot) };
        placement::check_upright(&collider)?;
        let look = self.slots.looks[slot];
        let ground = Ground::new(&self.atlas, &self.masks);
        self.looks.placed(&ground, look, (position, angle, collider.scale)).map(drop)
    }
}

/// True where the first is in a slot before that of the second.
const fn ascend(first: &ColliderId, second: &ColliderId) -> bool {
    first.index() < second.index()
}

/// Ids and their places, and the index of the first.
type Asked<'a> = (usize, &'a [ColliderId], &'a [Placement]);

/// Two parts of what is asked.
fn split<'a>(
    (at, ids, places): Asked<'a>,
    left: &[Check],
    right: &[Check],
) -> (Asked<'a>, Asked<'a>) {
    let cut = ids.len() * left.len() / (left.len() + right.len());
    ((at, &ids[..cut], &places[..cut]), (at + cut, &ids[cut..], &places[cut..]))
}

/// Two parts of what is to be placed.
fn split_part<'s>(part: Part<'s>, left: &[Check], right: &[Check]) -> (Part<'s>, Part<'s>) {
    part.split(left.len(), right.len())
}

/// What a look at many places finds.
#[derive(Clone, Copy, Default)]
struct Check {
    /// The first that cannot be placed.
    fault: Option<usize>,
    /// True where the slots ascend.
    ascends: bool,
    /// True where one is fixed.
    fixed: bool,
    first: i64,
    last: i64,
}
