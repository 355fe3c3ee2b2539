//! Report data of single sprites: figures, and warnings from frames and settings.
//!
//! Called by `pipeline` for each baked sprite and stored in the cache. Draws nothing except a few
//! poses of thin sprites.

use super::binary::{Digest, digest};
use super::solidify::Frame;
use super::{Report, Settings, SpriteReport, Warning};
use crate::atlas::SourceSprite;
use crate::mask::{Connectivity, Mask};
use crate::pose::{Pose, PoseSet};
use crate::raster::{Pivot, Raster, Sampling};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// The report data of one sprite. It depends on this sprite alone, so a later bake can take it from
/// the cache.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpriteInfo {
    pub(super) frames: usize,
    /// Warnings about this sprite, except those that depend on other sprites.
    pub(super) warnings: Vec<Warning>,
    /// Digest of all pixels and pivots. `None` if no texel is solid.
    pub(super) appearance: Option<Digest>,
    /// Estimated pixels in all poses.
    pub(super) pixels: u64,
    pub(super) baked: SpriteReport,
    /// For each image, the digest of the input that determines its poses.
    pub(super) images: Vec<Digest>,
}

impl SpriteInfo {
    pub(super) fn new(name: &str, frames: usize, found: Findings) -> Self {
        let Findings { warnings, appearance, pixels } = found;
        let baked = SpriteReport { sprite: name.to_owned(), angles: 0, poses: 0, error: 0.0 };
        Self { frames, warnings, appearance, pixels, baked, images: Vec::new() }
    }

    /// Records how the sprite is posed.
    pub(super) fn record_poses(&mut self, sprite: &SourceSprite) {
        self.baked = SpriteReport::of(sprite);
        self.images = sprite.pose_keys().map(|key| digest(&key)).collect();
    }
}

impl Report {
    /// Returns the report on these sprites, in order of their names, in an atlas of `bytes` bytes.
    pub(super) fn of(infos: &[SpriteInfo], bytes: usize) -> Self {
        let mut report = Self { sprites: infos.len(), bytes, ..Self::default() };
        let mut seen_sprites = SeenSprites::default();
        let mut seen = HashSet::new();
        for info in infos {
            let name = &info.baked.sprite;
            let duplicate = seen_sprites.add(name, info.appearance, info.pixels);
            let findings = info.warnings.iter().cloned().chain(duplicate);
            let (hints, warnings): (Vec<_>, Vec<_>) = findings.partition(Warning::is_hint);
            report.warnings.extend(warnings);
            report.hints.extend(hints);
            // Numbers of a cache can be forged.
            report.frames = report.frames.saturating_add(info.frames);
            report.poses = report.poses.saturating_add(info.baked.poses);
            let shared = info.images.iter().filter(|&image| !seen.insert(image)).count();
            report.shared_frames = report.shared_frames.saturating_add(shared);
            report.each.push(info.baked.clone());
        }
        report.largest = seen_sprites.largest();
        report
    }
}

/// Ratio of visible to solid texels from which the alpha threshold causes a warning.
const SENSITIVE_RATIO: f64 = 1.1;

/// A sprite is thin if at least 1 in this many of its texels is in no solid 2 x 2 square.
const THIN_DIVISOR: u64 = 8;

/// Smallest piece whose loss counts, in texels.
const MIN_PIECE_TEXELS: u64 = 8;

/// Returns the warnings about one sprite.
fn sprite_warnings(name: &str, frames: &[Frame], settings: &Settings) -> Vec<Warning> {
    let sprite = || name.to_owned();
    let mut most: Option<(f64, Warning)> = None;
    let (mut broken, mut cut) = (None, None);
    for (frame, of_frame) in frames.iter().enumerate() {
        if of_frame.is_cut {
            cut = Some(Warning::Truncated { sprite: sprite(), frame });
        }
        let Some((_, mask)) = of_frame.planes.first() else { continue };
        let (solid, seen) = (mask.count(), of_frame.visible.unwrap_or(0));
        if solid == 0 {
            continue; // reported as `Warning::Empty`
        }
        let times = seen as f64 / solid as f64;
        if times > most.as_ref().map_or(SENSITIVE_RATIO, |(times, _)| *times) {
            most = Some((times, Warning::Sensitive { sprite: sprite(), frame, seen, solid }));
        }
        if broken.is_none() && breaks_apart(mask, settings) {
            broken = Some(Warning::Thin { sprite: sprite(), frame });
        }
    }
    most.map(|(_, warning)| warning).into_iter().chain(broken).chain(cut).collect()
}

/// Tests whether thin parts of a mask break apart, or most of it is lost. Tries 1/8 and 1/16 of a
/// turn at the smallest scale.
fn breaks_apart(mask: &Mask, settings: &Settings) -> bool {
    let is_thin = thin_pixels(mask) * THIN_DIVISOR >= mask.count();
    if !is_thin || settings.sampling != Sampling::Nearest {
        return false;
    }
    let poses = PoseSet::new(settings.angles, settings.scales.clone());
    let (Ok(poses), Ok(raster)) = (poses, Raster::new(mask, Pivot::Center, Sampling::Nearest))
    else {
        return false;
    };
    let Some(&scale) = poses.scales().first() else { return false };
    let pieces =
        |mask: &Mask, pixels| mask.components(Connectivity::Eight).at_least(pixels).count();
    let area = f64::from(scale) * f64::from(scale);
    let before = pieces(mask, MIN_PIECE_TEXELS);
    let angles = poses.angles();
    let steps = [angles / 8, angles / 16].into_iter().filter(|&step| step > 0);
    // A mask that neither turns nor shrinks is shown unchanged.
    let upright = (scale < 1.0).then_some(0);
    upright.into_iter().chain(steps).any(|step| {
        let Ok(posed) = raster.pose(&poses, Pose { step, scale: 0 }) else { return false };
        let after = pieces(&posed.mask, 1.max((MIN_PIECE_TEXELS as f64 * area / 2.0) as u64));
        after > before || 2.0 * (posed.mask.count() as f64) < area * mask.count() as f64
    })
}

