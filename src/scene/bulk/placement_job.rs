//! Places very many colliders at once: a contiguous run of slots, or arbitrary ones.
//!
//! ```text
//! for each block of 256, gathered unless its slots are contiguous:
//!   store positions and angles
//!   compute angle steps and lattice origins                 vectorised, no branch
//!   look up the pose of each collider                       one by one
//! ```
//!
//! Called by `World::set_placements`, which has validated the input. Invariant: a collider lies
//! where [`PlacedMask::find`] says.

use crate::memory::prefetch;
use crate::pose::{self, Angle};
use crate::scene::appearances::Appearances;
use crate::scene::dirty_set::ChangeList;
use crate::scene::placement::{self, PlaceContext, PlacedMask};
use crate::scene::{ColliderId, Placement};
use crate::simd::vectorized;

/// Colliders to place, and slices of their slots that start at one slot.
pub(crate) struct PlacementJob<'s> {
    /// The first slot of these slices.
    pub(crate) from: usize,
    /// True if the slots of `ids` are contiguous.
    pub(crate) contiguous: bool,
    pub(crate) ids: &'s [ColliderId],
    pub(crate) placements: &'s [Placement],
    pub(crate) positions: &'s mut [[f32; 2]],
    pub(crate) angles: &'s mut [Angle],
    pub(crate) scales: &'s [f32],
    pub(crate) appearance_indices: &'s [u32],
    pub(crate) moving: &'s mut [PlacedMask],
}

impl PlacementJob<'_> {
    /// Splits a job with ascending slots in the proportion of `left` to `right`.
    pub(crate) fn split(self, left: usize, right: usize) -> (Self, Self) {
        let cut = self.ids.len() * left / (left + right);
        let border = self.ids.get(cut).map_or(self.from, |id| id.slot());
        self.split_at(cut, border)
    }

    /// Splits a job after the first `cut` ids. Their slots are below `border`, all others are not.
    pub(crate) fn split_at(self, cut: usize, border: usize) -> (Self, Self) {
        let (ids, later_ids) = self.ids.split_at(cut);
        let (placements, later_placements) = self.placements.split_at(cut);
        let border = (border - self.from).min(self.moving.len());
        let (positions, later_positions) = self.positions.split_at_mut(border);
        let (angles, later_angles) = self.angles.split_at_mut(border);
        let (scales, later_scales) = self.scales.split_at(border);
        let (appearance_indices, later_appearance_indices) =
            self.appearance_indices.split_at(border);
        let (moving, later_moving) = self.moving.split_at_mut(border);
        let later = PlacementJob {
            from: self.from + border,
            contiguous: self.contiguous,
            ids: later_ids,
            placements: later_placements,
            positions: later_positions,
            angles: later_angles,
            scales: later_scales,
            appearance_indices: later_appearance_indices,
            moving: later_moving,
        };
        let Self { from, contiguous, .. } = self;
        let part = PlacementJob {
            from,
            contiguous,
            ids,
            placements,
            positions,
            angles,
            scales,
            appearance_indices,
            moving,
        };
        (part, later)
    }

    /// Places moving colliders. Lists the slots that changed, and those with undrawn poses.
    pub(crate) fn place(
        self,
        context: &PlaceContext<'_>,
        appearances: &Appearances,
        changes: &mut ChangeList,
    ) {
        // Compiled separately: combined, contiguous slots take 25% longer.
        if self.contiguous {
            vectorized(
                #[inline(always)]
                move || self.blocks::<true>(context, appearances, changes),
            );
        } else {
            vectorized(
                #[inline(always)]
                move || self.blocks::<false>(context, appearances, changes),
            );
        }
    }

    #[inline(always)]
    fn blocks<const CONTIGUOUS: bool>(
        self,
        context: &PlaceContext<'_>,
        appearances: &Appearances,
        changes: &mut ChangeList,
    ) {
        let Self {
            from,
            ids,
            placements,
            positions,
            angles,
            scales,
            appearance_indices,
            moving,
            ..
        } = self;
        // Stated lengths: one bounds check then replaces five.
        let slots = moving.len();
        let (positions, angles) = (&mut positions[..slots], &mut angles[..slots]);
        let (scales, appearance_indices) = (&scales[..slots], &appearance_indices[..slots]);
        let (mut lookup, mut gathered) = (BlockLookup::of(appearances), None);
        let mut before = [PlacedMask::default(); PLACE_BLOCK];
        let (mut seen, count) = (0, ids.len());
        for (ids, placements) in ids.chunks(PLACE_BLOCK).zip(placements.chunks(PLACE_BLOCK)) {
            // Apart from the placing, so that it costs nothing where all move.
            let lists_changes = changes.takes_more(seen, count);
            if lists_changes {
                for (before, id) in before.iter_mut().zip(ids) {
                    *before = moving[id.slot() - from];
                }
            }
            let is_gathered = !CONTIGUOUS && !are_contiguous(ids);
            let block = if is_gathered {
                let gathered = gathered.get_or_insert_with(Gathered::default);
                for ((scale, appearance), id) in
                    gathered.scales.iter_mut().zip(&mut gathered.appearance_indices).zip(ids)
                {
                    let slot = id.slot() - from;
                    (*scale, *appearance) = (scales[slot], appearance_indices[slot]);
                    // Written below.
                    prefetch::item(positions, slot);
                    prefetch::item(angles, slot);
                }
                gathered.block(placements)
            } else {
                let first = ids[0].slot() - from;
                let all = first..first + ids.len();
                Block {
                    placements,
                    scales: &scales[all.clone()],
                    appearance_indices: &appearance_indices[all.clone()],
                    positions: &mut positions[all.clone()],
                    angles: &mut angles[all.clone()],
                    moving: &mut moving[all],
                }
            };
            let any_undrawn = block.place(&mut lookup, context, appearances);
            if let (true, Some(gathered)) = (is_gathered, &gathered) {
                let Gathered { positions: at, angles: angle, moving: placed, .. } = gathered;
                for (((id, &at), &angle), &placed) in ids.iter().zip(at).zip(angle).zip(placed) {
                    let slot = id.slot() - from;
                    (positions[slot], angles[slot], moving[slot]) = (at, angle, placed);
                }
            }
            if any_undrawn {
                let undrawn = ids.iter().filter(|id| moving[id.slot() - from].is_undrawn());
                changes.undrawn.extend(undrawn.map(|id| id.index()));
            }
            seen += ids.len();
            if lists_changes {
                for (before, id) in before.iter().zip(ids) {
                    if moving[id.slot() - from] != *before {
                        changes.push(id.index());
                    }
                }
            }
        }
    }
}

