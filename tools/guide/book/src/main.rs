//! Builds the guide into a folder, `hitmask-book build OUT`, and checks the finished site, `hitmask-book check OUT`.
//!
//! A line `[TEXT](../examples/NAME)` of a chapter becomes the programs of that folder, one tab for each language, and what
//! they print. Pictures, documents and code are put in likewise. The check follows every link, image and anchor of the pages of the guide.

mod examples;
mod links;

use mdbook_driver::MDBook;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match &arguments[..] {
        [verb, out] if verb == "build" => build(Path::new(out)),
        [verb, out] if verb == "check" => check(Path::new(out)),
        _ => {
            Err("no folder is given; run `hitmask-book build OUT` or `hitmask-book check OUT`"
                .into())
        }
    };
    let faults = done.unwrap_or_else(|error| vec![format!("{error:#}")]);
    for fault in &faults {
        eprintln!("error: {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn load() -> Result<MDBook, Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    Ok(MDBook::load(root)?)
}

/// Replaces the contents of a folder by the pages of the guide.
fn build(out: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    fs::create_dir_all(out)?;
    let mut book = load()?;
    book.config.build.build_dir = out.canonicalize()?;
    book.with_preprocessor(examples::Examples);
    book.build()?;
    Ok(Vec::new())
}

/// Returns the broken links of the pages, each with its chapter and line.
fn check(out: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let book = load()?;
    let pages: Vec<PathBuf> =
        book.book.chapters().filter_map(|chapter| chapter.source_path.clone()).collect();
    Ok(links::check(&book.root.join("chapters"), &pages, out)?)
}
