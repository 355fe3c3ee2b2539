//! `hitmask bake --watch`: bakes again after every change of the art, until Ctrl-C.
//!
//! Called by `bake::run`. `Art` compares the files with those of the last look, without the files
//! that the bake writes; `follow` debounces the changes. Looks at files need no system limit, and see
//! changes on network drives too.

use super::args::{Args, gather};
use super::once::bake_once;
use crate::CliError;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

/// Time without a change before a bake starts. Programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// Number of waits of [`QUIET`] after which a bake starts despite further changes, or without files that
/// are gone. Programs delete a file and write it again when they save.
const MAX_WAITS: usize = 20;
/// Least ratio of the time between two looks to the time of a look: very many files take longer.
const REST: u32 = 9;

/// Result of a wait for changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    Changed,
    /// No change, but a file of the last bake is gone.
    Gone,
    Quiet,
    End,
}

/// Bakes now, and again after every change, until `next` returns `Signal::End`.
///
/// `next` waits for a change: without limit for `None`, else for the whole given time.
fn follow(mut next: impl FnMut(Option<Duration>) -> Signal, mut bake: impl FnMut()) {
    bake();
    loop {
        match next(None) {
            Signal::End => return,
            Signal::Quiet => continue,
            Signal::Changed | Signal::Gone => {}
        }
        for _ in 0..MAX_WAITS {
            match next(Some(QUIET)) {
                Signal::End => return,
                Signal::Quiet => break,
                Signal::Changed | Signal::Gone => {}
            }
        }
        bake();
    }
}

/// Size and time of modification of each file. Folders have neither.
type Files = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

/// The files that decide about a bake.
struct Art {
    folders: Folders,
    /// File names of the atlas and the cache.
    own: Vec<OsString>,
    /// The files at the last look, and its duration.
    seen: (Files, Duration),
    /// The files and folders of the last bake that could list them.
    known: Vec<PathBuf>,
    /// Gets a message at Ctrl-C.
    end: Receiver<()>,
}

impl Art {
    /// Waits for a change; see [`follow`].
    fn next(&mut self, wait: Option<Duration>) -> Signal {
        loop {
            match self.end.recv_timeout(wait.unwrap_or(QUIET).max(REST * self.seen.1)) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return Signal::End,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = self.look();
            let is_changed = now.0 != self.seen.0;
            self.seen = now;
            match (is_changed, wait) {
                (true, _) => return Signal::Changed,
                (false, Some(_)) if self.known.iter().any(|path| !path.exists()) => {
                    return Signal::Gone;
                }
                (false, Some(_)) => return Signal::Quiet,
                (false, None) => {}
            }
        }
    }

    fn look(&self) -> (Files, Duration) {
        let (start, mut files, mut entered) = (Instant::now(), Files::new(), BTreeSet::new());
        for (folder, is_whole) in &self.folders.0 {
            self.list(folder, *is_whole, &mut entered, &mut files);
        }
        (files, start.elapsed())
    }

    /// Lists the files of a folder. Follows links, and enters no folder twice.
    fn list(
        &self,
        folder: &Path,
        is_whole: bool,
        entered: &mut BTreeSet<PathBuf>,
        files: &mut Files,
    ) {
        if is_whole && !folder.canonicalize().is_ok_and(|folder| entered.insert(folder)) {
            return;
        }
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        // In one order, so that a folder of several paths is entered by the same one at each look.
        let paths: BTreeSet<PathBuf> = entries.map(|entry| entry.path()).collect();
        for path in paths {
            let Ok(meta) = fs::metadata(&path) else { continue };
            if meta.is_dir() {
                if is_whole {
                    self.list(&path, true, entered, files);
                }
                // Without its time, which changes whenever the bake writes into it.
                files.insert(path, (0, None));
            } else if !self.is_own(path.file_name().unwrap_or_default()) {
                files.insert(path, (meta.len(), meta.modified().ok()));
            }
        }
    }

    /// Tests whether the bake itself writes a file of this name.
    fn is_own(&self, name: &OsStr) -> bool {
        let text = name.to_string_lossy();
        self.own.iter().any(|own| own == name) || text.starts_with('.') && text.ends_with(".tmp")
    }
}

