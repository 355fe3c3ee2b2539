//! Tests of `bake --watch`, from the first bake to Ctrl-C. Each step waits for the output of the
//! step before.

use crate::folder::Folder;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A running `bake --watch`, and the lines of its output.
struct Watch {
    program: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn begin(folder: &Folder, args: &str) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hitmask"))
            .args(["bake", "--watch"])
            .args(args.split_whitespace())
            .current_dir(&folder.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let outputs: [Box<dyn Read + Send>; 2] =
            [Box::new(program.stdout.take().unwrap()), Box::new(program.stderr.take().unwrap())];
        for output in outputs {
            let sender = sender.clone();
            std::thread::spawn(move || {
                let lines = BufReader::new(output).lines();
                lines.map_while(Result::ok).for_each(|line| drop(sender.send(line)));
            });
        }
        Self { program, lines }
    }

    /// Waits for a line that contains `text`. Panics after 60 s without a line.
    fn until(&self, text: &str) {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) if line.contains(text) => return,
                Ok(line) => said.push(line),
                Err(_) => panic!("{text:?} is not in {said:#?}"),
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.program.kill();
    }
}

#[test]
#[cfg(unix)]
fn changes_are_baked_broken_art_is_survived_and_ctrl_c_exits_cleanly() {
    let folder = Folder::new("watch");
    // The atlas is inside the art folder; its own changes do not start a bake.
    let mut watch = Watch::begin(&folder, "art -o art/a.hitmask");
    watch.until("baked     2 (0 unchanged)");
    watch.until("warnings");
    folder.image("art/arrow.png", ["#..##", "#####"]);
    watch.until("baked     1 (1 unchanged)");
    watch.until("warnings");
    folder.image("art/new.png", ["###"]);
    watch.until("baked     1 (2 unchanged)");
    folder.write("art/broken.png", "not an image");
    watch.until("broken.png");
    fs::remove_file(folder.0.join("art/broken.png")).unwrap();
    watch.until("is up to date");
    fs::remove_dir_all(folder.0.join("art/small")).unwrap();
    watch.until("sprites   2");
    let id = watch.program.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(watch.program.wait().unwrap().code(), Some(0));
    let left = fs::read_dir(folder.0.join("art")).unwrap();
    let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a.hitmask", "a.hitmask.cache", "arrow.png", "new.png"]);
}

#[test]
#[cfg(unix)]
fn a_folder_that_is_deleted_and_recreated_is_baked_again() {
    let folder = Folder::new("watch-again");
    fs::create_dir(folder.0.join("of")).unwrap();
    folder.write(
        "of/hitmask.toml",
        "root = \"../art\"\noutput = \"../m.hitmask\"\n[[source]]\nfiles = \"**/*.png\"\n",
    );
    for args in ["art -o b.hitmask", "-m of/hitmask.toml"] {
        fs::create_dir_all(folder.0.join("art")).unwrap();
        folder.image("art/first.png", ["##.", "###"]);
        let watch = Watch::begin(&folder, args);
        watch.until("warnings");
        fs::remove_dir_all(folder.0.join("art")).unwrap();
        watch.until("error: ");
        fs::create_dir(folder.0.join("art")).unwrap();
        folder.image("art/c.png", ["###"]);
        watch.until("sprites   1 ");
        watch.until("warnings");
        // Shows that the new folder is watched, beyond the event of its creation.
        folder.image("art/d.png", ["#.#"]);
        watch.until("sprites   2 ");
    }
}

#[test]
#[cfg(unix)]
fn a_file_that_is_half_saved_keeps_its_sprite_until_it_is_whole() {
    let folder = Folder::new("watch-half");
    let watch = Watch::begin(&folder, "art -o a.hitmask");
    watch.until("warnings");
    let before = folder.read("a.hitmask");
    let good = folder.read("art/arrow.png");
    fs::write(folder.0.join("art/arrow.png"), &good[..40]).unwrap();
    watch.until("stale     1 sprite keeps its last masks: arrow");
    assert!(folder.read("a.hitmask") == before);
    // Another sprite changes meanwhile.
    folder.image("art/small/dot.png", ["##"]);
    watch.until("stale     1 sprite");
    assert_eq!(folder.names("a.hitmask"), ["arrow", "small/dot"]);
    folder.image("art/arrow.png", ["..##", "###.", "..##"]);
    watch.until("baked     1 (1 unchanged)");
    watch.until("warnings");
    assert_eq!(folder.names("a.hitmask"), ["arrow", "small/dot"]);
}
