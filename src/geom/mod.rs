//! Geometry: points, rectangles, pixel paths, query shapes and affine transforms.
//!
//! Pixels run right (x) and down (y); pixel (i, j) covers the half-open square [i, i+1) x [j, j+1).
//! Every other module may use this one; it uses none of them.
//!
//! Invariants: no operation here overflows or panics, whatever its arguments.

mod affine;
mod flip;
mod pixel_path;
mod point;
mod projection;
mod query_shape;
mod rect;
mod snap;

pub use affine::{Affine, Similarity};
pub use flip::Flip;
pub use pixel_path::PixelPath;
pub use point::Point;
pub(crate) use point::cross;
pub(crate) use query_shape::checked_size;
pub use query_shape::{Line, Zone};
pub use rect::Rect;
pub use snap::MAX_POSITION;
pub(crate) use snap::{fast_floor, lattice, mask_pixels, pixel};
