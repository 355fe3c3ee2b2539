//! Short names of what nearly every test makes and asks. Each panics where a test has to fail.

use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, Explanation, Mask, Overlap, Pair, PlacedMap, World,
};
use std::collections::BTreeMap;

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

/// Returns a mask of this size with the pixels for which `is_set(x, y)` holds.
///
/// # Panics
/// If a side is longer than [`MAX_SIDE`](hitmask::MAX_SIDE).
#[must_use]
pub fn mask_of(width: u32, height: u32, mut is_set: impl FnMut(i32, i32) -> bool) -> Mask {
    let mut mask = Mask::new(width, height).unwrap_or_else(|error| panic!("{error}"));
    for (x, y) in (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y))) {
        mask.set(x, y, is_set(x, y));
    }
    mask
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

/// Replaces the atlas of a world by `atlas`, and brings its only map at `at` up to date. Returns the number of
/// items that keep their colliders.
///
/// # Panics
/// If the placed map is not that of the new atlas placed anew, or if an item has lost its collider.
pub fn brought_up_to_date(
    world: &mut World,
    placed: &mut PlacedMap,
    at: [f32; 2],
    atlas: &Atlas,
) -> u32 {
    let ids = world.atlas().maps().remove(0).items.into_iter().map(|item| item.id);
    let before: BTreeMap<String, Option<ColliderId>> = ids.zip(placed.ids.clone()).collect();
    let old = world.atlas().id();
    world.atlases_mut().replace(old, atlas.clone()).unwrap_or_else(|error| panic!("{error}"));
    let map = world.atlas().maps().remove(0);
    let report = world.update_map(placed, &map).unwrap_or_else(|error| panic!("{error}"));
    world.validate().unwrap_or_else(|error| panic!("{error}"));
    assert!(report.kept.is_empty(), "{report:?}");
    let mut anew = World::new(atlas.clone());
    let fresh = anew.insert_map(&map, at).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((world.len(), placed.ids.len()), (anew.len(), fresh.ids.len()));
    let mut kept = 0;
    for ((item, &id), &other) in map.items.iter().zip(&placed.ids).zip(&fresh.ids) {
        let pair = id.zip(other);
        assert_eq!(id.is_some(), other.is_some(), "{}", item.id);
        let Some((id, other)) = pair else { continue };
        assert_eq!(world.rect(id), anew.rect(other), "{}", item.id);
        let [shown, truth] = [(&*world, id), (&anew, other)].map(|(world, id)| world.posed(id));
        let is_equal = shown.zip(truth).is_some_and(|(shown, truth)| shown.mask == truth.mask);
        assert!(is_equal, "{}", item.id);
        let known = before.get(&item.id).copied().flatten();
        assert!(known.is_none_or(|known| known == id), "{}", item.id);
        kept += u32::from(known.is_some());
    }
    kept
}

/// Explains why two colliders of a world touch or not, if it has both.
#[must_use]
pub fn explain(world: &World, pair: impl Into<Pair>) -> Option<Explanation> {
    world.pair(pair).and_then(|pair| pair.explain())
}
