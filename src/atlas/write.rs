//! Collects the records and masks of an atlas. `finish` turns them into a file.
//!
//! Invariants: the same calls give the same bytes, and names ascend.

use super::drawn_poses::PoseData;
use super::format::*;
use super::pool_writer::{Pool, Scratch, WriteError, add_to_crc, next_place};
use crate::mask::{AlphaRule, LEAD, LEVEL_SIDE, MaskSize, stride_of};
use crate::pose::{PoseSet, Resolution};
use crate::raster::Sampling;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// Writer for the bytes of an atlas. The same calls in the same order give the same bytes.
///
/// Equal masks are stored once, and so are equal runs of poses and equal scale lists. The records
/// and tables take about 60 bytes of memory per pose.
pub(crate) struct AtlasWriter<'s> {
    pub(super) resolution: Resolution,
    pub(super) kind: u32,
    pub(super) sprites: Vec<SpriteRecord>,
    pub(super) frames: Vec<FrameRecord>,
    pub(super) hot: Vec<HotPose>,
    pub(super) cold: Vec<ColdPose>,
    pub(super) scales: Vec<f32>,
    pub(super) names: Vec<u8>,
    /// The section of maps.
    pub(super) maps: Vec<u8>,
    pub(super) masks: Masks<'s>,
    /// Poses by half of the digest of their pixels, or by the next free number after a collision.
    pub(super) pose_by_hash: HashMap<u64, u32>,
    /// Runs of poses, one per plane of a frame, by pixel hash.
    pub(super) runs: HashMap<u64, Vec<Range<u32>>>,
}

pub(crate) struct SpriteEntry<'a> {
    pub(crate) name: &'a str,
    /// The names of its planes. Empty if it has only the default plane.
    pub(crate) planes: &'a [String],
    pub(crate) poses: &'a PoseSet,
    pub(crate) rule: AlphaRule,
    pub(crate) sampling: Sampling,
}

/// One plane of a frame, with the index from [`AtlasWriter::add_poses`].
#[derive(Clone, Copy)]
pub(crate) struct FrameEntry {
    pub(crate) first_pose: u32,
    pub(crate) pivot: [i32; 2],
    pub(crate) size: [u32; 2],
}

pub(super) enum Masks<'s> {
    /// Masks that the atlas will hold.
    Stored(Pool<'s>),
    /// Masks of which only the place and the checksum are needed. `words` is their length so far, and
    /// `halves` has the other half of each pose's digest.
    Counted { words: u32, halves: Vec<u64>, crc: crc32fast::Hasher },
}

pub(super) fn count(n: usize) -> Result<u32, WriteError> {
    u32::try_from(n).map_err(|_| WriteError::Full)
}

impl<'s> AtlasWriter<'s> {
    /// Returns a writer of a full atlas, which uses the scratch file if it is large.
    pub(crate) fn new(resolution: Resolution, scratch: Option<&'s mut dyn Scratch>) -> Self {
        let pool = Pool::new(LEVEL_SIDE, scratch);
        Self::of_masks(resolution, KIND_FULL, Masks::Stored(pool))
    }

    pub(crate) fn compact(resolution: Resolution) -> Self {
        Self::of_masks(resolution, KIND_COMPACT, Masks::Stored(Pool::new(NO_LEVELS, None)))
    }

    /// Returns a writer that only measures a full atlas: it keeps digests instead of masks.
    pub(crate) fn measuring(resolution: Resolution) -> Self {
        let mut crc = crc32fast::Hasher::new();
        crc.update(&[0; 8 * LEAD as usize]);
        let masks = Masks::Counted { words: LEAD, halves: Vec::new(), crc };
        Self::of_masks(resolution, KIND_FULL, masks)
    }

    fn of_masks(resolution: Resolution, kind: u32, masks: Masks<'s>) -> Self {
        Self {
            resolution,
            kind,
            sprites: Vec::new(),
            frames: Vec::new(),
            hot: Vec::new(),
            cold: Vec::new(),
            scales: Vec::new(),
            names: Vec::new(),
            maps: Vec::new(),
            masks,
            pose_by_hash: HashMap::new(),
            runs: HashMap::new(),
        }
    }

    /// Begins the poses of one plane of a frame.
    pub(super) fn begin_run(&self) -> OpenRun {
        OpenRun { start: self.hot.len(), hash: 0 }
    }