/// Counts the set pixels that are in no 2 x 2 square of set pixels.
fn thin_pixels(mask: &Mask) -> u64 {
    // First the top-left pixels of such squares, then all pixels that the squares cover.
    let mut corners = mask.clone();
    for offset in [[-1, 0], [0, -1], [-1, -1]] {
        corners.intersect(mask, offset);
    }
    let mut covered = corners.clone();
    for offset in [[1, 0], [0, 1], [1, 1]] {
        covered.draw(&corners, offset);
    }
    mask.count() - covered.count()
}

/// The findings from the frames of one sprite.
pub(super) struct Findings {
    pub(super) warnings: Vec<Warning>,
    /// Digest of the pixels and pivots of all frames. `None` if no pixel is set.
    pub(super) appearance: Option<Digest>,
    /// Estimated pixels in all poses.
    pub(super) pixels: u64,
}

/// Examines the frames of one sprite.
pub(super) fn find(name: &str, frames: &[Frame], settings: &Settings) -> Findings {
    let area = |mask: &Mask| u64::from(mask.width()) * u64::from(mask.height());
    let masks = || frames.iter().flat_map(|frame| &frame.planes).map(|(_, mask)| mask);
    let texels: u64 = masks().map(area).sum();
    let scales: f32 = settings.scales.iter().map(|scale| scale * scale).sum();
    let pixels = texels as f64 * f64::from(settings.angles) * f64::from(scales);
    let shown: Vec<_> = frames.iter().map(|frame| (&frame.planes, frame.pivot)).collect();
    let is_empty = masks().all(|mask| mask.count() == 0);
    let appearance = (!is_empty).then(|| digest(&shown));
    Findings {
        warnings: sprite_warnings(name, frames, settings),
        appearance,
        pixels: pixels as u64,
    }
}

/// Data that is collected over all sprites.
#[derive(Default)]
pub(super) struct SeenSprites {
    /// The first sprite with each digest.
    first_by_appearance: HashMap<Digest, String>,
    /// The sprite with the most pixels in all poses, and their number.
    largest: (u64, String),
}

impl SeenSprites {
    /// Adds a sprite. Returns a warning if an earlier sprite has the same pixels in every frame.
    pub(super) fn add(
        &mut self,
        name: &str,
        appearance: Option<Digest>,
        pixels: u64,
    ) -> Option<Warning> {
        if pixels > self.largest.0 {
            self.largest = (pixels, name.to_owned());
        }
        match self.first_by_appearance.entry(appearance?) {
            Entry::Occupied(first) => {
                Some(Warning::Duplicate { sprite: name.to_owned(), of: first.get().clone() })
            }
            Entry::Vacant(entry) => {
                entry.insert(name.to_owned());
                None
            }
        }
    }

    /// Returns the sprite with the most pixels in all poses, estimated.
    pub(super) fn largest(self) -> String {
        self.largest.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(text: &str) -> Mask {
        text.parse().unwrap()
    }

    #[test]
    fn forged_numbers_of_a_cache_saturate_in_the_report() {
        let findings = Findings { warnings: Vec::new(), appearance: None, pixels: u64::MAX };
        let mut info = SpriteInfo::new("a", usize::MAX, findings);
        info.baked.poses = usize::MAX;
        let report = Report::of(&[info.clone(), info], 0);
        assert_eq!((report.frames, report.poses), (usize::MAX, usize::MAX));
    }

    #[test]
    fn thin_counts_pixels_outside_2x2_squares() {
        assert_eq!(thin_pixels(&mask("##..\n##..\n.###")), 3);
        assert_eq!(thin_pixels(&mask("##.\n##.\n.##\n.##")), 0);
        assert_eq!(thin_pixels(&mask("#####")), 5);
        assert_eq!(thin_pixels(&mask("...")), 0);
    }

    #[test]
    fn a_thin_diagonal_line_breaks_when_turned_and_a_thick_one_does_not() {
        let diagonal = |thick: i32| {
            let mut mask = Mask::new(40, 40).unwrap();
            for y in 0..40 {
                for x in 0..40 {
                    mask.set(x, y, (x - y).abs() < thick);
                }
            }
            mask
        };
        let turning = Settings::default();
        let still = Settings { angles: 1, ..Settings::default() };
        assert!(breaks_apart(&diagonal(1), &turning));
        assert!(!breaks_apart(&diagonal(3), &turning));
        assert!(!breaks_apart(&diagonal(1), &still));
        let sampling = Sampling::Coverage25;
        assert!(!breaks_apart(&diagonal(1), &Settings { sampling, ..turning.clone() }));
        // A line along an axis stays whole when it turns. When it shrinks, it falls between two
        // samples.
        let mut line = Mask::new(40, 40).unwrap();
        (0..40).for_each(|x| line.set(x, 20, true));
        assert!(!breaks_apart(&line, &turning));
        assert!(breaks_apart(&line, &Settings { scales: vec![0.25], ..still }));
    }
}
