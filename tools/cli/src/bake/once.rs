//! One bake: writes the atlas, and prints the result.

use super::args::Args;
use crate::cli_error::{Label, one_line, say};
use crate::sprite_stats::{SpriteStats, Warned};
use crate::{CliError, output};
use hitmask::{Atlas, AtlasOptions};
use hitmask_bake::{Bake, BakeError, Report, Warning};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Names of sprites with old masks that are printed. JSON has all of them.
const MAX_STALE_NAMES: usize = 8;

/// Result of the bake, printed as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    output: String,
    sprites: usize,
    frames: usize,
    shared_frames: usize,
    poses: usize,
    bytes: usize,
    kept: usize,
    written: bool,
    seconds: f64,
    /// Files that could not be baked.
    failures: Vec<Failed>,
    /// Sprites of these files that keep the masks of the last bake that could read them.
    stale: &'a [String],
    notes: Vec<String>,
    warnings: Vec<Warned<'a>>,
    /// Findings that are rarely mistakes.
    hints: Vec<Warned<'a>>,
    /// Statistics of each sprite in the order of names; empty for a shard. Measured outside of
    /// `seconds`.
    each: Vec<SpriteStats<'a>>,
}

#[derive(Serialize)]
struct Failed {
    file: String,
    error: String,
}

impl<'a> Answer<'a> {
    fn new(report: &'a Report, output: &Path, atlas: Option<&'a Atlas>, seconds: f64) -> Self {
        let &Report { sprites, frames, shared_frames, poses, bytes, kept, written, .. } = report;
        let warned = |w: &'a Warning| Warned { sprite: w.sprite(), warning: one_line(w, w.help()) };
        let output = output.display().to_string();
        let warnings = report.warnings.iter().map(warned).collect();
        let hints = report.hints.iter().map(warned).collect();
        let failed = |(file, e): &(PathBuf, BakeError)| Failed {
            file: file.display().to_string(),
            error: one_line(e, e.help()),
        };
        let failures = report.failures.iter().map(failed).collect();
        let notes = report.notes.iter().map(|note| one_line(note, note.help())).collect();
        let each = atlas.map_or_else(Vec::new, SpriteStats::of_all);
        Self {
            output,
            sprites,
            frames,
            shared_frames,
            poses,
            bytes,
            kept,
            written,
            seconds,
            failures,
            stale: &report.stale,
            notes,
            warnings,
            hints,
            each,
        }
    }
}

/// Bakes, and prints the result. Returns false if a file could not be baked.
pub(super) fn bake_once(args: &Args, bake: Bake, output: &Path) -> Result<bool, CliError> {
    let start = Instant::now();
    let (bar, bake) = output::baking(bake);
    let report = bake.write(output);
    bar.finish_and_clear();
    let mut report = report?;
    let seconds = start.elapsed().as_secs_f64();
    let is_whole = report.failures.is_empty();
    if args.json {
        // A shard cannot be opened as an atlas. The atlas of this bake opens without a limit.
        let open = || AtlasOptions::UNLIMITED.open(output)?.drawn();
        let atlas = args.shard.is_none().then(open).transpose()?;
        output::print_json(&Answer::new(&report, output, atlas.as_ref(), seconds))?;
        return Ok(is_whole);
    }
    let failures = std::mem::take(&mut report.failures);
    let faulty = match (failures.len(), report.stale.len()) {
        (0, _) => String::new(),
        (files, 0) => format!("\n  left out  {files} faulty files; --strict stops at the first"),
        (files, stale) => {
            let keep = if stale == 1 { "keeps its" } else { "keep their" };
            let names = report.stale[..stale.min(MAX_STALE_NAMES)].join(", ");
            let more = match stale.saturating_sub(MAX_STALE_NAMES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "\n  faulty    {}; --strict stops at the first\n  stale     {} {keep} last masks: {names}{more}",
                output::count(files, "file"),
                output::count(stale, "sprite")
            )
        }
    };
    let Report { sprites, shared_frames, poses, bytes, kept, .. } = report;
    output::print(&format!(
        "{}{}\n  sprites   {sprites} ({shared_frames} frames share the pixels of another)\n  \
         baked     {} ({kept} unchanged)\n  poses     {poses} ({}, scales {})\n  size      {}\n  \
         time      {seconds:.2} s\n  warnings  {}, hints {}{}{faulty}\n",
        output.display(),
        if report.written { "" } else { " is up to date" },
        sprites - kept,
        steps(&report),
        args.scales.iter().map(f32::to_string).collect::<Vec<_>>().join(", "),
        output::size(bytes as u64),
        report.warnings.len(),
        report.hints.len(),
        if args.verbose || report.hints.is_empty() { "" } else { " (-v lists them)" },
    ))?;
    for (_, error) in failures {
        CliError::from(error).print();
    }
    report.notes.iter().for_each(|note| say(Label::Note, one_line(note, note.help())));
    if args.verbose {
        let list = |label: Label, all: &[Warning]| {
            all.iter().for_each(|one| say(label, one_line(one, one.help())));
        };
        report.stale_line().iter().for_each(|line| say(Label::Warning, line));
        list(Label::Warning, &report.warnings);
        list(Label::Hint, &report.hints);
    } else {
        report.summary().iter().for_each(|line| say(Label::Warning, line));
        report.opaque_line().iter().for_each(|line| say(Label::Hint, line));
    }
    Ok(is_whole)
}

/// Formats the range of angle steps of the sprites, and the largest rotation error.
fn steps(report: &Report) -> String {
    let angles = || report.each.iter().map(|sprite| sprite.angles);
    let (low, high) = (angles().min().unwrap_or(1), angles().max().unwrap_or(1));
    let error = report.each.iter().map(|sprite| sprite.error).fold(0.0, f32::max);
    if low == high {
        format!("{low} angles, error {error:.1} px at most")
    } else {
        format!("{low} to {high} angles, error {error:.1} px at most")
    }
}
