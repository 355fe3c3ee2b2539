//! The `hitmask` command: bakes, inspects and checks atlases of pixel-perfect masks.

mod bake;
mod bench;
mod check;
mod demo;
mod failure;
mod info;
mod output;
mod show;
mod verify;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Pixel-perfect sprite collisions from masks baked at every rotation and scale.
///
/// Exit codes: 0 done, 1 failed, 2 wrong usage.
#[derive(Parser)]
#[command(name = "hitmask", version)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Bake(bake::Args),
    Info(info::Args),
    Verify(verify::Args),
    Show(show::Args),
    Check(check::Args),
    Demo(demo::Args),
    Bench(bench::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().verb {
        Verb::Bake(args) => bake::run(&args),
        Verb::Info(args) => info::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Show(args) => show::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Demo(args) => demo::run(&args),
        Verb::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}
