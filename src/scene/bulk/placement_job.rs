//! Places very many colliders at once: a contiguous run of slots, or arbitrary ones.
//!
//! ```text
//! for each block of 256, gathered unless its slots are contiguous:
//!   store positions and angles
//!   compute angle steps and lattice origins                 vectorised, no branch
//!   look up the pose of each collider                       one by one
//! ```
//!
//! The input is valid. Invariant: a collider lies where [`PlaceContext::find`] says.

use crate::ids::ColliderId;
use crate::memory::{prefetch, vec_growth};
use crate::pose::{self, Angle};
use crate::scene::Placement;
use crate::scene::changes::ChangeList;
use crate::scene::placed::{Appearances, Slots};
use crate::scene::placement::{self, PlacedMask};
use crate::scene::stock::PlaceContext;
use crate::simd::vectorized;
use std::ops::Range;

/// A run of ids and placements, with the index of the first one in the whole call.
#[derive(Clone, Copy)]
pub(crate) struct PlacementRun<'a> {
    pub(crate) first: usize,
    pub(crate) ids: &'a [ColliderId],
    pub(crate) placements: &'a [Placement],
}

impl PlacementRun<'_> {
    /// Splits a run in the proportion of the lengths of `left` to `right`.
    pub(crate) fn split<T>(self, left: &[T], right: &[T]) -> (Self, Self) {
        self.split_at(self.ids.len() * left.len() / (left.len() + right.len()))
    }

    fn split_at(self, cut: usize) -> (Self, Self) {
        let (ids, later_ids) = self.ids.split_at(cut);
        let (placements, later) = self.placements.split_at(cut);
        let first = self.first + cut;
        (Self { ids, placements, ..self }, Self { first, ids: later_ids, placements: later })
    }
}

/// The state of colliders that a placement reads and writes, in slices of one length.
struct Columns<'s> {
    positions: &'s mut [[f32; 2]],
    angles: &'s mut [Angle],
    scales: &'s [f32],
    appearances: &'s [u32],
    moving: &'s mut [PlacedMask],
}

impl Columns<'_> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let (positions, later_positions) = self.positions.split_at_mut(at);
        let (angles, later_angles) = self.angles.split_at_mut(at);
        let (scales, later_scales) = self.scales.split_at(at);
        let (appearances, later_appearances) = self.appearances.split_at(at);
        let (moving, later_moving) = self.moving.split_at_mut(at);
        let later = Columns {
            positions: later_positions,
            angles: later_angles,
            scales: later_scales,
            appearances: later_appearances,
            moving: later_moving,
        };
        (Columns { positions, angles, scales, appearances, moving }, later)
    }
}

/// Colliders to place, and their state by slot.
pub(crate) struct PlacementJob<'s> {
    run: PlacementRun<'s>,
    /// True if the slots of the run are contiguous.
    contiguous: bool,
    /// The first slot of the columns.
    from: usize,
    columns: Columns<'s>,
}

impl<'s> PlacementJob<'s> {
    /// Creates the job of a run, whose slots are `contiguous` or arbitrary.
    pub(crate) fn new(slots: &'s mut Slots, run: PlacementRun<'s>, contiguous: bool) -> Self {
        let Slots { positions, angles, scales, appearances, moving, .. } = slots;
        let columns = Columns { positions, angles, scales, appearances, moving };
        Self { run, contiguous, from: 0, columns }
    }

    /// Splits a job with ascending slots in the proportion of the lengths of `left` to `right`.
    pub(crate) fn split<T>(self, left: &[T], right: &[T]) -> (Self, Self) {
        let cut = self.run.ids.len() * left.len() / (left.len() + right.len());
        let border = self.run.ids.get(cut).map_or(self.from, |id| id.slot());
        self.split_at(cut, border)
    }

