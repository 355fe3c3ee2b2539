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
    #[command(flatten)]
    limit: output::Limit,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    /// Always true: a damaged atlas is an error.
    verified: bool,
    /// Size of the atlas with all poses; null if it states a size that no atlas can have.
    bytes: Option<u64>,
    /// Number of stored poses; null for a compact atlas.
    poses: Option<u32>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let atlas = output::open(&args.file, &args.limit)?;
    let name = args.file.display();
    let shown = output::busy("verifying");
    let verified = atlas.verify();
    shown.finish_and_clear();
    verified.map_err(|error| CliError::from(error).of(&name.to_string()))?;
    let bytes = output::drawn_bytes(&atlas);
    let poses = atlas.is_drawn().then(|| atlas.pose_count());
    if args.json {
        return output::print_json(&Answer { verified: true, bytes, poses });
    }
    let size = output::drawn_size(bytes);
    let poses = match poses {
        Some(poses) => format!("{poses} poses"),
        None => {
            let drawn = if bytes.is_some() { "once drawn, " } else { "" };
            format!("{drawn}compact, {} frames", atlas.frame_count())
        }
    };
    output::print(&format!("{name}: intact, {size}, {poses}\n"))
}
