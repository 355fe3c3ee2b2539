//! The program with several processes: equal to one world, and what happens when a process ends.

use hitmask_regions::game::on_threads;
use hitmask_scenes::{Folder, Random};
use std::process::{Command, Output};

/// Runs the program with arguments that spaces divide.
fn program(args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitmask-regions"));
    command.args(args.split_whitespace()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether to play as long as the figures of README.md tell: `HITMASK_HEAVY`.
fn is_heavy() -> bool {
    std::env::var_os("HITMASK_HEAVY").is_some()
}

#[test]
fn a_plane_of_several_processes_equals_one_world() {
    let (games, ticks) = if is_heavy() { (10, "10000") } else { (6, "100") };
    for seed in 0..games {
        let processes = 1 + seed % 6;
        let output = program(&format!(
            "--colliders 120 --regions 3 --rebalance 5 --halo 9 --ticks {ticks} --play {seed} --processes {processes}"
        ));
        let equal = format!("{ticks} ticks of {processes} processes equal");
        assert!(stdout(&output).starts_with(&equal));
    }
}

#[test]
fn a_crowd_of_several_processes_has_the_pairs_of_one_world() {
    let output = program("--colliders 3000 --processes 3 --ticks 70 --check");
    assert!(stdout(&output).contains("one world: "));
}

/// The state after a crash is that of an undisturbed run, which one world plays.
#[test]
fn a_run_recovers_from_the_crash_of_a_process() {
    let mut random = Random::new(1);
    for run in 0..if is_heavy() { 50 } else { 4 } {
        let folder = Folder::new(&format!("regions-crash-{run}"));
        let processes = 2 + random.below(3);
        let (process, tick) = (random.below(processes), 21 + random.below(120));
        let args = format!(
            "--colliders 80 --ticks 150 --rebalance 9 --every 20 --play {run} --processes {processes} --save {}",
            folder.root().display()
        );
        let crashed = program(&format!("{args} --crash {process},{tick}"));
        assert!(!crashed.status.success());
        let said = stderr(&crashed);
        assert!(said.contains(&format!("error: process {process}: ")), "{said}");
        assert!(said.contains("signal: 6"), "{said}");
        let equal = stdout(&program(&args));
        let ticks: u64 = equal.split(' ').next().unwrap().parse().unwrap();
        assert!((1..=130).contains(&ticks), "{equal}");
    }
}

/// A process that ends is started again while the others wait, and no tick is lost.
#[test]
fn a_run_goes_on_after_the_crash_of_a_process() {
    let folder = Folder::new("regions-again");
    let output = program(&format!(
        "--colliders 80 --ticks 90 --rebalance 9 --every 20 --play 4 --processes 3 --save {} --recover --crash 1,47",
        folder.root().display()
    ));
    assert!(stdout(&output).starts_with("90 ticks of 3 processes equal"));
    assert!(stderr(&output).contains("process 1 is started again"), "{}", stderr(&output));
}

/// A snapshot may be restored by another number of processes.
#[test]
fn a_run_goes_on_with_another_number_of_processes() {
    let folder = Folder::new("regions-number");
    for (processes, ticks) in [(4, 40), (2, 60), (5, 80)] {
        let output = program(&format!(
            "--colliders 80 --play 3 --save {} --every 40 --processes {processes} --ticks {ticks}",
            folder.root().display()
        ));
        assert!(stdout(&output).contains(&format!("of {processes} processes equal")));
    }
}

/// The pairs of a crowd that goes on from a snapshot are those of an undisturbed one.
#[test]
fn a_crowd_is_saved_and_resumed_and_what_cannot_be_saved_is_refused() {
    let folder = Folder::new("regions-crowd");
    let crowd = "--colliders 600 --processes 2 --ticks";
    let saved = format!("--save {} --every 10", folder.root().display());
    let last = |more: &str| {
        let output = program(&format!("{crowd} {more}"));
        let table = stdout(&output);
        let touching = table.lines().last().unwrap().split(';').next().unwrap().to_owned();
        (touching, stderr(&output))
    };
    let (undisturbed, said) = last("35");
    assert!(
        undisturbed.ends_with(" pairs touch") && !said.contains("resumed"),
        "{undisturbed:?} {said}"
    );
    let (_, said) = last(&format!("25 {saved}"));
    assert!(!said.contains("resumed"), "{said}");
    let (resumed, said) = last(&format!("35 {saved}"));
    assert!(said.contains("resumed from tick 20\n"), "{said}");
    assert_eq!(resumed, undisturbed);
    for other in ["--check", "--simulate"] {
        let output = program(&format!("{crowd} 35 {other} {saved}"));
        let said = stderr(&output);
        assert!(!output.status.success() && said.contains("--save"), "{said}");
    }
}

/// A damaged snapshot costs the ticks since the one before, and the run says so.
#[test]
fn a_run_goes_on_from_the_snapshot_before_a_damaged_one() {
    let folder = Folder::new("regions-before");
    let path = folder.root().display();
    let run = |ticks: u32| {
        program(&format!("--colliders 80 --play 3 --save {path} --every 20 --ticks {ticks}"))
    };
    stdout(&run(40));
    // The last region is that of the last process.
    let newest = folder.root().join("tick-000000000040");
    std::fs::write(newest.join("region-3"), "no region").unwrap();
    let output = run(60);
    assert!(stdout(&output).starts_with("40 ticks of 2 processes equal"));
    let said = stderr(&output);
    let fault = format!("warning: process 1, region 3: {}", newest.display());
    assert!(said.contains(&fault) && said.ends_with("resumed from tick 20\n"), "{said}");
}

#[test]
fn folders_that_are_not_shared_or_cannot_be_written_are_refused_in_every_process() {
    let folder = Folder::new("regions-folders");
    std::fs::write(folder.root().join("file"), "").unwrap();
    for (other, help) in
        [("b", "all processes share"), ("file/snaps", "name a folder that can be read")]
    {
        let outputs = on_threads(2, |hosts, process| {
            let own = folder.root().join(["a", other][process]);
            program(&format!(
                "--colliders 80 --play 3 --ticks 9 --every 3 --save {} --hosts {} --process {process}",
                own.display(),
                hosts.join(",")
            ))
        });
        for output in outputs {
            let said = stderr(&output);
            assert!(!output.status.success(), "{said}");
            assert!(said.contains("error: process 1") && said.contains(help), "{said}");
        }
    }
}

#[test]
fn a_snapshot_of_too_few_regions_is_refused() {
    let folder = Folder::new("regions-few");
    let path = folder.root().display();
    let args = format!("--colliders 9 --play 3 --regions 1 --every 2 --save {path}");
    stdout(&program(&format!("{args} --processes 1 --ticks 2")));
    let said = stderr(&program(&format!("{args} --processes 2 --ticks 4")));
    assert!(said.contains("the snapshot has 1 regions for 2 processes"), "{said}");
}
