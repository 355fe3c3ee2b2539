//! The options of a bake as a whole: [`Plan`].
//!
//! Set by `options` and `inputs`, and read by `pipeline` and what it calls.

use super::BakeLimits;

/// Options of the bake as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Mask pixels along one side of a pixel.
    pub(super) resolution: f32,
    /// Size limit of the opened atlas in bytes.
    pub(super) max_bytes: Option<u64>,
    /// Stores source masks only.
    pub(super) compact: bool,
    /// Limits on what files take to decode.
    pub(super) limits: BakeLimits,
}
