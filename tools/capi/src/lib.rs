//! The C interface of hitmask: see `include/hitmask.h` and `README.md`.
//!
//! ```text
//! C caller -> exports of all modules
//!          -> atlas, mask, world, shapes, ...     the objects, and the handle of each
//!          -> handles                            slot, generation and type of a pointer
//!             pointers                           the only file with `unsafe` blocks
//!          -> types, lists -> status             structs of C; numbers and messages of refusals
//! ```
//!
//! Imports run downwards only. `status` turns every refusal and every panic into a number and a
//! message. The header is generated from the documentation of the exports.
//!
//! Invariants: a handle is never dereferenced. A refused call leaves its object as it was. Nothing
//! that the library allocates is freed by the caller, or the reverse.

#![expect(
    unsafe_code,
    reason = "exports have the names of the header; a test finds `unsafe` blocks outside `pointers`"
)]

#[cfg(target_endian = "big")]
compile_error!("lists of ids are lent in memory as little-endian numbers of 64 bits");

mod atlas;
mod atlases;
#[cfg(feature = "bake")]
mod baker;
mod batch;
mod bodies;
mod bulk;
mod collider;
mod events;
mod handles;
mod lists;
mod log;
mod maps;
mod mask;
mod mask_edit;
mod mask_pair;
mod mask_shapes;
mod motion;
mod pointers;
mod query;
mod runtime_masks;
mod shapes;
mod snapshot;
mod sprite;
mod status;
mod texel_rule;
mod types;
mod world;

pub use atlas::*;
pub use atlases::*;
#[cfg(feature = "bake")]
pub use baker::*;
pub use batch::*;
pub use bodies::*;
pub use bulk::*;
pub use collider::*;
pub use events::*;
pub use handles::{hm_atlas, hm_baker, hm_batch, hm_mask, hm_shape, hm_shape_grid, hm_world};
pub use lists::*;
pub use log::*;
pub use maps::*;
pub use mask::*;
pub use mask_edit::*;
pub use mask_pair::*;
pub use mask_shapes::*;
pub use motion::*;
pub use pointers::called;
pub use query::*;
pub use runtime_masks::*;
pub use shapes::*;
pub use snapshot::*;
pub use sprite::*;
pub use status::*;
pub use texel_rule::*;
pub use types::*;
pub use world::*;
