//! Writes the records and masks of an atlas.
//!
//! Called by `builder` and `compact`. Invariants: the same calls give the same bytes, and names
//! ascend.

use super::aligned_bytes::Bytes;
use super::format::*;
use super::pool_writer::{Place, Pool};
use crate::geom::Point;
use crate::mask::{AlphaRule, LEVEL_SIDE, MaskRef};
use crate::pose::{PoseSet, Resolution};
use crate::raster::{PoseBuffer, PosedRef, Sampling};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Writer for the bytes of an atlas. The same calls in the same order give the same bytes.
///
/// Equal masks are stored once, and so are equal runs of poses and equal scale lists.
#[derive(Default)]
pub(crate) struct AtlasWriter {
    resolution: Resolution,
    sprites: Vec<SpriteRecord>,
    frames: Vec<FrameRecord>,
    hot: Vec<HotPose>,
    cold: Vec<ColdPose>,
    scales: Vec<f32>,
    names: Vec<u8>,
    pool: Pool,
    /// Poses by pixel hash, or by the next free hash after a collision. The hash narrows the
    /// search, and the output does not depend on it.
    pose_by_hash: HashMap<u64, u32>,
    /// Runs of poses, one per plane of a frame, by pixel hash.
    runs: HashMap<u64, Vec<Range<u32>>>,
}

/// A sprite to be written.
pub(crate) struct SpriteEntry<'a> {
    pub(crate) name: &'a str,
    /// The names of its planes. Empty if it has only the default plane.
    pub(crate) planes: &'a [String],
    pub(crate) poses: &'a PoseSet,
    pub(crate) rule: AlphaRule,
    pub(crate) sampling: Sampling,
}

/// One plane of a frame to be written: size and pivot of its image, and the index from
/// [`AtlasWriter::add_poses`].
#[derive(Clone, Copy)]
pub(crate) struct FrameEntry {
    pub(crate) first_pose: u32,
    pub(crate) pivot: [i32; 2],
    pub(crate) size: [u32; 2],
}

/// The atlas would exceed its 32-bit counts: 4 billion poses or 32 GiB of masks.
#[derive(Debug)]
pub(crate) struct Full;

