//! Very many changes at once, from slices and iterators.
//!
//! ```text
//! check    each id and each place; the first fault ends it, and nothing has changed
//! write    each collider's place, pose and box; side by side where the slots ascend
//! ```

use super::angle::KeptAngle;
use super::look::{Looks, Model};
use super::place::{self, Ground, Placed};
use super::slots::Slots;
use super::{Collider, ColliderId, PlaceError, PlaceManyError, World};
use crate::parallel;
use crate::pose::Angle;

/// Colliders from which placing them is spread over threads: fewer are placed in less time than
/// it takes to wake one.
const SPREAD: usize = 16_384;

/// Where a collider goes: the part of it that changes from tick to tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Where the pivot lies, as [`Collider::position`](crate::Collider::position).
    pub position: [f32; 2],
    /// Turn about the pivot, clockwise on screen.
    pub angle: Angle,
}

impl World {
    /// Moves and turns many colliders: that of `ids[i]` goes to `places[i]`, and is otherwise as
    /// it was. Where an id comes twice the last place holds.
    ///
    /// Takes some nanoseconds a collider; where the indices of `ids` ascend and none is
    /// [fixed](Collider::fixed), every core is used.
    ///
    /// ```
    /// # use hitmask::{Angle, Atlas, Bake, Collider, ColliderId, Place, World};
    /// # let atlas = Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = atlas.sprite("a").unwrap();
    /// # let mut world = World::new(atlas);
    /// # for _ in 0..3 { world.insert(Collider::new(a))?; }
    /// let ids: Vec<ColliderId> = world.ids().collect();
    /// let places: Vec<Place> = (0..ids.len())
    ///     .map(|i| Place { position: [i as f32, 0.0], angle: Angle::Radians(0.1) })
    ///     .collect();
    /// world.place_many(&ids, &places)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PlaceManyError`] with the first that cannot be placed; the world is then as it was.
    ///
    /// # Panics
    /// Where the slices are not of one length.
    pub fn place_many(
        &mut self,
        ids: &[ColliderId],
        places: &[Place],
    ) -> Result<(), PlaceManyError> {
        assert_eq!(ids.len(), places.len(), "as many places as ids");
        let threads = if ids.len() < SPREAD { 1 } else { parallel::threads().min(MOST) };
        let mut workers = [Check::default(); MOST];
        let workers = &mut workers[..threads];
        let world = &*self;
        parallel::share(workers, (0, ids, places), &split, &|check, asked| {
            *check = world.check_places(asked);
        });
        if let Some(index) = workers.iter().find_map(|check| check.fault) {
            // Found out again, because errors are larger than what workers should carry.
            let cause = self.check_place(ids[index], &places[index]);
            return cause.map_err(|cause| PlaceManyError { index, cause });
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
            parallel::share(workers, all, &Part::split, &|_, part| part.place(&ground, looks));
        } else {
            all.place(&ground, &self.looks);
        }
        for &id in ids.iter().filter(|_| !side_by_side) {
            let slot = id.index() as usize;
            let look = self.slots.looks[slot];
            if self.looks.get(look).fixed {
                let Slots { positions, angles, scales, .. } = &self.slots;
                let pose = (positions[slot], angles[slot].into(), scales[slot]);
                let Ok(placed) = Placed::find(&ground, self.looks.model(look), pose) else {
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
            ids.iter().for_each(|id| self.unsettled.add(id.index() as usize));
        }
        Ok(())
    }

    /// Sets many colliders, as [`set`](Self::set) does one.
    ///
    /// # Errors
    /// [`PlaceManyError`] with the first that cannot be placed: those before it have been set, it
    /// and those after it are as they were.
    pub fn set_many(
        &mut self,
        colliders: impl IntoIterator<Item = (ColliderId, Collider)>,
    ) -> Result<(), PlaceManyError> {
        for (index, (id, collider)) in colliders.into_iter().enumerate() {
            self.set(id, collider).map_err(|cause| PlaceManyError { index, cause })?;
        }
        Ok(())
    }

    /// Looks at many places, of which the first has this index.
    fn check_places(&self, (at, ids, places): Asked<'_>) -> Check {
        let mut check = Check { ascends: true, ..Check::default() };
        let (mut next, resolution) = (0, self.atlas.resolution());
        for (index, (&id, place)) in (at..).zip(ids.iter().zip(places)) {
            if !self.is_place(id, place, resolution) {
                return Check { fault: Some(index), ..check };
            }
            check.ascends &= id.index() >= next;
            next = id.index() + 1;
            check.fixed |= self.looks.get(self.slots.looks[id.index() as usize]).fixed;
        }
        if let [first, .., last] | [first @ last] = ids {
            (check.first, check.last) = (i64::from(first.index()), i64::from(last.index()));
        }
        check
    }

    /// True where a collider could go there.
    #[inline(always)]
    fn is_place(&self, id: ColliderId, place: &Place, resolution: f32) -> bool {
        let Some(slot) = self.slots.find(id) else { return false };
        let angle = match place.angle {
            Angle::Radians(radians) => radians.is_finite(),
            Angle::Turn(_) => true,
        };
        let model = self.looks.model(self.slots.looks[slot]);
        let shown = matches!(model, Model::Baked(_)) || place::is_upright(place.angle);
        angle & shown & place::snap(place.position, resolution).is_some()
    }

    /// Why a collider could not go there.
    fn check_place(&self, id: ColliderId, place: &Place) -> Result<(), PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let Place { position, angle } = *place;
        place::snap(position, self.atlas.resolution()).ok_or(PlaceError::Position(position))?;
        if let Angle::Radians(radians) = angle
            && !radians.is_finite()
        {
            return Err(PlaceError::Angle(angle));
        }
        match self.looks.model(self.slots.looks[slot]) {
            Model::Mask(mask) if !place::is_upright(angle) => Err(PlaceError::PosedMask(*mask)),
            _ => Ok(()),
        }
    }
}

/// Threads that are used at most.
const MOST: usize = 16;

/// Ids and their places, and the index of the first.
type Asked<'a> = (usize, &'a [ColliderId], &'a [Place]);

/// Two parts of what is asked.
fn split<'a>(
    (at, ids, places): Asked<'a>,
    left: &[Check],
    right: &[Check],
) -> (Asked<'a>, Asked<'a>) {
    let cut = ids.len() * left.len() / (left.len() + right.len());
    ((at, &ids[..cut], &places[..cut]), (at + cut, &ids[cut..], &places[cut..]))
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

/// Colliders to be placed, and the slots that they are in.
struct Part<'s> {
    /// The slot of the first of each slice.
    from: usize,
    /// True where the slots of `ids` follow each other without a gap.
    in_a_row: bool,
    ids: &'s [ColliderId],
    places: &'s [Place],
    positions: &'s mut [[f32; 2]],
    angles: &'s mut [KeptAngle],
    scales: &'s [f32],
    shown: &'s [u32],
    moving: &'s mut [Placed],
}

