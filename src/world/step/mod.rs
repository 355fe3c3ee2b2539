//! One update: boxes -> candidate pairs -> touching pairs in order -> began and ended.
//!
//! Read in this order: [`update`] (the stages), [`box_index`] (the trees), [`pair_finder`] (broad and
//! narrow phase), [`pair_classes`] (which test a pair needs). Then [`events`] (began and ended of all
//! pairs), [`pair_changes`] (the same for changed colliders alone) and [`pair_edits`] (the new list). Last, [`pair_contact`]: what a filter
//! of the caller sees.

pub(crate) mod box_index;
mod edits_in_place;
pub(crate) mod events;
pub(crate) mod pair_changes;
pub(crate) mod pair_classes;
pub(crate) mod pair_contact;
pub(crate) mod pair_edits;
pub(crate) mod pair_finder;
#[cfg(test)]
mod tests;
pub(crate) mod update;
