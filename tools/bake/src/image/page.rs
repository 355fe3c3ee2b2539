//! Finds the image of a description, and the files that a description names.
//!
//! Called by the readers of descriptions. Invariant: no file outside the folder of a description is read.

use crate::error::{BakeError, BakeFault};
use std::path::{Component, Path, PathBuf};

/// Returns the page of the description at `path`, which may name its image. Without that image the page is
/// the image beside it with its own name, and without a name also the only image beside it.
pub(super) fn page_or_own(path: &Path, named: Option<&str>) -> Result<PathBuf, BakeError> {
    let Some(named) = named.filter(|named| !named.trim().is_empty()) else {
        let png = path.with_extension("png");
        let rest = format_args!(" names no image, and there is no {}", png.display());
        let help =
            "name its image in the description, or give the image the name of the description";
        let missing = || BakeError::of_file(BakeFault::NotFound, path, rest, help);
        let beside = Beside::of(path);
        return beside.own().or_else(|| beside.only()).cloned().ok_or_else(missing);
    };
    // Sheets are renamed together with their image, and still name the old one.
    page(path, named).or_else(|error| match error.fault {
        BakeFault::NotFound => Beside::of(path).own().cloned().ok_or(error),
        _ => Err(error),
    })
}

/// The files in the folder of a description.
struct Beside<'p> {
    path: &'p Path,
    /// Each PNG and WebP.
    images: Vec<PathBuf>,
    /// Each other file.
    others: Vec<PathBuf>,
}

impl<'p> Beside<'p> {
    fn of(path: &'p Path) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
        let entries = entries.into_iter().flatten().flatten();
        let files = entries.map(|entry| path.with_file_name(entry.file_name()));
        let is_image = |file: &PathBuf| {
            let extension = file.extension().unwrap_or_default();
            ["png", "webp"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
        files.sort();
        let (images, others) = files.into_iter().partition(is_image);
        Self { path, images, others }
    }

    /// Returns the image with the name of the description.
    fn own(&self) -> Option<&PathBuf> {
        self.images.iter().find(|image| image.file_stem() == self.path.file_stem())
    }

    /// Returns the only image, if no other file has its name.
    fn only(&self) -> Option<&PathBuf> {
        let [image] = &self.images[..] else { return None };
        let has_name = |other: &PathBuf| other.file_stem() == image.file_stem();
        (!self.others.iter().any(has_name)).then_some(image)
    }
}

/// Returns the path of the file `named` in the description at `path`: a page or another
/// description. It must be in the description's folder or below it.
pub(super) fn page(path: &Path, named: &str) -> Result<PathBuf, BakeError> {
    if named.starts_with("data:") {
        let help = "export the image as a file beside the description, and name that file";
        return Err(BakeError::unsupported(path, "the image is embedded, which is not read", help));
    }
    // Tools write both path separators.
    let relative = PathBuf::from(named.replace('\\', "/"));
    let stays =
        relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    // On some systems a colon separates a drive, or a stream of the file.
    if stays && named.contains(':') && !has_drive(named) {
        let rest = format_args!(" names the file {named:?}, which has a colon in its name");
        let help = "rename the file without a colon, here and in the description";
        return Err(BakeError::of_file(BakeFault::Malformed, path, rest, help));
    }
    if !stays || named.contains(['\0', ':']) {
        let rest = format_args!(" names the file {named:?} outside its own folder");
        let help = "move the named file to the folder of the description";
        return Err(BakeError::of_file(BakeFault::Malformed, path, rest, help));
    }
    let names = relative.components().filter(|c| matches!(c, Component::Normal(_)));
    let page = path.with_file_name("").join(names.collect::<PathBuf>());
    if !page.is_file() {
        let rest = format_args!(" names the file {named:?}, which does not exist");
        let help = "put the named file into the folder of the description";
        return Err(BakeError::of_file(BakeFault::NotFound, path, rest, help));
    }
    Ok(page)
}

/// Returns true if a path begins with a drive, such as `C:/`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}
