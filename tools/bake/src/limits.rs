//! Limits on what the files of a bake may take: [`BakeLimits`].
//!
//! Part of the public API. The readers in `image` compare the limits with what a file states, before
//! they allocate memory for it.

use crate::error::{BakeError, BakeFault};
use std::path::Path;

/// Limits on what a bake takes to decode its files and to draw its sprites. A file of a few hundred bytes can state images
/// that take gigabytes. Its size is compared with these limits before anything is decoded.
///
/// Give the limits to [`Bake::limits`](crate::Bake::limits). The defaults suit untrusted files. The
/// longest side of an image, [`MAX_FRAME_SIDE`](hitmask::MAX_FRAME_SIDE), cannot be raised.
///
/// ```
/// use hitmask_bake::{Bake, BakeFault, BakeLimits};
/// # let path = std::env::temp_dir().join(format!("hitmask-limits-{}.bmp", std::process::id()));
/// # let mut bmp = b"BM\0\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x40\0\x40\0\x01\0\x18\0".to_vec();
/// # bmp.resize(26 + 64 * 64 * 3, 0);
/// # std::fs::write(&path, bmp)?;
/// let limits = BakeLimits { max_texels: 1000, ..BakeLimits::default() };
/// let refused = Bake::new().limits(limits).sprites(&path)?.to_bytes().unwrap_err();
/// assert!(matches!(refused.fault, BakeFault::OverLimit { needed: 4096, limit: 1000, .. }));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BakeLimits {
    /// The largest number of texels in all images of one file. An animation has one image per frame,
    /// of the size of its canvas. An Aseprite file has one for each plane of each frame.
    ///
    /// The masks take a bit per texel. All planes by [threshold](crate::Bake::thresholds) of one file
    /// may have 8 times as many texels. Default 2^30, which is 4 images of 16,384 a side.
    pub max_texels: u64,
    /// The largest number of frames of one file: of an animation, of a sheet with a description, or of
    /// a grid. Default 2^20.
    pub max_frames: u64,
    /// The largest memory for decoding one file, in bytes. That is the canvas, the texels of the
    /// decoder, and the masks. Several small files are decoded at a time only as long as they together
    /// take at most 128 MiB. The bytes of the file do not count, and neither does the rest of the process,
    /// which takes about 20 MB. Nested groups of an Aseprite file may take this limit too, and its
    /// tilesets a quarter of it. Default 1 GiB.
    pub max_decoding_bytes: u64,
    /// The largest number of texels of all frames in the description of a sheet, before trimming. A row
    /// of a triangle counts as 32 texels. Default 2^32, which is 16 frames of 16,384 a side.
    pub max_untrimmed_texels: u64,
    /// The largest number of pixels in all poses of one sprite. These are the pixels of its solid box,
    /// times the angle steps, times the square of each scale. Each pose counts at least 256 pixels, because even
    /// an empty one takes time. A core draws about 5 * 10^8 of them in a second. The default of
    /// 2^34 allows half a minute of a core. That is 16,384 texels a side at 64 angles and scale 1, or 512 texels at
    /// 65,536 angles. It limits the pixels of all tiles that a level shows, too.
    pub max_pose_pixels: u64,
}

impl Default for BakeLimits {
    fn default() -> Self {
        Self {
            max_texels: 1 << 30,
            max_frames: 1 << 20,
            max_decoding_bytes: 1 << 30,
            max_untrimmed_texels: 1 << 32,
            max_pose_pixels: 1 << 34,
        }
    }
}

/// A limited quantity of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cost {
    Texels,
    ThresholdTexels,
    Frames,
    DecodingBytes,
    TilesetBytes,
    UntrimmedTexels,
    PosePixels,
    TilePixels,
}

impl BakeLimits {
    /// No limits, for files from a trusted source.
    pub const UNLIMITED: Self = Self {
        max_texels: u64::MAX,
        max_frames: u64::MAX,
        max_decoding_bytes: u64::MAX,
        max_untrimmed_texels: u64::MAX,
        max_pose_pixels: u64::MAX,
    };

    /// Returns an error if the file at `path` needs more than its limit.
    pub(super) fn check(&self, cost: Cost, needed: u64, path: &Path) -> Result<(), BakeError> {
        const SPLIT: &str = "split the file into several files";
        let texels = ("max_texels", "--limit-texels");
        let bytes = ("max_decoding_bytes", "--limit-decoding-bytes");
        // The limit, the field and the option that raise it, the value of both that allows `needed`,
        // and how to change the file instead.
        let (quantity, limit, (field, option), value, remedy) = match cost {
            Cost::Texels => ("texels in all images", self.max_texels, texels, needed, SPLIT),
            Cost::ThresholdTexels => (
                "texels in all planes by threshold",
                self.max_texels.saturating_mul(8),
                texels,
                needed.div_ceil(8),
                "bake fewer thresholds, or split the file into several files",
            ),
            Cost::Frames => {
                ("frames", self.max_frames, ("max_frames", "--limit-frames"), needed, SPLIT)
            }
            Cost::DecodingBytes => (
                "bytes to decode",
                self.max_decoding_bytes,
                bytes,
                needed,
                "convert it to a still PNG, or cut it into smaller images",
            ),
            Cost::TilesetBytes => (
                "bytes of tilesets",
                self.max_decoding_bytes / 4,
                bytes,
                needed.saturating_mul(4),
                "remove unused tiles, or split the file",
            ),
            Cost::UntrimmedTexels => (
                "texels before trimming",
                self.max_untrimmed_texels,
                ("max_untrimmed_texels", "--limit-untrimmed-texels"),
                needed,
                "split the sheet, or export frames that are smaller before trimming",
            ),
            Cost::PosePixels => (
                "pixels in all poses",
                self.max_pose_pixels,
                ("max_pose_pixels", "--limit-pose-pixels"),
                needed,
                "bake smaller or fewer scales, fewer angles, or smaller art",
            ),
            Cost::TilePixels => (
                "pixels in all tiles",
                self.max_pose_pixels,
                ("max_pose_pixels", "--limit-pose-pixels"),
                needed,
                "use smaller tiles, or split the map into several maps",
            ),
        };
        if needed <= limit {
            return Ok(());
        }
        let rest = format_args!(" takes {needed} {quantity}, but the limit is {limit}");
        let help = format!(
            "if you trust the file, allow it with BakeLimits::{field} = {value}, or with {option} \
             {value} of hitmask; or {remedy}"
        );
        let fault = BakeFault::OverLimit { quantity, needed, limit };
        Err(BakeError::of_file(fault, path, rest, help))
    }
}
