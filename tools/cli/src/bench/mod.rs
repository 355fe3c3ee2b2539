//! `hitmask bench`: times the library against the naive raster approach.
//!
//! Each part is one module with its arguments. Both sides compute the same results in the same run,
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
use clap::Parser;
use measure::Row;
use serde::Serialize;

/// Measure the library against the naive raster approach.
///
/// Both compute the same results in the same run, which are compared before the timing. Times are
/// medians in ns per item: a pair, a pose, an update, or an opened atlas. Without a part, all parts but
/// calls and rollback are measured.
#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    part: Option<Part>,
    /// Print the result as JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Pairs of posed masks.
    Narrow(narrow::Args),
    /// Posing of masks, as in a bake.
    Raster,
    /// Updates of a world.
    World(frame::Args),
    /// Walkers that move one after the other.
    Walk(walk::Args),
    /// Each public call of a world, among few colliders and many, before and after changes.
    Calls(calls::Args),
    /// Saves, loads and hashes of a game that goes back 8 ticks in each frame.
    Rollback(rollback::Args),
    /// Opening of an atlas.
    Open,
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

/// A part with its default arguments.
#[derive(clap::Parser)]
struct DefaultPart {
    #[command(subcommand)]
    part: Part,
}

pub(crate) fn run(args: Args) -> Result<(), CliError> {
    let json = args.json;
    let parts = match args.part {
        Some(Part::World(args)) if args.entities.is_some() => return frame::run(&args, json),
        Some(Part::Walk(args)) if args.walkers.is_some() => return walk::run(&args, json),
        Some(Part::Calls(args)) => return calls::run(&args, json),
        Some(Part::Rollback(args)) => return rollback::run(&args, json),
        Some(part) => vec![part],
        None => ["narrow", "raster", "world", "walk", "open"]
            .map(|part| DefaultPart::parse_from(["bench", part]).part)
            .into(),
    };
    let (mut pairs, mut rows) = (Vec::new(), Vec::new());
    for part in parts {
        if let Part::Narrow(args) = part {
            pairs = narrow::rows(&args)?;
            continue;
        }
        let shown = output::busy("measuring");
        rows.extend(match part {
            Part::Raster => poses::raster()?,
            Part::Walk(args) => walk::rows(&args)?,
            Part::Open => poses::open()?,
            _ => world::rows()?,
        });
        shown.finish_and_clear();
    }
    let tables = [(pairs.is_empty(), narrow::table(&pairs)), (rows.is_empty(), Row::table(&rows))];
    let tables = tables.into_iter().filter(|(is_empty, _)| !is_empty).map(|(_, text)| text);
    let text = tables.collect::<Vec<_>>().join("\n");
    let pairs = pairs.into_iter().map(AnyRow::Narrow);
    let table = Table { rows: pairs.chain(rows.into_iter().map(AnyRow::Other)).collect() };
    output::answer(json, &table, || text)
}
