//! The project's own sprites, drawn by code, and random scenes of them. Tests, benches and the
//! demo share them, so that a figure and a test speak of the same thing. Depends on nothing, and
//! gives the same bytes and numbers on every machine and for ever: committed files rest on them.

mod draw;
mod random;
mod scene;

pub use draw::{Picture, all, disc, named};
pub use random::Random;
pub use scene::{Placed, scene};
