//! Report data of single sprites: figures, and warnings from frames and settings. Their sum is the
//! [`BuildReport`].
//!
//! Called by `AtlasBuilder`, and by bakers through [`baking`](crate::baking), which may keep the data
//! of unchanged sprites. Draws nothing except a few poses of thin sprites.

use super::{Frame, Settings, Warning, angle_steps};
use crate::atlas::{SourceSprite, digest};
use crate::mask::{Connectivity, Mask};
use crate::pose::{Pose, PoseSet};
use crate::raster::{Pivot, Raster, Sampling};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// What an atlas holds, and probable mistakes in its sprites.
///
/// ```
/// use hitmask::{AtlasBuilder, Mask};
/// let blank: Mask = "..".parse()?;
/// let (bytes, report) = AtlasBuilder::new().mask("a", blank).build()?;
/// assert_eq!(bytes.len(), report.bytes);
/// assert_eq!(report.warnings[0].to_string(), "a, frame 0: no texel is solid, so it touches nothing");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BuildReport {
    /// Number of frames of all sprites together.
    pub frames: usize,
    /// Number of frames that share the poses of an earlier frame with equal pixels and settings.
    pub shared_frames: usize,
    /// Number of poses: frames times planes times angle steps times scales.
    pub poses: usize,
    /// Size of the atlas in bytes.
    pub bytes: usize,
    /// One entry per sprite, in order of their names.
    pub each: Vec<SpriteReport>,
    /// Probable mistakes in the sprites, in order of their names.
    pub warnings: Vec<Warning>,
    /// Findings that are rarely mistakes, in the same order: those with
    /// [`Warning::is_hint`]. Look at them if a sprite collides other than expected.
    pub hints: Vec<Warning>,
    /// The name of the sprite with the largest masks, estimated.
    pub largest: String,
}

/// The report on one sprite. [`BuildReport::each`] lists them.
///
/// ```
/// use hitmask::BuildReport;
/// fn worst(report: &BuildReport) -> Option<&str> {
///     let worst = report.each.iter().max_by(|a, b| a.error.total_cmp(&b.error))?;
///     Some(&worst.sprite)
/// }
/// assert_eq!(worst(&BuildReport::default()), None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteReport {
    /// The name of the sprite.
    pub sprite: String,
    /// Angle steps in a full turn.
    pub angles: u32,
    /// Number of poses: frames times planes times angle steps times scales.
    pub poses: usize,
    /// Largest distance of a pixel from its exactly rotated position, in pixels. 0 for a sprite
    /// that does not turn.
    pub error: f32,
}

impl SpriteReport {
    fn of(sprite: &SourceSprite) -> Self {
        let (angles, scales) = (sprite.poses.angles(), sprite.poses.scales().len());
        Self {
            sprite: sprite.name.clone(),
            angles,
            poses: sprite.images.len() * angles as usize * scales,
            error: angle_steps::error(angle_steps::radius(sprite), angles) as f32,
        }
    }

    /// Returns a warning if the error exceeds [`Settings::max_error`].
    #[must_use]
    pub fn over_error(&self, max_error: Option<f32>) -> Option<Warning> {
        let limit = max_error.filter(|&limit| self.error > limit)?;
        let (sprite, error, angles) = (self.sprite.clone(), self.error, self.angles);
        let needed = angle_steps::needed_steps(error, angles, limit);
        Some(Warning::OverError { sprite, error, limit, angles, needed })
    }
}

/// The report data of one sprite. It depends on this sprite alone, so a later bake can take it from
/// a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteInfo {
    /// Number of frames.
    pub frames: usize,
    /// Warnings about this sprite, except those that depend on other sprites.
    pub warnings: Vec<Warning>,
    /// Digest of all pixels and pivots. `None` if no texel is solid.
    pub appearance: Option<u128>,
    /// Estimated pixels in all poses.
    pub pixels: u64,
    /// How the sprite is posed.
    pub baked: SpriteReport,
    /// For each image, the digest of the input that determines its poses.
    pub images: Vec<u128>,
}

