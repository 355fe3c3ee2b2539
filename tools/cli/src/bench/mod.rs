//! `hitmask bench`: the library against the naive raster approach.

mod chart;
mod frame;
mod narrow;
mod open;
mod raster;
mod world;

use crate::{CliError, output};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Measure the library against the naive raster approach.
///
/// Both answer the same questions in the same run, and their answers are compared first. Times
/// are medians in nanoseconds per item: a pair, a pose, an update, an opening.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure one part only.
    part: Option<Part>,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
    /// With `narrow`: the longer sides of the sprites, in pixels. Default ten sizes and mixtures from
    /// 16 to 512, which take minutes.
    #[arg(long, value_name = "PIXELS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(8..=1024))]
    sizes: Vec<u32>,
    /// With `narrow`: so many pairs at each size. Fewer than some thousands are learnt by heart by the
    /// processor, which flatters code with branches.
    #[arg(long, value_name = "N", default_value_t = narrow::PAIRS, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// With `world`: time whole frames of so many colliders, all moving and turning.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    entities: Option<u32>,
    /// With `--entities`: on so many threads. Default as many as there are cores.
    #[arg(long, requires = "entities", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// With `--entities`: without rstar's build and join of the same boxes.
    #[arg(long, requires = "entities")]
    no_peers: bool,
    /// With `narrow`: draw the times by size as a chart, too.
    #[arg(long, value_name = "SVG", conflicts_with = "entities")]
    chart: Option<PathBuf>,
    /// With `--chart`: draw the rows that `hitmask bench narrow --json` wrote, without a run.
    #[arg(long, value_name = "JSON", requires = "chart", conflicts_with_all = ["part", "sizes", "pairs", "json"])]
    from: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Pairs of posed masks.
    Narrow,
    /// Posing masks, as a bake does.
    Raster,
    /// Updates of a world.
    World,
    /// Opening an atlas.
    Open,
}

/// The answer in JSON: rows of the narrow phase have keys of their own.
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
    /// Sprites' size in pixels, number of colliders or number of poses: what the part counts.
    size: u32,
    ns: f64,
    naive_ns: f64,
    ratio: f64,
}

impl Row {
    fn new(part: &'static str, query: &'static str, size: u32, [ns, naive_ns]: [f64; 2]) -> Self {
        Self { part, query, size, ns, naive_ns, ratio: naive_ns / ns }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if let Some(entities) = args.entities {
        if args.part.is_some_and(|part| part != Part::World) {
            return Err(CliError::new(
                "--entities counts the colliders of a world",
                "run `hitmask bench world --entities N`",
            ));
        }
        return frame::run(entities as usize, args.threads, !args.no_peers, args.json);
    }
    if let Some(path) = &args.chart {
        chart::check(path, args.from.as_deref())?;
        if args.part.is_some_and(|part| part != Part::Narrow) {
            return Err(CliError::new(
                "--chart draws the pairs that `narrow` asks",
                "run `hitmask bench narrow --chart FILE.svg`",
            ));
        }
        if let Some(from) = &args.from {
            chart::redraw(from, path)?;
            return output::print(&format!("the chart is in {}\n", path.display()));
        }
    }
    let narrows = !args.sizes.is_empty() || args.pairs != narrow::PAIRS;
    if narrows && args.part.is_some_and(|part| part != Part::Narrow) {
        return Err(CliError::new(
            "--sizes and --pairs are of the pairs that `narrow` asks",
            "run `hitmask bench narrow --sizes PIXELS --pairs N`",
        ));
    }
    let is_asked = |part| args.part.is_none_or(|only| only == part);
    let pairs = if is_asked(Part::Narrow) {
        narrow::rows(&args.sizes, args.pairs as usize)?
    } else {
        Vec::new()
    };
    let mut rows = Vec::new();
    for (part, measure) in [
        (Part::Raster, raster::rows as fn() -> Result<Vec<Row>, CliError>),
        (Part::World, world::rows),
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

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:8} {:8} {:>7}  {:>14}  {:>14}  {:>9}\n",
        "part", "query", "size", "hitmask ns", "naive ns", "times"
    );
    for Row { part, query, size, ns, naive_ns, ratio } in rows {
        text +=
            &format!("{part:8} {query:8} {size:>7}  {ns:>14.1}  {naive_ns:>14.1}  {ratio:>9.1}\n");
    }
    text
}

/// How often each side runs: the median of an odd number, taken in turn so that the machine's
/// moods fall on both.
const RUNS: usize = 7;

/// Nanoseconds per item of both sides, which handle so many items a run.
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

/// Nanoseconds per item of one run over so many.
fn time<A>(items: usize, run: impl FnOnce() -> A) -> f64 {
    let begin = Instant::now();
    std::hint::black_box(run());
    begin.elapsed().as_secs_f64() * 1e9 / items as f64
}

/// The middle of an odd number of times; `None` of none.
fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// The failure of a measurement whose two sides disagree.
fn disagree(what: &str) -> CliError {
    CliError::new(
        format!("{what}: the library's answer is not the naive one"),
        "report it with this line: this is a defect",
    )
}
