//! `hitmask bake`: bakes images into an atlas, once, with `--check`, or with `--watch`.
//!
//! `gather` turns the arguments and the manifest into a `hitmask_bake::Bake`; `check` and `watch` use it
//! as well.

mod check;
mod watch;

use crate::art_args::ArtArgs;
use crate::cli_error::{Label, one_line, say};
use crate::sprite_stats::SpriteStats;
use crate::{CliError, output, units};
use hitmask::{Atlas, AtlasOptions, PoseSet};
use hitmask_bake::{Bake, BakeError, Report, Sampling, Warning};
use indicatif::ProgressBar;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Bake images into an atlas: PNG, GIF, WebP, BMP, TGA, Aseprite files and sheets.
///
/// A folder means all images below it: .png, .apng, .gif, .webp, .bmp, .tga, .ase, .aseprite. Links
/// are followed, but no folder is read twice. A sheet is given by its description: TexturePacker or
/// Aseprite (.json), libGDX or Spine (.atlas, .pack), Starling (.xml), cocos2d (.plist), or Tiled (.tsx,
/// .tsj, .json). The name of a sprite is its path relative to the given folder, without the
/// extension. For settings per source, write a manifest: 'hitmask init' creates one. Without inputs, the
/// manifest hitmask.toml of the current folder is baked.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Atlas to write. Default: the output of the manifest. A failed bake leaves an existing file
    /// unchanged. The sprites of files that cannot be read keep the masks that they have in it: see --strict. A
    /// non-empty file that is not an atlas is never replaced.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Choose the angle steps of each sprite by a limit of the rotation error in pixels. The error
    /// is the distance of a pixel from its exact position: 1, or 1px, is a good value. At most 128
    /// steps are chosen; a warning names sprites that need more, and how many.
    #[arg(long, value_name = "PX", conflicts_with = "angles", value_parser = units::pixels::<f32>, allow_negative_numbers = true)]
    max_error: Option<f32>,
    /// Reduce the angle steps of sprites until the atlas fits into this many megabytes: 64, or
    /// 64mb.
    #[arg(long, value_name = "MB", value_parser = units::megabytes, allow_negative_numbers = true)]
    max_mb: Option<f64>,
    /// Mask pixels per pixel side: 2 or 4 for finer masks, 0.5 or 0.25 for coarser ones.
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = resolution, allow_negative_numbers = true)]
    resolution: f32,
    /// Store source masks only, often 1/1000 of the size. Poses are rasterised when the atlas
    /// opens.
    #[arg(long)]
    compact: bool,
    /// Angle steps in a full turn: a multiple of 4, or 1 for sprites that never turn.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = angles)]
    angles: u32,
    /// Scales, separated by commas; 1 is source size.
    #[arg(long, value_name = "S,..", default_value = "1", value_delimiter = ',', value_parser = scale)]
    scales: Vec<f32>,
    /// Add a plane for each of these alpha thresholds, separated by commas: 32,128,224. The plane
    /// alpha32 has the texels with an alpha of at least 32. A game chooses the plane for each
    /// collider or test.
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..))]
    thresholds: Vec<u8>,
    /// Set a mask pixel if at least 1/4 of it is covered. Default: if its centre is covered. Keeps
    /// thin parts whole.
    #[arg(long)]
    coverage: bool,
    /// Append one frame to each sprite: the union of all its frames. A game that skips frames can
    /// test against it, so that no hit is missed.
    #[arg(long)]
    motion_frame: bool,
    #[command(flatten)]
    art: ArtArgs,
    /// Cache file: lets the next bake redo only the sprites that have changed. Default: the output
    /// path with .cache appended. Safe to delete. An existing file that is not a cache is left
    /// alone, and the bake runs without one.
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Bake every sprite, and neither read nor write a cache.
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// Test whether the atlas is up to date, and list the sprites that are new (+), gone (-) or
    /// changed (~). Writes nothing.
    #[arg(long, conflicts_with_all = ["watch", "shard"])]
    check: bool,
    /// Bake, and bake again after every change of the art, until Ctrl-C. Unreadable art prints an
    /// error, its sprites keep their last masks, and the next change starts another bake.
    #[arg(long, conflicts_with = "shard")]
    watch: bool,
    /// Bake only shard I of N: '1/4', '2/4' and so on, on one or several machines. 'hitmask merge'
    /// joins the shards. Shards use no cache.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<[u32; 2]>,
    /// Stop at the first file that cannot be baked, and leave the existing atlas unchanged. Default: list
    /// such files and bake all others. Their sprites keep their masks of the existing atlas, or are left out
    /// if it has none. The exit code is 1. --check and --shard are always strict.
    #[arg(long)]
    strict: bool,
    /// List every warning, and every hint: soft edges and equal sprites. Default: one line per kind of warning, and the number of hints.
    #[arg(short, long)]
    verbose: bool,
    /// Print the result as JSON, with all warnings, hints and the statistics of each sprite. These are
    /// angle steps, rotation error, bytes, and the fidelity: how far poses differ from exact
    /// rotation at eight angles between steps.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 failure, also if a file could not be baked, 2 wrong usage. With --check: 0 up to date, 1 stale, 2 error or wrong usage.";

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
struct Warned<'a> {
    sprite: &'a str,
    warning: String,
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

