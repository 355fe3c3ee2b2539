use super::source::Source;
use super::{BakeError, Report, Settings, Warning};
use crate::atlas::{AtlasWriter, FrameEntry, SpriteEntry};
use crate::mask::Mask;
use crate::parallel;
use crate::pose::{PoseError, PoseSet, stored_steps};
use crate::raster::{Matrix, Pivot, Posed, Raster, Sampling};
use std::borrow::Cow;
use std::collections::HashMap;

/// Sprites decoded and posed at once. More would keep more poses in memory before they are packed;
/// fewer would leave threads idle at the end of each batch.
const BATCH: usize = 256;

/// Bakes `sources`; calls `progress` with the number of sprites done.
pub(super) fn run(
    sources: &[Source],
    settings: &Settings,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<(Vec<u8>, Report), BakeError> {
    let jobs = jobs(sources, settings)?;
    let mut writer = AtlasWriter::default();
    let mut report = Report { sprites: jobs.len(), ..Report::default() };
    let mut written = HashMap::new();
    for (batch, done) in jobs.chunks(BATCH).zip((0..).step_by(BATCH)) {
        progress(done);
        let loaded = parallel::map(batch, |job| job.source.load(job.settings));
        let frames = batch
            .iter()
            .zip(loaded)
            .map(|(job, masks)| prepare(job, masks?))
            .collect::<Result<Vec<_>, BakeError>>()?;
        bake_new(&frames, &mut written, &mut writer)?;
        for (job, frames) in batch.iter().zip(&frames) {
            add_sprite(job, frames, &mut written, &mut writer, &mut report)?;
        }
    }
    progress(jobs.len());
    let bytes = writer.finish().map_err(|_| BakeError::AtlasTooLarge)?;
    report.bytes = bytes.len();
    Ok((bytes, report))
}

/// One sprite to be baked.
struct Job<'a> {
    source: &'a Source,
    settings: &'a Settings,
    poses: PoseSet,
}

/// The sources in order of their names, each with its settings checked.
fn jobs<'a>(sources: &'a [Source], settings: &'a Settings) -> Result<Vec<Job<'a>>, BakeError> {
    if sources.is_empty() {
        return Err(BakeError::NoSources);
    }
    let mut jobs = Vec::with_capacity(sources.len());
    for source in sources {
        if source.name.is_empty() {
            return Err(BakeError::EmptyName);
        }
        let settings = source.settings.as_ref().unwrap_or(settings);
        let poses = PoseSet::new(settings.angles, settings.scales.clone());
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

/// A frame ready to be posed.
struct Frame<'a> {
    /// Its sprite's name.
    name: &'a str,
    size: [u32; 2],
    pivot: [i32; 2],
    lowered: bool,
    key: Key,
}

/// What decides a frame's poses: frames of equal keys share them.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    mask: Mask,
    pivot: [i32; 2],
    angles: u32,
    /// The scales' bits.
    scales: Vec<u32>,
    sampling: Sampling,
}

fn prepare<'a>(job: &Job<'a>, masks: Cow<'_, [Mask]>) -> Result<Vec<Frame<'a>>, BakeError> {
    let name = job.source.name.as_str();
    if masks.is_empty() {
        return Err(BakeError::NoFrames { name: name.to_owned() });
    }
    let frame = |mask: Mask| {
        let size = [mask.width(), mask.height()];
        let resolved = job.settings.pivot.resolve(size[0], size[1]);
        let (pivot, lowered) =
            resolved.map_err(|cause| BakeError::Pose { name: name.to_owned(), cause })?;
        let scales = job.poses.scales().iter().map(|s| s.to_bits()).collect();
        let (angles, sampling) = (job.poses.angles(), job.settings.sampling);
        Ok(Frame { name, size, pivot, lowered, key: Key { mask, pivot, angles, scales, sampling } })
    };
    masks.into_owned().into_iter().map(frame).collect()
}

/// Where the poses of a key begin in the atlas, and how many frames have them.
struct Written {
    first_pose: u32,
    frames: usize,
}

/// Poses the frames whose key is new, in parallel, and writes their poses in order.
fn bake_new(
    frames: &[Vec<Frame<'_>>],
    written: &mut HashMap<Key, Written>,
    writer: &mut AtlasWriter,
) -> Result<(), BakeError> {
    let mut new: Vec<&Frame<'_>> = Vec::new();
    for frame in frames.iter().flatten() {
        if !written.contains_key(&frame.key) {
            written.insert(frame.key.clone(), Written { first_pose: 0, frames: 0 });
            new.push(frame);
        }
    }
    let posed = parallel::map(&new, |frame| pose_all(&frame.key));
    for (frame, posed) in new.into_iter().zip(posed) {
        let first_pose = posed
            .map_err(|cause| BakeError::Pose { name: frame.name.to_owned(), cause })
            .and_then(|posed| writer.add_poses(&posed).map_err(|_| BakeError::AtlasTooLarge))?;
        written.insert(frame.key.clone(), Written { first_pose, frames: 0 });
    }
    Ok(())
}

/// Every stored pose of a frame, scale by scale, step by step. Only the first quarter of a turn is
/// rasterised; the rest is the quarter before it turned, which is the same bit for bit.
fn pose_all(key: &Key) -> Result<Vec<Posed>, PoseError> {
    let [px2, py2] = key.pivot;
    let raster = Raster::new(&key.mask, Pivot::HalfTexels(px2, py2), key.sampling)?;
    let steps = stored_steps(key.angles);
    let mut poses: Vec<Posed> = Vec::with_capacity(key.scales.len() * steps as usize);
    for scale in key.scales.iter().map(|&bits| f32::from_bits(bits)) {
        let first = poses.len();
        let rasterised = (steps / 4).max(1);
        for step in 0..rasterised {
            poses.push(raster.turned(Matrix::new(step, steps, scale))?);
        }
        if steps < 4 {
            // A sprite that never turns is stored upright and at a half turn.
            poses.push(poses[first].flip_x().flip_y());
        } else {
            for step in rasterised..steps {
                poses.push(poses[first + (step - rasterised) as usize].quarter_turned());
            }
        }
    }
    Ok(poses)
}

fn add_sprite(
    job: &Job<'_>,
    frames: &[Frame<'_>],
    written: &mut HashMap<Key, Written>,
    writer: &mut AtlasWriter,
    report: &mut Report,
) -> Result<(), BakeError> {
    let mut entries = Vec::with_capacity(frames.len());
    for (i, frame) in frames.iter().enumerate() {
        let sprite = || job.source.name.clone();
        if frame.key.mask.count() == 0 {
            report.warnings.push(Warning::Empty { sprite: sprite(), frame: i });
        }
        if frame.lowered {
            report.warnings.push(Warning::PivotLowered { sprite: sprite(), frame: i });
        }
        if let Some(poses) = written.get_mut(&frame.key) {
            report.shared_frames += usize::from(poses.frames > 0);
            poses.frames += 1;
            let Frame { size, pivot, .. } = *frame;
            entries.push(FrameEntry { first_pose: poses.first_pose, pivot, size });
        }
    }
    report.frames += frames.len();
    report.poses += frames.len() * job.poses.angles() as usize * job.poses.scales().len();
    let entry = SpriteEntry {
        name: &job.source.name,
        poses: &job.poses,
        rule: job.settings.alpha,
        sampling: job.settings.sampling,
    };
    writer.add_sprite(&entry, &entries).map_err(|_| BakeError::AtlasTooLarge)
}
