//! Resolves output paths and decides whether an existing file may be replaced.
//!
//! Called by bakes and merges before any other work, so that a wrong path costs neither time nor
//! files.

use crate::cache;
use crate::error::BakeError;
use crate::report::CacheNote;
use hitmask::baking::{MAGIC, SHARD_MAGIC};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Longest chain of links, as on Linux. A longer chain is a cycle.
const MAX_LINKS: usize = 40;

/// The kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Atlas,
    Shard,
}

/// Returns the file that `path` leads to, which may not exist yet. Links are resolved, so the
/// target of a link is replaced. Rejects anything but regular files. Opens nothing.
pub(super) fn follow(path: &Path) -> Result<PathBuf, BakeError> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    // Queries the path itself: system links such as /dev/stdout may lead to no path.
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(target),
        Ok(meta) if meta.is_dir() => {
            let help = "name a file in that folder";
            Err(BakeError::output(path, "is a folder, not a file", help))
        }
        Ok(_) => {
            let reason = "is not a file, but a device, a pipe or a socket";
            Err(BakeError::output(path, reason, "choose the path of a regular file"))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(target),
        Err(cause) => Err(BakeError::write(path, cause)),
    }
}

/// Rejects an output path with a file that is needed as input, or that hitmask has not written.
pub(super) fn check_output(
    path: &Path,
    kind: Kind,
    read: impl FnOnce() -> Vec<PathBuf>,
) -> Result<(), BakeError> {
    let first_bytes = first_bytes(&follow(path)?, cache::MAGIC.len());
    let first_bytes = first_bytes.map_err(|cause| BakeError::write(path, cause))?;
    let (is_atlas, is_shard) =
        (first_bytes.starts_with(&MAGIC), first_bytes.starts_with(&SHARD_MAGIC));
    let reason = match kind {
        // A file of this kind is not an image, sheet or manifest, so the input paths need no
        // comparison.
        Kind::Atlas if is_atlas => return Ok(()),
        Kind::Shard if is_shard => return Ok(()),
        _ if is_one_of(path, &read()) => return Err(needed(path)),
        _ if first_bytes.is_empty() => return Ok(()),
        _ if is_atlas => "is a whole atlas, but the output is a shard",
        _ if is_shard => "is a shard, but the output is a whole atlas",
        _ => "exists and is neither an atlas nor a shard",
    };
    Err(BakeError::output(path, reason, "remove it, or choose another path"))
}

/// Returns the error of an output or cache path that leads to an input file.
fn needed(path: &Path) -> BakeError {
    let reason = "is one of the files that are read, and would be lost";
    BakeError::output(path, reason, "choose another path to write to")
}

/// Rejects a cache path that leads to an input file or to the atlas at `output`. Any other file
/// that is not a cache stays unchanged. The bake then runs without a cache, and the returned note
/// says so.
pub(super) fn check_cache(
    path: &Path,
    output: &Path,
    read: impl FnOnce() -> Vec<PathBuf>,
) -> Result<Option<CacheNote>, BakeError> {
    let failed = |cause: io::Error| BakeError::write(path, cause);
    let start = |target: PathBuf| first_bytes(&target, cache::MAGIC.len()).map_err(failed);
    let first_bytes = follow(path).and_then(start);
    if first_bytes.as_ref().is_ok_and(|first_bytes| first_bytes.starts_with(cache::MAGIC)) {
        return Ok(None);
    }
    if is_one_of(path, &[output.to_owned()]) {
        let reason = "is the output file, so it cannot be the cache too";
        return Err(BakeError::output(path, reason, "choose another path for the cache"));
    }
    if is_one_of(path, &read()) {
        return Err(needed(path));
    }
    Ok(match first_bytes {
        Ok(first_bytes) if first_bytes.is_empty() => None,
        Ok(_) => Some(CacheNote::CacheForeign { path: path.to_owned() }),
        Err(error) => CacheNote::not_written(error),
    })
}

/// Returns the first `len` bytes of a file, or fewer if it is shorter, or none if there is no file.
pub(super) fn first_bytes(path: &Path, len: usize) -> io::Result<Vec<u8>> {
    let mut first_bytes = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(len as u64).read_to_end(&mut first_bytes).map(|_| first_bytes),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(first_bytes),
        Err(cause) => Err(cause),
    }
}

/// Returns true if a path leads to the same place as one of the others, even if no file is there.
fn is_one_of(path: &Path, others: &[PathBuf]) -> bool {
    let place_of_path = place(path);
    place_of_path.is_some() && others.iter().any(|other| place(other) == place_of_path)
}

fn place(path: &Path) -> Option<PathBuf> {
    let in_folder = || {
        let target = follow(path).ok()?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(target.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(in_folder)
}