/// Returns true if the slots of `ids`, which is not empty, are contiguous.
#[inline(always)]
fn are_contiguous(ids: &[ColliderId]) -> bool {
    let slots = ids[0].index()..;
    // Without a branch, so that the loop is vectorised.
    ids.iter().zip(slots).fold(0, |difference, (id, slot)| difference | (id.index() ^ slot)) == 0
}

struct Block<'s> {
    placements: &'s [Placement],
    scales: &'s [f32],
    appearance_indices: &'s [u32],
    positions: &'s mut [[f32; 2]],
    angles: &'s mut [Angle],
    moving: &'s mut [PlacedMask],
}

impl Block<'_> {
    #[inline(always)]
    fn place(
        self,
        lookup: &mut BlockLookup,
        context: &PlaceContext<'_>,
        appearances: &Appearances,
    ) -> bool {
        let Self { placements, scales, appearance_indices, positions, angles, moving } = self;
        let poses = appearances.poses();
        let (pose_ranges, sprite_poses) = (poses.appearances(), appearances.sprite_poses());
        let pose_set = context.records.poses();
        // A separate loop. Fused with the computation, the angle is stored in parts and reloaded
        // whole, which defeats store forwarding.
        unzip(placements, positions, angles);
        let is_found =
            lookup.fill(context.resolution, appearances, positions, angles, appearance_indices);
        let (mut any_missing, mut any_undrawn) = (!is_found, false);
        if is_found {
            let computed =
                lookup.steps.iter().zip(&lookup.corners).zip(scales.iter().zip(appearance_indices));
            for (to, ((&step, &corner), (&scale, &appearance))) in moving.iter_mut().zip(computed) {
                let appearance = appearance as usize;
                let scale = || pose_set.nearest_scale(&sprite_poses[appearance], scale);
                match poses.get(pose_ranges[appearance], step, scale) {
                    Some(pose) => {
                        any_undrawn |= pose.is_undrawn();
                        *to = pose.moved(corner);
                    }
                    None => any_missing = true,
                }
            }
        }
        if any_missing {
            for ((to, &place), (&scale, &appearance)) in
                moving.iter_mut().zip(placements).zip(scales.iter().zip(appearance_indices))
            {
                if !is_found || !pose_ranges[appearance as usize].is_present() {
                    *to = place_one(context, appearances, appearance, place, scale);
                    any_undrawn |= to.is_undrawn();
                }
            }
        }
        any_undrawn
    }
}

