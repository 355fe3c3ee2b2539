//! Reads Aseprite files: frames, tags, pivots of slices, and layers and slices as planes.
//!
//! Called by `decode` and `frame_source`. A part of the format that is unknown and could change
//! pixels is an error.
//!
//! ```text
//! chunks: bytes -> file
//! compose: file, frame, layers -> RGBA canvas
//! ```

mod chunks;
mod compose;
mod decode;
mod file;
mod reader;

pub(super) use decode::{is_aseprite, stills, tags};
