//! A bake that makes again only what has changed, by what the [`Cache`] remembers of the one
//! before.
//!
//! ```text
//! files --stamp, or else contents--> digests --with recipe and settings--> a key for each sprite
//! all keys as before, and the atlas too    -> nothing is done
//! else sprites of the same key             -> taken from the atlas before, the others baked
//! ```
//!
//! What it keeps true: the atlas is byte for byte that of a bake from nothing, whatever the cache
//! holds.

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
        // Times that count from now on, or of files that were written again as they were.
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

/// Looks at the sources of the atlas at `output`, and writes nothing. Gives whether the atlas is as
/// a bake would write it; and if it is not known to be, what need not be baked again.
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

/// Writes a cache; a note where that fails, which costs the next bake time and nothing else.
fn write(path: &Path, cache: &Cache) -> Option<CacheNote> {
    atomic_write::update(path, &cache.to_bytes()).err().and_then(CacheNote::not_written)
}

/// The digest of an atlas' header, which has checksums of all the rest: from the first of them on,
/// since its length is another once it is unpacked.
fn head(atlas: &[u8]) -> Digest {
    digest(atlas.get(24..192).unwrap_or(atlas))
}

/// The bake before, and the atlas it made.
struct Before {
    cache: Cache,
    /// The atlas as it is now.
    atlas: Seen,
    /// Its bytes, where they had to be read.
    file: Option<AtlasFile>,
}

impl Before {
    /// What is remembered, if the atlas at `output` is the one that it tells of.
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

    /// What need not be baked again; `None` where that is nothing.
    fn earlier(self, now: &Now<'_, '_>, plan: &Plan, output: &Path) -> Option<Earlier> {
        // Where all sprites share a limit, each depends on all others.
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
        // The header of the atlas was compared, which holds a checksum of the names too; this
        // spares a thought about a checksum that is right by chance.
        for (job, sprite) in now.jobs.iter().zip(&mut sprites) {
            let is_there =
                |&(i, _): &(usize, Fact)| i < file.len() && file.name(i) == job.source.name;
            *sprite = sprite.take().filter(is_there);
        }
        Some(Earlier { file, sprites })
    }
}

/// The sources as they are.
struct Now<'j, 's> {
    jobs: &'j [Job<'s>],
    plan: Digest,
    files: BTreeMap<PathBuf, Seen>,
    /// What decides each sprite; none where a file of its cannot be read.
    keys: Vec<Option<Digest>>,
}

impl<'j, 's> Now<'j, 's> {
    fn look(jobs: &'j [Job<'s>], plan: &Plan, before: Option<&Cache>) -> Self {
        let paths: BTreeSet<&Path> = jobs.iter().flat_map(|job| job.source.files()).collect();
        let paths: Vec<&Path> = paths.into_iter().collect();
        // Before the first of them is looked at: so that none can change unseen.
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

    /// True where nothing has changed since.
    fn is(&self, before: &Cache) -> bool {
        let sprites = self.jobs.iter().zip(&self.keys).zip(&before.sprites);
        before.plan == self.plan
            && before.sprites.len() == self.jobs.len()
            && sprites.into_iter().all(|((job, key), sprite)| {
                job.source.name == sprite.name() && *key == Some(sprite.key)
            })
    }

    /// What is to be remembered.
    fn cache(&self, facts: Vec<Fact>, atlas: Seen) -> Option<Cache> {
        let sprites = self.keys.iter().zip(facts);
        let sprites = sprites.map(|(key, fact)| Some(Sprite { key: (*key)?, fact }));
        let sprites = sprites.collect::<Option<_>>()?;
        Some(Cache { plan: self.plan, atlas, files: self.files.clone(), sprites })
    }
}
