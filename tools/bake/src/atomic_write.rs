//! Atomic file replacement, which skips files that already hold the bytes.
//!
//! Called for atlases, caches and generated source. The crate `tempfile` would replace 20 lines
//! here and add 7 crates to every build script. It also creates files with mode 600, and it does
//! not remove the files of killed bakes. Invariant: a temporary file is removed, unless it replaces the
//! output. Large atlases grow in one. A killed process leaves its files behind, and the next bake into the
//! same output removes them.

use crate::error::BakeError;
use crate::output_guard;
use hitmask::IoCause;
use hitmask::baking::{Finished, Scratch};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
/// [`BakeFault::Output`](crate::BakeFault::Output) if the path is a folder, a device, a pipe or a socket.
/// Such a path is not opened. [`BakeFault::Write`](crate::BakeFault::Write) if the file cannot be
/// written.
///
/// ```no_run
/// hitmask_bake::replace_file("sprites.txt", b"ship\n")?;
/// # Ok::<(), hitmask_bake::BakeError>(())
/// ```
pub fn replace(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), BakeError> {
    Replacement::new(path.as_ref())?.write(bytes)
}

/// Returns true if the file has exactly these bytes. An unreadable file counts as different, so
/// that it is replaced.
pub(super) fn holds(path: &Path, bytes: &[u8]) -> bool {
    equals(path, bytes, bytes.len() as u64).unwrap_or(false)
}

/// Returns true if the file at `path` has exactly the `len` bytes that `new` reads.
fn equals(path: &Path, mut new: impl Read, len: u64) -> io::Result<bool> {
    // Checked before opening, because opening a pipe blocks.
    if !fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    // The length of the file that is open: another bake may have replaced the one at the path.
    let (mut old, mut parts) = (File::open(path)?, [vec![0; 1 << 16], vec![0; 1 << 16]]);
    if old.metadata()?.len() != len {
        return Ok(false);
    }
    let mut rest = len;
    while rest > 0 {
        let part = rest.min(1 << 16);
        let [one, other] = parts.each_mut().map(|bytes| &mut bytes[..part as usize]);
        new.read_exact(one)?;
        old.read_exact(other)?;
        if one != other {
            return Ok(false);
        }
        rest -= part;
    }
    Ok(true)
}

/// The new contents of an output file, in a temporary file beside it. The temporary file is removed
/// unless it replaces the output.
pub(super) struct Replacement {
    /// The path as the caller gave it.
    path: PathBuf,
    /// The file that it leads to.
    target: PathBuf,
    /// The temporary file and its path, once there is one.
    temporary: Option<(File, PathBuf)>,
}

impl Replacement {
    /// Returns the replacement of the file at `path`. Creates no file.
    pub(super) fn new(path: &Path) -> Result<Self, BakeError> {
        let target = output_guard::follow(path)?;
        Ok(Self { path: path.to_owned(), target, temporary: None })
    }

    /// Returns the error of a failed write.
    fn failed(&self, cause: impl Into<IoCause>) -> BakeError {
        BakeError::write(&self.path, cause)
    }

    /// Replaces the output, unless it holds the same bytes already. Returns whether it was replaced.
    fn update(mut self) -> Result<bool, BakeError> {
        let target = self.target.clone();
        let is_same = self.file().is_ok_and(|file| have_equal_bytes(file, &target));
        if is_same { Ok(false) } else { self.commit().map(|()| true) }
    }

    /// Replaces the output with the finished atlas, unless it holds the same bytes already. Returns
    /// the length of the atlas and whether the output was replaced.
    pub(super) fn store(self, atlas: Finished) -> Result<(usize, bool), BakeError> {
        match atlas {
            Finished::InScratch { len, .. } => Ok((len as usize, self.update()?)),
            Finished::Bytes(bytes) if holds(&self.path, &bytes) => Ok((bytes.len(), false)),
            Finished::Bytes(bytes) => {
                self.write(&bytes)?;
                Ok((bytes.len(), true))
            }
        }
    }

    /// Replaces the output with `bytes`.
    pub(super) fn write(mut self, bytes: &[u8]) -> Result<(), BakeError> {
        let written = self.file().and_then(|file| file.write_all(bytes));
        written.map_err(|cause| self.failed(cause))?;
        self.commit()
    }

    fn commit(mut self) -> Result<(), BakeError> {
        let synced = self.file().and_then(|file| file.sync_all());
        let renamed = synced.and_then(|()| match &self.temporary {
            Some((_, temporary)) => fs::rename(temporary, &self.target),
            None => Ok(()),
        });
        renamed.map_err(|cause| self.failed(cause))?;
        if let Some((_, temporary)) = self.temporary.take() {
            forget(&temporary);
        }
        Ok(())
    }
}

