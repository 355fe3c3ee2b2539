//! Writes maps of Tiled, in XML and in JSON, with their tilesets and images.

use super::super::encode;
use hitmask_scenes::{Folder, Random};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// A map to be written. All tilesets are files, and tile numbers count over them.
#[derive(Clone, Debug, Default)]
pub(super) struct TiledMap {
    pub(super) orientation: &'static str,
    pub(super) size: [u32; 2],
    pub(super) tile: [u32; 2],
    /// `staggeraxis`, `staggerindex` and `hexsidelength`.
    pub(super) stagger: Option<(&'static str, &'static str, u32)>,
    /// The first number and the file of each tileset.
    pub(super) tilesets: Vec<(u32, String)>,
    pub(super) layers: Vec<Layer>,
}

/// A block of tiles with its corner and size.
type Block = ([i32; 2], [u32; 2], Vec<u32>);

/// A layer. Tiles or objects are in groups as deep as `groups` says.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) groups: usize,
    pub(super) offset: [i32; 2],
    pub(super) hidden: bool,
    /// One for a finite map.
    pub(super) blocks: Vec<Block>,
    pub(super) encoding: &'static str,
    pub(super) compression: &'static str,
    /// Objects with the number of their tile, or 0: id, x, y, width, height and rotation.
    pub(super) objects: Vec<(u32, [f64; 6])>,
}

impl TiledMap {
    fn is_infinite(&self) -> bool {
        self.layers.iter().any(|layer| layer.blocks.iter().any(|(_, size, _)| *size != self.size))
    }

    /// Returns the map as `.tmx`.
    pub(super) fn xml(&self) -> String {
        element("map", &self.fields(true))
    }

    /// Returns the map as `.tmj`.
    pub(super) fn json(&self) -> String {
        self.fields(false).to_string()
    }

    fn fields(&self, is_xml: bool) -> Value {
        let ([width, height], [across, down]) = (self.size, self.tile);
        let set = |(first, file): &(u32, String)| json!({"firstgid": first, "source": file});
        let mut map = json!({
            "type": "map", "version": "1.10", "orientation": self.orientation, "width": width, "height": height,
            "tilewidth": across, "tileheight": down, "infinite": self.is_infinite(),
            "tilesets": self.tilesets.iter().map(set).collect::<Vec<_>>(),
            "layers": self.layers.iter().map(|it| self.layer(it, is_xml)).collect::<Vec<_>>(),
        });
        if let Some((axis, index, side)) = self.stagger {
            map["staggeraxis"] = axis.into();
            map["staggerindex"] = index.into();
            map["hexsidelength"] = side.into();
        }
        map
    }

    fn layer(&self, layer: &Layer, is_xml: bool) -> Value {
        let Layer { name, offset: [x, y], encoding, compression, .. } = layer;
        let is_text = *encoding == "base64" || (is_xml && *encoding == "csv");
        let data =
            |tiles: &Vec<u32>| if is_text { encoded(layer, tiles).into() } else { json!(tiles) };
        let mut value = json!({
            "name": name, "offsetx": x, "offsety": y, "visible": !layer.hidden, "opacity": 1, "x": 0, "y": 0
        });
        if layer.objects.is_empty() {
            value["type"] = "tilelayer".into();
            [value["width"], value["height"]] = self.size.map(Value::from);
            if is_text {
                value["encoding"] = (*encoding).into();
                value["compression"] = (*compression).into();
            }
            if self.is_infinite() {
                let chunk = |([x, y], [width, height], tiles): &Block| json!({"x": x, "y": y, "width": width, "height": height, "data": data(tiles)});
                value["chunks"] = layer.blocks.iter().map(chunk).collect();
            } else {
                value["data"] = data(&layer.blocks[0].2);
            }
        } else {
            let object = |(gid, [id, x, y, width, height, turn]): &(u32, [f64; 6])| {
                json!({
                    "id": id, "name": "", "type": "", "visible": true, "gid": gid,
                    "x": x, "y": y, "width": width, "height": height, "rotation": turn
                })
            };
            value["type"] = "objectgroup".into();
            value["objects"] = layer.objects.iter().map(object).collect();
        }
        for group in 0..layer.groups {
            value = json!({
                "type": "group", "name": format!("g{group}"), "offsetx": x, "offsety": y,
                "visible": true, "opacity": 1, "layers": [value]
            });
        }
        value
    }
}

