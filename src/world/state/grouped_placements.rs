//! Placements in any order of slots, grouped by ranges of slots.
//!
//! Each thread then writes the slots of a range of its own. Called by `World::set_placements` if the
//! slots do not ascend. Invariant: placements of one slot keep their order, so the last one counts.

use crate::memory::vec_growth;
use crate::pose::Angle;
use crate::world::state::bulk_placement::PlacementJob;
use crate::world::{ColliderId, Placement, PlacementLayout, PlacementSlice};
use std::ops::Range;

/// Upper bound on groups: enough to balance the load of the threads.
const MAX_GROUPS: usize = 64;

/// Grouped placements. Kept between calls for its memory.
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
    pub(crate) fn group(
        &mut self,
        ids: &[ColliderId],
        placements: PlacementSlice<'_>,
        slots: usize,
    ) {
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
        let blank = Placement { position: [0.0; 2], angle: Angle::default() };
        let to_ids =
            vec_growth::resized_prefix_with(&mut self.ids, ids.len(), ColliderId::new(0, 0));
        let to = vec_growth::resized_prefix_with(&mut self.placements, ids.len(), blank);
        for (id, place) in ids.iter().zip(placements.iter()) {
            let next = &mut next[group(id)];
            (to_ids[*next], to[*next]) = (*id, place);
            *next += 1;
        }
    }

    /// Returns the grouped ids and placements.
    pub(crate) fn items(&self) -> (&[ColliderId], PlacementSlice<'_>) {
        let count = self.starts[MAX_GROUPS];
        (&self.ids[..count], Placement::slice(&self.placements[..count]))
    }

    /// Returns the job of all groups.
    pub(crate) fn whole<'s>(&self, job: PlacementJob<'s>) -> GroupedJob<'s> {
        (0..MAX_GROUPS, job)
    }

    /// Splits groups, with their placements in the proportion of `left` to `right`.
    pub(crate) fn split<'s>(
        &self,
        (groups, job): GroupedJob<'s>,
        left: usize,
        right: usize,
    ) -> (GroupedJob<'s>, GroupedJob<'s>) {
        let start = self.starts[groups.start];
        let wanted = start + job.ids.len() * left / (left + right);
        let ends = &self.starts[groups.start + 1..=groups.end];
        let middle = groups.start + ends.partition_point(|&end| end <= wanted);
        let (job, later) = job.split_at(self.starts[middle] - start, middle << self.shift);
        ((groups.start..middle, job), (middle..groups.end, later))
    }
}
