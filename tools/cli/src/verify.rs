use crate::{Failure, output};
use serde::Serialize;
use std::path::PathBuf;

/// Read every byte of an atlas and say whether it is as it was baked.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas.
    file: PathBuf,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    /// Always true: an atlas that is not as it was baked is a failure.
    verified: bool,
    bytes: usize,
    poses: u32,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let atlas = output::open(&args.file)?;
    let name = args.file.display();
    let shown = output::busy(&format!("verifying {}", output::size(atlas.as_bytes().len() as u64)));
    let verified = atlas.verify();
    shown.finish_and_clear();
    verified.map_err(|error| Failure::from(error).of(&name.to_string()))?;
    let (bytes, poses) = (atlas.as_bytes().len(), atlas.pose_count());
    if args.json {
        return output::print_json(&Answer { verified: true, bytes, poses });
    }
    let bytes = output::size(bytes as u64);
    output::print(&format!("{name}: {bytes} and {poses} poses are as they were baked\n"))
}
