//! Limits on what the files of a bake may take: [`BakeLimits`], and the quantities that errors name.
//!
//! Part of the public API. The readers in `image` compare the limits with what a file states, before
//! they allocate memory for it.

/// Limits on what a bake takes to decode its files. A file of a few hundred bytes can state images
/// that take gigabytes. Its size is compared with these limits before anything is decoded.
///
/// Give the limits to [`Bake::limits`](crate::Bake::limits). The defaults suit untrusted files. The
/// longest side of an image, [`MAX_FRAME_SIDE`](hitmask::MAX_FRAME_SIDE), cannot be raised.
///
/// ```
/// use hitmask_bake::{Bake, BakeError, BakeLimits};
/// # let path = std::env::temp_dir().join(format!("hitmask-limits-{}.bmp", std::process::id()));
/// # let mut bmp = b"BM\0\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x40\0\x40\0\x01\0\x18\0".to_vec();
/// # bmp.resize(26 + 64 * 64 * 3, 0);
/// # std::fs::write(&path, bmp)?;
/// let limits = BakeLimits::new().max_texels(1000);
/// let refused = Bake::new().limits(limits).sprites(&path)?.to_bytes().unwrap_err();
/// assert!(matches!(refused, BakeError::OverLimit { needed: 4096, limit: 1000, .. }));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "limits do nothing until a bake is given them"]
pub struct BakeLimits {
    pub(super) max_texels: u64,
    pub(super) max_frames: u64,
    pub(super) max_decoding_bytes: u64,
    pub(super) max_untrimmed_texels: u64,
}

impl BakeLimits {
    /// Default of [`max_texels`](Self::max_texels): 2^30, which is 4 images of 16,384 a side.
    pub const DEFAULT_MAX_TEXELS: u64 = 1 << 30;
    /// Default of [`max_frames`](Self::max_frames): 2^20.
    pub const DEFAULT_MAX_FRAMES: u64 = 1 << 20;
    /// Default of [`max_decoding_bytes`](Self::max_decoding_bytes): 1 GiB.
    pub const DEFAULT_MAX_DECODING_BYTES: u64 = 1 << 30;
    /// Default of [`max_untrimmed_texels`](Self::max_untrimmed_texels): 2^32, which is 16 frames of
    /// 16,384 a side.
    pub const DEFAULT_MAX_UNTRIMMED_TEXELS: u64 = 1 << 32;

    /// Returns the default limits.
    pub const fn new() -> Self {
        Self {
            max_texels: Self::DEFAULT_MAX_TEXELS,
            max_frames: Self::DEFAULT_MAX_FRAMES,
            max_decoding_bytes: Self::DEFAULT_MAX_DECODING_BYTES,
            max_untrimmed_texels: Self::DEFAULT_MAX_UNTRIMMED_TEXELS,
        }
    }

    /// Returns no limits, for files from a trusted source.
    pub const fn unlimited() -> Self {
        Self {
            max_texels: u64::MAX,
            max_frames: u64::MAX,
            max_decoding_bytes: u64::MAX,
            max_untrimmed_texels: u64::MAX,
        }
    }

    /// Sets the largest number of texels in all images of one file. An animation has one image per
    /// frame, of the size of its canvas. An Aseprite file has one for each plane of each frame.
    ///
    /// The masks take a bit per texel. All planes by [threshold](crate::Bake::thresholds) of one file
    /// may have 8 times as many texels.
    pub const fn max_texels(self, texels: u64) -> Self {
        Self { max_texels: texels, ..self }
    }

    /// Sets the largest number of frames of one file: of an animation, of a sheet with a
    /// description, or of a grid.
    pub const fn max_frames(self, frames: u64) -> Self {
        Self { max_frames: frames, ..self }
    }

    /// Sets the largest memory for decoding one file, in bytes. That is the canvas, the texels of the
    /// decoder, and the masks. Several small files are decoded at a time only as long as they
    /// together take at most 128 MiB. Nested groups of an Aseprite file may take this limit too, and
    /// its tilesets a quarter of it.
    pub const fn max_decoding_bytes(self, bytes: u64) -> Self {
        Self { max_decoding_bytes: bytes, ..self }
    }

    /// Sets the largest number of texels of all frames in the description of a sheet, before
    /// trimming. A row of a triangle counts as 32 texels.
    pub const fn max_untrimmed_texels(self, texels: u64) -> Self {
        Self { max_untrimmed_texels: texels, ..self }
    }

    /// Returns the largest number of texels in all planes by threshold of one file.
    pub(super) const fn max_threshold_texels(&self) -> u64 {
        self.max_texels.saturating_mul(8)
    }

    /// Returns the largest memory for the tilesets of one file, in bytes.
    pub(super) const fn max_tileset_bytes(&self) -> u64 {
        self.max_decoding_bytes / 4
    }
}

impl Default for BakeLimits {
    fn default() -> Self {
        Self::new()
    }
}

/// The limited quantity of a [`BakeError::OverLimit`](crate::BakeError::OverLimit).
///
/// ```
/// use hitmask_bake::BakeCost;
/// assert_eq!(BakeCost::Texels.to_string(), "texels in all images");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BakeCost {
    /// Texels in all images of a file: `BakeLimits::max_texels`.
    Texels,
    /// Texels in all planes by threshold of a file: 8 times `BakeLimits::max_texels`.
    ThresholdTexels,
    /// Frames of a file: `BakeLimits::max_frames`.
    Frames,
    /// Bytes of memory to decode a file: `BakeLimits::max_decoding_bytes`.
    DecodingBytes,
    /// Bytes of the tilesets of a file: a quarter of `BakeLimits::max_decoding_bytes`.
    TilesetBytes,
    /// Texels of the frames of a sheet before trimming: `BakeLimits::max_untrimmed_texels`.
    UntrimmedTexels,
}

impl std::fmt::Display for BakeCost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Texels => "texels in all images",
            Self::ThresholdTexels => "texels in all planes by threshold",
            Self::Frames => "frames",
            Self::DecodingBytes => "bytes to decode",
            Self::TilesetBytes => "bytes of tilesets",
            Self::UntrimmedTexels => "texels before trimming",
        })
    }
}

impl BakeCost {
    /// Returns the setter that raises the limit, the option of the command line, and the value for
    /// both that allows `needed`.
    pub(super) const fn raised(self, needed: u64) -> (&'static str, &'static str, u64) {
        match self {
            Self::Texels => ("max_texels", "--limit-texels", needed),
            Self::ThresholdTexels => ("max_texels", "--limit-texels", needed.div_ceil(8)),
            Self::Frames => ("max_frames", "--limit-frames", needed),
            Self::DecodingBytes => ("max_decoding_bytes", "--limit-decoding-bytes", needed),
            Self::TilesetBytes => {
                ("max_decoding_bytes", "--limit-decoding-bytes", needed.saturating_mul(4))
            }
            Self::UntrimmedTexels => ("max_untrimmed_texels", "--limit-untrimmed-texels", needed),
        }
    }

    /// Returns how to change the file instead.
    pub(super) const fn remedy(self) -> &'static str {
        match self {
            Self::Texels | Self::Frames => "split the file into several files",
            Self::ThresholdTexels => "bake fewer thresholds, or split the file into several files",
            Self::DecodingBytes => "convert it to a still PNG, or cut it into smaller images",
            Self::TilesetBytes => "remove unused tiles, or split the file",
            Self::UntrimmedTexels => {
                "split the sheet, or export frames that are smaller before trimming"
            }
        }
    }
}
