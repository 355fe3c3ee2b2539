use super::walk::{is_pattern, matching};
use crate::bake::BakeError;
use std::ffi::OsStr;
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