    pub(super) fn add_poses<'a>(
        &mut self,
        run: &mut OpenRun,
        poses: impl Iterator<Item = PoseData<'a>>,
    ) -> Result<(), WriteError> {
        for pose in poses {
            let hot = self.add_mask(&pose)?;
            self.hot.push(hot);
            self.cold.push(ColdPose { origin: pose.origin.into(), area: pose.area });
            if let Masks::Counted { halves, .. } = &mut self.masks {
                halves.push((pose.digest >> 64) as u64);
            }
            run.hash =
                (run.hash.rotate_left(5) ^ pose.digest as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Ok(())
    }

    /// Ends a run. Returns the index of its first pose: that of an equal run, if there is one.
    pub(super) fn end_run(&mut self, OpenRun { start, hash }: OpenRun) -> Result<u32, WriteError> {
        let alike = self.runs.entry(hash).or_default();
        let same = alike.iter().find(|run| {
            self.hot[run.start as usize..run.end as usize] == self.hot[start..]
                && self.cold[run.start as usize..run.end as usize] == self.cold[start..]
        });
        if let Some(run) = same {
            // An equal run existed, so no mask refers to these records.
            self.hot.truncate(start);
            self.cold.truncate(start);
            if let Masks::Counted { halves, .. } = &mut self.masks {
                halves.truncate(start);
            }
            return Ok(run.start);
        }
        let run = count(start)?..count(self.hot.len())?;
        alike.push(run.clone());
        Ok(run.start)
    }

    fn add_mask(&mut self, pose: &PoseData<'_>) -> Result<HotPose, WriteError> {
        let mask = pose.mask;
        if mask.width() == 0 {
            return Ok(HotPose::default());
        }
        let size = MaskSize::new(mask.width(), mask.height());
        let mut hash = pose.digest as u64;
        let free = loop {
            match self.pose_by_hash.entry(hash) {
                Entry::Vacant(free) => break free,
                Entry::Occupied(known) => {
                    let known = *known.get() as usize;
                    let alike = self.hot[known];
                    let is_same = match &mut self.masks {
                        Masks::Stored(pool) => pool.holds(alike, mask)?,
                        Masks::Counted { halves, .. } => {
                            alike.size == size && halves[known] == (pose.digest >> 64) as u64
                        }
                    };
                    if is_same {
                        return Ok(alike);
                    }
                }
            }
            hash = hash.wrapping_add(1);
        };
        let words = match &mut self.masks {
            Masks::Stored(pool) => pool.push(mask)?,
            Masks::Counted { words: len, crc, .. } => {
                let (words, end) = next_place(*len, mask, LEVEL_SIDE)?;
                add_to_crc(crc, mask, words - *len);
                *len = end;
                words
            }
        };
        free.insert(count(self.hot.len())?);
        Ok(HotPose { words, stride: stride_of(mask.height()), size, unused: 0 })
    }

    /// Appends a sprite with its frames, each with all planes. Names must ascend over all calls.
    pub(crate) fn add_sprite(
        &mut self,
        sprite: &SpriteEntry<'_>,
        frames: &[FrameEntry],
    ) -> Result<(), WriteError> {
        let scales = sprite.poses.scales();
        let first_scale = match self.scales.windows(scales.len()).position(|w| w == scales) {
            Some(start) => start,
            None => {
                self.scales.extend(scales);
                self.scales.len() - scales.len()
            }
        };
        let (rule, rule_value) = rule_to_bytes(sprite.rule);
        self.sprites.push(SpriteRecord {
            name_start: count(self.names.len())?,
            name_bytes: count(sprite.name.len())?,
            first_frame: count(self.frames.len())?,
            frames: count(frames.len() / sprite.planes.len().max(1))?,
            first_scale: count(first_scale)?,
            scales: count(scales.len())?,
            angles: sprite.poses.recorded_angles(),
            rule,
            rule_value,
            sampling: sampling_to_byte(sprite.sampling),
            named_planes: u8::try_from(sprite.planes.len()).map_err(|_| WriteError::Full)?,
        });
        self.names.extend(sprite.name.bytes());
        for plane in sprite.planes {
            self.names.push(u8::try_from(plane.len()).map_err(|_| WriteError::Full)?);
            self.names.extend(plane.bytes());
        }
        for frame in frames {
            let FrameEntry { first_pose, pivot, size: [width, height] } = *frame;
            self.frames.push(FrameRecord { first_pose, pivot, width, height });
        }
        Ok(())
    }

    pub(super) const fn pool_words(&self) -> u32 {
        match &self.masks {
            Masks::Stored(pool) => pool.len(),
            Masks::Counted { words, .. } => *words,
        }
    }

    pub(crate) fn len(&self) -> u64 {
        let pose = size_of::<HotPose>() + size_of::<ColdPose>();
        8 * u64::from(self.pool_words()) + (self.hot.len() * pose) as u64
    }
}

/// A run of poses that is being written.
pub(super) struct OpenRun {
    start: usize,
    hash: u64,
}
