//! Atomic file replacement, which skips files that already hold the bytes.
//!
//! Called for atlases, caches and generated source. The crate `tempfile` would replace 20 lines
//! here and add 7 crates to every build script. It also creates files with mode 600, and it does
//! not remove the files of killed bakes.

use super::BakeError;
use super::temporary_file::{Replacement, holds};
use std::path::Path;

/// Writes `bytes` to the file at `path`. A file that holds them already is left alone, times
/// included, so that nothing that depends on it is rebuilt. Returns whether the file was written.
pub(super) fn update(path: &Path, bytes: &[u8]) -> Result<bool, BakeError> {
    if holds(path, bytes) {
        return Ok(false);
    }
    replace(path, bytes).map(|()| true)
}

/// Replaces the file at `path` with `bytes` atomically. At every moment, and after any failure,
/// there is either the old file or the complete new one. Writes to a new file in the same folder,
/// flushes it to disk and renames it. Hard links to the old file keep its contents. If `path` is a
/// symbolic link, the target of the link is replaced. On Unix the new file keeps the mode of the
/// old one, and its owner if the system allows it. All atlases are written like this. Use it for
/// files that belong to an atlas.
///
/// # Errors
/// [`BakeFault::Output`](crate::BakeFault::Output) if the path is a folder, a device, a pipe or a socket. Such a path is not
/// opened. [`BakeFault::Write`](crate::BakeFault::Write) if the file cannot be written.
///
/// ```no_run
/// hitmask_bake::replace_file("sprites.txt", b"ship\n")?;
/// # Ok::<(), hitmask_bake::BakeError>(())
/// ```
pub fn replace(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), BakeError> {
    Replacement::new(path.as_ref())?.write(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::temporary_file::{MAX_PREFIX_BYTES, temporary_prefix};
    use super::*;
    use crate::BakeFault;
    use std::fs::{self, File, OpenOptions};
    use std::path::PathBuf;
    use std::time::Duration;

    /// Creates an empty folder for one test.
    fn folder(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("hitmask-file-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn replace_writes_the_whole_file_and_leaves_no_temporary_file() {
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
    #[cfg(unix)]
    fn replace_keeps_the_mode_of_the_old_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("mode");
        let path = folder.join("a.hitmask");
        replace(&path, b"first").unwrap();
        for mode in [0o600, 0o640, 0o664, 0o444, 0o606] {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            replace(&path, format!("{mode}").as_bytes()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        }
        // The mode of a link's target counts.
        let link = folder.join("link");
        std::os::unix::fs::symlink("a.hitmask", &link).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        replace(&link, b"through the link").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_name_of_255_bytes_can_be_written_and_its_temporary_files_are_removed() {
        let folder = folder("long");
        for name in ["a".repeat(255), "\u{8239}".repeat(85)] {
            let path = folder.join(&name);
            let prefix = temporary_prefix(&path).unwrap();
            assert!(prefix.len() <= MAX_PREFIX_BYTES + 2);
            let left = File::create(folder.join(format!("{prefix}77-0.tmp"))).unwrap();
            left.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            drop(left);
            for bytes in [&b"one"[..], b"another"] {
                replace(&path, bytes).unwrap();
                assert_eq!(fs::read(&path).unwrap(), bytes);
                assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
            }
            fs::remove_file(path).unwrap();
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_holds_the_bytes_is_left_alone() {
        let folder = folder("same");
        let path = folder.join("a.hitmask");
        let long = vec![7; 200_000];
        assert!(update(&path, &long).unwrap());
        let before = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let times = || fs::metadata(&path).unwrap().modified().unwrap();
        let backdate = || {
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(before).unwrap();
        };
        backdate();
        assert!(!update(&path, &long).unwrap());
        assert_eq!(times(), before);
        // First only the last byte differs, then only the length.
        let mut other = long.clone();
        other[199_999] = 8;
        for bytes in [&other[..], &other[..199_999], b""] {
            backdate();
            assert!(update(&path, bytes).unwrap());
            assert_ne!(times(), before);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn replace_removes_abandoned_temporary_files_and_keeps_locked_ones() {
        let folder = folder("swept");
        let make = |name: &str, is_old: bool| {
            let file = File::create(folder.join(name)).unwrap();
            if is_old {
                let age = Duration::from_secs(1_000_000_000);
                file.set_modified(std::time::SystemTime::UNIX_EPOCH + age).unwrap();
            }
            file
        };
        make(".a.hitmask.77-0.tmp", true);
        make(".a.hitmask.78-0.tmp", false);
        make(".a.hitmask.mine.tmp", true);
        make(".b.hitmask.77-0.tmp", true);
        let held = make(".a.hitmask.79-1.tmp", true);
        held.lock().unwrap();
        replace(folder.join("a.hitmask"), b"new").unwrap();
        let mut left: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        let kept = [
            ".a.hitmask.78-0.tmp",
            ".a.hitmask.79-1.tmp",
            ".a.hitmask.mine.tmp",
            ".b.hitmask.77-0.tmp",
            "a.hitmask",
        ];
        assert_eq!(left, kept);
        drop(held);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_failed_replace_leaves_the_old_file_unchanged() {
        let folder = folder("failure");
        let path = folder.join("taken");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "old").unwrap();
        let reason = "is a folder, not a file";
        assert_eq!(replace(&path, b"new").unwrap_err().fault, BakeFault::Output { reason });
        assert_eq!(fs::read(path.join("old")).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file stays");
        let nowhere = folder.join("missing/a.hitmask");
        assert!(matches!(replace(&nowhere, b"new").unwrap_err().fault, BakeFault::Write(_)));
        fs::remove_dir_all(folder).unwrap();
    }
}
