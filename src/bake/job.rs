//! The jobs of a bake: one per sprite, in order of names, and the preparation of its frames.
//!
//! Called by `pipeline`.

use super::failures::Failures;
use super::inputs::{Source, check_planes};
use super::solidify::{BODY, Frame};
use super::{BakeError, Settings, Warning};
use super::{angle_budget, motion_union, thresholds};
use crate::atlas::{Image, SourceSprite};
use crate::mask::{MAX_SIDE, Mask};
use crate::pose::{Pose, PoseSet, Resolution};
use crate::raster::Raster;
use std::borrow::Cow;
use std::path::PathBuf;

/// One sprite to be baked.
pub(super) struct Job<'a> {
    pub(super) source: &'a Source,
    pub(super) settings: &'a Settings,
    poses: PoseSet,
}

/// Returns the sources in order of their names, with checked settings.
pub(super) fn jobs<'a>(
    sources: &'a [Source],
    settings: &'a Settings,
    resolution: f32,
    failures: &mut Failures,
) -> Result<Vec<Job<'a>>, BakeError> {
    if sources.is_empty() {
        failures.none_yet()?;
        return Err(BakeError::NoSources);
    }
    let mut jobs = Vec::with_capacity(sources.len());
    for source in sources {
        if source.name.is_empty() {
            return Err(BakeError::EmptyName);
        }
        if source.name.contains(char::is_control) {
            let error = BakeError::ControlInName { name: source.name.clone() };
            failures.skip_sprite(source.place(), Err::<(), _>(error))?;
            continue;
        }
        let settings = source.settings.as_ref().unwrap_or(settings);
        if let Some(error) = settings.max_error.filter(|e| !(e.is_finite() && *e > 0.0)) {
            return Err(BakeError::MaxError(error));
        }
        thresholds::check(&source.name, settings)?;
        let poses = PoseSet::new(settings.angles, settings.scales.clone())
            .and_then(|poses| poses.at_resolution(resolution));
        jobs.push(Job { source, settings, poses: poses.map_err(BakeError::Settings)? });
    }
    if jobs.is_empty() {
        failures.none_yet()?;
    }
    jobs.sort_by(|a, b| a.source.name.cmp(&b.source.name));
    for pair in jobs.windows(2) {
        let (first, second) = (pair[0].source, pair[1].source);
        if first.name == second.name {
            let (name, first, second) = (first.name.clone(), first.origin(), second.origin());
            // Two paths to one file are reported as one path.
            let place = |path: &Option<PathBuf>| path.as_ref()?.canonicalize().ok();
            let is_one_file = place(&first).is_some() && place(&first) == place(&second);
            let second = if is_one_file { first.clone() } else { second };
            return Err(BakeError::SameName { name, first, second });
        }
    }
    Ok(jobs)
}

/// Prepares a sprite for drawing.
pub(super) fn prepare(
    job: &Job<'_>,
    frames: Cow<'_, [Frame]>,
    warnings: &mut Vec<Warning>,
) -> Result<SourceSprite, BakeError> {
    let name = job.source.name.as_str();
    if frames.is_empty() {
        return Err(BakeError::NoFrames { name: name.to_owned() });
    }
    // All planes of all frames, in order of first occurrence.
    let mut planes: Vec<String> = Vec::new();
    for (plane, _) in frames.iter().flat_map(|frame| &frame.planes) {
        if !planes.contains(plane) {
            planes.push(plane.clone());
        }
    }
    check_planes(name, &planes)?;
    let mut images = Vec::with_capacity(frames.len() * planes.len());
    for (i, frame) in frames.iter().enumerate() {
        let pivot = frame.pivot.unwrap_or(job.settings.pivot);
        let first = frame.planes.first().map(|(_, mask)| mask);
        let (width, height) = first.map_or((0, 0), |mask| (mask.width(), mask.height()));
        let pivot = pivot
            .resolve(width, height)
            .map_err(|cause| BakeError::Pose { name: name.to_owned(), cause })?;
        let blank = Mask::filled_by(width, height, |_, _| 0);
        for plane in &planes {
            // A plane that this frame lacks is empty here.
            let found = frame.planes.iter().find(|(name, _)| name == plane);
            let (tight, corner) = found.map_or(&blank, |(_, mask)| mask).trimmed();
            if tight.width() > MAX_SIDE || tight.height() > MAX_SIDE {
                let (name, size) = (name.to_owned(), [tight.width(), tight.height()]);
                return Err(BakeError::SolidPartTooLarge { name, frame: i, size });
            }
            images.push(Image { size: [width, height], pivot, tight, corner });
        }
        // An empty first plane causes a warning. Other planes may be empty in a frame.
        if first.is_none_or(|mask| mask.count() == 0) {
            warnings.push(Warning::Empty { sprite: name.to_owned(), frame: i });
        }
    }
    if job.settings.motion_frame {
        let motion_frame = motion_union::motion_frame(name, &images, planes.len())?;
        images.extend(motion_frame);
    }
    if planes == [BODY] {
        planes.clear();
    }
    let mut sprite = SourceSprite {
        name: name.to_owned(),
        planes,
        poses: job.poses.clone(),
        rule: frames.first().and_then(|frame| frame.rule).unwrap_or(job.settings.alpha),
        sampling: job.settings.sampling,
        images,
    };
    if let Some(limit) = job.settings.max_error {
        angle_budget::choose_steps(&mut sprite, limit);
    }
    Ok(sprite)
}

/// Checks that no pose exceeds the longest side of a mask. Draws the poses of sprites that may
/// exceed it, so that one such sprite does not end the bake when a whole batch is drawn.
pub(super) fn check_sides(sprite: &SourceSprite, resolution: Resolution) -> Result<(), BakeError> {
    let (poses, name) = (&sprite.poses, &sprite.name);
    let largest = poses.scales().iter().fold(0.0, |a: f32, &b| a.max(b)) * resolution.value();
    for image in &sprite.images {
        // A turned rectangle is at most as wide as both of its sides together.
        let sides = f64::from(image.tight.width()) + f64::from(image.tight.height());
        if sides * f64::from(largest) < f64::from(MAX_SIDE - 8) {
            continue;
        }
        let Image { pivot: [x, y], corner, .. } = *image;
        let pivot = [x - 2 * corner.x, y - 2 * corner.y];
        let raster = Raster::of_tight(image.tight.clone(), pivot, sprite.sampling);
        for scale in 0..poses.scales().len() as u32 {
            // Further quarters of the turn have the same sides.
            for step in 0..poses.angles().div_ceil(4) {
                let drawn = raster.pose(poses, Pose { step, scale });
                drawn.map_err(|cause| BakeError::Pose { name: name.clone(), cause })?;
            }
        }
    }
    Ok(())
}
