//! Parses the chunks of an Aseprite file: layers, cels, palettes, tags, slices and tilesets.
//!
//! Called by the parent module. Invariant: a chunk of an unknown kind is an error, because it could
//! change pixels. Pixels stay compressed.

use super::file::{
    Cel, Content, File, GROUP_OPACITY, LAYER_OPACITY, Layer, LayerKind, Palette, Slice, SliceKey,
    Tiles, Tileset,
};
use super::reader::{FLATTEN, Fault, text};
use crate::binary::{Ended, Reader};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Parses a file.
pub(super) fn parse(bytes: &[u8]) -> Result<File<'_>, Fault> {
    let mut rest = Reader(bytes);
    let mut header = Reader(rest.take(128)?);
    header.take(6)?;
    let frames = header.u16()?;
    let size = [header.u16()?, header.u16()?];
    let depth = match header.u16()? {
        8 => 1,
        16 => 2,
        32 => 4,
        other => return Err(Fault::damaged(format!("the colour depth is {other} bits"))),
    };
    let flags = header.u32()?;
    header.take(10)?;
    let transparent = header.u8()?;
    header.take(3)?;
    let colors = match header.u16()? {
        0 => 256,
        count => usize::from(count).min(256),
    };
    if frames == 0 {
        return Err(Fault::damaged("the file has no frames"));
    }
    let mut parser = Parser {
        file: File {
            size,
            depth,
            flags,
            transparent,
            layers: Vec::new(),
            frames: Vec::new(),
            first_cel: BTreeMap::new(),
            tags: Vec::new(),
            slices: Vec::new(),
            tilesets: BTreeMap::new(),
            palettes: Vec::new(),
        },
        palette: Palette::black(colors),
        palette_changes: false,
        has_new_palette: false,
    };
    for frame in 0..frames {
        parser.frame(&mut rest).map_err(|fault| fault.at(&format!("frame {frame}")))?;
    }
    parser.file.resolve_links();
    Ok(parser.file)
}

/// A file during its parsing.
struct Parser<'a> {
    file: File<'a>,
    palette: Palette,
    /// True if the current frame changed the palette.
    palette_changes: bool,
    /// True if a new palette chunk was read. Later chunks of the old kinds then repeat its colours.
    has_new_palette: bool,
}

impl<'a> Parser<'a> {
    fn frame(&mut self, rest: &mut Reader<'a>) -> Result<(), Fault> {
        let len = Reader(rest.0).u32()? as usize;
        let mut frame = Reader(rest.take(len)?);
        frame.take(4)?;
        if frame.u16()? != 0xF1FA {
            return Err(Fault::damaged("the magic number is wrong"));
        }
        let old_count = frame.u16()?;
        frame.take(4)?;
        let count = match frame.u32()? {
            0 => old_count.into(),
            count => count,
        };
        let index = self.file.frames.len();
        self.file.frames.push(Vec::new());
        for _ in 0..count {
            let len = Reader(frame.0).u32()? as usize;
            let mut chunk = Reader(frame.take(len)?);
            chunk.take(4)?;
            let kind = chunk.u16()?;
            self.chunk(kind, &mut chunk)?;
        }
        if std::mem::take(&mut self.palette_changes) {
            self.file.palettes.push((index, self.palette.clone()));
        }
        Ok(())
    }

