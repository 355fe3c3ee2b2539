//! `hitmask bake --check`: tests whether an atlas equals a fresh bake of its sources, for CI.

use super::args::{Args, gather};
use crate::cli_error::one_line;
use crate::{CliError, output};
use hitmask_bake::CheckReport;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

/// Result of the check, printed as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    output: String,
    fresh: bool,
    new: &'a [String],
    gone: &'a [String],
    changed: &'a [String],
    unreadable: Option<String>,
}

/// Returns exit code 0 if the atlas is up to date, else 1. Errors exit with 2.
pub(super) fn check(args: &Args) -> Result<ExitCode, CliError> {
    check_or_fail(args).map_err(|error| error.with_code(2))
}

fn check_or_fail(args: &Args) -> Result<ExitCode, CliError> {
    let (bake, output) = gather(args)?;
    let (bar, bake) = output::baking(bake);
    let check = bake.check(&output);
    bar.finish_and_clear();
    let check = check?;
    let CheckReport { is_fresh: fresh, new, gone, changed, unreadable, .. } = &check;
    let answer = Answer {
        output: output.display().to_string(),
        fresh: *fresh,
        new,
        gone,
        changed,
        unreadable: unreadable.as_ref().map(|error| one_line(error, error.help())),
    };
    output::answer(args.json, &answer, || text(&check, &output))?;
    Ok(if check.is_fresh { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn text(check: &CheckReport, output: &Path) -> String {
    let output = output.display();
    if check.is_fresh {
        return format!("{output} is up to date\n");
    }
    let CheckReport { new, gone, changed, unreadable, .. } = check;
    let mut text = match unreadable {
        Some(error) => {
            format!("{output} is missing or unreadable: {}\n", one_line(error, error.help()))
        }
        None if new.is_empty() && gone.is_empty() && changed.is_empty() => {
            format!("{output} is stale: it stores the same sprites in another form\n")
        }
        None => format!("{output} is stale\n"),
    };
    for (sign, names) in [('-', gone), ('+', new), ('~', changed)] {
        names.iter().for_each(|name| text += &format!("{sign} {name}\n"));
    }
    text + &format!("{} new, {} gone, {} changed\n", new.len(), gone.len(), changed.len())
}
