//! The picture that `hitmask check --png` writes: all masks of a scene, with overlaps in white.

use crate::CliError;
use hitmask::{ColliderId, Point, Rect, World};
use hitmask_demo::{Color, LETTER, Picture, headless};
use std::path::Path;

/// Longest side of a picture in pixels. Common viewers open pictures of this size.
const MAX_SIDE: i64 = 16_384;
/// Largest number of pixels of a picture.
const MAX_PIXELS: i64 = 1 << 27;
/// Side in pixels up to which small scenes are magnified.
const MAGNIFIED_SIDE: i64 = 640;
/// Margin around the scene in picture pixels.
const GAP: i32 = 8;
/// Number of collider names written above the scene.
const MAX_NAMES: usize = 8;

const PAPER: Color = [22, 24, 29, 255];
const OVERLAP: Color = [255, 255, 255, 255];
/// Colours of the colliders, repeated in this order.
const COLOURS: [Color; 4] =
    [[255, 176, 0, 255], [45, 155, 255, 255], [220, 38, 127, 255], [120, 200, 120, 255]];

/// Draws all colliders of a world, and the overlaps of its touching pairs. `names` is in the order
/// of the collider ids.
pub(crate) fn write(world: &World, names: &[&str], path: &Path) -> Result<(), CliError> {
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    let rects = ids.iter().filter_map(|id| world.rect(*id)).filter(|rect| rect.width() > 0);
    let Some(scene) = rects.reduce(hull) else {
        return Err(CliError::new(
            "no collider of the scene has a set pixel, so there is nothing to draw",
            "omit --png, or bake the sprites with a lower --alpha",
        ));
    };
    let (w, h) =
        (i64::from(scene.x1) - i64::from(scene.x0), i64::from(scene.y1) - i64::from(scene.y0));
    let zoom = (MAGNIFIED_SIDE / w.max(h)).clamp(1, 16);
    let words: usize = names.iter().take(MAX_NAMES).map(|name| name.chars().count() + 1).sum();
    let head = LETTER + 2 * GAP;
    let wide = (w * zoom).max(i64::from(LETTER) * words as i64) + i64::from(2 * GAP);
    let high = h * zoom + i64::from(head + GAP);
    let help = "remove colliders that lie far from the others from the scene";
    check_size("picture", [wide, high], help)?;
    let zoom = zoom as i32;
    let mut picture = Picture::new([wide as i32, high as i32], PAPER);
    let mut x = GAP;
    for (i, name) in names.iter().take(MAX_NAMES).enumerate() {
        picture.text(name, Point::new(x, GAP), [1, 1], COLOURS[i % COLOURS.len()]);
        x += LETTER * (name.chars().count() as i32 + 1);
    }
    let at = |x: i32, y: i32| Point::new(GAP + (x - scene.x0) * zoom, head + (y - scene.y0) * zoom);
    for (i, &id) in ids.iter().enumerate() {
        let (Some(rect), Some(posed)) = (world.rect(id), world.posed(id)) else { continue };
        let colour = COLOURS[i % COLOURS.len()];
        picture.mask(posed.mask, at(rect.x0, rect.y0), zoom, colour);
    }
    for pair in world.touching() {
        let parts = [pair.a, pair.b].map(|id| Some((world.rect(id)?, world.posed(id)?.mask)));
        let ([Some(a), Some(b)], Some(contact)) = (parts, world.contact(pair)) else { continue };
        for y in contact.rect.y0..contact.rect.y1 {
            for x in contact.rect.x0..contact.rect.x1 {
                if [a, b].iter().all(|(rect, mask)| mask.get(x - rect.x0, y - rect.y0)) {
                    let Point { x, y } = at(x, y);
                    picture.fill(Rect::new(x, y, x + zoom, y + zoom), OVERLAP);
                }
            }
        }
    }
    Ok(headless::write_png(path, &picture)?)
}

/// Refuses a picture above the limits.
pub(crate) fn check_size(what: &str, [w, h]: [i64; 2], help: &str) -> Result<(), CliError> {
    if w.max(h) <= MAX_SIDE && w * h <= MAX_PIXELS {
        return Ok(());
    }
    let cause = format!("the {what} would be {w} x {h} pixels; the limit is {MAX_SIDE} per side");
    Err(CliError::new(cause, help))
}

/// Returns the least rectangle around two.
pub(crate) fn hull(a: Rect, b: Rect) -> Rect {
    Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1))
}
