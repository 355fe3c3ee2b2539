//! The files that a path or a pattern names, and what is in them. Part by part a pattern leads from
//! folders to their files; `**` to all folders below.
//!
//! The walk is our own: `walkdir` visits a folder once for each link to it, and ends with an error
//! where links form a circle. Keeping each folder once would take as much code around it.

use crate::bake::BakeError;
use glob::{MatchOptions, Pattern};
use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// Images and the names they give.
pub(in crate::bake) struct Found {
    /// The folder in which files that come later would be found too; none for a single file.
    pub(in crate::bake) watched: Option<PathBuf>,
    /// Name and path of each image, in order of the paths.
    pub(in crate::bake) files: Vec<(String, PathBuf)>,
}

/// The images at `path`: a file, a folder, or a pattern.
pub(in crate::bake) fn find(path: &Path) -> Result<Found, BakeError> {
    let text = path.to_str().ok_or_else(|| BakeError::NotUnicode { path: path.to_owned() })?;
    let (root, watched, files): (PathBuf, _, _) = match path.metadata() {
        Ok(meta) if meta.is_dir() => {
            let mut files = matching(path, "**/*.*")?;
            files.retain(|file| is_image(file));
            (path.to_owned(), true, files)
        }
        Ok(_) => (path.parent().unwrap_or(Path::new("")).to_owned(), false, vec![path.to_owned()]),
        Err(e) if e.kind() == io::ErrorKind::NotFound && is_pattern(text) => {
            let is_literal = |part: &OsStr| part.to_str().is_some_and(|part| !is_pattern(part));
            let root: PathBuf = path.iter().take_while(|part| is_literal(part)).collect();
            let below = path.strip_prefix(&root).unwrap_or(path);
            let files = matching(&root, &below.to_string_lossy())?;
            (root, true, files)
        }
        Err(cause) => return Err(BakeError::Read { path: path.to_owned(), cause: cause.into() }),
    };
    if files.is_empty() {
        return Err(BakeError::NoImages { path: path.to_owned() });
    }
    let named = files.into_iter().map(|file| Ok((name(&root, &file)?, file)));
    let files = named.collect::<Result<_, _>>()?;
    Ok(Found { watched: watched.then_some(root), files })
}

/// Endings of the files that a folder stands for.
const ENDINGS: [&str; 6] = ["png", "apng", "gif", "webp", "ase", "aseprite"];

/// True where a path has the ending of an image.
pub(in crate::bake) fn is_image(path: &Path) -> bool {
    path.extension().and_then(|ending| ending.to_str()).is_some_and(is_image_ending)
}

fn is_image_ending(ending: &str) -> bool {
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// A file's path from `root`, without the extension, its parts joined by `/`.
pub(in crate::bake) fn name(root: &Path, file: &Path) -> Result<String, BakeError> {
    let below = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
    match parts {
        Some(parts) => Ok(parts.join("/")),
        None => Err(BakeError::NotUnicode { path: file.to_owned() }),
    }
}

/// A frame's name without the ending of the file that it was packed from.
pub(super) fn without_image_ending(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_image_ending(ending) => stem,
        _ => name,
    }
}

