//! Files that are written whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Most links that lead from one to the next, as on Linux: more are a circle.
const LINKS: usize = 40;

/// Replaces the file that `path` leads to: by a new one beside it, which takes its name. What is
/// there is not written into, since by a hard link it may be a file that is read.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Err(e) = fs::metadata(path)
        && e.kind() != io::ErrorKind::NotFound
    {
        return Err(e); // such as a circle of links, of which one would be replaced
    }
    let target = follow(path);
    let (mut file, beside) = create_beside(&target)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    written.and_then(|()| fs::rename(&beside, &target)).inspect_err(|_| {
        // The failure is what matters; a file left behind by a second one is hidden and harmless.
        let _ = fs::remove_file(&beside);
    })
}

/// The file that links lead to, which may not be there yet: a link stays a link.
fn follow(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    target
}

/// A new, hidden file in the folder of `path`: on the same disk, so that it can take its place in
/// one step.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for attempt in 0_u32.. {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{attempt}.tmp", std::process::id()));
        let beside = path.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, beside)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
