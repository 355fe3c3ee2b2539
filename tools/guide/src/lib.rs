//! The art that the examples of the guide open, in the folder of the guide: `art.hitmask`, and `art-new.hitmask`, in
//! which the coin is larger and the level is edited.
//!
//! Drawn by code, because each example must print the same in every language. A test compares the committed files
//! with what this crate bakes.

mod pictures;

pub use pictures::pictures;

use hitmask::{AtlasBuilder, Map, MapItem, MapShape, Mask, Settings};
use std::error::Error;

/// Returns a mask of the pixels for which a function returns true.
fn drawn(
    width: u32,
    height: u32,
    is_solid: impl Fn(i32, i32) -> bool,
) -> Result<Mask, Box<dyn Error>> {
    let mut mask = Mask::new(width, height)?;
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            mask.set(x, y, is_solid(x, y));
        }
    }
    Ok(mask)
}

/// Returns the bytes of the atlas, or of its new version.
///
/// # Errors
/// None that its art causes.
pub fn art(is_new: bool) -> Result<Vec<u8>, Box<dyn Error>> {
    // An arrowhead that points to the right, with a notch behind.
    let ship = drawn(30, 20, |x, y| {
        let off = (2 * y - 19).abs();
        off <= (2 * (29 - x)) / 3 + 1 && (x > 8 || off > 8 - x)
    })?;
    let slope = drawn(64, 32, |x, y| y >= (63 - x) / 2)?;
    let ogre = drawn(40, 50, |x, y| (x - 20) * (x - 20) + (y - 25) * (y - 25) / 2 < 300)?;
    let eye = drawn(40, 50, |x, y| (x - 28) * (x - 28) + (y - 12) * (y - 12) < 16)?;
    let still = || Settings { angles: 1, ..Settings::default() };
    let doubled = Settings { scales: vec![1.0, 2.0], ..Settings::default() };
    let item = |id: u32, name: &str, class: &str, position, sprite: Option<&str>| MapItem {
        id: format!("things/{id}"),
        name: name.into(),
        class: class.into(),
        position,
        shape: sprite.map(|sprite| MapShape { sprite: sprite.into(), ..MapShape::default() }),
        ..MapItem::default()
    };
    let mut yard = Map {
        name: "yard".into(),
        size: [320.0, 116.0],
        items: vec![
            item(1, "floor", "terrain", [160.0, 108.0], Some("ground")),
            item(2, "hill", "terrain", [160.0, 84.0], Some("slope")),
            item(3, "start", "spawn", [60.0, 50.0], None),
        ],
        ..Map::default()
    };
    if is_new {
        yard.items[1].position[0] = 220.0;
        yard.items.insert(0, item(4, "boulder", "rock", [60.0, 80.0], Some("rock")));
    }
    let bake = AtlasBuilder::new()
        .compact(true)
        .frames_with("ship", [ship], doubled)
        .mask("rock", Mask::disc(21)?)
        .mask("bullet", Mask::solid(6, 2)?)
        .mask("coin", Mask::disc(if is_new { 10 } else { 6 })?)
        .frames_with("hero", [Mask::solid(12, 20)?], still())
        .frames_with("ground", [Mask::solid(320, 16)?], still())
        .frames_with("slope", [slope], still())
        .map(yard)
        .planes("ogre", ["body", "eye"], [[ogre, eye]])?;
    Ok(bake.to_bytes()?)
}
