//! Points, rectangles, straight paths and affine transforms.
//!
//! Pixels run right (x) and down (y); pixel (i, j) covers the half-open square
//! [i, i+1) x [j, j+1). Everything above this module may use it; it uses nothing.
//! What it keeps true: no operation here overflows or panics, whatever its arguments.

mod affine;
mod fast_floor;
mod flip;
mod pixel_path;
mod point;
mod query_shape;
mod rect;
mod similarity;
mod snap;

pub use affine::Affine;
pub(crate) use fast_floor::fast_floor;
pub use flip::Flip;
pub use pixel_path::PixelPath;
pub use point::Point;
pub(crate) use query_shape::checked_size;
pub use query_shape::{Line, Zone, ZoneError};
pub use rect::Rect;
pub use similarity::Similarity;
pub use snap::{MAX_POSITION, Snap};
pub(crate) use snap::{lattice, pixel};
