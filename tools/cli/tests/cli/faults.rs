//! Tests of faults from outside: kills at random moments, signals, full disks, read-only folders, and
//! readers beside writers. Every file that a command writes is at all times the old one or the new one.

use crate::folder::{Folder, texts};
use hitmask::Atlas;
use hitmask_scenes::{Random, cases};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime};

const EXE: &str = env!("CARGO_BIN_EXE_hitmask");

/// Number of commands that a test kills.
fn rounds() -> u32 {
    cases(12, 200)
}

fn begin(folder: &Folder, args: &str) -> Child {
    let mut command = Command::new(EXE);
    command
        .args(args.split_whitespace())
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Kills a command after a random part of `longest`, unless it ends before.
fn kill(mut running: Child, longest: Duration, random: &mut Random) {
    let end = Instant::now() + longest.mul_f64(f64::from(random.below(1000)) / 900.0);
    while Instant::now() < end && running.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = running.kill();
    running.wait().unwrap();
}

/// Makes temporary files old enough to count as abandoned.
fn age(folder: &Folder) {
    let old = SystemTime::now() - Duration::from_secs(3600);
    for entry in fs::read_dir(&folder.0).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "tmp") {
            fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
    }
}

/// Writes 20 sprites with pixels from `seed`; their atlas is about 0.5 MB.
fn art(folder: &Folder, seed: u64) {
    let mut random = Random::new(seed);
    for i in 0..20 {
        let (w, h) = (40 + random.below(3), 40 + random.below(3));
        let pixel = |_| if random.below(5) > 0 { [90, 90, 90, 255] } else { [0; 4] };
        let rgba: Vec<u8> = (0..w * h).flat_map(pixel).collect();
        let path = folder.0.join(format!("art/{i}.png"));
        image::save_buffer(path, &rgba, w, h, image::ExtendedColorType::Rgba8).unwrap();
    }
}

fn hidden(folder: &Folder) -> usize {
    let entries = fs::read_dir(&folder.0).unwrap();
    let is_hidden = |name: &std::ffi::OsStr| name.to_str().unwrap().ends_with(".tmp");
    entries.filter(|e| is_hidden(&e.as_ref().unwrap().file_name())).count()
}

/// Kills commands that write `output`, of two versions by turns. The last one must clean up.
fn killed(folder: &Folder, output: &str, versions: [&str; 2]) {
    let path = folder.0.join(output);
    let mut longest = Duration::ZERO;
    let good = versions.map(|version| {
        let start = Instant::now();
        folder.ok(version);
        longest = longest.max(start.elapsed());
        fs::read(&path).unwrap()
    });
    assert!(good[0] != good[1], "the versions must differ");
    let mut random = Random::new(5);
    for round in 0..rounds() {
        kill(begin(folder, versions[round as usize % 2]), longest, &mut random);
        assert!(good.contains(&fs::read(&path).unwrap()), "round {round}");
    }
    folder.write(&format!(".{output}.77-0.tmp"), "half a file");
    age(folder);
    fs::remove_file(&path).unwrap();
    folder.ok(versions[0]);
    assert!(fs::read(&path).unwrap() == good[0]);
    assert_eq!(hidden(folder), 0, "files that killed commands left behind are removed");
}

/// Bakes two versions of the art in two shards each: `1-1`, `1-2`, `2-1` and `2-2`.
fn shards(folder: &Folder) {
    for version in [1, 2] {
        art(folder, version);
        for shard in [1, 2] {
            let (output, of) = (format!("{version}-{shard}"), format!("{shard}/2"));
            folder.ok(&format!("bake art -o {output} --shard {of}"));
        }
    }
}

#[test]
fn a_killed_bake_leaves_the_old_or_the_new_atlas() {
    let folder = Folder::new("killed");
    art(&folder, 1);
    fs::rename(folder.0.join("art"), folder.0.join("old")).unwrap();
    fs::create_dir(folder.0.join("art")).unwrap();
    art(&folder, 2);
    killed(&folder, "a.hitmask", ["bake art -o a.hitmask", "bake old -o a.hitmask"]);
    Atlas::open(folder.0.join("a.hitmask")).unwrap().verify().unwrap();
}

