//! `hitmask diff`: lists the differences between two atlases.

mod compare;

use crate::{CliError, output};
use compare::{Changed, Difference, Poses, compare};
use std::path::PathBuf;
use std::process::ExitCode;

/// List the differences between two atlases.
///
/// Lists sprites that were added (+), removed (-), renamed (>) or changed (~). For a changed sprite
/// it gives the settings and the number of poses whose pixels differ. Files with different bytes
/// but the same sprites, settings and pixels count as the same.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 same, 1 different, 2 unreadable atlas or wrong usage.")]
pub(crate) struct Args {
    /// Old atlas.
    before: PathBuf,
    /// New atlas.
    after: PathBuf,
    #[command(flatten)]
    limit: output::Limit,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Returns exit code 0 if nothing differs, else 1. Errors exit with 2, as those of `diff` do.
pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let open = |path| output::open_drawn(path, &args.limit).map_err(|error| error.with_code(2));
    let (before, after) = (open(&args.before)?, open(&args.after)?);
    let bar = output::progress(before.sprites().len() as u64, "sprites");
    let difference = compare(&before, &after, &|| bar.inc(1));
    bar.finish_and_clear();
    output::answer(args.json, &difference, || text(&difference, args))?;
    Ok(if difference.same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn text(difference: &Difference<'_>, args: &Args) -> String {
    let Difference { added, removed, renamed, changed, unchanged, .. } = difference;
    let (before, after) = (args.before.display(), args.after.display());
    if difference.same {
        let bytes = if difference.same_bytes { "" } else { ", stored in different bytes" };
        return format!("{before} and {after} are the same: {unchanged} sprites{bytes}\n");
    }
    let [old, new] = difference.bytes.map(output::size);
    let mut text = format!("{before} to {after}: {old} to {new}\n");
    if let [old, new] = difference.resolution
        && old != new
    {
        text += &format!("resolution {old} to {new}\n");
    }
    for name in removed {
        text += &format!("- {name}\n");
    }
    for name in added {
        text += &format!("+ {name}\n");
    }
    for names in renamed {
        text += &format!("> {} is now {}\n", names.before, names.after);
    }
    for sprite in changed {
        text += &line(sprite);
    }
    text += &format!(
        "{} added, {} removed, {} renamed, {} changed, {unchanged} the same\n",
        added.len(),
        removed.len(),
        renamed.len(),
        changed.len()
    );
    text
}

fn line(sprite: &Changed<'_>) -> String {
    let settings = sprite.settings.iter();
    let mut parts: Vec<String> =
        settings.map(|s| format!("{} {} to {}", s.what, s.before, s.after)).collect();
    let Poses { compared, different, pixels, most, area: [old, new] } = sprite.poses;
    if different > 0 {
        let growth = 100.0 * (new as f64 - old as f64) / (old.max(1) as f64);
        parts.push(format!(
            "{different} of {compared} poses differ, by {pixels} pixels in all and {most} at most, \
             area {growth:+.1}%"
        ));
    }
    let [old, new] = sprite.mask_bytes.map(output::size);
    if old != new {
        parts.push(format!("masks {old} to {new}"));
    }
    format!("~ {}: {}\n", sprite.name, parts.join("; "))
}
