//! A map as a picture: its colliders, and its tiles if the art is there.
//!
//! The pictures are in mask pixels, or in squares of them if the map is large.

use crate::palette::PAPER;
use crate::picture::{Picture, blended, hull};
use hitmask::{ColliderId, Map, MapItem, Rect, World};
use hitmask_bake::LevelArt;
use std::collections::HashSet;

/// Longest side of a picture in its pixels.
const MAX_SIDE: u32 = 1024;
/// Alpha of colliders over tiles.
pub(crate) const OVER_TILES: u8 = 90;

/// Colours of terrains, repeated in this order.
const TERRAINS: [[u8; 3]; 5] =
    [[110, 130, 155], [224, 72, 62], [217, 154, 0], [45, 155, 255], [120, 94, 240]];

/// The pictures of a map.
#[derive(Debug)]
pub struct MapPicture {
    /// What the pictures show, in mask pixels.
    pub bounds: Rect,
    /// Mask pixels along a side of a pixel of the pictures.
    pub shrunk: u32,
    /// The colliders, on clear ground.
    pub colliders: Picture,
    /// The tiles of the level, if its art is there.
    pub tiles: Option<Picture>,
}

impl MapPicture {
    /// Longest side of the pictures in their pixels.
    pub const MAX_SIDE: u32 = MAX_SIDE;
    /// Colour of objects.
    pub const OBJECTS: [u8; 3] = [255, 214, 90];

    /// Returns the colour of a terrain by its index in the map.
    #[must_use]
    pub const fn terrain_color(index: usize) -> [u8; 3] {
        TERRAINS[index % TERRAINS.len()]
    }

    /// Draws a map that lies at its own place in a world, where `ids` has the collider of each item. What the
    /// game has removed is left out, and so is its tile in `art`.
    #[must_use]
    pub fn of(
        world: &World,
        map: &Map,
        ids: &[Option<ColliderId>],
        art: Option<&mut LevelArt>,
    ) -> Self {
        let terrains = terrains(map);
        let color = |item: &MapItem| {
            let index = terrains.iter().position(|name| terrain(item) == Some(name));
            index.map_or(Self::OBJECTS, Self::terrain_color)
        };
        let resolution = f64::from(world.atlas().resolution());
        let [width, height] = map.size.map(|side| (f64::from(side) * resolution).ceil() as i32);
        let rects = ids.iter().flatten().filter_map(|&id| world.rect(id));
        let all = rects.chain([Rect::new(0, 0, width, height)]).filter(|rect| !rect.is_empty());
        let bounds = all.reduce(hull).unwrap_or_default();
        let shrunk = bounds.width().max(bounds.height()).div_ceil(MAX_SIDE).max(1);
        let size = [bounds.width(), bounds.height()].map(|side| side.div_ceil(shrunk));
        let mut colliders = Picture::new(size.map(|side| side as i32), [0; 4]);
        for (item, &id) in map.items.iter().zip(ids) {
            let Some(posed) = id.and_then(|id| world.posed(id)) else { continue };
            let [r, g, b] = color(item);
            let corner = [posed.origin.x - bounds.x0, posed.origin.y - bounds.y0];
            for rect in posed.mask.rects() {
                let Rect { x0, y0, x1, y1 } = rect.translated(corner);
                // A pixel of the picture is set if one of the mask is in it: thin ledges stay.
                let low = |at: i32| (at as u32 / shrunk) as i32;
                let high = |at: i32| (at as u32).div_ceil(shrunk) as i32;
                colliders.fill(Rect::new(low(x0), low(y0), high(x1), high(y1)), [r, g, b, 255]);
            }
        }
        let corner = [bounds.x0, bounds.y0].map(|at| f64::from(at) / resolution);
        let scale = f64::from(shrunk) / resolution;
        let tiles = art.filter(|_| !bounds.is_empty()).map(|art| {
            let removed = removed(world, map, ids);
            let rgba = art.paint((corner, scale), size, &|id| !removed.contains(id));
            Picture::of_rgba(size[0] as usize, &rgba)
        });
        Self { bounds, shrunk, colliders, tiles }
    }

    /// Returns the tiles with the colliders over them, translucent. Without tiles they are opaque.
    #[must_use]
    pub fn over_tiles(&self) -> Picture {
        let ground = if self.tiles.is_some() { PAPER } else { [0, 0, 0, 255] };
        let mut picture = Picture::new(self.colliders.size(), ground);
        let mut draw = |part: &Picture, alpha: u8| {
            for (pixel, &[r, g, b, own]) in picture.pixels_mut().iter_mut().zip(part.pixels()) {
                *pixel = blended(*pixel, [r, g, b, 255], own.min(alpha));
            }
        };
        if let Some(tiles) = &self.tiles {
            draw(tiles, 255);
        }
        draw(&self.colliders, if self.tiles.is_some() { OVER_TILES } else { 255 });
        picture
    }
}

/// Returns the ids of the items whose colliders the game has removed.
pub(crate) fn removed<'m>(
    world: &World,
    map: &'m Map,
    ids: &[Option<ColliderId>],
) -> HashSet<&'m str> {
    let is_removed = |(item, id): &(&MapItem, &Option<ColliderId>)| {
        item.shape.is_some() && id.is_none_or(|id| world.get(id).is_none())
    };
    map.items.iter().zip(ids).filter(is_removed).map(|(item, _)| &*item.id).collect()
}

/// Returns the name of the terrain that an item is a chunk of. `None` for an object.
#[must_use]
pub fn terrain(item: &MapItem) -> Option<&str> {
    (item.class == "chunk" && item.shape.is_some()).then_some(&item.name)
}

/// Returns the names of the terrains of a map, in its order.
#[must_use]
pub fn terrains(map: &Map) -> Vec<&str> {
    let mut names = Vec::new();
    for name in map.items.iter().filter_map(terrain) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
