//! `hitmask verify`: tests all checksums of an atlas.

use crate::{CliError, output};
use serde::Serialize;
use std::path::PathBuf;

/// Verify the checksums of an atlas.
///
/// Reads every byte and fails if any has changed since the bake. Draws no pose of a compact atlas.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas file.
    file: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    /// Always true: a damaged atlas is an error.
    verified: bool,
    bytes: usize,
    /// Number of stored poses; null for a compact atlas.
    poses: Option<u32>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let atlas = output::open(&args.file)?;
    let name = args.file.display();
    let shown = output::busy(&format!("verifying {}", output::size(atlas.as_bytes().len() as u64)));
    let verified = atlas.verify();
    shown.finish_and_clear();
    verified.map_err(|error| CliError::from(error).of(&name.to_string()))?;
    let bytes = atlas.as_bytes().len();
    let poses = atlas.is_drawn().then(|| atlas.pose_count());
    if args.json {
        return output::print_json(&Answer { verified: true, bytes, poses });
    }
    let bytes = output::size(bytes as u64);
    let poses = match poses {
        Some(poses) => format!("{poses} poses"),
        None => format!("compact, {} frames", atlas.frame_count()),
    };
    output::print(&format!("{name}: intact, {bytes}, {poses}\n"))
}
