//! What has changed since the last update: slots, owners, and boxes that queries find elsewhere.

#[expect(clippy::module_inception, reason = "the file holds the type `Changes`")]
mod changes;
mod dirty_set;
mod displaced;

pub(crate) use changes::{Changes, OwnerLists, PastOwners, SlotState};
#[cfg(test)]
pub(crate) use dirty_set::DeltaLimits;
pub(crate) use dirty_set::{ChangeList, DirtySet, SlotBits};
pub(crate) use displaced::Members;
