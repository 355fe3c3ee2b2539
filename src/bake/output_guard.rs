//! The file that a path to be written leads to, and whether it may be replaced. A bake and a merge
//! look before they do anything else: a slip of the hand costs neither time nor art.

use super::{BakeError, CacheNote, OutputRefused, cache};
use crate::atlas::{MAGIC, SHARD_MAGIC};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Most links that lead from one to the next, as on Linux: more are a circle.
const LINKS: usize = 40;

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Atlas,
    Shard,
}

/// The file that `path` leads to, which may not be there yet: a link is not replaced, but what it
/// points to. Refuses what is no file, and opens nothing.
pub(super) fn follow(path: &Path) -> Result<PathBuf, BakeError> {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    let refused = |fault| Err(BakeError::Output { path: path.to_owned(), fault });
    // Asked of the path itself: links of the system, such as /dev/stdout, may have no path behind them.
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(target),
        Ok(meta) if meta.is_dir() => refused(OutputRefused::Folder),
        Ok(_) => refused(OutputRefused::Special),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(target),
        Err(cause) => Err(BakeError::Write { path: path.to_owned(), cause: cause.into() }),
    }
}

/// Refuses to write an atlas or a shard over something else: one of the files that are read, or
/// whatever hitmask has not written.
pub(super) fn check_output(
    path: &Path,
    kind: Kind,
    read: impl FnOnce() -> Vec<PathBuf>,
) -> Result<(), BakeError> {
    let head = head(&follow(path)?);
    let head =
        head.map_err(|cause| BakeError::Write { path: path.to_owned(), cause: cause.into() })?;
    let (is_atlas, is_shard) = (head.starts_with(&MAGIC), head.starts_with(&SHARD_MAGIC));
    let fault = match kind {
        // Which is no image, no sheet and no manifest, so that their paths need not be compared.
        Kind::Atlas if is_atlas => return Ok(()),
        Kind::Shard if is_shard => return Ok(()),
        _ if is_one_of(path, &read()) => OutputRefused::Needed,
        _ if head.is_empty() => return Ok(()),
        _ if is_atlas => OutputRefused::Atlas,
        _ if is_shard => OutputRefused::Shard,
        _ => OutputRefused::Foreign,
    };
    Err(BakeError::Output { path: path.to_owned(), fault })
}

/// Refuses to write a cache over one of the files that are read, or over the atlas at `output`. Any
/// other file that is no cache is left as it is, which costs the next bake time only: a note where
/// the bake has to do without a cache.
pub(super) fn check_cache(
    path: &Path,
    output: &Path,
    read: impl FnOnce() -> Vec<PathBuf>,
) -> Result<Option<CacheNote>, BakeError> {
    let to_owned = || path.to_owned();
    let failed = |cause: io::Error| BakeError::Write { path: to_owned(), cause: cause.into() };
    let head = follow(path).and_then(|target| head(&target).map_err(failed));
    if head.as_ref().is_ok_and(|head| head.starts_with(cache::MAGIC)) {
        return Ok(None);
    }
    if is_one_of(path, &[output.to_owned()]) {
        return Err(BakeError::Output { path: to_owned(), fault: OutputRefused::Written });
    }
    if is_one_of(path, &read()) {
        return Err(BakeError::Output { path: to_owned(), fault: OutputRefused::Needed });
    }
    Ok(match head {
        Ok(head) if head.is_empty() => None,
        Ok(_) => Some(CacheNote::CacheForeign { path: to_owned() }),
        Err(error) => CacheNote::not_written(error),
    })
}

/// The first bytes of a file, none where there is no file.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(cache::MAGIC.len() as u64).read_to_end(&mut head).map(|_| head),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(head),
        Err(cause) => Err(cause),
    }
}

/// True where a path leads to the place of another, whether or not a file is there.
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
