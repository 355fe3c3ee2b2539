//! The project's own sprites, drawn by code, and the scenes that tests, benches and the demo
//! share, so that a figure and a test speak of the same thing. Gives the same bytes and numbers on
//! every machine and for ever: committed files rest on them. And a folder for what tests write.

mod boxes;
mod cases;
mod cold;
mod draw;
mod folder;
mod pairs;
mod random;
mod scene;
mod stage;
mod strips;

pub use boxes::Boxes;
pub use cases::{cases, sample};
pub use cold::ColdScene;
pub use draw::{Picture, all, named};
pub use folder::Folder;
pub use pairs::{Mix, PairScene, PairSides, Question, Shown};
pub use random::Random;
pub use scene::{Placed, scene};
pub use stage::{Crowd, Stage, StageSides, included};
pub use strips::Strips;
