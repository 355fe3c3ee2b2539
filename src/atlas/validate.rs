//! Checks every record when an atlas opens.
//!
//! [`preamble`] checks the first bytes of a file before the rest is read. Invariants: after
//! [`records`], every index and range in the records can be followed without a check. Untrusted
//! numbers are only compared, or added where they cannot overflow.

#![deny(clippy::arithmetic_side_effects)]

use super::error::{FileError, Section};
use super::format::*;
use super::map::{self, Map};
use crate::mask::{BLOCK, LEAD, MAX_FRAME_SIDE, MAX_SIDE, stride_of, words_of};
use crate::pose::{MAX_ANGLES, MAX_SCALE, MIN_SCALE, Resolution};
use crate::raster::MAX_PIVOT;
use bytemuck::Pod;
use std::mem::offset_of;

/// Checks the first bytes of a file of `len` bytes. Returns the length that they state.
pub(crate) fn preamble(start: &[u8], len: u64) -> Result<usize, FileError> {
    let head = Header::read(start);
    if head.magic == SHARD_MAGIC {
        return Err(FileError::Shard);
    }
    if head.magic != MAGIC {
        return Err(FileError::NotAnAtlas { len });
    }
    // Without its version the file is shorter than a header.
    if start.len() >= offset_of!(Header, header_bytes) && head.version != VERSION {
        return Err(FileError::Version {
            section: Section::Header,
            found: head.version,
            supported: VERSION,
        });
    }
    let header_bytes = size_of::<Header>();
    if len < header_bytes as u64 {
        return Err(FileError::Length { expected: header_bytes as u64, got: len });
    }
    if head.header_bytes as usize != header_bytes {
        return Err(header("header_bytes"));
    }
    match usize::try_from(len) {
        Ok(bytes) if head.file_bytes == len => Ok(bytes),
        _ => Err(FileError::Length { expected: head.file_bytes, got: len }),
    }
}

pub(super) fn header(field: &'static str) -> FileError {
    FileError::Corrupt { section: Section::Header, index: 0, field, offset: 0 }
}

/// Checks everything but the pool. All counts and offsets of the header are then in the file.
pub(crate) fn records(bytes: &[u8]) -> Result<Header, FileError> {
    records_of(bytes, bytes.len() as u64)
}

/// Does the same for the first bytes of a file of `len` bytes, which end at its pool or later.
pub(super) fn records_of(bytes: &[u8], len: u64) -> Result<Header, FileError> {
    preamble(bytes, len)?;
    let head = Header::read(bytes);
    let (offsets, file_bytes) = head.layout();
    if file_bytes != head.file_bytes {
        return Err(header("counts"));
    }
    if offsets != head.offsets {
        return Err(header("offsets"));
    }
    if head.reserved != 0 {
        return Err(header("reserved"));
    }
    let checked = bytes.get(CHECKED_FROM..offsets.pool as usize);
    let checked = checked.ok_or_else(|| header("offsets"))?;
    checksum(Section::Records, checked, head.records_crc)?;
    if head.pool_words < LEAD || !head.pool_words.is_multiple_of(BLOCK) {
        return Err(header("pool_words"));
    }
    if head.kind != KIND_FULL && head.kind != KIND_COMPACT {
        return Err(header("kind"));
    }
    if head.kind == KIND_FULL && head.full_bytes != head.file_bytes {
        return Err(header("full_bytes"));
    }
    // The source masks of a compact atlas have no levels.
    if head.level_side == 0 || (head.kind == KIND_COMPACT && head.level_side != NO_LEVELS) {
        return Err(header("level_side"));
    }
    if head.kind == KIND_FULL && head.packed_crc != 0 {
        return Err(header("packed_crc"));
    }
    if (head.kind == KIND_COMPACT) != (head.full_id != 0) {
        return Err(header("full_id"));
    }
    if head.spare != [0; 9] {
        return Err(header("spare"));
    }
    let records = Records::new(bytes, &head);
    check_scales(&records, &head)?;
    check_sprites(&records, &head)?;
    check_poses(&records, &head)?;
    let maps = map::decode(records.map_bytes());
    maps.map(|_| head).map_err(|(index, field, at)| {
        let offset = head.offsets.maps.saturating_add(at as u64);
        FileError::Corrupt { section: Section::Maps, index: index as u32, field, offset }
    })
}

