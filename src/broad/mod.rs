//! The broad phase: which boxes overlap.
//!
//! An R-tree packed in sort-tile-recursive order (Leutenegger, Lopez and Edgington, 1997), made
//! anew at every update: strips of boxes from top to bottom, each from left to right, and above
//! them nodes of sixteen. That order is also one in which all pairs are found by a sweep, so the
//! same tree answers both questions. Making it costs less than keeping last time's up to date.
//!
//! ```text
//! measure   where some of the boxes lie and how large they are
//! plan      the height of the strips; giants leave for a class of their own, and so on
//! pack      boxes into strips, strips from left to right, each with padding that meets nothing
//! nodes     the levels above
//! sweep     all pairs   |   search   what a rectangle meets
//! order     pairs by ids
//! ```
//!
//! What was tried and lost, in milliseconds for 100,000 boxes with 1.2 pairs each, build and sweep
//! 1.0 to 1.5 in the same run (Zen 5, AVX-512, one core):
//! - Strips of half, a third and a quarter of their height: 0.05, 0.17 and 0.3 slower; where each
//!   box meets 20 others 0.05 slower to 0.1 quicker.
//! - Strips 1.5, 2 and 2.5 times as high: within 0.05 of each other where boxes are spread evenly,
//!   and 0.2 to 0.6 slower where each meets 20 others.
//! - The number of waiting hits in a register, their buffers being locals of the sweep: 0.1 slower
//!   with AVX-512, 0.06 quicker without, 0.25 quicker where each meets 20 others.
//! - A running maximum of right edges for the pointer of the sweep: the maximum of the block alone
//!   skips the same blocks.
//! - Order by ids as one counting sort of all pairs and a pass that puts each id's pairs right: 0.95,
//!   two counting sorts 0.4. With rounds of bubbles instead of the pass 0.9: what costs is asking
//!   where an id's pairs end. Where each box meets 20 others 9.8 against 3.1. (A round that asks
//!   nothing, before the pass, is what is used in parts that fit the caches.)
//! - A block of boxes of a strip held abreast against those beside it where a vector holds fewer than sixteen
//!   (Sapphire Rapids): the sweep of a frame of 100,000 takes 1.07 instead of 1.00 with AVX2, 1.64 instead of
//!   1.42 with SSE2. With eight abreast for AVX2 0.96 instead of 1.02, but 4.55 instead of 4.15 where each
//!   box meets 20 others. With AVX-512 it takes 0.71 instead of 0.89, and is what is done.
//! - Nodes built by plain loops: 0.4; by the kernels 0.02.
//! - Broadcasting a box through an array of its edges, on SSE2: the compiler stores four numbers
//!   and loads a vector, which stalls; the sweep took 2.3 instead of 1.0.
//!
//! The same for a million boxes (Sapphire Rapids, one core, others at work beside, so the ratios
//! count): building took 41 when whole records of 32 bytes were scattered into strips, and each strip
//! was written wherever its buckets are.
//! - Leaves written from left to right, by places found first: 35. Boxes themselves put in order in the
//!   cache are quicker by another tenth at 100,000. Now numbers are put in order, four bytes each, and boxes
//!   taken apart by fours on their way to the leaves: building 10,000 takes 0.076 instead of 0.090, 100,000
//!   0.90 instead of 1.07, with SSE2 1.06 instead of 1.42.
//! - Records of 20 bytes instead, which are taken apart as they become leaves, and some boxes measured
//!   instead of all: 29. Their numbers alone, as it is now: 30, for 16 bytes a box less.
//! - All pairs ordered by two counting sorts, whose counters and places lie all over memory: 1.3 to
//!   1.6 times what parts take that fit the caches, and twice where each box meets 20 others.
//!
//! The world uses it, and who needs boxes without sprites. What it keeps true: answers are exact,
//! and the same on every machine; nothing is allocated once its memory has grown to what the
//! largest update needed; the time is bounded by a small multiple of that for boxes of one size,
//! plus the pairs there are.

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
mod swept_rect;
#[cfg(test)]
mod tests;
mod tree;
mod tree_join;

pub use box_tree::BoxTree;
pub(crate) use item::{I32x4, Item, transpose};
pub(crate) use leaves::{Leaves, keys_of_pairs};
pub(crate) use pair_buckets::{PairBuckets, ids_of};
pub(crate) use pair_order::PairOrder;
pub(crate) use tree::Tree;
