use crate::{Failure, output};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Write a manifest, hitmask.toml, for the images of a folder, with every key explained in it.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the art. An older manifest in it is left as it is.
    #[arg(default_value = ".")]
    folder: PathBuf,
}

/// The manifest's name.
const NAME: &str = "hitmask.toml";

/// Folders below the one given that are looked into, and files in them all.
const DEPTH: usize = 16;
const FILES: usize = 100_000;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let path = args.folder.join(NAME);
    let mut counts = BTreeMap::new();
    count(&args.folder, 0, &mut counts).map_err(|cause| output::cannot(&path, &cause))?;
    let text = manifest(&counts);
    // Never over an older one: all it takes is one open that fails where a file is.
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = match file {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::new(
                format!("{} is there already", path.display()),
                "edit it, or move it away first",
            ));
        }
        file => file.and_then(|mut file| file.write_all(text.as_bytes())),
    };
    written.map_err(|cause| output::cannot(&path, &cause))?;
    let path = path.display();
    output::print(&format!("{path}\n  edit it, then: hitmask bake --manifest {path}\n"))
}

/// Adds up the files of each ending below a folder, hidden ones left out.
fn count(folder: &Path, depth: usize, counts: &mut BTreeMap<String, usize>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let kind = entry.file_type()?;
        if name.starts_with('.') || counts.values().sum::<usize>() > FILES {
            continue;
        }
        if kind.is_dir() && depth < DEPTH {
            // A folder that may not be read is no reason to give up.
            let _ = count(&entry.path(), depth + 1, counts);
        } else if let (true, Some((_, ending))) = (kind.is_file(), name.rsplit_once('.')) {
            *counts.entry(ending.to_owned()).or_default() += 1;
        }
    }
    Ok(())
}

/// A manifest for a folder with so many files of each ending.
fn manifest(counts: &BTreeMap<String, usize>) -> String {
    let here = |ending: &str| counts.get(ending).copied().unwrap_or(0);
    let mut images = Vec::new();
    for ending in ["png", "gif", "webp", "ase", "aseprite"] {
        if here(ending) > 0 {
            images.push(format!("\"**/*.{ending}\""));
        }
    }
    // A folder without images still gets a manifest that can be read.
    let images = if images.is_empty() { "\"**/*.png\"".to_owned() } else { images.join(", ") };
    let mut sheets = String::new();
    for (ending, tool) in [
        ("json", "TexturePacker or Aseprite"),
        ("atlas", "libGDX or Spine"),
        ("tsx", "Tiled, its collision shapes"),
    ] {
        let found = here(ending);
        if found > 0 {
            sheets += &format!(
                "\n# {found} files end in .{ending}. If they are sheets of {tool}, take the # away:\n\
                 # [[source]]\n# files = \"**/*.{ending}\"\n"
            );
        }
    }
    format!("{HEAD}{images}]\n{sheets}{TAIL}")
}

const HEAD: &str = r##"# What hitmask bakes here, and how: hitmask bake --manifest hitmask.toml
# Paths are counted from this file's folder. A # makes a line a comment: those below show every key
# with what it is without it.

# The atlas to write.
output = "sprites.hitmask"

# The folder that files and names are counted from.
# root = "."

# The most megabytes that the atlas may take: angle steps are taken away until it fits.
# max_mb = 64
# Mask pixels along the side of a pixel: 2 or 4 for finer, 0.5 or 0.25 for coarser.
# resolution = 1
# true stores source masks only, often a thousandth of the size: poses are drawn when it opens.
# compact = false

[defaults]
# Steps in a full turn: a multiple of 4, or 1 for what never turns.
angles = 64
# The largest error in pixels, which then chooses each sprite's angles: 1 is a good choice.
# max_error = 1
# The scales to bake at; 1 is source size.
scales = [1]
# The least alpha of a solid texel, 0 to 255; or { above = 0 }, or { bits = 128 }.
alpha = 128
# What alpha reads: "alpha", "red", "green" or "blue".
# channel = "alpha"
# Colours of which no texel is solid, or ranges of them.
# exclude_color = ["#ff00ff", "#000000..#101010"]
# "center", "top-left", "bottom" and so on, or [x, y] in texels from the top-left corner.
# pivot = "center"
# true sets a pixel where a quarter of it is covered: keeps thin parts whole.
# coverage = false
# "x", "y" or "xy" for art that is drawn the wrong way round.
# flip = "none"
# A sprite for each tag of an animation.
# tags = true
# true makes one sprite of files whose names differ only in a number at the end.
# numbered = false

[[source]]
files = ["##;

const TAIL: &str = r##"
# Keys of a later source go over those of an earlier one:
# [[source]]
# files = "walls/*.png"
# angles = 1
# except = "walls/secret.png"

# A sheet of frames of one size:
# [[source]]
# files = "explosion.png"
# grid = { tile = [64, 64], margin = 0, spacing = 0, count = 12 }

# Layers of Aseprite files as planes, each a mask of its own:
# [[source]]
# files = "**/*.aseprite"
# planes = { weak = ["eye", "tail"] }
"##;
