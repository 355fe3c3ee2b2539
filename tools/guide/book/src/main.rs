//! Builds the guide into a folder: `hitmask-book OUT`.
//!
//! A line `{{#example NAME}}` of a chapter becomes the programs of `examples/NAME`, one tab for each language, and what
//! they print. After the book is built, every link, image and anchor of its pages is followed.

mod examples;
mod links;

use mdbook_driver::MDBook;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let Some(out) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("error: no folder is given\n  help: run `hitmask-book OUT`");
        return ExitCode::FAILURE;
    };
    let faults = match build(&out) {
        Ok(faults) => faults,
        Err(error) => vec![format!("{error:#}")],
    };
    for fault in &faults {
        eprintln!("error: {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Builds the book. Returns its faults, each with a chapter and a line.
fn build(out: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    fs::create_dir_all(out)?;
    let mut book = MDBook::load(&root)?;
    book.config.build.build_dir = out.canonicalize()?;
    book.with_preprocessor(examples::Examples);
    book.build()?;
    let chapters = root.join("chapters");
    let pages: Vec<PathBuf> =
        book.book.chapters().filter_map(|chapter| chapter.source_path.clone()).collect();
    Ok(links::check(&chapters, &pages, out)?)
}
