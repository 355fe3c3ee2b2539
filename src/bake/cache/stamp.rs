//! Whether a file has changed since it was looked at, from what its folder says of it.
//!
//! A file that changes within the tick of the clock that stamped it keeps its stamp. So a stamp
//! counts only if its tick was over when it was read, before the file was: it is *settled*. What
//! is not is told by its contents.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Longest tick of a clock that tells parts of a second: 15.6 ms on Windows, 10 on Linux.
const FINE: Duration = Duration::from_millis(20);
/// Longest tick of a clock that tells whole seconds only: two, on the FAT of memory cards.
const COARSE: Duration = Duration::from_secs(2);

/// What tells a file from itself at another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::bake) struct Stamp {
    pub(in crate::bake) len: u64,
    /// When its contents were changed, in nanoseconds since 1970.
    pub(in crate::bake) modified: u64,
    /// When anything about it was changed, where the system says so: no program sets that at will,
    /// as some do with the other.
    pub(in crate::bake) changed: u64,
}

impl Stamp {
    /// The stamp of the file at `path`; none where there is no file.
    pub(in crate::bake) fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let modified = nanoseconds(meta.modified().ok()?)?;
        Some(Self { len: meta.len(), modified, changed: changed(&meta) })
    }

    /// True where a change from `now` on would give another stamp.
    pub(in crate::bake) fn is_settled(self, now: SystemTime) -> bool {
        let last = self.modified.max(self.changed);
        let tick = if self.modified.is_multiple_of(1_000_000_000) { COARSE } else { FINE };
        nanoseconds(now).is_some_and(|now| last.saturating_add(tick.as_nanos() as u64) <= now)
    }

    /// The stamp of a file just written, once it is settled, or as soon as that is known to take
    /// longer than a fine clock's tick.
    pub(in crate::bake) fn of_new(path: &Path) -> Option<(Self, bool)> {
        for _ in 0..2 {
            let now = SystemTime::now();
            let stamp = Self::of(path)?;
            if stamp.is_settled(now) {
                return Some((stamp, true));
            }
            std::thread::sleep(FINE);
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

/// None before 1970, which no clock of today tells.
fn nanoseconds(time: SystemTime) -> Option<u64> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_counts_once_its_tick_is_over() {
        let at = |nanoseconds| SystemTime::UNIX_EPOCH + Duration::from_nanos(nanoseconds);
        let second = 1_000_000_000;
        let fine = Stamp { len: 1, modified: 5 * second + 7, changed: 5 * second + 9 };
        assert!(!fine.is_settled(at(5 * second + 9)));
        assert!(!fine.is_settled(at(5 * second + 20_000_008)));
        assert!(fine.is_settled(at(5 * second + 20_000_009)));
        // A clock that is behind says nothing.
        assert!(!fine.is_settled(at(4 * second)));
        let coarse = Stamp { modified: 6 * second, ..fine };
        assert!(!coarse.is_settled(at(8 * second - 1)));
        assert!(coarse.is_settled(at(8 * second)));
    }

    #[test]
    fn a_stamp_tells_a_file_that_was_written_again_with_its_old_time() {
        let path = std::env::temp_dir().join(format!("hitmask-stamp-{}", std::process::id()));
        fs::write(&path, "one").unwrap();
        let old = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 500);
        let backdate = || {
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            file.set_modified(old).unwrap();
        };
        backdate();
        std::thread::sleep(2 * FINE);
        let (before, is_settled) = Stamp::of_new(&path).unwrap();
        assert!(is_settled);
        fs::write(&path, "two").unwrap();
        backdate();
        let after = Stamp::of(&path).unwrap();
        assert_eq!((after.len, after.modified), (before.len, before.modified));
        // Only on Unix has a file a time that no program sets.
        assert!(after != before || cfg!(not(unix)));
        fs::remove_file(&path).unwrap();
        assert_eq!(Stamp::of(&path), None);
        assert_eq!(Stamp::of(&std::env::temp_dir()), None);
    }
}
