//! The house stands on its floors: a file of the library imports only from floors below its own,
//! or from its own folder. And the crates that belong in one place are named only there.

mod circles;

use std::fs;
use std::path::{Path, PathBuf};

/// Floors from the ground up. Modules of one floor do not import each other, but for those of
/// one chain: each may use those named before it.
const FLOORS: [&[&str]; 6] = [
    &["geom", "parallel"],
    &["mask", "pose"],
    &["raster", "narrow"],
    &["atlas"],
    &["world", "bake"],
    &["lib"],
];

/// Pairs on one floor of which the first may import the second.
const NEIGHBOURS: [(&str, &str); 2] = [
    // How far a mask may grow is said in the errors of poses.
    ("pose", "mask"),
    // The naive truth of the narrow phase draws by the naive truth of the rasteriser.
    ("narrow", "raster"),
];

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut files) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path.strip_prefix(&root).unwrap().to_owned(), text));
            }
        }
    }
    assert!(files.len() > 30, "the sources were not found");
    files
}

/// The top module of a file: `atlas` for atlas/read.rs, `lib` for lib.rs.
fn module(path: &Path) -> String {
    let first = path.iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

fn floor(module: &str) -> usize {
    let floor = FLOORS.iter().position(|modules| modules.contains(&module));
    floor.unwrap_or_else(|| panic!("{module} has no floor: give it one"))
}

/// The lines of a file but its comments and its tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The modules that a file names as `crate::module`, its tests and comments left out.
fn imports(text: &str) -> Vec<String> {
    code(text)
        .flat_map(|line| line.split("crate::").skip(1).map(str::to_owned).collect::<Vec<_>>())
        .map(|after| after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        .filter(|name: &String| name.starts_with(char::is_lowercase) && name != "include_atlas")
        .collect()
}

#[test]
fn every_import_points_downwards() {
    for (path, text) in sources() {
        let from = module(&path);
        for to in imports(&text) {
            let below = floor(&to) < floor(&from);
            let neighbour = NEIGHBOURS.contains(&(from.as_str(), to.as_str()));
            assert!(
                below || neighbour || from == to,
                "{} imports {to}, which is not below it",
                path.display()
            );
        }
    }
}

#[test]
fn each_foreign_crate_is_named_only_where_it_belongs() {
    for (path, text) in sources() {
        let path = path.to_str().unwrap().replace('\\', "/");
        let code: String = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
        let homes: [(&str, &[&str]); 9] = [
            // The oracle of the tests, and for those who keep an index of their own.
            ("rstar::", &["world/broad/tests", "world/index.rs"]),
            ("image::{", &["bake/image/"]),
            ("glob::", &["bake/image/"]),
            ("rayon::", &["parallel.rs"]),
            ("wide::", &["narrow/", "raster/sampling.rs", "world/broad/lanes.rs"]),
            ("fearless_simd::", &["narrow/", "world/broad/compress.rs", "world/broad/level.rs"]),
            ("miniz_oxide::", &["atlas/packed.rs"]),
            ("crc32fast::", &["atlas/", "world/snapshot/"]),
            ("xxhash_rust::", &["atlas/write.rs", "bake/binary.rs", "world/snapshot/"]),
        ];
        for (name, homes) in homes {
            let named = code.contains(&format!("use {name}")) || code.contains(&format!(" {name}"));
            let at_home = homes.iter().any(|home| path.starts_with(home));
            assert!(!named || at_home, "{path} names {name}, which lives in {homes:?}");
        }
    }
}

#[test]
fn no_file_has_grown_past_six_hundred_lines() {
    for (path, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 600, "{} has {lines} lines and wants to be two files", path.display());
    }
}