const MERGES: [&str; 2] = ["merge all.hitmask 1-1 1-2", "merge all.hitmask 2-2 2-1"];

#[test]
fn a_killed_merge_leaves_the_old_or_the_new_atlas() {
    let folder = Folder::new("killed-merge");
    shards(&folder);
    killed(&folder, "all.hitmask", MERGES);
}

#[test]
fn a_killed_report_leaves_the_old_or_the_new_page() {
    let folder = Folder::new("killed-report");
    for version in ["1", "2"] {
        art(&folder, version.parse().unwrap());
        folder.ok(&format!("bake art -o {version} --angles 16"));
    }
    killed(&folder, "page.html", ["report 1 -o page.html", "report 2 -o page.html"]);
}

#[test]
fn a_killed_watch_leaves_a_whole_atlas() {
    let folder = Folder::new("killed-watch");
    art(&folder, 1);
    let start = Instant::now();
    folder.ok("bake art -o a.hitmask --no-cache");
    let longest = 2 * start.elapsed();
    let mut random = Random::new(6);
    for round in 0..rounds() {
        let watch = begin(&folder, "bake --watch art -o a.hitmask");
        // The art changes while the first bake reads it.
        art(&folder, 1 + u64::from(round) % 2);
        kill(watch, longest, &mut random);
        Atlas::open(folder.0.join("a.hitmask")).unwrap().verify().unwrap();
    }
    age(&folder);
    art(&folder, 3);
    folder.ok("bake art -o a.hitmask");
    folder.ok("bake art -o plain --no-cache");
    assert!(folder.read("a.hitmask") == folder.read("plain"));
    assert_eq!(hidden(&folder), 0);
}

#[test]
fn readers_beside_several_writers_open_whole_atlases() {
    let folder = Folder::new("readers");
    shards(&folder);
    let path = folder.0.join("all.hitmask");
    let good = MERGES.map(|merge| {
        folder.ok(merge);
        fs::read(&path).unwrap()
    });
    let (is_done, reads) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let atlas = Atlas::open(&path).unwrap();
                    atlas.verify().unwrap();
                    assert!(good.iter().any(|good| good == atlas.as_bytes()));
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Ends the readers even if a writer panics.
        struct Done<'a>(&'a AtomicBool);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let _done = Done(&is_done);
        for round in 0..rounds() / 2 {
            let writers = [0, 1, 0].map(|i| begin(&folder, MERGES[(round as usize + i) % 2]));
            for mut writer in writers {
                assert!(writer.wait().unwrap().success(), "round {round}");
            }
        }
    });
    assert!(reads.into_inner() > 0);
    assert_eq!(hidden(&folder), 0);
}

/// Runs a command with a limit on file sizes, in blocks of 512 bytes, to simulate a full disk.
#[cfg(unix)]
fn limited(folder: &Folder, before: &str, blocks: u32, command: &str) -> std::process::Output {
    let script = format!("{before} ulimit -f {blocks}; exec {EXE} {command}");
    Command::new("sh").args(["-c", &script]).current_dir(&folder.0).output().unwrap()
}

