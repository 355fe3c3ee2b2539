//! What a bake ends in: bytes, a file, the files of a build script, or a word on an atlas that is
//! there.

use super::inputs::Source;
use super::output_guard::{self, Kind};
use super::pipeline::{self, Job, Outcome};
use super::{Bake, BakeError, CheckReport, Report, Warning};
use super::{atomic_write, build_script, incremental, shard, staleness};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl Bake {
    /// The bytes of the atlas, or of the [shard](Self::shard).
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BakeError> {
        Ok(self.bake(self.jobs()?)?.bytes)
    }

    /// Bakes and writes the atlas to a file, all or nothing: bytes go to a new file beside it and to
    /// the disk, and then that file takes its name. A bake that fails, or is killed at any moment,
    /// leaves what was there before. A file that holds the same bytes already is left alone, and
    /// keeps its time. Of a link the file is replaced that it points to.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked, or where the
    /// file cannot be written; and before anything is baked [`BakeError::Output`] where the path is
    /// that of a source, of a folder or a device, or of a file that is neither empty nor an atlas,
    /// or no [shard](Self::shard) where one is baked.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<Report, BakeError> {
        self.write_with(path.as_ref(), self.cache.as_deref())
    }

    /// For build scripts: bakes into `OUT_DIR`, writes an id for each sprite beside the atlas,
    /// and tells cargo to run the script again when a source changes or one is added. A bake that
    /// is slow because build scripts are compiled without optimisation says so in a warning. In
    /// the game, [`include_atlas!`](crate::include_atlas) with the same `name` brings both in.
    ///
    /// When the script runs again, what has not changed is not baked again: its
    /// [cache](Self::cache) lies in `OUT_DIR` too, unless another was given. Files that would be
    /// the same are left alone, so that cargo does not compile the game for their sake.
    ///
    /// The id of a sprite is its name in capitals, with `_` for whatever is no letter or digit:
    /// `enemies/ship-1` becomes `ENEMIES_SHIP_1`.
    ///
    /// # Errors
    /// As [`write`](Self::write), and where two names give one id or this is no build script.
    pub fn write_out_dir(&self, name: &str) -> Result<Report, BakeError> {
        let folder = std::env::var_os("OUT_DIR").ok_or(BakeError::NoOutDir)?;
        let folder = Path::new(&folder);
        let mut names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        names.sort_unstable();
        let source = build_script::source(name, &names)?;
        let beside = folder.join(format!("{name}.hitmask.cache"));
        let cache = self.cache.as_deref().unwrap_or(&beside);
        let report = self.write_with(&folder.join(format!("{name}.hitmask")), Some(cache))?;
        atomic_write::update(&folder.join(format!("{name}.rs")), source.as_bytes())?;
        for path in build_script::watched(self.watched().iter().map(PathBuf::as_path)) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        let is_work = report.bytes > build_script::WORTH_OPTIMISING && report.kept < report.sprites;
        if is_work && build_script::is_unoptimised() {
            println!("cargo::warning={}", build_script::UNOPTIMISED);
        }
        Ok(report)
    }

    /// Says whether the atlas in a file is what [`write`](Self::write) would put there, and which
    /// sprites differ: for tests and CI, where the atlas is kept beside its art. Writes nothing.
    /// A [cache](Self::cache) that tells of the atlas makes it fast; without one everything is
    /// baked. The atlas is compared whole, of a [shard](Self::shard) too.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked. That the atlas
    /// is not there, or cannot be read, is an answer; [`BakeError::Output`] where the path is that of
    /// a folder, a device or a pipe.
    pub fn check(&self, path: impl AsRef<Path>) -> Result<CheckReport, BakeError> {
        let jobs = self.jobs()?;
        let cache = self.cache.as_deref();
        // Opening a pipe would wait for a writer.
        if let Err(refused @ BakeError::Output { .. }) = output_guard::follow(path.as_ref()) {
            return Err(refused);
        }
        staleness::check(&jobs, &self.plan, path.as_ref(), cache, &self.on_progress())
    }

    /// The files and folders a change to which calls for another bake: all sources, and the folders
    /// in which others may come.
    #[must_use]
    pub fn watched(&self) -> Vec<PathBuf> {
        let read = self.sources.iter().flat_map(Source::files);
        let all = self.watched.iter().map(PathBuf::as_path).chain(read);
        all.map(Path::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn write_with(&self, path: &Path, cache: Option<&Path>) -> Result<Report, BakeError> {
        let (plan, progress) = (&self.plan, self.on_progress());
        let jobs = self.jobs()?;
        let kind = if self.shard.is_some() { Kind::Shard } else { Kind::Atlas };
        output_guard::check_output(path, kind, || self.watched())?;
        let cache = cache.filter(|_| self.shard.is_none());
        let note = match cache {
            Some(cache) => output_guard::check_cache(cache, path, || self.watched())?,
            None => None,
        };
        let mut report = match cache.filter(|_| note.is_none()) {
            Some(cache) => incremental::bake(&jobs, plan, path, cache, &progress)?,
            None => {
                let outcome = self.bake(jobs)?;
                let written = atomic_write::update(path, &outcome.bytes)?;
                Report { written, ..Report::of(&outcome.facts, outcome.bytes.len()) }
            }
        };
        report.notes.extend(note);
        if report.bytes as u64 > self.budget {
            let (sprite, budget) = (report.largest.clone(), self.budget);
            let bytes = report.bytes as u64;
            report.warnings.push(Warning::OverBudget { sprite, bytes, budget });
        }
        Ok(report)
    }

    fn jobs(&self) -> Result<Vec<Job<'_>>, BakeError> {
        pipeline::jobs(&self.sources, &self.settings, self.plan.resolution)
    }

    /// Bakes everything that is asked for.
    fn bake(&self, jobs: Vec<Job<'_>>) -> Result<Outcome, BakeError> {
        let Some(shard) = self.shard else {
            return pipeline::bake(&jobs, &self.plan, None, &self.on_progress());
        };
        shard::check(shard, &self.plan)?;
        let head = shard::head(&jobs, &self.plan, shard);
        let jobs = shard::jobs(jobs, shard);
        let outcome = pipeline::bake(&jobs, &self.plan, None, &self.on_progress())?;
        Ok(Outcome { bytes: [head, outcome.bytes].concat(), ..outcome })
    }

    fn on_progress(&self) -> impl Fn(usize) + Send + Sync {
        |done| {
            if let Some(report) = &self.progress {
                report(done, self.sources.len());
            }
        }
    }
}
