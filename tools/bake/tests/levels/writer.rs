//! Writes maps of Tiled, in XML and in JSON, with their tilesets and images.

use super::super::encode;
use hitmask_scenes::{Folder, Random};
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

/// A layer. Tiles or objects are in groups as deep as `groups` says.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) groups: usize,
    pub(super) offset: [i32; 2],
    pub(super) hidden: bool,
    /// Blocks of tiles with their corner and size: one for a finite map.
    pub(super) blocks: Vec<([i32; 2], [u32; 2], Vec<u32>)>,
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
        let ([width, height], [across, down]) = (self.size, self.tile);
        let infinite = u8::from(self.is_infinite());
        let mut text = format!(
            "<map version=\"1.10\" orientation=\"{}\" width=\"{width}\" height=\"{height}\" \
             tilewidth=\"{across}\" tileheight=\"{down}\" infinite=\"{infinite}\"",
            self.orientation
        );
        if let Some((axis, index, side)) = self.stagger {
            let _ = write!(text, " staggeraxis=\"{axis}\" staggerindex=\"{index}\"");
            let _ = write!(text, " hexsidelength=\"{side}\"");
        }
        text += ">\n";
        for (first, file) in &self.tilesets {
            let _ = writeln!(text, " <tileset firstgid=\"{first}\" source=\"{file}\"/>");
        }
        for (id, layer) in self.layers.iter().enumerate() {
            let Layer { name, offset: [x, y], .. } = layer;
            for group in 0..layer.groups {
                let _ = writeln!(text, "<group name=\"g{group}\" offsetx=\"{x}\" offsety=\"{y}\">");
            }
            let visible = u8::from(!layer.hidden);
            let place = format!("offsetx=\"{x}\" offsety=\"{y}\" visible=\"{visible}\"");
            if layer.objects.is_empty() {
                let _ = writeln!(
                    text,
                    "<layer id=\"{}\" name=\"{name}\" width=\"{width}\" height=\"{height}\" {place}>",
                    id + 1
                );
                text += &self.xml_data(layer);
                text += "</layer>\n";
            } else {
                let _ = writeln!(text, "<objectgroup name=\"{name}\" {place}>");
                for (gid, [id, x, y, w, h, turn]) in &layer.objects {
                    let _ = writeln!(
                        text,
                        "<object id=\"{id}\" gid=\"{gid}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rotation=\"{turn}\"/>"
                    );
                }
                text += "</objectgroup>\n";
            }
            text += &"</group>\n".repeat(layer.groups);
        }
        text + "</map>\n"
    }

    fn xml_data(&self, layer: &Layer) -> String {
        let mut text = match (layer.encoding, layer.compression) {
            ("", _) => "<data>".to_owned(),
            (encoding, "") => format!("<data encoding=\"{encoding}\">"),
            (encoding, packed) => {
                format!("<data encoding=\"{encoding}\" compression=\"{packed}\">")
            }
        };
        for ([x, y], [w, h], tiles) in &layer.blocks {
            let tiles = match layer.encoding {
                "" => tiles.iter().map(|gid| format!("<tile gid=\"{gid}\"/>")).collect(),
                _ => encoded(layer, tiles),
            };
            match self.is_infinite() {
                true => {
                    let _ = write!(
                        text,
                        "<chunk x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\">{tiles}</chunk>"
                    );
                }
                false => text += &tiles,
            }
        }
        text + "</data>"
    }

    /// Returns the map as `.tmj`.
    pub(super) fn json(&self) -> String {
        let ([width, height], [across, down]) = (self.size, self.tile);
        let infinite = self.is_infinite();
        let mut text = format!(
            "{{\"type\":\"map\",\"version\":\"1.10\",\"orientation\":\"{}\",\"width\":{width},\
             \"height\":{height},\"tilewidth\":{across},\"tileheight\":{down},\"infinite\":{infinite},",
            self.orientation
        );
        if let Some((axis, index, side)) = self.stagger {
            let _ = write!(text, "\"staggeraxis\":\"{axis}\",\"staggerindex\":\"{index}\",");
            let _ = write!(text, "\"hexsidelength\":{side},");
        }
        let set = |(first, file): &(u32, String)| {
            format!("{{\"firstgid\":{first},\"source\":\"{file}\"}}")
        };
        let sets: Vec<_> = self.tilesets.iter().map(set).collect();
        let layers: Vec<_> = self.layers.iter().map(|layer| self.json_layer(layer)).collect();
        text + &format!("\"tilesets\":[{}],\"layers\":[{}]}}", sets.join(","), layers.join(","))
    }

    fn json_layer(&self, layer: &Layer) -> String {
        let Layer { name, offset: [x, y], encoding, compression, .. } = layer;
        let visible = !layer.hidden;
        let place = format!(
            "\"offsetx\":{x},\"offsety\":{y},\"visible\":{visible},\"opacity\":1,\"x\":0,\"y\":0"
        );
        let ([width, height], data) = (self.size, |tiles: &Vec<u32>| match *encoding {
            "base64" => format!("\"{}\"", encoded(layer, tiles)),
            _ => format!("{tiles:?}"),
        });
        let mut text = if layer.objects.is_empty() {
            let data = match self.is_infinite() {
                false => format!("\"data\":{}", data(&layer.blocks[0].2)),
                true => {
                    let chunk = |([x, y], [w, h], tiles): &([i32; 2], [u32; 2], Vec<u32>)| {
                        let data = data(tiles);
                        format!(
                            "{{\"x\":{x},\"y\":{y},\"width\":{w},\"height\":{h},\"data\":{data}}}"
                        )
                    };
                    let chunks: Vec<_> = layer.blocks.iter().map(chunk).collect();
                    format!("\"chunks\":[{}]", chunks.join(","))
                }
            };
            let packed = match *encoding {
                "base64" => format!("\"encoding\":\"base64\",\"compression\":\"{compression}\","),
                _ => String::new(),
            };
            format!(
                "{{\"type\":\"tilelayer\",\"name\":\"{name}\",\"width\":{width},\"height\":{height},{place},{packed}{data}}}"
            )
        } else {
            let object = |(gid, [id, x, y, w, h, turn]): &(u32, [f64; 6])| {
                format!(
                    "{{\"id\":{id},\"name\":\"\",\"type\":\"\",\"visible\":true,\"gid\":{gid},\"x\":{x},\"y\":{y},\"width\":{w},\"height\":{h},\"rotation\":{turn}}}"
                )
            };
            let objects: Vec<_> = layer.objects.iter().map(object).collect();
            format!(
                "{{\"type\":\"objectgroup\",\"name\":\"{name}\",{place},\"objects\":[{}]}}",
                objects.join(",")
            )
        };
        for group in 0..layer.groups {
            text = format!(
                "{{\"type\":\"group\",\"name\":\"g{group}\",\"offsetx\":{x},\"offsety\":{y},\"visible\":true,\"opacity\":1,\"layers\":[{text}]}}"
            );
        }
        text
    }
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
