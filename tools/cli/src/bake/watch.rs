//! `hitmask bake --watch`: bakes again after every change of the art, until Ctrl-C.
//!
//! Called by `bake::run`. Threads of `notify` and `ctrlc` send messages; `Inbox` drops those that
//! the bake's own files cause; `follow` debounces the rest.

use super::{Args, bake_once, gather};
use crate::CliError;
use notify::{Event, EventKind, RecursiveMode, Watcher};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time without a change before a bake starts. Programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// Number of waits of [`QUIET`] after which a bake starts despite further changes.
const MAX_WAITS: usize = 20;

/// Result of a wait for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    Changed,
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
            Signal::Changed => {}
        }
        for _ in 0..MAX_WAITS {
            match next(Some(QUIET)) {
                Signal::End => return,
                Signal::Quiet => break,
                Signal::Changed => {}
            }
        }
        bake();
    }
}

/// Message from the file watcher or the Ctrl-C handler.
enum Message {
    Changed(Event),
    End,
}

/// Receiver of messages that ignores the files which a bake writes.
struct Inbox {
    messages: Receiver<Message>,
    /// File names of the atlas and the cache.
    own: Vec<OsString>,
}

impl Inbox {
    /// Waits for messages; see [`follow`].
    fn next(&self, wait: Option<Duration>) -> Signal {
        let Some(wait) = wait else {
            loop {
                match self.messages.recv() {
                    Ok(Message::Changed(event)) if self.is_change(&event) => {
                        return Signal::Changed;
                    }
                    Ok(Message::Changed(_)) => {}
                    Ok(Message::End) | Err(_) => return Signal::End,
                }
            }
        };
        let (end, mut signal) = (Instant::now() + wait, Signal::Quiet);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok(Message::Changed(event)) if self.is_change(&event) => signal = Signal::Changed,
                Ok(Message::Changed(_)) => {}
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return Signal::End,
                Err(RecvTimeoutError::Timeout) => return signal,
            }
        }
    }

    /// Returns false for reads, and for writes to the bake's own files. An event without a path
    /// means that the system lost events, and counts as a change.
    fn is_change(&self, event: &Event) -> bool {
        let is_own = |path: &PathBuf| {
            path.file_name().is_some_and(|name| {
                let text = name.to_string_lossy();
                self.own.iter().any(|own| own == name)
                    || text.starts_with('.') && text.ends_with(".tmp")
            })
        };
        !matches!(event.kind, EventKind::Access(_))
            && (event.paths.is_empty() || !event.paths.iter().all(is_own))
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
    let (sender, messages) = channel();
    let events = sender.clone();
    let handler = move |event: notify::Result<Event>| {
        // An error of the watcher counts as a change: at worst the bake finds nothing to do.
        let event = event.unwrap_or_else(|_| Event::new(EventKind::Any));
        let _ = events.send(Message::Changed(event));
    };
    let cannot = |e: notify::Error| {
        CliError::new(
            format!("cannot watch the art: {e}"),
            "watch fewer folders, raise the system limit for file watches, or bake without --watch",
        )
    };
    let mut watcher = notify::recommended_watcher(handler).map_err(cannot)?;
    let end = sender;
    ctrlc::set_handler(move || {
        let _ = end.send(Message::End);
    })
    .map_err(|e| CliError::new(format!("cannot listen for Ctrl-C: {e}"), "bake without --watch"))?;

    let mut look_at = |folders: &Folders| {
        let each = folders.0.iter().map(|(folder, is_whole)| {
            let mode =
                if *is_whole { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            watcher.watch(folder, mode).map_err(cannot)
        });
        // Starts every watch, even if an earlier folder is missing.
        each.fold(Ok(()), Result::and)
    };
    let inputs = || args.input.iter().chain(&args.manifest);
    look_at(&Folders::of(inputs()))?;
    let own = gather(args).map_or_else(
        |_| args.output.iter().map(PathBuf::as_path).map(names).collect(),
        |(_, output)| vec![names(&output)],
    );
    let own = own.into_iter().flatten().chain(args.cache.iter().flat_map(|path| names(path)));
    let inbox = Inbox { messages, own: own.collect() };
    eprintln!("watching for changes; press Ctrl-C to stop");
    let mut known = Vec::new();
    follow(
        |wait| inbox.next(wait),
        || {
            // Renews the watches before each bake, so that no change during it is missed. After a
            // failed bake this finds a folder that was deleted and created again. The art of a
            // manifest is known from the last bake that read it.
            let looked = look_at(&Folders::of(inputs().chain(&known)));
            let baked = gather(args).and_then(|(bake, output)| {
                known = bake.watched();
                look_at(&Folders::of(&known))?;
                bake_once(args, bake, &output).map(|_| ())
            });
            for error in [looked, baked].into_iter().filter_map(Result::err) {
                eprintln!("{error}");
            }
        },
    );
    Ok(())
}

/// Returns the file names of an atlas and of its default cache.
fn names(path: &Path) -> Vec<OsString> {
    let name = path.file_name().unwrap_or_default().to_owned();
    let mut cache = name.clone();
    cache.push(".cache");
    vec![name, cache]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

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
    fn reads_and_the_bakes_own_files_do_not_count_as_changes() {
        let (_sender, messages) = channel();
        let inbox = Inbox { messages, own: names(Path::new("out/a.hitmask")) };
        let event = |kind, paths: &[&str]| {
            paths.iter().fold(Event::new(kind), |event, path| event.add_path(path.into()))
        };
        let any = EventKind::Any;
        let read = EventKind::Access(notify::event::AccessKind::Any);
        for (kind, paths, is_change) in [
            (any, &["art/ship.png"][..], true),
            (any, &["art/.a.hitmask.7-0.tmp", "art/a.hitmask"], false),
            (any, &["art/a.hitmask.cache"], false),
            (any, &["art/a.hitmask", "art/ship.png"], true),
            (any, &[], true),
            (read, &["art/ship.png"], false),
        ] {
            assert_eq!(inbox.is_change(&event(kind, paths)), is_change, "{kind:?} {paths:?}");
        }
    }

    #[test]
    fn messages_become_signals() {
        let (sender, messages) = channel();
        let inbox = Inbox { messages, own: vec!["a".into()] };
        let send = |path: &str| {
            let event = Event::new(EventKind::Any).add_path(path.into());
            sender.send(Message::Changed(event)).unwrap();
        };
        let now = Some(Duration::ZERO);
        assert_eq!(inbox.next(now), Signal::Quiet);
        send("a");
        assert_eq!(inbox.next(now), Signal::Quiet);
        send("a");
        send("b");
        assert_eq!(inbox.next(None), Signal::Changed);
        send("b");
        assert_eq!(inbox.next(now), Signal::Changed);
        sender.send(Message::End).unwrap();
        assert_eq!(inbox.next(None), Signal::End);
    }

    #[test]
    fn files_are_watched_through_their_folder_and_missing_paths_through_an_ancestor() {
        let mut folders = Folders::default();
        // Tests run in the folder of the crate.
        for path in ["src", "src/main.rs", "Cargo.toml", "src/none/at/all.png"] {
            folders.add(Path::new(path));
        }
        let expected = [(PathBuf::from("."), false), ("src".into(), true)];
        assert_eq!(folders.0.into_iter().collect::<Vec<_>>(), expected);
    }
}
