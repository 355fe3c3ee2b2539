//! The live demo of hitmask without its window: scene, drawing, camera, input and meter.
//!
//! ```text
//! Show      moves the sprites of a Scene and updates its world: a Crowd on ellipses, or a Horde of walkers
//! Art       draws the look of each pose from its baked mask, once
//! Blitter   draws all visible sprites into one picture, on every core
//! Camera    maps between window, picture and world
//! Pinch     turns two fingers into actions; Command names what a key does
//! App       holds all of them; the window shows its picture and panels
//! ```
//!
//! `Walk` is a hero on a map of any atlas, without all of these, and `MapPicture` draws the map. [`headless`] runs the
//! same without a window, and writes a PNG or an animated GIF. The window itself is in the program `hitmask-demo`.
//!
//! Invariant: at zoom 1 and above, the pixels of a drawn sprite are the pixels that collide.

mod app;
mod art;
mod blit;
mod camera;
mod crowd;
pub mod headless;
mod horde;
mod input;
#[cfg(all(feature = "levels", not(target_family = "wasm")))]
mod level;
mod meter;
mod naive;
mod palette;
mod panel;
mod picture;
mod scene;
mod threads;

pub use app::{App, Options};
pub use blit::Layers;
pub use camera::Zoom;
pub use crowd::{Crowd, Pace, stage};
pub use horde::horde_stage;
pub use input::{Action, Command, Pinch};
#[cfg(all(feature = "levels", not(target_family = "wasm")))]
pub use level::{
    AtlasFile, MapPicture, Overlays, Steering, Walk, hero, open_art, terrain, terrains,
};
pub use meter::{Meter, Times};
pub use palette::{BOX, LIT_EDGE, NORMAL, OVERLAP};
pub use panel::{Panel, grouped};
pub use picture::{Color, LETTER, Picture, hull};
pub use scene::{Scene, Show};
