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

/// Tests a pixel of the level "course": walls, a slope, a stair, and a ceiling 22 px above the floor.
fn is_land(x: i32, y: i32) -> bool {
    let top = match x {
        60..124 => 160 - (x - 60) / 2,
        124..164 => 128,
        164..208 => (131 + (x - 164) / 4 * 3).min(160),
        _ => 160,
    };
    let is_ceiling = (220..276).contains(&x) && (90..138).contains(&y);
    y >= top || is_ceiling || !(8..472).contains(&x)
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
    // Arms, legs and a head, as wide at the feet as between the hands.
    let hero = drawn(12, 20, |x, y| match y {
        0..7 => (2..10).contains(&x),
        7..15 => (1..11).contains(&x) || y < 12,
        15..18 => !(5..7).contains(&x) && (1..11).contains(&x),
        _ => !(5..7).contains(&x),
    })?;
    let land = drawn(480, 176, is_land)?;
    let belt = drawn(64, 6, |x, y| (5 - y..59 + y).contains(&x))?;
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
    // Platforms of the layer 2 block only what comes down on them.
    let placed = |id, name, class, at| item(id, name, class, at, Some(name));
    let mut course = Map {
        name: "course".into(),
        size: [480.0, 176.0],
        items: vec![
            placed(1, "land", "terrain", [240.0, 88.0]),
            placed(2, "belt", "terrain", [328.0, 157.0]),
            placed(3, "ledge", "one-way", [328.0, 118.0]),
            placed(4, "ledge", "one-way", [384.0, 84.0]),
            placed(5, "lift", "one-way", [446.0, 150.0]),
            item(6, "start", "spawn", [24.0, 120.0], None),
        ],
        ..Map::default()
    };
    for item in course.items.iter_mut().filter(|item| item.class == "one-way") {
        item.shape.as_mut().ok_or("no shape")?.layers = 2;
    }
    let bake = AtlasBuilder::new()
        .compact(true)
        .frames_with("ship", [ship], doubled)
        .mask("rock", Mask::disc(21)?)
        .mask("bullet", Mask::solid(6, 2)?)
        .mask("coin", Mask::disc(if is_new { 10 } else { 6 })?)
        .frames_with("hero", [hero], still())
        .frames_with("ground", [Mask::solid(320, 16)?], still())
        .frames_with("slope", [slope], still())
        .frames_with("land", [land], still())
        .frames_with("belt", [belt], still())
        .frames_with("ledge", [Mask::solid(56, 4)?], still())
        .frames_with("lift", [Mask::solid(44, 6)?], still())
        .map(yard)
        .map(course)
        .planes("ogre", ["body", "eye"], [[ogre, eye]])?;
    Ok(bake.to_bytes()?)
}
