//! `hitmask report`: an atlas as a page to look at.

mod art;
mod outline;
mod page;
mod row;

use crate::sprite_stats::Figures;
use crate::{Failure, output, units};
use hitmask::Sprite;
use page::Subject;
use rayon::prelude::*;
use row::Row;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write a page that shows every sprite of an atlas with its outline, figures and warnings.
///
/// The page is one HTML file that needs no network and nothing beside it: art that is found is put
/// inside. It sorts, searches, and has a dark and a light side. How far the stored poses differ from
/// exact turning is measured at eight angles between steps, on the first frame of each sprite.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas.
    file: PathBuf,
    /// The folder that was baked: sprites are drawn over their art, and art that has changed since
    /// is told.
    #[arg(long, value_name = "FOLDER")]
    art: Option<PathBuf>,
    /// The page to write. A file that is neither empty nor HTML is not replaced.
    #[arg(short, long, value_name = "HTML")]
    output: PathBuf,
    /// Mark sprites whose steps of turning move a solid pixel farther than this, in pixels: 1 or 1px.
    #[arg(long, value_name = "PX", default_value_t = 1.0, value_parser = units::pixels::<f64>, allow_negative_numbers = true)]
    max_error: f64,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    output: String,
    /// Size of the page.
    bytes: usize,
    sprites: usize,
    /// Sprites whose art was found.
    with_art: usize,
    /// Sprites that turn less exactly than --max-error asks.
    over_error: usize,
    warnings: Vec<Warning<'a>>,
    /// The figures of each sprite, in order of their names.
    each: Vec<&'a Figures<'a>>,
}

#[derive(Serialize)]
struct Warning<'a> {
    sprite: &'a str,
    warning: &'a str,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let atlas = output::open(&args.file)?;
    if let Some(folder) = args.art.as_ref().filter(|folder| !folder.is_dir()) {
        let cause = format!("{} is no folder", folder.display());
        return Err(Failure::new(cause, "give the folder that was baked, or leave --art out"));
    }
    output::check_target(&args.output, &[&args.file])?;
    if args.art.as_ref().is_some_and(|folder| art::is_art(folder, &args.output)) {
        let cause = format!("{} is an image of the art, and would be lost", args.output.display());
        return Err(Failure::new(cause, "choose another path for the page, such as report.html"));
    }
    check_page(&args.output)?;
    let progress = output::progress(atlas.sprites().len() as u64, "sprites");
    let resolution = atlas.resolution();
    let sprites: Vec<Sprite<'_>> = atlas.sprites().collect();
    let each = sprites.into_par_iter().map(|sprite| {
        progress.inc(1);
        let figures = Figures::of(sprite, resolution);
        row::row(sprite, figures, resolution.into(), args.art.as_deref())
    });
    let rows: Vec<Row<'_>> = each.collect();
    progress.finish_and_clear();
    let subject = Subject {
        name: args.file.display().to_string(),
        bytes: atlas.as_bytes().len() as u64,
        frames: atlas.frame_count(),
        poses: atlas.pose_count(),
        budget: args.max_error,
    };
    let page = page::page(&subject, &rows);
    output::write(&args.output, page.as_bytes())?;
    let warnings = rows.iter().flat_map(|row| {
        row.warnings.iter().map(|warning| Warning { sprite: row.sprite.name(), warning })
    });
    let answer = Answer {
        output: args.output.display().to_string(),
        bytes: page.len(),
        sprites: rows.len(),
        with_art: rows.iter().filter(|row| row.frames.iter().any(|f| f.art.is_some())).count(),
        over_error: rows.iter().filter(|r| r.wanted_angles(args.max_error).is_some()).count(),
        warnings: warnings.collect(),
        each: rows.iter().map(|row| &row.figures).collect(),
    };
    if args.json {
        return output::print_json(&answer);
    }
    output::print(&format!(
        "{}: {} sprites, {} with their art, {} warnings, {}\n",
        answer.output,
        answer.sprites,
        answer.with_art,
        answer.warnings.len(),
        output::size(page.len() as u64)
    ))
}

/// Refuses to replace a file that is not a page of HTML.
fn check_page(path: &Path) -> Result<(), Failure> {
    output::check_kind(path, "page of HTML", |head| {
        let head = head.trim_ascii_start().to_ascii_lowercase();
        head.starts_with(b"<!doctype html") || head.starts_with(b"<html")
    })
}