impl AtlasWriter {
    /// Returns a writer without sprites.
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self { resolution, ..Self::default() }
    }

    /// Appends the poses of one plane of a frame, scale by scale and step by step. Returns the
    /// index of the first pose. Reuses an equal run of poses if there is one.
    pub(super) fn add_poses<'a>(
        &mut self,
        poses: impl Iterator<Item = PoseData<'a>>,
    ) -> Result<u32, Full> {
        let (start, mut hash) = (self.hot.len(), 0_u64);
        for pose in poses {
            let hot = self.add_mask(&pose)?;
            self.hot.push(hot);
            self.cold.push(ColdPose { origin: pose.origin.into(), area: pose.area });
            hash = (hash.rotate_left(5) ^ pose.hash).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let alike = self.runs.entry(hash).or_default();
        let same = alike.iter().find(|run| {
            self.hot[run.start as usize..run.end as usize] == self.hot[start..]
                && self.cold[run.start as usize..run.end as usize] == self.cold[start..]
        });
        if let Some(run) = same {
            // An equal run existed, so no mask refers to these records.
            self.hot.truncate(start);
            self.cold.truncate(start);
            return Ok(run.start);
        }
        let count = |n: usize| u32::try_from(n).map_err(|_| Full);
        let run = count(start)?..count(self.hot.len())?;
        alike.push(run.clone());
        Ok(run.start)
    }

    fn add_mask(&mut self, pose: &PoseData<'_>) -> Result<HotPose, Full> {
        let mask = pose.mask;
        if mask.width() == 0 {
            return Ok(HotPose::default());
        }
        let mut hash = pose.hash;
        let free = loop {
            match self.pose_by_hash.entry(hash) {
                Entry::Vacant(free) => break free,
                Entry::Occupied(known) => {
                    let alike = self.hot[*known.get() as usize];
                    if self.pool.mask(alike) == mask {
                        return Ok(alike);
                    }
                }
            }
            hash = hash.wrapping_add(1);
        };
        let count = |n: usize| u32::try_from(n).map_err(|_| Full);
        let hot = HotPose {
            words: count(self.pool.len())?,
            stride: crate::mask::stride_of(mask.height()),
            size: crate::mask::MaskSize::new(mask.width(), mask.height()),
            boards: 0,
        };
        self.pool.push(mask);
        count(self.pool.len())?;
        free.insert(count(self.hot.len())?);
        Ok(hot)
    }

    /// Appends a sprite with its frames, each with all planes. Names must ascend over all calls.
    pub(crate) fn add_sprite(
        &mut self,
        sprite: &SpriteEntry<'_>,
        frames: &[FrameEntry],
    ) -> Result<(), Full> {
        let scales = sprite.poses.scales();
        let first_scale = match self.scales.windows(scales.len()).position(|w| w == scales) {
            Some(start) => start,
            None => {
                self.scales.extend(scales);
                self.scales.len() - scales.len()
            }
        };
        let count = |n: usize| u32::try_from(n).map_err(|_| Full);
        let (rule, rule_value) = rule_to_bytes(sprite.rule);
        self.sprites.push(SpriteRecord {
            name_start: count(self.names.len())?,
            name_bytes: count(sprite.name.len())?,
            first_frame: count(self.frames.len())?,
            frames: count(frames.len() / sprite.planes.len().max(1))?,
            first_scale: count(first_scale)?,
            scales: count(scales.len())?,
            angles: sprite.poses.angles(),
            rule,
            rule_value,
            sampling: sampling_to_byte(sprite.sampling),
            named_planes: u8::try_from(sprite.planes.len()).map_err(|_| Full)?,
        });
        self.names.extend(sprite.name.bytes());
        for plane in sprite.planes {
            self.names.push(u8::try_from(plane.len()).map_err(|_| Full)?);
            self.names.extend(plane.bytes());
        }
        for frame in frames {
            let FrameEntry { first_pose, pivot, size: [width, height] } = *frame;
            self.frames.push(FrameRecord { first_pose, pivot, width, height });
        }
        Ok(())
    }

    /// Returns the bytes of the masks and poses so far, without coarse levels.
    pub(crate) fn len(&self) -> u64 {
        let pose = size_of::<HotPose>() + size_of::<ColdPose>();
        8 * self.pool.len() as u64 + (self.hot.len() * pose) as u64
    }

    /// Returns the bytes of a full atlas.
    pub(crate) fn finish(self) -> Result<Vec<u8>, Full> {
        self.finish_as(KIND_FULL, 0)
    }

    /// Returns the bytes of an atlas of the given kind. `full_bytes` is the size of the drawn atlas
    /// if the kind is compact.
    pub(crate) fn finish_as(mut self, kind: u32, full_bytes: u64) -> Result<Vec<u8>, Full> {
        let (header, places) = self.lay_out(kind)?;
        let header = Header { full_bytes, ..header };
        let mut file = vec![0; usize::try_from(header.file_bytes).map_err(|_| Full)?];
        self.put(header, &places, &mut file);
        Ok(file)
    }

    /// Returns the bytes of a full atlas in an aligned buffer.
    pub(crate) fn finish_in_place(mut self) -> Result<Bytes, Full> {
        let (header, places) = self.lay_out(KIND_FULL)?;
        let len = usize::try_from(header.file_bytes).map_err(|_| Full)?;
        Ok(Bytes::filled_by(len, |file| self.put(header, &places, file)))
    }

    /// Finds the place of every mask in the file, behind its levels if it has any. Returns the
    /// header and the places, and changes the pose records accordingly.
    fn lay_out(&mut self, kind: u32) -> Result<(Header, Vec<Place>), Full> {
        let count = |n: usize| u32::try_from(n).map_err(|_| Full);
        let level_side = match kind {
            KIND_FULL => LEVEL_SIDE,
            _ => NO_LEVELS,
        };
        let (places, pool_words) = self.pool.lay_out(level_side).ok_or(Full)?;
        for hot in self.hot.iter_mut().filter(|hot| !hot.size.is_empty()) {
            let place = places.partition_point(|place| place.words < hot.words);
            hot.words = places[place].to;
        }
        let mut header = Header {
            magic: MAGIC,
            version: VERSION,
            header_bytes: size_of::<Header>() as u32,
            sprites: count(self.sprites.len())?,
            frames: count(self.frames.len())?,
            poses: count(self.hot.len())?,
            scales: count(self.scales.len())?,
            name_bytes: count(self.names.len())?,
            pool_words,
            level_side,
            resolution: self.resolution.log2(),
            kind,
            ..Header::default()
        };
        (header.offsets, header.file_bytes) = header.layout();
        Ok((header, places))
    }

    /// Writes the file into a zeroed buffer of the length in `header`. Frees the masks.
    fn put(&mut self, mut header: Header, places: &[Place], file: &mut [u8]) {
        if header.kind == KIND_FULL {
            header.full_bytes = header.file_bytes;
        }
        let at = header.offsets;
        header.pool_crc = self.pool.move_to(places, &mut file[at.pool as usize..]);
        let mut put = |start: u64, bytes: &[u8]| {
            file[start as usize..][..bytes.len()].copy_from_slice(bytes);
        };
        put(at.sprites, bytemuck::cast_slice(&self.sprites));
        put(at.frames, bytemuck::cast_slice(&self.frames));
        put(at.hot, bytemuck::cast_slice(&self.hot));
        put(at.cold, bytemuck::cast_slice(&self.cold));
        put(at.scales, bytemuck::cast_slice(&self.scales));
        put(at.names, &self.names);
        put(0, bytemuck::bytes_of(&header));
        header.records_crc = crc32fast::hash(&file[CHECKED_FROM..at.pool as usize]);
        file[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(&header));
    }
}

