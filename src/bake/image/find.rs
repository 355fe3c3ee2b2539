use crate::bake::BakeError;
use glob::{MatchOptions, Pattern};
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
            let literal = path
                .components()
                .take_while(|c| c.as_os_str().to_str().is_some_and(|part| !is_pattern(part)));
            (literal.collect(), true, glob_files(text)?)
        }
        Err(cause) => return Err(BakeError::Read { path: path.to_owned(), cause }),
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

pub(super) fn is_image_ending(ending: &str) -> bool {
    ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// The files below `root` that a pattern names, in order of their paths.
pub(in crate::bake) fn matching(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, BakeError> {
    let text = root.to_str().ok_or_else(|| BakeError::NotUnicode { path: root.to_owned() })?;
    let below = Path::new(&Pattern::escape(text)).join(pattern);
    glob_files(&below.to_string_lossy())
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

fn glob_files(pattern: &str) -> Result<Vec<PathBuf>, BakeError> {
    let options = MatchOptions {
        // Endings come as .png and .PNG; hidden files are other programs' business.
        case_sensitive: false,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let found = glob::glob_with(pattern, options)
        .map_err(|e| BakeError::Pattern { pattern: pattern.to_owned(), cause: e.msg })?;
    let mut files = Vec::new();
    for entry in found {
        match entry {
            Ok(path) if path.is_dir() => {}
            Ok(path) => files.push(path),
            Err(e) => {
                let path = e.path().to_owned();
                return Err(BakeError::Read { path, cause: e.into() });
            }
        }
    }
    files.sort();
    Ok(files)
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

#[cfg(test)]
mod tests {
    use super::*;

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
