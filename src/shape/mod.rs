//! Polygons of masks for physics engines: outlines within a stated error, convex pieces, and terrain
//! that changes.
//!
//! ```text
//! mask --rings--> exact borders, none touching --simplify--> fewer corners --pieces--> convex pieces
//! ```
//!
//! Corners are integers in units of 1 / `UNIT` px until they are returned, so every test of sides is
//! exact.
//!
//! Invariants: rings of a [`Shape`] are simple and disjoint, holes are inside their border, and
//! no ring has zero area. Outer borders have positive area in output coordinates, holes negative.

mod grid;
mod mass;
mod options;
mod pieces;
mod rings;
#[expect(clippy::module_inception, reason = "the file holds the type `Shape`")]
mod shape;
mod simplify;
mod sprite;

pub use grid::{ShapeCell, ShapeChain, ShapeGrid};
pub use mass::Mass;
pub use options::{Fit, ShapeOptions};
pub use pieces::Pieces;
pub use shape::{Shape, ShapePolygon};
