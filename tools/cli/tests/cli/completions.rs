//! Tests of `completions` and `man`: both cover every verb that `--help` lists.

use crate::folder::Folder;
use std::fs;

/// Returns the verbs that `--help` lists.
fn verbs(folder: &Folder) -> Vec<String> {
    let help = folder.ok("--help");
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let verbs: Vec<String> = names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .map(str::to_owned)
        .collect();
    assert!(verbs.len() >= 9 && verbs.contains(&"bake".to_owned()), "{help}");
    verbs
}

#[test]
fn the_completions_of_every_shell_contain_every_verb() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.ok(&format!("completions {shell}"));
        for word in verbs(&folder).iter().map(String::as_str).chain(["angles", "sheet"]) {
            assert!(script.contains(word), "{word} is missing for {shell}");
        }
    }
}

#[test]
fn bash_loads_its_completions_and_completes_a_verb() {
    let folder = Folder::new("bash");
    folder.write("completions", &folder.ok("completions bash"));
    let ask = ". ./completions; COMP_WORDS=(hitmask ver); COMP_CWORD=1; \
               _hitmask hitmask ver hitmask; echo \"${COMPREPLY[@]}\"";
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["-c", ask]).current_dir(&folder.0).output();
    let output = output.expect("this test needs bash");
    assert_eq!(crate::folder::texts(&output).0.trim(), "verify");
}

#[test]
fn the_manual_has_a_page_for_the_command_and_each_verb() {
    let folder = Folder::new("man");
    let page = folder.ok("man");
    assert!(page.contains(".TH hitmask 1"), "{page}");
    let page = folder.ok("man bake");
    assert!(page.contains("hitmask bake") && page.contains("Angle steps"), "{page}");
    fs::create_dir(folder.0.join("man1")).unwrap();
    folder.ok("man --output man1");
    assert!(folder.text("man1/hitmask.1").contains("hitmask"));
    for verb in verbs(&folder).into_iter().chain(["bench-narrow".to_owned()]) {
        assert!(folder.text(&format!("man1/hitmask-{verb}.1")).contains(&verb), "{verb}");
    }
}