/// Returns the element of XML that has the fields of an object.
fn element(name: &str, fields: &Value) -> String {
    let (mut attributes, mut inner) = (String::new(), String::new());
    for (key, child) in
        [("tilesets", "tileset"), ("layers", ""), ("objects", "object"), ("chunks", "chunk")]
    {
        for fields in fields[key].as_array().into_iter().flatten() {
            inner += &match fields["type"].as_str() {
                Some("tilelayer") => element("layer", fields),
                Some(kind) if key == "layers" => element(kind, fields),
                _ => element(child, fields),
            };
        }
    }
    inner += fields["data"].as_str().unwrap_or_default();
    for gid in fields["data"].as_array().into_iter().flatten() {
        let _ = write!(inner, "<tile gid=\"{gid}\"/>");
    }
    let mut of_data = String::new();
    for (key, value) in fields.as_object().unwrap() {
        let text = match value {
            Value::Bool(value) => u8::from(*value).to_string(),
            Value::Number(value) => value.to_string(),
            Value::String(value) => value.clone(),
            _ => continue,
        };
        let list = match key.as_str() {
            "encoding" | "compression" if !text.is_empty() => &mut of_data,
            "type" | "data" | "encoding" | "compression" => continue,
            _ => &mut attributes,
        };
        let _ = write!(list, " {key}=\"{text}\"");
    }
    if name == "layer" {
        inner = format!("<data{of_data}>{inner}</data>");
    }
    format!("<{name}{attributes}>{inner}</{name}>\n")
}

/// Returns the numbers of tiles in the encoding of a layer.
fn encoded(layer: &Layer, tiles: &[u32]) -> String {
    use base64::Engine;
    if layer.encoding != "base64" {
        return tiles.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    }
    let bytes: Vec<u8> = tiles.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let deflated = || miniz_oxide::deflate::compress_to_vec(&bytes, 6);
    let packed = match layer.compression {
        "zlib" => miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6),
        "gzip" => {
            let mut file = vec![31, 139, 8, 8, 0, 0, 0, 0, 0, 3];
            file.extend(b"name\0");
            file.extend(deflated());
            file.extend(crc32fast::hash(&bytes).to_le_bytes());
            file.extend((bytes.len() as u32).to_le_bytes());
            file
        }
        "zstd" => {
            use ruzstd::encoding::{CompressionLevel, compress_to_vec};
            compress_to_vec(&bytes[..], CompressionLevel::Fastest)
        }
        _ => bytes,
    };
    base64::engine::general_purpose::STANDARD.encode(packed)
}

/// Writes a tileset of one image with random pixels, or of one image per tile. Returns its file.
pub(super) fn tileset(
    folder: &Folder,
    random: &mut Random,
    name: &str,
    (tile, count): ([u32; 2], u32),
    offset: [i32; 2],
) -> PathBuf {
    let is_solid: Vec<bool> = (0..64 * 64 * 7).map(|_| random.below(3) > 0).collect();
    let [width, height] = tile;
    let solid = |x: u32, y: u32, i: u32| is_solid[(x + 64 * y + 97 * i) as usize % is_solid.len()];
    let alpha = |solid: bool| if solid { 255 } else { 0 };
    let [x, y] = offset;
    let mut text = format!(
        "<tileset name=\"{name}\" tilewidth=\"{width}\" tileheight=\"{height}\" tilecount=\"{count}\""
    );
    if random.below(3) == 0 {
        let _ = write!(text, " columns=\"0\"><tileoffset x=\"{x}\" y=\"{y}\"/>");
        for i in 0..count {
            // Images of other sizes than the tileset states for all.
            let size = [width + i % 3, height + i % 2];
            let image = encode::png::of_alpha(size, |x, y| alpha(solid(x, y, i)));
            folder.write(&format!("{name}-{i}.png"), image);
            let [w, h] = size;
            let _ = write!(
                text,
                "<tile id=\"{i}\"><image source=\"{name}-{i}.png\" width=\"{w}\" height=\"{h}\"/></tile>"
            );
        }
    } else {
        let (margin, spacing, columns) = (random.below(3), random.below(3), 3);
        let rows = count.div_ceil(columns);
        let side = |cells: u32, side: u32| 2 * margin + cells * (side + spacing) - spacing;
        let size = [side(columns, width), side(rows, height)];
        let image = encode::png::of_alpha(size, |x, y| alpha(solid(x, y, 0)));
        folder.write(&format!("{name}.png"), image);
        let _ = write!(
            text,
            " columns=\"{columns}\" margin=\"{margin}\" spacing=\"{spacing}\">\
             <tileoffset x=\"{x}\" y=\"{y}\"/><image source=\"{name}.png\" width=\"{}\" height=\"{}\"/>",
            size[0], size[1]
        );
    }
    folder.write(&format!("{name}.tsx"), text + "</tileset>\n")
}
