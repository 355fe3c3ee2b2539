//! Geometry: points, rectangles, pixel paths, query shapes and affine transforms.
//!
//! Pixels run right (x) and down (y); pixel (i, j) covers the half-open square [i, i+1) x [j, j+1).
//! Every other module may use this one; it uses none of them.
//!
//! Invariants: no operation here overflows or panics, whatever its arguments.
//!
//! - `affine`: affine transforms, for nested parents
//! - `fast_floor`: floor to i32 without a library call
//! - `flip`: the mirror state of a sprite
//! - `pixel_path`: the pixels of a straight motion
//! - `point`: a pixel, or an offset in whole pixels
//! - `projection`: affine transforms from projection matrices
//! - `query_shape`: rectangles, circles, ellipses and lines for queries
//! - `rect`: half-open rectangles of pixels
//! - `similarity`: an affine transform split into flip, scale, angle and position
//! - `snap`: positions to whole pixels
//! - `zone_error`: the error of query shapes

mod affine;
mod fast_floor;
mod flip;
mod pixel_path;
mod point;
mod projection;
mod query_shape;
mod rect;
mod similarity;
mod snap;
mod zone_error;

pub use affine::Affine;
pub(crate) use fast_floor::fast_floor;
pub use flip::Flip;
pub use pixel_path::PixelPath;
pub use point::Point;
pub use projection::ProjectionError;
pub use query_shape::{Line, Zone};
pub use rect::Rect;
pub use similarity::Similarity;
pub use snap::{MAX_POSITION, Snap};
pub(crate) use snap::{lattice, pixel};
pub use zone_error::ZoneError;
pub(crate) use zone_error::checked_size;
