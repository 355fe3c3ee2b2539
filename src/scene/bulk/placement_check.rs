//! Checks of a bulk placement: whether all ids and placements are valid, and which poses are not
//! drawn yet. Run on every thread, before anything changes.

use crate::geom::MAX_POSITION;
use crate::ids::ColliderId;
use crate::pose::{self, Angle};
use crate::scene::Placement;
use crate::scene::bulk::placement_job::{PLACE_BLOCK, PlacementRun, unzip};
use crate::scene::placed::{Appearances, NO_COLLIDER, Placed, Slots};
use crate::scene::placement;
use crate::scene::stock::{MaskSource, PlaceContext, Stock};

/// The result of checking a run of placements. Kept between calls for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlacementCheck {
    pub(crate) fault: Option<usize>,
    pub(crate) ascends: bool,
    pub(crate) fixed: bool,
    pub(crate) first: i64,
    pub(crate) last: i64,
    /// Indices of the colliders whose poses are not drawn, or not in the table of poses.
    pub(crate) undrawn: Vec<usize>,
}

impl PlacementCheck {
    fn begin(&mut self) {
        self.undrawn.clear();
        let undrawn = std::mem::take(&mut self.undrawn);
        *self = Self { ascends: true, undrawn, ..Self::default() };
    }
}

impl Placement {
    #[inline(always)]
    fn is_valid(self, resolution: f32) -> bool {
        are_in_range(&self.position, resolution) && self.angle.is_finite()
    }
}

/// Returns true if all coordinates are in range, without a branch or a float comparison.
#[inline(always)]
fn are_in_range(coordinates: &[f32], resolution: f32) -> bool {
    let least = coordinates.iter().fold(0, |least, p| least | margin(MAX_POSITION, p * resolution));
    least >= 0
}

/// Returns a negative number if `value` is not a number or its magnitude exceeds `most`.
#[inline(always)]
fn margin(most: f32, value: f32) -> i32 {
    // Non-negative floats sort like their bits, and NaN sorts after all numbers.
    (most.to_bits() as i32).wrapping_sub(value.abs().to_bits() as i32)
}

/// The scene, as the checks read it.
#[derive(Clone, Copy)]
pub(crate) struct PlacementChecker<'s> {
    slots: &'s Slots,
    appearances: &'s Appearances,
    context: PlaceContext<'s>,
    /// True if undrawn poses are listed, because drawing may fail.
    lists_undrawn: bool,
}

impl<'s> PlacementChecker<'s> {
    pub(crate) fn new(stock: &'s Stock, placed: &'s Placed) -> Self {
        let Placed { slots, appearances } = placed;
        let (context, lists_undrawn) = (stock.context(), stock.drawing_may_fail());
        Self { slots, appearances, context, lists_undrawn }
    }

