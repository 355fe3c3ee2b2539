//! The records of the atlas file, field by field, as FORMAT.md specifies them.
//!
//! Invariant: this is the only file that knows byte offsets.

#![deny(clippy::arithmetic_side_effects)]

use crate::mask::{AlphaRule, LevelShape, MaskDescriptor, MaskSize};
use crate::pose::stored_steps;
use crate::raster::Sampling;
use bytemuck::{Pod, Zeroable};

/// First bytes of every atlas.
pub const MAGIC: [u8; 8] = *b"HITMASK\x1a";
/// First bytes of a shard, which the bake writes and `merge` reads. `Atlas` rejects it.
pub const SHARD_MAGIC: [u8; 8] = *b"HITSHARD";
pub(crate) const VERSION: u32 = 2;
/// `level_side` of a file in which no mask has levels: a side that no mask has.
pub(crate) const NO_LEVELS: u32 = u32::MAX;
/// Alignment of every section in bytes.
pub(crate) const SECTION_ALIGN: u64 = 64;
/// First byte that the record checksum covers. It ends at the start of the pool.
pub(crate) const CHECKED_FROM: usize = 32;
/// Largest distance of a pose from its lattice origin, in pixels. The largest image, pivot and
/// scale together stay below it. Positions within their own limit then cannot overflow `i32`.
pub(crate) const MAX_ORIGIN: i32 = 1 << 24;
/// Upper bound on the number of poses of an atlas: ids have 31 bits.
pub(super) const MAX_POSES: u64 = 1 << 31;

#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Header {
    pub(crate) magic: [u8; 8],
    pub(crate) version: u32,
    pub(crate) header_bytes: u32,
    pub(crate) file_bytes: u64,
    pub(crate) records_crc: u32,
    pub(crate) reserved: u32,
    pub(crate) pool_crc: u32,
    pub(crate) sprites: u32,
    pub(crate) frames: u32,
    pub(crate) poses: u32,
    pub(crate) scales: u32,
    pub(crate) name_bytes: u32,
    pub(crate) map_words: u32,
    pub(crate) pool_words: u32,
    pub(crate) offsets: Offsets,
    /// The resolution as a power of two.
    pub(crate) resolution: i32,
    pub(crate) kind: u32,
    pub(crate) full_bytes: u64,
    /// Checksum of the packed sections; 0 if none are packed.
    pub(crate) packed_crc: u32,
    /// Masks with a side of this many pixels or more have levels.
    pub(crate) level_side: u32,
    /// The id of the full atlas that a compact one states; 0 in a full atlas.
    pub(crate) full_id: u32,
    pub(crate) spare: [u32; 9],
}

/// Kind of an atlas that stores every pose.
pub(crate) const KIND_FULL: u32 = 0;
/// Kind of an atlas that stores source masks. A pose is drawn when it is first shown.
pub(crate) const KIND_COMPACT: u32 = 1;

/// The start of each section, in bytes from the start of the file, in file order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Offsets {
    pub(crate) sprites: u64,
    pub(crate) frames: u64,
    pub(crate) hot: u64,
    pub(crate) cold: u64,
    pub(crate) scales: u64,
    pub(crate) names: u64,
    pub(crate) maps: u64,
    pub(crate) pool: u64,
}

