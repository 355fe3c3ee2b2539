//! Tests of `bake --shard auto`. `answers.txt` has shards that are merged.

use crate::folder::Folder;
use std::process::Command;

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
    let (code, said) = bake(&[]);
    assert!(code == Some(1) && said.contains("neither SLURM_ARRAY_TASK_ID"), "{said}");
    // A bake that is refused leaves the shard of the last one.
    assert_eq!(folder.read("auto"), folder.read("two"));
}
