//! `hitmask bake --check`: whether an atlas is what its sources give now, for CI.

use super::{Args, gather, progress};
use crate::cli_error::one_line;
use crate::{Failure, output};
use hitmask::CheckReport;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

/// What was found, for programs.
#[derive(Serialize)]
struct Answer<'a> {
    output: String,
    fresh: bool,
    new: &'a [String],
    gone: &'a [String],
    changed: &'a [String],
    unreadable: Option<String>,
}

/// 0 where nothing differs, else 1. A failure's own code is 2: 1 is taken.
pub(super) fn check(args: &Args) -> Result<ExitCode, Failure> {
    check_or_fail(args).map_err(|failure| failure.with_code(2))
}

fn check_or_fail(args: &Args) -> Result<ExitCode, Failure> {
    let (bake, output) = gather(args)?;
    let (bar, bake) = progress(bake);
    let check = bake.check(&output);
    bar.finish_and_clear();
    let check = check?;
    if args.json {
        let CheckReport { is_fresh, new, gone, changed, unreadable, .. } = &check;
        output::print_json(&Answer {
            output: output.display().to_string(),
            fresh: *is_fresh,
            new,
            gone,
            changed,
            unreadable: unreadable.as_ref().map(|error| one_line(error, error.help())),
        })?;
    } else {
        output::print(&text(&check, &output))?;
    }
    Ok(if check.is_fresh { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn text(check: &CheckReport, output: &Path) -> String {
    let output = output.display();
    if check.is_fresh {
        return format!("{output} is up to date\n");
    }
    let CheckReport { new, gone, changed, unreadable, .. } = check;
    let mut text = match unreadable {
        Some(error) => format!("{output} is no atlas yet: {}\n", one_line(error, error.help())),
        None if new.is_empty() && gone.is_empty() && changed.is_empty() => {
            format!("{output} is stale: it holds the same sprites in another form\n")
        }
        None => format!("{output} is stale\n"),
    };
    for (sign, names) in [('-', gone), ('+', new), ('~', changed)] {
        names.iter().for_each(|name| text += &format!("{sign} {name}\n"));
    }
    text + &format!("{} new, {} gone, {} changed\n", new.len(), gone.len(), changed.len())
}