    /// Splits a job after the first `cut` ids. Their slots are below `border`, all others are not.
    fn split_at(self, cut: usize, border: usize) -> (Self, Self) {
        let Self { run, contiguous, from, columns } = self;
        let border = (border - from).min(columns.moving.len());
        let ((run, later_run), (columns, later)) = (run.split_at(cut), columns.split_at(border));
        let later = Self { run: later_run, contiguous, from: from + border, columns: later };
        (Self { run, contiguous, from, columns }, later)
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
        let Self { run: PlacementRun { ids, placements, .. }, from, columns, .. } = self;
        let Columns { positions, angles, scales, appearances: shown, moving } = columns;
        // Stated lengths: one bounds check then replaces five.
        let slots = moving.len();
        let (positions, angles) = (&mut positions[..slots], &mut angles[..slots]);
        let (scales, shown) = (&scales[..slots], &shown[..slots]);
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
                    gathered.scales.iter_mut().zip(&mut gathered.appearances).zip(ids)
                {
                    let slot = id.slot() - from;
                    (*scale, *appearance) = (scales[slot], shown[slot]);
                    // Written below.
                    prefetch::item(positions, slot);
                    prefetch::item(angles, slot);
                }
                gathered.columns(ids.len())
            } else {
                let first = ids[0].slot() - from;
                let all = first..first + ids.len();
                Columns {
                    scales: &scales[all.clone()],
                    appearances: &shown[all.clone()],
                    positions: &mut positions[all.clone()],
                    angles: &mut angles[all.clone()],
                    moving: &mut moving[all],
                }
            };
            let any_undrawn = block.place(placements, &mut lookup, context, appearances);
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

impl Columns<'_> {
    /// Places a block of colliders. Returns true if one shows an undrawn pose.
    #[inline(always)]
    fn place(
        self,
        placements: &[Placement],
        lookup: &mut BlockLookup,
        context: &PlaceContext<'_>,
        appearances: &Appearances,
    ) -> bool {
        let Self { positions, angles, scales, appearances: shown, moving } = self;
        let poses = &appearances.poses;
        let (pose_ranges, sprite_poses) = (poses.appearances(), &appearances.sprite_poses[..]);
        let pose_set = context.records.poses();
        // A separate loop. Fused with the computation, the angle is stored in parts and reloaded
        // whole, which defeats store forwarding.
        unzip(placements, positions, angles);
        let is_found = lookup.fill(context.resolution, appearances, positions, angles, shown);
        let (mut any_missing, mut any_undrawn) = (!is_found, false);
        if is_found {
            let computed = lookup.steps.iter().zip(&lookup.corners).zip(scales.iter().zip(shown));
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
                moving.iter_mut().zip(placements).zip(scales.iter().zip(shown))
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
    appearances: [u32; PLACE_BLOCK],
    positions: [[f32; 2]; PLACE_BLOCK],
    angles: [Angle; PLACE_BLOCK],
    moving: [PlacedMask; PLACE_BLOCK],
}

impl Default for Gathered {
    fn default() -> Self {
        Self {
            scales: [0.0; PLACE_BLOCK],
            appearances: [0; PLACE_BLOCK],
            positions: [[0.0; 2]; PLACE_BLOCK],
            angles: [Angle::default(); PLACE_BLOCK],
            moving: [PlacedMask::default(); PLACE_BLOCK],
        }
    }
}

impl Gathered {
    #[inline(always)]
    fn columns(&mut self, count: usize) -> Columns<'_> {
        Columns {
            positions: &mut self.positions[..count],
            angles: &mut self.angles[..count],
            scales: &self.scales[..count],
            appearances: &self.appearances[..count],
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
        let angle_counts = [appearances.angles.unwrap_or(0); PLACE_BLOCK];
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
        if appearances.angles.is_none() {
            let sprite_poses = &appearances.sprite_poses[..];
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
    pub(crate) fn group(&mut self, run: PlacementRun<'_>, slots: usize) {
        let PlacementRun { ids, placements, .. } = run;
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

    /// Returns the job of all groups, in the slots of `job`.
    pub(crate) fn whole<'s>(&'s self, job: PlacementJob<'s>) -> GroupedJob<'s> {
        let count = self.starts[MAX_GROUPS];
        let (ids, placements) = (&self.ids[..count], &self.placements[..count]);
        (0..MAX_GROUPS, PlacementJob { run: PlacementRun { first: 0, ids, placements }, ..job })
    }

    /// Splits groups, with their placements in the proportion of `left` to `right`.
    pub(crate) fn split<'s>(
        &self,
        (groups, job): GroupedJob<'s>,
        left: usize,
        right: usize,
    ) -> (GroupedJob<'s>, GroupedJob<'s>) {
        let start = self.starts[groups.start];
        let wanted = start + job.run.ids.len() * left / (left + right);
        let ends = &self.starts[groups.start + 1..=groups.end];
        let middle = groups.start + ends.partition_point(|&end| end <= wanted);
        let (job, later) = job.split_at(self.starts[middle] - start, middle << self.shift);
        ((groups.start..middle, job), (middle..groups.end, later))
    }
}