    #[inline(always)]
    pub(crate) fn check(&self, run: PlacementRun<'_>, check: &mut PlacementCheck) {
        check.begin();
        let PlacementRun { first: mut at, ids, placements } = run;
        let mut next = 0;
        for (ids, placements) in ids.chunks(PLACE_BLOCK).zip(placements.chunks(PLACE_BLOCK)) {
            let first = ids[0].index();
            if self.are_valid_contiguous(first as usize, ids, placements) {
                check.ascends &= first >= next;
                next = first + ids.len() as u32;
                if self.lists_undrawn {
                    let slots = first as usize..next as usize;
                    let Slots { scales, appearances, .. } = self.slots;
                    let shown = (&scales[slots.clone()], &appearances[slots]);
                    self.list_undrawn(at, placements, shown, &mut check.undrawn);
                }
                at += ids.len();
                continue;
            }
            if self.are_valid_gathered(ids, placements) {
                check.ascends &= first >= next && ids.is_sorted_by(ascend);
                next = ids[ids.len() - 1].index() + 1;
                if self.lists_undrawn {
                    let (mut scales, mut appearances) = ([0.0; PLACE_BLOCK], [0; PLACE_BLOCK]);
                    for ((scale, appearance), id) in
                        scales.iter_mut().zip(&mut appearances).zip(ids)
                    {
                        let slot = id.slot();
                        (*scale, *appearance) =
                            (self.slots.scales[slot], self.slots.appearances[slot]);
                    }
                    let shown = (&scales[..ids.len()], &appearances[..ids.len()]);
                    self.list_undrawn(at, placements, shown, &mut check.undrawn);
                }
                at += ids.len();
                continue;
            }
            for (&id, &place) in ids.iter().zip(placements) {
                if !self.can_place_one(id, place) {
                    check.fault = Some(at);
                    return;
                }
                if self.lists_undrawn && self.is_undrawn(id.slot(), place) {
                    check.undrawn.push(at);
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
    }

    /// Appends the indices, from `at` on, of placements of moving sprites with undrawn poses.
    #[inline(always)]
    fn list_undrawn(
        &self,
        at: usize,
        placements: &[Placement],
        (scales, appearance_indices): (&[f32], &[u32]),
        undrawn: &mut Vec<usize>,
    ) {
        let (poses, sprite_poses) = (&self.appearances.poses, &self.appearances.sprite_poses[..]);
        let (ranges, pose_set) = (poses.appearances(), self.context.records.poses());
        let (mut angles, mut counts) = ([Angle::default(); PLACE_BLOCK], [0; PLACE_BLOCK]);
        let mut steps = [0; PLACE_BLOCK];
        let count = placements.len();
        unzip(placements, &mut [[0.0; 2]; PLACE_BLOCK], &mut angles);
        for (n, &appearance) in counts.iter_mut().zip(appearance_indices) {
            *n = sprite_poses[appearance as usize].angles();
        }
        let is_found = pose::nearest_steps(&angles[..count], &counts[..count], &mut steps[..count]);
        let of = |i: usize| {
            let appearance = appearance_indices[i] as usize;
            let scale = || pose_set.nearest_scale(&sprite_poses[appearance], scales[i]);
            poses.get(ranges[appearance], steps[i], scale)
        };
        // One loop without a branch on the answer, because usually all poses are drawn.
        let any_undrawn = !is_found
            || (0..count).fold(false, |any, i| any | of(i).is_none_or(|pose| pose.is_undrawn()));
        if !any_undrawn {
            return;
        }
        for (i, place) in placements.iter().enumerate() {
            let known = of(i).filter(|_| is_found).map(|pose| pose.is_undrawn());
            let is_undrawn = known.unwrap_or_else(|| {
                let pose = (place.position, place.angle, scales[i]);
                let placed = self.appearances.placed(&self.context, appearance_indices[i], pose);
                placed.is_ok_and(|placed| placed.is_undrawn())
            });
            if is_undrawn {
                undrawn.push(at + i);
            }
        }
    }

    /// Returns true if a collider would show an undrawn pose.
    fn is_undrawn(&self, slot: usize, place: Placement) -> bool {
        let pose = (place.position, place.angle, self.slots.scales[slot]);
        let placed = self.appearances.placed(&self.context, self.slots.appearances[slot], pose);
        placed.is_ok_and(|placed| placed.is_undrawn())
    }

    /// Returns true if `ids` are moving sprites from `first` on and all placements are valid.
    #[inline(always)]
    fn are_valid_contiguous(
        &self,
        first: usize,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> bool {
        let slots = first..first + ids.len();
        let Slots { generations, appearances, .. } = self.slots;
        let (Some(generations), Some(appearances)) =
            (generations.get(slots.clone()), appearances.get(slots))
        else {
            return false;
        };
        let mut valid = true;
        for ((id, &generation), slot) in ids.iter().zip(generations).zip(first as u32..) {
            valid &= (id.index() == slot) & (id.generation() == generation);
        }
        valid & self.can_place(appearances, placements)
    }

    /// As [`are_valid_contiguous`](Self::are_valid_contiguous), for arbitrary slots: gathers their
    /// state first. Not inlined, because contiguous slots would take 20% longer.
    #[inline(never)]
    fn are_valid_gathered(&self, ids: &[ColliderId], placements: &[Placement]) -> bool {
        let Slots { generations, appearances, .. } = self.slots;
        let generations = &generations[..appearances.len()];
        let (mut appearance_indices, mut valid) = ([NO_COLLIDER; PLACE_BLOCK], true);
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
        valid & self.can_place(appearance_indices, placements)
    }

    #[inline(always)]
    fn can_place(&self, appearances: &[u32], placements: &[Placement]) -> bool {
        // Copied to arrays of their own, so that the checks are vectorised.
        let (mut positions, mut angles) =
            ([[0.0; 2]; PLACE_BLOCK], [Angle::default(); PLACE_BLOCK]);
        let (positions, angles) =
            (&mut positions[..placements.len()], &mut angles[..placements.len()]);
        unzip(placements, positions, angles);
        self.appearances.are_moving_sprites(appearances)
            & are_in_range(positions.as_flattened(), self.context.resolution)
            & angles.iter().fold(true, |finite, angle| finite & angle.is_finite())
    }

    #[inline(always)]
    fn can_place_one(&self, id: ColliderId, place: Placement) -> bool {
        let Some(slot) = self.slots.find(id) else { return false };
        let source = self.appearances.source(self.slots.appearances[slot]);
        let is_allowed =
            matches!(source, MaskSource::Atlas(_)) || placement::is_upright(place.angle);
        is_allowed & place.is_valid(self.context.resolution)
    }
}

const fn ascend(first: &ColliderId, second: &ColliderId) -> bool {
    first.index() < second.index()
}
