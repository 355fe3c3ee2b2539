//! What is checked when an atlas opens: every record, so that whatever it says can be followed
//! without a further look. Untrusted numbers are only compared, or added where they cannot
//! overflow.
#![deny(clippy::arithmetic_side_effects)]

use super::error::{AtlasError, Section};
use super::format::*;
use crate::mask::{BLOCK, BoardShape, LEAD, MAX_SIDE, stride_of, words_of};
use crate::pose::{MAX_ANGLES, MAX_SCALE, MIN_SCALE, stored_steps};
use crate::raster::MAX_PIVOT;
use bytemuck::{Pod, Zeroable};

/// The first bytes of the header: enough to tell an atlas of this version from anything else.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Preamble {
    magic: [u8; 8],
    version: u32,
    header_bytes: u32,
    file_bytes: u64,
}

/// Checks the first bytes of a file that is `len` bytes long; gives its length.
pub(crate) fn preamble(start: &[u8], len: u64) -> Result<usize, AtlasError> {
    let given = start.len().min(size_of::<Preamble>());
    let mut preamble = Preamble::zeroed();
    bytemuck::bytes_of_mut(&mut preamble)[..given].copy_from_slice(&start[..given]);
    if preamble.magic != MAGIC {
        return Err(AtlasError::NotAnAtlas { len });
    }
    if given >= 12 && preamble.version != VERSION {
        return Err(AtlasError::Version { found: preamble.version, supported: VERSION });
    }
    if len < size_of::<Header>() as u64 {
        return Err(AtlasError::Length { expected: size_of::<Header>() as u64, got: len });
    }
    if preamble.header_bytes as usize != size_of::<Header>() {
        return Err(header("header_bytes"));
    }
    match usize::try_from(len) {
        Ok(bytes) if preamble.file_bytes == len => Ok(bytes),
        _ => Err(AtlasError::Length { expected: preamble.file_bytes, got: len }),
    }
}

/// Checks everything but the words of the pool; gives the header, whose counts and offsets then
/// lie inside the file.
pub(crate) fn records(bytes: &[u8]) -> Result<Header, AtlasError> {
    preamble(bytes, bytes.len() as u64)?;
    let head: Header = bytemuck::pod_read_unaligned(&bytes[..size_of::<Header>()]);
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
    let got = crc32fast::hash(&bytes[CHECKED_FROM..offsets.pool as usize]);
    if got != head.records_crc {
        let (section, expected) = (Section::Records, head.records_crc);
        return Err(AtlasError::Checksum { section, expected, got });
    }
    if head.pool_words < LEAD || !head.pool_words.is_multiple_of(BLOCK) {
        return Err(header("pool_words"));
    }
    let records = Records::new(bytes, &head);
    check_scales(&records, &head)?;
    check_sprites(&records, &head)?;
    check_poses(&records, &head)?;
    Ok(head)
}

/// The sections of a file whose header has been checked: each is found when it is asked for.
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

    #[inline]
    pub(crate) fn boards(&self) -> &'a [u64] {
        section(self.bytes, self.head.offsets.boards, self.head.board_words)
    }

    #[inline]
    pub(crate) fn pool(&self) -> &'a [u64] {
        section(self.bytes, self.head.offsets.pool, self.head.pool_words)
    }
}

/// `count` records from byte `start`, both of which the header's check has found inside the file.
#[inline]
fn section<T: Pod>(bytes: &[u8], start: u64, count: u32) -> &[T] {
    let len = (count as usize).saturating_mul(size_of::<T>());
    bytemuck::cast_slice(&bytes[start as usize..][..len])
}

fn header(field: &'static str) -> AtlasError {
    AtlasError::Corrupt { section: Section::Header, index: 0, field, offset: 0 }
}

/// The error for a field of record `index` in a section of records of `size` bytes.
fn corrupt(
    section: Section,
    start: u64,
    index: usize,
    size: usize,
    field: &'static str,
) -> AtlasError {
    let offset = start.saturating_add((index as u64).saturating_mul(size as u64));
    AtlasError::Corrupt { section, index: index as u32, field, offset }
}

/// The half-open range of `count` from `start`, if it lies within `len`.
fn range(start: u32, count: u32, len: usize) -> Option<std::ops::Range<usize>> {
    let end = start.checked_add(count)?;
    (end as usize <= len).then_some(start as usize..end as usize)
}