impl Scratch for Replacement {
    /// Returns the temporary file. Creates it at the first call.
    fn file(&mut self) -> io::Result<&mut File> {
        if self.temporary.is_none() {
            remove_abandoned(&self.target);
            let old = fs::metadata(&self.target).ok();
            self.temporary = Some(create_temporary(&self.target, old.as_ref())?);
        }
        let file = self.temporary.as_mut().map(|(file, _)| file);
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((file, temporary)) = self.temporary.take() {
            drop(file);
            // The first error is reported. If the removal fails too, the file left is hidden and
            // harmless.
            let _ = fs::remove_file(&temporary);
            forget(&temporary);
        }
    }
}

/// The temporary files of this process; `None` once a signal ends it.
static LIVE: Mutex<Option<BTreeSet<PathBuf>>> = Mutex::new(Some(BTreeSet::new()));

fn live() -> MutexGuard<'static, Option<BTreeSet<PathBuf>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all bakes that run in this process. For a program that ends on a signal:
/// call it from the thread that receives the signal, and then exit. Bakes of this process fail from then on.
///
/// ```
/// hitmask_bake::remove_temporary_files();
/// ```
pub fn remove_temporary_files() {
    for temporary in live().take().into_iter().flatten() {
        let _ = fs::remove_file(temporary);
    }
}

/// Forgets a temporary file that is gone.
fn forget(temporary: &Path) {
    if let Some(live) = &mut *live() {
        live.remove(temporary);
    }
}

/// Returns true if the file at `path` has exactly the bytes of `file`.
fn have_equal_bytes(file: &mut File, path: &Path) -> bool {
    let compare = || {
        file.rewind()?;
        let len = file.metadata()?.len();
        equals(path, file, len)
    };
    compare().unwrap_or(false)
}

/// Age from which the temporary file of a process that may run is abandoned. Its writer locks it long
/// before.
const MIN_ABANDONED_AGE: Duration = Duration::from_secs(60);

/// Longest part of the output's name in the name of its temporary file, in bytes. File systems
/// allow 143 to 255 bytes, and the output may use all of them.
const MAX_PREFIX_BYTES: usize = 64;

/// Returns the first part of the names of temporary files for `path`.
fn temporary_prefix(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let end = (0..=name.len().min(MAX_PREFIX_BYTES)).rev().find(|&at| name.is_char_boundary(at))?;
    Some(format!(".{}.", &name[..end]))
}

/// Removes temporary files of killed bakes for `path`. A locked file is still in use and is kept.
pub(super) fn remove_abandoned(path: &Path) {
    let Some(prefix) = temporary_prefix(path) else { return };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    for temporary in files.filter(|entry| is_temporary_name(entry.file_name().to_str(), &prefix)) {
        let is_abandoned = || -> io::Result<bool> {
            let file = File::open(temporary.path())?;
            let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
            let is_over = age >= MIN_ABANDONED_AGE || has_ended(&temporary.file_name(), &prefix);
            Ok(is_over && file.try_lock().is_ok())
        };
        if is_abandoned().unwrap_or(false) {
            let _ = fs::remove_file(temporary.path());
        }
    }
}

/// Returns true if the process in the name of a temporary file is known to have ended.
fn has_ended(name: &OsStr, prefix: &str) -> bool {
    let process = name.to_str().and_then(|name| name.strip_prefix(prefix)?.split('-').next());
    let running = Path::new("/proc");
    // Only Linux lists processes as folders.
    let is_listed = |process: &str| running.join(process).exists();
    is_listed("self") && process.is_some_and(|process| !is_listed(process))
}

/// Tests whether a file name has the form that [`create_temporary`] uses.
fn is_temporary_name(found: Option<&str>, prefix: &str) -> bool {
    let middle = found
        .and_then(|found| found.strip_prefix(prefix))
        .and_then(|rest| rest.strip_suffix(".tmp"));
    middle.is_some_and(|middle| {
        !middle.is_empty() && middle.chars().all(|c| c.is_ascii_digit() || c == '-')
    })
}

