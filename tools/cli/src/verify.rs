//! `hitmask verify`: tests all checksums of an atlas.

use crate::{CliError, output};
use serde::Serialize;
use std::path::PathBuf;

/// Verify the checksums of an atlas.
///
/// Reads every byte and fails if any has changed since the bake. The poses of a compact atlas are not
/// drawn.
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
    /// Size of the atlas with all poses.
    bytes: u64,
    /// Null for a compact atlas.
    poses: Option<u32>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let atlas = output::open_undrawn(&args.file)?;
    let (name, bytes, poses) = (args.file.display(), atlas.drawn_bytes(), atlas.pose_count());
    let shown = output::busy("verifying");
    let verified = atlas.verify();
    shown.finish_and_clear();
    verified.map_err(|error| CliError::from(error).of(&name.to_string()))?;
    if args.json {
        return output::print_json(&Answer { verified: true, bytes, poses });
    }
    let (bytes, frames) = (output::size(bytes), atlas.frame_count());
    output::print(&match poses {
        Some(poses) => format!("{name}: intact, {bytes}, {poses} poses\n"),
        None => format!("{name}: intact, compact, {frames} frames, {bytes} once drawn\n"),
    })
}
