//! The stages of a bake: load, prepare, draw and write, batch by batch.
//!
//! Called by `write`, `incremental` and `staleness`. Invariants: jobs are in ascending order of
//! names, and the output does not depend on the number of threads.

use crate::binary::Digest;
use crate::error::BakeError;
use crate::failures::Failures;
use crate::image::{Pages, mask_areas};
use crate::job::{Job, Plan, pose_pixels};
use crate::limits::Cost;
use crate::previous::{LastGood, PreviousAtlas};
use crate::sheet_guess;
use hitmask::baking::{
    Assembler, AtlasFile, Entry, Finished, Frame, Kept, Scratch, SourceSprite, SpriteInfo, fit,
};
use hitmask::{BuildError, BuildFault, Map, Warning};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most sprites decoded and drawn between two progress reports, and the least if their masks are
/// large.
const SPRITES_PER_BATCH: usize = 256;
const MIN_SPRITES_PER_BATCH: usize = 32;

/// Bytes of source masks above which no further sprites are loaded before these are drawn.
const MAX_LOADED_BYTES: usize = 32 << 20;

/// The place of a finished atlas.
pub(super) struct Output<'o> {
    /// The path that errors name.
    path: &'o Path,
    /// Bytes before the atlas.
    prefix: &'o [u8],
    /// File in which a large atlas grows.
    scratch: Option<&'o mut dyn Scratch>,
}

impl<'o> Output<'o> {
    /// Returns the output to memory, behind the bytes of `prefix`.
    pub(super) fn in_memory(prefix: &'o [u8]) -> Self {
        Self { path: Path::new(""), prefix, scratch: None }
    }

    /// Returns the output to the file at `path`, behind the bytes of `prefix`.
    pub(super) fn to_file(path: &'o Path, prefix: &'o [u8], scratch: &'o mut dyn Scratch) -> Self {
        Self { path, prefix, scratch: Some(scratch) }
    }
}

/// The result of a bake.
pub(super) struct Outcome {
    pub(super) atlas: Finished,
    /// Data for the report, per sprite.
    pub(super) infos: Vec<SpriteInfo>,
    /// Number of sprites copied from the previous atlas.
    pub(super) kept: usize,
    /// Indices of the jobs whose masks are those of the last bake that could read the source, with the key
    /// of that source.
    pub(super) stale: BTreeMap<usize, Digest>,
    /// Indices of the jobs that were left out because of a fault.
    pub(super) left_out: BTreeSet<usize>,
}

impl Outcome {
    /// Returns the bytes of an atlas in memory.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self.atlas {
            Finished::Bytes(bytes) => bytes,
            Finished::InScratch { .. } => Vec::new(),
        }
    }
}

/// A sprite that is ready to be added to the atlas.
enum Loaded<'a> {
    /// Copied with its poses.
    Kept(Kept<'a>, &'a SpriteInfo),
    /// Masks of the previous compact atlas.
    Masks(SourceSprite, &'a SpriteInfo),
    /// Made from its source.
    Made(Result<(SourceSprite, SpriteInfo), BakeError>),
}

impl Loaded<'_> {
    /// Returns the bytes of its source masks.
    fn bytes(&self) -> usize {
        match self {
            Self::Masks(sprite, _) | Self::Made(Ok((sprite, _))) => sprite.mask_bytes(),
            Self::Kept(..) | Self::Made(Err(_)) => 0,
        }
    }
}

/// Loads the sprites of a bake.
struct Loader<'a> {
    jobs: &'a [Job<'a>],
    plan: &'a Plan,
    previous: Option<&'a PreviousAtlas<'a>>,
    pages: Pages,
    /// Checks the sides of all poses, because one sprite must not end the bake.
    checks_sides: bool,
}

/// The sprites that are in the atlas so far, or wait to be drawn.
#[derive(Default)]
struct Taken {
    infos: Vec<SpriteInfo>,
    /// Number of sprites that were made from their sources.
    baked: usize,
    stale: BTreeMap<usize, Digest>,
    left_out: BTreeSet<usize>,
}

