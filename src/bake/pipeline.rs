use super::budget;
use super::source::{self, Source};
use super::warnings::Gone;
use super::{BakeError, Baked, Pages, Report, Settings, Warning};
use crate::atlas::{self, DrawError, Drawer, Image, Subject};
use crate::mask::Mask;
use crate::parallel;
use crate::pose::{PoseSet, Resolution};
use std::borrow::Cow;

/// Sprites decoded and drawn between two reports of progress.
const BATCH: usize = 256;

/// What is asked of a bake, its sources and their settings aside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Mask pixels along the side of a pixel.
    pub(super) resolution: f32,
    /// The most bytes that the whole atlas may take.
    pub(super) max_bytes: Option<u64>,
    /// Source masks only.
    pub(super) compact: bool,
}

/// Bakes `sources`; calls `progress` with the number of sprites done.
pub(super) fn run(
    sources: &[Source],
    settings: &Settings,
    plan: &Plan,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<(Vec<u8>, Report), BakeError> {
    bake(&jobs(sources, settings, plan.resolution)?, plan, progress)
}

/// Bakes jobs, which are in order of their names.
fn bake(
    jobs: &[Job<'_>],
    plan: &Plan,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<(Vec<u8>, Report), BakeError> {
    let resolution = Resolution::new(plan.resolution).map_err(BakeError::Settings)?;
    let mut report = Report { sprites: jobs.len(), ..Report::default() };
    let pages = Pages::default();
    let mut gone = Gone::default();
    let mut drawer = Drawer::new(resolution);
    let mut kept: Vec<Subject> = Vec::new();
    // A limit is shared by all sprites: none is drawn before all are known.
    let at_once = plan.max_bytes.is_none();
    for (batch, done) in jobs.chunks(BATCH).zip((0..).step_by(BATCH)) {
        if at_once {
            progress(done);
        }
        let loaded = parallel::map(batch, |job| job.source.load(job.settings, &pages));
        let noted: Vec<_> = batch
            .iter()
            .zip(&loaded)
            .map(|(job, frames)| (job.source.name.as_str(), job.settings, frames))
            .collect();
        report.warnings.extend(gone.note(&noted));
        let mut subjects = Vec::with_capacity(batch.len());
        for (job, frames) in batch.iter().zip(loaded) {
            subjects.push(prepare(job, frames?, &mut report)?);
        }
        if at_once {
            drawer.add(&subjects).map_err(failed)?;
        }
        if plan.compact || !at_once {
            kept.extend(subjects);
        } else {
            report.each.extend(subjects.iter().map(Baked::of));
        }
    }
    if let Some(limit) = plan.max_bytes {
        budget::fit(&mut kept, limit)?;
        for (batch, done) in kept.chunks(BATCH).zip((0..).step_by(BATCH)) {
            progress(done);
            drawer.add(batch).map_err(failed)?;
        }
    }
    progress(jobs.len());
    report.each.extend(kept.iter().map(Baked::of));
    report.poses = report.each.iter().map(|baked| baked.poses).sum();
    report.shared_frames = drawer.shared();
    let mut bytes = drawer.finish().map_err(|_| BakeError::AtlasTooLarge)?;
    if plan.compact {
        let full_bytes = bytes.len() as u64;
        bytes =
            atlas::compact(&kept, resolution, full_bytes).map_err(|_| BakeError::AtlasTooLarge)?;
    }
    report.bytes = bytes.len();
    report.largest = gone.largest();
    report.warnings.sort_by(|a, b| a.sprite().cmp(b.sprite()));
    Ok((bytes, report))
}

fn failed(error: DrawError) -> BakeError {
    match error {
        DrawError::Full => BakeError::AtlasTooLarge,
        DrawError::Pose { name, cause } => BakeError::Pose { name, cause },
    }
}

/// One sprite to be baked.
struct Job<'a> {
    source: &'a Source,
    settings: &'a Settings,
    poses: PoseSet,
}

/// The sources in order of their names, each with its settings checked.
fn jobs<'a>(
    sources: &'a [Source],
    settings: &'a Settings,
    resolution: f32,
) -> Result<Vec<Job<'a>>, BakeError> {
    if sources.is_empty() {
        return Err(BakeError::NoSources);
    }
    let mut jobs = Vec::with_capacity(sources.len());
    for source in sources {
        if source.name.is_empty() {
            return Err(BakeError::EmptyName);
        }
        let settings = source.settings.as_ref().unwrap_or(settings);
        if let Some(error) = settings.max_error.filter(|e| !(e.is_finite() && *e > 0.0)) {
            return Err(BakeError::MaxError(error));
        }
        let poses = PoseSet::new(settings.angles, settings.scales.clone())
            .and_then(|poses| poses.at_resolution(resolution));
        jobs.push(Job { source, settings, poses: poses.map_err(BakeError::Settings)? });
    }
    jobs.sort_by(|a, b| a.source.name.cmp(&b.source.name));
    for pair in jobs.windows(2) {
        let (first, second) = (pair[0].source, pair[1].source);
        if first.name == second.name {
            let name = first.name.clone();
            let (first, second) = (first.origin(), second.origin());
            return Err(BakeError::SameName { name, first, second });
        }
    }
    Ok(jobs)
}

/// A sprite ready to be drawn.
fn prepare(
    job: &Job<'_>,
    frames: Cow<'_, [source::Frame]>,
    report: &mut Report,
) -> Result<Subject, BakeError> {
    let name = job.source.name.as_str();
    if frames.is_empty() {
        return Err(BakeError::NoFrames { name: name.to_owned() });
    }
    // Every plane that any frame has, in the order in which they are met.
    let mut planes: Vec<String> = Vec::new();
    for (plane, _) in frames.iter().flat_map(|frame| &frame.planes) {
        if !planes.contains(plane) {
            planes.push(plane.clone());
        }
    }
    source::check_planes(name, &planes)?;
    report.frames += frames.len();
    let mut images = Vec::with_capacity(frames.len() * planes.len());
    for (i, frame) in frames.iter().enumerate() {
        let pivot = frame.pivot.unwrap_or(job.settings.pivot);
        let first = frame.planes.first().map(|(_, mask)| mask);
        let (width, height) = first.map_or((0, 0), |mask| (mask.width(), mask.height()));
        let resolved = pivot.resolve(width, height);
        let (pivot, lowered) =
            resolved.map_err(|cause| BakeError::Pose { name: name.to_owned(), cause })?;
        let blank = Mask::filled_by(width, height, |_, _| 0);
        for plane in &planes {
            // A frame may be without a plane that another has: it is empty there.
            let found = frame.planes.iter().find(|(name, _)| name == plane);
            images.push(Image::new(found.map_or(&blank, |(_, mask)| mask), pivot));
        }
        // A weak spot may be missing from a frame; a body without a pixel is worth a word.
        if first.is_none_or(|mask| mask.count() == 0) {
            report.warnings.push(Warning::Empty { sprite: name.to_owned(), frame: i });
        }
        if lowered {
            report.warnings.push(Warning::PivotLowered { sprite: name.to_owned(), frame: i });
        }
    }
    if planes == [source::BODY] {
        planes.clear();
    }
    let mut subject = Subject {
        name: name.to_owned(),
        planes,
        poses: job.poses.clone(),
        rule: job.settings.alpha,
        sampling: job.settings.sampling,
        images,
    };
    if let Some(limit) = job.settings.max_error {
        budget::choose(&mut subject, limit);
    }
    Ok(subject)
}
