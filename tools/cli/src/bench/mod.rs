//! `hitmask bench`: times the library against the naive raster approach.
//!
//! Each part is one module that returns rows. Both sides compute the same results in the same run,
//! and the bench fails if they differ.

mod calls;
mod chart;
mod frame;
mod narrow;
mod open;
mod raster;
mod walk;
mod world;

use crate::{CliError, output};
use hitmask::Accuracy;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Measure the library against the naive raster approach.
///
/// Both compute the same results in the same run, which are compared before the timing. Times are
/// medians in ns per item: a pair, a pose, an update, or an opened atlas.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Part to measure. Default: all parts.
    part: Option<Part>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// With `narrow`: longer sides of the sprites, in pixels. Default: ten sizes and mixtures from
    /// 16 to 512, which take minutes.
    #[arg(long, value_name = "PIXELS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(8..=1024))]
    sizes: Vec<u32>,
    /// With `narrow`: number of pairs per size. The branch predictor learns the results of a few
    /// thousand pairs or less, which makes code with branches look faster.
    #[arg(long, value_name = "N", default_value_t = narrow::PAIRS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// With `world`: time whole frames with this number of colliders. With `calls`: number of colliders
    /// of the larger world. Default: 64000.
    #[arg(long, group = "count", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    entities: Option<u32>,
    /// With `walk`: time ticks with this number of walkers, each of which moves by itself.
    #[arg(long, group = "count", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    walkers: Option<u32>,
    /// With `--walkers`: number of fixed slabs among them. Default: as many as walkers.
    #[arg(long, value_name = "N", requires = "walkers", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    slabs: Option<u32>,
    /// With `--walkers`: distance of a walk in pixels.
    #[arg(long, value_name = "PIXELS", requires = "walkers", default_value_t = walk::DISTANCE, value_parser = distance, allow_negative_numbers = true)]
    distance: f32,
    /// With `--entities` or `--walkers`: number of threads. Default: the number of cores.
    #[arg(long, requires = "count", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// With `--entities`: share of the colliders that move and turn in each frame, from 0 to 1. Below
    /// 1, the same world with all of them moving is timed in the same run. With `--walkers`: share of
    /// the walkers that move.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, requires = "count", value_parser = share, allow_negative_numbers = true)]
    moving: f64,
    /// With `--entities`: share of the colliders that are fixed. At most the share that does not
    /// move.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "entities", value_parser = share, allow_negative_numbers = true)]
    fixed: f64,
    /// With `--entities`: longer side of the largest sprites in pixels. Default: 64.
    #[arg(long, value_name = "PIXELS", requires = "entities", value_parser = clap::value_parser!(u32).range(8..=1024))]
    size: Option<u32>,
    /// With `narrow`: `coarse` times the coarse levels alone, beside exact batches. With `--entities`:
    /// accuracy of the world. Masks have levels from 240 px on.
    #[arg(long, value_enum, default_value_t = Precision::Exact)]
    accuracy: Precision,
    /// With `--entities`: omit the comparison with rstar's build and join.
    #[arg(long, requires = "entities")]
    no_peers: bool,
    /// With `narrow`: also draw the times by size as a chart.
    #[arg(long, value_name = "SVG", conflicts_with = "entities")]
    chart: Option<PathBuf>,
    /// With `--chart`: draw rows saved from `hitmask bench narrow --json`, without a run.
    #[arg(long, value_name = "JSON", requires = "chart", conflicts_with_all = ["part", "sizes", "pairs", "json"])]
    from: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Pairs of posed masks.
    Narrow,
    /// Posing of masks, as in a bake.
    Raster,
    /// Updates of a world.
    World,
    /// Walkers that move one after the other.
    Walk,
    /// Each public call of a world, among few colliders and many, before and after changes. Not among
    /// the default parts.
    Calls,
    /// Opening of an atlas.
    Open,
}

/// Accuracy of the tests that are timed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Precision {
    /// The coarse levels of masks that have them, and pixels of the others.
    Coarse,
    /// Pixels.
    Exact,
}

