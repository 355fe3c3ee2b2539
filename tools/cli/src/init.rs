//! `hitmask init`: writes a commented manifest for the images of a folder.
//!
//! The manifest lists the image types that the folder contains, and every key with its default.

use crate::{CliError, output};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

/// Write a manifest, hitmask.toml, with every key explained.
///
/// Its file patterns match the image types found in the folder.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder of the art. An existing manifest in it is never overwritten.
    #[arg(default_value = ".")]
    folder: PathBuf,
}

/// File name of the manifest.
const NAME: &str = "hitmask.toml";

/// The manifest, with gaps for the images, the sheets and the levels of the folder.
const MANIFEST: &str = include_str!("init.toml");

/// Deepest level of subfolders that is counted.
const MAX_DEPTH: usize = 16;
/// Counting stops after this number of files.
const MAX_FILES: usize = 100_000;

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let path = args.folder.join(NAME);
    let failed = |cause: io::Error| output::cannot(&path, &cause, Some(cause.kind()));
    let root = root(&args.folder).map_err(failed)?;
    let folder = root.as_ref().map_or(args.folder.clone(), |root| args.folder.join(root));
    let mut counts = BTreeMap::new();
    count(&folder, 0, &mut counts).map_err(failed)?;
    let text = manifest(root.as_deref(), &counts);
    // `create_new` fails where the file exists, without a race between test and creation.
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = match file {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            return Err(CliError::new(
                format!("{} already exists", path.display()),
                "edit the manifest, or move it away first",
            ));
        }
        file => file.and_then(|mut file| file.write_all(text.as_bytes())),
    };
    written.map_err(failed)?;
    let is_here = args.folder.components().all(|part| part == Component::CurDir);
    let path = path.display();
    let run = if is_here { String::new() } else { format!(" --manifest {path}") };
    output::print(&format!("{path}\n  edit it, then run: hitmask bake{run}\n"))
}

/// Extensions of images.
const IMAGES: [&str; 10] =
    ["png", "apng", "gif", "webp", "jpg", "jpeg", "bmp", "tga", "ase", "aseprite"];

/// Folders of tools, whose images are no art.
const TOOLS: [&str; 2] = ["target", "node_modules"];

/// Returns the name of the only folder in `folder` that has images below it, if there are none elsewhere. As
/// the root, it gives the names that `hitmask bake` of that folder gives.
fn root(folder: &Path) -> io::Result<Option<String>> {
    let mut found = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        let name = name.to_string_lossy();
        let is_image = |ending: &str| IMAGES.iter().any(|it| it.eq_ignore_ascii_case(ending));
        if name.starts_with('.') || TOOLS.contains(&&*name) {
            continue;
        }
        if kind.is_file() && name.rsplit_once('.').is_some_and(|(_, ending)| is_image(ending)) {
            return Ok(None);
        }
        let mut counts = BTreeMap::new();
        // An unreadable folder is skipped, as below.
        let is_listed = kind.is_dir() && count(&entry.path(), 1, &mut counts).is_ok();
        let has_image = is_listed && counts.keys().any(|ending| is_image(ending));
        if has_image && found.replace(name.into_owned()).is_some() {
            return Ok(None);
        }
    }
    Ok(found)
}

/// Counts the files below `folder` by extension in lower case. Skips hidden files and folders.
fn count(folder: &Path, depth: usize, counts: &mut BTreeMap<String, usize>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let kind = entry.file_type()?;
        if name.starts_with('.') || counts.values().sum::<usize>() > MAX_FILES {
            continue;
        }
        if kind.is_dir() && depth < MAX_DEPTH {
            // An unreadable subfolder is skipped.
            let _ = count(&entry.path(), depth + 1, counts);
        } else if let (true, Some((_, ending))) = (kind.is_file(), name.rsplit_once('.')) {
            *counts.entry(ending.to_owned()).or_default() += 1;
        }
    }
    Ok(())
}

/// Returns the text of the manifest, given its root and the number of files per extension.
fn manifest(root: Option<&str>, counts: &BTreeMap<String, usize>) -> String {
    let count_of = |ending: &str| counts.get(ending).copied().unwrap_or(0);
    let mut images = Vec::new();
    for ending in IMAGES {
        if count_of(ending) > 0 {
            images.push(format!("\"**/*.{ending}\""));
        }
    }
    // A folder without images still gets a valid manifest.
    let images = if images.is_empty() { "\"**/*.png\"".to_owned() } else { images.join(", ") };
    let mut sheets = String::new();
    for (ending, tool) in [
        ("json", "sheets of TexturePacker or Aseprite"),
        ("atlas", "sheets of libGDX or Spine"),
        ("pack", "sheets of libGDX"),
        ("xml", "sheets of Starling"),
        ("plist", "sheets of cocos2d"),
        ("tsx", "tilesets of Tiled, with collision shapes"),
        ("tsj", "tilesets of Tiled, with collision shapes"),
        ("tmx", "levels of Tiled, which become maps"),
        ("tmj", "levels of Tiled, which become maps"),
        ("ldtk", "levels of LDtk, which become maps"),
    ] {
        let files = count_of(ending);
        if files > 0 {
            sheets += &format!(
                "\n# {files} files end in .{ending}. If they are {tool}, remove the # of these lines:\n\
                 # [[source]]\n# files = \"**/*.{ending}\"\n"
            );
        }
    }
    let root = root.map(|root| format!("root = {root:?}"));
    let text = MANIFEST.replace("{images}", &images).replace("{sheets}", &sheets);
    root.map_or(text.clone(), |root| text.replace("# root = \".\"", &root))
}
