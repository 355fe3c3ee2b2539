use super::BakeError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the file at `path` by `bytes`, all or nothing: at every moment, and after any failure,
/// there is either the old file or the whole new one.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), BakeError> {
    let failed = |cause| BakeError::Write { path: path.to_owned(), cause };
    let (mut file, beside) = create_beside(path).map_err(failed)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    written.and_then(|()| fs::rename(&beside, path)).map_err(|cause| {
        // The failure is what matters; a file left behind by a second one is hidden and harmless.
        let _ = fs::remove_file(&beside);
        failed(cause)
    })
}

/// A new, hidden file in the folder of `path`: on the same disk, so that it can take its place in
/// one step.
fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for attempt in 0_u32.. {
        let mut hidden = std::ffi::OsString::from(".");
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder of the test's own.
    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("hitmask-file-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = folder("whole");
        let path = folder.join("a.hitmask");
        for bytes in [&b"one"[..], b"another"] {
            replace(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = folder("failure");
        // A folder with something in it cannot be replaced by a file.
        let path = folder.join("taken");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "old").unwrap();
        assert!(matches!(replace(&path, b"new"), Err(BakeError::Write { .. })));
        assert_eq!(fs::read(path.join("old")).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file stays");
        let nowhere = folder.join("missing/a.hitmask");
        assert!(matches!(replace(&nowhere, b"new"), Err(BakeError::Write { .. })));
        fs::remove_dir_all(folder).unwrap();
    }
}
