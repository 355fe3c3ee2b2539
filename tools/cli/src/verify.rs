use crate::{Failure, output};
use std::path::PathBuf;

/// Read every byte of an atlas and say whether it is as it was baked.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas.
    file: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let atlas = output::open(&args.file)?;
    let name = args.file.display();
    atlas.verify().map_err(|error| Failure::from(error).of(&name.to_string()))?;
    let (bytes, poses) = (output::size(atlas.as_bytes().len() as u64), atlas.pose_count());
    output::print(&format!("{name}: {bytes} and {poses} poses are as they were baked\n"))
}
