//! `hitmask report`: writes an HTML page with every sprite and map of an atlas.

mod map;
mod outline;
mod page;
mod row;

use crate::cli_error::one_line;
use crate::sprite_stats::{SpriteStats, Warned};
use crate::{CliError, art, output, units};
use hitmask::Sprite;
use hitmask_bake::Report;
use outline::Outlines;
use page::Subject;
use rayon::prelude::*;
use row::{Findings, Row};
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Write an HTML page with the outline, statistics and warnings of every sprite.
///
/// Maps have a picture of their colliders, and a table of their objects. The page is a single file that works offline; source images are embedded if found. It can be
/// sorted and searched, and has a light and a dark theme. Fidelity, the difference between stored
/// poses and exact rotation, is measured on the first frame of each sprite at eight angles between
/// steps.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas file.
    file: PathBuf,
    /// Folder that was baked. Draws sprites over their images and maps over their tiles, and warns of
    /// images that have changed since the bake. An error if it has no image of any sprite and no level.
    #[arg(long, value_name = "FOLDER")]
    art: Option<PathBuf>,
    /// Cache of the bake, from which the page shows the warnings and hints that the bake gave. Default:
    /// the path of the atlas with .cache appended. Without a cache, the page shows what can be seen in
    /// the atlas and the art.
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Page to write. A non-empty file that is not HTML is never replaced.
    #[arg(short, long, value_name = "HTML")]
    output: PathBuf,
    /// Mark sprites whose rotation error is larger than this, in pixels: 1 or 1px.
    #[arg(long, value_name = "PX", default_value_t = 1.0, value_parser = units::pixels::<f64>, allow_negative_numbers = true)]
    max_error: f64,
    #[command(flatten)]
    limit: output::Limit,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    output: String,
    /// Size of the page in bytes.
    bytes: usize,
    sprites: usize,
    maps: usize,
    /// Number of sprites whose image was found.
    with_art: usize,
    /// Number of sprites whose rotation error exceeds --max-error.
    over_error: usize,
    warnings: Vec<Warned<'a>>,
    /// Findings that are rarely mistakes.
    hints: Vec<Warned<'a>>,
    /// Statistics of each sprite, in the order of names.
    each: Vec<&'a SpriteStats<'a>>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let atlas = output::open_drawn(&args.file, &args.limit)?;
    if let Some(folder) = args.art.as_ref().filter(|folder| !folder.is_dir()) {
        let cause = format!("{} is not a folder", folder.display());
        return Err(CliError::new(cause, "give the folder that was baked, or omit --art"));
    }
    output::check_target(&args.output, &[&args.file])?;
    if args.art.as_ref().is_some_and(|folder| art::is_art(folder, &args.output)) {
        let cause = format!("{} is an image in the art folder", args.output.display());
        return Err(CliError::new(cause, "choose another path for the page, such as report.html"));
    }
    check_page(&args.output)?;
    let cache = args.cache.clone().unwrap_or_else(|| output::cache_beside(&args.file));
    let baked = Report::of_cache(&args.file, &cache);
    if let (None, Some(cache)) = (&baked, &args.cache) {
        let cause = format!("{} is not the cache of the bake of this atlas", cache.display());
        return Err(CliError::new(cause, "bake again with this --cache, or omit it"));
    }
    let findings = baked.as_ref().map(findings);
    let progress = output::progress(atlas.sprites().len() as u64, "sprites");
    let resolution = atlas.resolution();
    let sprites: Vec<Sprite<'_>> = atlas.sprites().collect();
    let outlines = Outlines::of(&sprites, resolution);
    let each = sprites.into_par_iter().map(|sprite| {
        progress.inc(1);
        let stats = SpriteStats::of(sprite, resolution);
        let art = args.art.as_deref();
        row::row(sprite, stats, &outlines, resolution.into(), art, findings.as_ref())
    });
    let rows: Vec<Row<'_>> = each.collect();
    progress.finish_and_clear();
    let named: HashSet<&str> = rows.iter().map(|row| row.sprite.name()).collect();
    let mut others: Vec<(String, String)> = Vec::new();
    for (sprite, [warnings, _]) in findings.iter().flatten() {
        if !named.contains(sprite) {
            others.extend(warnings.iter().map(|text| ((*sprite).to_owned(), text.clone())));
        }
    }
    let (maps, mut sections, mut has_tiles) = (atlas.maps(), String::new(), false);
    for map in &maps {
        match map::section(&atlas, map, args.art.as_deref()) {
            Ok((section, is_over_tiles)) => {
                sections += &section;
                has_tiles |= is_over_tiles;
            }
            Err(error) => {
                let text = format!("map {:?}: {}", map.name, one_line(&error, error.help()));
                others.push((map.name.clone(), text));
            }
        }
    }
    let with_art = rows.iter().filter(|row| row.frames.iter().any(|f| f.art.is_some())).count();
    let has_misfit = rows.iter().any(|row| row.has_image);
    let has_art = with_art > 0 || has_tiles || rows.is_empty() || has_misfit;
    if let (Some(folder), false) = (&args.art, has_art) {
        let first = rows.first().map_or("", |row| row.sprite.name());
        let what = if maps.is_empty() { "" } else { ", and no level of a map" };
        let cause =
            format!("{} has no image of any sprite, such as {first:?}{what}", folder.display());
        return Err(CliError::new(cause, "give the folder that was baked, or omit --art"));
    }
    let subject = Subject {
        map_count: maps.len(),
        maps: sections,
        others: others.iter().map(|(_, text)| text.clone()).collect(),
        name: args.file.display().to_string(),
        bytes: atlas.as_bytes().len() as u64,
        frames: atlas.frame_count(),
        poses: atlas.pose_count(),
        budget: args.max_error,
    };
    let page = page::page(&subject, &rows);
    output::write(&args.output, page.as_bytes())?;
    fn warned<'a>(sprite: &'a str, all: &'a [String]) -> impl Iterator<Item = Warned<'a>> {
        all.iter().map(move |warning| Warned { sprite, warning: warning.clone() })
    }
    let of_rows = rows.iter().flat_map(|row| warned(row.sprite.name(), &row.warnings));
    let of_others =
        others.iter().flat_map(|(sprite, warning)| warned(sprite, std::slice::from_ref(warning)));
    let hints = rows.iter().flat_map(|row| warned(row.sprite.name(), &row.hints));
    let answer = Answer {
        output: args.output.display().to_string(),
        bytes: page.len(),
        sprites: rows.len(),
        maps: maps.len(),
        with_art,
        over_error: rows.iter().filter(|r| r.wanted_angles(args.max_error).is_some()).count(),
        warnings: of_rows.chain(of_others).collect(),
        hints: hints.collect(),
        each: rows.iter().map(|row| &row.stats).collect(),
    };
    output::answer(args.json, &answer, || {
        format!(
            "{}: {}, {} with art, {}, {}, {}\n",
            answer.output,
            output::count(answer.sprites, "sprite"),
            answer.with_art,
            output::count(answer.warnings.len(), "warning"),
            output::count(answer.hints.len(), "hint"),
            output::size(page.len() as u64)
        )
    })
}

/// Returns the findings of the bake that wrote the atlas.
fn findings(report: &Report) -> Findings<'_> {
    let mut by_sprite = Findings::new();
    for (kind, all) in [&report.warnings, &report.hints].into_iter().enumerate() {
        for one in all {
            let texts = by_sprite.entry(one.sprite()).or_default();
            texts[kind].push(one_line(one, one.help()));
        }
    }
    by_sprite
}

/// Refuses to replace a file that is not HTML.
fn check_page(path: &Path) -> Result<(), CliError> {
    output::check_kind(path, "an HTML", |head| {
        let head = head.trim_ascii_start().to_ascii_lowercase();
        head.starts_with(b"<!doctype html") || head.starts_with(b"<html")
    })
}
