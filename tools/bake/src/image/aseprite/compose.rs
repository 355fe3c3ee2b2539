//! Draws the frames of an Aseprite file: layers in order, groups, cels and tiles.
//!
//! Called by the parent module. Blend modes change colours, but never alpha. Invariant: pixels are
//! decompressed row by row, so memory does not grow with the size of a cel. Results are those of
//! Aseprite, with its rounding.

use super::file::{Cel, Content, File, Layer, LayerKind, Tiles, Tileset};
use super::reader::{FLATTEN, Fault, Rows};
use crate::image::image_file::ImageFile;
use crate::limits::Cost;
use hitmask::MAX_SIDE;
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of groups around a layer, if groups are drawn on their own.
const MAX_NESTING: usize = 64;

/// Number of blend modes in the format.
const BLEND_MODES: u16 = 19;

/// The layers of a file in their drawing order.
pub(super) struct Painter<'f, 'a> {
    file: &'f File<'a>,
    /// The group in which a layer is drawn. `None` for the canvas.
    groups: Vec<Option<usize>>,
    /// The position of each layer in its group, or on the canvas.
    ranks: Vec<i64>,
    /// True if colours decide over solid pixels, and not alpha alone.
    reads_colors: bool,
    image: &'f ImageFile<'f>,
}

/// A cel or a group, with its place in the drawing order.
struct Item {
    /// First the position plus the z-index, then the z-index.
    order: (i64, i64),
    drawn: Drawn,
}

enum Drawn {
    Cel(usize),
    Group(usize),
}

impl<'f, 'a> Painter<'f, 'a> {
    pub(super) fn new(file: &'f File<'a>, reads_colors: bool, image: &'f ImageFile<'f>) -> Self {
        let composes = file.composes_groups();
        let (mut around, mut counts) = (Vec::new(), BTreeMap::new());
        let (mut groups, mut ranks) = (Vec::new(), Vec::new());
        for (at, layer) in file.layers.iter().enumerate() {
            around.truncate(layer.level.into());
            let group = around.last().copied().filter(|_| composes);
            let count = counts.entry(group).or_insert(0_i64);
            groups.push(group);
            ranks.push(*count);
            *count = count.saturating_add(1);
            if layer.kind == LayerKind::Group {
                around.push(at);
            }
        }
        Self { file, groups, ranks, reads_colors, image }
    }

    /// Draws the cels of a frame on the selected layers.
    pub(super) fn draw(
        &self,
        frame: usize,
        layers: &[bool],
        canvas: &mut [u8],
    ) -> Result<(), Fault> {
        let mut contents: BTreeMap<Option<usize>, Vec<Item>> = BTreeMap::new();
        let mut open = BTreeSet::new();
        for (index, cel) in self.file.frames[frame].iter().enumerate() {
            let at = usize::from(cel.layer);
            if at >= self.file.layers.len() {
                let cause = format!("a cel is on layer {at}, which does not exist");
                return Err(Fault::damaged(cause));
            }
            if !layers[at] {
                continue;
            }
            let (z, mut group) = (i64::from(cel.z_index), self.groups[at]);
            let order = (self.ranks[at].saturating_add(z), z);
            contents.entry(group).or_default().push(Item { order, drawn: Drawn::Cel(index) });
            while let Some(inner) = group.filter(|&inner| open.insert(inner)) {
                group = self.groups[inner];
                let item = Item { order: (self.ranks[inner], 0), drawn: Drawn::Group(inner) };
                contents.entry(group).or_default().push(item);
            }
        }
        contents.values_mut().for_each(|items| items.sort_by_key(|item| item.order));
        self.group(frame, &contents, None, 0, canvas)
    }

