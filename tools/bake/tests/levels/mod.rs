//! Levels of map editors: what a world shows of them.

mod example_art;
mod ldtk;
mod tiled;
mod truth;
mod writer;

use hitmask::{Atlas, Mask, World};
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

/// Returns the union of all colliders of a map, whose corner lies at `corner` of the mask.
fn shown(atlas: &Atlas, map: &str, [width, height]: [u32; 2], corner: [i32; 2]) -> Mask {
    let mut world = World::new(atlas.clone());
    let map = world.atlas().map(map).expect("the map is there");
    let ids = world.insert_map(&map, [0.0; 2]).unwrap();
    let mut union = Mask::new(width, height).unwrap();
    for id in ids.into_iter().flatten() {
        let posed = world.posed(id).unwrap();
        union.draw(posed.mask, [posed.origin.x + corner[0], posed.origin.y + corner[1]]);
    }
    union
}