pub(crate) fn run(mut args: Args) -> Result<ExitCode, CliError> {
    args.art.find_manifest()?;
    let args = &args;
    if args.check {
        return check::check(args);
    }
    if args.watch {
        watch::watch(args)?;
        return Ok(ExitCode::SUCCESS);
    }
    // Signals that are ignored, as under nohup, stay ignored. Then this bake listens for no other either, and leaves
    // a file behind if it is killed, which the next bake removes.
    let _ = ctrlc::try_set_handler(|| {
        hitmask_bake::remove_temporary_files();
        // The exit code of a program that Ctrl-C ends.
        std::process::exit(130);
    });
    let (bake, output) = gather(args)?;
    let is_whole = bake_once(args, bake, &output)?;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Returns the bake that the arguments describe, and the path of its atlas.
fn gather(args: &Args) -> Result<(Bake, PathBuf), CliError> {
    let mut bake = Bake::new()
        .keep_going(!(args.strict || args.check || args.shard.is_some()))
        .angles(args.angles)
        .resolution(args.resolution)
        .compact(args.compact)
        .scales(args.scales.clone())
        .thresholds(args.thresholds.clone())
        .sampling(if args.coverage { Sampling::Coverage25 } else { Sampling::Nearest })
        .motion_frame(args.motion_frame);
    if let Some(pixels) = args.max_error {
        bake = bake.max_error(pixels);
    }
    if let Some(megabytes) = args.max_mb {
        bake = bake.max_bytes((megabytes * 1e6) as u64);
    }
    if let Some([shard, of]) = args.shard {
        bake = bake.shard(shard, of);
    }
    let mut bake = args.art.add_to(bake)?;
    let output = args.output.as_deref().or(bake.output()).map(Path::to_owned).ok_or_else(|| {
        let help = "give -o FILE or --output FILE, or set output in the manifest";
        let code = if args.art.manifest.is_some() { 1 } else { 2 };
        CliError::new("no output path is given", help).with_code(code)
    })?;
    if !args.no_cache {
        let beside = || {
            let mut beside = output.clone().into_os_string();
            beside.push(".cache");
            beside.into()
        };
        bake = bake.cache(args.cache.clone().unwrap_or_else(beside));
    }
    Ok((bake, output))
}

/// Attaches a progress bar to a bake.
pub(crate) fn progress(bake: Bake) -> (ProgressBar, Bake) {
    let bar = output::progress(0, "sprites");
    let shown = bar.clone();
    let bake = bake.progress(move |done, all| {
        shown.set_length(all as u64);
        shown.set_position(done as u64);
    });
    (bar, bake)
}

/// Bakes, and prints the result. Returns false if a file could not be baked.
fn bake_once(args: &Args, bake: Bake, output: &Path) -> Result<bool, CliError> {
    let start = Instant::now();
    let (bar, bake) = progress(bake);
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

fn shard(text: &str) -> Result<[u32; 2], String> {
    let numbers = text
        .split_once('/')
        .and_then(|(shard, of)| Some([shard.trim().parse().ok()?, of.trim().parse().ok()?]));
    let numbers: Option<[u32; 2]> = numbers.filter(|[shard, of]| (1..=*of).contains(shard));
    numbers.ok_or("give I/N such as 1/4, with I from 1 to N".into())
}

fn angles(text: &str) -> Result<u32, String> {
    let angles = text.parse().map_err(|_| "not a whole number")?;
    PoseSet::new(angles, [1.0]).map(|_| angles).map_err(|e| one_line(&e, e.help()))
}

fn scale(text: &str) -> Result<f32, String> {
    let scale = text.trim().parse().map_err(|_| "not a number")?;
    PoseSet::new(1, [scale]).map(|_| scale).map_err(|e| one_line(&e, e.help()))
}

fn resolution(text: &str) -> Result<f32, String> {
    let resolution = text.trim().parse().map_err(|_| "not a number")?;
    let poses = PoseSet::new(1, [1.0]).and_then(|poses| poses.at_resolution(resolution));
    poses.map(|_| resolution).map_err(|e| one_line(&e, e.help()))
}
