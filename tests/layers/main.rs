//! Architecture tests of the library. The tables below are the rules.
//!
//! A floor is a group of top modules. A file names only modules of lower floors and of its own top
//! module. It names an external crate only if [`CRATE_USERS`] lists the file. Only the floor of the
//! world and the crate root name `World`.

mod cycles;
mod source;

use source::{File, Path, library};
use std::collections::BTreeSet;

/// Floors from the bottom up, each a list of top modules.
///
/// Modules of one floor do not name each other, except for [`SAME_FLOOR_IMPORTS`].
const FLOORS: [&[&str]; 14] = [
    &["ids", "memory"],
    &["error"],
    &["geom", "simd"],
    &["mask", "pose"],
    &["raster", "narrow", "broad"],
    &["atlas"],
    // Shapes of sprites read the atlas.
    &["builder", "shape"],
    &["scene"],
    &["update"],
    &["query"],
    &["motion"],
    &["save"],
    &["world"],
    &["lib"],
];

/// Pairs of modules on one floor of which the first may name the second.
const SAME_FLOOR_IMPORTS: [(&str, &str); 1] = [
    // The per-pixel reference of the narrow phase uses the per-pixel drawing of the rasteriser.
    ("narrow", "raster"),
];

/// External crates and their users: files, and folders with a trailing slash, below `src`.
const CRATE_USERS: [(&str, &[&str]); 10] = [
    ("bytemuck", &["atlas/", "geom/rect.rs", "mask/descriptor.rs", "narrow/", "broad/"]),
    ("crc32fast", &["atlas/", "save/"]),
    ("fearless_simd", &["narrow/", "simd.rs", "broad/", "raster/rasterizer.rs", "raster/tiles.rs"]),
    ("i_triangle", &["shape/pieces.rs"]),
    ("miniz_oxide", &["atlas/compression.rs"]),
    ("rayon", &["memory/parallel.rs"]),
    ("safe_arch", &["memory/prefetch.rs"]),
    // Plain data types derive its traits.
    (
        "serde",
        &[
            "atlas/map.rs",
            "ids/",
            "geom/",
            "mask/",
            "motion/",
            "narrow/",
            "pose/",
            "shape/options.rs",
            "query/",
            "raster/",
            "scene/",
            "update/",
        ],
    ),
    ("wide", &["narrow/single_pair.rs", "raster/sampling.rs", "broad/leaves.rs"]),
    ("xxhash_rust", &["atlas/digest.rs", "save/"]),
];

/// Returns the number of the floor of a top module.
fn floor(module: &str) -> usize {
    let floor = FLOORS.iter().position(|modules| modules.contains(&module));
    floor.unwrap_or_else(|| panic!("{module} is on no floor: add it to FLOORS"))
}

/// Returns the top module of a file, `lib` for the crate root.
fn top_module(file: &File) -> &str {
    file.module.first().map_or("lib", String::as_str)
}

/// Returns the top module of the target of a path, `lib` for the crate root.
///
/// `None` if the path starts with another crate or with a local name.
fn target(path: &Path) -> Option<String> {
    let first = path.absolute()?.into_iter().next();
    let is_module = |name: &String| FLOORS.iter().any(|floor| floor.contains(&name.as_str()));
    Some(first.filter(is_module).unwrap_or_else(|| "lib".to_owned()))
}

/// Returns the paths of `file` that break the rules of floors.
fn upward(file: &File) -> Vec<String> {
    let from = top_module(file);
    let is_upward = |path: &&Path| {
        target(path).is_some_and(|to| {
            to != from && floor(&to) >= floor(from) && !SAME_FLOOR_IMPORTS.contains(&(from, &to))
        })
    };
    file.paths.iter().filter(is_upward).map(|path| path.names.join("::")).collect()
}

/// Returns the crates of [`CRATE_USERS`] that `file` names, each with the path that names it.
fn external_crates(file: &File) -> Vec<(&'static str, String)> {
    let known =
        |name: &str| CRATE_USERS.iter().map(|(krate, _)| *krate).find(|krate| *krate == name);
    let named = |path: &Path| Some((known(file.external_crate(path)?)?, path.names.join("::")));
    file.paths.iter().filter_map(named).collect()
}

/// Returns the paths of `file` that name a crate which [`CRATE_USERS`] does not allow there.
fn disallowed_crates(file: &File) -> Vec<String> {
    let is_allowed = |krate| {
        let users = CRATE_USERS.iter().find(|(name, _)| *name == krate).unwrap().1;
        users.iter().any(|user| file.name.starts_with(user))
    };
    external_crates(file)
        .into_iter()
        .filter(|(krate, _)| !is_allowed(*krate))
        .map(|(_, path)| path)
        .collect()
}

