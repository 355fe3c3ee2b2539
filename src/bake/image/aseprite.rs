//! Reads Aseprite files: frames, tags, pivots of slices, and layers as planes.
//!
//! Called by `decode` and `frame_source`. The crate aseprite-loader parses the chunks. This file
//! walks from chunk to chunk and parses only the needed ones, because the crate's own walk panics
//! on implausible sizes. Blend modes affect colours, never alpha, so all layers are blended
//! normally.

use super::sheet_frame::Tag as FrameTag;
use super::{glob_walk, region};
use crate::bake::solidify::{self, BODY, DecodedImage, MAX_TEXELS};
use crate::bake::{BakeError, FrameFault, Settings};
use crate::mask::MAX_SIDE;
use crate::raster::Pivot;
use aseprite_loader::binary::chunk::Chunk;
use aseprite_loader::binary::chunks::cel::{CelChunk, CelContent, parse_cel_chunk};
use aseprite_loader::binary::chunks::layer::{
    LayerChunk, LayerFlags, LayerType, parse_layer_chunk,
};
use aseprite_loader::binary::chunks::old_palette::parse_old_palette_chunk;
use aseprite_loader::binary::chunks::palette::parse_palette_chunk;
use aseprite_loader::binary::chunks::slice::{SliceChunk, parse_slice_chunk};
use aseprite_loader::binary::chunks::tags::{Tag, parse_tags_chunk};
use aseprite_loader::binary::color_depth::ColorDepth;
use aseprite_loader::binary::header::{Header, parse_header};
use aseprite_loader::binary::image::Image;
use aseprite_loader::binary::palette::{Palette, create_palette};
use aseprite_loader::binary::raw_frame::RawFrame;
use aseprite_loader::loader::decompress;
use std::path::Path;

/// Returns the number of frames of the file at `path`, and its tags with first and last frame.
pub(super) fn tags(path: &Path) -> Result<(usize, Vec<FrameTag>), BakeError> {
    let bytes = glob_walk::read(path)?;
    let file = File::read(path, &bytes)?;
    let tags = file.tags.iter().map(|tag| {
        let (from, to) = (*tag.frames.start(), *tag.frames.end());
        (tag.name.to_owned(), from.into(), to.into())
    });
    Ok((file.frames.len(), tags.collect()))
}

/// Decodes the frames of a file.
pub(super) fn stills(
    path: &Path,
    bytes: &[u8],
    settings: &Settings,
) -> Result<Vec<DecodedImage>, BakeError> {
    let file = File::read(path, bytes)?;
    let (width, height) = (u32::from(file.header.width), u32::from(file.header.height));
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(BakeError::ImageTooLarge { path: path.to_owned(), width, height });
    }
    let planes = file.planes(settings)?;
    let texels = u64::from(width) * u64::from(height);
    let images = file.frames.len() as u64 * planes.len() as u64;
    if texels.max(1).saturating_mul(images) > MAX_TEXELS {
        return Err(BakeError::TooManyTexels { path: path.to_owned() });
    }
    let mut canvas = vec![0; 4 * texels as usize];
    let mut stills = Vec::with_capacity(file.frames.len());
    for index in 0..file.frames.len() {
        let mut masks = Vec::with_capacity(planes.len());
        let mut visible = None;
        for (name, layers) in &planes {
            canvas.fill(0);
            file.draw(index, layers, &mut canvas)?;
            let of_plane = solidify::masks(width, height, &canvas, settings);
            let [solid, shown] = of_plane.map_err(|_| BakeError::ImageTooLarge {
                path: path.to_owned(),
                width,
                height,
            })?;
            visible.get_or_insert(shown);
            masks.push((name.clone(), solid));
        }
        let pivot = file.pivot(index)?;
        stills.extend(visible.map(|visible| DecodedImage {
            planes: masks,
            visible,
            pivot,
            is_cut: false,
        }));
    }
    Ok(stills)
}

