//! Tests of `bake --shard` and `merge`.

use crate::folder::Folder;
use serde_json::json;
use std::process::Command;

#[test]
fn merged_shards_equal_the_atlas_of_one_bake() {
    let folder = Folder::new("shards");
    folder.image("art/third.png", ["####", "#..."]);
    folder.ok("bake art -o one --no-cache");
    for shard in ["1/2", "2/2"] {
        let said = folder.ok(&format!("bake art -o {} --shard {shard}", &shard[..1]));
        assert!(said.contains("sprites   "), "{said}");
        // The cache beside it serves the next bake of the shard.
        let again = folder.json(&format!("bake art -o {} --shard {shard} --json", &shard[..1]));
        assert_eq!((&again["kept"], &again["written"]), (&again["sprites"], &json!(false)));
        let full =
            folder.json(&format!("bake art -o {} --shard {shard} --no-cache --json", &shard[..1]));
        assert_eq!((&full["kept"], &full["written"]), (&json!(0), &json!(false)));
    }
    let said = folder.ok("merge out 2 1");
    assert!(said.contains("shards    2") && said.contains("sprites   3"), "{said}");
    assert_eq!(folder.read("out"), folder.read("one"));
    let answer = folder.json("merge out 1 2 --json");
    assert_eq!((&answer["shards"], &answer["written"]), (&json!(2), &json!(false)));
}

#[test]
fn a_shard_of_a_scheduler_is_the_one_with_its_number() {
    let folder = Folder::new("shards-auto");
    let bake = |vars: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hitmask"));
        for name in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"] {
            command.env_remove(name);
        }
        command.args(["bake", "art", "-o", "auto", "--shard", "auto"]).current_dir(&folder.0);
        let output = command.envs(vars.iter().copied()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    folder.ok("bake art -o two --shard 2/3");
    let (code, said) = bake(&[("JOB_COMPLETION_INDEX", "1"), ("JOB_COMPLETIONS", "3")]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(folder.read("auto"), folder.read("two"));
    let (code, said) = bake(&[("JOB_COMPLETION_INDEX", "3"), ("JOB_COMPLETIONS", "3")]);
    let expected =
        "error: JOB_COMPLETION_INDEX is 3, and counts from 0, but JOB_COMPLETIONS is 3\nhelp: ";
    assert!(code == Some(1) && said.starts_with(expected), "{said}");
    let (code, said) = bake(&[]);
    assert!(code == Some(1) && said.contains("neither SLURM_ARRAY_TASK_ID"), "{said}");
    // A bake that is refused leaves the shard of the last one.
    assert_eq!(folder.read("auto"), folder.read("two"));
}
