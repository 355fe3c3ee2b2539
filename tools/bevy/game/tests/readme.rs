//! Runs the programs of the README.

use std::process::Command;

#[test]
fn the_programs_of_the_readme_print_what_it_says() {
    let readme = include_str!("../../README.md");
    for program in [env!("CARGO_BIN_EXE_bevy_hitmask_game"), env!("CARGO_BIN_EXE_headless")] {
        let output = Command::new(program).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{program}: {}", output.status);
        assert!(
            readme.contains(&format!("prints `{}`", printed.trim_end())),
            "{program}: {printed}"
        );
    }
}
