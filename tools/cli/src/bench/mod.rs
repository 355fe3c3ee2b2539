//! `hitmask bench`: the library against the naive raster approach.

mod narrow;
mod open;
mod raster;
mod world;

use crate::{Failure, output};
use serde::Serialize;
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

#[derive(Serialize)]
struct Table {
    rows: Vec<Row>,
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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for (part, measure) in [
        (Part::Narrow, narrow::rows as fn() -> Result<Vec<Row>, Failure>),
        (Part::Raster, raster::rows),
        (Part::World, world::rows),
        (Part::Open, open::rows),
    ] {
        if args.part.is_none_or(|only| only == part) {
            rows.extend(measure()?);
        }
    }
    if args.json { output::print_json(&Table { rows }) } else { output::print(&table(&rows)) }
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
        let begin = Instant::now();
        std::hint::black_box(a());
        times[0].push(begin.elapsed().as_secs_f64() * 1e9 / items_a as f64);
        let begin = Instant::now();
        std::hint::black_box(b());
        times[1].push(begin.elapsed().as_secs_f64() * 1e9 / items_b as f64);
    }
    times.map(|mut side| {
        side.sort_by(f64::total_cmp);
        side[RUNS / 2]
    })
}

/// The failure of a measurement whose two sides disagree.
fn disagree(what: &str) -> Failure {
    Failure::new(
        format!("{what}: the library's answer is not the naive one"),
        "report it with this line: this is a defect",
    )
}
