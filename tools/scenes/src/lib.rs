//! Sprites drawn by code, and the scenes that tests, benches and the demo share.
//!
//! Invariant: every function of a seed returns the same values on every machine and in every
//! version, because committed files depend on them. The crate also has a temporary folder for tests
//! and a scalar baseline for benches.

mod boxes;
mod calls;
mod cases;
mod crop;
mod draw;
mod folder;
mod measured;
pub mod naive;
mod pair_bench;
mod pairs;
mod prepared_image;
mod random;
mod recorded_game;
mod scene;
mod shorthand;
mod sparse;
mod spreads;
mod stage;
mod strips;
mod terrain;
mod walkers;

pub use boxes::Boxes;
pub use calls::{CALLS, Call, CallScene, Dirt, Run, Scope};
pub use cases::{cases, sample};
pub use crop::{crop, first_difference};
pub use draw::{Picture, all, named};
pub use folder::Folder;
pub use measured::{Disagreement, Loop, full_turn, openings};
pub use naive::rebuilt;
pub use pair_bench::{PairBench, PairQuery};
pub use pairs::{Mix, PairScene, PairSides, Question, Shown};
pub use prepared_image::PreparedImage;
pub use random::Random;
pub use recorded_game::RecordedGame;
pub use scene::{Placed, scene};
pub use shorthand::{brought_up_to_date, explain, map_pixels, open, overlap, solid, world_of};
pub use sparse::{LARGE_SIZES, first_of, is_contact_of, pixels, rect_of, shared_pixels, sparse};
pub use spreads::{Numbers, box_spreads};
pub use stage::{Crowd, Stage, StageSides, included};
pub use strips::Strips;
pub use terrain::Terrain;
pub use walkers::{NaiveWalks, WalkPlan, Walkers};
