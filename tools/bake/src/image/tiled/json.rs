//! Reads Tiled's JSON to the elements of its XML.
//!
//! Called by `object`. A list of objects becomes one child for each, `true` for a shape a child
//! without attributes, and the three `image` keys one child `image`.

use super::element::{Element, TEXT};
use crate::error::BakeError;
use crate::text::{Text, UniqueMap};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

type Fields<'a> = UniqueMap<&'a RawValue>;

/// Objects whose fields are read. The fields of other objects change no pixel.
const PARENTS: [&str; 12] = [
    "map",
    "group",
    "layer",
    "chunk",
    "tileset",
    "tile",
    "tileoffset",
    "objectgroup",
    "object",
    "template",
    "grid",
    "property",
];

/// Keys of lists, with the name of the element that each item is.
const LISTS: [(&str, &str); 4] =
    [("tiles", "tile"), ("objects", "object"), ("tilesets", "tileset"), ("chunks", "chunk")];

/// Keys whose value `true` stands for a shape.
const SHAPES: [&str; 3] = ["ellipse", "capsule", "point"];

/// Largest depth of objects that are read: a tileset's object has depth 4, and groups of a map nest.
const MAX_DEPTH: usize = 64;

#[derive(Deserialize)]
struct Corner {
    x: f64,
    y: f64,
}

/// Returns the extension that Tiled gives to a file with this text. `None` if the text is not of Tiled, but
/// for example the description of a sheet.
pub(crate) fn extension(text: &str) -> Option<&'static str> {
    // A file with a key that is there twice is refused later.
    type Fields<'a> = BTreeMap<String, &'a RawValue>;
    let fields = serde_json::from_str::<Fields<'_>>(text).ok()?;
    let has = |key| fields.contains_key(key);
    match fields.get("type").map_or("", |kind| kind.get()) {
        "\"map\"" => Some("tmj"),
        "\"tileset\"" | "\"template\"" => Some("tsj"),
        _ if has("frames") || has("textures") => None,
        // Before Tiled 1.0 files had no type.
        _ if has("layers") && has("tilewidth") => Some("tmj"),
        _ => (has("tilewidth") && has("tileheight")).then_some("tsj"),
    }
}

/// Returns the root element: what its `type` says. Without one, it is a template if it has an object, a map
/// if it has layers, else a tileset.
pub(super) fn parse(source: &Text) -> Result<Element, BakeError> {
    let UniqueMap(fields): Fields<'_> = source.json(&source.text)?;
    let of_type = match fields.get("type") {
        Some(of_type) => source.json::<String>(of_type.get())?,
        None if fields.contains_key("object") => "template".to_owned(),
        None if fields.contains_key("layers") => "map".to_owned(),
        None => "tileset".to_owned(),
    };
    element(source, &of_type, &source.text, 0)
}

/// Returns the properties of an object with their names as keys.
fn members(source: &Text, raw: &str, depth: usize) -> Result<Element, BakeError> {
    let mut properties = Element::leaf("properties", source.offset(raw));
    for (name, value) in source.json::<Fields<'_>>(raw)?.0 {
        // The value keeps its place in the text.
        let mut property = Element::leaf("property", source.offset(value.get()));
        property.attributes.push(("name".to_owned(), name));
        match value.get().as_bytes().first() {
            Some(b'{') if depth < MAX_DEPTH => {
                property.children.push(members(source, value.get(), depth.saturating_add(1))?);
            }
            first => {
                let text = match first {
                    Some(b'"') => source.json(value.get())?,
                    _ => plain(source, value.get(), depth)?,
                };
                property.attributes.push(("value".to_owned(), text));
            }
        }
        properties.children.push(property);
    }
    Ok(properties)
}

/// Returns a value as JSON without blanks, and the items of lists without their types.
fn plain(source: &Text, raw: &str, depth: usize) -> Result<String, BakeError> {
    let below = |raw: &RawValue| plain(source, raw.get(), depth.saturating_add(1));
    Ok(match raw.as_bytes().first() {
        Some(b'[') if depth < MAX_DEPTH => {
            let item = |raw: &RawValue| {
                let fields = source.json::<Fields<'_>>(raw.get()).ok();
                let is_typed = |UniqueMap(fields): &Fields<'_>| {
                    let known = |key: &String| ["type", "value", "propertytype"].contains(&&**key);
                    fields.contains_key("type") && fields.keys().all(known)
                };
                match fields.filter(is_typed).and_then(|mut it| it.0.remove("value")) {
                    Some(value) => below(value),
                    None => below(raw),
                }
            };
            let items = source.json::<Vec<&RawValue>>(raw)?.into_iter().map(item);
            format!("[{}]", items.collect::<Result<Vec<_>, _>>()?.join(","))
        }
        Some(b'{') if depth < MAX_DEPTH => {
            let member = |(name, raw): (String, &RawValue)| {
                Ok(format!("{}:{}", serde_json::Value::from(name), below(raw)?))
            };
            let members = source.json::<Fields<'_>>(raw)?.0.into_iter().map(member);
            format!("{{{}}}", members.collect::<Result<Vec<_>, BakeError>>()?.join(","))
        }
        _ => raw.to_owned(),
    })
}

