//! The builder: makes the bytes of an atlas from masks and pixels in memory.
//!
//! ```text
//! pixels --TexelMasks--> Frame --SourceSprite::new--> trimmed masks and poses --Assembler--> bytes
//! ```
//!
//! [`AtlasBuilder`] does all of it. Bakers that read files call the steps through
//! [`baking`](crate::baking). Invariants: the same sprites and settings give the same bytes, on any
//! machine and with any number of threads.

mod angle_steps;
mod atlas_builder;
mod frame;
mod motion_frame;
mod settings;
mod source;
mod sprite_info;
mod warning;

pub use angle_steps::fit;
pub use atlas_builder::AtlasBuilder;
pub use frame::{Frame, TexelMasks, frame_mask};
pub use settings::Settings;
pub use sprite_info::{BuildReport, SpriteInfo, SpriteReport};
pub use warning::{Warning, summary};
