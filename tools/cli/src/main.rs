//! The `hitmask` command: bakes, inspects and checks atlases of pixel-perfect masks.
//!
//! Each verb is one module with its `Args` and a `run` function; the library does the work. Results
//! go to standard output, errors to standard error.

mod art;
mod art_args;
mod bake;
mod bench;
mod cli_error;
mod completions;
mod demo;
mod describe;
mod export;
mod info;
mod init;
mod maps;
mod merge;
mod output;
mod report;
mod show;
mod sprite_stats;
mod sprites;
mod svg_path;
mod units;
mod verify;

use clap::{CommandFactory, Parser, Subcommand};
use cli_error::CliError;
use hitmask::Simd;
use std::process::ExitCode;

/// Pixel-perfect sprite collisions from masks baked at every rotation and scale.
#[derive(Parser)]
#[command(name = "hitmask", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

const EXIT_CODES: &str = "Exit codes: 0 success, 1 failure, 2 wrong usage. Errors go to standard error as an error: line \
                          and a help: line. Results go to standard output, with --json as JSON.";

#[derive(Subcommand)]
enum Verb {
    Bake(bake::Args),
    Merge(merge::Args),
    Init(init::Args),
    Info(info::Args),
    Verify(verify::Args),
    Show(show::Args),
    Export(export::Args),
    Report(report::Args),
    Demo(demo::Args),
    Bench(bench::Args),
    Completions(completions::Completions),
    Man(completions::Man),
}

fn main() -> ExitCode {
    let verb = Cli::try_parse().unwrap_or_else(|error| in_plain_words(error).exit()).verb;
    // A measurement or a check with another instruction set than the one named would mislead.
    if let Err(error) = Simd::from_env() {
        return fail(&CliError::from(error).with_code(2));
    }
    let result = match verb {
        Verb::Bake(args) => return bake::run(args).unwrap_or_else(|error| fail(&error)),
        Verb::Merge(args) => merge::run(&args),
        Verb::Init(args) => init::run(&args),
        Verb::Info(args) => info::run(&args),
        Verb::Verify(args) => verify::run(&args),
        Verb::Show(args) => show::run(&args),
        Verb::Export(args) => export::run(args),
        Verb::Report(args) => report::run(&args),
        Verb::Demo(args) => demo::run(&args),
        Verb::Bench(args) => bench::run(args),
        Verb::Completions(args) => completions::completions(&args, Cli::command()),
        Verb::Man(args) => completions::man(&args, Cli::command()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

/// Returns the error of an unknown option without the advice to take it for the name of a file, which is rarely
/// meant. Names the options of the verb in its place.
fn in_plain_words(mut error: clap::Error) -> clap::Error {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if option.starts_with("--") => option.clone(),
        _ => return error,
    };
    let is_like_another = error.get(ContextKind::SuggestedArg).is_some();
    if error.kind() != ErrorKind::UnknownArgument || is_like_another {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let (mut cli, mut verb) = (Cli::command(), None);
    // Gives the parts of a verb the options of the verb.
    cli.build();
    for word in std::env::args().skip(1) {
        // A verb, or a part of one.
        verb = verb.unwrap_or(&cli).find_subcommand(word).or(verb);
    }
    if let Some(verb) = verb {
        let long = verb.get_opts().filter_map(clap::Arg::get_long);
        let known = long.filter(|long| *long != "help").map(|long| format!("--{long}"));
        let known: Vec<String> = known.collect();
        let has = match known.is_empty() {
            true => "no options".to_owned(),
            false => known.join(", "),
        };
        let text = format!("{} has no option {option}, but {has}", verb.get_name());
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![text.into()]));
    }
    error
}

fn fail(error: &CliError) -> ExitCode {
    error.print();
    error.code()
}
