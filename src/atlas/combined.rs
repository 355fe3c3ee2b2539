//! Several atlases as one: the sprites of all in one list, in the order of the atlases.
//!
//! Called by `world`, which reads the poses of one atlas only. Invariant: the names do not ascend,
//! so a sprite of a combined atlas is found by its index only.

use super::Atlas;
use super::aligned_bytes::Bytes;
use super::format::*;
use super::validate::Records;

impl Atlas {
    /// Returns the combined atlas of drawn atlases of one resolution; `None` if it is too large.
    pub(crate) fn combined(atlases: &[&Self]) -> Option<Self> {
        let drawn: Vec<Self> =
            atlases.iter().map(|atlas| atlas.drawn()).collect::<Result<_, _>>().ok()?;
        let parts: Vec<Records<'_>> = drawn.iter().map(Self::records).collect();
        let first = parts.first()?;
        let total = |count: fn(&Records<'_>) -> usize| {
            u32::try_from(parts.iter().map(count).sum::<usize>()).ok()
        };
        let mut head = Header {
            magic: MAGIC,
            version: VERSION,
            header_bytes: size_of::<Header>() as u32,
            sprites: total(|part| part.sprites().len())?,
            frames: total(|part| part.frames().len())?,
            poses: total(|part| part.hot().len())?,
            scales: total(|part| part.scales().len())?,
            name_bytes: total(|part| part.names().len())?,
            pool_words: total(|part| part.pool().len())?,
            resolution: first.resolution().log2(),
            level_side: parts.iter().map(Records::level_side).max()?,
            ..Header::default()
        };
        (head.offsets, head.file_bytes) = head.layout();
        head.full_bytes = head.file_bytes;
        let len = usize::try_from(head.file_bytes).ok()?;
        let bytes = Bytes::filled_by(len, |bytes| fill(bytes, &head, &parts));
        Some(Self::of_records(bytes, head))
    }
}

/// Writes the sections.
fn fill(bytes: &mut [u8], head: &Header, parts: &[Records<'_>]) {
    bytes[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(head));
    let Offsets { sprites, frames, hot, cold, scales, names, pool, .. } = head.offsets;
    let mut ends = [sprites, frames, hot, cold, scales, names, pool].map(|start| start as usize);
    let mut put = |section: usize, data: &[u8]| {
        bytes[ends[section]..][..data.len()].copy_from_slice(data);
        ends[section] += data.len();
    };
    let mut base = Header::default();
    for part in parts {
        for sprite in part.sprites() {
            let sprite = SpriteRecord {
                name_start: base.name_bytes + sprite.name_start,
                first_frame: base.frames + sprite.first_frame,
                first_scale: base.scales + sprite.first_scale,
                ..*sprite
            };
            put(0, bytemuck::bytes_of(&sprite));
        }
        for frame in part.frames() {
            let frame = FrameRecord { first_pose: base.poses + frame.first_pose, ..*frame };
            put(1, bytemuck::bytes_of(&frame));
        }
        for pose in part.hot() {
            let words = if pose.size.is_empty() { 0 } else { base.pool_words + pose.words };
            put(2, bytemuck::bytes_of(&HotPose { words, ..*pose }));
        }
        put(3, bytemuck::cast_slice(part.cold()));
        put(4, bytemuck::cast_slice(part.scales()));
        put(5, part.names());
        put(6, bytemuck::cast_slice(part.pool()));
        base.name_bytes += part.names().len() as u32;
        base.frames += part.frames().len() as u32;
        base.scales += part.scales().len() as u32;
        base.poses += part.hot().len() as u32;
        base.pool_words += part.pool().len() as u32;
    }
}
