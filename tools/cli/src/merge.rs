//! `hitmask merge`: joins the shards of a bake into one atlas.

use crate::{CliError, output};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Merge the shards of a bake into one atlas.
///
/// Takes the files that 'bake --shard 1/4', '2/4' and so on wrote from the same sources with the
/// same settings, in any order. The atlas is byte for byte that of a single bake. Peak memory is
/// about the size of the atlas.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas to write. A failed merge leaves an existing file unchanged. A non-empty file that is
    /// not an atlas is never replaced.
    output: PathBuf,
    /// All shards of one bake.
    #[arg(required = true)]
    shard: Vec<PathBuf>,
    #[command(flatten)]
    limit: output::Limit,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Result of the merge, printed as JSON.
#[derive(Serialize)]
struct Answer {
    output: String,
    shards: usize,
    sprites: usize,
    bytes: usize,
    written: bool,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let start = Instant::now();
    let merged = hitmask_bake::merge(&args.output, &args.shard, args.limit.options())?;
    let answer = Answer {
        output: args.output.display().to_string(),
        shards: merged.shards,
        sprites: merged.sprites,
        bytes: merged.bytes,
        written: merged.written,
        seconds: start.elapsed().as_secs_f64(),
    };
    if args.json {
        return output::print_json(&answer);
    }
    let Answer { output, shards, sprites, bytes, written, seconds } = answer;
    output::print(&format!(
        "{output}{}\n  shards    {shards}\n  sprites   {sprites}\n  size      {}\n  time      {seconds:.2} s\n",
        if written { "" } else { " is up to date" },
        output::size(bytes as u64),
    ))
}
