//! Compares the tables of `README.md` with the tests of the repository.
//!
//! Each named test exists, each id of a row occurs in a test name, and each id in a test name has a
//! row.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const TABLES: &str = include_str!("README.md");

/// A row of the tables: its ids in lower case, as in test names, and its tests.
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
            let ids = ids.split(", ").filter(|id| !id.is_empty()).map(str::to_lowercase);
            let names = tests.split(", ").map(|name| name.trim_matches('`').to_owned());
            Row { ids: ids.collect(), tests: names.collect() }
        })
        .collect()
}

/// Returns the ids in the name of a test: the letters of a group and a number.
fn ids_of(test: &str) -> Vec<&str> {
    const GROUPS: [&str; 11] = ["ck", "fx", "ht", "item", "mc", "n", "p", "sk", "tg", "tw", "w"];
    let is_id = |word: &&str| {
        let group = word.trim_end_matches(|c: char| c.is_ascii_digit());
        group.len() < word.len() && GROUPS.contains(&group)
    };
    test.split('_').filter(is_id).collect()
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

/// Returns the differences between `rows` and `tests`.
fn faults(rows: &[Row], tests: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    for row in rows {
        let missing = row.tests.iter().filter(|test| !tests.contains(*test));
        faults.extend(missing.map(|test| format!("test {test} does not exist")));
        let is_covered =
            |id: &&String| row.tests.iter().any(|test| ids_of(test).contains(&id.as_str()));
        let uncovered = row.ids.iter().filter(|id| !is_covered(id));
        faults.extend(uncovered.map(|id| format!("no test name in the row of {id} contains it")));
    }
    for test in tests {
        for id in ids_of(test) {
            let lists_test =
                |row: &Row| row.ids.iter().any(|i| i == id) && row.tests.contains(test);
            if !rows.iter().any(lists_test) {
                faults.push(format!("no row of {id} lists {test}"));
            }
        }
    }
    faults
}

#[test]
fn every_row_has_its_tests_and_every_id_in_a_test_has_its_row() {
    let (rows, tests) = (rows(TABLES), tests());
    // There are more of both. Fewer mean that the parser misses some.
    assert!(rows.len() > 60 && tests.len() > 300, "{} rows, {} tests", rows.len(), tests.len());
    assert_eq!(faults(&rows, &tests), Vec::<String>::new());
}