    fn chunk(&mut self, kind: u16, chunk: &mut Reader<'a>) -> Result<(), Fault> {
        match kind {
            0x0004 | 0x0011 | 0x2019 if self.file.depth == 1 => {
                if kind == 0x2019 {
                    self.palette.read(chunk)?;
                    self.has_new_palette = true;
                } else if self.has_new_palette {
                    return Ok(());
                } else {
                    self.palette.read_old(chunk, kind == 0x0011)?;
                }
                self.palette_changes = true;
            }
            0x2004 => {
                let layer = layer(chunk, self.file.flags)?;
                self.file.layers.push(layer);
            }
            0x2005 => {
                let cel = cel(chunk)?;
                let Some((frame, cels)) = self.file.frames.iter_mut().enumerate().next_back()
                else {
                    return Err(Fault::damaged("a cel is outside of all frames"));
                };
                self.file.first_cel.entry((frame, cel.layer)).or_insert(cels.len());
                cels.push(cel);
            }
            0x2006 => {
                let has_bounds = chunk.u32()? & 1 != 0;
                let bounds = [chunk.i32()?, chunk.i32()?, chunk.i32()?, chunk.i32()?];
                if let Some(cel) = self.file.frames.last_mut().and_then(|cels| cels.last_mut()) {
                    cel.bounds = has_bounds.then_some(bounds);
                }
            }
            0x2018 => self.file.tags.extend(tags(chunk)?),
            // An early kind of chunk holds several slices.
            0x2021 => {
                let count = chunk.u32()?;
                chunk.take(8)?;
                for _ in 0..count {
                    self.file.slices.push(slice(chunk)?);
                }
            }
            0x2022 => self.file.slices.push(slice(chunk)?),
            0x2023 => {
                let (number, tileset) = tileset(chunk)?;
                self.file.tilesets.insert(number, tileset);
            }
            // Palettes of files without indices, colour profiles, lists of external files, selected
            // areas, paths and user data do not change pixels.
            0x0004 | 0x0011 | 0x2007 | 0x2008 | 0x2016 | 0x2017 | 0x2019 | 0x2020 => {}
            _ => {
                let cause = format!("the chunk of type 0x{kind:04X} is unknown");
                return Err(Fault::unsupported(cause, FLATTEN));
            }
        }
        Ok(())
    }
}

fn layer(chunk: &mut Reader<'_>, file_flags: u32) -> Result<Layer, Fault> {
    let [flags, kind, level] = [chunk.u16()?, chunk.u16()?, chunk.u16()?];
    chunk.take(4)?;
    let (blend_mode, opacity) = (chunk.u16()?, chunk.u8()?);
    chunk.take(3)?;
    let name = text(chunk)?;
    let kind = match kind {
        0 => LayerKind::Image,
        1 => LayerKind::Group,
        2 => LayerKind::Tilemap(chunk.u32()?),
        _ => {
            let cause = format!("layer {name:?} has the unknown type {kind}");
            return Err(Fault::unsupported(cause, FLATTEN));
        }
    };
    let mut layer = Layer { name, flags, kind, level, blend_mode, opacity };
    let is_plain =
        layer.is_background() || kind == LayerKind::Group && file_flags & GROUP_OPACITY == 0;
    if is_plain {
        layer.blend_mode = 0;
    }
    if is_plain || file_flags & LAYER_OPACITY == 0 {
        layer.opacity = 255;
    }
    Ok(layer)
}

fn cel<'a>(chunk: &mut Reader<'a>) -> Result<Cel<'a>, Fault> {
    let layer = chunk.u16()?;
    let at = [chunk.i16()?, chunk.i16()?];
    let (opacity, kind, z_index) = (chunk.u8()?, chunk.u16()?, chunk.i16()?);
    chunk.take(5)?;
    let content = match kind {
        0 | 2 => {
            let size = [chunk.u16()?, chunk.u16()?];
            Content::Image { size, is_compressed: kind == 2, data: chunk.0 }
        }
        1 => Content::Link(chunk.u16()?.into()),
        3 => {
            let (size, bits) = ([chunk.u16()?, chunk.u16()?], chunk.u16()?);
            let masks = [chunk.u32()?, chunk.u32()?, chunk.u32()?, chunk.u32()?];
            chunk.take(10)?;
            Content::Tiles(Tiles { size, bits, masks, data: chunk.0 })
        }
        other => Content::Unknown(other),
    };
    Ok(Cel { layer, at, opacity, z_index, content, bounds: None })
}

fn tags(chunk: &mut Reader<'_>) -> Result<Vec<(String, u16, u16)>, Fault> {
    let count = chunk.u16()?;
    chunk.take(8)?;
    let tag = |_| {
        let [from, to] = [chunk.u16()?, chunk.u16()?];
        chunk.take(13)?;
        let name = text(chunk)?;
        if from > to {
            return Err(Fault::damaged(format!("tag {name:?} has frames {from} to {to}")));
        }
        Ok((name, from, to))
    };
    (0..count).map(tag).collect()
}