#[test]
#[cfg(unix)]
fn on_a_full_disk_each_command_fails_and_leaves_what_was_there() {
    let folder = Folder::new("full-disk");
    shards(&folder);
    folder.ok("bake art -o a --angles 8");
    let commands: [&str; 5] = [
        "bake art -o a.hitmask --no-cache",
        "merge all.hitmask 1-1 1-2",
        "report a -o page.html",
        "export art -f json -o shapes.json",
        "show a 1 --sheet sheet.png",
    ];
    // The old files are others than the commands would write.
    folder.ok("bake art/small -o a.hitmask --no-cache");
    fs::copy(folder.0.join("a.hitmask"), folder.0.join("all.hitmask")).unwrap();
    folder.ok("report a -o page.html --art art");
    folder.ok("export art/small -f json -o shapes.json");
    folder.ok("show a 2 --sheet sheet.png");
    let before = folder.contents();
    for command in commands {
        let failed = limited(&folder, "trap '' XFSZ;", 1, command);
        let said = texts(&failed).1;
        assert_eq!(failed.status.code(), Some(1), "{command}: {said}");
        assert!(said.contains("cannot write ") && said.contains("disk has room"), "{said}");
        assert!(folder.contents() == before, "{command}");
    }
    // The signal of the limit kills the program.
    let killed = limited(&folder, "ulimit -c 0;", 100, commands[0]);
    assert_eq!(killed.status.code(), None, "{}", texts(&killed).1);
    assert!(folder.read("a.hitmask") == before[&folder.0.join("a.hitmask")]);
    for command in commands {
        folder.ok(command);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_standard_output_that_is_full_is_an_error() {
    let folder = Folder::new("full-output");
    folder.ok("bake art -o a");
    for command in ["info a", "verify a --json", "show a arrow"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(EXE)
            .args(command.split_whitespace())
            .current_dir(&folder.0)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let said = texts(&output).1;
        assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains("cannot write to standard output"), "{said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_command_that_writes_into_a_read_only_folder_fails() {
    let folder = Folder::new("read-only-verbs");
    shards(&folder);
    folder.ok("bake art -o a --angles 8");
    // No user can create a file in /sys, not even root.
    for command in [
        "bake art --no-cache -o /sys/a.hitmask",
        "export art -f json -o /sys/shapes.json",
        "merge /sys/all.hitmask 1-1 1-2",
        "bake art -o /sys/1 --shard 1/2",
        "report a -o /sys/page.html",
        "show a 1 --png /sys/a.png",
    ] {
        folder.refuses(command, "cannot write /sys/", "folder");
        let cause = folder.fails(command).0;
        assert!(cause.contains("Permission denied") || cause.contains("ead-only"), "{cause}");
    }
    // An unwritable cache is only a note: the next bake takes longer.
    let (_, said) = folder.exits("bake art -o a.hitmask --cache /sys/a.cache", 0);
    assert!(said.contains("note: cannot write the cache /sys/a.cache"), "{said}");
    folder.ok("verify a.hitmask");
}

#[test]
#[cfg(target_os = "linux")]
fn a_bake_that_writes_nothing_removes_the_files_of_killed_bakes() {
    let folder = Folder::new("stale");
    folder.ok("bake art -o a.hitmask");
    for name in [".a.hitmask.4294967290-0.tmp", ".a.hitmask.cache.4294967290-0.tmp"] {
        folder.write(name, "half a file");
    }
    folder.write(".notes.4294967290-0.tmp", "of another program");
    assert!(folder.ok("bake art -o a.hitmask").contains("is up to date"));
    assert_eq!(hidden(&folder), 1);
}

/// Returns a bake that ignores no signal. A shell starts programs in the background with some ignored, as nohup
/// does, and programs inherit that.
#[cfg(unix)]
fn bake_with_signals() -> Command {
    let mut command = Command::new("env");
    if cfg!(target_os = "linux") {
        command.arg("--default-signal");
    }
    command.arg(EXE);
    command.args(["bake", "art", "-o", "a.hitmask", "--no-cache"]);
    command
}

#[test]
#[cfg(unix)]
fn ctrl_c_and_sigterm_leave_no_temporary_file() {
    let folder = Folder::new("signals");
    art(&folder, 1);
    let start = Instant::now();
    folder.ok("bake art -o a.hitmask --no-cache");
    let whole = start.elapsed();
    for round in 0..cases(8, 40) {
        art(&folder, 2 + u64::from(round));
        let mut bake = bake_with_signals()
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Waits for the temporary file in half of the rounds.
        let end = Instant::now() + whole.mul_f64(f64::from(round + 1) / 8.0);
        let is_there = || round % 2 == 0 && hidden(&folder) > 0;
        while Instant::now() < end && !is_there() && bake.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let signal = ["-INT", "-TERM"][round as usize / 2 % 2];
        let _ = Command::new("kill").args([signal, &bake.id().to_string()]).status();
        let code = bake.wait().unwrap().code();
        // None: it had not begun to listen.
        assert!(matches!(code, None | Some(0 | 130)), "{code:?}");
        assert_eq!(hidden(&folder), 0, "round {round}");
    }
    folder.ok("verify a.hitmask");
}
