//! What a shell and `man` need to know of the command, from its own definition.

use crate::{Failure, output};
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print completions for a shell.
///
/// For instance `hitmask completions bash > ~/.local/share/bash-completion/completions/hitmask`.
#[derive(clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

/// Print the manual page, or write all of them.
#[derive(clap::Args)]
pub(crate) struct Man {
    /// The page of one verb; else that of the whole command.
    verb: Option<String>,
    /// Write the page of the command and those of all verbs into this folder instead.
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "verb")]
    output: Option<PathBuf>,
}

pub(crate) fn completions(args: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "hitmask", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(args: &Man) -> Result<(), Failure> {
    let mut command = crate::Cli::command();
    // Gives each verb its full name, `hitmask bake`, and the version.
    command.build();
    if let Some(folder) = &args.output {
        return clap_mangen::generate_to(command, folder).map_err(|e| {
            let help = "name a folder that exists and may be written to";
            Failure::new(format!("cannot write to {}: {e}", folder.display()), help)
        });
    }
    let page = match &args.verb {
        None => command,
        Some(verb) => command.find_subcommand(verb).cloned().ok_or_else(|| {
            let help = "`hitmask --help` lists the verbs";
            Failure::new(format!("there is no verb {verb:?}"), help)
        })?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(|e| {
        Failure::new(format!("cannot write the page: {e}"), "see hitmask --help instead")
    })?;
    output::print(&String::from_utf8_lossy(&text))
}
