//! Very many colliders on their way to their places: a run of slots, or some of them.
//!
//! ```text
//! for each block of slots that follow each other:
//!   keep positions and angles as they come
//!   steps of a turn, corners on the lattice                 without a branch, two and more at a time
//!   look up each one's pose                                 one by one
//! ```
//!
//! Called by the world where many are placed. What it takes has been checked; what it keeps true: a
//! collider is where [`Placed::find`] says.

use super::angle::{self, KeptAngle};
use super::look::{Looks, Model};
use super::place::{self, Ground, Placed};
use super::{ColliderId, Place};
use crate::atlas::PoseId;
use crate::geom::Point;
use crate::narrow::vectorized;

/// Colliders to be placed, and the slots that they are in.
pub(super) struct Part<'s> {
    /// The slot of the first of each slice.
    pub(super) from: usize,
    /// True where the slots of `ids` follow each other without a gap.
    pub(super) in_a_row: bool,
    pub(super) ids: &'s [ColliderId],
    pub(super) places: &'s [Place],
    pub(super) positions: &'s mut [[f32; 2]],
    pub(super) angles: &'s mut [KeptAngle],
    pub(super) scales: &'s [f32],
    pub(super) shown: &'s [u32],
    pub(super) moving: &'s mut [Placed],
}

impl Part<'_> {
    /// Two parts of a part whose slots ascend.
    pub(super) fn split(self, left: usize, right: usize) -> (Self, Self) {
        let cut = self.ids.len() * left / (left + right);
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
    pub(super) fn place(self, ground: &Ground<'_>, looks: &Looks) {
        let Self { from, ids, places, positions, angles, scales, shown, moving, .. } = self;
        let (true, Some(first)) = (self.in_a_row, ids.first()) else {
            for (id, place) in ids.iter().zip(places) {
                let slot = id.index() as usize - from;
                (positions[slot], angles[slot]) = (place.position, place.angle.into());
                moving[slot] = find(ground, looks.model(shown[slot]), place, scales[slot]);
            }
            return;
        };
        let first = first.index() as usize - from;
        vectorized(
            #[inline(always)]
            move || {
                let all = first..first + ids.len();
                let slots = positions[all.clone()]
                    .chunks_mut(BLOCK)
                    .zip(angles[all.clone()].chunks_mut(BLOCK));
                let slots =
                    slots.zip(moving[all.clone()].chunks_mut(BLOCK)).zip(places.chunks(BLOCK));
                let looked =
                    scales[all.clone()].chunks(BLOCK).zip(shown[all.clone()].chunks(BLOCK));
                let (mut found, poses) = (Found::NOTHING, ground.poses.even());
                for ((((positions, angles), moving), places), (scales, shown)) in slots.zip(looked)
                {
                    // Apart from what is worked out: together, the angle would be taken apart on its way to
                    // memory and waited for there.
                    for ((position, angle), place) in
                        positions.iter_mut().zip(&mut *angles).zip(places)
                    {
                        (*position, *angle) = (place.position, place.angle.into());
                    }
                    let looked = places.iter().zip(scales.iter().zip(shown));
                    if !found.fill(ground, looks, positions, angles, (shown, scales)) {
                        for (to, (place, (&scale, &look))) in moving.iter_mut().zip(looked) {
                            *to = find(ground, looks.model(look), place, scale);
                        }
                        continue;
                    }
                    let here = moving.iter_mut().zip(&found.poses).zip(&found.corners);
                    for (((to, pose), &[x, y]), (place, (&scale, &look))) in here.zip(looked) {
                        *to = match pose {
                            Some(pose) => {
                                let pivot2 = || match looks.model(look) {
                                    Model::Baked(cast) => cast.pivot2,
                                    Model::Mask(_) => 0,
                                };
                                Placed::located(poses.at(*pose, pivot2), Point::new(x, y))
                            }
                            None => find(ground, looks.model(look), place, scale),
                        };
                    }
                }
            },
        );
    }
}

/// Colliders that are written together: all that is known of them stays in the nearest cache.
pub(super) const BLOCK: usize = 256;

/// What is worked out of a block of colliders together.
struct Found {
    /// Steps of a full turn that each has.
    numbers: [u32; BLOCK],
    /// The step nearest to each angle, whole turns and all.
    steps: [i32; BLOCK],
    /// The pose of each; none for masks that were made at run time.
    poses: [Option<PoseId>; BLOCK],
    /// The lattice origin of each position.
    corners: [[i32; 2]; BLOCK],
}

impl Found {
    const NOTHING: Self = Self {
        numbers: [0; BLOCK],
        steps: [0; BLOCK],
        poses: [None; BLOCK],
        corners: [[0; 2]; BLOCK],
    };

    /// False where an angle is too great for it.
    #[inline(always)]
    fn fill(
        &mut self,
        ground: &Ground<'_>,
        looks: &Looks,
        positions: &[[f32; 2]],
        angles: &[KeptAngle],
        (shown, scales): (&[u32], &[f32]),
    ) -> bool {
        let Self { numbers, steps, poses, corners } = self;
        for (number, &look) in numbers.iter_mut().zip(shown) {
            *number = match looks.model(look) {
                Model::Baked(cast) => cast.angles(),
                Model::Mask(_) => 1,
            };
        }
        let edges = corners.as_flattened_mut().iter_mut().zip(positions.as_flattened());
        edges.for_each(|(edge, &p)| *edge = place::snap_edge(p, ground.resolution));
        if !angle::floors(angles, numbers, steps) {
            return false;
        }
        for ((pose, &step), (&look, &scale)) in
            poses.iter_mut().zip(&*steps).zip(shown.iter().zip(scales))
        {
            *pose = match looks.model(look) {
                Model::Baked(cast) => ground.poses.turned(cast, step, scale),
                Model::Mask(_) => None,
            };
        }
        true
    }
}

/// Where a collider is, and what it shows. Everything has been checked: there is nobody who cannot
/// be placed.
#[inline(always)]
fn find(ground: &Ground<'_>, model: &Model, place: &Place, scale: f32) -> Placed {
    Placed::find(ground, model, (place.position, place.angle, scale)).unwrap_or_default()
}