fn element(source: &Text, name: &str, raw: &str, depth: usize) -> Result<Element, BakeError> {
    let mut element = Element::leaf(name, source.offset(raw));
    if !PARENTS.contains(&name) || depth >= MAX_DEPTH {
        return Ok(element);
    }
    let mut image = Element::leaf("image", element.at);
    for (key, raw) in source.json::<Fields<'_>>(raw)?.0 {
        let (raw, key) = (raw.get(), key.as_str());
        let child =
            |name: &str, raw: &str| self::element(source, name, raw, depth.saturating_add(1));
        let list = |raw| source.json::<Vec<&RawValue>>(raw);
        match (raw.as_bytes().first(), key) {
            (Some(b'n'), _) => {} // null
            (Some(b't' | b'f'), key) if SHAPES.contains(&key) => {
                if raw == "true" {
                    element.children.push(child(key, raw)?);
                }
            }
            (Some(b'['), "layers") => {
                for layer in list(raw)? {
                    let of_type = source.json::<Fields<'_>>(layer.get())?.0.remove("type");
                    let of_type = of_type.map(|of_type| source.json::<String>(of_type.get()));
                    let of_type = of_type.transpose()?.unwrap_or_default();
                    let name = if of_type == "tilelayer" { "layer" } else { &of_type };
                    element.children.push(child(name, layer.get())?);
                }
            }
            // Numbers, or text in base64. XML has both inside the element.
            (Some(b'['), "data") => {
                let numbers = raw.trim_start_matches('[').trim_end_matches(']').to_owned();
                element.attributes.push((TEXT.to_owned(), numbers));
                element.attributes.push(("encoding".to_owned(), "csv".to_owned()));
            }
            (Some(b'"'), "data") => {
                element.attributes.push((TEXT.to_owned(), source.json(raw)?));
            }
            (Some(b'['), "properties") => {
                let mut properties = child(key, raw)?;
                for property in list(raw)? {
                    properties.children.push(child("property", property.get())?);
                }
                element.children.push(properties);
            }
            // Tiled 1.1 lists properties by name, and so does every value of a class.
            (Some(b'{'), "properties" | "value") => {
                element.children.push(members(source, raw, depth)?);
            }
            (Some(b'['), "value") => {
                element.attributes.push((key.to_owned(), plain(source, raw, depth)?));
            }
            (Some(b'['), "animation") => {
                let mut animation = child(key, raw)?;
                for frame in list(raw)? {
                    let mut frame = child("property", frame.get())?;
                    "frame".clone_into(&mut frame.name);
                    animation.children.push(frame);
                }
                element.children.push(animation);
            }
            (Some(b'['), key) if LISTS.iter().any(|(list, _)| *list == key) => {
                let name = LISTS.iter().find(|(list, _)| *list == key).map_or("", |(_, name)| name);
                for item in list(raw)? {
                    element.children.push(child(name, item.get())?);
                }
            }
            // Tiled 1.0 lists tiles by their number.
            (Some(b'{'), "tiles") => {
                for (id, tile) in source.json::<Fields<'_>>(raw)?.0 {
                    let mut tile = child("tile", tile.get())?;
                    if let Some(own) = tile.attribute("id").filter(|own| *own != id) {
                        let cause = format!("the tile {id} has the id {own}");
                        return Err(source.malformed(tile.at, cause));
                    }
                    tile.attributes.push(("id".to_owned(), id));
                    element.children.push(tile);
                }
            }
            (Some(b'['), "polygon" | "polyline") => {
                let corners: Vec<Corner> = source.json(raw)?;
                let points: Vec<_> =
                    corners.iter().map(|at| format!("{},{}", at.x, at.y)).collect();
                let mut polygon = child(key, raw)?;
                polygon.attributes.push(("points".to_owned(), points.join(" ")));
                element.children.push(polygon);
            }
            (Some(b'[' | b'{'), key) => element.children.push(child(key, raw)?),
            (first, key) => {
                let is_string = first == Some(&b'"');
                let text = if is_string { source.json(raw)? } else { raw.to_owned() };
                let (element, key) = match key {
                    "image" => (&mut image, "source"),
                    "imagewidth" => (&mut image, "width"),
                    "imageheight" => (&mut image, "height"),
                    key => (&mut element, key),
                };
                element.attributes.push((key.to_owned(), text));
            }
        }
    }
    if image.attribute("source").is_some() {
        element.children.push(image);
    }
    Ok(element)
}
