//! Rasterization: a source mask and a pose give a posed mask, in integer arithmetic.
//!
//! The pixel rules are documented on [`Raster`]. The baker, the atlas builder and run-time masks
//! call this module.
//!
//! Invariants: results are the same bits on every machine. Quarter turns are exact, and a half turn
//! equals both flips. [`mod@reference`] evaluates the rules pixel by pixel; [`Raster`] is fast and
//! equal to it bit for bit.

mod affine;
mod coverage;
mod posed;
mod rasterizer;
pub(crate) mod reference;
mod sampling;
mod sampling_rule;
mod texel_rows;
mod tiles;

pub use posed::{MAX_PIVOT, Pivot, Posed, PosedRef};
pub(crate) use posed::{PoseBuffer, mirrored};
pub(crate) use rasterizer::DrawBuffers;
pub use rasterizer::Raster;
use sampling::Matrix;
pub use sampling_rule::Sampling;