impl Header {
    /// Reads the header from the start of a file. Fields beyond its end are 0.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let (mut header, len) = (Self::default(), bytes.len().min(size_of::<Self>()));
        bytemuck::bytes_of_mut(&mut header)[..len].copy_from_slice(&bytes[..len]);
        header
    }

    /// Returns the section offsets and the file length that follow from the counts, in bytes.
    pub(crate) fn layout(&self) -> (Offsets, u64) {
        let mut end = u64::from(self.header_bytes);
        let mut section = |count: u32, size: usize| {
            let start = end;
            // Each of 8 sections takes at most 2^32 records of 40 bytes.
            let bytes = u64::from(count).saturating_mul(size as u64);
            end = start.saturating_add(bytes).next_multiple_of(SECTION_ALIGN);
            start
        };
        let offsets = Offsets {
            sprites: section(self.sprites, size_of::<SpriteRecord>()),
            frames: section(self.frames, size_of::<FrameRecord>()),
            hot: section(self.poses, size_of::<HotPose>()),
            cold: section(self.poses, size_of::<ColdPose>()),
            scales: section(self.scales, size_of::<f32>()),
            names: section(self.name_bytes, 1),
            maps: section(self.map_words, size_of::<u64>()),
            pool: section(self.pool_words, size_of::<u64>()),
        };
        (offsets, end)
    }
}

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SpriteRecord {
    pub(crate) name_start: u32,
    pub(crate) name_bytes: u32,
    pub(crate) first_frame: u32,
    pub(crate) frames: u32,
    pub(crate) first_scale: u32,
    pub(crate) scales: u32,
    pub(crate) angles: u32,
    pub(crate) rule: u8,
    pub(crate) rule_value: u8,
    pub(crate) sampling: u8,
    /// Number of named planes; 0 if the sprite has one plane without a name.
    pub(crate) named_planes: u8,
}

impl SpriteRecord {
    pub(crate) fn planes(&self) -> u32 {
        u32::from(self.named_planes).max(1)
    }

    /// Returns the number of angle steps in a full turn. The field is 0 for a sprite of one step that
    /// is never mirrored.
    pub(crate) fn angles(&self) -> u32 {
        self.angles.max(1)
    }

    pub(crate) const fn is_mirrored(&self) -> bool {
        self.angles != 0
    }

    /// Returns the number of angle steps that are stored.
    pub(crate) const fn stored_steps(&self) -> u32 {
        stored_steps(self.angles)
    }

    pub(crate) fn poses_each(&self) -> u64 {
        // No product of 32 bits overflows 64.
        u64::from(self.stored_steps()).saturating_mul(self.scales.into())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct FrameRecord {
    pub(crate) first_pose: u32,
    pub(crate) pivot: [i32; 2],
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The part of a pose that kernels read: a quarter of a cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct HotPose {
    pub(crate) words: u32,
    pub(crate) stride: u32,
    /// Never flipped: the format stores upright masks only.
    pub(crate) size: MaskSize,
    pub(crate) unused: u32,
}

impl HotPose {
    /// Returns the mask as kernels take it, upright.
    #[inline(always)]
    pub(crate) const fn descriptor(self) -> MaskDescriptor {
        MaskDescriptor { words: self.words, size: self.size }
    }

    /// Returns the words of the levels before the mask, if it has levels; else 0.
    pub(crate) const fn level_words(self, level_side: u32) -> u32 {
        LevelShape::words_before(self.size.width(), self.size.height(), level_side)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct ColdPose {
    pub(crate) origin: [i32; 2],
    pub(crate) area: u32,
}

/// Returns a value from records that have been checked, which is there. A debug build asserts it.
#[inline]
#[track_caller]
pub(super) fn checked<T: Default>(value: Option<T>) -> T {
    debug_assert!(value.is_some(), "a record has not been checked");
    value.unwrap_or_default()
}

pub(crate) const fn rule_to_bytes(rule: AlphaRule) -> (u8, u8) {
    match rule {
        AlphaRule::AtLeast(t) => (0, t),
        AlphaRule::Above(t) => (1, t),
        AlphaRule::Bits(m) => (2, m),
    }
}

pub(crate) const fn rule_from_bytes(kind: u8, value: u8) -> Option<AlphaRule> {
    match kind {
        0 => Some(AlphaRule::AtLeast(value)),
        1 => Some(AlphaRule::Above(value)),
        2 => Some(AlphaRule::Bits(value)),
        _ => None,
    }
}

pub(crate) const fn sampling_to_byte(sampling: Sampling) -> u8 {
    match sampling {
        Sampling::Nearest => 0,
        Sampling::Coverage25 => 1,
    }
}

pub(crate) const fn sampling_from_byte(byte: u8) -> Option<Sampling> {
    match byte {
        0 => Some(Sampling::Nearest),
        1 => Some(Sampling::Coverage25),
        _ => None,
    }
}
