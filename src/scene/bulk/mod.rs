//! The placing of many colliders in one call: checks, then jobs that threads share.

mod placement_check;
mod placement_job;

pub(super) use placement_check::{PlacementCheck, PlacementChecker};
pub(super) use placement_job::{GroupedPlacements, PLACE_BLOCK, PlacementJob, PlacementRun};