impl Precision {
    const fn name(self) -> &'static str {
        match self {
            Self::Coarse => "coarse",
            Self::Exact => "exact",
        }
    }

    const fn accuracy(self) -> Accuracy {
        match self {
            Self::Coarse => Accuracy::Coarse,
            Self::Exact => Accuracy::Exact,
        }
    }
}

/// Parses a share of all colliders.
fn share(text: &str) -> Result<f64, String> {
    const EXAMPLES: &str = "give a share from 0 to 1, such as 0.01";
    let share: f64 = text.trim().parse().map_err(|_| format!("not a number: {EXAMPLES}"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(EXAMPLES.to_owned()) }
}

/// Parses the distance of a walk in pixels.
fn distance(text: &str) -> Result<f32, String> {
    const EXAMPLES: &str = "give pixels from 0 to 1000, such as 1.8";
    let distance: f32 = text.trim().parse().map_err(|_| format!("not a number: {EXAMPLES}"))?;
    if (0.0..=1000.0).contains(&distance) { Ok(distance) } else { Err(EXAMPLES.to_owned()) }
}

/// Result of the bench, printed as JSON. Rows of the narrow phase have other keys.
#[derive(Serialize)]
struct Table {
    rows: Vec<AnyRow>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnyRow {
    Narrow(narrow::Row),
    Other(Row),
}

/// One measurement.
#[derive(Serialize)]
struct Row {
    part: &'static str,
    query: &'static str,
    /// Size of the sprites in pixels, number of colliders, or number of poses, depending on the
    /// part.
    size: u32,
    ns: f64,
    naive_ns: f64,
    /// Time of the naive approach with images drawn beforehand, one byte per pixel.
    #[serde(skip_serializing_if = "Option::is_none")]
    prepared_ns: Option<f64>,
    ratio: f64,
}

impl Row {
    fn new(part: &'static str, query: &'static str, size: u32, [ns, naive_ns]: [f64; 2]) -> Self {
        Self { part, query, size, ns, naive_ns, prepared_ns: None, ratio: naive_ns / ns }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if args.part == Some(Part::Calls) {
        return calls::run(args.entities.unwrap_or(calls::MANY).max(100), args.json);
    }
    if let Some(entities) = args.entities {
        if args.part.is_some_and(|part| part != Part::World) {
            return Err(CliError::new(
                "--entities applies only to the part `world`",
                "run `hitmask bench world --entities N`",
            ));
        }
        let request = frame::Request {
            entities: entities as usize,
            threads: args.threads,
            moving: args.moving,
            fixed: args.fixed,
            accuracy: args.accuracy,
            size: args.size,
            peers: !args.no_peers,
        };
        return frame::run(&request, args.json);
    }
    if let Some(walkers) = args.walkers {
        if args.part.is_some_and(|part| part != Part::Walk) {
            return Err(CliError::new(
                "--walkers applies only to the part `walk`",
                "run `hitmask bench walk --walkers N`",
            ));
        }
        let request = walk::Request {
            walkers: walkers as usize,
            slabs: args.slabs.unwrap_or(walkers) as usize,
            moving: args.moving,
            distance: args.distance,
            threads: args.threads,
        };
        return walk::run(&request, args.json);
    }
    let is_coarse = args.accuracy == Precision::Coarse;
    if is_coarse && args.part != Some(Part::Narrow) {
        return Err(CliError::new(
            "--accuracy coarse applies only to the part `narrow`, and to worlds with --entities",
            "run `hitmask bench narrow --accuracy coarse`, or `hitmask bench world --entities N --accuracy coarse`",
        ));
    }
    if let Some(path) = &args.chart {
        if is_coarse {
            return Err(CliError::new(
                "--chart draws exact tests, but --accuracy is coarse",
                "leave out one of them",
            ));
        }
        chart::check(path, args.from.as_deref())?;
        if args.part.is_some_and(|part| part != Part::Narrow) {
            return Err(CliError::new(
                "--chart applies only to the part `narrow`",
                "run `hitmask bench narrow --chart FILE.svg`",
            ));
        }
        if let Some(from) = &args.from {
            chart::redraw(from, path)?;
            return output::print(&format!("wrote the chart to {}\n", path.display()));
        }
    }
    let narrows = !args.sizes.is_empty() || args.pairs != narrow::PAIRS;
    if narrows && args.part.is_some_and(|part| part != Part::Narrow) {
        return Err(CliError::new(
            "--sizes and --pairs apply only to the part `narrow`",
            "run `hitmask bench narrow --sizes PIXELS --pairs N`",
        ));
    }
    let is_asked = |part| args.part.is_none_or(|only| only == part);
    let pairs = if is_asked(Part::Narrow) {
        narrow::rows(&args.sizes, args.pairs as usize, args.accuracy)?
    } else {
        Vec::new()
    };
    let mut rows = Vec::new();
    for (part, measure) in [
        (Part::Raster, raster::rows as fn() -> Result<Vec<Row>, CliError>),
        (Part::World, world::rows),
        (Part::Walk, walk::rows),
        (Part::Open, open::rows),
    ] {
        if is_asked(part) {
            rows.extend(measure()?);
        }
    }
    let tables = [(!pairs.is_empty(), narrow::table(&pairs)), (!rows.is_empty(), table(&rows))];
    let asked = tables.into_iter().filter(|(asked, _)| *asked).map(|(_, text)| text);
    let text = asked.collect::<Vec<_>>().join("\n");
    let pairs = pairs.into_iter().map(AnyRow::Narrow);
    let table = Table { rows: pairs.chain(rows.into_iter().map(AnyRow::Other)).collect() };
    if let Some(path) = &args.chart {
        chart::write(&serde_json::json!(table), path)?;
    }
    if args.json { output::print_json(&table) } else { output::print(&text) }
}

/// Formats the rows as a text table.
fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:8} {:8} {:>7}  {:>14}  {:>14}  {:>14}  {:>9}\n",
        "part", "query", "size", "hitmask ns", "naive ns", "prepared ns", "speedup"
    );
    for Row { part, query, size, ns, naive_ns, prepared_ns, ratio } in rows {
        let prepared = prepared_ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.1}"));
        text += &format!(
            "{part:8} {query:8} {size:>7}  {ns:>14.1}  {naive_ns:>14.1}  {prepared:>14}  {ratio:>9.1}\n"
        );
    }
    text
}

