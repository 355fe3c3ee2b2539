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
mod texel_rows;
mod tiles;

pub use affine::PoseFit;
pub use posed::{MAX_PIVOT, Pivot, Posed, PosedRef};
pub(crate) use posed::{PoseBuffer, mirrored};
pub(crate) use rasterizer::DrawBuffers;
pub use rasterizer::Raster;
use sampling::Matrix;

/// Added to the position of each sample, in 2^-31 texels: the E of [`Raster`]. A sample on the edge of a
/// texel then belongs to the texel after it, whichever way the entries of the matrix were rounded.
const EDGE: i64 = 1 << 17;

/// The rule that decides which pixels of a posed mask are set.
///
/// ```
/// use hitmask::{Mask, Pivot, Raster, Sampling};
/// let source: Mask = "##".parse()?;
/// assert!(Raster::new(&source, Pivot::Center, Sampling::Coverage25).is_ok());
/// # Ok::<(), hitmask::MaskError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sampling {
    /// The texel under the pixel's centre is solid, as a nearest-filtered renderer draws.
    #[default]
    Nearest,
    /// At least 4 of 4 x 4 samples are solid. Samples are at 1/8, 3/8, 5/8 and 7/8 of the pixel on
    /// each axis, each by the rule of [`Raster`] in place of the centre. Keeps thin diagonals in
    /// one piece. Baking takes about 10x as long; tests cost the same.
    Coverage25,
}

impl Sampling {
    /// Returns log2 of the samples along one side of a pixel.
    const fn log2(self) -> u32 {
        match self {
            Self::Nearest => 0,
            Self::Coverage25 => 2,
        }
    }

    /// Returns the number of solid samples that set a pixel.
    const fn threshold(self) -> u8 {
        match self {
            Self::Nearest => 1,
            Self::Coverage25 => 4,
        }
    }
}
