//! Every export is called by a program of this repository in C, C++, C# or Lua, so that arguments in another order
//! than that of the header fail a test.

use std::collections::BTreeSet;

/// Folders with programs. A wrapper, such as `hitmask.hpp`, is no caller, because programs may leave out the method that
/// wraps an export.
const FOLDERS: [&str; 4] = ["tests/c", "tests/lua", "examples", GUIDE];

/// The folder whose programs all run.
const GUIDE: &str = "../guide/examples";

/// The tests that run the programs. They name each program outside of the guide.
const RUNNER: &str = include_str!("../../../tests/c_programs.rs");

/// Words before an expression. Any other word before a name is the type of a declaration.
const KEYWORDS: [&str; 8] = ["return", "else", "do", "not", "and", "or", "then", "in"];

/// Adds the programs below a folder that a test runs, each with its extension.
fn add_programs(folder: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(super::root().join(folder)).expect("programs").flatten() {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        let is_run = path.starts_with(GUIDE) || RUNNER.contains(&format!("\"{path}\""));
        match path.rsplit('.').next() {
            _ if entry.path().is_dir() => add_programs(&path, found),
            Some(language @ ("c" | "cpp" | "cs" | "lua")) if is_run => {
                let text = std::fs::read_to_string(entry.path()).expect("a program");
                found.push((language.to_owned(), text));
            }
            _ => {}
        }
    }
}

/// Returns the text of a program with a space in place of each comment and each literal.
fn code(language: &str, text: &str) -> String {
    let comment = if language == "lua" { "--" } else { "//" };
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with(comment) {
            rest.find('\n').unwrap_or(rest.len())
        } else if language != "lua" && rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if matches!(first, '"' | '\'') {
            let mut is_escaped = false;
            let end = rest[1..].find(|letter| {
                let is_end = letter == first && !is_escaped;
                is_escaped = letter == '\\' && !is_escaped;
                is_end
            });
            end.map_or(rest.len(), |end| end + 2)
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push(' ');
        rest = &rest[length..];
    }
    out
}

/// Adds the functions of the library that a code calls. A declaration is no call.
fn add_calls(code: &str, called: &mut BTreeSet<String>) {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    for (at, _) in code.match_indices("hm_") {
        let (before, rest) = code.split_at(at);
        let (name, after) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
        let words = before.trim_end();
        let word = &words[words.rfind(|c| !is_name(c)).map_or(0, |end| end + 1)..];
        let is_whole = !before.ends_with(is_name);
        let is_declared = words.ends_with('*') || !(word.is_empty() || KEYWORDS.contains(&word));
        if is_whole && !is_declared && after.trim_start().starts_with('(') {
            called.insert(name.to_owned());
        }
    }
}

#[test]
fn every_exported_function_is_called() {
    let exports = super::exports();
    assert!(exports.len() > 200, "{}", exports.len());
    let mut found = Vec::new();
    for folder in FOLDERS {
        add_programs(folder, &mut found);
    }
    let mut called = BTreeSet::new();
    for (language, text) in found {
        add_calls(&code(&language, &text), &mut called);
    }
    let uncalled: Vec<&String> = exports.iter().filter(|name| !called.contains(*name)).collect();
    assert!(
        uncalled.is_empty(),
        "no program that tests/c_programs.rs runs calls {uncalled:?}; assert the answer of each in a program of tests/c"
    );
}