/// Creates a hidden file in the folder of `path`. It is on the same file system, so a rename can
/// replace `path` atomically. The file has the permissions of the `old` file, if there is one.
fn create_temporary(path: &Path, old: Option<&Metadata>) -> io::Result<(File, PathBuf)> {
    let prefix = temporary_prefix(path).ok_or(io::ErrorKind::InvalidInput)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    if old.is_some() {
        make_private(&mut options);
    }
    for attempt in 0_u32.. {
        let hidden = format!("{prefix}{}-{attempt}.tmp", std::process::id());
        let temporary = path.with_file_name(hidden);
        // Locked from before the file is there, so that a signal finds each file, and ends before the next.
        let mut live = live();
        let known = live.as_mut().ok_or(io::ErrorKind::Interrupted)?;
        match options.open(&temporary) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            opened => {
                let file = opened?;
                known.insert(temporary.clone());
                drop(live);
                // Locked until the rename, so that no other bake treats it as abandoned. Another bake
                // that looked at it before may have removed it.
                let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
                if is_taken || !temporary.exists() {
                    forget(&temporary);
                    continue;
                }
                if let Some(old) = old {
                    copy_permissions(old, &file);
                }
                return Ok((file, temporary));
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Lets only the owner read a new file until [`copy_permissions`] has run.
#[cfg(unix)]
fn make_private(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(not(unix))]
fn make_private(_options: &mut OpenOptions) {}

/// Gives a new file the owner and the mode of the old one. A failure leaves the file private: some
/// file systems have no modes, and only root may set another owner.
#[cfg(unix)]
fn copy_permissions(old: &Metadata, file: &File) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if let Ok(new) = file.metadata()
        && (new.uid(), new.gid()) != (old.uid(), old.gid())
        && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
    {
        // A member of the group may still set the group.
        let _ = fchown(file, None, Some(old.gid()));
    }
    let _ = file.set_permissions(old.permissions());
}

/// Other systems take permissions from the folder.
#[cfg(not(unix))]
fn copy_permissions(_old: &Metadata, _file: &File) {}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_scenes::Folder;

    #[test]
    #[cfg(unix)]
    fn replace_keeps_the_mode_of_the_old_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("mode");
        let path = folder.root().join("a.hitmask");
        replace(&path, b"first").unwrap();
        for mode in [0o600, 0o640, 0o664, 0o444, 0o606] {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            replace(&path, format!("{mode}").as_bytes()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
        }
        // The mode of a link's target counts.
        let link = folder.root().join("link");
        std::os::unix::fs::symlink("a.hitmask", &link).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        replace(&link, b"through the link").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    }

    #[test]
    fn a_name_of_255_bytes_can_be_written_and_its_temporary_files_are_removed() {
        let folder = Folder::new("long");
        for name in ["a".repeat(255), "\u{8239}".repeat(85)] {
            let path = folder.root().join(&name);
            let prefix = temporary_prefix(&path).unwrap();
            assert!(prefix.len() <= MAX_PREFIX_BYTES + 2);
            let left = File::create(folder.root().join(format!("{prefix}77-0.tmp"))).unwrap();
            left.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
            drop(left);
            for bytes in [&b"one"[..], b"another"] {
                replace(&path, bytes).unwrap();
                assert_eq!(fs::read(&path).unwrap(), bytes);
                assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 1);
            }
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn a_file_that_holds_the_bytes_is_left_alone() {
        let folder = Folder::new("same");
        let path = folder.root().join("a.hitmask");
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
    }

    #[test]
    fn replace_removes_abandoned_temporary_files_and_keeps_locked_ones() {
        let folder = Folder::new("swept");
        let make = |name: &str, is_old: bool| {
            let file = File::create(folder.root().join(name)).unwrap();
            if is_old {
                let age = Duration::from_secs(1_000_000_000);
                file.set_modified(std::time::SystemTime::UNIX_EPOCH + age).unwrap();
            }
            file
        };
        make(".a.hitmask.77-0.tmp", true);
        let own = format!(".a.hitmask.{}-9.tmp", std::process::id());
        make(&own, false);
        // No process has such a number. Other systems than Linux keep the young file.
        let dead = ".a.hitmask.4294967290-0.tmp";
        make(dead, !cfg!(target_os = "linux"));
        make(".a.hitmask.mine.tmp", true);
        make(".b.hitmask.77-0.tmp", true);
        let held = make(".a.hitmask.79-1.tmp", true);
        held.lock().unwrap();
        replace(folder.root().join("a.hitmask"), b"new").unwrap();
        let mut left: Vec<_> =
            fs::read_dir(folder.root()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        let mut kept = [
            own.as_str(),
            ".a.hitmask.79-1.tmp",
            ".a.hitmask.mine.tmp",
            ".b.hitmask.77-0.tmp",
            "a.hitmask",
        ];
        kept.sort_unstable();
        assert_eq!(left, kept);
        drop(held);
    }
}
