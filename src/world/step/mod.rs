//! One update: boxes -> pairs -> touching pairs in order -> began and ended.

pub(crate) mod events;
pub(crate) mod pair_finder;
pub(crate) mod update;