/// Folders to watch; true for a whole tree, false for direct entries only.
#[derive(Default)]
struct Folders(BTreeMap<PathBuf, bool>);

impl Folders {
    /// Adds a file or folder. A file is watched through its folder, because programs replace files
    /// when they save. A missing path is watched through its nearest existing ancestor.
    fn add(&mut self, path: &Path) {
        let is_whole = path.is_dir();
        let folder = path.ancestors().find(|path| path.as_os_str().is_empty() || path.is_dir());
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
        *self.0.entry(folder.unwrap_or(Path::new(".")).to_owned()).or_default() |= is_whole;
    }

    /// Returns the folders to watch for `paths`, as they exist now.
    fn of<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let mut folders = Self::default();
        paths.into_iter().for_each(|path| folders.add(path));
        folders
    }
}

/// Bakes until Ctrl-C.
pub(super) fn watch(args: &Args) -> Result<(), CliError> {
    let (sender, end) = channel();
    ctrlc::set_handler(move || {
        let _ = sender.send(());
    })
    .map_err(|e| CliError::new(format!("cannot listen for Ctrl-C: {e}"), "bake without --watch"))?;
    let inputs = || args.art.input.iter().chain(&args.art.manifest);
    let own = gather(args).map_or_else(
        |_| args.output.iter().map(PathBuf::as_path).map(names).collect(),
        |(_, output)| vec![names(&output)],
    );
    let own = own.into_iter().flatten().chain(args.cache.iter().flat_map(|path| names(path)));
    let (folders, seen) = (Folders::default(), Default::default());
    let known = Vec::new();
    let art = RefCell::new(Art { folders, own: own.collect(), seen, known, end });
    eprintln!("watching for changes; press Ctrl-C to stop");
    follow(
        |wait| art.borrow_mut().next(wait),
        || {
            // Looks before each bake, so that no change during it is missed. The art of a manifest is
            // known from the last bake that read it.
            let mut art = art.borrow_mut();
            art.folders = Folders::of(inputs().chain(&art.known));
            art.seen = art.look();
            let baked = gather(args).and_then(|(bake, output)| {
                art.known = bake.watched();
                art.folders = Folders::of(inputs().chain(&art.known));
                // A file that has changed since the first look is one that changes.
                let (before, time) = std::mem::take(&mut art.seen);
                art.seen = (art.look().0.into_iter().chain(before).collect(), time);
                bake_once(args, bake, &output)
            });
            if let Err(error) = baked {
                error.print();
            }
        },
    );
    Ok(())
}

