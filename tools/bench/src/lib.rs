//! What the benches of hitmask share: boxes, pairs, walkers and calls, each with its naive counterpart.
//!
//! `hitmask bench`, the benches in `benches` and those here, which compare other crates, measure them. Both sides of a
//! measurement give the same answers, which are compared before the timing.

mod boxes;
mod calls;
mod measured;
mod pair_bench;
mod pairs;
mod strips;
mod walkers;

pub use boxes::Boxes;
pub use calls::{CALLS, Call, CallScene, Dirt, Run, Scope};
pub use measured::{Disagreement, Loop, full_turn, openings, rstar_join};
pub use pair_bench::{COARSE_QUERY, PAIR_QUERIES, PairBench, PairQuery};
pub use pairs::{Mix, PairScene, PairSides, Question, Shown};
pub use strips::Strips;
pub use walkers::{NaiveWalks, WalkPlan, Walkers};
