//! The broad phase: finds which boxes overlap.
//!
//! The tree is an R-tree packed in sort-tile-recursive order (Leutenegger, Lopez and Edgington,
//! 1997). Rows of boxes run from top to bottom, the boxes of a row from left to right, and
//! nodes of 16 lie above them. A sweep over the same order finds all pairs, so one tree serves
//! sweeps and queries. Boxes leave a tree one by one, but join it in a rebuild only. A rebuild of many
//! boxes costs less than incremental insertions.
//!
//! ```text
//! measure   sample the positions and sizes of the boxes
//! plan      choose the height of the rows; move giants to a class of their own, recursively
//! pack      write boxes into rows, sorted from left to right, padded with boxes that meet nothing
//! nodes     build the levels above the leaves
//! sweep     find all pairs   |   query   find what a rectangle overlaps
//! order     sort the pairs by ids
//! ```
//!
//! Invariants: answers are exact, and equal on every machine. No memory is allocated once the
//! buffers have grown to the largest update. The time is bounded by a small multiple of the time
//! for boxes of one size, plus the number of pairs.
//!
//! Rejected alternatives, with their figures: `benches/broad.md`.

mod aabb_soa;
mod box_tree;
mod hit_buffer;
mod kernels;
mod leaves;
mod nodes;
mod pack;
mod pair_order;
mod radix_sort;
mod row_plan;
mod row_sort;
mod sweep;
mod swept_rect;
#[cfg(test)]
mod tests;
mod tree;

pub use box_tree::BoxTree;
pub(crate) use leaves::{I32x4, Item, Leaves, keys_of_pairs, transpose};
pub(crate) use pair_order::{PairBuckets, PairOrder, ids_of, key_of};
pub(crate) use tree::{Tree, until_break};