impl Part<'_> {
    /// Two parts of a part whose slots ascend.
    fn split(self, left: &[Check], right: &[Check]) -> (Self, Self) {
        let cut = self.ids.len() * left.len() / (left.len() + right.len());
        let (ids, later_ids) = self.ids.split_at(cut);
        let (places, later_places) = self.places.split_at(cut);
        let border = later_ids.first().map_or(self.from, |id| id.index() as usize) - self.from;
        let (positions, later_positions) = self.positions.split_at_mut(border);
        let (angles, later_angles) = self.angles.split_at_mut(border);
        let (scales, later_scales) = self.scales.split_at(border);
        let (shown, later_shown) = self.shown.split_at(border);
        let (moving, later_moving) = self.moving.split_at_mut(border);
        let later = Part {
            from: self.from + border,
            in_a_row: self.in_a_row,
            ids: later_ids,
            places: later_places,
            positions: later_positions,
            angles: later_angles,
            scales: later_scales,
            shown: later_shown,
            moving: later_moving,
        };
        let Self { from, in_a_row, .. } = self;
        let part = Part { from, in_a_row, ids, places, positions, angles, scales, shown, moving };
        (part, later)
    }

    /// Writes each collider's place, pose and box, the last as if it moved.
    fn place(self, ground: &Ground<'_>, looks: &Looks) {
        let Self { from, ids, places, positions, angles, scales, shown, moving, .. } = self;
        let (true, Some(first)) = (self.in_a_row, ids.first()) else {
            for (id, place) in ids.iter().zip(places) {
                let slot = id.index() as usize - from;
                (positions[slot], angles[slot]) = (place.position, place.angle.into());
                let found = find(ground, looks.model(shown[slot]), place, scales[slot]);
                moving[slot] = found.unwrap_or_default();
            }
            return;
        };
        // Slots one after another, as all of a world are: side by side, without a check for each.
        // First what is kept as it comes, then what has to be found: together, the angle would be
        // taken apart on its way to memory and waited for there.
        let first = first.index() as usize - from;
        let slots = positions[first..].chunks_mut(BLOCK).zip(angles[first..].chunks_mut(BLOCK));
        let slots = slots.zip(moving[first..].chunks_mut(BLOCK)).zip(places.chunks(BLOCK));
        let looked = scales[first..].chunks(BLOCK).zip(shown[first..].chunks(BLOCK));
        for ((((positions, angles), moving), places), (scales, shown)) in slots.zip(looked) {
            for ((position, angle), place) in positions.iter_mut().zip(angles).zip(places) {
                (*position, *angle) = (place.position, place.angle.into());
            }
            for ((to, place), (&scale, &look)) in
                moving.iter_mut().zip(places).zip(scales.iter().zip(shown))
            {
                *to = find(ground, looks.model(look), place, scale).unwrap_or_default();
            }
        }
    }
}

/// Colliders that are written together: their places stay in the nearest cache.
const BLOCK: usize = 256;

/// Where a collider is, and what it shows. Everything has been checked: there is nobody who cannot
/// be placed.
#[inline(always)]
fn find(ground: &Ground<'_>, model: &Model, place: &Place, scale: f32) -> Option<Placed> {
    let pose = (place.position, place.angle, scale);
    match model {
        Model::Baked(cast) => Placed::of_sprite(ground, cast, pose),
        made => Placed::find(ground, made, pose).ok(),
    }
}
