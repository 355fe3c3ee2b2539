//! The files that a pattern names. Part by part it leads from folders to what is in them; `**` to
//! all folders below.

use crate::bake::BakeError;
use glob::{MatchOptions, Pattern};
use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

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
pub(super) fn is_pattern(text: &str) -> bool {
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
            Err(cause) => return Err(BakeError::Read { path: folder, cause }),
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
    listed().map_err(|cause| BakeError::Read { path: folder.to_owned(), cause })
}

/// An empty path stands for the folder one is in.
fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
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
}
