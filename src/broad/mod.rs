//! The broad phase: finds which boxes overlap.
//!
//! The tree is an R-tree packed in sort-tile-recursive order (Leutenegger, Lopez and Edgington,
//! 1997). Strips of boxes run from top to bottom, the boxes of a strip from left to right, and
//! nodes of 16 lie above them. A sweep over the same order finds all pairs, so one tree serves
//! sweeps and queries. Boxes leave a tree one by one, but join it in a rebuild only. A rebuild of many
//! boxes costs less than incremental insertions.
//!
//! ```text
//! measure   sample the positions and sizes of the boxes
//! plan      choose the height of the strips; move giants to a class of their own, recursively
//! pack      write boxes into strips, sorted from left to right, padded with boxes that meet nothing
//! nodes     build the levels above the leaves
//! sweep     find all pairs   |   query   find what a rectangle overlaps
//! order     sort the pairs by ids
//! ```
//!
//! Callers: `crate::world`, and users of [`BoxTree`].
//!
//! Invariants: answers are exact, and equal on every machine. No memory is allocated once the
//! buffers have grown to the largest update. The time is bounded by a small multiple of the time
//! for boxes of one size, plus the number of pairs.
//!
//! # Rejected alternatives
//!
//! 100,000 boxes with 1.2 pairs each, build and sweep 1.0 to 1.5 ms in the same run (Zen 5,
//! AVX-512, one core):
//! - Strips of 1/2, 1/3 and 1/4 of the height: +0.05, +0.17 and +0.3 ms. With 20 overlaps a box the
//!   height 1/2 costs between +0.05 and -0.1 ms.
//! - Strips 1.5, 2 and 2.5 times as high: within 0.05 ms of each other for evenly spread boxes.
//!   With 20 overlaps a box +0.2 to +0.6 ms.
//! - Lower strips where a sample of 256 boxes shows clusters (Sapphire Rapids, in the same run). With
//!   20 overlaps a box -5%; with half of the boxes in one cluster +8%, in bands +10%.
//! - Sorting strips of clusters exactly already at 8 boxes a bucket, and not at 24 (Sapphire Rapids).
//!   With 20 overlaps a box +0.39 ms for the build, -0.24 ms for the sweep.
//! - A running maximum of right edges for the pointer of the sweep: no gain. The maximum of each
//!   block skips the same blocks.
//! - Ordering by one counting sort of all pairs and a pass that sorts each id's pairs: 0.95 ms,
//!   against 0.4 ms for two counting sorts. Rounds of bubble sort instead of the pass: 0.9 ms. The
//!   cost is the test where an id's pairs end. With 20 overlaps a box: 9.8 against 3.1 ms. One
//!   bubble round without that test is in use, on buckets of pairs that fit the caches.
//! - Block sweep (a block against the shifted blocks beside it) where a vector holds fewer than 16
//!   lanes (Sapphire Rapids). 1.07 instead of 1.00 ms with AVX2, 1.64 instead of 1.42 ms with SSE2.
//!   An 8-lane version for AVX2: 0.96 instead of 1.02 ms, but 4.55 instead of 4.15 ms with 20
//!   overlaps a box. With AVX-512 the block sweep takes 0.71 instead of 0.89 ms, and is in use.
//! - Nodes built by scalar loops: 0.4 ms, against 0.02 ms with the kernels.
//! - Broadcasting a box through an array of its edges, on SSE2: 2.3 instead of 1.0 ms. The compiler
//!   stores four numbers and loads one vector, which defeats store forwarding.
//!
//! 1,000,000 boxes (Sapphire Rapids, one core of a shared host, so only the ratios count):
//! - Scattering records of 32 bytes into strips, and writing each strip in bucket order: 41 ms.
//! - Leaves written from left to right, at positions computed first: 35 ms. Sorting the boxes
//!   themselves in the cache saves another 10% at 100,000 boxes.
//! - Sorting 4-byte indices, and transposing boxes by fours on the way to the leaves (in use).
//!   Building takes 0.076 instead of 0.090 ms for 10,000 boxes, and 0.90 instead of 1.07 ms for
//!   100,000. With SSE2 100,000 boxes take 1.06 instead of 1.42 ms.
//! - Records of 20 bytes, and a sample measured instead of all boxes: 29 ms. Indices alone (in
//!   use): 30 ms, for 16 bytes a box less.
//! - Ordering all pairs by two counting sorts, with counters and targets all over memory. 1.3x to
//!   1.6x the time of buckets that fit the caches, and 2x with 20 overlaps a box.

mod aabb_soa;
mod box_tree;
mod hit_buffer;
mod item;
mod kernels;
mod leaves;
mod nearest;
mod nodes;
mod pack;
mod pair_buckets;
mod pair_order;
mod radix_sort;
mod scatter;
mod strip_plan;
mod strip_sort;
mod sweep;
mod sweep_kernels;
mod swept_rect;
#[cfg(test)]
mod tests;
mod tree;
mod tree_join;
mod tree_queries;

pub use box_tree::BoxTree;
pub(crate) use item::{I32x4, Item, transpose};
pub(crate) use leaves::{Leaves, keys_of_pairs};
pub(crate) use pair_buckets::{PairBuckets, ids_of, key_of};
pub(crate) use pair_order::PairOrder;
pub(crate) use tree::Tree;