/// Returns the dependencies of the library by their names in code.
fn dependencies() -> BTreeSet<String> {
    let manifest: toml::Table = include_str!("../../Cargo.toml").parse().unwrap();
    let of = |table: &toml::Table| -> Vec<String> {
        let list = table.get("dependencies").and_then(toml::Value::as_table);
        list.into_iter().flat_map(toml::Table::keys).map(|name| name.replace('-', "_")).collect()
    };
    let targets = manifest["target"].as_table().unwrap().values();
    let targets = targets.flat_map(|target| of(target.as_table().unwrap()));
    of(&manifest).into_iter().chain(targets).collect()
}

#[test]
fn every_path_leads_to_a_lower_floor() {
    let (mut paths, mut imports) = (0, BTreeSet::new());
    for file in library() {
        let upward = upward(&file);
        assert!(
            upward.is_empty(),
            "{} names {upward:?}, which are not on a lower floor",
            file.name
        );
        let from = top_module(&file).to_owned();
        for to in file.paths.iter().filter_map(target).filter(|to| *to != from) {
            paths += 1;
            imports.insert((from.clone(), to));
        }
    }
    // There are more than 500. Fewer mean that the parser misses some.
    assert!(paths > 500, "only {paths} paths between modules were found");
    for (from, to) in SAME_FLOOR_IMPORTS {
        let pair = (from.to_owned(), to.to_owned());
        assert!(
            imports.contains(&pair),
            "{from} does not name {to}: remove it from SAME_FLOOR_IMPORTS"
        );
    }
}

#[test]
fn only_the_listed_files_name_an_external_crate() {
    let files = library();
    for file in &files {
        let paths = disallowed_crates(file);
        assert!(paths.is_empty(), "{} names {paths:?}: see CRATE_USERS", file.name);
    }
    for (krate, users) in CRATE_USERS {
        for user in users {
            let is_user = |file: &&File| file.name.starts_with(user);
            let is_named =
                |file: &File| external_crates(file).iter().any(|(name, _)| *name == krate);
            assert!(files.iter().filter(is_user).any(is_named), "{user} does not name {krate}");
        }
    }
}

#[test]
fn the_table_of_crate_users_lists_every_dependency() {
    let listed = CRATE_USERS.iter().map(|(krate, _)| (*krate).to_owned()).collect();
    assert_eq!(dependencies(), listed, "left: Cargo.toml, right: CRATE_USERS");
}

#[test]
fn the_machine_never_names_the_world() {
    let names_world = |file: &&File| file.words.contains("World");
    let files = library();
    let users: Vec<&str> =
        files.iter().filter(names_world).map(|file| file.name.as_str()).collect();
    let is_face = |name: &&str| name.starts_with("world/") || *name == "lib.rs";
    let machine: Vec<&&str> = users.iter().filter(|name| !is_face(name)).collect();
    assert!(machine.is_empty(), "{machine:?} name World: take the parts of it that they need");
    assert!(users.len() > 5, "only {users:?} name World: the parser misses some");
}

/// Returns the number of lines of Rust in a folder.
fn lines(folder: &std::path::Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: std::path::PathBuf| match path.extension() {
        _ if path.is_dir() => {
            if path.ends_with("target") {
                0
            } else {
                lines(&path)
            }
        }
        Some(end) if end == "rs" => std::fs::read_to_string(path).unwrap().lines().count(),
        _ => 0,
    };
    entries.map(of).sum()
}

#[test]
fn no_folder_exceeds_its_ceiling_of_lines() {
    let rows = include_str!("../../CONTRIBUTING.md").lines().filter_map(|line| {
        let (folder, most) = line.strip_prefix("| `")?.split_once("` | ")?;
        let most: usize = most.strip_suffix(" |")?.replace(',', "").parse().ok()?;
        Some((folder, most))
    });
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut listed = BTreeSet::new();
    for (folder, most) in rows {
        let count = lines(&root.join(folder));
        assert!(count <= most, "{folder} has {count} lines of Rust: see CONTRIBUTING.md, Less");
        listed.insert(folder.to_owned());
    }
    for tool in std::fs::read_dir(root.join("tools")).unwrap() {
        let tool = tool.unwrap();
        let folder = format!("tools/{}", tool.file_name().to_str().unwrap());
        assert!(!tool.path().is_dir() || listed.contains(&folder), "{folder} has no ceiling");
    }
    assert!(listed.contains("src"));
}