fn check_scales(records: &Records<'_>, head: &Header) -> Result<(), AtlasError> {
    match records.scales().iter().position(|s| !(MIN_SCALE..=MAX_SCALE).contains(s)) {
        None => Ok(()),
        Some(i) => Err(corrupt(Section::Scales, head.offsets.scales, i, size_of::<f32>(), "scale")),
    }
}

fn check_sprites(records: &Records<'_>, head: &Header) -> Result<(), AtlasError> {
    let mut next_frame = 0_u32;
    let mut last_name: Option<&str> = None;
    for (i, sprite) in records.sprites().iter().enumerate() {
        let bad = |field| {
            let size = size_of::<SpriteRecord>();
            Err(corrupt(Section::Sprites, head.offsets.sprites, i, size, field))
        };
        let name = range(sprite.name_start, sprite.name_bytes, records.names().len())
            .and_then(|range| str::from_utf8(records.names().get(range)?).ok());
        match name {
            // Ascending names, so that a name is found by bisection, and once.
            Some(name) if !name.is_empty() && last_name.is_none_or(|last| last < name) => {
                last_name = Some(name);
            }
            _ => return bad("name"),
        }
        let angles = sprite.angles;
        if angles == 0 || angles > MAX_ANGLES || (angles != 1 && !angles.is_multiple_of(4)) {
            return bad("angles");
        }
        let scales = range(sprite.first_scale, sprite.scales, records.scales().len())
            .and_then(|range| records.scales().get(range));
        match scales {
            Some(scales) if !scales.is_empty() && scales.is_sorted_by(|a, b| a < b) => {}
            _ => return bad("scales"),
        }
        if rule_from_bytes(sprite.rule, sprite.rule_value).is_none() {
            return bad("rule");
        }
        if sampling_from_byte(sprite.sampling).is_none() {
            return bad("sampling");
        }
        if sprite.reserved != 0 {
            return bad("reserved");
        }
        if sprite.frames == 0 || sprite.first_frame != next_frame {
            return bad("frames");
        }
        let Some(frames) = range(sprite.first_frame, sprite.frames, records.frames().len()) else {
            return bad("frames");
        };
        next_frame = frames.end as u32;
        let poses = u64::from(stored_steps(angles)).saturating_mul(u64::from(sprite.scales));
        for i in frames {
            check_frame(records, head, i, poses)?;
        }
    }
    if next_frame == head.frames { Ok(()) } else { Err(header("frames")) }
}

fn check_frame(
    records: &Records<'_>,
    head: &Header,
    i: usize,
    poses: u64,
) -> Result<(), AtlasError> {
    let frame = records.frames()[i];
    let bad = |field| {
        Err(corrupt(Section::Frames, head.offsets.frames, i, size_of::<FrameRecord>(), field))
    };
    let within = -MAX_PIVOT..=MAX_PIVOT;
    let [px2, py2] = frame.pivot;
    if !within.contains(&px2) || !within.contains(&py2) || (px2 ^ py2) & 1 != 0 {
        return bad("pivot");
    }
    if frame.width > MAX_SIDE || frame.height > MAX_SIDE {
        return bad("size");
    }
    if u64::from(frame.first_pose).saturating_add(poses) > u64::from(head.poses) {
        return bad("first_pose");
    }
    Ok(())
}

fn check_poses(records: &Records<'_>, head: &Header) -> Result<(), AtlasError> {
    for (i, (hot, cold)) in records.hot().iter().zip(records.cold()).enumerate() {
        let bad =
            |field| Err(corrupt(Section::Poses, head.offsets.hot, i, size_of::<HotPose>(), field));
        let (width, height) = (hot.width(), hot.height());
        if width == 0 || height == 0 {
            if *hot != HotPose::default() || *cold != ColdPose::default() {
                return bad("size");
            }
            continue;
        }
        if width > MAX_SIDE || height > MAX_SIDE {
            return bad("size");
        }
        if hot.stride != stride_of(height) {
            return bad("stride");
        }
        let end = u64::from(hot.words).saturating_add(u64::from(words_of(width, height)));
        if hot.words < LEAD || !hot.words.is_multiple_of(BLOCK) || end > u64::from(head.pool_words)
        {
            return bad("words");
        }
        // Two boards, each below 2^22 words for the largest mask.
        let boards =
            BoardShape::of(width, height).map_or(0, |s| u64::from(s.words()).saturating_mul(2));
        let end = u64::from(hot.boards).saturating_add(boards);
        if (boards == 0 && hot.boards != 0) || end > u64::from(head.board_words) {
            return bad("boards");
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
