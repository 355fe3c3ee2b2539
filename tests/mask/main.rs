//! Every operation on owned masks against the same operation done pixel by pixel.

mod algebra;
mod components;
mod fill;
mod graze;
mod grow;
mod large;
mod per_pixel;
mod pixels;
mod polygon;
mod shape;

use hitmask::{CallError, MAX_SIDE};

fn too_large(width: u32, height: u32) -> CallError {
    CallError::TooLarge { width: width.into(), height: height.into(), most: MAX_SIDE }
}
