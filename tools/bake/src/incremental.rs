//! Incremental bakes: bakes only the sprites that have changed since the bake that the [`Cache`]
//! describes.
//!
//! ```text
//! files --stamp, or else contents--> digests --with recipe and settings--> one key per sprite
//! all keys and the atlas unchanged   -> nothing is written
//! otherwise                          -> sprites with equal keys are copied, the others are baked
//! ```
//!
//! Called by `Bake::write` and `Bake::check` if a cache is set. Invariant: the atlas equals that of
//! a full bake byte for byte, whatever the cache holds.

use crate::atomic_write::{self, Replacement};
use crate::binary::{Digest, digest};
use crate::cache::{Cache, FileState, Sprite, Stamp};
use crate::error::BakeError;
use crate::failures::Failures;
use crate::image::Images;
use crate::job::{Job, Plan};
use crate::output_guard;
use crate::pipeline::{self, Outcome, Output};
use crate::previous::PreviousAtlas;
use crate::report::{CacheNote, Report};
use crate::shard;
use hitmask::Warning;
use hitmask::baking::{AtlasFile, SpriteInfo};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bakes into the atlas or the shard at `output`, which is `previous` before, with the cache at `cache`.
pub(super) fn bake(
    jobs: Vec<Job<'_>>,
    plan: &Plan,
    (output, previous): (&Path, PreviousAtlas<'_>),
    cache: &Path,
    failures: &mut Failures,
    progress: &(dyn Fn(usize) + Send + Sync),
    others: &dyn Fn(&Report) -> Vec<Warning>,
) -> Result<Report, BakeError> {
    let mut notes = Vec::new();
    let prior = PriorBake::read(cache, output, shard::start(plan), &mut notes);
    let files = files(&jobs, prior.as_ref().map(|prior| &prior.cache));
    let (head, jobs) = shard::part(jobs, plan, &files)?;
    let now = CurrentSources::new(&jobs, plan, files);
    let has_head = || output_guard::first_bytes(output, head.len()).is_ok_and(|it| it == head);
    if let Some(prior) = prior.as_ref().filter(|prior| now.is(&prior.cache) && has_head()) {
        progress(jobs.len());
        let infos: Vec<SpriteInfo> = prior.cache.sprites.iter().map(|s| s.info.clone()).collect();
        let mut report = Report::new(&infos, prior.atlas.stamp.len as usize);
        report.kept = jobs.len();
        let found = others(&report);
        // Stamps may differ although nothing changed: they have settled since, or files were
        // rewritten with equal contents.
        let sprites = now.sprites(infos, &BTreeSet::new(), &BTreeMap::new());
        let next = sprites.map(|sprites| now.cache(sprites, prior.atlas, &found));
        let next = next.filter(|next| *next != prior.cache);
        notes.extend(next.and_then(|next| write(cache, &next)));
        report.notes = notes;
        report.warnings.extend(found);
        return Ok(report);
    }
    let previous = match prior {
        Some(prior) => prior.previous(&now, plan, previous),
        None => previous,
    };
    let mut new = Replacement::new(output)?;
    let to_file = Output::to_file(output, &head, &mut new);
    let outcome = pipeline::bake(&jobs, plan, Some(previous), to_file, failures, progress)?;
    let Outcome { atlas, infos, kept, stale, left_out } = outcome;
    let contents = atlas.digest(&head);
    let (bytes, written) = new.store(atlas)?;
    let mut report = Report { kept, written, ..Report::new(&infos, bytes) };
    report.stale = stale.keys().map(|&k| jobs[k].source.name.clone()).collect();
    let found = others(&report);
    if let Some((stamp, is_settled)) = Stamp::of_new(output) {
        let atlas = FileState { stamp, is_settled, contents, images: Images::default() };
        let sprites = now.sprites(infos, &left_out, &stale);
        let next = sprites.map(|sprites| now.cache(sprites, atlas, &found));
        notes.extend(next.and_then(|next| write(cache, &next)));
    }
    report.notes = notes;
    report.warnings.extend(found);
    Ok(report)
}

impl Report {
    /// Returns the report of the bake that wrote the atlas at `atlas`, from its
    /// [cache](crate::Bake::cache). It has no failures and no notes. Returns `None` if the cache is missing
    /// or damaged, or describes another atlas.
    ///
    /// ```
    /// assert!(hitmask_bake::Report::of_cache("no.hitmask", "no.cache").is_none());
    /// ```
    #[must_use]
    pub fn of_cache(atlas: impl AsRef<Path>, cache: impl AsRef<Path>) -> Option<Self> {
        let prior = PriorBake::read(cache.as_ref(), atlas.as_ref(), 0, &mut Vec::new())?;
        let infos: Vec<SpriteInfo> = prior.cache.sprites.into_iter().map(|s| s.info).collect();
        let mut report = Self::new(&infos, prior.atlas.stamp.len as usize);
        report.warnings.extend(prior.cache.others);
        Some(report)
    }
}

/// Compares the sources with the atlas at `output`. Writes nothing. Returns whether the atlas is up
/// to date. If it is not known to be, also returns the sprites that can be copied.
pub(super) fn look<'p>(
    jobs: &[Job<'_>],
    plan: &Plan,
    output: &'p Path,
    cache: &Path,
) -> (bool, Option<PreviousAtlas<'p>>) {
    let prior = PriorBake::read(cache, output, 0, &mut Vec::new());
    let files = files(jobs, prior.as_ref().map(|prior| &prior.cache));
    let now = CurrentSources::new(jobs, plan, files);
    match prior {
        Some(prior) if now.is(&prior.cache) => (true, None),
        prior => {
            let previous =
                |prior: PriorBake| prior.previous(&now, plan, PreviousAtlas::at(output, 0));
            (false, prior.map(previous))
        }
    }
}

/// Writes the cache. A failure costs only time in the next bake, so it becomes a note.
fn write(path: &Path, cache: &Cache) -> Option<CacheNote> {
    atomic_write::update(path, &cache.to_bytes()).err().and_then(CacheNote::not_written)
}

/// The previous bake and the atlas that it wrote.
struct PriorBake {
    cache: Cache,
    /// The atlas file as it is now.
    atlas: FileState,
    /// The atlas, if it had to be read.
    file: Option<AtlasFile>,
}

impl PriorBake {
    /// Reads the cache, if the atlas from byte `start` of the file at `output` is the one that it describes.
    fn read(path: &Path, output: &Path, start: u64, notes: &mut Vec<CacheNote>) -> Option<Self> {
        let cache = match Cache::read(path) {
            Ok(cache) => cache?,
            Err(note) => {
                notes.push(note);
                return None;
            }
        };
        let (now, previous) = (SystemTime::now(), cache.atlas);
        let stamp = Stamp::of(output)?;
        if previous.is_settled && previous.stamp == stamp {
            return Some(Self { cache, atlas: previous, file: None });
        }
        let file = AtlasFile::read(output, start).ok();
        let file = file.filter(|file| file.digest() == previous.contents);
        if file.is_none() {
            notes.push(CacheNote::CacheOfOtherAtlas { path: path.to_owned() });
            return None;
        }
        let atlas = FileState { stamp, is_settled: stamp.is_settled(now), ..previous };
        Some(Self { cache, atlas, file })
    }

    /// Returns the atlas that the bake wrote, with the sprites that can be copied.
    fn previous<'p>(
        self,
        now: &CurrentSources<'_, '_>,
        plan: &Plan,
        mut previous: PreviousAtlas<'p>,
    ) -> PreviousAtlas<'p> {
        if let Some(file) = self.file {
            previous = previous.with_file(file);
        }
        // A size limit makes each sprite depend on all others.
        if self.cache.plan == now.plan && plan.max_bytes.is_none() {
            let same = |(job, key): (&Job<'_>, &Option<Digest>)| {
                let i = self.cache.find(&job.source.name)?;
                let sprite = &self.cache.sprites[i];
                (Some(sprite.key) == *key).then(|| (i, sprite.info.clone()))
            };
            let mut sprites: Vec<_> = now.jobs.iter().zip(&now.keys).map(same).collect();
            // The atlas is read only if a sprite of it is needed.
            let file = sprites.iter().any(Option::is_some).then(|| previous.file()).flatten();
            let is_it = |file: &&AtlasFile| {
                file.digest() == self.atlas.contents && file.is_compact() == plan.compact
            };
            if let Some(file) = file.filter(is_it) {
                // The compared header has a checksum of the names. This check covers a checksum that
                // matches by chance.
                for (job, sprite) in now.jobs.iter().zip(&mut sprites) {
                    let is_there = |&(i, _): &(usize, SpriteInfo)| {
                        i < file.len() && file.name(i) == job.source.name
                    };
                    *sprite = sprite.take().filter(is_there);
                }
                previous.unchanged = sprites;
            }
        }
        previous.known = self.cache.sprites;
        previous
    }
}