    /// Draws the contents of a group, or of the canvas.
    fn group(
        &self,
        frame: usize,
        contents: &BTreeMap<Option<usize>, Vec<Item>>,
        group: Option<usize>,
        nesting: usize,
        canvas: &mut [u8],
    ) -> Result<(), Fault> {
        if nesting > MAX_NESTING {
            let cause = format!("a layer is inside more than {MAX_NESTING} groups");
            return Err(Fault::unsupported(cause, "merge groups"));
        }
        // The canvas and the images of the groups around.
        let needed = (canvas.len() as u64).saturating_mul(nesting as u64);
        self.image.check(Cost::DecodingBytes, needed).map_err(Fault::OverLimit)?;
        for item in contents.get(&group).into_iter().flatten() {
            match item.drawn {
                Drawn::Cel(index) => {
                    let cel = &self.file.frames[frame][index];
                    let layer = &self.file.layers[usize::from(cel.layer)];
                    let drawn = self.cel(frame, cel, layer, canvas);
                    drawn.map_err(|fault| fault.at(&format!("layer {:?}", layer.name)))?;
                }
                Drawn::Group(inner) => {
                    let layer = &self.file.layers[inner];
                    self.check_blend_mode(layer)
                        .map_err(|fault| fault.at(&format!("group {:?}", layer.name)))?;
                    let mut image = vec![0; canvas.len()];
                    self.group(
                        frame,
                        contents,
                        Some(inner),
                        nesting.saturating_add(1),
                        &mut image,
                    )?;
                    let fronts = image.as_chunks::<4>().0;
                    for (back, &front) in canvas.as_chunks_mut::<4>().0.iter_mut().zip(fronts) {
                        blend(front, layer.opacity, back);
                    }
                }
            }
        }
        Ok(())
    }

    fn cel(
        &self,
        frame: usize,
        cel: &Cel<'_>,
        layer: &Layer,
        canvas: &mut [u8],
    ) -> Result<(), Fault> {
        self.check_blend_mode(layer)?;
        let mut source = cel;
        if let Content::Link(target) = cel.content {
            let index = self.file.first_cel.get(&(target, cel.layer));
            source = index.map_or(cel, |&index| &self.file.frames[target][index]);
        }
        let opacity = product(layer.opacity, cel.opacity);
        let brush = Brush { colors: self.colors(frame, layer)?, opacity };
        match (&source.content, layer.kind) {
            (&Content::Image { size, is_compressed, data }, LayerKind::Image) => {
                let size = size.map(u32::from);
                check_cel(cel, source, size)?;
                let row_bytes = (size[0] as usize).saturating_mul(self.file.depth);
                let rows = Rows::new(data, is_compressed, row_bytes);
                self.image(size, cel.at, rows, &brush, canvas)
            }
            (Content::Tiles(tiles), LayerKind::Tilemap(number)) => {
                let missing = || Fault::damaged(format!("tileset {number} is missing"));
                let tileset = self.file.tilesets.get(&number).ok_or_else(missing)?;
                check_cel(
                    cel,
                    source,
                    [0, 1].map(|axis| {
                        u32::from(tiles.size[axis]).saturating_mul(tileset.tile[axis].into())
                    }),
                )?;
                let drawn = self.tiles(tiles, tileset, cel.at, &brush, canvas);
                drawn.map_err(|fault| fault.at(&format!("tileset {number}")))
            }
            (Content::Link(_) | Content::BrokenLink, _) => {
                Err(Fault::damaged("a linked cel has no image"))
            }
            (Content::Unknown(kind), _) => {
                Err(Fault::unsupported(format!("a cel has the unknown type {kind}"), FLATTEN))
            }
            (Content::Image { .. }, _) => {
                Err(Fault::damaged("a cel has pixels, but its layer none"))
            }
            (Content::Tiles(_), _) => Err(Fault::damaged("a cel has tiles, but its layer none")),
        }
    }

    fn check_blend_mode(&self, layer: &Layer) -> Result<(), Fault> {
        let mode = layer.blend_mode;
        if mode >= BLEND_MODES {
            return Err(Fault::unsupported(format!("the blend mode {mode} is unknown"), FLATTEN));
        }
        if mode > 0 && self.reads_colors {
            return Err(Fault::unsupported(
                format!("the blend mode {mode} changes colours, which the settings read"),
                "set the blend mode to normal, or bake by alpha without excluded colours",
            ));
        }
        Ok(())
    }

    /// Returns the colour of each index in a frame, if the file has indices.
    fn colors(&self, frame: usize, layer: &Layer) -> Result<Option<Box<[[u8; 4]; 256]>>, Fault> {
        if self.file.depth > 1 {
            return Ok(None);
        }
        let count = self.file.palettes.partition_point(|(from, _)| *from <= frame);
        let Some((_, palette)) = self.file.palettes[..count].last() else {
            return Err(Fault::damaged("the palette is missing"));
        };
        let mut colors = Box::new([[0; 4]; 256]);
        colors[..palette.colors.len()].copy_from_slice(&palette.colors);
        if !layer.is_background() {
            colors[usize::from(self.file.transparent)] = [0; 4];
        }
        Ok(Some(colors))
    }