/// The needed contents of a file.
struct File<'a> {
    path: &'a Path,
    header: Header,
    layers: Vec<LayerChunk<'a>>,
    /// The cels of each frame.
    frames: Vec<Vec<CelChunk<'a>>>,
    tags: Vec<Tag<'a>>,
    slices: Vec<SliceChunk<'a>>,
    palette: Option<Palette>,
}

/// Bytes of the file header, the frame header and the chunk header.
const FILE_HEADER_BYTES: usize = 128;
const FRAME_HEADER_BYTES: usize = 16;
const CHUNK_HEADER_BYTES: usize = 6;

impl<'a> File<'a> {
    fn read(path: &'a Path, bytes: &'a [u8]) -> Result<Self, BakeError> {
        let damaged = |what: String| BakeError::Decode { path: path.to_owned(), cause: what };
        let truncated = || damaged("the file ends too early".to_owned());
        let malformed = || damaged("one of its chunks is invalid".to_owned());
        let head = bytes.get(..FILE_HEADER_BYTES).ok_or_else(truncated)?;
        let (_, header) = parse_header(head).map_err(|_| malformed())?;
        let (mut layers, mut tags, mut slices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut frames, mut palettes) = (Vec::new(), Vec::new());
        let mut rest = &bytes[FILE_HEADER_BYTES..];
        for _ in 0..header.frames {
            let len = u32_at(rest, 0).ok_or_else(truncated)?;
            let frame =
                rest.get(..len).filter(|f| f.len() >= FRAME_HEADER_BYTES).ok_or_else(truncated)?;
            if frame[4..6] != [0xFA, 0xF1] {
                return Err(damaged("a frame has the wrong magic number".to_owned()));
            }
            rest = &rest[len..];
            let count = match u32_at(frame, 12) {
                Some(count) if count > 0 => count,
                _ => u16::from_le_bytes([frame[6], frame[7]]).into(),
            };
            let mut cels = Vec::new();
            let mut chunks = &frame[FRAME_HEADER_BYTES..];
            for _ in 0..count {
                let len = u32_at(chunks, 0).ok_or_else(truncated)?;
                let chunk = chunks
                    .get(..len)
                    .filter(|c| c.len() >= CHUNK_HEADER_BYTES)
                    .ok_or_else(truncated)?;
                chunks = &chunks[len..];
                let data = &chunk[CHUNK_HEADER_BYTES..];
                match u16::from_le_bytes([chunk[4], chunk[5]]) {
                    0x0004 => palettes.push(Chunk::Palette0004(
                        parse_old_palette_chunk(data).map_err(|_| malformed())?.1,
                    )),
                    0x2019 => {
                        palettes.push(Chunk::Palette(
                            parse_palette_chunk(data).map_err(|_| malformed())?.1,
                        ));
                    }
                    0x2004 => layers.push(parse_layer_chunk(data).map_err(|_| malformed())?.1),
                    0x2005 => cels.push(parse_cel_chunk(data).map_err(|_| malformed())?.1),
                    0x2018 => tags.extend(parse_tags_chunk(data).map_err(|_| malformed())?.1.tags),
                    0x2022 => slices.push(parse_slice_chunk(data).map_err(|_| malformed())?.1),
                    _ => {}
                }
            }
            frames.push(cels);
        }
        if frames.is_empty() {
            return Err(damaged("the file has no frames".to_owned()));
        }
        let palette = match header.color_depth {
            ColorDepth::Indexed => {
                let frame = RawFrame { duration: 0, chunks: palettes };
                Some(create_palette(&header, &[frame]).map_err(|e| damaged(e.to_string()))?)
            }
            _ => None,
        };
        Ok(Self { path, header, layers, frames, tags, slices, palette })
    }

    fn damaged(&self, cause: &str) -> BakeError {
        BakeError::Decode { path: self.path.to_owned(), cause: cause.to_owned() }
    }

