//! A map as a picture: its colliders, and its tiles if the art is there.
//!
//! The pictures are in mask pixels, or in squares of them if the map is large.

use crate::{art, maps};
use hitmask::{Atlas, CallError, ColliderId, Map, MapItem, Rect, World};
use hitmask_bake::paint_map;
use image::{Rgba, RgbaImage};
use std::path::Path;

/// Longest side of a picture in its pixels.
pub(crate) const MAX_SIDE: u32 = 1024;

/// Colours of terrains, repeated in this order.
const TERRAINS: [[u8; 3]; 5] =
    [[110, 130, 155], [224, 72, 62], [217, 154, 0], [45, 155, 255], [120, 94, 240]];
/// Colour of objects.
pub(crate) const OBJECTS: [u8; 3] = [0, 168, 107];

/// Returns the colour of a terrain by its index in the map.
pub(crate) const fn terrain_color(index: usize) -> [u8; 3] {
    TERRAINS[index % TERRAINS.len()]
}

/// The pictures of a map.
pub(crate) struct MapPicture {
    /// The colliders of the map, at its own place.
    pub(crate) world: World,
    /// The collider of each item.
    pub(crate) ids: Vec<Option<ColliderId>>,
    /// What the pictures show, in mask pixels.
    pub(crate) bounds: Rect,
    /// Mask pixels along a side of a pixel of the pictures.
    pub(crate) shrunk: u32,
    pub(crate) colliders: RgbaImage,
    /// The tiles of the level in the folder of the art, if it is there.
    pub(crate) tiles: Option<RgbaImage>,
}

impl MapPicture {
    /// Draws a map, with tiles of the level in the folder `art`. Fails if its colliders do not fit a world of the atlas.
    pub(crate) fn of(atlas: &Atlas, map: &Map, art: Option<&Path>) -> Result<Self, CallError> {
        let mut world = World::new(atlas.clone());
        let ids = world.insert_map(map, [0.0; 2])?.ids;
        let terrains = maps::terrains(map);
        let color = |item: &MapItem| {
            let index = terrains.iter().position(|name| maps::terrain(item) == Some(name));
            index.map_or(OBJECTS, terrain_color)
        };
        let resolution = f64::from(atlas.resolution());
        let [width, height] = map.size.map(|side| (f64::from(side) * resolution).ceil() as i32);
        let rects = ids.iter().flatten().filter_map(|&id| world.rect(id));
        let all = rects.chain([Rect::new(0, 0, width, height)]).filter(|rect| !rect.is_empty());
        let bounds = all.reduce(crate::output::hull).unwrap_or_default();
        let shrunk = bounds.width().max(bounds.height()).div_ceil(MAX_SIDE).max(1);
        let size = [bounds.width(), bounds.height()].map(|side| side.div_ceil(shrunk));
        let mut colliders = RgbaImage::new(size[0], size[1]);
        for (item, &id) in map.items.iter().zip(&ids) {
            let Some(posed) = id.and_then(|id| world.posed(id)) else { continue };
            let [r, g, b] = color(item);
            let corner = [posed.origin.x - bounds.x0, posed.origin.y - bounds.y0];
            for rect in posed.mask.rects() {
                let Rect { x0, y0, x1, y1 } = rect.translated(corner);
                // A pixel of the picture is set if one of the mask is in it: thin ledges stay.
                for y in y0 as u32 / shrunk..(y1 as u32).div_ceil(shrunk) {
                    for x in x0 as u32 / shrunk..(x1 as u32).div_ceil(shrunk) {
                        colliders.put_pixel(x, y, Rgba([r, g, b, 255]));
                    }
                }
            }
        }
        let corner = [bounds.x0, bounds.y0].map(|at| f64::from(at) / resolution);
        let scale = f64::from(shrunk) / resolution;
        let tiles = art.filter(|_| !bounds.is_empty()).and_then(|folder| {
            let rgba = paint_map(folder, &map.name, (corner, scale), size, &mut art::first)?;
            RgbaImage::from_raw(size[0], size[1], rgba)
        });
        Ok(Self { world, ids, bounds, shrunk, colliders, tiles })
    }
}
