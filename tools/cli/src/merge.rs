use crate::{Failure, output};
use hitmask::merge;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Put the shards of a bake together into its atlas.
///
/// They are what 'bake --shard 1/4', '2/4' and so on wrote, of the same sources with the same
/// settings, given in any order. The atlas is byte for byte that of a bake in one piece. Takes
/// about twice its size in memory.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas to write. A merge that fails leaves what was there; a file that is neither empty nor
    /// an atlas is not replaced.
    output: PathBuf,
    /// All shards of one bake.
    #[arg(required = true)]
    shard: Vec<PathBuf>,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

/// What the merge did, for programs.
#[derive(Serialize)]
struct Answer {
    output: String,
    shards: usize,
    sprites: usize,
    bytes: usize,
    written: bool,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let start = Instant::now();
    let merged = merge(&args.output, &args.shard)?;
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
