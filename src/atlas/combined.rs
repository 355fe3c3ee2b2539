//! Several atlases as one, whose poses are drawn on demand.
//!
//! Made by `world` for several atlases. The sprites of all are in one list, in the order of the
//! atlases, and so are the poses. A combined atlas has no masks: each pose comes from the atlas that
//! it belongs to, which stores or draws it.
//!
//! Invariant: the sprites have no names, and are found by their indices only.

#![deny(clippy::arithmetic_side_effects)]

use super::Atlas;
use super::aligned_bytes::Bytes;
use super::atlas::AtlasPart;
use super::format::*;
use super::undrawn::PoseNumbers;
use super::validate::Records;

impl Atlas {
    /// Returns the combined atlas of atlases of one resolution; `None` if it is too large.
    pub(crate) fn combined(atlases: &[&Self]) -> Option<Self> {
        let (mut parts, mut numbers, mut poses) = (Vec::new(), Vec::new(), 0_u64);
        for &atlas in atlases {
            let first_pose = u32::try_from(poses).ok()?;
            let (firsts, end) = atlas.pose_numbers();
            numbers.extend(firsts.into_iter().map(|number| first_pose.wrapping_add(number)));
            poses = poses.saturating_add(end);
            parts.push(AtlasPart { first_pose, atlas: atlas.clone() });
        }
        if poses > MAX_POSES {
            return None;
        }
        let records: Vec<Records<'_>> = atlases.iter().map(|atlas| atlas.records()).collect();
        let total = |count: fn(&Records<'_>) -> usize| {
            u32::try_from(records.iter().map(count).sum::<usize>()).ok()
        };
        let mut head = Header {
            magic: MAGIC,
            version: VERSION,
            header_bytes: size_of::<Header>() as u32,
            kind: KIND_COMPACT,
            sprites: total(|part| part.sprites().len())?,
            frames: total(|part| part.frames().len())?,
            scales: total(|part| part.scales().len())?,
            resolution: records.first()?.resolution().log2(),
            level_side: NO_LEVELS,
            ..Header::default()
        };
        (head.offsets, head.file_bytes) = head.layout();
        let len = usize::try_from(head.file_bytes).ok()?;
        let bytes = Bytes::filled_by(len, |bytes| fill(bytes, &head, &records));
        let are_huge = atlases.iter().any(|atlas| atlas.has_huge_poses());
        let numbers = PoseNumbers::new(numbers, are_huge);
        Some(Self::of_parts(bytes, head, numbers, parts))
    }

    /// Returns the number of the first pose of each frame record, and the end of all numbers.
    fn pose_numbers(&self) -> (Vec<u32>, u64) {
        let records = self.records();
        let (mut firsts, mut end) = (Vec::with_capacity(records.frames().len()), 0_u64);
        for sprite in records.sprites() {
            let each = sprite.poses_each();
            // Records that have been checked: all frames have numbers of 32 bits.
            let after =
                sprite.first_frame.saturating_add(sprite.frames.saturating_mul(sprite.planes()));
            for frame in sprite.first_frame..after {
                let first = self.first_pose(frame as usize);
                firsts.push(first);
                end = end.max(each.saturating_add(first.into()));
            }
        }
        (firsts, end)
    }
}

/// Writes the header and the records of sprites, frames and scales.
fn fill(bytes: &mut [u8], head: &Header, parts: &[Records<'_>]) {
    bytes[..size_of::<Header>()].copy_from_slice(bytemuck::bytes_of(head));
    let Offsets { sprites, frames, scales, .. } = head.offsets;
    let mut ends = [sprites, frames, scales].map(|start| start as usize);
    let mut put = |section: usize, data: &[u8]| {
        bytes[ends[section]..][..data.len()].copy_from_slice(data);
        ends[section] = ends[section].saturating_add(data.len());
    };
    // The totals have 32 bits.
    let (mut first_frame, mut first_scale) = (0_u32, 0_u32);
    for part in parts {
        for sprite in part.sprites() {
            let sprite = SpriteRecord {
                name_start: 0,
                name_bytes: 0,
                first_frame: first_frame.saturating_add(sprite.first_frame),
                first_scale: first_scale.saturating_add(sprite.first_scale),
                ..*sprite
            };
            put(0, bytemuck::bytes_of(&sprite));
        }
        put(1, bytemuck::cast_slice(part.frames()));
        put(2, bytemuck::cast_slice(part.scales()));
        first_frame = first_frame.saturating_add(part.frames().len() as u32);
        first_scale = first_scale.saturating_add(part.scales().len() as u32);
    }
}
