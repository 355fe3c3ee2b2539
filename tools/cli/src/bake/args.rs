//! The arguments of `hitmask bake`, and the bake that they describe.

use crate::art_args::ArtArgs;
use crate::cli_error::one_line;
use crate::{CliError, output, units};
use hitmask::PoseSet;
use hitmask_bake::{Bake, Sampling};
use std::path::{Path, PathBuf};

/// Bake images into an atlas: PNG, GIF, WebP, JPEG, BMP, TGA, Aseprite files, sheets and levels.
///
/// A folder means all images below it: .png, .apng, .gif, .webp, .jpg, .jpeg, .bmp, .tga, .ase,
/// .aseprite. Links are followed, but no folder is read twice. A sheet is given by its description: TexturePacker or
/// Aseprite (.json), libGDX or Spine (.atlas, .pack), Starling (.xml), cocos2d (.plist), or Tiled (.tsx,
/// .tsj, .json). A level of Tiled (.tmx, .tmj) or LDtk (.ldtk) becomes a map. The name of a sprite or map is
/// its path relative to the given folder, without the
/// extension. For settings per source, write a manifest: 'hitmask init' creates one. Without inputs, the
/// manifest hitmask.toml of the current folder is baked.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Atlas to write. Default: the output of the manifest. A failed bake leaves an existing file
    /// unchanged. The sprites of files that cannot be read keep the masks that they have in it: see --strict. A
    /// non-empty file that is not an atlas is never replaced.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Choose the angle steps of each sprite by a limit of the rotation error in pixels. The error
    /// is the distance of a pixel from its exact position: 1, or 1px, is a good value. At most 128
    /// steps are chosen; a warning names sprites that need more, and how many.
    #[arg(long, value_name = "PX", conflicts_with = "angles", value_parser = units::pixels::<f32>, allow_negative_numbers = true)]
    pub(super) max_error: Option<f32>,
    /// Reduce the angle steps of sprites until the atlas fits into this many megabytes: 64, or
    /// 64mb.
    #[arg(long, value_name = "MB", value_parser = units::megabytes, allow_negative_numbers = true)]
    pub(super) max_mb: Option<f64>,
    /// Mask pixels per pixel side: 2 or 4 for finer masks, 0.5 or 0.25 for coarser ones.
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = resolution, allow_negative_numbers = true)]
    pub(super) resolution: f32,
    /// Store source masks only, often 1/1000 of the size. A world draws poses when they are first
    /// shown.
    #[arg(long)]
    pub(super) compact: bool,
    /// Angle steps in a full turn: a multiple of 4, or 1 for sprites that never turn.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = angles)]
    pub(super) angles: u32,
    /// Scales, separated by commas; 1 is source size.
    #[arg(long, value_name = "S,..", default_value = "1", value_delimiter = ',', value_parser = scale)]
    pub(super) scales: Vec<f32>,
    /// Add a plane for each of these alpha thresholds, separated by commas: 32,128,224. The plane
    /// alpha32 has the texels with an alpha of at least 32. A game chooses the plane for each
    /// collider or test.
    #[arg(long, value_name = "N,..", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..))]
    pub(super) thresholds: Vec<u8>,
    /// Set a mask pixel if at least 1/4 of it is covered. Default: if its centre is covered. Keeps
    /// thin parts whole.
    #[arg(long)]
    pub(super) coverage: bool,
    /// Append one frame to each sprite: the union of all its frames. A game that skips frames can
    /// test against it, so that no hit is missed.
    #[arg(long)]
    pub(super) motion_frame: bool,
    #[command(flatten)]
    pub(super) art: ArtArgs,
    /// Cache file: lets the next bake redo only the sprites that have changed. Default: the output
    /// path with .cache appended. Safe to delete. An existing file that is not a cache is left
    /// alone, and the bake runs without one.
    #[arg(long, value_name = "FILE")]
    pub(super) cache: Option<PathBuf>,
    /// Bake every sprite, and neither read nor write a cache.
    #[arg(long, conflicts_with = "cache")]
    pub(super) no_cache: bool,
    /// Test whether the atlas is up to date, and list the sprites that are new (+), gone (-) or
    /// changed (~). Writes nothing.
    #[arg(long, conflicts_with_all = ["watch", "shard"])]
    pub(super) check: bool,
    /// Bake, and bake again after every change of the art, until Ctrl-C. Unreadable art prints an
    /// error, its sprites keep their last masks, and the next change starts another bake. So do those of a
    /// deleted file, for 2 s, because programs delete a file and write it again when they save.
    #[arg(long, conflicts_with = "shard")]
    pub(super) watch: bool,
    /// Bake only shard I of N: '1/4', '2/4' and so on, on one or several machines. 'hitmask merge'
    /// joins the shards. 'auto' takes I and N from a job array of Slurm, or from an indexed job of Kubernetes
    /// whose manifest sets JOB_COMPLETIONS.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(super) shard: Option<Shard>,
    /// Stop at the first file that cannot be baked, and leave the existing atlas unchanged. Default: list
    /// such files and bake all others. Their sprites keep their masks of the existing atlas, or are left out
    /// if it has none. The exit code is 1. --check and --shard are always strict.
    #[arg(long)]
    pub(super) strict: bool,
    /// List every warning, and every hint: soft edges, equal sprites and full rectangles. Default: one
    /// line per kind of warning, one for all full rectangles, and the number of hints.
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// Print the result as JSON, with all warnings, hints and the statistics of each sprite. These are
    /// angle steps, rotation error, bytes, and the fidelity: how far poses differ from exact
    /// rotation at eight angles between steps.
    #[arg(long)]
    pub(super) json: bool,
}

/// The shard to bake.
#[derive(Clone, Copy)]
pub(super) enum Shard {
    /// The one that a scheduler states in the environment.
    Auto,
    /// Number, from 1, and count.
    Of([u32; 2]),
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 failure, also if a file could not be baked, 2 wrong usage. With --check: 0 up to date, 1 stale, 2 error or wrong usage.";

/// Returns the bake that the arguments describe, and the path of its atlas.
pub(super) fn gather(args: &Args) -> Result<(Bake, PathBuf), CliError> {
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
    bake = match args.shard {
        Some(Shard::Auto) => bake.shard_from_env()?,
        Some(Shard::Of([shard, of])) => bake.shard(shard, of),
        None => bake,
    };
    let mut bake = args.art.add_to(bake)?;
    let output = args.output.as_deref().or(bake.output()).map(Path::to_owned).ok_or_else(|| {
        let help = "give -o FILE or --output FILE, or set output in the manifest";
        let code = if args.art.manifest.is_some() { 1 } else { 2 };
        CliError::new("no output path is given", help).with_code(code)
    })?;
    if !args.no_cache {
        let cache = args.cache.clone().unwrap_or_else(|| output::cache_beside(&output));
        bake = bake.cache(cache);
    }
    Ok((bake, output))
}

fn shard(text: &str) -> Result<Shard, String> {
    if text == "auto" {
        return Ok(Shard::Auto);
    }
    let numbers = text
        .split_once('/')
        .and_then(|(shard, of)| Some([shard.trim().parse().ok()?, of.trim().parse().ok()?]));
    let numbers: Option<[u32; 2]> = numbers.filter(|[shard, of]| (1..=*of).contains(shard));
    numbers.map(Shard::Of).ok_or("give I/N such as 1/4, with I from 1 to N, or auto".into())
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