/// The sections of a file whose header has been checked, sliced on demand.
#[derive(Clone, Copy)]
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    head: &'a Header,
}

impl<'a> Records<'a> {
    pub(crate) const fn new(bytes: &'a [u8], head: &'a Header) -> Self {
        Self { bytes, head }
    }

    #[inline]
    pub(crate) fn resolution(&self) -> Resolution {
        checked(Resolution::from_log2(self.head.resolution))
    }

    #[inline]
    pub(crate) fn sprites(&self) -> &'a [SpriteRecord] {
        section(self.bytes, self.head.offsets.sprites, self.head.sprites)
    }

    #[inline]
    pub(crate) fn frames(&self) -> &'a [FrameRecord] {
        section(self.bytes, self.head.offsets.frames, self.head.frames)
    }

    #[inline]
    pub(crate) fn hot(&self) -> &'a [HotPose] {
        section(self.bytes, self.head.offsets.hot, self.head.poses)
    }

    #[inline]
    pub(crate) fn cold(&self) -> &'a [ColdPose] {
        section(self.bytes, self.head.offsets.cold, self.head.poses)
    }

    #[inline]
    pub(crate) fn scales(&self) -> &'a [f32] {
        section(self.bytes, self.head.offsets.scales, self.head.scales)
    }

    #[inline]
    pub(crate) fn names(&self) -> &'a [u8] {
        section(self.bytes, self.head.offsets.names, self.head.name_bytes)
    }

    fn map_bytes(&self) -> &'a [u8] {
        let len = (self.head.map_words as usize).saturating_mul(size_of::<u64>());
        &self.bytes[self.head.offsets.maps as usize..][..len]
    }

    /// Returns the maps, without the atlas that they are of.
    pub(super) fn maps(&self) -> Vec<Map> {
        checked(map::decode(self.map_bytes()).ok())
    }

    #[inline]
    pub(crate) const fn level_side(&self) -> u32 {
        self.head.level_side
    }

    #[inline]
    pub(crate) fn pool(&self) -> &'a [u64] {
        section(self.bytes, self.head.offsets.pool, self.head.pool_words)
    }
}

/// Returns `count` records from byte `start`, all inside the file.
#[inline]
fn section<T: Pod>(bytes: &[u8], start: u64, count: u32) -> &[T] {
    let len = (count as usize).saturating_mul(size_of::<T>());
    bytemuck::cast_slice(&bytes[start as usize..][..len])
}

pub(super) fn checksum(section: Section, bytes: &[u8], expected: u32) -> Result<(), FileError> {
    match crc32fast::hash(bytes) {
        got if got == expected => Ok(()),
        got => Err(FileError::Checksum { section, expected, got }),
    }
}

/// Compares the pool with its checksum. The records must have been checked.
pub(super) fn pool(bytes: &[u8], head: &Header) -> Result<(), FileError> {
    checksum(Section::Pool, &bytes[head.offsets.pool as usize..], head.pool_crc)
}

/// Returns the error for a field of record `index`, in a section of records of `size` bytes.
fn corrupt(
    section: Section,
    start: u64,
    index: usize,
    size: usize,
    field: &'static str,
) -> FileError {
    let offset = start.saturating_add((index as u64).saturating_mul(size as u64));
    FileError::Corrupt { section, index: index as u32, field, offset }
}

/// Returns the half-open range of `count` elements from `start`, or `None` if it exceeds `len`.
fn range(start: u32, count: u32, len: usize) -> Option<std::ops::Range<usize>> {
    let end = start.checked_add(count)?;
    (end as usize <= len).then_some(start as usize..end as usize)
}

