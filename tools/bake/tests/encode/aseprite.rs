//! Aseprite files, chunk by chunk.

use super::zlib;

/// Returns a chunk: its length, type and data.
pub(crate) fn chunk(kind: u16, data: &[u8]) -> Vec<u8> {
    let len = (data.len() + 6) as u32;
    [&len.to_le_bytes()[..], &kind.to_le_bytes(), data].concat()
}

pub(crate) fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

/// A layer chunk.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a> {
    pub(crate) name: &'a str,
    pub(crate) flags: u16,
    pub(crate) kind: u16,
    pub(crate) level: u16,
    pub(crate) blend: u16,
    pub(crate) opacity: u8,
}

pub(crate) const LAYER: Layer<'_> =
    Layer { name: "body", flags: 1, kind: 0, level: 0, blend: 0, opacity: 255 };

impl Layer<'_> {
    pub(crate) fn chunk(self) -> Vec<u8> {
        let head = [self.flags, self.kind, self.level, 0, 0, self.blend].map(u16::to_le_bytes);
        let tileset = if self.kind == 2 { &[7, 0, 0, 0][..] } else { &[] };
        let data = [&head.concat()[..], &[self.opacity, 0, 0, 0], &text(self.name), tileset];
        chunk(0x2004, &data.concat())
    }
}

/// Returns a layer chunk: name, visibility, whether it is a group, nesting level and opacity.
pub(crate) fn layer(name: &str, shown: bool, group: bool, level: u16, opacity: u8) -> Vec<u8> {
    Layer { name, flags: shown.into(), kind: group.into(), level, opacity, ..LAYER }.chunk()
}

pub(crate) fn cel_head(layer: u16, at: [i16; 2], opacity: u8, kind: u16) -> Vec<u8> {
    let [x, y] = at.map(i16::to_le_bytes);
    [&layer.to_le_bytes()[..], &x, &y, &[opacity], &kind.to_le_bytes(), &[0; 7]].concat()
}

/// Returns a cel of grey texels, opaque at `#`.
pub(crate) fn cel(layer: u16, at: [i16; 2], opacity: u8, pixels: &[&str]) -> Vec<u8> {
    let texel = |c| if c == '#' { [90, 255] } else { [0, 0] };
    let texels: Vec<u8> = pixels.iter().flat_map(|row| row.chars().flat_map(texel)).collect();
    let size = [pixels[0].len() as u16, pixels.len() as u16].map(u16::to_le_bytes).concat();
    chunk(0x2005, &[cel_head(layer, at, opacity, 2), size, zlib(&texels)].concat())
}

pub(crate) fn linked(layer: u16, frame: u16) -> Vec<u8> {
    let data = [cel_head(layer, [-1, 1], 255, 1), frame.to_le_bytes().to_vec()].concat();
    chunk(0x2005, &data)
}

pub(crate) fn tags(tags: &[(&str, u16, u16)]) -> Vec<u8> {
    let mut data = [&(tags.len() as u16).to_le_bytes()[..], &[0; 8]].concat();
    for (name, from, to) in tags {
        data.extend([from.to_le_bytes(), to.to_le_bytes()].concat());
        data.extend([0; 13]);
        data.extend(text(name));
    }
    chunk(0x2018, &data)
}

/// Returns a slice with a pivot, from frame 1 on.
pub(crate) fn slice(corner: [i32; 2], pivot: [i32; 2]) -> Vec<u8> {
    let long = |n: i32| n.to_le_bytes();
    let mut data = [long(1), long(2), long(0)].concat();
    data.extend(text("grip"));
    data.extend([1, corner[0], corner[1], 1, 1, pivot[0], pivot[1]].map(long).concat());
    chunk(0x2022, &data)
}

/// The header of a file.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) size: [u16; 2],
    pub(crate) depth: u16,
    pub(crate) flags: u32,
    pub(crate) transparent: u8,
    pub(crate) colors: u16,
}

pub(crate) const HEAD: Head = Head { size: [4, 3], depth: 16, flags: 1, transparent: 0, colors: 0 };

/// Returns a file of 4 x 3 grey texels.
pub(crate) fn file(frames: &[Vec<Vec<u8>>]) -> Vec<u8> {
    HEAD.file(frames)
}

impl Head {
    pub(crate) fn file(self, frames: &[Vec<Vec<u8>>]) -> Vec<u8> {
        let mut bytes = vec![0, 0, 0, 0, 0xE0, 0xA5];
        let [width, height] = self.size;
        bytes.extend(
            [frames.len() as u16, width, height, self.depth].map(u16::to_le_bytes).concat(),
        );
        bytes.extend(self.flags.to_le_bytes());
        bytes.resize(28, 0);
        bytes.extend([self.transparent, 0, 0, 0]);
        bytes.extend(self.colors.to_le_bytes());
        bytes.resize(128, 0);
        for chunks in frames {
            let body = chunks.concat();
            bytes.extend((body.len() as u32 + 16).to_le_bytes());
            bytes.extend([0xFA, 0xF1]);
            bytes.extend((chunks.len() as u16).to_le_bytes());
            bytes.extend([100, 0, 0, 0]);
            bytes.extend((chunks.len() as u32).to_le_bytes());
            bytes.extend(body);
        }
        let len = bytes.len() as u32;
        bytes[..4].copy_from_slice(&len.to_le_bytes());
        bytes
    }
}

