//! Finds the files that a path or pattern names, and reads them.
//!
//! Called by `inputs`, `manifest` and the sheet parsers. A pattern is evaluated component by
//! component, and `**` matches all folders below. The crate `walkdir` is not used: it visits a
//! folder once per link to it, and it fails on cyclic links. Working around that would take as much
//! code.

use super::tiled;
use crate::error::{BakeError, BakeFault, missing};
use crate::failures::Failures;
use crate::names;
use crate::text::Text;
use glob::{MatchOptions, Pattern};
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// Image files and the sprite names that they give.
pub(crate) struct Found {
    /// The folder in which new files would match too. `None` for a single file.
    pub(crate) watched: Option<PathBuf>,
    /// Name and path of each image, in order of the paths.
    pub(crate) files: Vec<(String, PathBuf)>,
}

/// Finds the images at `path`: a file, a folder, or a pattern.
pub(crate) fn find(path: &Path, failures: &mut Failures) -> Result<Found, BakeError> {
    let text = path.to_str().ok_or_else(|| BakeError::not_unicode(path))?;
    let (root, watched, files): (PathBuf, _, _) = match path.metadata() {
        Ok(meta) if meta.is_dir() => (path.to_owned(), true, sources(path, "**/*.*", failures)?),
        Ok(meta) if meta.is_file() => {
            (path.parent().unwrap_or(Path::new("")).to_owned(), false, vec![path.to_owned()])
        }
        Ok(_) => return Err(BakeError::not_a_file(path)),
        Err(e) if e.kind() == io::ErrorKind::NotFound && is_pattern(text) => {
            // A part that exists as it is written is no pattern.
            let mut root = PathBuf::new();
            for part in path.iter().take_while(|part| !part.is_empty()) {
                let below = root.join(part);
                if part.to_str().is_none_or(is_pattern) && !below.is_dir() {
                    break;
                }
                root = below;
            }
            let below = path.strip_prefix(&root).unwrap_or(path);
            let files = sources(&root, &below.to_string_lossy(), failures)?;
            (root, true, files)
        }
        Err(cause) => return Err(BakeError::read(path, cause)),
    };
    if files.is_empty() {
        let text = path.display();
        let help = if path.to_string_lossy().contains('\\') {
            "separate folders by / in patterns, and check the path".into()
        } else if path.is_dir() && !levels(path).is_empty() {
            "name the levels in it: a folder gives its images only".into()
        } else if root.as_os_str().is_empty() || root.exists() {
            "check the path, and that the images are PNG, GIF, WebP, JPEG, BMP, TGA or Aseprite files"
                .into()
        } else {
            missing(&root)
        };
        return Err(
            BakeError::new(BakeFault::NotFound, format!("no image at {text}"), help).of(path)
        );
    }
    let mut named = Vec::with_capacity(files.len());
    for file in files {
        if let Some(name) = failures.skip(&file, name(&root, &file))? {
            named.push((name, file));
        }
    }
    Ok(Found { watched: watched.then_some(root), files: named })
}

/// Extensions of the files that a folder matches.
const IMAGE_EXTENSIONS: [&str; 10] =
    ["png", "apng", "gif", "webp", "jpg", "jpeg", "bmp", "tga", "ase", "aseprite"];

/// Returns true if a path has the extension of an image.
pub(super) fn is_image(path: &Path) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(is_image_extension)
}

fn is_image_extension(extension: &str) -> bool {
    IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Returns the path of a file relative to `root`, without extension, with `/` as separator.
pub(crate) fn name(root: &Path, file: &Path) -> Result<String, BakeError> {
    let below = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    match parts {
        Some(parts) => Ok(parts.join("/")),
        None => Err(BakeError::not_unicode(file)),
    }
}

/// Removes the image extension from a frame name, if it has one.
pub(super) fn without_image_extension(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_image_extension(extension) => stem,
        _ => name,
    }
}

/// Extensions match in any case, such as .png and .PNG. Wildcards do not match hidden files,
/// because these belong to other programs.
const MATCH_OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Returns the files below `root` that a pattern names as sources, in order of their paths. Wildcards
/// match images, and other files only if the pattern ends with their extension, because an image folder
/// may hold unrelated JSON.
pub(crate) fn sources(
    root: &Path,
    pattern: &str,
    failures: &mut Failures,
) -> Result<Vec<PathBuf>, BakeError> {
    let mut files = matching(root, pattern, failures)?;
    let last = pattern.rsplit(std::path::is_separator).next().unwrap_or_default();
    if is_pattern(last) {
        let extension = Path::new(last).extension().unwrap_or_default();
        let is_asked = |own: &OsStr| own.eq_ignore_ascii_case(extension);
        let is_it = |own: &OsStr| names::composed(&own.to_string_lossy()) == names::composed(last);
        files.retain(|file| {
            let is_asked = file.extension().is_some_and(is_asked);
            is_image(file) || is_asked || file.file_name().is_some_and(is_it)
        });
    }
    Ok(files)
}

