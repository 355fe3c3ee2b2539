//! Compares the tables of `README.md` with the tests of the repository.
//!
//! Each named test exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const TABLES: &str = include_str!("README.md");

/// A row of the tables: its ids and its tests.
struct Row {
    ids: Vec<String>,
    tests: Vec<String>,
}

/// Parses the rows that name a test.
fn rows(tables: &str) -> Vec<Row> {
    let lines = tables.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let (ids, tests) = match cells[..] {
                [ids, _, tests] => (ids, tests),
                [_, tests] => ("", tests),
                _ => panic!("a row has two or three cells: {line}"),
            };
            let ids = ids.split(", ").filter(|id| !id.is_empty()).map(str::to_owned);
            let names = tests.split(", ").map(|name| name.trim_matches('`').to_owned());
            Row { ids: ids.collect(), tests: names.collect() }
        })
        .collect()
}

/// Adds the names of all tests in the files of `folder`.
fn collect(folder: &Path, tests: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, tests);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let after = text.split("#[test]\n").skip(1).filter_map(|part| part.split_once("fn "));
            tests.extend(after.map(|(_, name)| name.split('(').next().unwrap().to_owned()));
        }
    }
}

/// Returns the names of the tests of the library and of the tools that have rows.
fn tests() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = BTreeSet::new();
    collect(&root.join("tests"), &mut tests);
    for tool in ["bake", "capi", "cli", "guide", "regions"] {
        collect(&root.join("tools").join(tool).join("tests"), &mut tests);
    }
    tests
}

#[test]
fn every_row_has_its_tests() {
    let (rows, tests) = (rows(TABLES), tests());
    let ids: BTreeSet<&String> = rows.iter().flat_map(|row| &row.ids).collect();
    // Fewer mean that the parser misses some, or that a row has vanished.
    assert!(
        rows.len() >= 108 && tests.len() > 300 && ids.len() >= 100,
        "{} {}",
        rows.len(),
        ids.len()
    );
    let missing = rows.iter().flat_map(|row| &row.tests).filter(|test| !tests.contains(*test));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
}