/// Returns a file of 3 frames: a body, a translucent glow, a hidden box and a hidden group.
pub(crate) fn hero(tagged: bool) -> Vec<u8> {
    let mut first = vec![
        layer("body", true, false, 0, 255),
        layer("glow", true, false, 0, 100),
        layer("box", false, false, 0, 255),
        layer("sketches", false, true, 0, 255),
        layer("sketch", true, false, 1, 255),
        // Partly outside the canvas.
        cel(0, [-1, 1], 255, &["###", ".##"]),
        cel(1, [0, 0], 255, &["####"]),
        cel(2, [2, 0], 255, &["##", "##"]),
        cel(4, [0, 0], 255, &["####", "####", "####"]),
    ];
    if tagged {
        first.push(tags(&[("walk", 1, 2), ("idle", 0, 0)]));
    }
    first.push(slice([1, 0], [2, -1]));
    file(&[
        first,
        vec![linked(0, 0)],
        vec![cel(0, [3, 2], 200, &["#"]), cel(0, [0, 0], 50, &["#"])],
    ])
}

/// Returns a slice without a pivot: its name, and for each key the frame, the corner and the size.
pub(crate) fn named_slice(name: &str, keys: &[(i32, [i32; 4])]) -> Vec<u8> {
    let long = |n: i32| n.to_le_bytes();
    let mut data = [long(keys.len() as i32), long(0), long(0)].concat();
    data.extend(text(name));
    for (frame, [x, y, width, height]) in keys {
        data.extend([*frame, *x, *y, *width, *height].map(long).concat());
    }
    chunk(0x2022, &data)
}

pub(crate) const INDEXED: Head = Head { size: [4, 1], depth: 8, transparent: 3, ..HEAD };

/// Returns a cel of one row of indices.
pub(crate) fn indices(indices: &[u8]) -> Vec<u8> {
    let size = [indices.len() as u8, 0, 1, 0];
    chunk(0x2005, &[&cel_head(0, [0, 0], 255, 2)[..], &size, &zlib(indices)].concat())
}

/// Returns a cel of `size` texels with one RGBA colour.
pub(crate) fn plain(layer: u16, z: i16, size: [u16; 2], color: [u8; 4]) -> Vec<u8> {
    let mut head = cel_head(layer, [0, 0], 255, 2);
    head[9..11].copy_from_slice(&z.to_le_bytes());
    let texels = color.repeat(usize::from(size[0]) * usize::from(size[1]));
    chunk(0x2005, &[head, size.map(u16::to_le_bytes).concat(), zlib(&texels)].concat())
}

/// Returns a palette chunk of the new kind, with all colours from index 0 on.
pub(crate) fn palette(colors: &[[u8; 4]]) -> Vec<u8> {
    let count = colors.len() as u32;
    let mut data = [count, 0, count - 1].map(u32::to_le_bytes).concat();
    data.extend([0; 8]);
    colors.iter().for_each(|color| data.extend([&[0, 0][..], color].concat()));
    chunk(0x2019, &data)
}

/// Returns a tileset chunk with number 7, of grey tiles given as rows of `#` and `.`.
pub(crate) fn tileset(flags: u8, size: [u16; 2], tiles: &[&[&str]]) -> Vec<u8> {
    let texel = |c| if c == '#' { [90, 255] } else { [0, 0] };
    let rows = tiles.iter().flat_map(|tile| tile.iter());
    let texels: Vec<u8> = rows.flat_map(|row| row.chars().flat_map(texel)).collect();
    let packed = zlib(&texels);
    let mut data = [7, flags.into(), tiles.len() as u32].map(u32::to_le_bytes).concat();
    data.extend(size.map(u16::to_le_bytes).concat());
    data.extend([0; 16]);
    data.extend(text("tiles"));
    if flags & 1 != 0 {
        data.extend([0; 8]);
    }
    if flags & 2 != 0 {
        data.extend((packed.len() as u32).to_le_bytes());
        data.extend(packed);
    }
    chunk(0x2023, &data)
}

pub(crate) const FLIPS: [u32; 3] = [0x8000_0000, 0x4000_0000, 0x2000_0000];

pub(crate) fn tilemap(at: [i16; 2], columns: u16, bits: u16, tiles: &[u32]) -> Vec<u8> {
    let mut data = cel_head(0, at, 255, 3);
    data.extend([columns, tiles.len() as u16 / columns, bits].map(u16::to_le_bytes).concat());
    data.extend([0x1FFF_FFFF, FLIPS[0], FLIPS[1], FLIPS[2]].map(u32::to_le_bytes).concat());
    data.extend([0; 10]);
    let tiles: Vec<u8> = tiles.iter().flat_map(|tile| tile.to_le_bytes()).collect();
    chunk(0x2005, &[data, zlib(&tiles)].concat())
}