/// Returns the files below `root` that match a pattern, in order of their paths.
pub(crate) fn matching(
    root: &Path,
    pattern: &str,
    failures: &mut Failures,
) -> Result<Vec<PathBuf>, BakeError> {
    let parse = |text: &str| {
        Pattern::new(text).map_err(|e| {
            let cause = format!("invalid pattern {pattern:?}: {}", e.msg);
            let help = "escape a literal [, * or ? as [[], [*] or [?]";
            BakeError::new(BakeFault::Option, cause, help)
        })
    };
    // The name of a folder is the beginning of those of its sprites.
    let name_of = |folder: &Path| {
        let below = folder.strip_prefix(root).unwrap_or(folder);
        below.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    };
    let mut paths = BTreeSet::from([root.to_owned()]);
    // Names have no `.`, also if the root is the empty path.
    for part in pattern.split(std::path::is_separator).filter(|part| !["", "."].contains(part)) {
        let before = std::mem::take(&mut paths);
        if part != "**" {
            // A name with brackets is that file, not a pattern, where there is such a file.
            paths.extend(before.iter().filter_map(|path| entry_named(path, part)));
            if !paths.is_empty() || !is_pattern(part) {
                continue;
            }
        }
        let parsed = parse(&names::composed(part))?;
        for path in before {
            if part == "**" {
                paths.extend(folders(path, name_of, failures)?);
            } else if or_current_folder(&path).is_dir() {
                let entries = failures.skip_sprites(&name_of(&path), &path, entries(&path))?;
                let entries = entries.unwrap_or_default().into_iter();
                let named = |entry: &DirEntry| {
                    let name = entry.file_name();
                    parsed.matches_with(&names::composed(&name.to_string_lossy()), MATCH_OPTIONS)
                };
                paths.extend(entries.filter(named).map(|entry| path.join(entry.file_name())));
            }
        }
    }
    // Drops pipes and other special files, because reading one could block. Keeps dangling links,
    // so that reading them reports an error.
    let is_file = |path: &PathBuf| {
        or_current_folder(path).metadata().map_or(true, |metadata| metadata.is_file())
    };
    Ok(paths.into_iter().filter(is_file).collect())
}

/// Returns the path of the entry `name` in a folder, if there is one. File systems may store a name
/// in another Unicode form.
fn entry_named(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    if path.symlink_metadata().is_ok() {
        return Some(path);
    }
    if name.is_ascii() {
        return None;
    }
    let is_same = |entry: &DirEntry| {
        names::composed(&entry.file_name().to_string_lossy()) == names::composed(name)
    };
    let entry = entries(folder).ok()?.into_iter().find(is_same)?;
    Some(folder.join(entry.file_name()))
}

/// Returns true if a path or a part of it has wildcards.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Returns true if a text has wildcards, and is not the path of a file below `root`.
pub(crate) fn is_pattern_below(root: &Path, text: &str) -> bool {
    is_pattern(text) && root.join(text).symlink_metadata().is_err()
}

/// Returns a pattern that matches `text` alone.
pub(crate) fn escaped(text: &str) -> String {
    Pattern::escape(text)
}

/// Returns a folder and all folders below it, each once. Links are followed after all folders that
/// are reachable without them, so cyclic links end.
fn folders(
    root: PathBuf,
    name_of: impl Fn(&Path) -> String,
    failures: &mut Failures,
) -> Result<Vec<PathBuf>, BakeError> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let (mut open, mut links) = (Vec::new(), VecDeque::from([root]));
    while let Some(folder) = open.pop().or_else(|| links.pop_front()) {
        let canonical = match fs::canonicalize(or_current_folder(&folder)) {
            Ok(canonical) if canonical.is_dir() => canonical,
            Ok(_) => continue,
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            Err(cause) => return Err(BakeError::read(&folder, cause)),
        };
        if !seen.insert(canonical) {
            continue;
        }
        let listed = failures.skip_sprites(&name_of(&folder), &folder, entries(&folder))?;
        let Some(entries) = listed else { continue };
        for entry in entries {
            let path = folder.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                Ok(kind) if kind.is_symlink() && path.is_dir() => links.push_back(path),
                _ => {}
            }
        }
        found.push(folder);
    }
    Ok(found)
}

/// Returns the entries of a folder that are not hidden, in order of their names.
fn entries(folder: &Path) -> Result<Vec<DirEntry>, BakeError> {
    let listed = || -> io::Result<Vec<DirEntry>> {
        let mut entries =
            fs::read_dir(or_current_folder(folder))?.collect::<io::Result<Vec<_>>>()?;
        entries.retain(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
        entries.sort_by_key(DirEntry::file_name);
        Ok(entries)
    };
    listed().map_err(|cause| BakeError::read(folder, cause))
}

/// Maps the empty path to the current folder.
fn or_current_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Returns the levels in a folder and below it, which an image folder gives no sprites of.
pub(crate) fn levels(root: &Path) -> Vec<PathBuf> {
    // The search for images reports the folders that cannot be read.
    let mut ignored = Failures::default();
    ignored.keep_going = true;
    let mut files = matching(root, "**/*.*", &mut ignored).unwrap_or_default();
    files.retain(|path| {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str().unwrap_or_default() {
            "tmx" | "tmj" | "ldtk" => true,
            "json" => {
                let text = Text::read(path).map(|source| source.text).unwrap_or_default();
                tiled::extension(&text) == Some("tmj")
            }
            _ => false,
        }
    });
    files
}
