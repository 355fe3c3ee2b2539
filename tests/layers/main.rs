//! The layers of the library: a file names only modules of floors below its own, or of its own
//! folder, and a foreign crate only where that crate belongs. The tables below are the rules.

mod cases;
mod circles;
mod source;

use source::{File, Path, library};
use std::collections::BTreeSet;

/// Floors from the bottom up, each a list of top modules. Modules of one floor do not name each
/// other.
const FLOORS: [&[&str]; 6] = [
    &["geom", "memory", "simd"],
    &["mask", "pose"],
    &["raster", "narrow", "broad"],
    &["atlas"],
    &["world", "bake"],
    &["lib"],
];

/// Pairs of one floor of which the first may name the second.
const NEIGHBOURS: [(&str, &str); 2] = [
    // The errors of poses name the size limit of masks.
    ("pose", "mask"),
    // The per-pixel reference of the narrow phase draws by that of the rasteriser.
    ("narrow", "raster"),
];

/// Foreign crates, and where they may be named: folders and files below `src`.
const HOMES: [(&str, &[&str]); 16] = [
    ("aseprite_loader", &["bake/image/aseprite.rs"]),
    ("bytemuck", &["atlas/", "geom/rect.rs", "mask/descriptor.rs", "narrow/", "broad/"]),
    ("crc32fast", &["atlas/", "world/snapshot/"]),
    ("fearless_simd", &["narrow/", "simd.rs", "broad/"]),
    ("glob", &["bake/image/glob_walk.rs"]),
    ("image", &["bake/image/decode.rs"]),
    ("miniz_oxide", &["atlas/compression.rs"]),
    ("rayon", &["memory/parallel.rs"]),
    ("roxmltree", &["bake/image/tiled.rs"]),
    // For indices of boxes that a game keeps by itself.
    ("rstar", &["world/query/rstar_interop.rs"]),
    ("safe_arch", &["memory/prefetch.rs"]),
    ("serde", &["bake/manifest/", "bake/image/json.rs"]),
    ("serde_json", &["bake/image/json.rs"]),
    ("toml", &["bake/manifest/"]),
    ("wide", &["narrow/touches_single.rs", "raster/sampling.rs", "broad/item.rs"]),
    ("xxhash_rust", &["atlas/write.rs", "bake/binary.rs", "world/snapshot/"]),
];

/// Most lines of a file, comments and unit tests included.
const MOST_LINES: usize = 400;

fn floor(module: &str) -> usize {
    let floor = FLOORS.iter().position(|modules| modules.contains(&module));
    floor.unwrap_or_else(|| panic!("{module} is on no floor: add it to FLOORS"))
}

/// Returns the top module of a file.
fn top(file: &File) -> &str {
    file.module.first().map_or("lib", String::as_str)
}

/// Returns the top module that a path of `file` leads to, `lib` for the crate root; `None` where the path
/// stays within the module or leads to another crate.
fn target(path: &Path) -> Option<String> {
    let first = path.absolute()?.into_iter().next();
    let is_module = |name: &String| FLOORS.iter().any(|floor| floor.contains(&name.as_str()));
    Some(first.filter(is_module).unwrap_or_else(|| "lib".to_owned()))
}

/// Returns the paths of `file` that lead to its own floor or above, and no neighbour.
fn upward(file: &File) -> Vec<String> {
    let from = top(file);
    let rises = |path: &&Path| {
        target(path).is_some_and(|to| {
            to != from && floor(&to) >= floor(from) && !NEIGHBOURS.contains(&(from, &to))
        })
    };
    file.paths.iter().filter(rises).map(|path| path.names.join("::")).collect()
}

/// Returns the crates of [`HOMES`] that `file` names, with what names them.
fn foreign(file: &File) -> Vec<(&'static str, String)> {
    let home = |name: &str| HOMES.iter().map(|(krate, _)| *krate).find(|krate| *krate == name);
    let named = |path: &Path| Some((home(file.foreign(path)?)?, path.names.join("::")));
    file.paths.iter().filter_map(named).collect()
}

/// Returns the paths of `file` that name a crate which does not belong there.
fn strangers(file: &File) -> Vec<String> {
    let is_home = |krate| {
        let homes = HOMES.iter().find(|(name, _)| *name == krate).unwrap().1;
        homes.iter().any(|home| file.name.starts_with(home))
    };
    foreign(file).into_iter().filter(|(krate, _)| !is_home(*krate)).map(|(_, path)| path).collect()
}

/// The crates that the library depends on, by the names that code has for them.
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
fn every_path_points_to_a_floor_below() {
    let (mut between, mut neighbours) = (0, BTreeSet::new());
    for file in library() {
        let rising = upward(&file);
        assert!(rising.is_empty(), "{} names {rising:?}, which are not below it", file.name);
        let from = top(&file).to_owned();
        for to in file.paths.iter().filter_map(target).filter(|to| *to != from) {
            between += 1;
            neighbours.insert((from.clone(), to));
        }
    }
    assert!(between > 500, "only {between} paths between modules were found");
    for (from, to) in NEIGHBOURS {
        let pair = (from.to_owned(), to.to_owned());
        assert!(neighbours.contains(&pair), "{from} does not name {to}: remove it from NEIGHBOURS");
    }
}

#[test]
fn each_foreign_crate_is_named_only_where_it_belongs() {
    let files = library();
    for file in &files {
        let strangers = strangers(file);
        assert!(strangers.is_empty(), "{} names {strangers:?}: see HOMES", file.name);
    }
    for (krate, homes) in HOMES {
        for home in homes {
            let lives = |file: &&File| file.name.starts_with(home);
            let is_named = |file: &File| foreign(file).iter().any(|(name, _)| *name == krate);
            assert!(files.iter().filter(lives).any(is_named), "{home} does not name {krate}");
        }
    }
}

#[test]
fn every_dependency_has_a_home() {
    let homes = HOMES.iter().map(|(krate, _)| (*krate).to_owned()).collect();
    assert_eq!(dependencies(), homes, "left: Cargo.toml, right: HOMES");
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = library()
        .iter()
        .filter(|file| file.lines > MOST_LINES)
        .map(|file| format!("{}: {} lines", file.name, file.lines))
        .collect();
    assert!(long.is_empty(), "more than {MOST_LINES} lines: {long:?}");
}
