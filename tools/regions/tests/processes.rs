//! The program with several processes: equal to one world, and what happens when a process ends.

use hitmask_scenes::{Folder, Random};
use std::process::{Command, Output};

fn program(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hitmask-regions")).args(args).output().unwrap()
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether to play as long as the figures of README.md tell: `HITMASK_HEAVY`.
fn is_heavy() -> bool {
    std::env::var_os("HITMASK_HEAVY").is_some()
}

#[test]
fn a_plane_of_several_processes_equals_one_world() {
    let (games, ticks) = if is_heavy() { (10, "10000") } else { (6, "100") };
    for seed in 0..games {
        let processes = (1 + seed % 6).to_string();
        let seed = seed.to_string();
        let args = words("--colliders 120 --regions 3 --rebalance 5 --halo 9");
        let own = ["--ticks", ticks, "--play", &seed, "--processes", &processes];
        let output = program(&[&args[..], &own].concat());
        assert!(
            stdout(&output).starts_with(&format!("{ticks} ticks of {processes} processes equal"))
        );
    }
}

#[test]
fn a_crowd_of_several_processes_has_the_pairs_of_one_world() {
    let args = ["--colliders", "3000", "--processes", "3", "--ticks", "70", "--check"];
    assert!(stdout(&program(&args)).contains("one world: "));
}

/// The state after a crash is that of an undisturbed run, which one world plays.
#[test]
fn a_run_recovers_from_the_crash_of_a_process() {
    let mut random = Random::new(1);
    for run in 0..if is_heavy() { 50 } else { 4 } {
        let folder = Folder::new(&format!("regions-crash-{run}"));
        let processes = 2 + random.below(3);
        let crash = format!("{},{}", random.below(processes), 21 + random.below(120));
        let [run, processes] = [run.to_string(), processes.to_string()];
        let path = folder.root().to_str().unwrap();
        let args = words("--colliders 80 --ticks 150 --rebalance 9 --every 20");
        let own = ["--play", &run, "--processes", &processes, "--save", path];
        let args = [&args[..], &own].concat();
        let crashed = program(&[&args[..], &["--crash", &crash]].concat());
        assert!(!crashed.status.success());
        let stderr = String::from_utf8_lossy(&crashed.stderr);
        let process = crash.split(',').next().unwrap();
        assert!(stderr.contains(&format!("error: process {process}: ")), "{stderr}");
        assert!(stderr.contains("signal: 6"), "{stderr}");
        let equal = stdout(&program(&args));
        let ticks: u64 = equal.split(' ').next().unwrap().parse().unwrap();
        assert!((1..=130).contains(&ticks), "{equal}");
    }
}

/// A process that ends is started again while the others wait, and no tick is lost.
#[test]
fn a_run_goes_on_after_the_crash_of_a_process() {
    let folder = Folder::new("regions-again");
    let path = folder.root().to_str().unwrap();
    let args = words("--colliders 80 --ticks 90 --rebalance 9 --every 20 --play 4 --processes 3");
    let own = ["--save", path, "--recover", "--crash", "1,47"];
    let output = program(&[&args[..], &own].concat());
    assert!(stdout(&output).starts_with("90 ticks of 3 processes equal"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("process 1 is started again"), "{stderr}");
}

/// A snapshot may be restored by another number of processes.
#[test]
fn a_run_goes_on_with_another_number_of_processes() {
    let folder = Folder::new("regions-number");
    let path = folder.root().to_str().unwrap();
    let args = ["--colliders", "80", "--play", "3", "--save", path, "--every", "40"];
    stdout(&program(&[&args[..], &["--processes", "4", "--ticks", "40"]].concat()));
    for (processes, ticks) in [("2", "60"), ("5", "80")] {
        let output = program(&[&args[..], &["--processes", processes, "--ticks", ticks]].concat());
        assert!(stdout(&output).contains(&format!("of {processes} processes equal")));
    }
}

/// The pairs of a crowd that goes on from a snapshot are those of an undisturbed one.
#[test]
fn a_crowd_is_saved_and_resumed_and_what_cannot_be_saved_is_refused() {
    let folder = Folder::new("regions-crowd");
    let path = folder.root().to_str().unwrap();
    let crowd = ["--colliders", "600", "--processes", "2", "--ticks"];
    let saved = ["--save", path, "--every", "10"];
    let last = |more: &[&str]| {
        let output = program(&[&crowd[..], more].concat());
        let table = stdout(&output);
        let touching = table.lines().last().unwrap().split(';').next().unwrap().to_owned();
        (touching, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (undisturbed, said) = last(&["35"]);
    assert!(
        undisturbed.ends_with(" pairs touch") && !said.contains("resumed"),
        "{undisturbed:?} {said}"
    );
    let (_, said) = last(&[&["25"], &saved[..]].concat());
    assert!(!said.contains("resumed"), "{said}");
    let (resumed, said) = last(&[&["35"], &saved[..]].concat());
    assert!(said.contains("resumed from tick 20\n"), "{said}");
    assert_eq!(resumed, undisturbed);
    for other in ["--check", "--simulate"] {
        let output = program(&[&crowd[..], &["35", other], &saved[..]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains("--save"), "{stderr}");
    }
}

/// A damaged snapshot costs the ticks since the one before, and the run says so.
#[test]
fn a_run_goes_on_from_the_snapshot_before_a_damaged_one() {
    let folder = Folder::new("regions-before");
    let path = folder.root().to_str().unwrap();
    let args = ["--colliders", "80", "--play", "3", "--save", path, "--every", "20"];
    let run = |ticks| program(&[&args[..], &["--ticks", ticks]].concat());
    stdout(&run("40"));
    // The last region is that of the last process.
    let newest = folder.root().join("tick-000000000040");
    std::fs::write(newest.join("region-3"), "no region").unwrap();
    let output = run("60");
    assert!(stdout(&output).starts_with("40 ticks of 2 processes equal"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    let fault = format!("warning: process 1, region 3: {}", newest.display());
    assert!(stderr.contains(&fault) && stderr.ends_with("resumed from tick 20\n"), "{stderr}");
}

/// Runs each process with arguments of its own.
fn processes(args: &[&str], own: [&[&str]; 2]) -> [Output; 2] {
    let hosts = &hitmask_regions::local_hosts(2).unwrap().join(",");
    std::thread::scope(|scope| {
        let start = |process, own| {
            let place: &[_] = &["--hosts", hosts, "--process", process];
            let all = [args, own, place].concat();
            scope.spawn(move || program(&all))
        };
        [start("0", own[0]), start("1", own[1])].map(|started| started.join().unwrap())
    })
}

#[test]
fn folders_that_are_not_shared_or_cannot_be_written_are_refused_in_every_process() {
    let folder = Folder::new("regions-folders");
    let [a, b] = ["a", "b"].map(|name| folder.root().join(name).display().to_string());
    std::fs::write(folder.root().join("file"), "").unwrap();
    let file = folder.root().join("file/snaps").display().to_string();
    let args = ["--colliders", "80", "--play", "3", "--ticks", "9", "--every", "3"];
    for (other, help) in [(&b, "all processes share"), (&file, "name a folder that can be read")] {
        for output in processes(&args, [&["--save", &a], &["--save", other]]) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(!output.status.success(), "{stderr}");
            assert!(stderr.contains("error: process 1") && stderr.contains(help), "{stderr}");
        }
    }
}

#[test]
fn a_snapshot_of_too_few_regions_is_refused() {
    let folder = Folder::new("regions-few");
    let path = folder.root().to_str().unwrap();
    let args =
        [&words("--colliders 9 --play 3 --regions 1 --every 2")[..], &["--save", path]].concat();
    stdout(&program(&[&args[..], &["--processes", "1", "--ticks", "2"]].concat()));
    let output = program(&[&args[..], &["--processes", "2", "--ticks", "4"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("the snapshot has 1 regions for 2 processes"), "{stderr}");
}

#[test]
fn processes_of_different_runs_refuse_each_other() {
    let args = ["--play", "1", "--ticks", "3", "--limit", "20"];
    let outputs = processes(&args, [&["--run", "1"], &["--run", "2"]]);
    for output in outputs {
        assert!(!output.status.success());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("run") && stderr.contains("help: "), "{stderr}");
    }
}
