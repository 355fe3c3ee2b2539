//! [`AtlasOptions`]: limits on what a compact atlas may draw.
//!
//! Part of the public API. `drawing_cost` compares the limits with the cost of an atlas.

/// Limits of an atlas that is opened. A [compact](crate::AtlasBuilder::compact) atlas of a few hundred bytes
/// can state settings that take gigabytes to draw. [`Atlas::drawn`](crate::Atlas::drawn) computes
/// the cost from the settings before it draws anything, in milliseconds.
///
/// An atlas that stores all poses draws nothing, so no limit applies to it. The cost is an upper
/// bound: masks are counted before they are trimmed and shared. Drawing takes up to about 3 times
/// [`max_bytes`](Self::max_bytes) of memory. The poses that a [`World`](crate::World) draws have no
/// limit here.
///
/// ```
/// use hitmask::{FileError, AtlasOptions, AtlasBuilder, Mask};
/// let compact = AtlasBuilder::new().mask("tile", Mask::solid(64, 64)?).compact(true).to_bytes()?;
/// let limits = |max_bytes| AtlasOptions { max_bytes, ..AtlasOptions::DEFAULT };
/// let refused = limits(10_000).from_vec(compact.clone())?.drawn().unwrap_err();
/// assert!(matches!(refused, FileError::OverLimit { limit: 10_000, .. }));
/// let atlas = limits(1 << 20).from_vec(compact)?.drawn()?;
/// assert_eq!(atlas.pose_count(), 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AtlasOptions {
    /// Largest size of a drawn atlas, in bytes; 1 GiB by default. Also limits the source masks of a
    /// compact atlas when it opens.
    pub max_bytes: u64,
    /// Largest number of poses that are drawn; 8,388,608 by default. Poses of equal images and
    /// settings count once.
    pub max_poses: u64,
    /// Largest number of samples that are taken from source masks, which limits the time; 2^33 by
    /// default. A drawn pixel takes 1 sample, or 16 with
    /// [`Sampling::Coverage25`](crate::Sampling). Only a quarter turn is drawn; the rest is copied.
    /// A core takes about 10^9 samples a second.
    pub max_samples: u64,
}

/// The limited quantity of an [`FileError::OverLimit`](crate::FileError::OverLimit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DrawingCost {
    /// Bytes of the drawn atlas: [`AtlasOptions::max_bytes`].
    Bytes,
    /// Number of poses to draw: [`AtlasOptions::max_poses`].
    Poses,
    /// Number of samples taken from source masks: [`AtlasOptions::max_samples`].
    Samples,
}

impl AtlasOptions {
    /// No limits, for atlases from a trusted source.
    pub const UNLIMITED: Self =
        Self { max_bytes: u64::MAX, max_poses: u64::MAX, max_samples: u64::MAX };
    /// The default limits.
    pub const DEFAULT: Self = Self { max_bytes: 1 << 30, max_poses: 1 << 23, max_samples: 1 << 33 };
}