fn check_scales(records: &Records<'_>, head: &Header) -> Result<(), FileError> {
    let Some(resolution) = Resolution::from_log2(head.resolution) else {
        return Err(header("resolution"));
    };
    let is_good = |s: f32| {
        let range = MIN_SCALE..=MAX_SCALE;
        range.contains(&s) && range.contains(&(s * resolution.value()))
    };
    match records.scales().iter().position(|&s| !is_good(s)) {
        None => Ok(()),
        Some(i) => Err(corrupt(Section::Scales, head.offsets.scales, i, size_of::<f32>(), "scale")),
    }
}

fn check_sprites(records: &Records<'_>, head: &Header) -> Result<(), FileError> {
    let mut next_frame = 0_u32;
    let mut last_name: Option<&str> = None;
    // Names and scale lists are checked in time linear in the file, even if sprites share scales.
    let (mut next_name, scales) = (0_u64, records.scales());
    let falls = |i: &usize| scales.get(i.saturating_sub(1)) >= scales.get(*i);
    let falls: Vec<usize> = (1..scales.len()).filter(falls).collect();
    for (i, sprite) in records.sprites().iter().enumerate() {
        let bad = |field| {
            let size = size_of::<SpriteRecord>();
            Err(corrupt(Section::Sprites, head.offsets.sprites, i, size, field))
        };
        let name = range(sprite.name_start, sprite.name_bytes, records.names().len())
            .and_then(|range| str::from_utf8(records.names().get(range)?).ok());
        match name {
            // Names ascend strictly: lookups use binary search, and no name occurs twice.
            // No two names overlap, so that all of them are at most as long as their section.
            Some(name)
                if !name.is_empty()
                    && u64::from(sprite.name_start) >= next_name
                    && last_name.is_none_or(|last| last < name) =>
            {
                last_name = Some(name);
            }
            _ => return bad("name"),
        }
        let angles = sprite.angles;
        if angles > MAX_ANGLES || (angles != 1 && !angles.is_multiple_of(4)) {
            return bad("angles");
        }
        // The first scale may be below the one before it, which belongs to another list.
        let ascends = |range: &std::ops::Range<usize>| {
            let later = falls.partition_point(|&fall| fall <= range.start);
            falls.get(later).is_none_or(|&fall| fall >= range.end)
        };
        match range(sprite.first_scale, sprite.scales, scales.len()) {
            Some(range) if !range.is_empty() && ascends(&range) => {}
            _ => return bad("scales"),
        }
        if rule_from_bytes(sprite.rule, sprite.rule_value).is_none() {
            return bad("rule");
        }
        if sampling_from_byte(sprite.sampling).is_none() {
            return bad("sampling");
        }
        let Some(rest) = rest_of_names(records, sprite) else {
            return bad("planes");
        };
        next_name = (records.names().len() as u64).saturating_sub(rest as u64);
        if sprite.frames == 0 || sprite.first_frame != next_frame {
            return bad("frames");
        }
        // One record for each plane of each frame.
        let Some(frames) = sprite
            .frames
            .checked_mul(sprite.planes())
            .and_then(|count| range(sprite.first_frame, count, records.frames().len()))
        else {
            return bad("frames");
        };
        let planes = sprite.planes() as usize;
        next_frame = frames.end as u32;
        let poses = match head.kind {
            KIND_FULL => sprite.poses_each(),
            _ => 1,
        };
        for i in frames.clone() {
            check_frame(records, head, i, poses)?;
        }
        // The planes of a frame belong to one image, so size and pivot are equal.
        let place = |f: &FrameRecord| (f.pivot, f.width, f.height);
        let all = checked(records.frames().get(frames.clone()));
        let differs = |f: &[FrameRecord]| f.windows(2).any(|two| place(&two[0]) != place(&two[1]));
        if let Some(i) = all.chunks_exact(planes).position(differs) {
            let (start, size) = (head.offsets.frames, size_of::<FrameRecord>());
            let first = frames.start.saturating_add(i.saturating_mul(planes));
            return Err(corrupt(Section::Frames, start, first, size, "planes"));
        }
    }
    if next_frame == head.frames { Ok(()) } else { Err(header("frames")) }
}

