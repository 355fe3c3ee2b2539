//! A map in the report: a picture of its colliders with its named points, and a table of its objects.
//!
//! The picture is in mask pixels, and the drawing around it in pixels of the map. With the art of the level, its
//! tiles are drawn below.

use super::art;
use crate::maps;
use crate::output::{count, escaped, hull};
use hitmask::{Atlas, CallError, Map, MapItem, Rect, World};
use hitmask_bake::paint_map;
use image::{Rgba, RgbaImage};
use std::fmt::Write;
use std::path::Path;

/// Longest side of a picture in its pixels.
const MAX_SIDE: u32 = 1024;
/// Times that a small map is magnified, at most.
const MAX_ZOOM: u32 = 4;
/// Number of objects in the table.
const MAX_OBJECTS: usize = 100;

/// Colours of terrains, repeated in this order.
const TERRAINS: [[u8; 3]; 5] =
    [[110, 130, 155], [224, 72, 62], [217, 154, 0], [45, 155, 255], [120, 94, 240]];
/// Colour of objects.
const OBJECTS: [u8; 3] = [0, 168, 107];

/// Returns the section of a map, and whether its tiles are drawn: those of the level in the folder `art`. Fails if
/// its colliders do not fit a world of the atlas.
pub(super) fn section(
    atlas: &Atlas,
    map: &Map,
    art: Option<&Path>,
) -> Result<(String, bool), CallError> {
    let mut world = World::new(atlas.clone());
    let ids = world.insert_map(map, [0.0; 2])?.ids;
    let terrains = maps::terrains(map);
    let color = |item: &MapItem| {
        let index = terrains.iter().position(|name| maps::terrain(item) == Some(name));
        index.map_or(OBJECTS, |index| TERRAINS[index % TERRAINS.len()])
    };
    let resolution = f64::from(atlas.resolution());
    let [width, height] = map.size.map(|side| (f64::from(side) * resolution).ceil() as i32);
    let rects = ids.iter().flatten().filter_map(|&id| world.rect(id));
    let all = rects.chain([Rect::new(0, 0, width, height)]).filter(|rect| !rect.is_empty());
    let bounds = all.reduce(hull).unwrap_or_default();
    let shrunk = bounds.width().max(bounds.height()).div_ceil(MAX_SIDE).max(1);
    let mut picture =
        RgbaImage::new(bounds.width().div_ceil(shrunk), bounds.height().div_ceil(shrunk));
    for (item, &id) in map.items.iter().zip(&ids) {
        let Some(posed) = id.and_then(|id| world.posed(id)) else { continue };
        let [r, g, b] = color(item);
        let corner = [posed.origin.x - bounds.x0, posed.origin.y - bounds.y0];
        for rect in posed.mask.rects() {
            let Rect { x0, y0, x1, y1 } = rect.translated(corner);
            // A pixel of the picture is set if one of the mask is in it: thin ledges stay.
            for y in y0 as u32 / shrunk..(y1 as u32).div_ceil(shrunk) {
                for x in x0 as u32 / shrunk..(x1 as u32).div_ceil(shrunk) {
                    picture.put_pixel(x, y, Rgba([r, g, b, 255]));
                }
            }
        }
    }
    let name = escaped(&map.name);
    let [w, h] = map.size;
    let mut html = format!(
        "<section class=\"map\"><h2>Map {name}</h2>\n<p>{w} x {h} px, {}",
        count(map.items.len(), "item")
    );
    for (index, terrain) in terrains.iter().enumerate() {
        html += &swatch(TERRAINS[index % TERRAINS.len()], terrain);
    }
    let objects = || map.items.iter().filter(|item| maps::terrain(item).is_none());
    if objects().any(|item| item.shape.is_some()) {
        html += &swatch(OBJECTS, "objects");
    }
    if !map.properties.is_empty() {
        let _ = write!(html, "; {}", properties(&map.properties));
    }
    html += "</p>\n";
    let mut has_tiles = false;
    if let Some(uri) = art::uri(&picture).filter(|_| !bounds.is_empty()) {
        let in_map = |at: f64| at / resolution;
        let [x, y] = [bounds.x0, bounds.y0].map(|at| in_map(at.into()));
        let size = [picture.width(), picture.height()];
        let [w, h] = size.map(|side| in_map(f64::from(side) * f64::from(shrunk)));
        let longest = size[0].max(size[1]).max(1);
        let shown = (MAX_SIDE / longest).clamp(1, MAX_ZOOM) * size[0];
        let _ = write!(
            html,
            "<div class=\"labels\" style=\"width:{shown}px\"><svg viewBox=\"{x} {y} {w} {h}\" role=\"img\" aria-label=\"map {name}\">"
        );
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"");
        let scale = f64::from(shrunk) / resolution;
        let tiles = art.and_then(|folder| {
            paint_map(folder, &map.name, ([x, y], scale), size, &mut art::first)
        });
        let tiles = tiles.and_then(|rgba| art::uri(&RgbaImage::from_raw(size[0], size[1], rgba)?));
        has_tiles = tiles.is_some();
        if let Some(tiles) = tiles {
            let _ = write!(html, "<image href=\"{tiles}\" {place}/>");
        }
        let class = if has_tiles { "colliders over" } else { "colliders" };
        let _ = write!(html, "<image class=\"{class}\" href=\"{uri}\" {place}/>");
        let points = || objects().filter(|item| item.shape.is_none());
        for MapItem { position: [x, y], .. } in points() {
            let _ = write!(html, "<path class=\"point\" d=\"M{x} {y}h0\"/>");
        }
        html += "</svg>";
        for (item, &id) in map.items.iter().zip(&ids).take(MAX_OBJECTS) {
            if item.name.is_empty() || maps::terrain(item).is_some() {
                continue;
            }
            // An object is named above its pixels, and a point beside it.
            let rect = id.and_then(|id| world.rect(id));
            let [left, top] = match rect {
                None => item.position.map(f64::from),
                Some(rect) => {
                    [f64::from(rect.x0 + rect.x1) / 2.0, rect.y0.into()].map(|at| in_map(at))
                }
            };
            let [left, top] = [(left - x) / w, (top - y) / h].map(|part| 100.0 * part);
            // A label in the right half lies to the left of its point, where there is room.
            let class = match rect {
                Some(_) => " class=\"above\"",
                None if left > 50.0 => " class=\"left\"",
                None => "",
            };
            let name = escaped(&item.name);
            let _ =
                write!(html, "<span{class} style=\"left:{left:.2}%;top:{top:.2}%\">{name}</span>");
        }
        html += "</div>\n";
    }
    if objects().next().is_some() {
        html += "<table><thead><tr><th scope=\"col\">object</th><th scope=\"col\">class</th>\
                 <th scope=\"col\">x, y</th><th scope=\"col\">properties</th></tr></thead>\n";
        for MapItem { name, class, position: [x, y], properties: own, .. } in
            objects().take(MAX_OBJECTS)
        {
            let (name, class, own) = (escaped(name), escaped(class), properties(own));
            let _ = writeln!(
                html,
                "<tr><td>{name}</td><td>{class}</td><td>{x}, {y}</td><td>{own}</td></tr>"
            );
        }
        html += "</table>\n";
    }
    let more = objects().count().saturating_sub(MAX_OBJECTS);
    if more > 0 {
        let _ = writeln!(html, "<p>and {}</p>", count(more, "more object"));
    }
    Ok((html + "</section>\n", has_tiles))
}

fn swatch([r, g, b]: [u8; 3], name: &str) -> String {
    format!(" <span style=\"--swatch:rgb({r} {g} {b})\">{}</span>", escaped(name))
}

/// Returns properties as text of the page.
fn properties(all: &[(String, String)]) -> String {
    let all = all.iter().map(|(key, value)| escaped(&format!("{key} = {value}")));
    all.collect::<Vec<_>>().join(", ")
}
