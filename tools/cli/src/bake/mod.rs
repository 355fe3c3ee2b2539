mod check;
mod watch;

use crate::cli_error::one_line;
use crate::sprite_stats::Figures;
use crate::{Failure, output, units};
use hitmask::{AlphaRule, Atlas, Bake, ColorRange, Pivot, PoseSet, Report, Sampling, Warning};
use indicatif::ProgressBar;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Bake images into an atlas: PNG, GIF, WebP, Aseprite files and sheets.
///
/// A folder stands for all images below it, links followed, though into no folder twice; a sheet is named by its description, a file of
/// TexturePacker, Aseprite (.json), libGDX, Spine (.atlas) or Tiled (.tsx). Sprites are named by
/// their path from the folder given, without the extension. Where sources want settings of their
/// own, write a manifest: 'hitmask init' begins one.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Images, folders, or patterns such as 'art/**/*.png'.
    #[arg(required_unless_present = "manifest")]
    input: Vec<PathBuf>,
    /// A manifest, hitmask.toml, that names sources and their settings. The settings given here
    /// hold where it says nothing.
    #[arg(short, long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// The atlas to write, unless the manifest says where. A bake that fails leaves what was there; a
    /// file that is neither empty nor an atlas is not replaced.
    #[arg(short, long, value_name = "FILE", required_unless_present = "manifest")]
    output: Option<PathBuf>,
    /// Choose each sprite's angle steps so that no pixel is farther than this from where an exact
    /// turn would put it: 1, or 1px, is a good choice.
    #[arg(long, value_name = "PX", conflicts_with = "angles", value_parser = units::pixels::<f32>, allow_negative_numbers = true)]
    max_error: Option<f32>,
    /// Take angle steps from the sprites until the atlas fits this many megabytes: 64, or 64mb.
    #[arg(long, value_name = "MB", value_parser = units::megabytes, allow_negative_numbers = true)]
    max_mb: Option<f64>,
    /// Mask pixels along the side of a pixel: 2 or 4 for finer, 0.5 or 0.25 for coarser.
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = resolution, allow_negative_numbers = true)]
    resolution: f32,
    /// Store source masks only, often a thousandth of the size: poses are drawn when it opens.
    #[arg(long)]
    compact: bool,
    /// Angle steps in a full turn: a multiple of 4, or 1 for what never turns.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = angles)]
    angles: u32,
    /// Scales, with commas between them; 1 is source size.
    #[arg(long, value_name = "S,..", default_value = "1", value_delimiter = ',', value_parser = scale)]
    scales: Vec<f32>,
    /// Least alpha, 0 to 255, of a solid texel.
    #[arg(long, value_name = "N", default_value_t = 128)]
    alpha: u8,
    /// A colour of which no texel is solid, such as ff00ff, or a range of them: 000000..202020. May
    /// be given several times.
    #[arg(long, value_name = "RRGGBB", value_parser = colors)]
    exclude_color: Vec<ColorRange>,
    /// Set a pixel where a quarter of it is covered, not by its centre: keeps thin parts whole.
    #[arg(long)]
    coverage: bool,
    /// Give each sprite one more frame, after its last: all its frames together, so that a frame which
    /// a game skips cannot miss.
    #[arg(long)]
    motion_frame: bool,
    /// The point that positions name: X,Y in texels from the top-left corner, in halves; without
    /// it the image's centre.
    #[arg(long, value_name = "X,Y", value_parser = pivot, allow_hyphen_values = true)]
    pivot: Option<Pivot>,
    /// Where to remember what was baked from what, so that the next bake does again only what has
    /// changed; without this beside the atlas, with .cache behind its name. Safe to delete. A
    /// file that is there and is no cache is left as it is, and the bake does without.
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Bake everything, and remember nothing.
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
    /// Say whether the atlas is what a bake would write, and which sprites are new (+), gone (-) or
    /// would change (~). Writes nothing.
    #[arg(long, conflicts_with_all = ["watch", "shard"])]
    check: bool,
    /// Bake, and again whenever the art changes, until Ctrl-C. Art that cannot be read is told, and
    /// waited for.
    #[arg(long, conflicts_with = "shard")]
    watch: bool,
    /// Bake every N-th sprite alone, the I-th of N shards: '1/4', '2/4' and so on, here or on other
    /// machines, for 'hitmask merge' to put together. Without a cache.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<[u32; 2]>,
    /// Answer in JSON, with all warnings and the figures of each sprite: its steps, the error they
    /// leave, its bytes, and how far its poses differ from exact turning, measured at eight angles
    /// between steps.
    #[arg(long)]
    json: bool,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed, 2 wrong usage. With --check: 0 up to date, 1 stale, 2 it cannot be told, or wrong usage.";

