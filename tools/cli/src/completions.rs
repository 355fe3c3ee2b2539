//! `hitmask completions` and `hitmask man`: shell completions and manual pages, generated from the
//! definition of the command.

use crate::{CliError, output, sprites};
use clap::Command;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print shell completions.
///
/// Write them to a file that the shell reads, and start a new shell.
#[derive(clap::Args)]
#[command(after_help = FOLDERS)]
pub(crate) struct Completions {
    /// Shell to print completions for.
    shell: Shell,
}

/// The files that shells read completions from.
const FOLDERS: &str = "Files, whose folders must exist:
  bash        ~/.local/share/bash-completion/completions/hitmask
  elvish      ~/.config/elvish/lib/hitmask.elv, and `use hitmask` in ~/.config/elvish/rc.elv
  fish        ~/.config/fish/completions/hitmask.fish
  powershell  a file of any name, and a line `. FILE` in the file that $PROFILE names
  zsh         _hitmask in a folder of $fpath, such as ~/.zfunc: add it by `fpath+=(~/.zfunc)` before
              compinit in ~/.zshrc

Example: hitmask completions bash > ~/.local/share/bash-completion/completions/hitmask";

/// Print a manual page, or write all of them to a folder.
#[derive(clap::Args)]
pub(crate) struct Man {
    /// Verb to print the page of. Default: the page of the whole command.
    verb: Option<String>,
    /// Write the pages of the command and of all verbs into this folder instead.
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "verb")]
    output: Option<PathBuf>,
}

pub(crate) fn completions(args: &Completions, mut command: Command) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "hitmask", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(args: &Man, command: Command) -> Result<(), CliError> {
    // The verb `help` would have a page for each verb, such as `hitmask help bake`.
    let mut command = command.disable_help_subcommand(true);
    // Sets the full name of each verb, such as `hitmask bake`, and the version.
    command.build();
    if let Some(folder) = &args.output {
        return clap_mangen::generate_to(command, folder).map_err(|e| {
            let help = "give a folder that exists and is writable";
            CliError::new(format!("cannot write to {}: {e}", folder.display()), help)
        });
    }
    let page = match &args.verb {
        None => command.clone(),
        Some(verb) => command.find_subcommand(verb).cloned().ok_or_else(|| {
            let verbs = command.get_subcommands().map(Command::get_name);
            let help = sprites::suggested(verbs, verb, "`hitmask --help` lists the verbs");
            CliError::new(format!("there is no verb {verb:?}"), help)
        })?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(|e| {
        CliError::new(format!("cannot write the manual page: {e}"), "see `hitmask --help` instead")
    })?;
    output::print(&String::from_utf8_lossy(&text))
}