    fn image(
        &self,
        [width, height]: [u32; 2],
        at: [i16; 2],
        mut rows: Rows<'_>,
        brush: &Brush,
        canvas: &mut [u8],
    ) -> Result<(), Fault> {
        if width == 0 {
            return Ok(());
        }
        let [columns, lines] = self.file.size.map(usize::from);
        let (left, skipped) = split(at[0]);
        for y in (i64::from(at[1])..).take(height as usize) {
            if y >= lines as i64 {
                break;
            }
            let row = rows.next()?;
            let Ok(y) = usize::try_from(y) else { continue };
            let pixels = row.chunks_exact(self.file.depth).skip(skipped);
            // The canvas has this line, because y is below the number of lines.
            let line_bytes = columns.saturating_mul(4);
            let line = &mut canvas[line_bytes.saturating_mul(y)..][..line_bytes];
            let backs = line.as_chunks_mut::<4>().0.iter_mut().skip(left);
            for (back, pixel) in backs.zip(pixels) {
                brush.apply(pixel, back);
            }
        }
        Ok(())
    }

    fn tiles(
        &self,
        tiles: &Tiles<'_>,
        tileset: &Tileset<'_>,
        at: [i16; 2],
        brush: &Brush,
        canvas: &mut [u8],
    ) -> Result<(), Fault> {
        let [tile_width, tile_height] = tileset.tile.map(usize::from);
        if tile_width == 0 || tile_height == 0 {
            return Err(Fault::damaged(format!("its tiles have {tile_width} x {tile_height} px")));
        }
        if tiles.bits != 32 {
            let cause = format!("a tile number has {} bits instead of 32", tiles.bits);
            return Err(Fault::unsupported(cause, FLATTEN));
        }
        let pixels = self.tileset_pixels(tileset)?;
        let tile_bytes = tile_width.saturating_mul(tile_height).saturating_mul(self.file.depth);
        let [columns, lines] = self.file.size.map(i64::from);
        let [number_mask, flips @ ..] = tiles.masks;
        let row_bytes = usize::from(tiles.size[0]).saturating_mul(4);
        let mut rows = Rows::new(tiles.data, true, row_bytes);
        for row in 0..i64::from(tiles.size[1]) {
            let top = i64::from(at[1]).saturating_add(row.saturating_mul(tile_height as i64));
            if top >= lines || tiles.size[0] == 0 {
                break;
            }
            let numbers = rows.next()?.as_chunks::<4>().0.iter().map(|&n| u32::from_le_bytes(n));
            for (value, column) in numbers.zip(0..) {
                let number = (value & number_mask).checked_shr(number_mask.trailing_zeros());
                let number = number.unwrap_or(0);
                let empty = if tileset.zero_is_empty { number == 0 } else { value == u32::MAX };
                if empty {
                    continue;
                }
                if number >= tileset.count {
                    let cause = format!("tile {number} of {} does not exist", tileset.count);
                    return Err(Fault::damaged(cause));
                }
                let [flip_x, flip_y, swaps] = flips.map(|mask| mask != 0 && value & mask == mask);
                if swaps && tile_width != tile_height {
                    let cause = "a tile that is not square has a diagonal flip";
                    return Err(Fault::unsupported(cause, FLATTEN));
                }
                let tile = &pixels[(number as usize).saturating_mul(tile_bytes)..][..tile_bytes];
                let left =
                    i64::from(at[0]).saturating_add(i64::saturating_mul(column, tile_width as i64));
                if left >= columns || left.saturating_add(tile_width as i64) <= 0 {
                    continue;
                }
                for (y, v) in (top..).zip(0..tile_height).filter(|&(y, _)| (0..lines).contains(&y))
                {
                    for (x, u) in (left..).zip(0..tile_width) {
                        if !(0..columns).contains(&x) {
                            continue;
                        }
                        // Never wraps: both are inside the tile, and the tile is in memory.
                        let u = if flip_x { tile_width.wrapping_sub(u).wrapping_sub(1) } else { u };
                        let v =
                            if flip_y { tile_height.wrapping_sub(v).wrapping_sub(1) } else { v };
                        let (line, column) = if swaps { (u, v) } else { (v, u) };
                        let from = line.wrapping_mul(tile_width).wrapping_add(column);
                        let pixel = &tile[from.wrapping_mul(self.file.depth)..][..self.file.depth];
                        let to = y.wrapping_mul(columns).wrapping_add(x) as usize;
                        brush.apply(pixel, &mut canvas.as_chunks_mut::<4>().0[to]);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the pixels of all tiles, one below the other.
    fn tileset_pixels<'t>(&self, tileset: &'t Tileset<'_>) -> Result<&'t [u8], Fault> {
        if let Some(pixels) = tileset.pixels.get() {
            return Ok(pixels);
        }
        let Some(data) = tileset.data else {
            return Err(Fault::unsupported(
                "its tiles are in another file",
                "turn the tilemap into a normal layer, or copy the tileset into the file",
            ));
        };
        let row_bytes = usize::from(tileset.tile[0]).saturating_mul(self.file.depth);
        let lines = u64::from(tileset.tile[1]).saturating_mul(tileset.count.into());
        let held = self.file.tilesets.values().filter_map(|tileset| tileset.pixels.get());
        let held: u64 = held.map(|pixels| pixels.len() as u64).sum();
        let bytes = lines.saturating_mul(row_bytes as u64);
        let needed = held.saturating_add(bytes);
        self.image.check(Cost::TilesetBytes, needed).map_err(Fault::OverLimit)?;
        let (mut pixels, mut rows) = (Vec::new(), Rows::new(data, true, row_bytes));
        for _ in 0..lines {
            pixels.extend_from_slice(rows.next()?);
        }
        Ok(tileset.pixels.get_or_init(|| pixels))
    }
}

/// Checks that a cel is within the limits and is drawn pixel by pixel.
fn check_cel(cel: &Cel<'_>, source: &Cel<'_>, size: [u32; 2]) -> Result<(), Fault> {
    let [width, height] = size;
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(Fault::unsupported(
            format!("the cel has {width} x {height} pixels, and the limit is {MAX_SIDE} a side"),
            "trim the cel to the canvas in Aseprite, or cut it into pieces",
        ));
    }
    let fixed = |pixels: i64| pixels << 16;
    for (cel, [x, y, w, h]) in [cel, source].into_iter().filter_map(|c| Some((c, c.bounds?))) {
        let [left, top] = cel.at.map(|at| fixed(at.into()));
        let drawn = [left, top, fixed(width.into()), fixed(height.into())];
        if w != 0 && h != 0 && [x, y, w, h].map(i64::from) != drawn {
            let cause = "the cel is scaled, or placed between pixels";
            return Err(Fault::unsupported(cause, FLATTEN));
        }
    }
    Ok(())
}

/// Returns a position on the canvas, and the number of pixels to skip before it.
fn split(at: i16) -> (usize, usize) {
    let distance = usize::from(at.unsigned_abs());
    if at < 0 { (0, distance) } else { (distance, 0) }
}

/// Pixels to colours, and their opacity.
struct Brush {
    /// The palette of an indexed file.
    colors: Option<Box<[[u8; 4]; 256]>>,
    opacity: u8,
}

impl Brush {
    /// Draws one pixel.
    fn apply(&self, pixel: &[u8], back: &mut [u8; 4]) {
        let front = match (pixel, &self.colors) {
            (&[r, g, b, a], _) => [r, g, b, a],
            (&[value, a], _) => [value, value, value, a],
            (&[index], Some(colors)) => colors[usize::from(index)],
            _ => [0; 4],
        };
        blend(front, self.opacity, back);
    }
}

/// Source-over compositing: adds the part of the back that is not covered.
fn blend([r, g, b, a]: [u8; 4], opacity: u8, back: &mut [u8; 4]) {
    let front = product(a, opacity);
    if front == 0 {
        return;
    }
    // At most 255, because the product is at most 255 - front.
    let alpha = front.saturating_add(product(back[3], !front));
    for (back, part) in back.iter_mut().zip([r, g, b]) {
        // No step takes more than 17 bits. Alpha is at least the front, so it is not 0.
        let step = i32::from(part).wrapping_sub((*back).into()).wrapping_mul(front.into());
        let step = step.checked_div(alpha.into()).unwrap_or(i32::MAX);
        debug_assert_ne!(step, i32::MAX, "the alpha of two drawn pixels is 0");
        *back = i32::from(*back).wrapping_add(step) as u8;
    }
    back[3] = alpha;
}

/// Multiplies two fractions of 255, rounded.
fn product(a: u8, b: u8) -> u8 {
    // At most 255 * 255 + 127.
    (u32::from(a).wrapping_mul(b.into()).wrapping_add(127) / 255) as u8
}
