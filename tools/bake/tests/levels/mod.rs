//! Levels of map editors: what a world shows of them.

mod drawing;
mod edits;
mod ldtk;
mod ldtk_project;
mod left_out;
mod tiled;
mod truth;
mod writer;

use hitmask::{Atlas, Warning};
use hitmask_bake::{Bake, MapRule, SourceSettings};
use hitmask_scenes::Folder;
use std::path::Path;

/// Bakes a level with rules.
fn baked(path: &Path, rules: Vec<MapRule>) -> Atlas {
    let settings = SourceSettings { map: rules, ..SourceSettings::default() };
    let bake = Bake::new().sprites_with(path, settings).unwrap();
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    atlas.verify().unwrap();
    atlas
}

/// Bakes a level with some angle steps. Returns the atlas and the texts of the warnings.
fn with_warnings(folder: &Folder, level: &str, angles: u32) -> (Atlas, Vec<String>) {
    let output = folder.path("out.hitmask");
    let bake = Bake::new().angles(angles).sprites(folder.path(level)).unwrap();
    let report = bake.write(&output).unwrap_or_else(|error| panic!("{level}: {error}"));
    let text = |warning: &Warning| format!("{warning}; {}", warning.help());
    let warnings = report.warnings.iter().map(text).collect();
    (Atlas::open(&output).unwrap(), warnings)
}

/// A copy of its folder bakes, as a new user makes one.
#[test]
fn each_example_bakes_by_itself() {
    for (example, map) in [("tiled_platformer", "yard"), ("ldtk_topdown", "garden/Pond")] {
        let folder = Folder::new(example);
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example);
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            folder.write(&name, std::fs::read(path).unwrap());
        }
        let bake = Bake::new().manifest(folder.path("hitmask.toml")).unwrap();
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        assert!(atlas.map(map).is_some(), "{example}");
    }
}