fn slice(chunk: &mut Reader<'_>) -> Result<Slice, Fault> {
    let [count, flags] = [chunk.u32()?, chunk.u32()?];
    chunk.take(4)?;
    let name = text(chunk)?;
    let key = |_| -> Result<SliceKey, Ended> {
        let frame = chunk.u32()?;
        let (corner, size) = ([chunk.i32()?, chunk.i32()?], [chunk.u32()?, chunk.u32()?]);
        // The centre of a slice that stretches in 9 parts.
        chunk.take(if flags & 1 != 0 { 16 } else { 0 })?;
        let pivot = if flags & 2 != 0 { Some([chunk.i32()?, chunk.i32()?]) } else { None };
        Ok(SliceKey { frame, corner, size, pivot })
    };
    Ok(Slice { name, keys: (0..count).map(key).collect::<Result<_, _>>()? })
}

fn tileset<'a>(chunk: &mut Reader<'a>) -> Result<(u32, Tileset<'a>), Fault> {
    let [number, flags, count] = [chunk.u32()?, chunk.u32()?, chunk.u32()?];
    let tile = [chunk.u16()?, chunk.u16()?];
    chunk.take(16)?;
    text(chunk)?;
    if flags & 1 != 0 {
        chunk.take(8)?;
    }
    let data = match (flags & 2 != 0, count) {
        (false, _) => None,
        // A tileset without tiles has no length either.
        (true, 0) => Some(&[][..]),
        (true, _) => {
            let len = chunk.u32()? as usize;
            Some(chunk.take(len)?)
        }
    };
    let (zero_is_empty, pixels) = (flags & 4 != 0, OnceCell::new());
    Ok((number, Tileset { zero_is_empty, count, tile, data, pixels }))
}

/// A colour that no chunk has set.
const OPAQUE_BLACK: [u8; 4] = [0, 0, 0, 255];

impl Palette {
    fn black(colors: usize) -> Self {
        Self { colors: vec![OPAQUE_BLACK; colors] }
    }

    fn set(&mut self, index: usize, color: [u8; 4]) {
        if index >= self.colors.len() {
            self.colors.resize(index.saturating_add(1), OPAQUE_BLACK);
        }
        self.colors[index] = color;
    }

    /// Reads a chunk of the old kinds, whose channels have 8 bits or 6.
    fn read_old(&mut self, cursor: &mut Reader<'_>, has_6_bits: bool) -> Result<(), Fault> {
        let mut index = 0_usize;
        for _ in 0..cursor.u16()? {
            index = index.saturating_add(cursor.u8()?.into());
            let count = match cursor.u8()? {
                0 => 256,
                count => usize::from(count),
            };
            let end = index.saturating_add(count);
            if end > 256 {
                return Err(Fault::damaged("the palette has more than 256 colours"));
            }
            let colors = cursor.take(count.saturating_mul(3))?;
            for (index, rgb) in (index..).zip(colors.chunks_exact(3)) {
                let [r, g, b] = [rgb[0], rgb[1], rgb[2]].map(|channel| {
                    if has_6_bits { channel << 2 | channel >> 4 & 3 } else { channel }
                });
                self.set(index, [r, g, b, 255]);
            }
            index = end;
        }
        Ok(())
    }

    /// Reads a chunk of the new kind, whose colours have an alpha.
    fn read(&mut self, cursor: &mut Reader<'_>) -> Result<(), Fault> {
        let [count, from, to] = [cursor.u32()?, cursor.u32()?, cursor.u32()?];
        cursor.take(8)?;
        if count > 0 {
            self.colors.resize(count.min(256) as usize, OPAQUE_BLACK);
        }
        for index in from..=to {
            let has_name = cursor.u16()? & 1 != 0;
            let color = [cursor.u8()?, cursor.u8()?, cursor.u8()?, cursor.u8()?];
            if has_name {
                let len = cursor.u16()?;
                cursor.take(len.into())?;
            }
            // A pixel has 8 bits, so it cannot refer to later colours.
            if index < 256 {
                self.set(index as usize, color);
            }
        }
        Ok(())
    }
}