/// A pose to be written, with all data that does not depend on its place in the file. Worker
/// threads compute it.
pub(super) struct PoseData<'a> {
    pub(super) mask: MaskRef<'a>,
    pub(super) origin: Point,
    pub(super) area: u32,
    /// Hash of the pixels.
    pub(super) hash: u64,
}

impl<'a> PoseData<'a> {
    pub(super) fn new(mask: MaskRef<'a>, origin: Point, area: u32) -> Self {
        Self { mask, origin, area, hash: hash(mask) }
    }
}

/// The poses of one image.
#[derive(Default)]
pub(super) struct DrawnPoses {
    poses: PoseBuffer,
    /// For each pose, the hash of its pixels.
    hashes: Vec<u64>,
}

impl DrawnPoses {
    /// Replaces the contents with the poses that `draw` appends. Keeps the capacity.
    pub(super) fn fill<E>(
        &mut self,
        draw: impl FnOnce(&mut PoseBuffer) -> Result<(), E>,
    ) -> Result<(), E> {
        self.poses.clear();
        self.hashes.clear();
        draw(&mut self.poses)?;
        self.hashes.extend((0..self.poses.len()).map(|i| hash(self.poses.get(i).mask)));
        Ok(())
    }

    /// Returns the capacity for masks, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.poses.bytes()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = PoseData<'_>> {
        self.hashes.iter().enumerate().map(|(i, &hash)| {
            let PosedRef { mask, origin, .. } = self.poses.get(i);
            PoseData { mask, origin, area: self.poses.area(i), hash }
        })
    }
}

/// Hashes the pixels of a mask. The hash affects speed only.
fn hash(mask: MaskRef<'_>) -> u64 {
    let size = u64::from(mask.width()) << 32 | u64::from(mask.height());
    (0..mask.strips())
        .fold(size, |hash, s| xxh3_64_with_seed(bytemuck::cast_slice(mask.rows(s)), hash))
}
