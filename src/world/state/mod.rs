//! The state of the colliders: slots in arrays, appearances, placement and the dirty set.
//!
//! Read in this order: [`appearance`] (what a collider shows), [`placement`] (where its mask lies),
//! [`slots`] (the arrays), [`dirty_set`] (what changed). Then [`bulk_update`] and [`bulk_placement`]
//! (many colliders at once, grouped by [`grouped_placements`] if their slots do not ascend).

pub(crate) mod appearance;
pub(crate) mod bulk_placement;
pub(crate) mod bulk_update;
mod collider_edits;
pub(crate) mod dirty_set;
pub(crate) mod grouped_placements;
pub(crate) mod packed_angle;
pub(crate) mod past_owners;
pub(crate) mod placement;
pub(crate) mod placement_check;
pub(crate) mod slots;
pub(crate) mod view;