impl<'a> Loader<'a> {
    fn load(&self, k: usize) -> Loaded<'a> {
        let known = self.previous.and_then(|previous| {
            let (i, info) = previous.unchanged.get(k)?.as_ref()?;
            Some((previous.file()?, *i, info))
        });
        if let Some((file, i, info)) = known {
            if file.is_compact() {
                if let Some(sprite) = file.sprite(i) {
                    return Loaded::Masks(sprite, info);
                }
            } else if let Some(kept) = file.kept(i) {
                return Loaded::Kept(kept, info);
            }
        }
        Loaded::Made(self.make(&self.jobs[k]))
    }

    fn make(&self, job: &Job<'_>) -> Result<(SourceSprite, SpriteInfo), BakeError> {
        let (name, settings) = (&job.source.name, &job.settings.sprite);
        let mut frames = job.source.load(&job.settings, &self.pages)?;
        if !settings.thresholds.is_empty() && frames.iter().any(|frame| frame.rule.is_none()) {
            for frame in frames.to_mut() {
                frame.add_threshold_planes(name, settings)?;
            }
        }
        let sprite = SourceSprite::new(name, &frames, settings, self.plan.resolution)?;
        let mut info = SpriteInfo::new(&sprite, &frames, settings);
        let boxes = mask_areas(&frames).map(|area| (1, area));
        let pixels = pose_pixels(boxes, settings, info.baked.angles, self.plan.resolution);
        let place = job.source.place().unwrap_or_else(|| name.into());
        self.plan
            .limits
            .check(Cost::PosePixels, pixels, &place)
            .map_err(|error| error.in_sprite(name))?;
        if self.checks_sides {
            sprite.check_sides()?;
        }
        if job.source.is_level() {
            // A chunk of clear tiles, or a map of points.
            info.warnings.retain(|warning| !matches!(warning, Warning::Empty { .. }));
            info.warnings.extend(self.pages.warnings(name));
        }
        if job.source.is_whole_file() {
            info.warnings.extend(sheet_guess::warning(name, &frames));
        }
        if job.source.is_picture() && frames.iter().all(is_opaque) {
            info.warnings.push(Warning::Opaque { sprite: name.clone() });
        }
        Ok((sprite, info))
    }

    /// Loads sprites in parallel. Returns `None` for those that would exceed the memory for loaded
    /// sprites.
    fn load_some(&self, places: Range<usize>) -> Vec<Option<Loaded<'a>>> {
        let bytes = AtomicUsize::new(0);
        let load = |k: usize| {
            (bytes.load(Ordering::Relaxed) < MAX_LOADED_BYTES).then(|| {
                let loaded = self.load(k);
                bytes.fetch_add(loaded.bytes(), Ordering::Relaxed);
                loaded
            })
        };
        places.into_par_iter().map(load).collect()
    }

    /// Returns the entry of a loaded sprite, and records the sprite in `taken`. A sprite of a faulty file
    /// has the masks of the last bake that could read the file, or is left out.
    fn entry(
        &self,
        k: usize,
        loaded: Loaded<'a>,
        failures: &mut Failures,
        taken: &mut Taken,
    ) -> Result<Option<Entry<'a>>, BakeError> {
        let (entry, info) = match loaded {
            Loaded::Kept(sprite, info) => (Entry::Kept(sprite), info.clone()),
            Loaded::Masks(sprite, info) => (Entry::New(sprite), info.clone()),
            Loaded::Made(Ok((sprite, info))) => {
                taken.baked += 1;
                (Entry::New(sprite), info)
            }
            Loaded::Made(Err(fault)) => {
                let source = self.jobs[k].source;
                failures.skip_sprite::<()>(source.place(), Err(fault.clone()))?;
                let old = self.previous.map(|old| old.last_good(&source.name, self.plan, &fault));
                let Some(LastGood { entry, info, key }) = old.transpose()?.flatten() else {
                    taken.left_out.insert(k);
                    return Ok(None);
                };
                taken.stale.insert(k, key);
                (entry, info)
            }
        };
        taken.infos.push(info);
        Ok(Some(entry))
    }
}

/// Returns true if every texel of a frame is solid. An image of 1 texel a side has no background.
fn is_opaque(frame: &Frame) -> bool {
    frame.planes.first().is_some_and(|(_, body)| {
        let sides = [body.width(), body.height()];
        let area = sides.into_iter().map(u64::from).product::<u64>();
        sides.into_iter().all(|side| side > 1) && body.count() == area
    })
}

