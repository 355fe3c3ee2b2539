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

/// Explains why two colliders of a world touch or not, if it has both.
#[must_use]
pub fn explain(world: &World, pair: impl Into<Pair>) -> Option<Explanation> {
    world.pair(pair).and_then(|pair| pair.explain())
}
