//! Sprites drawn by code, and the scenes that tests, benches and the demo share.
//!
//! Invariant: every function of a seed returns the same values on every machine and in every
//! version, because committed files depend on them. The crate also has a temporary folder for tests.

pub mod batches;
mod cases;
mod crop;
mod draw;
mod folder;
#[cfg(feature = "naive")]
pub mod naive;
mod prepared_image;
mod random;
mod scene;
mod shorthand;
mod slide;
mod sparse;
mod spreads;
mod stage;
mod terrain;

pub use cases::{cases, sample};
pub use crop::crop;
pub use draw::{Picture, all, bake_of, named};
pub use folder::Folder;
#[cfg(feature = "naive")]
pub use naive::rebuilt;
pub use prepared_image::PreparedImage;
pub use random::Random;
pub use scene::{Placed, scene};
pub use shorthand::{
    brought_up_to_date, explain, map_pixels, mask_of, open, overlap, solid, world_of,
};
pub use slide::slide;
pub use sparse::{LARGE_SIZES, first_of, is_contact_of, pixels, rect_of, shared_pixels, sparse};
pub use spreads::{Numbers, box_spreads};
pub use stage::{Crowd, Stage, StageSides, included};
pub use terrain::Terrain;
