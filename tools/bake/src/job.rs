//! The jobs of a bake, one per sprite in order of names, and the options of all of them.
//!
//! Made by `write`, and read by `pipeline` and what it calls.

use crate::error::{BakeError, BakeFault};
use crate::failures::Failures;
use crate::image::Images;
use crate::limits::BakeLimits;
use crate::settings::{MAX_RADIUS, SourceSettings};
use crate::source::Source;
use hitmask::baking::{DEFAULT_PLANE, SourceSprite};
use hitmask::{BuildFault, Sampling, Settings};
use std::borrow::Cow;
use std::f64::consts::PI;
use std::path::{Path, PathBuf};

/// Options of the bake as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Mask pixels along one side of a pixel.
    pub(super) resolution: f32,
    /// Size limit of the opened atlas in bytes.
    pub(super) max_bytes: Option<u64>,
    /// Stores source masks only.
    pub(super) compact: bool,
    /// Limits on what files take to decode.
    pub(super) limits: BakeLimits,
    /// Shard number, from 1, and number of shards.
    pub(super) shard: Option<[u32; 2]>,
}

/// One sprite to be baked.
pub(super) struct Job<'a> {
    pub(super) source: &'a Source,
    pub(super) settings: Cow<'a, SourceSettings>,
}

/// Pixels of poses that are drawn by nearest texel in the time in which a texel is decoded.
const PIXELS_PER_TEXEL: f64 = 20.0;
/// The time to draw a pixel by coverage, relative to nearest texel.
const COVERAGE: u64 = 4;

impl Job<'_> {
    /// Returns an estimate of the time that the sprite takes, in pixels of poses. Nothing is decoded: `images`
    /// has what the files state. At least 1, and the same on every machine.
    pub(super) fn work(&self, plan: &Plan, images: &dyn Fn(&Path) -> Images) -> u64 {
        let SourceSettings { sprite, planes, slices, .. } = &*self.settings;
        let areas = self.source.areas(images);
        let angles =
            sprite.max_error.filter(|_| sprite.angles > 1).map_or(sprite.angles, |error| {
                let largest = areas.iter().map(|&(_, area)| area).fold(0.0, f64::max);
                let scale = sprite.scales.iter().copied().fold(0.0, f32::max);
                // Of a square with this area, about its centre.
                let radius = (largest / 2.0).sqrt() * f64::from(scale);
                (PI * radius / f64::from(error)).clamp(8.0, 128.0) as u32
            });
        let count = |list: usize| list as u64;
        let planes = count(planes.len()) + count(slices.len()) + count(sprite.thresholds.len()) + 1;
        let boxes = areas.iter().map(|&(frames, area)| (frames.saturating_mul(planes), area));
        let drawn = pose_pixels(boxes, sprite, angles, plan.resolution);
        let drawn = match sprite.sampling {
            Sampling::Nearest => drawn,
            Sampling::Coverage25 => drawn.saturating_mul(COVERAGE),
        };
        let texels: f64 = areas.iter().map(|&(frames, area)| frames as f64 * area).sum();
        drawn.saturating_add((texels * PIXELS_PER_TEXEL) as u64).max(1)
    }
}

/// Least number of pixels that a pose counts, because even an empty one takes time.
const POSE_PIXELS: f64 = 256.0;

/// Returns the pixels to draw for all poses of a sprite: those of its boxes, at each angle and scale. `boxes`
/// has a number of boxes with their area in texels. A pose counts at least [`POSE_PIXELS`].
pub(super) fn pose_pixels(
    boxes: impl Iterator<Item = (u64, f64)>,
    settings: &Settings,
    angles: u32,
    resolution: f32,
) -> u64 {
    let scales = settings.scales.iter().map(|&scale| f64::from(scale) * f64::from(resolution));
    let squares: Vec<f64> = scales.map(|scale| scale * scale).collect();
    let of_box = |area: f64| squares.iter().map(|by| (area * by).max(POSE_PIXELS)).sum::<f64>();
    let of_boxes = |(count, area): (u64, f64)| count as f64 * of_box(area);
    (boxes.map(of_boxes).sum::<f64>() * f64::from(angles)) as u64
}