/// Writes positions and angles to separate slices of the same length.
#[inline(always)]
pub(crate) fn unzip(placements: &[Placement], positions: &mut [[f32; 2]], angles: &mut [Angle]) {
    for ((position, angle), placement) in positions.iter_mut().zip(angles).zip(placements) {
        (*position, *angle) = (placement.position, placement.angle);
    }
}

/// Buffers for a block of colliders whose slots are not contiguous.
struct Gathered {
    scales: [f32; PLACE_BLOCK],
    appearance_indices: [u32; PLACE_BLOCK],
    positions: [[f32; 2]; PLACE_BLOCK],
    angles: [Angle; PLACE_BLOCK],
    moving: [PlacedMask; PLACE_BLOCK],
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            scales: [0.0; PLACE_BLOCK],
            appearance_indices: [0; PLACE_BLOCK],
            positions: [[0.0; 2]; PLACE_BLOCK],
            angles: [Angle::default(); PLACE_BLOCK],
            moving: [PlacedMask::default(); PLACE_BLOCK],
        }
    }
}

impl Gathered {
    #[inline(always)]
    fn block<'s>(&'s mut self, placements: &'s [Placement]) -> Block<'s> {
        let count = placements.len();
        Block {
            placements,
            scales: &self.scales[..count],
            appearance_indices: &self.appearance_indices[..count],
            positions: &mut self.positions[..count],
            angles: &mut self.angles[..count],
            moving: &mut self.moving[..count],
        }
    }
}

/// Colliders processed together: their state stays in the L1 cache.
pub(crate) const PLACE_BLOCK: usize = 256;

struct BlockLookup {
    angle_counts: [u32; PLACE_BLOCK],
    steps: [u32; PLACE_BLOCK],
    corners: [[i32; 2]; PLACE_BLOCK],
}

impl BlockLookup {
    fn of(appearances: &Appearances) -> Self {
        let angle_counts = [appearances.angles().unwrap_or(0); PLACE_BLOCK];
        Self { angle_counts, steps: [0; PLACE_BLOCK], corners: [[0; 2]; PLACE_BLOCK] }
    }

    /// Computes steps and origins. Returns false if an angle is too large for the fast path.
    #[inline(always)]
    fn fill(
        &mut self,
        resolution: f32,
        appearances: &Appearances,
        positions: &[[f32; 2]],
        angles: &[Angle],
        appearance_indices: &[u32],
    ) -> bool {
        let Self { angle_counts, steps, corners } = self;
        // Usually all appearances have the same number, and it is already stored.
        if appearances.angles().is_none() {
            let sprite_poses = appearances.sprite_poses();
            for (count, &appearance) in angle_counts.iter_mut().zip(appearance_indices) {
                *count = sprite_poses[appearance as usize].angles();
            }
        }
        let edges = corners.as_flattened_mut().iter_mut().zip(positions.as_flattened());
        edges.for_each(|(edge, &p)| *edge = placement::snap_edge(p, resolution));
        pose::nearest_steps(angles, &angle_counts[..angles.len()], steps)
    }
}

/// Places one collider by the general path. The input has been validated, so placing cannot fail.
#[cold]
#[inline(never)]
fn place_one(
    context: &PlaceContext<'_>,
    appearances: &Appearances,
    appearance: u32,
    place: Placement,
    scale: f32,
) -> PlacedMask {
    appearances
        .placed(context, appearance, (place.position, place.angle, scale))
        .unwrap_or_default()
}