    /// Returns the planes: each name with one flag per layer. The body is first and consists of all
    /// visible layers, unless the settings define it.
    fn planes(&self, settings: &Settings) -> Result<Vec<(String, Vec<bool>)>, BakeError> {
        let body = settings.planes.iter().find(|plane| plane.name == BODY);
        let body = match body {
            Some(plane) => self.chosen(&plane.layers)?,
            None => self.visible(),
        };
        let mut planes = vec![(BODY.to_owned(), body)];
        for plane in settings.planes.iter().filter(|plane| plane.name != BODY) {
            planes.push((plane.name.clone(), self.chosen(&plane.layers)?));
        }
        Ok(planes)
    }

    /// Returns for each layer whether it and its groups are visible.
    fn visible(&self) -> Vec<bool> {
        self.within(|layer, of_group| {
            // Reference layers are not part of the image. The flag is bit 64; the crate's constant
            // is wrong.
            let is_reference = layer.flags.bits() & 64 != 0;
            of_group.unwrap_or(true) && layer.flags.contains(LayerFlags::VISIBLE) && !is_reference
        })
    }

    /// Returns for each layer whether it or one of its groups has one of these names. Hidden layers
    /// count too.
    fn chosen(&self, names: &[String]) -> Result<Vec<bool>, BakeError> {
        for name in names {
            if !self.layers.iter().any(|layer| layer.name == name) {
                return Err(BakeError::NoLayer {
                    path: self.path.to_owned(),
                    layer: name.clone(),
                    layers: self.layers.iter().map(|layer| layer.name.to_owned()).collect(),
                });
            }
        }
        Ok(self.within(|layer, of_group| {
            of_group.unwrap_or(false) || names.iter().any(|name| layer.name == name)
        }))
    }

    /// Evaluates `of` for each layer, given the result of the group that contains it.
    fn within(&self, of: impl Fn(&LayerChunk<'_>, Option<bool>) -> bool) -> Vec<bool> {
        let mut answers = Vec::with_capacity(self.layers.len());
        // Results of the groups around the current layer, outermost first.
        let mut groups: Vec<bool> = Vec::new();
        for layer in &self.layers {
            groups.truncate(layer.child_level.into());
            let answer = of(layer, groups.last().copied());
            answers.push(answer);
            if layer.layer_type == LayerType::Group {
                groups.push(answer);
            }
        }
        answers
    }

    /// Draws the cels of a frame on the selected layers.
    fn draw(&self, frame: usize, layers: &[bool], canvas: &mut [u8]) -> Result<(), BakeError> {
        for cel in &self.frames[frame] {
            let at = usize::from(cel.layer_index);
            let Some(layer) = self.layers.get(at) else {
                return Err(self.damaged("a cel refers to a layer that does not exist"));
            };
            if !layers[at] {
                continue;
            }
            let image = match &cel.content {
                CelContent::Image(image) => image,
                CelContent::LinkedCel { frame_position } => {
                    self.linked(usize::from(*frame_position), cel.layer_index)?
                }
                CelContent::CompressedTilemap { .. } => {
                    return Err(self.damaged(
                        "a selected layer has a tilemap, and tilemaps are not supported",
                    ));
                }
                CelContent::Unknown { .. } => {
                    return Err(self.damaged("a cel has an unknown type"));
                }
            };
            let layer_opacity = if self.header.flags & 1 == 0 { 255 } else { layer.opacity };
            let opacity = product(layer_opacity, cel.opacity);
            let texels = self.texels(image)?;
            self.blend(image, [cel.x, cel.y], opacity, &texels, canvas);
        }
        Ok(())
    }

    fn linked(&self, frame: usize, layer: u16) -> Result<&Image<'a>, BakeError> {
        let cels = self.frames.get(frame).map(Vec::as_slice).unwrap_or_default();
        let cel = cels.iter().find(|cel| cel.layer_index == layer);
        match cel.map(|cel| &cel.content) {
            Some(CelContent::Image(image)) => Ok(image),
            // A link to a link is rejected, because links could form a cycle.
            _ => Err(self.damaged("a linked cel has no image")),
        }
    }

