//! `hitmask bench`: times the library against the naive raster approach.
//!
//! Each part is one module that returns rows. Both sides compute the same results in the same run,
//! and the bench fails if they differ.

mod calls;
mod frame;
mod measure;
mod narrow;
mod poses;
mod rollback;
mod walk;
mod world;

use crate::{CliError, output};
use measure::{Precision, Row};
use serde::Serialize;

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
    /// of the larger world. Default: 64000. With `rollback`: number of colliders. Default: 20000.
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
    /// Saves, loads and hashes of a game that goes back 8 ticks in each frame. Not among the default parts.
    Rollback,
    /// Opening of an atlas.
    Open,
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

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    if args.part == Some(Part::Calls) {
        return calls::run(args.entities.unwrap_or(calls::MANY).max(100), args.json);
    }
    if args.part == Some(Part::Rollback) {
        return rollback::run(args.entities.unwrap_or(rollback::COLLIDERS), args.json);
    }
    let is_not = |part| args.part.is_some_and(|given| given != part);
    let is_coarse = args.accuracy == Precision::Coarse;
    let has_count = args.entities.is_some() || args.walkers.is_some();
    let narrows = !args.sizes.is_empty() || args.pairs != narrow::PAIRS;
    for (is_wrong, cause, help) in [
        (
            args.entities.is_some() && is_not(Part::World),
            "--entities applies only to the part `world`",
            "run `hitmask bench world --entities N`",
        ),
        (
            args.walkers.is_some() && is_not(Part::Walk),
            "--walkers applies only to the part `walk`",
            "run `hitmask bench walk --walkers N`",
        ),
        (
            is_coarse && !has_count && args.part != Some(Part::Narrow),
            "--accuracy coarse applies only to the part `narrow`, and to worlds with --entities",
            "run `hitmask bench narrow --accuracy coarse`, or `hitmask bench world --entities N --accuracy coarse`",
        ),
        (
            narrows && !has_count && is_not(Part::Narrow),
            "--sizes and --pairs apply only to the part `narrow`",
            "run `hitmask bench narrow --sizes PIXELS --pairs N`",
        ),
    ] {
        if is_wrong {
            return Err(CliError::new(cause, help));
        }
    }
    if let Some(entities) = args.entities {
        let request = frame::Request {
            entities: entities as usize,
            threads: args.threads,
            moving: args.moving,
            fixed: args.fixed,
            accuracy: args.accuracy,
            size: args.size.unwrap_or(frame::SIZE),
            peers: !args.no_peers,
        };
        return frame::run(&request, args.json);
    }
    if let Some(walkers) = args.walkers {
        let request = walk::Request {
            walkers: walkers as usize,
            slabs: args.slabs.unwrap_or(walkers) as usize,
            moving: args.moving,
            distance: args.distance,
            threads: args.threads,
        };
        return walk::run(&request, args.json);
    }
    let is_asked = |part| args.part.is_none_or(|only| only == part);
    let pairs = if is_asked(Part::Narrow) {
        narrow::rows(&args.sizes, args.pairs as usize, args.accuracy)?
    } else {
        Vec::new()
    };
    let mut rows = Vec::new();
    for (part, measure) in [
        (Part::Raster, poses::raster as fn() -> Result<Vec<Row>, CliError>),
        (Part::World, world::rows),
        (Part::Walk, walk::rows),
        (Part::Open, poses::open),
    ] {
        if is_asked(part) {
            let shown = output::busy("measuring");
            rows.extend(measure()?);
            shown.finish_and_clear();
        }
    }
    let tables = [(pairs.is_empty(), narrow::table(&pairs)), (rows.is_empty(), Row::table(&rows))];
    let tables = tables.into_iter().filter(|(is_empty, _)| !is_empty).map(|(_, text)| text);
    let text = tables.collect::<Vec<_>>().join("\n");
    let pairs = pairs.into_iter().map(AnyRow::Narrow);
    let table = Table { rows: pairs.chain(rows.into_iter().map(AnyRow::Other)).collect() };
    output::answer(args.json, &table, || text)
}