fn check_frame(
    records: &Records<'_>,
    head: &Header,
    i: usize,
    poses: u64,
) -> Result<(), FileError> {
    let frame = records.frames()[i];
    let bad = |field| {
        Err(corrupt(Section::Frames, head.offsets.frames, i, size_of::<FrameRecord>(), field))
    };
    let within = -MAX_PIVOT..=MAX_PIVOT;
    let [px2, py2] = frame.pivot;
    if !within.contains(&px2) || !within.contains(&py2) {
        return bad("pivot");
    }
    if frame.width > MAX_FRAME_SIDE || frame.height > MAX_FRAME_SIDE {
        return bad("size");
    }
    if u64::from(frame.first_pose).saturating_add(poses) > u64::from(head.poses) {
        return bad("first_pose");
    }
    Ok(())
}

/// Returns the bytes after the plane names of a sprite; `None` unless the names are valid.
fn rest_of_names(records: &Records<'_>, sprite: &SpriteRecord) -> Option<usize> {
    let mut rest = plane_names(records.names(), sprite);
    let mut seen: Vec<&str> = Vec::with_capacity(sprite.named_planes.into());
    for _ in 0..sprite.named_planes {
        match next_plane_name(&mut rest) {
            Some(name) if !name.is_empty() && !seen.contains(&name) => seen.push(name),
            _ => return None,
        }
    }
    Some(rest.len())
}

/// Returns the name bytes from the first plane name of a sprite on.
pub(crate) fn plane_names<'a>(names: &'a [u8], sprite: &SpriteRecord) -> &'a [u8] {
    let start = u64::from(sprite.name_start).saturating_add(sprite.name_bytes.into());
    usize::try_from(start).ok().and_then(|start| names.get(start..)).unwrap_or_default()
}

/// Splits one length-prefixed name off the start of `rest`. Returns `None` if there is none.
pub(crate) fn next_plane_name<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    let (&len, after) = rest.split_first()?;
    let (name, after) = after.split_at_checked(len.into())?;
    *rest = after;
    str::from_utf8(name).ok()
}

fn check_poses(records: &Records<'_>, head: &Header) -> Result<(), FileError> {
    for (i, (hot, cold)) in records.hot().iter().zip(records.cold()).enumerate() {
        let bad =
            |field| Err(corrupt(Section::Poses, head.offsets.hot, i, size_of::<HotPose>(), field));
        let (width, height) = (hot.size.width(), hot.size.height());
        if width == 0 || height == 0 {
            if *hot != HotPose::default() || *cold != ColdPose::default() {
                return bad("size");
            }
            continue;
        }
        if width > MAX_SIDE || height > MAX_SIDE || hot.size.flip_bit() != 0 {
            return bad("size");
        }
        if hot.stride != stride_of(height) {
            return bad("stride");
        }
        let end = u64::from(hot.words).saturating_add(u64::from(words_of(width, height)));
        let before = LEAD.saturating_add(hot.level_words(head.level_side));
        if hot.words < before
            || !hot.words.is_multiple_of(BLOCK)
            || end > u64::from(head.pool_words)
        {
            return bad("words");
        }
        if hot.unused != 0 {
            return bad("unused");
        }
        let within = -MAX_ORIGIN..=MAX_ORIGIN;
        if !cold.origin.iter().all(|v| within.contains(v)) {
            return bad("origin");
        }
        let pixels = u64::from(width).saturating_mul(u64::from(height));
        if cold.area == 0 || u64::from(cold.area) > pixels {
            return bad("area");
        }
    }
    Ok(())
}
