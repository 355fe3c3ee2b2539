//! Tests of interrupted bakes: a bake that is killed or fills the disk leaves a whole atlas.

use crate::folder::{Folder, texts};
use hitmask::Atlas;
use hitmask_scenes::{Random, cases};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const EXE: &str = env!("CARGO_BIN_EXE_hitmask");

/// Writes 20 sprites with pixels from `seed`; their atlas is about 0.5 MB.
pub(crate) fn art(folder: &Folder, seed: u64) {
    let mut random = Random::new(seed);
    for i in 0..20 {
        let (w, h) = (40 + random.below(3), 40 + random.below(3));
        let pixel = |_| if random.below(5) > 0 { [90, 90, 90, 255] } else { [0; 4] };
        let rgba: Vec<u8> = (0..w * h).flat_map(pixel).collect();
        let path = folder.0.join(format!("art/{i}.png"));
        image::save_buffer(path, &rgba, w, h, image::ExtendedColorType::Rgba8).unwrap();
    }
}

pub(crate) fn hidden(folder: &Folder) -> usize {
    let entries = fs::read_dir(&folder.0).unwrap();
    let is_hidden = |name: &std::ffi::OsStr| name.to_str().unwrap().ends_with(".tmp");
    entries.filter(|e| is_hidden(&e.as_ref().unwrap().file_name())).count()
}

#[test]
fn a_killed_bake_leaves_the_old_or_the_new_atlas() {
    let folder = Folder::new("killed");
    let output = folder.0.join("a.hitmask");
    let mut good = Vec::new();
    for seed in [1, 2] {
        art(&folder, seed);
        let start = Instant::now();
        folder.ok(&["bake", "art", "-o", "a.hitmask", "--no-cache"]);
        good.push((fs::read(&output).unwrap(), start.elapsed()));
    }
    let whole = good[0].1.max(good[1].1);
    let mut random = Random::new(3);
    for round in 0..u64::from(cases(12, 40)) {
        art(&folder, 1 + round % 2);
        let mut bake = Command::new(EXE)
            .args(["bake", "art", "-o", "a.hitmask"])
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Kills the bake at a random moment.
        let end = Instant::now() + whole.mul_f64(f64::from(random.below(1000)) / 900.0);
        while Instant::now() < end && bake.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = bake.kill();
        bake.wait().unwrap();
        let bytes = fs::read(&output).unwrap();
        assert!(good.iter().any(|(whole, _)| *whole == bytes), "round {round}");
        Atlas::from_vec(bytes).unwrap().verify().unwrap();
    }
    // A bake with the cache that the killed bakes left equals a bake without a cache.
    art(&folder, 4);
    // No process has this number.
    folder.write(".a.hitmask.4294967290-0.tmp", "half an atlas");
    if cfg!(not(target_os = "linux")) {
        age(&folder);
    }
    folder.ok(&["bake", "art", "-o", "a.hitmask"]);
    folder.ok(&["bake", "art", "-o", "plain", "--no-cache"]);
    assert!(fs::read(&output).unwrap() == fs::read(folder.0.join("plain")).unwrap());
    assert_eq!(hidden(&folder), 0, "files that killed bakes left behind are removed");
}

/// Makes all temporary files an hour old, from which they are removed on systems that do not list processes.
fn age(folder: &Folder) {
    for entry in fs::read_dir(&folder.0).unwrap() {
        let path = entry.unwrap().path();
        if path.to_str().unwrap().ends_with(".tmp") {
            let old = std::time::SystemTime::now() - Duration::from_secs(3600);
            fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_bake_that_writes_nothing_removes_the_files_of_killed_bakes() {
    let folder = Folder::new("stale");
    folder.ok(&["bake", "art", "-o", "a.hitmask"]);
    for name in [".a.hitmask.4294967290-0.tmp", ".a.hitmask.cache.4294967290-0.tmp"] {
        folder.write(name, "half a file");
    }
    folder.write(".notes.4294967290-0.tmp", "of another program");
    assert!(folder.ok(&["bake", "art", "-o", "a.hitmask"]).contains("is up to date"));
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
    folder.ok(&["bake", "art", "-o", "a.hitmask", "--no-cache"]);
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
    folder.ok(&["verify", "a.hitmask"]);
}

/// Runs a bake with a limit on file sizes, in blocks of 512 bytes, to simulate a full disk.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: u32, before: &str) -> std::process::Output {
    let script = format!("{before} ulimit -f {blocks}; exec {EXE} bake art -o a.hitmask");
    Command::new("sh").args(["-c", &script]).current_dir(&folder.0).output().unwrap()
}

#[test]
#[cfg(unix)]
fn on_a_full_disk_the_old_atlas_stays_and_the_bake_fails() {
    let folder = Folder::new("full");
    let output = folder.0.join("a.hitmask");
    art(&folder, 1);
    folder.ok(&["bake", "art", "-o", "a.hitmask"]);
    let before = fs::read(&output).unwrap();
    art(&folder, 2);
    // The write fails.
    let failed = limited(&folder, 100, "trap '' XFSZ;");
    let said = texts(&failed).1;
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write a.hitmask") && said.contains("disk has room"), "{said}");
    assert_eq!((fs::read(&output).unwrap() == before, hidden(&folder)), (true, 0));
    // The signal of the limit kills the program.
    let killed = limited(&folder, 100, "ulimit -c 0;");
    assert_eq!(killed.status.code(), None, "{}", texts(&killed).1);
    assert!(fs::read(&output).unwrap() == before);
    // No space for the atlas or the cache, and no old atlas.
    fs::remove_file(&output).unwrap();
    assert_eq!(limited(&folder, 1, "trap '' XFSZ;").status.code(), Some(1));
    assert!(!output.exists());
    folder.ok(&["bake", "art", "-o", "a.hitmask"]);
    folder.ok(&["verify", "a.hitmask"]);
}

#[test]
#[cfg(unix)]
fn if_only_the_atlas_fits_a_note_reports_the_missing_cache() {
    let folder = Folder::new("cacheless");
    // The cache takes 300 bytes per sprite, more than the atlas of 1-pixel sprites with 1 angle.
    for i in 0..40 {
        folder.image(&format!("art/{i}.png"), ["#"]);
    }
    let script = format!("trap '' XFSZ; ulimit -f 11; exec {EXE} bake art -o a.hitmask --angles 1");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&folder.0).output().unwrap();
    let said = texts(&output).1;
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("note: cannot write the cache a.hitmask.cache"), "{said}");
    folder.ok(&["verify", "a.hitmask"]);
    assert!(!folder.0.join("a.hitmask.cache").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn a_bake_into_a_read_only_folder_fails() {
    let folder = Folder::new("read-only");
    art(&folder, 1);
    // No user can create a file there, not even root.
    let output = "/sys/a.hitmask";
    let failed = folder.run(&["bake", "art", "-o", output, "--no-cache"]);
    let said = texts(&failed).1;
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("cannot write {output}")), "{said}");
    assert!(said.contains("Permission denied") || said.contains("ead-only"), "{said}");
    // An unwritable cache is only a note: the next bake takes longer.
    let done = folder.run(&["bake", "art", "-o", "a.hitmask", "--cache", "/sys/a.cache"]);
    let said = texts(&done).1;
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(said.contains("note: cannot write the cache /sys/a.cache"), "{said}");
    folder.ok(&["verify", "a.hitmask"]);
}
