//! `hitmask bake`: bakes images into an atlas, once, with `--check`, or with `--watch`.
//!
//! `args` turns the arguments and the manifest into a `hitmask_bake::Bake`, which the other files run.

mod args;
mod check;
mod once;
mod watch;

use crate::CliError;
pub(crate) use args::Args;
use args::gather;
use once::bake_once;
use std::process::ExitCode;

pub(crate) fn run(mut args: Args) -> Result<ExitCode, CliError> {
    args.art.find_manifest()?;
    let args = &args;
    if args.check {
        return check::check(args);
    }
    if args.watch {
        watch::watch(args)?;
        return Ok(ExitCode::SUCCESS);
    }
    // Signals that are ignored, as under nohup, stay ignored. Then this bake listens for no other either, and leaves
    // a file behind if it is killed, which the next bake removes.
    let _ = ctrlc::try_set_handler(|| {
        hitmask_bake::remove_temporary_files();
        // The exit code of a program that Ctrl-C ends.
        std::process::exit(130);
    });
    let (bake, output) = gather(args)?;
    let is_whole = bake_once(args, bake, &output)?;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
