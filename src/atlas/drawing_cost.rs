//! The cost of drawing a compact atlas, computed from its records alone.
//!
//! Called before the poses of a compact atlas are drawn. Invariants: nothing is drawn, and the time
//! is proportional to the records and to at most the limit on poses.

#![deny(clippy::arithmetic_side_effects)]

use super::error::FileError;
use super::format::{ColdPose, Header, HotPose, SECTION_ALIGN, SpriteRecord, sampling_from_byte};
use super::options::{AtlasOptions, DrawingCost};
use super::undrawn::from_corner;
use super::validate::Records;
use crate::mask::{LEVEL_SIDE, LevelShape, MAX_SIDE, words_of};
use crate::pose::stored_steps;
use crate::raster::Sampling;
use std::collections::HashSet;
use std::f64::consts::FRAC_PI_2;

/// Largest number of parts of a quarter turn whose poses are bounded one by one. More steps are
/// bounded in groups, at most 5% above the largest of a group.
const MAX_PARTS: u32 = 32;

/// Pixels by which a pose may exceed the exact sides of the turned box.
const ROUNDING: f64 = 2.0;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PoseSettings {
    angles: u32,
    first_scale: u32,
    scales: u32,
    sampling: u8,
}

/// Fails if drawing the sprites of all compact `files` may exceed a limit.
pub(crate) fn check<'a>(
    files: impl Iterator<Item = Records<'a>>,
    options: &AtlasOptions,
) -> Result<(), FileError> {
    let (mut poses, mut bytes, mut images) = (0_u64, 0_u64, Vec::new());
    for records in files {
        bytes = bytes.saturating_add(fixed_bytes(&records));
        let mut known = HashSet::new();
        for sprite in records.sprites() {
            let &SpriteRecord { angles, first_scale, scales, sampling, .. } = sprite;
            let settings = PoseSettings { angles, first_scale, scales, sampling };
            for frame in records.frames_of(sprite) {
                let at = frame.first_pose as usize;
                let (HotPose { words, size, .. }, ColdPose { origin, .. }) =
                    (records.hot()[at], records.cold()[at]);
                let pivot = from_corner(frame.pivot, origin);
                if known.insert((words, size.0, pivot, settings)) {
                    poses = poses.saturating_add(sprite.poses_each());
                    images.push((records, [size.width(), size.height()], settings));
                }
            }
        }
    }
    compare(DrawingCost::Poses, poses, options.max_poses)?;
    let mut samples = 0_u64;
    for (records, size, settings) in images {
        let scales = &records.scales()[settings.first_scale as usize..][..settings.scales as usize];
        for scale in scales {
            let scale = f64::from(scale * records.resolution().value());
            let (of_bytes, of_samples) = poses_of(size, scale, settings);
            bytes = bytes.saturating_add(of_bytes);
            samples = samples.saturating_add(of_samples);
        }
    }
    compare(DrawingCost::Bytes, bytes, options.max_bytes)?;
    compare(DrawingCost::Samples, samples, options.max_samples)
}

/// Returns the bytes of all sections that do not depend on the poses.
fn fixed_bytes(records: &Records<'_>) -> u64 {
    // The header, the first words of the pool, and the gaps between the sections.
    const HEADER_AND_GAPS: usize = size_of::<Header>() + 10 * SECTION_ALIGN as usize;
    let sections = [
        size_of_val(records.sprites()),
        size_of_val(records.frames()),
        size_of_val(records.scales()),
        records.names().len(),
    ];
    sections.into_iter().fold(HEADER_AND_GAPS, usize::saturating_add) as u64
}

fn compare(cost: DrawingCost, needed: u64, limit: u64) -> Result<(), FileError> {
    if needed > limit { Err(FileError::OverLimit { cost, needed, limit }) } else { Ok(()) }
}

/// Returns upper bounds for the bytes and the samples of a source at one scale and every step.
fn poses_of([w, h]: [u32; 2], scale: f64, settings: PoseSettings) -> (u64, u64) {
    const RECORD: u64 = (size_of::<HotPose>() + size_of::<ColdPose>()) as u64;
    let steps = u64::from(stored_steps(settings.angles));
    if w == 0 {
        return (RECORD.saturating_mul(steps), 0);
    }
    let [w, h] = [w, h].map(|side| f64::from(side) * scale);
    let side = |exact: f64| ((exact + ROUNDING).ceil() as u32).min(MAX_SIDE);
    let bytes = |w: u32, h: u32| {
        let levels = u64::from(LevelShape::words_before(w, h, LEVEL_SIDE));
        let words = levels.saturating_add(words_of(w, h).into());
        words.saturating_mul(8).saturating_add(RECORD)
    };
    let samples_each = match sampling_from_byte(settings.sampling) {
        Some(Sampling::Coverage25) => 16,
        _ => 1,
    };
    // A sprite without rotation stores two upright poses. Of others a quarter turn is drawn, and
    // the other three quarters have the same sides or swapped ones.
    let drawn = (settings.angles / 4).max(1);
    let parts = drawn.min(MAX_PARTS);
    let (mut all_bytes, mut all_samples) = (0_u64, 0_u64);
    for part in 0..parts {
        // Steps first..end, of which the last is turned by less than a quarter.
        let [first, end] = [part, part.saturating_add(1)].map(|part| {
            let steps = u64::from(drawn).saturating_mul(part.into());
            steps.checked_div(parts.into()).unwrap_or(steps)
        });
        let angle = |step: u64| FRAC_PI_2 * step as f64 / f64::from(drawn);
        let (low, high) = (angle(first), angle(end.saturating_sub(1)));
        let width = side(w * low.cos() + h * high.sin());
        let height = side(w * high.sin() + h * low.cos());
        let count = end.saturating_sub(first);
        let pixels = u64::from(width).saturating_mul(height.into());
        let samples = pixels.saturating_mul(samples_each).saturating_mul(count);
        all_samples = all_samples.saturating_add(samples);
        let swapped = if steps == 2 { 0 } else { bytes(height, width) };
        let each = bytes(width, height).saturating_add(swapped);
        all_bytes = all_bytes.saturating_add(each.saturating_mul(count).saturating_mul(2));
    }
    (all_bytes, all_samples)
}
