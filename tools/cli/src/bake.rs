use crate::{Failure, output};
use hitmask::{AlphaRule, Bake, Pivot, PoseSet, Report, Sampling, Warning};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::Instant;

/// Bake PNG images into an atlas.
///
/// A folder stands for all PNG files below it. Sprites are named by their path from the folder
/// given, without the extension.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PNG files, folders, or patterns such as 'art/**/*.png'.
    #[arg(required = true)]
    input: Vec<PathBuf>,
    /// The atlas to write. A bake that fails leaves what was there.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Angle steps in a full turn: a multiple of 4, or 1 for what never turns.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = angles)]
    angles: u32,
    /// Scales, with commas between them; 1 is source size.
    #[arg(long, value_name = "S,..", default_value = "1", value_delimiter = ',', value_parser = scale)]
    scales: Vec<f32>,
    /// Least alpha, 0 to 255, of a solid texel.
    #[arg(long, value_name = "N", default_value_t = 128)]
    alpha: u8,
    /// Set a pixel where a quarter of it is covered, not by its centre: keeps thin parts whole.
    #[arg(long)]
    coverage: bool,
    /// The point that positions name: X,Y in texels from the top-left corner, in halves; without
    /// it the image's centre.
    #[arg(long, value_name = "X,Y", value_parser = pivot, allow_hyphen_values = true)]
    pivot: Option<Pivot>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let start = Instant::now();
    let bar = ProgressBar::new(0).with_style(style());
    let mut bake = Bake::new()
        .angles(args.angles)
        .scales(args.scales.clone())
        .alpha(AlphaRule::AtLeast(args.alpha))
        .pivot(args.pivot.unwrap_or_default())
        .sampling(if args.coverage { Sampling::Coverage25 } else { Sampling::Nearest });
    for input in &args.input {
        bake = bake.sprites(input)?;
    }
    let shown = bar.clone();
    let bake = bake.progress(move |done, all| {
        shown.set_length(all as u64);
        shown.set_position(done as u64);
    });
    let report = bake.write(&args.output);
    bar.finish_and_clear();
    let report = report?;
    warn(&report);
    let seconds = start.elapsed().as_secs_f64();
    let Report { sprites, shared_frames, poses, bytes, ref warnings, .. } = report;
    output::print(&format!(
        "{}\n  sprites   {sprites} ({shared_frames} share their pixels with another)\n  \
         poses     {poses} ({} angles, scales {})\n  size      {}\n  time      {seconds:.2} s\n  warnings  {}\n",
        args.output.display(),
        args.angles,
        args.scales.iter().map(f32::to_string).collect::<Vec<_>>().join(", "),
        output::size(bytes as u64),
        warnings.len(),
    ))
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_bar} {pos}/{len} sprites, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The warnings, on standard error, a few of each kind. Half the images of a game have a centre
/// between texels on one axis only: one of those says it all.
fn warn(report: &Report) {
    let is_empty = |w: &&Warning| matches!(w, Warning::Empty { .. });
    let (empty, other): (Vec<_>, Vec<_>) = report.warnings.iter().partition(is_empty);
    for (kind, shown) in [(empty, 5), (other, 1)] {
        for warning in kind.iter().take(shown) {
            eprintln!("warning: {warning}");
        }
        if kind.len() > shown {
            eprintln!("warning: ... and {} more like it", kind.len() - shown);
        }
    }
}

fn angles(text: &str) -> Result<u32, String> {
    let angles = text.parse().map_err(|_| "not a whole number")?;
    PoseSet::new(angles, [1.0]).map(|_| angles).map_err(|e| e.to_string())
}

fn scale(text: &str) -> Result<f32, String> {
    let scale = text.trim().parse().map_err(|_| "not a number")?;
    PoseSet::new(1, [scale]).map(|_| scale).map_err(|e| e.to_string())
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
