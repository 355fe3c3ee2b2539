use super::format::*;
use crate::mask::{AlphaRule, LEAD, MaskRef, boards_of};
use crate::pose::{PoseSet, stored_steps};
use crate::raster::{Posed, Sampling};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Makes the bytes of an atlas. The same calls in the same order give the same bytes.
///
/// Masks of equal pixels are stored once, scales of equal lists likewise.
#[derive(Default)]
pub(crate) struct AtlasWriter {
    sprites: Vec<SpriteRecord>,
    frames: Vec<FrameRecord>,
    hot: Vec<HotPose>,
    cold: Vec<ColdPose>,
    scales: Vec<f32>,
    names: String,
    boards: Vec<u64>,
    pool: Vec<u64>,
    /// Poses by a hash of their pixels. The hash only narrows the search: what is written does
    /// not depend on it.
    known: HashMap<u64, Vec<u32>>,
}

/// A sprite to be written.
pub(crate) struct SpriteEntry<'a> {
    pub(crate) name: &'a str,
    pub(crate) poses: &'a PoseSet,
    pub(crate) rule: AlphaRule,
    pub(crate) sampling: Sampling,
}

/// A frame to be written: its image's size and pivot, and the index that
/// [`AtlasWriter::add_poses`] gave.
#[derive(Clone, Copy)]
pub(crate) struct FrameEntry {
    pub(crate) first_pose: u32,
    pub(crate) pivot: [i32; 2],
    pub(crate) size: [u32; 2],
}

/// The atlas would exceed what its 32-bit counts can hold: 4 billion poses or 32 GiB of masks.
#[derive(Debug)]
pub(crate) struct Full;

impl AtlasWriter {
    /// Appends the stored poses of one frame, scale by scale, step by step; gives the index of
    /// the first.
    pub(crate) fn add_poses(&mut self, poses: &[Posed]) -> Result<u32, Full> {
        let first = u32::try_from(self.hot.len()).map_err(|_| Full)?;
        for posed in poses {
            let (hot, area) = self.add_mask(posed.mask.as_ref())?;
            self.hot.push(hot);
            self.cold.push(ColdPose { origin: posed.origin.into(), area });
        }
        u32::try_from(self.hot.len()).map_err(|_| Full)?;
        Ok(first)
    }

    fn add_mask(&mut self, mask: MaskRef<'_>) -> Result<(HotPose, u32), Full> {
        if mask.width() == 0 {
            return Ok((HotPose::default(), 0));
        }
        if self.pool.is_empty() {
            self.pool.resize(LEAD as usize, 0);
        }
        let mut hasher = DefaultHasher::new();
        (mask.width(), mask.height()).hash(&mut hasher);
        (0..mask.strips()).for_each(|s| mask.rows(s).hash(&mut hasher));
        let alike = self.known.entry(hasher.finish()).or_default();
        let same = alike.iter().find(|&&i| {
            let hot = self.hot[i as usize];
            let (w, h) = (hot.width(), hot.height());
            MaskRef::in_pool(&self.pool, hot.words, hot.stride, w, h) == mask
        });
        if let Some(&i) = same {
            return Ok((self.hot[i as usize], self.cold[i as usize].area));
        }
        let hot = HotPose {
            words: u32::try_from(self.pool.len()).map_err(|_| Full)?,
            stride: crate::mask::stride_of(mask.height()),
            size: HotPose::pack(mask.width(), mask.height()),
            boards: u32::try_from(self.boards.len()).map_err(|_| Full)?,
        };
        for s in 0..mask.strips() {
            let rows = mask.rows(s);
            self.pool.extend_from_slice(rows);
            self.pool.resize(self.pool.len() + hot.stride as usize - rows.len(), 0);
        }
        u32::try_from(self.pool.len()).map_err(|_| Full)?;
        let boards = boards_of(mask);
        let hot = HotPose { boards: if boards.is_empty() { 0 } else { hot.boards }, ..hot };
        self.boards.extend(boards);
        u32::try_from(self.boards.len()).map_err(|_| Full)?;
        alike.push(u32::try_from(self.hot.len()).map_err(|_| Full)?);
        Ok((hot, mask.count() as u32))
    }

    /// Appends a sprite with its frames. Sprites come in ascending order of their names.
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
            frames: count(frames.len())?,
            first_scale: count(first_scale)?,
            scales: count(scales.len())?,
            angles: sprite.poses.angles(),
            rule,
            rule_value,
            sampling: sampling_to_byte(sprite.sampling),
            reserved: 0,
        });
        self.names.push_str(sprite.name);
        let poses = scales.len() * stored_steps(sprite.poses.angles()) as usize;
        for frame in frames {
            debug_assert!(frame.first_pose as usize + poses <= self.hot.len());
            let FrameEntry { first_pose, pivot, size: [width, height] } = *frame;
            self.frames.push(FrameRecord { first_pose, pivot, width, height });
        }
        Ok(())
    }

    /// The file.
    pub(crate) fn finish(mut self) -> Result<Vec<u8>, Full> {
        if self.pool.is_empty() {
            self.pool.resize(LEAD as usize, 0);
        }
        let count = |n: usize| u32::try_from(n).map_err(|_| Full);
        let mut header = Header {
            magic: MAGIC,
            version: VERSION,
            header_bytes: size_of::<Header>() as u32,
            sprites: count(self.sprites.len())?,
            frames: count(self.frames.len())?,
            poses: count(self.hot.len())?,
            scales: count(self.scales.len())?,
            name_bytes: count(self.names.len())?,
            board_words: count(self.boards.len())?,
            pool_words: count(self.pool.len())?,
            pool_crc: crc32fast::hash(bytemuck::cast_slice(&self.pool)),
            ..Header::default()
        };
        (header.offsets, header.file_bytes) = header.layout();
        let at = header.offsets;
        let mut file = vec![0; usize::try_from(header.file_bytes).map_err(|_| Full)?];
        let mut put = |start: u64, bytes: &[u8]| {
            file[start as usize..][..bytes.len()].copy_from_slice(bytes);
        };
        put(at.sprites, bytemuck::cast_slice(&self.sprites));
        put(at.frames, bytemuck::cast_slice(&self.frames));
        put(at.hot, bytemuck::cast_slice(&self.hot));
        put(at.cold, bytemuck::cast_slice(&self.cold));
        put(at.scales, bytemuck::cast_slice(&self.scales));
        put(at.names, self.names.as_bytes());
        put(at.boards, bytemuck::cast_slice(&self.boards));
        put(at.pool, bytemuck::cast_slice(&self.pool));
        put(0, bytemuck::bytes_of(&header));
        header.records_crc = crc32fast::hash(&file[CHECKED_FROM..at.pool as usize]);
        file[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(&header));
        Ok(file)
    }
}