/// Returns the sources in order of their names, with checked settings.
pub(super) fn jobs<'a>(
    sources: &'a [Source],
    settings: &'a SourceSettings,
    resolution: f32,
    failures: &mut Failures,
) -> Result<Vec<Job<'a>>, BakeError> {
    if sources.is_empty() {
        failures.none_yet()?;
        let help = "add an image or a folder of images";
        return Err(BakeError::new(BakeFault::Nothing, "there is nothing to bake", help));
    }
    let mut jobs = Vec::with_capacity(sources.len());
    for source in sources {
        let settings = source.settings(settings);
        check_settings(&source.name, &settings)?;
        let layers = settings.planes.iter().map(|plane| plane.name.as_str());
        let planes = layers.filter(|&layer| layer != DEFAULT_PLANE).chain([DEFAULT_PLANE]);
        let planes = planes.chain(settings.slices.iter().map(String::as_str));
        let checked = SourceSprite::check(&source.name, planes, &settings.sprite, resolution);
        match checked {
            Ok(()) => jobs.push(Job { source, settings }),
            // A name is a fault of its file.
            Err(error) if error.fault == BuildFault::Name && error.sprite.is_some() => {
                failures.skip_sprite(source.place(), Err::<(), _>(error.into()))?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    if jobs.is_empty() {
        failures.none_yet()?;
    }
    jobs.sort_by(|a, b| a.source.name.cmp(&b.source.name));
    for pair in jobs.windows(2) {
        let (first, second) = (pair[0].source, pair[1].source);
        if first.name == second.name {
            return Err(same_name(&first.name, first.origin(), second.origin()));
        }
    }
    Ok(jobs)
}

/// Checks the settings of a sprite that concern its file.
fn check_settings(name: &str, settings: &SourceSettings) -> Result<(), BakeError> {
    let refused = |cause, help| Err(BakeError::new(BakeFault::Option, cause, help).in_sprite(name));
    let SourceSettings { planes, slices, shrink, grow, .. } = settings;
    let radius = (*shrink).max(*grow);
    if radius > MAX_RADIUS {
        let cause = format!("sprite {name:?} grows or shrinks by {radius} texels");
        return refused(cause, "use a radius of at most 256 texels");
    }
    for (i, slice) in slices.iter().enumerate() {
        let is_taken = slice == DEFAULT_PLANE || planes.iter().any(|plane| plane.name == *slice);
        if is_taken || slices[..i].contains(slice) {
            let cause = format!("sprite {name:?} has two planes {slice:?}, one of a slice");
            return refused(cause, "rename the slice or the plane, or leave out one of them");
        }
    }
    Ok(())
}

/// Returns the error of two sources with one name. `None` is a source without an image.
fn same_name(name: &str, first: Option<PathBuf>, second: Option<PathBuf>) -> BakeError {
    let place = |path: &Option<PathBuf>| path.as_ref()?.canonicalize().ok();
    let (cause, help) = match (&first, &second) {
        // Two paths to one file are reported as one path.
        (Some(path), Some(other))
            if path == other || place(&first).is_some() && place(&first) == place(&second) =>
        {
            let help = "name the file once, or give one of the sprites another name";
            (format!("{} gives a sprite named {name:?} twice", path.display()), help)
        }
        (Some(path), Some(other)) => {
            let help = if path.parent() == other.parent() {
                "rename one of them, or give it a name in a manifest: a [[source]] with files and name"
            } else {
                "rename one of them, or bake their common parent folder"
            };
            let (path, other) = (path.display(), other.display());
            (format!("two sources give a sprite named {name:?}: {path} and {other}"), help)
        }
        (Some(path), None) | (None, Some(path)) => {
            let path = path.display();
            let cause = format!(
                "two sources give a sprite named {name:?}: {path} and one that is not an image"
            );
            (cause, "rename one of them")
        }
        (None, None) => {
            let cause = format!("two sources without images give a sprite named {name:?}");
            (cause, "rename one of them")
        }
    };
    let error = BakeError::new(BakeFault::SameName, cause, help).in_sprite(name);
    match first.or(second) {
        Some(path) => error.of(&path),
        None => error,
    }
}
