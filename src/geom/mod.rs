//! Points, rectangles, straight paths and affine transforms.
//!
//! Pixels run right (x) and down (y); pixel (i, j) covers the half-open square
//! [i, i+1) x [j, j+1). Everything above this module may use it; it uses nothing.
//! What it keeps true: no operation here overflows or panics, whatever its arguments.

mod affine;
mod floor;
mod path;
mod point;
mod rect;
mod similarity;
mod snap;
mod zone;

pub use affine::Affine;
pub(crate) use floor::floor;
pub use path::Path;
pub use point::Point;
pub use rect::Rect;
pub use similarity::Similarity;
pub use snap::{MAX_POSITION, Snap};
pub(crate) use snap::{lattice, pixel};
pub(crate) use zone::checked_size;
pub use zone::{Line, Zone, ZoneError};
