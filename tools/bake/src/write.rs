//! The outputs of a bake: bytes, a file, the files of a build script, and the check of an existing
//! atlas.
//!
//! Part of the public API. Every output goes through `output_guard` first and `atomic_write` last.

use crate::atomic_write::{self, Replacement};
use crate::bake::Bake;
use crate::cache::Cache;
use crate::error::{BakeError, BakeFault};
use crate::failures::{self, Failures, Unopened};
use crate::image::{self, Grid};
use crate::job::{self, Job, Plan};
use crate::output_guard::{self, Kind};
use crate::pipeline::{self, Outcome, Output};
use crate::previous::PreviousAtlas;
use crate::report::Report;
use crate::source::Source;
use crate::staleness::{self, CheckReport};
use crate::{build_script, incremental, shard};
use hitmask::{AtlasOptions, Warning};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

impl Bake {
    /// Returns the bytes of the atlas, or of the [shard](Self::shard). The whole atlas is in memory:
    /// [`write`](Self::write) takes less.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked.
    /// [`keep_going`](Self::keep_going) does not change that.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BakeError> {
        Ok(self.bake(self.all_jobs()?, None, &mut Failures::default())?.into_bytes())
    }

    /// Bakes and writes the atlas to a file atomically. The bytes go to a new file in the same
    /// folder, which is flushed to disk and renamed. A bake that fails or is killed leaves the
    /// previous file unchanged. A file that already holds the same bytes is left alone and keeps
    /// its times. If the path is a symbolic link, the target of the link is replaced.
    ///
    /// Memory does not follow the size of the atlas: masks above 16 MiB grow in the new file. A bake
    /// takes about 100 MB, about 60 bytes per pose, and the memory of the images that are being
    /// decoded. A [compact](Self::compact) bake also holds all source masks, uncompressed. So does a
    /// bake with [`max_bytes`](Self::max_bytes), because its sprites depend on each other.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked, or if the file
    /// cannot be written. Before anything is baked, [`BakeFault::Output`] if the path is a source,
    /// a folder or a device. The same if the file is neither empty nor an atlas; for a
    /// [shard](Self::shard), nor a shard.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<Report, BakeError> {
        self.write_with(path.as_ref(), self.cache.as_deref())
    }

    /// Bakes into `OUT_DIR`, for build scripts. Writes Rust source with an id for each sprite next
    /// to the atlas. Tells cargo to run the script again when a source changes or is added. In the
    /// game, [`include_atlas!`](hitmask::include_atlas) with the same `name` includes both files.
    ///
    /// Prints the lines of [`Report::summary`] as warnings of cargo: one per kind. One more says if
    /// the bake is slow because build scripts are compiled without optimisation.
    ///
    /// A file that cannot be baked ends the build, and the files in `OUT_DIR` stay as they are. With
    /// [`keep_going`](Self::keep_going) its sprites keep the masks of the last build, with a warning.
    ///
    /// When the script runs again, only changed sprites are baked. The [cache](Self::cache) is in
    /// `OUT_DIR` too, unless another one is set. Files that would not change are left alone, so
    /// that cargo does not recompile the game.
    ///
    /// The id of a sprite is its name in capitals, with `_` for characters that a Rust identifier
    /// cannot have: `enemies/ship-1` becomes `ENEMIES_SHIP_1`. Letters of all scripts are kept.
    ///
    /// # Errors
    /// As [`write`](Self::write). Also if two names give the same id, or if this is not a build
    /// script.
    pub fn write_out_dir(&self, name: &str) -> Result<Report, BakeError> {
        let folder = std::env::var_os("OUT_DIR").ok_or_else(|| {
            let cause = "the variable OUT_DIR is not set, so this is not a build script";
            BakeError::new(BakeFault::Option, cause, "call write() with a path instead")
        })?;
        let folder = Path::new(&folder);
        let mut names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        names.sort_unstable();
        // Refuses names before the bake.
        build_script::source(name, None, &names).map_err(|clash| self.settled(clash))?;
        let beside = folder.join(format!("{name}.hitmask.cache"));
        let cache = self.cache.as_deref().unwrap_or(&beside);
        let path = folder.join(format!("{name}.hitmask"));
        let report = self.write_with(&path, Some(cache))?;
        if !report.failures.is_empty() {
            names = report.each.iter().map(|one| one.sprite.as_str()).collect();
        }
        // A shard has no id. No atlas can be opened there.
        let id = AtlasOptions::UNLIMITED.open(&path).map(|atlas| atlas.id());
        let source = build_script::source(name, id.ok(), &names);
        let source = source.map_err(|clash| self.settled(clash))?;
        atomic_write::update(&folder.join(format!("{name}.rs")), source.as_bytes())?;
        for path in build_script::watched(self.watched().iter().map(PathBuf::as_path)) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        for line in report.summary() {
            println!("cargo::warning={line}");
        }
        if let Some(line) = report.opaque_line() {
            println!("cargo::warning={line}");
        }
        let is_work =
            report.bytes > build_script::OPTIMISE_ABOVE_BYTES && report.kept < report.sprites;
        if is_work && build_script::is_unoptimised() {
            println!("cargo::warning={}", build_script::UNOPTIMISED_WARNING);
        }
        Ok(report)
    }

    /// Compares the atlas in a file with the result of [`write`](Self::write), and names the
    /// sprites that differ. Use it in tests and CI if the atlas is committed next to its images.
    /// Writes nothing. A [cache](Self::cache) of this atlas makes the check fast. Without one, all
    /// sprites are baked. The whole atlas is compared, even if a [shard](Self::shard) is set. The new
    /// atlas is in memory meanwhile.
    ///
    /// # Errors
    /// [`BakeError`] for the first source, in order of names, that cannot be baked.
    /// [`BakeFault::Output`] if the path is a folder, a device or a pipe. A missing or unreadable
    /// atlas is not an error but a result.
    pub fn check(&self, path: impl AsRef<Path>) -> Result<CheckReport, BakeError> {
        let (jobs, plan) = (self.all_jobs()?, Plan { shard: None, ..self.plan });
        let cache = self.cache.as_deref();
        // Opening a pipe would wait for a writer.
        if let Err(error) = output_guard::follow(path.as_ref())
            && matches!(error.fault, BakeFault::Output { .. })
        {
            return Err(error);
        }
        staleness::check(&jobs, &plan, path.as_ref(), cache, &self.on_progress())
    }

    /// Returns the files and folders whose change makes a new bake necessary. These are all
    /// sources, and the folders in which new sources may appear.
    #[must_use]
    pub fn watched(&self) -> Vec<PathBuf> {
        let read = self.sources.iter().flat_map(Source::files);
        let all = self.watched.iter().map(PathBuf::as_path).chain(read);
        all.map(Path::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the image file whose pictures are the frames of a sprite, unchanged and in order, and the grid
    /// that cuts them.
    ///
    /// # Errors
    /// The reason as a predicate of the sprite, such as `is mirrored by flip`, for all other sprites: those of
    /// descriptions, tags, regions, flips and masks.
    pub fn image_of(&self, sprite: &str) -> Result<(&Path, Option<Grid>), &'static str> {
        let found = self.sources.iter().find(|source| source.name == sprite);
        found.map_or(Err("is not a sprite of this bake"), Source::image)
    }

    /// Adds to the error of two names with one constant the lines of a manifest that settle it.
    fn settled(&self, clash: BakeError) -> BakeError {
        let is_it = |source: &&Source| Some(&source.name) == clash.place.sprite.as_ref();
        let Some(source) = self.sources.iter().find(is_it) else { return clash };
        let names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        match build_script::manifest_lines(&source.name, source.origin().as_deref(), &names) {
            Some(lines) => clash.with_help(format!("give one of them a name of its own{lines}")),
            None => clash,
        }
    }

    fn write_with(&self, path: &Path, cache: Option<&Path>) -> Result<Report, BakeError> {
        let (plan, progress) = (&self.plan, self.on_progress());
        let (mut failures, mut jobs);
        if plan.shard.is_some() {
            (failures, jobs) = (Failures::default(), self.all_jobs()?);
        } else {
            failures = self.failures.clone();
            jobs = self.jobs(&mut failures)?;
        }
        let kind = if plan.shard.is_some() { Kind::Shard } else { Kind::Atlas };
        output_guard::check_output(path, kind, || self.watched())?;
        let previous = PreviousAtlas::at(path, shard::start(plan));
        let lost = match plan.shard {
            Some(_) => Vec::new(),
            None => self.lost(&mut jobs, &previous, cache, &mut failures)?,
        };
        jobs.extend(
            lost.iter().map(|source| Job { source, settings: source.settings(&self.settings) }),
        );
        jobs.sort_by(|a, b| a.source.name.cmp(&b.source.name));
        // Also if the bake writes no file.
        for written in [Some(path), cache].into_iter().flatten() {
            if let Ok(target) = output_guard::follow(written) {
                atomic_write::remove_abandoned(&target);
            }
        }
        let note = match cache {
            Some(cache) => output_guard::check_cache(cache, path, || self.watched())?,
            None => None,
        };
        let mut report = match cache.filter(|_| note.is_none()) {
            Some(cache) => {
                let others = |report: &Report| self.other_warnings(report);
                let atlas = (path, previous);
                incremental::bake(jobs, plan, atlas, cache, &mut failures, &progress, &others)?
            }
            None => {
                let mut new = Replacement::new(path)?;
                let names: Vec<String> = jobs.iter().map(|job| job.source.name.clone()).collect();
                let outcome = self.bake(jobs, Some((path, &mut new, previous)), &mut failures)?;
                let (bytes, written) = new.store(outcome.atlas)?;
                let mut report = Report { written, ..Report::new(&outcome.infos, bytes) };
                report.kept = outcome.stale.len();
                report.stale = outcome.stale.keys().map(|&k| names[k].clone()).collect();
                let others = self.other_warnings(&report);
                report.warnings.extend(others);
                report
            }
        };
        report.notes.extend(note);
        report.failures = failures.into_files();
        Ok(report)
    }

    /// Returns a source for each sprite of the previous atlas that has none, because a file or folder could
    /// not be opened. A file that was passed over as no image, but had a sprite, is faulty too. Removes images
    /// that may be pages of sheets which could not be opened: they are no sprites of the previous atlas.
    fn lost(
        &self,
        jobs: &mut Vec<Job<'_>>,
        previous: &PreviousAtlas<'_>,
        cache: Option<&Path>,
        failures: &mut Failures,
    ) -> Result<Vec<Source>, BakeError> {
        // A file that the last bake passed over too has had no sprite.
        let was_foreign = |warning: &Warning| {
            let cache = cache.and_then(|path| Cache::read(path).ok()?);
            cache.is_some_and(|cache| cache.others.contains(warning))
        };
        let is_known =
            |name: &str| jobs.binary_search_by(|job| (*job.source.name).cmp(name)).is_ok();
        for warning in &self.foreign {
            if let Warning::NotAnImage { sprite, path } = warning {
                let error = BakeError::not_an_image(path, "");
                let unopened = Unopened::new(sprite, path, error.clone());
                let had_sprite = |name: &str| unopened.may_have(name) && !is_known(name);
                if previous.names().any(had_sprite) && !was_foreign(warning) {
                    failures.skip_sprites::<()>(sprite, path, Err(error))?;
                }
            }
        }
        if failures.unopened().is_empty() {
            return Ok(Vec::new());
        }
        let old: BTreeSet<&str> = previous.names().collect();
        let was_there = |it: &&Unopened| old.iter().any(|name| it.may_have(name));
        let faulty = failures.unopened().iter().filter(was_there);
        let sheets = faulty.filter(|it| image::may_be_sheet(&it.path));
        let folders: Vec<&Path> = sheets.filter_map(|it| it.path.parent()).collect();
        let may_be_page = |source: &Source| {
            let path = source.origin().filter(|_| source.is_whole_file());
            path.is_some_and(|path| folders.iter().any(|folder| path.starts_with(folder)))
        };
        jobs.retain(|job| old.contains(job.source.name.as_str()) || !may_be_page(job.source));
        let known: BTreeSet<&str> = jobs.iter().map(|job| job.source.name.as_str()).collect();
        let faulty = |name: &str| {
            let of = failures.unopened().iter().find(|unopened| unopened.may_have(name))?;
            Some(Source::faulty(name, &of.path, of.error.clone()))
        };
        Ok(previous.names().filter(|name| !known.contains(name)).filter_map(faulty).collect())
    }

    /// Returns the warnings that concern the whole atlas, files, or the limits of this bake.
    fn other_warnings(&self, report: &Report) -> Vec<Warning> {
        let mut warnings = self.error_warnings(report);
        // A file whose sprite is stale is a failure.
        let is_failure = |warning: &&Warning| {
            let is_of = |name: &String| failures::may_have(warning.sprite(), name);
            matches!(warning, Warning::NotAnImage { .. }) && report.stale.iter().any(is_of)
        };
        // A sheet that is a source too needs no warning, unless the image is its page.
        let is_baked = |warning: &&Warning| {
            let Warning::Page { sprite, path } = warning else { return false };
            let image = self.sources.iter().find(|source| source.name == *sprite);
            let image = image.and_then(Source::origin);
            let sheets = self.sources.iter().map(Source::files);
            let of_sheet: Vec<&Path> =
                sheets.filter(|files| files.contains(&&**path)).flatten().collect();
            !of_sheet.is_empty() && !of_sheet.iter().any(|file| Some(*file) == image.as_deref())
        };
        let is_told = |warning: &&Warning| !is_failure(warning) && !is_baked(warning);
        warnings.extend(self.foreign.iter().filter(is_told).cloned());
        if report.bytes as u64 > self.budget {
            let (sprite, budget) = (report.largest.clone(), self.budget);
            let bytes = report.bytes as u64;
            warnings.push(Warning::OverBudget { sprite, bytes, budget });
        }
        warnings
    }

    /// Returns a warning for each sprite whose error exceeds its limit.
    fn error_warnings(&self, report: &Report) -> Vec<Warning> {
        let settings = |source: &'_ Source| {
            source.settings.as_ref().unwrap_or(&self.settings).sprite.max_error
        };
        let limits: BTreeMap<&str, Option<f32>> =
            self.sources.iter().map(|source| (&*source.name, settings(source))).collect();
        let limit = |sprite: &str| limits.get(sprite).copied().flatten();
        report.each.iter().filter_map(|one| one.over_error(limit(&one.sprite))).collect()
    }

    fn jobs(&self, failures: &mut Failures) -> Result<Vec<Job<'_>>, BakeError> {
        job::jobs(&self.sources, &self.settings, self.plan.resolution, failures)
    }

    /// Returns all jobs, or an error if a file was left out.
    fn all_jobs(&self) -> Result<Vec<Job<'_>>, BakeError> {
        self.failures.none_yet()?;
        self.jobs(&mut Failures::default())
    }

    /// Bakes all sprites, or those of the shard, to a file or to memory.
    fn bake(
        &self,
        jobs: Vec<Job<'_>>,
        file: Option<(&Path, &mut Replacement, PreviousAtlas<'_>)>,
        failures: &mut Failures,
    ) -> Result<Outcome, BakeError> {
        let plan = &self.plan;
        let files = plan.shard.map(|_| incremental::files(&jobs, None)).unwrap_or_default();
        let (head, jobs) = shard::part(jobs, plan, &files)?;
        let (output, previous) = match file {
            Some((path, new, previous)) => (Output::to_file(path, &head, new), Some(previous)),
            None => (Output::in_memory(&head), None),
        };
        pipeline::bake(&jobs, plan, previous, output, failures, &self.on_progress())
    }

    fn on_progress(&self) -> impl Fn(usize) + Send + Sync {
        |done| {
            if let Some(report) = &self.progress {
                report(done, self.sources.len());
            }
        }
    }
}