    /// Returns the RGBA texels of an image.
    fn texels(&self, image: &Image<'_>) -> Result<Vec<[u8; 4]>, BakeError> {
        let damaged = || self.damaged("the pixels of a cel cannot be decompressed");
        let depth = self.header.color_depth.pixel_size();
        let depth = depth.ok_or_else(|| self.damaged("the colour depth is unknown"))?;
        let len = usize::from(image.width) * usize::from(image.height) * depth;
        let raw = if image.compressed {
            // Deflate expands 1 byte to at most 1,032, so a larger size is false and is not
            // allocated.
            if len / 1032 > image.data.len() {
                return Err(damaged());
            }
            let mut raw = vec![0; len];
            decompress(image.data, &mut raw).map_err(|_| damaged())?;
            raw
        } else {
            image.data.get(..len).ok_or_else(damaged)?.to_vec()
        };
        let texel = |bytes: &[u8]| match (bytes, &self.palette) {
            (&[r, g, b, a], _) => [r, g, b, a],
            (&[value, a], _) => [value, value, value, a],
            (&[index], Some(palette)) => {
                let color = palette.colors[usize::from(index)];
                [color.red, color.green, color.blue, color.alpha]
            }
            _ => [0; 4],
        };
        Ok(raw.chunks_exact(depth).map(texel).collect())
    }

    fn blend(
        &self,
        image: &Image<'_>,
        at: [i16; 2],
        opacity: u8,
        texels: &[[u8; 4]],
        canvas: &mut [u8],
    ) {
        let [width, height] = [self.header.width, self.header.height].map(i64::from);
        for (row, y) in texels.chunks_exact(usize::from(image.width).max(1)).zip(i64::from(at[1])..)
        {
            if !(0..height).contains(&y) {
                continue;
            }
            for (&[r, g, b, a], x) in row.iter().zip(i64::from(at[0])..) {
                let front = product(a, opacity);
                if (0..width).contains(&x) && front > 0 {
                    let back = &mut canvas[4 * (y * width + x) as usize..][..4];
                    // Source-over compositing: add the part of the back that is not covered.
                    let alpha = front + product(back[3], 255 - front);
                    for (back, part) in back.iter_mut().zip([r, g, b]) {
                        let step = (i32::from(part) - i32::from(*back)) * i32::from(front);
                        *back = (i32::from(*back) + step / i32::from(alpha)) as u8;
                    }
                    back[3] = alpha;
                }
            }
        }
    }

    /// Returns the pivot at a frame, from the first slice that has one.
    fn pivot(&self, frame: usize) -> Result<Option<Pivot>, BakeError> {
        let pivot = self.slices.iter().find_map(|slice| {
            let keys = slice.slice_keys.iter().filter(|key| key.frame_number as usize <= frame);
            let key = keys.max_by_key(|key| key.frame_number)?;
            key.pivot.map(|pivot| {
                [(key.x, pivot.x), (key.y, pivot.y)].map(|(a, b)| f64::from(a) + f64::from(b))
            })
        });
        let fault = |fault: FrameFault| BakeError::Frame {
            path: self.path.to_owned(),
            frame: frame.to_string(),
            fault,
        };
        pivot.map(region::pivot).transpose().map_err(fault)
    }
}

/// Multiplies two fractions of 255, rounded.
fn product(a: u8, b: u8) -> u8 {
    ((u32::from(a) * u32::from(b) + 127) / 255) as u8
}

/// Reads a little-endian `u32` at `at`.
fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    four.try_into().ok().map(|four| u32::from_le_bytes(four) as usize)
}