/// The sources as they are now.
struct CurrentSources<'j, 's> {
    jobs: &'j [Job<'s>],
    plan: Digest,
    files: BTreeMap<PathBuf, FileState>,
    /// The key of each sprite. `None` if one of its files cannot be read.
    keys: Vec<Option<Digest>>,
}

/// Returns the states of the files of these jobs that can be read. A file with the stamp that the cache has is
/// not read.
pub(super) fn files(jobs: &[Job<'_>], prior: Option<&Cache>) -> BTreeMap<PathBuf, FileState> {
    let paths: BTreeSet<&Path> = jobs.iter().flat_map(|job| job.source.files()).collect();
    let paths: Vec<&Path> = paths.into_iter().collect();
    // Taken before the first file is read, so that a later change has a later time.
    let now = SystemTime::now();
    let seen: Vec<_> = paths
        .par_iter()
        .map(|path| {
            let stamp = Stamp::of(path)?;
            let previous = prior.and_then(|prior| prior.files.get(*path));
            match previous.filter(|previous| previous.is_settled && previous.stamp == stamp) {
                Some(previous) => Some(*previous),
                None => Some(FileState::new(path, &fs::read(path).ok()?, stamp, now)),
            }
        })
        .collect();
    let found = paths.iter().zip(seen).filter_map(|(path, seen)| Some((path.to_path_buf(), seen?)));
    found.collect()
}

impl<'j, 's> CurrentSources<'j, 's> {
    fn new(jobs: &'j [Job<'s>], plan: &Plan, files: BTreeMap<PathBuf, FileState>) -> Self {
        let keys = jobs
            .par_iter()
            .map(|job| {
                if job.source.fault.is_some() {
                    return None;
                }
                let contents =
                    job.source.files().into_iter().map(|path| Some(files.get(path)?.contents));
                let contents = contents.collect::<Option<Vec<Digest>>>()?;
                Some(digest(&(&job.source.content, &*job.settings, contents)))
            })
            .collect();
        // The limits decide whether a file is decoded, not what it gives.
        let Plan { resolution, max_bytes, compact, shard, .. } = *plan;
        let plan = digest(&(resolution.to_bits(), max_bytes, compact, shard.is_some()));
        Self { jobs, plan, files, keys }
    }

    /// Returns true if nothing has changed since the previous bake.
    fn is(&self, prior: &Cache) -> bool {
        let sprites = self.jobs.iter().zip(&self.keys).zip(&prior.sprites);
        prior.plan == self.plan
            && prior.sprites.len() == self.jobs.len()
            && sprites.into_iter().all(|((job, key), sprite)| {
                job.source.name == sprite.name() && *key == Some(sprite.key)
            })
    }

    /// Returns the sprites of the cache to write, or `None` if a file could not be read. `left_out` has the
    /// indices of jobs that are not in the atlas, and `stale` the keys of those with old masks.
    fn sprites(
        &self,
        infos: Vec<SpriteInfo>,
        left_out: &BTreeSet<usize>,
        stale: &BTreeMap<usize, Digest>,
    ) -> Option<Vec<Sprite>> {
        let keys = self.keys.iter().enumerate().filter(|(i, _)| !left_out.contains(i));
        let keys = keys.map(|(i, key)| stale.get(&i).copied().or(*key));
        keys.zip(infos).map(|(key, info)| Some(Sprite { key: key?, info })).collect()
    }

    /// Returns the cache to write.
    fn cache(&self, sprites: Vec<Sprite>, atlas: FileState, others: &[Warning]) -> Cache {
        let (files, others) = (self.files.clone(), others.to_vec());
        Cache { plan: self.plan, atlas, files, sprites, others }
    }
}