impl SpriteInfo {
    /// Examines a sprite. `frames` and `settings` are those that `sprite` was made from.
    #[must_use]
    pub fn new(sprite: &SourceSprite, frames: &[Frame], settings: &Settings) -> Self {
        let area = |mask: &Mask| u64::from(mask.width()) * u64::from(mask.height());
        let masks = || frames.iter().flat_map(|frame| &frame.planes).map(|(_, mask)| mask);
        let texels: u64 = masks().map(area).sum();
        let scales: f32 = settings.scales.iter().map(|scale| scale * scale).sum();
        let pixels = texels as f64 * f64::from(settings.angles) * f64::from(scales);
        let shown: Vec<_> = frames.iter().map(|frame| (&frame.planes, frame.pivot)).collect();
        let is_empty = masks().all(|mask| mask.count() == 0);
        let mut info = Self {
            frames: frames.len() + usize::from(settings.motion_frame),
            warnings: sprite_warnings(&sprite.name, frames, settings),
            appearance: (!is_empty).then(|| digest(&shown)),
            pixels: pixels as u64,
            baked: SpriteReport::of(sprite),
            images: Vec::new(),
        };
        info.record_poses(sprite);
        info
    }

    /// Records how the sprite is posed, after its angle steps have changed.
    pub fn record_poses(&mut self, sprite: &SourceSprite) {
        self.baked = SpriteReport::of(sprite);
        self.images = sprite.pose_keys().map(|key| digest(&key)).collect();
    }
}

impl BuildReport {
    /// Returns the report on these sprites, in order of their names, in an atlas of `bytes` bytes.
    #[must_use]
    pub fn new(infos: &[SpriteInfo], bytes: usize) -> Self {
        let mut report = Self { bytes, ..Self::default() };
        let mut seen = HashSet::new();
        // The first sprite of each appearance, and the most pixels in all poses.
        let (mut first_by_appearance, mut most) = (HashMap::new(), 0);
        for info in infos {
            let name = &info.baked.sprite;
            if info.pixels > most {
                (most, report.largest) = (info.pixels, name.clone());
            }
            let duplicate =
                info.appearance.and_then(|shown| match first_by_appearance.entry(shown) {
                    Entry::Occupied(first) => {
                        let of: &&String = first.get();
                        Some(Warning::Duplicate { sprite: name.clone(), of: of.to_string() })
                    }
                    Entry::Vacant(entry) => {
                        entry.insert(name);
                        None
                    }
                });
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
        report
    }
}

/// Ratio of visible to solid texels from which the alpha threshold causes a warning.
const SENSITIVE_RATIO: f64 = 1.1;

/// A sprite is thin if at least 1 in this many of its texels is in no solid 2 x 2 square.
const THIN_DIVISOR: u64 = 8;

/// Smallest piece whose loss counts, in texels.
const MIN_PIECE_TEXELS: u64 = 8;

fn sprite_warnings(name: &str, frames: &[Frame], settings: &Settings) -> Vec<Warning> {
    let sprite = || name.to_owned();
    let mut most: Option<(f64, Warning)> = None;
    let (mut broken, mut cut, mut empty) = (None, None, Vec::new());
    for (frame, of_frame) in frames.iter().enumerate() {
        if of_frame.is_cut {
            cut = Some(Warning::Truncated { sprite: sprite(), frame });
        }
        let solid = of_frame.planes.first().map_or(0, |(_, mask)| mask.count());
        let Some((_, mask)) = of_frame.planes.first().filter(|_| solid > 0) else {
            // Other planes may be empty in a frame.
            empty.push(Warning::Empty { sprite: sprite(), frame });
            continue;
        };
        let seen = of_frame.visible.unwrap_or(0);
        let times = seen as f64 / solid as f64;
        if times > most.as_ref().map_or(SENSITIVE_RATIO, |(times, _)| *times) {
            most = Some((times, Warning::Sensitive { sprite: sprite(), frame, seen, solid }));
        }
        if broken.is_none() && breaks_apart(mask, settings) {
            broken = Some(Warning::Thin { sprite: sprite(), frame });
        }
    }
    let most = most.map(|(_, warning)| warning);
    most.into_iter().chain(broken).chain(cut).chain(empty).collect()
}

/// Tests whether a mask breaks apart at 1/8 or 1/16 of a turn at the smallest scale.
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
    let pieces = |mask: &Mask, pixels| {
        mask.components(Connectivity::Eight).iter().filter(|part| part.area() >= pixels).count()
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_numbers_of_a_cache_saturate_in_the_report() {
        let baked = SpriteReport { sprite: "a".into(), angles: 1, poses: usize::MAX, error: 0.0 };
        let (warnings, images) = (Vec::new(), Vec::new());
        let (frames, pixels, appearance) = (usize::MAX, u64::MAX, None);
        let info = SpriteInfo { frames, warnings, appearance, pixels, baked, images };
        let report = BuildReport::new(&[info.clone(), info], 0);
        assert_eq!((report.frames, report.poses), (usize::MAX, usize::MAX));
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
