//! Contacts of an engine against the overlap of masks.
//!
//! Masks are rasterised at [`ZOOM`] pixels per pixel, at the places where the engine looked for
//! contacts. The bounds, in pixels:
//!
//! ```text
//! two shapes, each within its error                 2 * max_error
//! what the engine tolerates                         SLOP
//! two rasters: a point of a texel is near a set     2 * 1.71 / ZOOM
//!   pixel centre: 1 + sqrt(1/2) at a corner
//! ```
//!
//! A contact without overlap of masks that are grown by the sum is wrong. So is an overlap that remains
//! after shrinking by the same sum, plus what thin pieces that were left out and the engine's own
//! polygons lack ([`Engine::TRIM`]), without a contact.

use crate::{Engine, Placed, SCALE, Scene, Sprite};
use hitmask::{GrowShape, Mask, Point};
use std::collections::HashSet;

/// Pixels of a raster per pixel of a mask.
pub const ZOOM: u32 = 4;

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Pairs that the engine says are in contact.
    pub contacts: usize,
    /// Pairs whose masks overlap by more than the bound.
    pub deep: usize,
    /// Pairs that are farther apart than the bound.
    pub apart: usize,
    /// Descriptions of wrong pairs.
    pub wrong: Vec<String>,
}

/// Returns the bounds of growing and of shrinking in pixels of masks.
#[must_use]
pub fn bounds<E: Engine>() -> [f32; 2] {
    let options = crate::art::options([0.0; 2]);
    let rasters = 2.0 * (1.0 + 0.5_f32.sqrt()) / ZOOM as f32;
    let grow = 2.0 * options.max_error + E::SLOP / SCALE + rasters;
    [grow, grow + 2.0 * (options.min_width + E::TRIM) / SCALE]
}

/// A mask in pixels of a raster, with copies that are grown and shrunk.
pub struct Drawn {
    mask: Mask,
    at: Point,
    grown: Mask,
    reach: i32,
    shrunk: Mask,
}

impl Drawn {
    /// Draws a sprite at a place.
    #[must_use]
    pub fn new<E: Engine>(sprite: &Sprite, placed: Placed) -> Self {
        let [reach, depth] = bounds::<E>().map(|bound| (bound * ZOOM as f32).ceil() as u32);
        let posed = sprite.posed(placed, ZOOM as f32);
        let grown = posed.mask.grown(reach, GrowShape::Disc).expect("a small sprite");
        let shrunk = posed.mask.shrunk(depth, GrowShape::Disc);
        Self { mask: posed.mask, at: posed.origin, grown, reach: reach as i32, shrunk }
    }

    /// Tests whether the grown, and whether the shrunk mask meets another mask.
    fn meets(&self, other: &Mask, at: Point) -> [bool; 2] {
        let (dx, dy) = (at.x - self.at.x, at.y - self.at.y);
        let near = self.grown.touches(other, [dx + self.reach, dy + self.reach]);
        [near, near && self.shrunk.touches(other, [dx, dy])]
    }
}

impl Tally {
    /// Compares the contacts of a scene, whose sprites were at `before` the last step.
    pub fn compare<E: Engine>(&mut self, scene: &mut Scene<'_, E>, before: &[Placed]) {
        let contacts: HashSet<[E::Body; 2]> =
            scene.engine.contacts().into_iter().flat_map(|[a, b]| [[a, b], [b, a]]).collect();
        let drawn: Vec<Drawn> = scene
            .bodies
            .iter()
            .zip(before)
            .map(|(&(_, sprite), &placed)| Drawn::new::<E>(sprite, placed))
            .collect();
        let terrain = &scene.terrain;
        let [width, height] = [terrain.width(), terrain.height()].map(|side| side * ZOOM);
        let terrain = terrain.scaled(width, height).expect("terrain within the limits");
        for (i, &(body, sprite)) in scene.bodies.iter().enumerate() {
            let cells = scene.cells.iter().flatten();
            let is_contact = cells.into_iter().any(|&cell| contacts.contains(&[body, cell]));
            let meets = drawn[i].meets(&terrain, Point::new(0, 0));
            self.count(is_contact, meets, &format!("{} and terrain", sprite.name), before[i]);
            for (j, &(other, other_sprite)) in scene.bodies.iter().enumerate().skip(i + 1) {
                let is_contact = contacts.contains(&[body, other]);
                let meets = drawn[i].meets(&drawn[j].mask, drawn[j].at);
                let names = || format!("{} and {} {:?}", sprite.name, other_sprite.name, before[j]);
                if is_contact || meets[0] {
                    self.count(is_contact, meets, &names(), before[i]);
                }
            }
        }
    }

    fn count(&mut self, is_contact: bool, [near, deep]: [bool; 2], names: &str, at: Placed) {
        self.contacts += usize::from(is_contact);
        self.deep += usize::from(deep);
        self.apart += usize::from(!near);
        if is_contact && !near {
            self.wrong.push(format!("contact without overlap: {names} at {at:?}"));
        }
        if deep && !is_contact {
            self.wrong.push(format!("overlap without contact: {names} at {at:?}"));
        }
    }
}
