//! Short names of what nearly every test makes and asks. Each panics where a test has to fail.

use hitmask::{Atlas, AtlasBuilder, Collider, Explanation, Mask, Overlap, Pair, World};

/// Opens the atlas of a bake.
///
/// # Panics
/// If the bake or its atlas is refused.
#[must_use]
pub fn open(bake: &AtlasBuilder) -> Atlas {
    let bytes = bake.to_bytes().unwrap_or_else(|error| panic!("{error}"));
    Atlas::from_vec(bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a world over an atlas, and a collider of one of its sprites.
///
/// # Panics
/// If no sprite has this name.
#[must_use]
pub fn world_of(atlas: Atlas, name: &str) -> (World, Collider) {
    let sprite = atlas.sprite_id(name).unwrap_or_else(|| panic!("no sprite {name:?}"));
    (World::new(atlas), Collider::new(sprite))
}

/// Returns a mask of this size with all pixels set.
///
/// # Panics
/// If a side is longer than [`MAX_SIDE`](hitmask::MAX_SIDE).
#[must_use]
pub fn solid(width: u32, height: u32) -> Mask {
    Mask::solid(width, height).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the pixels that two colliders of a world share, if any.
#[must_use]
pub fn overlap(world: &World, pair: impl Into<Pair>) -> Option<Overlap<'_>> {
    world.pair(pair).and_then(|pair| pair.overlap())
}

/// Returns the pixels of all colliders of a map of an atlas, on a mask of this size. The corner of the map lies at
/// `corner` of the mask.
///
/// # Panics
/// If the atlas has no map of that name.
#[must_use]
pub fn map_pixels(atlas: &Atlas, name: &str, size: [u32; 2], corner: [i32; 2]) -> Mask {
    let mut world = World::new(atlas.clone());
    let map = world.atlas().map(name).unwrap_or_else(|| panic!("no map {name:?}"));
    let placed = world.insert_map(&map, [0.0; 2]).unwrap_or_else(|error| panic!("{error}"));
    let mut union = Mask::new(size[0], size[1]).unwrap_or_else(|error| panic!("{error}"));
    for posed in placed.ids.into_iter().flatten().filter_map(|id| world.posed(id)) {
        union.draw(posed.mask, [posed.origin.x + corner[0], posed.origin.y + corner[1]]);
    }
    union
}

/// Explains why two colliders of a world touch or not, if it has both.
#[must_use]
pub fn explain(world: &World, pair: impl Into<Pair>) -> Option<Explanation> {
    world.pair(pair).and_then(|pair| pair.explain())
}
