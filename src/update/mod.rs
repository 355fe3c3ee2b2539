//! The update: which colliders touch, which pairs began and ended, and the index that queries search.
//!
//! ```text
//! updater        one update, stage by stage
//! box_index      the trees of all boxes; the changed ones are packed anew
//! pair_tester    candidates -> the test of each pair -> kernels
//! pair_changes   pairs of changed colliders were tested: find the edits of the old list
//! pair_edits     apply these edits
//! events         all pairs were tested: compare the lists, while the new one is written
//! pair_lists     the lists of pairs
//! ```

pub(crate) mod box_index;
mod events;
mod pair_changes;
mod pair_edits;
mod pair_lists;
mod pair_tester;
mod updater;

pub(crate) use pair_lists::PairLists;
pub use updater::UpdateTimings;
pub(crate) use updater::Updater;
