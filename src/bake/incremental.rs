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

use super::binary::{Digest, digest};
use super::cache::{Cache, Seen, Sprite, Stamp};
use super::pipeline::{self, Earlier, Job, Plan};
use super::sprite_info::Fact;
use super::{BakeError, CacheNote, Report, atomic_write};
use crate::atlas::AtlasFile;
use crate::memory::parallel;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bakes into the atlas at `output`, with the cache at `cache`.
pub(super) fn bake(
    jobs: &[Job<'_>],
    plan: &Plan,
    output: &Path,
    cache: &Path,
    progress: &(dyn Fn(usize) + Send + Sync),
) -> Result<Report, BakeError> {
    let mut notes = Vec::new();
    let before = Before::read(cache, output, &mut notes);
    let now = Now::look(jobs, plan, before.as_ref().map(|before| &before.cache));
    if let Some(before) = before.as_ref().filter(|before| now.is(&before.cache)) {
        progress(jobs.len());
        let facts: Vec<Fact> = before.cache.sprites.iter().map(|s| s.fact.clone()).collect();
        let mut report = Report::of(&facts, before.atlas.stamp.len as usize);
        report.kept = jobs.len();
        // Stamps may differ although nothing changed: they have settled since, or files were
        // rewritten with equal contents.
        let next = now.cache(facts, before.atlas).filter(|next| *next != before.cache);
        notes.extend(next.and_then(|next| write(cache, &next)));
        report.notes = notes;
        return Ok(report);
    }
    let earlier = before.and_then(|before| before.earlier(&now, plan, output));
    let outcome = pipeline::bake(jobs, plan, earlier, progress)?;
    let mut report = Report::of(&outcome.facts, outcome.bytes.len());
    report.kept = outcome.kept;
    report.written = atomic_write::update(output, &outcome.bytes)?;
    let contents = head(&outcome.bytes);
    if let Some((stamp, is_settled)) = Stamp::of_new(output) {
        let next = now.cache(outcome.facts, Seen { stamp, is_settled, contents });
        notes.extend(next.and_then(|next| write(cache, &next)));
    }
    report.notes = notes;
    Ok(report)
}

/// Compares the sources with the atlas at `output`. Writes nothing. Returns whether the atlas is up
/// to date. If it is not known to be, also returns the sprites that can be copied.
pub(super) fn look(
    jobs: &[Job<'_>],
    plan: &Plan,
    output: &Path,
    cache: &Path,
) -> (bool, Option<Earlier>) {
    let before = Before::read(cache, output, &mut Vec::new());
    let now = Now::look(jobs, plan, before.as_ref().map(|before| &before.cache));
    match before {
        Some(before) if now.is(&before.cache) => (true, None),
        before => (false, before.and_then(|before| before.earlier(&now, plan, output))),
    }
}

/// Writes the cache. A failure costs only time in the next bake, so it becomes a note.
fn write(path: &Path, cache: &Cache) -> Option<CacheNote> {
    atomic_write::update(path, &cache.to_bytes()).err().and_then(CacheNote::not_written)
}

/// Returns the digest of the atlas header, which holds checksums of everything else. Starts at byte
/// 24, because the file length before it changes when a compact atlas is decompressed.
fn head(atlas: &[u8]) -> Digest {
    digest(atlas.get(24..192).unwrap_or(atlas))
}

/// The previous bake and the atlas that it wrote.
struct Before {
    cache: Cache,
    /// The atlas file as it is now.
    atlas: Seen,
    /// The atlas, if it had to be read.
    file: Option<AtlasFile>,
}

impl Before {
    /// Reads the cache, if the atlas at `output` is the one that it describes.
    fn read(path: &Path, output: &Path, notes: &mut Vec<CacheNote>) -> Option<Self> {
        let cache = match Cache::read(path) {
            Ok(cache) => cache?,
            Err(note) => {
                notes.push(note);
                return None;
            }
        };
        let (now, then) = (SystemTime::now(), cache.atlas);
        let stamp = Stamp::of(output)?;
        if then.is_settled && then.stamp == stamp {
            return Some(Self { cache, atlas: then, file: None });
        }
        let file =
            AtlasFile::read(output).ok().filter(|file| head(file.as_bytes()) == then.contents);
        if file.is_none() {
            notes.push(CacheNote::CacheOfOtherAtlas { path: path.to_owned() });
            return None;
        }
        let atlas = Seen { stamp, is_settled: stamp.is_settled(now), contents: then.contents };
        Some(Self { cache, atlas, file })
    }

    /// Returns the sprites that can be copied, or `None` if there are none.
    fn earlier(self, now: &Now<'_, '_>, plan: &Plan, output: &Path) -> Option<Earlier> {
        // A size limit makes each sprite depend on all others.
        if self.cache.plan != now.plan || plan.max_bytes.is_some() {
            return None;
        }
        let same = |(job, key): (&Job<'_>, &Option<Digest>)| {
            let i = self.cache.find(&job.source.name)?;
            let sprite = &self.cache.sprites[i];
            (Some(sprite.key) == *key).then(|| (i, sprite.fact.clone()))
        };
        let mut sprites: Vec<_> = now.jobs.iter().zip(&now.keys).map(same).collect();
        if sprites.iter().all(Option::is_none) {
            return None;
        }
        let file = match self.file {
            Some(file) => file,
            None => AtlasFile::read(output).ok()?,
        };
        if head(file.as_bytes()) != self.atlas.contents || file.is_compact() != plan.compact {
            return None;
        }
        // The compared header has a checksum of the names. This check covers a checksum that
        // matches by chance.
        for (job, sprite) in now.jobs.iter().zip(&mut sprites) {
            let is_there =
                |&(i, _): &(usize, Fact)| i < file.len() && file.name(i) == job.source.name;
            *sprite = sprite.take().filter(is_there);
        }
        Some(Earlier { file, sprites })
    }
}

/// The sources as they are now.
struct Now<'j, 's> {
    jobs: &'j [Job<'s>],
    plan: Digest,
    files: BTreeMap<PathBuf, Seen>,
    /// The key of each sprite. `None` if one of its files cannot be read.
    keys: Vec<Option<Digest>>,
}

impl<'j, 's> Now<'j, 's> {
    fn look(jobs: &'j [Job<'s>], plan: &Plan, before: Option<&Cache>) -> Self {
        let paths: BTreeSet<&Path> = jobs.iter().flat_map(|job| job.source.files()).collect();
        let paths: Vec<&Path> = paths.into_iter().collect();
        // Taken before the first file is read, so that a later change has a later time.
        let now = SystemTime::now();
        let seen = parallel::map(&paths, |path| {
            let stamp = Stamp::of(path)?;
            let then = before.and_then(|before| before.files.get(*path));
            match then.filter(|then| then.is_settled && then.stamp == stamp) {
                Some(then) => Some(*then),
                None => {
                    let contents = digest(fs::read(path).ok()?.as_slice());
                    Some(Seen { stamp, is_settled: stamp.is_settled(now), contents })
                }
            }
        });
        let found =
            paths.iter().zip(seen).filter_map(|(path, seen)| Some((path.to_path_buf(), seen?)));
        let files: BTreeMap<PathBuf, Seen> = found.collect();
        let keys = parallel::map(jobs, |job| {
            let contents =
                job.source.files().into_iter().map(|path| Some(files.get(path)?.contents));
            let contents = contents.collect::<Option<Vec<Digest>>>()?;
            Some(digest(&(&job.source.content, job.settings.bits(), contents)))
        });
        let Plan { resolution, max_bytes, compact } = *plan;
        Self { jobs, plan: digest(&(resolution.to_bits(), max_bytes, compact)), files, keys }
    }

    /// Returns true if nothing has changed since the previous bake.
    fn is(&self, before: &Cache) -> bool {
        let sprites = self.jobs.iter().zip(&self.keys).zip(&before.sprites);
        before.plan == self.plan
            && before.sprites.len() == self.jobs.len()
            && sprites.into_iter().all(|((job, key), sprite)| {
                job.source.name == sprite.name() && *key == Some(sprite.key)
            })
    }

    /// Returns the cache to write, or `None` if a file could not be read.
    fn cache(&self, facts: Vec<Fact>, atlas: Seen) -> Option<Cache> {
        let sprites = self.keys.iter().zip(facts);
        let sprites = sprites.map(|(key, fact)| Some(Sprite { key: (*key)?, fact }));
        let sprites = sprites.collect::<Option<_>>()?;
        Some(Cache { plan: self.plan, atlas, files: self.files.clone(), sprites })
    }
}
