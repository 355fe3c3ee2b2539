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
use super::look::Looks;
use super::place::{self, Ground, Placed};
use super::{ColliderId, Place};
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
        let border = later_ids.first().map_or(self.from, |id| id.slot()) - self.from;
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
                let slot = id.slot() - from;
                (positions[slot], angles[slot]) = (place.position, place.angle.into());
                moving[slot] = find(ground, looks, shown[slot], place, scales[slot]);
            }
            return;
        };
        let first = first.slot() - from;
        let all = first..first + ids.len();
        let run = Run {
            places,
            scales: &scales[all.clone()],
            shown: &shown[all.clone()],
            positions: &mut positions[all.clone()],
            angles: &mut angles[all.clone()],
            moving: &mut moving[all],
        };
        vectorized(
            #[inline(always)]
            move || run.place(ground, looks),
        );
    }
}

/// Colliders whose slots follow each other: slices of one length.
struct Run<'s> {
    places: &'s [Place],
    scales: &'s [f32],
    shown: &'s [u32],
    positions: &'s mut [[f32; 2]],
    angles: &'s mut [KeptAngle],
    moving: &'s mut [Placed],
}

impl Run<'_> {
    #[inline(always)]
    fn place(self, ground: &Ground<'_>, looks: &Looks) {
        let Self { places, scales, shown, positions, angles, moving } = self;
        let kept = positions.chunks_mut(BLOCK).zip(angles.chunks_mut(BLOCK));
        let looked = scales.chunks(BLOCK).zip(shown.chunks(BLOCK));
        let blocks = places.chunks(BLOCK).zip(moving.chunks_mut(BLOCK)).zip(kept).zip(looked);
        let (mut found, poses) = (Found::of(looks), looks.poses());
        let (entries, casts) = (poses.looks(), looks.casts());
        let of_scales = ground.records.poses();
        for (((places, moving), (positions, angles)), (scales, shown)) in blocks {
            // Apart from what is worked out: together, the angle would be taken apart on its way to
            // memory and waited for there.
            for ((position, angle), place) in positions.iter_mut().zip(&mut *angles).zip(places) {
                (*position, *angle) = (place.position, place.angle.into());
            }
            let is_found = found.fill(ground.resolution, looks, positions, angles, shown);
            let mut are_left = !is_found;
            if is_found {
                let worked = found.steps.iter().zip(&found.corners).zip(scales.iter().zip(shown));
                for (to, ((&step, &corner), (&scale, &look))) in moving.iter_mut().zip(worked) {
                    let look = look as usize;
                    let scale = || of_scales.nearest_scale(&casts[look], scale);
                    match poses.get(entries[look], step, scale) {
                        Some(pose) => *to = pose.moved(corner),
                        None => are_left = true,
                    }
                }
            }
            if are_left {
                for ((to, place), (&scale, &look)) in
                    moving.iter_mut().zip(places).zip(scales.iter().zip(shown))
                {
                    if !is_found || !entries[look as usize].are_there() {
                        *to = find(ground, looks, look, place, scale);
                    }
                }
            }
        }
    }
}

/// Colliders that are written together: all that is known of them stays in the nearest cache.
pub(super) const BLOCK: usize = 256;

/// What is worked out of a block of colliders together.
struct Found {
    /// Steps of a full turn that each has.
    numbers: [u32; BLOCK],
    /// The step nearest to each angle.
    steps: [u32; BLOCK],
    /// The lattice origin of each position.
    corners: [[i32; 2]; BLOCK],
}

impl Found {
    /// Nothing yet, of colliders that have these looks.
    fn of(looks: &Looks) -> Self {
        let numbers = [looks.angles().unwrap_or(0); BLOCK];
        Self { numbers, steps: [0; BLOCK], corners: [[0; 2]; BLOCK] }
    }

    /// False where an angle is too great for it.
    #[inline(always)]
    fn fill(
        &mut self,
        resolution: f32,
        looks: &Looks,
        positions: &[[f32; 2]],
        angles: &[KeptAngle],
        shown: &[u32],
    ) -> bool {
        let Self { numbers, steps, corners } = self;
        // As a rule all have as many, and they are there already.
        if looks.angles().is_none() {
            let casts = looks.casts();
            for (number, &look) in numbers.iter_mut().zip(shown) {
                *number = casts[look as usize].angles();
            }
        }
        let edges = corners.as_flattened_mut().iter_mut().zip(positions.as_flattened());
        edges.for_each(|(edge, &p)| *edge = place::snap_edge(p, resolution));
        angle::steps(angles, &numbers[..angles.len()], steps)
    }
}

/// Where a collider is, and what it shows, by itself. Everything has been checked: there is nobody
/// who cannot be placed.
#[cold]
#[inline(never)]
fn find(ground: &Ground<'_>, looks: &Looks, look: u32, place: &Place, scale: f32) -> Placed {
    looks.placed(ground, look, (place.position, place.angle, scale)).unwrap_or_default()
}
