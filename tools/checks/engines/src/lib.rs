//! Bodies of masks in physics engines, and the comparison of their contacts with the masks' overlap.
//!
//! ```text
//! Sprite   a mask with its shape, pieces and raster
//! Engine   what the tests ask of an engine: one thin file each
//! Scene    terrain in cells and bodies of sprites, in any engine
//! compare  contacts of the engine against the overlap of the masks
//! draw     a picture of a scene
//! walk     characters that walk one after the other, by the controller of each engine
//! ```
//!
//! Positions are in metres with y up. Pixel (x, y) of the terrain is at (x, -y) * [`SCALE`].

pub mod art;
#[cfg(feature = "avian")]
pub mod avian;
pub mod box2d;
pub mod compare;
pub mod draw;
mod engine;
pub mod rapier;
pub mod scene;
pub mod walk;

pub use art::Sprite;
pub use engine::{Engine, Motion, Placed, SCALE, TICK};
pub use scene::Scene;
