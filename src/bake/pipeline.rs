//! The stages of a bake: load, prepare, draw and write, batch by batch.
//!
//! Called by `write`, `incremental` and `staleness`. Invariants: jobs are in ascending order of
//! names, and the output does not depend on the number of threads.

use super::failures::Failures;
use super::inputs::{Source, check_planes};
use super::solidify::{BODY, Frame};
use super::sprite_info::{self, Findings, SpriteInfo};
use super::{BakeError, Pages, Settings, Warning};
use super::{angle_budget, motion_union, thresholds};
use crate::atlas::{self, AtlasFile, DrawError, Drawer, Entry, Image, Kept, SourceSprite};
use crate::mask::{MAX_SIDE, Mask};
use crate::memory::parallel;
use crate::pose::{Pose, PoseSet, Resolution};
use crate::raster::Raster;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Sprites decoded and drawn between two progress reports.
const SPRITES_PER_BATCH: usize = 256;

/// Options of the bake as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    /// Mask pixels along one side of a pixel.
    pub(super) resolution: f32,
    /// Size limit of the opened atlas in bytes.
    pub(super) max_bytes: Option<u64>,
    /// Stores source masks only.
    pub(super) compact: bool,
}

/// The result of a bake.
pub(super) struct Outcome {
    /// The bytes of the atlas.
    pub(super) bytes: Vec<u8>,
    /// Data for the report, per sprite.
    pub(super) infos: Vec<SpriteInfo>,
    /// Number of sprites copied from the previous atlas.
    pub(super) kept: usize,
    /// Indices of the jobs that were left out because of a fault.
    pub(super) left_out: BTreeSet<usize>,
}

/// The previous atlas, as a source of unchanged sprites.
pub(super) struct ReusableSprites {
    pub(super) file: AtlasFile,
    /// For each job, the index in the file and the report data, if the sprite is unchanged.
    pub(super) sprites: Vec<Option<(usize, SpriteInfo)>>,
}

/// A sprite before it is drawn.
enum Loaded<'a> {
    /// Copied with its poses.
    Kept(Kept<'a>, &'a SpriteInfo),
    /// Masks of the previous compact atlas.
    Masks(SourceSprite, &'a SpriteInfo),
    /// Frames from its source.
    Frames(Result<Cow<'a, [Frame]>, BakeError>, Findings),
}

fn load<'a>(
    job: &Job<'a>,
    reusable: Option<(&'a AtlasFile, usize, &'a SpriteInfo)>,
    pages: &Pages,
) -> Loaded<'a> {
    if let Some((file, i, info)) = reusable {
        if file.is_compact() {
            if let Some(sprite) = file.sprite(i) {
                return Loaded::Masks(sprite, info);
            }
        } else if let Some(kept) = file.kept(i) {
            return Loaded::Kept(kept, info);
        }
    }
    let name = &job.source.name;
    let frames = job.source.load(job.settings, pages);
    let frames = frames.and_then(|frames| thresholds::complete(name, frames, job.settings));
    let found = sprite_info::find(name, frames.as_deref().unwrap_or_default(), job.settings);
    Loaded::Frames(frames, found)
}

/// Bakes jobs, which must be in order of their names. Records the faults of single files in
/// `failures`, unless they end the bake. Calls `progress` with the number of finished sprites.
pub(super) fn bake(
    jobs: &[Job<'_>],
    plan: &Plan,
    reusable: Option<ReusableSprites>,
    failures: &mut Failures,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<Outcome, BakeError> {
    let resolution = Resolution::new(plan.resolution).map_err(BakeError::Settings)?;
    let pages = Pages::default();
    let mut drawer = Drawer::new(resolution);
    let mut infos: Vec<SpriteInfo> = Vec::with_capacity(jobs.len());
    let mut waiting: Vec<SourceSprite> = Vec::new();
    let (mut baked, mut left_out) = (0, BTreeSet::new());
    // A size limit depends on all sprites, so none is drawn before all are loaded.
    let at_once = plan.max_bytes.is_none();
    let places: Vec<usize> = (0..jobs.len()).collect();
    for (batch, done) in places.chunks(SPRITES_PER_BATCH).zip((0..).step_by(SPRITES_PER_BATCH)) {
        if at_once {
            progress(done);
        }
        let loaded = parallel::map(batch, |&k| {
            let known = reusable.as_ref().and_then(|reusable| {
                let (i, info) = reusable.sprites.get(k)?.as_ref()?;
                Some((&reusable.file, *i, info))
            });
            load(&jobs[k], known, &pages)
        });
        let mut ready: Vec<Entry<'_>> = Vec::with_capacity(batch.len());
        for (&k, loaded) in batch.iter().zip(loaded) {
            let (entry, info) = match loaded {
                Loaded::Kept(sprite, info) => (Entry::Kept(sprite), info.clone()),
                Loaded::Masks(sprite, info) => (Entry::New(sprite), info.clone()),
                Loaded::Frames(frames, found) => {
                    let made = frames.and_then(|frames| {
                        let count = frames.len() + usize::from(jobs[k].settings.motion_frame);
                        let mut info = SpriteInfo::new(&jobs[k].source.name, count, found);
                        let sprite = prepare(&jobs[k], frames, &mut info.warnings)?;
                        if failures.keep_going {
                            check_sides(&sprite, resolution)?;
                        }
                        Ok((sprite, info))
                    });
                    let Some((sprite, mut info)) =
                        failures.skip_sprite(jobs[k].source.place(), made)?
                    else {
                        left_out.insert(k);
                        continue;
                    };
                    info.record_poses(&sprite);
                    baked += 1;
                    (Entry::New(sprite), info)
                }
            };
            infos.push(info);
            ready.push(entry);
        }
        if at_once {
            drawer.add(&ready).map_err(failed)?;
        }
        if plan.compact || !at_once {
            waiting.extend(ready.into_iter().filter_map(Entry::into_source_sprite));
        }
    }
    if infos.is_empty() {
        failures.none_yet()?;
    }
    if let Some(limit) = plan.max_bytes {
        angle_budget::fit(&mut waiting, limit)?;
        for (info, sprite) in infos.iter_mut().zip(&waiting) {
            info.record_poses(sprite);
        }
        let entries: Vec<Entry<'_>> = waiting.into_iter().map(Entry::New).collect();
        for (batch, done) in entries.chunks(SPRITES_PER_BATCH).zip((0..).step_by(SPRITES_PER_BATCH))
        {
            progress(done);
            drawer.add(batch).map_err(failed)?;
        }
        waiting = entries.into_iter().filter_map(Entry::into_source_sprite).collect();
    }
    progress(jobs.len());
    // Frees the previous atlas first, because the file is assembled in memory.
    drop(reusable);
    let mut bytes = drawer.finish().map_err(|_| BakeError::AtlasTooLarge)?;
    if plan.compact {
        let full_bytes = bytes.len() as u64;
        bytes = atlas::compact(&waiting, resolution, full_bytes)
            .map_err(|_| BakeError::AtlasTooLarge)?;
    }
    let kept = jobs.len() - baked - left_out.len();
    Ok(Outcome { bytes, infos, kept, left_out })
}

fn failed(error: DrawError) -> BakeError {
    match error {
        DrawError::Full => BakeError::AtlasTooLarge,
        DrawError::Pose { name, cause } => BakeError::Pose { name, cause },
    }
}

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
fn prepare(
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
fn check_sides(sprite: &SourceSprite, resolution: Resolution) -> Result<(), BakeError> {
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