/// Returns the file names of an atlas and of its default cache.
fn names(path: &Path) -> Vec<OsString> {
    let name = path.file_name().unwrap_or_default();
    vec![name.to_owned(), crate::output::cache_beside(name.as_ref()).into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds signals to `follow` and returns a log of its calls. `-` is a wait without limit, `~` a
    /// wait of [`QUIET`], and `B` a bake.
    fn log_of(signals: &[Signal]) -> String {
        let done = RefCell::new(String::new());
        let mut signals = signals.iter().copied();
        follow(
            |wait| {
                done.borrow_mut().push(if wait.is_some() { '~' } else { '-' });
                signals.next().unwrap_or(Signal::End)
            },
            || done.borrow_mut().push('B'),
        );
        done.into_inner()
    }

    #[test]
    fn a_bake_runs_at_once_and_after_each_change_once_it_is_quiet() {
        use Signal::{Changed, End, Quiet};
        assert_eq!(log_of(&[]), "B-");
        assert_eq!(log_of(&[Changed, Quiet]), "B-~B-");
        assert_eq!(log_of(&[Changed, Changed, Changed, Quiet, Changed, Quiet]), "B-~~~B-~B-");
        assert_eq!(log_of(&[Quiet, Changed, Quiet]), "B--~B-");
        assert_eq!(log_of(&[Changed, End]), "B-~");
        assert_eq!(log_of(&[Changed, Changed, End, Changed]), "B-~~");
    }

    #[test]
    fn a_bake_starts_even_if_changes_never_stop() {
        let done = log_of(&[Signal::Changed; MAX_WAITS + 1]);
        assert_eq!(done, format!("B-{}B-", "~".repeat(MAX_WAITS)));
    }

    #[test]
    fn changes_of_files_are_signals_but_reads_and_the_bakes_own_files_are_not() {
        let folder = hitmask_scenes::Folder::new("watch-looks");
        let (sender, end) = channel();
        let folders = Folders::of([&folder.root().to_owned()]);
        let own = names(Path::new("out/a.hitmask"));
        let mut art = Art { folders, own, seen: Default::default(), known: Vec::new(), end };
        let mut signal = || art.next(Some(Duration::ZERO));
        assert_eq!(signal(), Signal::Quiet);
        for (name, expected) in [
            ("ship.png", Signal::Changed),
            (".a.hitmask.7-0.tmp", Signal::Quiet),
            ("a.hitmask", Signal::Quiet),
            ("a.hitmask.cache", Signal::Quiet),
        ] {
            folder.write(name, "first");
            assert_eq!(signal(), expected, "{name}");
        }
        let ship = folder.write("ship.png", "second");
        assert_eq!((signal(), signal()), (Signal::Changed, Signal::Quiet));
        fs::read(ship).unwrap();
        assert_eq!(signal(), Signal::Quiet);
        fs::create_dir(folder.path("more")).unwrap();
        assert_eq!(signal(), Signal::Changed);
        folder.write("more/rock.png", "first");
        assert_eq!(signal(), Signal::Changed);
        fs::remove_dir_all(folder.path("more")).unwrap();
        assert_eq!(signal(), Signal::Changed);
        sender.send(()).unwrap();
        assert_eq!(art.next(None), Signal::End);
    }

    #[test]
    fn a_bake_waits_for_files_that_are_gone_but_not_for_ever() {
        use Signal::{Changed, Gone, Quiet};
        assert_eq!(log_of(&[Changed, Gone, Gone, Changed, Quiet]), "B-~~~~B-");
        let gone = [[Changed].as_slice(), &[Gone; MAX_WAITS]].concat();
        assert_eq!(log_of(&gone), format!("B-{}B-", "~".repeat(MAX_WAITS)));
        let folder = hitmask_scenes::Folder::new("watch-gone");
        let ship = folder.write("ship.png", "first");
        let other = folder.write("notes.txt", "first");
        let (_sender, end) = channel();
        let folders = Folders::of([&folder.root().to_owned()]);
        let known = vec![folder.root().to_owned(), ship.clone()];
        let mut art = Art { folders, own: Vec::new(), seen: Default::default(), known, end };
        let mut signal = || art.next(Some(Duration::ZERO));
        assert_eq!([signal(), signal()], [Changed, Quiet]);
        fs::remove_file(&ship).unwrap();
        assert_eq!([signal(), signal(), signal()], [Changed, Gone, Gone]);
        fs::write(&ship, "second").unwrap();
        assert_eq!([signal(), signal()], [Changed, Quiet]);
        // A file that no bake has read.
        fs::remove_file(other).unwrap();
        assert_eq!([signal(), signal()], [Changed, Quiet]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_no_folder_is_entered_twice() {
        let folder = hitmask_scenes::Folder::new("watch-links");
        for name in ["art/a.png", "far/b.png"] {
            folder.write(name, "");
        }
        std::os::unix::fs::symlink(folder.path("far"), folder.path("art/link")).unwrap();
        std::os::unix::fs::symlink("..", folder.path("far/round")).unwrap();
        let (_sender, end) = channel();
        let folders = Folders::of([&folder.path("art")]);
        let mut art =
            Art { folders, own: Vec::new(), seen: Default::default(), known: Vec::new(), end };
        let first = [0; 2].map(|_| art.next(Some(Duration::ZERO)));
        assert_eq!(first, [Signal::Changed, Signal::Quiet]);
        folder.write("far/ship.png", "");
        assert_eq!(art.next(None), Signal::Changed);
    }
}
