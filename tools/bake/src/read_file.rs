//! Reads the files that a bake names.
//!
//! Called by all readers of files.

use crate::error::BakeError;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Returns the bytes of a regular file. Opens nothing else, because a pipe would wait for a writer
/// and a device may have no end.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, BakeError> {
    let failed = |cause: io::Error| BakeError::read(path, cause);
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(BakeError::not_a_file(path));
    }
    let bytes = fs::read(path).map_err(failed)?;
    if is_pointer(&bytes) { Err(BakeError::pointer(path)) } else { Ok(bytes) }
}

/// Returns true if the first bytes of a file are those of a pointer of Git LFS or git-annex. It stands for a
/// large file in a repository.
pub(super) fn is_pointer(bytes: &[u8]) -> bool {
    // Earlier versions of the former had other addresses.
    let marks: [&[u8]; 4] = [
        b"version https://git-lfs.github.com/spec/",
        b"version https://hawser.github.com/spec/",
        b"version http://git-media.io/v/",
        b"/annex/objects/",
    ];
    marks.iter().any(|mark| bytes.starts_with(mark))
}

/// Returns the path of the file that another one names, relative to it, if it is there.
pub(super) fn beside(path: &Path, named: &str) -> Option<PathBuf> {
    let relative = PathBuf::from(named.replace('\\', "/"));
    let found = path.with_file_name("").join(&relative);
    (!relative.has_root() && !named.contains('\0') && found.is_file()).then_some(found)
}
