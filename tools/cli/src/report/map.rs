//! A map in the report: a picture of its colliders with its named points, and a table of its objects.
//!
//! The picture is in mask pixels, and the drawing around it in pixels of the map. With the art of the level, its
//! tiles are drawn below.

use crate::output::{count, escaped};
use crate::{art, maps};
use hitmask::{Atlas, CallError, Map, MapItem, World};
use hitmask_demo::{MapPicture, Picture, open_art};
use image::RgbaImage;
use std::fmt::Write;
use std::path::Path;

/// Times that a small map is magnified, at most.
const MAX_ZOOM: u32 = 4;
/// Number of objects in the table.
const MAX_OBJECTS: usize = 100;

/// Returns the section of a map, and whether its tiles are drawn: those of the level in the folder `art`. Fails if
/// its colliders do not fit a world of the atlas.
pub(super) fn section(
    atlas: &Atlas,
    map: &Map,
    art: Option<&Path>,
) -> Result<(String, bool), CallError> {
    let mut world = World::new(atlas.clone());
    let ids = &world.insert_map(map, [0.0; 2])?.ids;
    let mut art = art.and_then(|folder| open_art(folder, map));
    let drawn = MapPicture::of(&world, map, ids, art.as_mut());
    let MapPicture { bounds, shrunk, colliders: picture, tiles } = &drawn;
    let resolution = f64::from(atlas.resolution());
    let terrains = maps::terrains(map);
    let name = escaped(&map.name);
    let [w, h] = map.size;
    let mut html = format!(
        "<section class=\"map\"><h2>Map {name}</h2>\n<p>{w} x {h} px, {}",
        count(map.items.len(), "item")
    );
    for (index, terrain) in terrains.iter().enumerate() {
        html += &swatch(MapPicture::terrain_color(index), terrain);
    }
    let objects = || map.items.iter().filter(|item| maps::terrain(item).is_none());
    if objects().any(|item| item.shape.is_some()) {
        html += &swatch(MapPicture::OBJECTS, "objects");
    }
    if !map.properties.is_empty() {
        let _ = write!(html, "; {}", properties(&map.properties));
    }
    html += "</p>\n";
    let mut has_tiles = false;
    if let Some(uri) = data_uri(picture).filter(|_| !bounds.is_empty()) {
        let in_map = |at: f64| at / resolution;
        let [x, y] = [bounds.x0, bounds.y0].map(|at| in_map(at.into()));
        let size = picture.size().map(|side| side as u32);
        let [w, h] = size.map(|side| in_map(f64::from(side) * f64::from(*shrunk)));
        let longest = size[0].max(size[1]).max(1);
        let shown = (MapPicture::MAX_SIDE / longest).clamp(1, MAX_ZOOM) * size[0];
        let _ = write!(
            html,
            "<div class=\"labels\" style=\"width:{shown}px\"><svg viewBox=\"{x} {y} {w} {h}\" role=\"img\" aria-label=\"map {name}\">"
        );
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"");
        let tiles = tiles.as_ref().and_then(data_uri);
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
        for (item, &id) in map.items.iter().zip(ids).take(MAX_OBJECTS) {
            if item.name.is_empty() || maps::terrain(item).is_some() {
                continue;
            }
            // An object is named above its pixels, and a point beside it.
            let rect = id.and_then(|id| world.rect(id));
            let [left, top] = match rect {
                None => item.position.map(f64::from),
                Some(rect) => [f64::from(rect.x0 + rect.x1) / 2.0, rect.y0.into()].map(&in_map),
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

/// Returns a picture as a data URI.
fn data_uri(picture: &Picture) -> Option<String> {
    let [width, height] = picture.size().map(|side| side as u32);
    art::uri(&RgbaImage::from_raw(width, height, picture.bytes().to_vec())?)
}

fn swatch([r, g, b]: [u8; 3], name: &str) -> String {
    format!(" <span style=\"--swatch:rgb({r} {g} {b})\">{}</span>", escaped(name))
}

/// Returns properties as text of the page.
fn properties(all: &[(String, String)]) -> String {
    let all = all.iter().map(|(key, value)| escaped(&format!("{key} = {value}")));
    all.collect::<Vec<_>>().join(", ")
}
