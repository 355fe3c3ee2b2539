//! Names in the `//!` headers of the library: each module and file that a header names exists.
//!
//! In backticks, a path with an extension is a file of the repository, and a word in lower case is a
//! module or another word of the code. If most names in the first column of a text block of a `mod.rs`
//! are modules of the folder, all are.

use super::source::library;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the names of `header` that stand for nothing, given the modules and words of the library.
/// `folder` holds the file; `children` are the modules in it, if the file is a `mod.rs`.
fn unknown_names(
    header: &str,
    folder: &Path,
    children: &[&str],
    words: &BTreeSet<String>,
) -> Vec<String> {
    let is_word = |name: &str| {
        name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_' || b.is_ascii_digit())
    };
    let mut unknown = Vec::new();
    for (number, part) in header.split("```").enumerate() {
        if number % 2 == 1 {
            let columns = part.lines().skip(1).filter_map(|line| line.split_once("  "));
            let listed: Vec<&str> = columns.flat_map(|(names, _)| names.split(", ")).collect();
            let is_child = |name: &&str| children.contains(name);
            let (modules, others): (Vec<&str>, Vec<&str>) = listed.into_iter().partition(is_child);
            if modules.len() > others.len() {
                unknown
                    .extend(others.into_iter().filter(|name| !name.is_empty()).map(str::to_owned));
            }
            continue;
        }
        for name in part.split('`').skip(1).step_by(2) {
            let is_file = [".rs", ".md", ".toml"].iter().any(|end| name.ends_with(end));
            let exists = if is_file {
                [folder, Path::new("src"), Path::new("")].iter().any(|at| at.join(name).exists())
            } else {
                !is_word(name) || words.contains(name)
            };
            if !exists {
                unknown.push(name.to_owned());
            }
        }
    }
    unknown
}

#[test]
fn each_module_and_file_that_a_header_names_exists() {
    let files = library();
    let mut words: BTreeSet<String> = files.iter().flat_map(|file| file.words.clone()).collect();
    words.extend(files.iter().flat_map(|file| file.module.clone()));
    let mut wrong = Vec::new();
    // The header of the root is the documentation of the crate.
    for file in files.iter().filter(|file| file.name != "lib.rs") {
        let path = Path::new("src").join(&file.name);
        let text = fs::read_to_string(&path).unwrap();
        let header: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
        let header: String =
            header.iter().map(|line| format!("{}\n", line.trim_start_matches(' '))).collect();
        let is_mod = file.name.ends_with("mod.rs");
        let children =
            files.iter().filter(|child| is_mod && child.module.starts_with(&file.module));
        let children: Vec<&str> = children
            .filter_map(|child| child.module.get(file.module.len()))
            .map(String::as_str)
            .collect();
        let unknown = unknown_names(&header, path.parent().unwrap(), &children, &words);
        wrong.extend(unknown.into_iter().map(|name| format!("{}: {name}", file.name)));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_name_that_stands_for_nothing_is_found() {
    let words = BTreeSet::from(["sweep".to_owned()]);
    let unknown =
        |header: &str| unknown_names(header, Path::new("src"), &["tree"], &words).join(" ");
    assert_eq!(unknown("`sweep`, `lib.rs`, `tests/soak.rs`, `Type`, `a::b` and `f(x)`"), "");
    assert_eq!(unknown("`swept`, `gone.rs` and `docs/gone.md`"), "swept gone.rs docs/gone.md");
    assert_eq!(unknown("```text\ntree    the tree\nroot, tree   a root\n```"), "root");
    assert_eq!(unknown("```text\nfirst    a step\n```"), "");
}
