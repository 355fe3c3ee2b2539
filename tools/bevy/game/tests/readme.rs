//! Runs the programs of the README and of the chapter `bevy.md` of the guide.

use std::process::Command;

#[test]
fn the_programs_print_what_the_readme_and_the_guide_say() {
    let readme = include_str!("../../README.md");
    let chapter = include_str!("../../../guide/chapters/bevy.md");
    for (program, text) in [
        (env!("CARGO_BIN_EXE_bevy_hitmask_game"), readme),
        (env!("CARGO_BIN_EXE_headless"), chapter),
    ] {
        let output = Command::new(program).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{program}: {}", output.status);
        assert!(text.contains(&format!("prints `{}`", printed.trim_end())), "{program}: {printed}");
    }
}