/// What the bake did, for programs.
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
    notes: Vec<String>,
    warnings: Vec<Warned<'a>>,
    /// The figures of each sprite, in order of their names, measured after the time was taken; none of
    /// a shard.
    each: Vec<Figures<'a>>,
}

#[derive(Serialize)]
struct Warned<'a> {
    sprite: &'a str,
    warning: String,
}

impl<'a> Answer<'a> {
    fn new(report: &'a Report, output: &Path, atlas: Option<&'a Atlas>, seconds: f64) -> Self {
        let &Report { sprites, frames, shared_frames, poses, bytes, kept, written, .. } = report;
        let warned = |w: &'a Warning| Warned { sprite: w.sprite(), warning: one_line(w, w.help()) };
        let (output, warnings) = (output.display().to_string(), report.warnings.iter().map(warned));
        let notes = report.notes.iter().map(|note| one_line(note, note.help())).collect();
        let warnings = warnings.collect();
        let each = atlas.map_or_else(Vec::new, Figures::of_all);
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
            notes,
            warnings,
            each,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.check {
        return check::check(args);
    }
    if args.watch {
        watch::watch(args)?;
    } else {
        let (bake, output) = gather(args)?;
        bake_once(args, bake, &output)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The bake that is asked for, and where its atlas goes.
fn gather(args: &Args) -> Result<(Bake, PathBuf), Failure> {
    let mut bake = Bake::new()
        .angles(args.angles)
        .resolution(args.resolution)
        .compact(args.compact)
        .scales(args.scales.clone())
        .alpha(AlphaRule::AtLeast(args.alpha))
        .pivot(args.pivot.unwrap_or_default())
        .sampling(if args.coverage { Sampling::Coverage25 } else { Sampling::Nearest })
        .motion_frame(args.motion_frame);
    for &colors in &args.exclude_color {
        bake = bake.exclude_color(colors);
    }
    if let Some(pixels) = args.max_error {
        bake = bake.max_error(pixels);
    }
    if let Some(megabytes) = args.max_mb {
        bake = bake.max_bytes((megabytes * 1e6) as u64);
    }
    if let Some([shard, of]) = args.shard {
        bake = bake.shard(shard, of);
    }
    for input in &args.input {
        bake = bake.sprites(input)?;
    }
    if let Some(manifest) = &args.manifest {
        bake = bake.manifest(manifest)?;
    }
    let output = args.output.as_deref().or(bake.output()).map(Path::to_owned).ok_or_else(|| {
        Failure::new("nobody says where the atlas goes", "give -o FILE, or output in the manifest")
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

/// A bake with a bar that shows how far it is.
fn progress(bake: Bake) -> (ProgressBar, Bake) {
    let bar = output::progress(0, "sprites");
    let shown = bar.clone();
    let bake = bake.progress(move |done, all| {
        shown.set_length(all as u64);
        shown.set_position(done as u64);
    });
    (bar, bake)
}

/// Bakes, and says what came of it.
fn bake_once(args: &Args, bake: Bake, output: &Path) -> Result<(), Failure> {
    let start = Instant::now();
    let (bar, bake) = progress(bake);
    let report = bake.write(output);
    bar.finish_and_clear();
    let report = report?;
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        // A shard is no atlas yet.
        let atlas = if args.shard.is_none() { Some(output::open(output)?) } else { None };
        return output::print_json(&Answer::new(&report, output, atlas.as_ref(), seconds));
    }
    report.notes.iter().for_each(|note| eprintln!("note: {}", one_line(note, note.help())));
    warn(&report);
    let Report { sprites, shared_frames, poses, bytes, kept, ref warnings, .. } = report;
    output::print(&format!(
        "{}{}\n  sprites   {sprites} ({shared_frames} share their pixels with another)\n  \
         baked     {} ({kept} kept as they were)\n  poses     {poses} ({}, scales {})\n  size      {}\n  time      {seconds:.2} s\n  warnings  {}\n",
        output.display(),
        if report.written { "" } else { " is up to date" },
        sprites - kept,
        steps(&report),
        args.scales.iter().map(f32::to_string).collect::<Vec<_>>().join(", "),
        output::size(bytes as u64),
        warnings.len(),
    ))
}

/// How many angle steps the sprites got, and the error that leaves.
fn steps(report: &Report) -> String {
    let angles = || report.each.iter().map(|baked| baked.angles);
    let (low, high) = (angles().min().unwrap_or(1), angles().max().unwrap_or(1));
    let error = report.each.iter().map(|baked| baked.error).fold(0.0, f32::max);
    if low == high {
        format!("{low} angles, {error:.1} px off at most")
    } else {
        format!("{low} to {high} angles, {error:.1} px off at most")
    }
}

/// The warnings, on standard error, a few of each kind. Half the images of a game have a centre
/// between texels on one axis only, and many share another's pixels: one of those says it all.
fn warn(report: &Report) {
    let mut kinds: BTreeMap<u8, Vec<&Warning>> = BTreeMap::new();
    for warning in &report.warnings {
        let kind = match warning {
            Warning::OverBudget { .. } => 0,
            Warning::Empty { .. } => 1,
            Warning::Sensitive { .. } => 2,
            Warning::Thin { .. } => 3,
            Warning::Duplicate { .. } => 4,
            _ => 5,
        };
        kinds.entry(kind).or_default().push(warning);
    }
    for (kind, warnings) in kinds {
        let shown = if kind <= 3 { 5 } else { 1 };
        for warning in warnings.iter().take(shown) {
            eprintln!("warning: {}", one_line(warning, warning.help()));
        }
        if warnings.len() > shown {
            eprintln!("warning: ... and {} more like it", warnings.len() - shown);
        }
    }
}

fn shard(text: &str) -> Result<[u32; 2], String> {
    let numbers = text
        .split_once('/')
        .and_then(|(shard, of)| Some([shard.trim().parse().ok()?, of.trim().parse().ok()?]));
    let numbers: Option<[u32; 2]> = numbers.filter(|[shard, of]| (1..=*of).contains(shard));
    numbers.ok_or("give two numbers such as 1/4, the first from 1 to the second".into())
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

fn colors(text: &str) -> Result<ColorRange, String> {
    let color = |text: &str| {
        let digits = text.trim().trim_start_matches('#');
        let color = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6)?;
        let [_, r, g, b] = color.to_be_bytes();
        Some([r, g, b])
    };
    let range = match text.split_once("..") {
        Some((from, to)) => color(from).zip(color(to)).map(|(from, to)| (from..=to).into()),
        None => color(text).map(ColorRange::from),
    };
    range.ok_or("give six hexadecimal digits, or two such numbers with .. between them".into())
}

fn pivot(text: &str) -> Result<Pivot, String> {
    let half_texels = |part: &str| {
        let twice = 2.0 * part.trim().parse::<f64>().ok()?;
        (twice.fract() == 0.0 && twice.abs() <= f64::from(hitmask::MAX_PIVOT))
            .then_some(twice as i32)
    };
    let (x, y) = text.split_once(',').ok_or("give two numbers with a comma between them")?;
    match (half_texels(x), half_texels(y)) {
        (Some(x), Some(y)) if (x ^ y) & 1 == 0 => Ok(Pivot::HalfTexels(x, y)),
        (Some(_), Some(_)) => {
            Err("give two whole numbers or two halves, so that both axes share a lattice".into())
        }
        _ => Err(format!(
            "give whole numbers or halves, at most {} from the corner",
            hitmask::MAX_PIVOT / 2
        )),
    }
}
