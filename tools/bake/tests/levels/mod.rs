//! Levels of map editors: what a world shows of them.

mod example_art;
mod ldtk;
mod tiled;
mod truth;
mod writer;

use hitmask::Atlas;
use hitmask_bake::{Bake, MapRule, SourceSettings};
use std::path::Path;

/// Bakes a level with rules.
fn baked(path: &Path, rules: Vec<MapRule>) -> Atlas {
    let settings = SourceSettings { map: rules, ..SourceSettings::default() };
    let bake = Bake::new().sprites_with(path, settings).unwrap();
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    atlas.verify().unwrap();
    atlas
}
