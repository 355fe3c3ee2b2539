//! One update: boxes -> candidate pairs -> touching pairs in order -> began and ended.
//!
//! Read in this order: [`update`] (the stages), [`pair_finder`] (broad and narrow phase),
//! [`pair_classes`] (which test a pair needs), [`events`] (began and ended). [`pair_contact`] is what
//! a filter of the caller sees.

pub(crate) mod events;
pub(crate) mod pair_classes;
pub(crate) mod pair_contact;
pub(crate) mod pair_finder;
pub(crate) mod update;