/// Number of runs of each side. Odd, for the median. Sides alternate, so that changes of the
/// machine's speed affect both.
const RUNS: usize = 7;

/// Returns the median times of both sides in ns per item, given the items of a run of each.
fn in_turn<A, B>(
    (items_a, mut a): (usize, impl FnMut() -> A),
    (items_b, mut b): (usize, impl FnMut() -> B),
) -> [f64; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        times[0].push(time(items_a, &mut a));
        times[1].push(time(items_b, &mut b));
    }
    times.map(|side| median(side).unwrap_or_default())
}

/// Returns the time in ns per item of one run over `items` items.
fn time<A>(items: usize, run: impl FnOnce() -> A) -> f64 {
    let begin = Instant::now();
    std::hint::black_box(run());
    begin.elapsed().as_secs_f64() * 1e9 / items as f64
}

/// Returns the median of an odd number of times, or `None` if there are none.
fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// Starts a number of threads, by default as many as there are cores.
fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).build();
    pool.map_err(|cause| {
        CliError::new(format!("cannot start the threads: {cause}"), "give a smaller --threads")
    })
}

/// Returns the name of the processor where the system tells it, and the instruction set in use.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("{name}, {}", hitmask::Simd::preferred().name())
}

/// Returns the error for results that differ from the reference.
fn disagree(what: &str) -> CliError {
    CliError::new(
        format!("{what}: the result differs from the reference"),
        "this is a bug in hitmask: please report it with this line",
    )
}
