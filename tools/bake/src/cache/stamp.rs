//! Detects changed files by size and times, without reading them.
//!
//! Used by `incremental`. A file that changes twice within one tick of the file system's clock
//! keeps its stamp. So a stamp proves equal contents only if its tick was over before the file was
//! read: then it is *settled*. Files without a settled stamp are compared by contents.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Longest tick of a clock with fractions of a second: 15.6 ms on Windows, 10 ms on Linux.
const FINE_TICK: Duration = Duration::from_millis(20);
/// Longest tick of a clock with whole seconds only: 2 s on FAT, which memory cards use.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// The size and times of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) len: u64,
    /// Modification time of the contents, in nanoseconds since 1970.
    pub(crate) modified: u64,
    /// Time of the last change to contents or metadata, if the system has one. Programs cannot set
    /// it, unlike the modification time.
    pub(crate) changed: u64,
}

impl Stamp {
    /// Returns the stamp of the file at `path`, or `None` if there is no file.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let modified = nanoseconds(meta.modified().ok()?)?;
        Some(Self { len: meta.len(), modified, changed: changed(&meta) })
    }

    /// Returns true if a change at or after `now` would give another stamp.
    pub(crate) fn is_settled(self, now: SystemTime) -> bool {
        let last = self.modified.max(self.changed);
        let tick =
            if self.modified.is_multiple_of(1_000_000_000) { COARSE_TICK } else { FINE_TICK };
        nanoseconds(now).is_some_and(|now| last.saturating_add(tick.as_nanos() as u64) <= now)
    }

    /// Returns the stamp of a file that was just written, and whether it is settled. Waits up to
    /// two fine ticks for that.
    pub(crate) fn of_new(path: &Path) -> Option<(Self, bool)> {
        for _ in 0..2 {
            let now = SystemTime::now();
            let stamp = Self::of(path)?;
            if stamp.is_settled(now) {
                return Some((stamp, true));
            }
            std::thread::sleep(FINE_TICK);
        }
        Self::of(path).map(|stamp| (stamp, false))
    }
}

#[cfg(unix)]
fn changed(meta: &Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(meta.ctime()).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec().unsigned_abs())
}

#[cfg(not(unix))]
fn changed(meta: &Metadata) -> u64 {
    meta.created().ok().and_then(nanoseconds).unwrap_or(0)
}

/// Returns `None` for times before 1970.
fn nanoseconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_settled_once_its_tick_is_over() {
        let at = |nanoseconds| SystemTime::UNIX_EPOCH + Duration::from_nanos(nanoseconds);
        let second = 1_000_000_000;
        let fine = Stamp { len: 1, modified: 5 * second + 7, changed: 5 * second + 9 };
        assert!(!fine.is_settled(at(5 * second + 9)));
        assert!(!fine.is_settled(at(5 * second + 20_000_008)));
        assert!(fine.is_settled(at(5 * second + 20_000_009)));
        // A clock that runs behind proves nothing.
        assert!(!fine.is_settled(at(4 * second)));
        let coarse = Stamp { modified: 6 * second, ..fine };
        assert!(!coarse.is_settled(at(8 * second - 1)));
        assert!(coarse.is_settled(at(8 * second)));
    }

    #[test]
    fn a_stamp_detects_a_rewrite_with_the_old_modification_time() {
        let path = std::env::temp_dir().join(format!("hitmask-stamp-{}", std::process::id()));
        fs::write(&path, "one").unwrap();
        let old = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 500);
        let backdate = || {
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(old).unwrap();
        };
        backdate();
        std::thread::sleep(2 * FINE_TICK);
        let (before, is_settled) = Stamp::of_new(&path).unwrap();
        assert!(is_settled);
        fs::write(&path, "two").unwrap();
        backdate();
        let after = Stamp::of(&path).unwrap();
        assert_eq!((after.len, after.modified), (before.len, before.modified));
        // Only Unix has a time that programs cannot set.
        assert!(after != before || cfg!(not(unix)));
        fs::remove_file(&path).unwrap();
        assert_eq!(Stamp::of(&path), None);
        assert_eq!(Stamp::of(&std::env::temp_dir()), None);
    }
}