/// Endings come as .png and .PNG. Hidden files, which are other programs' business, no wildcard
/// names at all.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: false,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// The files below `root` that a pattern names, in order of their paths.
pub(in crate::bake) fn matching(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, BakeError> {
    let parse = |text: &str| {
        let parsed = Pattern::new(text);
        parsed.map_err(|e| BakeError::Pattern { pattern: pattern.to_owned(), cause: e.msg })
    };
    // Whole first: between brackets there may be a separator.
    parse(pattern)?;
    let mut paths = BTreeSet::from([root.to_owned()]);
    for part in pattern.split(std::path::is_separator).filter(|part| !part.is_empty()) {
        let (before, parsed) = (std::mem::take(&mut paths), parse(part)?);
        for path in before {
            if part == "**" {
                paths.extend(folders(path)?);
            } else if !is_pattern(part) {
                let path = path.join(part);
                paths.extend(path.symlink_metadata().is_ok().then_some(path));
            } else if path.as_os_str().is_empty() || path.is_dir() {
                let entries = entries(&path)?.into_iter();
                let named = |entry: &DirEntry| {
                    parsed.matches_with(&entry.file_name().to_string_lossy(), OPTIONS)
                };
                paths.extend(entries.filter(named).map(|entry| path.join(entry.file_name())));
            }
        }
    }
    // No pipes, which nobody may ever write to, nor what else is no file. A link to nothing stays: to
    // read it says so.
    Ok(paths.into_iter().filter(|path| path.metadata().map_or(true, |it| it.is_file())).collect())
}

/// True where a part of a path may stand for several.
fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// A folder and all below it, each once, whatever links lead to it: links are followed after all
/// folders that need none, and a circle ends where it began.
fn folders(root: PathBuf) -> Result<Vec<PathBuf>, BakeError> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let (mut open, mut links) = (Vec::new(), VecDeque::from([root]));
    while let Some(folder) = open.pop().or_else(|| links.pop_front()) {
        let canonical = match fs::canonicalize(or_here(&folder)) {
            Ok(canonical) if canonical.is_dir() => canonical,
            Ok(_) => continue,
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            Err(cause) => return Err(BakeError::Read { path: folder, cause: cause.into() }),
        };
        if !seen.insert(canonical) {
            continue;
        }
        for entry in entries(&folder)? {
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

/// What is in a folder but hidden, in order of the names.
fn entries(folder: &Path) -> Result<Vec<DirEntry>, BakeError> {
    let listed = || -> io::Result<Vec<DirEntry>> {
        let mut entries = fs::read_dir(or_here(folder))?.collect::<io::Result<Vec<_>>>()?;
        entries.retain(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
        entries.sort_by_key(DirEntry::file_name);
        Ok(entries)
    };
    listed().map_err(|cause| BakeError::Read { path: folder.to_owned(), cause: cause.into() })
}

/// An empty path stands for the folder one is in.
fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, BakeError> {
    fs::read(path).map_err(|cause| BakeError::Read { path: path.to_owned(), cause: cause.into() })
}

/// The text of a file, without the mark that some systems put in front.
pub(in crate::bake) fn read_text(path: &Path) -> Result<String, BakeError> {
    let text = String::from_utf8(read(path)?).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        let cause = "this is no text in UTF-8".to_owned();
        BakeError::Text { path: path.to_owned(), line, column, cause }
    })?;
    Ok(match text.strip_prefix('\u{FEFF}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lead_from_folders_to_what_is_in_them() {
        let root = std::env::temp_dir().join(format!("hitmask-walk-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for file in ["a.png", "b.PNG", ".c.png", "x/a.png", "x/y/d.gif", ".h/e.png", "x[1]/f.png"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        #[cfg(unix)]
        let _socket = std::os::unix::net::UnixListener::bind(root.join("s.png")).unwrap();
        for (pattern, expected) in [
            ("*.png", &["a.png", "b.PNG"][..]),
            ("**/*.png", &["a.png", "b.PNG", "x/a.png", "x[1]/f.png"]),
            ("**/**/a.*", &["a.png", "x/a.png"]),
            ("x/**/*", &["x/a.png", "x/y/d.gif"]),
            ("**/y/**/*", &["x/y/d.gif"]),
            ("x/y/../a.png", &["x/y/../a.png"]),
            ("x[[]1]/*", &["x[1]/f.png"]),
            ("?.png", &["a.png", "b.PNG"]),
            (".c.png", &[".c.png"]),
            ("x", &[]),
            ("x/**", &[]),
            ("a.png/*", &[]),
            ("none/**/*", &[]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|file| root.join(file)).collect();
            assert_eq!(matching(&root, pattern).unwrap(), expected, "{pattern}");
        }
        for pattern in ["a***b", "**a", "[", "[a/b]"] {
            assert!(
                matches!(matching(&root, pattern), Err(BakeError::Pattern { .. })),
                "{pattern}"
            );
        }
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_name_is_the_path_from_the_root_without_the_extension() {
        for (root, file, expected) in [
            ("art", "art/ship.png", "ship"),
            ("art", "art/enemies/big.one.PNG", "enemies/big.one"),
            ("", "ship.png", "ship"),
            ("/abs/art", "/abs/art/a b.png", "a b"),
        ] {
            assert_eq!(name(Path::new(root), Path::new(file)).unwrap(), expected);
        }
    }
}