/// Bakes jobs, which must be in order of their names. Records the faults of single files in
/// `failures`, unless they end the bake, and takes the masks of their sprites from the previous atlas.
/// Calls `progress` with the number of finished sprites.
pub(super) fn bake(
    jobs: &[Job<'_>],
    plan: &Plan,
    previous: Option<PreviousAtlas<'_>>,
    Output { path, prefix, scratch }: Output<'_>,
    failures: &mut Failures,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<Outcome, BakeError> {
    let failed = |error| unwritten(error, path);
    let mut assembler = Assembler::new(plan.resolution, plan.compact, scratch).map_err(failed)?;
    let (mut taken, mut waiting) = (Taken::default(), Vec::new());
    // A size limit depends on all sprites, so none is drawn before all are loaded.
    let at_once = plan.max_bytes.is_none();
    let (pages, checks_sides) = (Pages::new(plan.limits), failures.keep_going);
    let loader = Loader { jobs, plan, previous: previous.as_ref(), pages, checks_sides };
    let (mut next, mut at_a_time) = (0, MIN_SPRITES_PER_BATCH);
    while next < jobs.len() {
        if at_once {
            progress(next);
        }
        let batch = next..jobs.len().min(next + at_a_time);
        next = batch.end;
        let (mut ready, mut ready_bytes, mut all_bytes) = (Vec::with_capacity(batch.len()), 0, 0);
        for (k, loaded) in batch.clone().zip(loader.load_some(batch)) {
            let loaded = loaded.unwrap_or_else(|| loader.load(k));
            ready_bytes += loaded.bytes();
            all_bytes += loaded.bytes();
            ready.extend(loader.entry(k, loaded, failures, &mut taken)?);
            if at_once && ready_bytes >= MAX_LOADED_BYTES {
                assembler.add(&ready).map_err(failed)?;
                ready.clear();
                ready_bytes = 0;
            }
        }
        if at_once {
            assembler.add(&ready).map_err(failed)?;
        } else {
            waiting.extend(ready.into_iter().filter_map(|entry| match entry {
                Entry::New(sprite) => Some(sprite),
                Entry::Kept(_) => None,
            }));
        }
        // As many as fit, because those that exceed the memory are loaded one by one.
        if all_bytes > MAX_LOADED_BYTES / 2 {
            at_a_time = (at_a_time / 2).max(MIN_SPRITES_PER_BATCH);
        } else if all_bytes < MAX_LOADED_BYTES / 8 {
            at_a_time = (2 * at_a_time).min(SPRITES_PER_BATCH);
        }
    }
    let Taken { mut infos, baked, stale, left_out } = taken;
    assembler.set_maps(maps(jobs, &stale, previous.as_ref())).map_err(failed)?;
    if infos.is_empty() {
        failures.none_yet()?;
    }
    if let Some(limit) = plan.max_bytes {
        fit(&mut waiting, limit)?;
        infos.iter_mut().zip(&waiting).for_each(|(info, sprite)| info.record_poses(sprite));
        let mut waiting = waiting.into_iter().map(Entry::New);
        for done in (0..infos.len()).step_by(SPRITES_PER_BATCH) {
            progress(done);
            let batch: Vec<Entry<'_>> = waiting.by_ref().take(SPRITES_PER_BATCH).collect();
            assembler.add(&batch).map_err(failed)?;
        }
    }
    progress(jobs.len());
    // Frees the previous atlas first, because the file may be assembled in memory.
    drop(loader);
    drop(previous);
    let atlas = assembler.finish(prefix).map_err(failed)?;
    let kept = jobs.len() - baked - left_out.len();
    Ok(Outcome { atlas, infos, kept, stale, left_out })
}

/// Returns the maps of the jobs, and those of the previous atlas whose sprites it still has.
fn maps(
    jobs: &[Job<'_>],
    stale: &BTreeMap<usize, Digest>,
    previous: Option<&PreviousAtlas<'_>>,
) -> Vec<Map> {
    let mut maps: Vec<Map> = jobs.iter().filter_map(|job| job.source.map().cloned()).collect();
    let is_of = |map: &Map, name: &str| {
        name.strip_prefix(&map.name).is_some_and(|rest| rest.starts_with('/'))
    };
    let old = previous.filter(|_| !stale.is_empty()).and_then(PreviousAtlas::file);
    for map in old.map(AtlasFile::maps).unwrap_or_default() {
        let is_known = maps.iter().any(|known| known.name == map.name);
        if !is_known && stale.keys().any(|&k| is_of(&map, &jobs[k].source.name)) {
            maps.push(map);
        }
    }
    maps
}

/// Returns the error of an atlas at `path` that cannot be built. A failure of the scratch file is one of
/// the output.
pub(super) fn unwritten(error: BuildError, path: &Path) -> BakeError {
    match error.fault {
        BuildFault::Scratch(cause) => BakeError::write(path, cause),
        _ => error.into(),
    }
}
