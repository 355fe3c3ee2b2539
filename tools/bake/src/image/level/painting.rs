//! A level as its editor shows it, in colour, for pictures of what collides.
//!
//! Called by the demo's pictures of a map, which decode the images. Invariant: no pixel of it decides about a mask. A
//! file or a tile that cannot be read is left out.

use super::level::{Art, Form, Level, TileRef, Turn};
use super::{ldtk, tiled_map};
use crate::limits::BakeLimits;
use std::collections::HashMap;
use std::f64::consts::FRAC_PI_3;
use std::path::{Path, PathBuf};

/// A picture: width, height and 4 bytes per pixel.
pub type Texels = ([u32; 2], Vec<u8>);

/// The file endings of levels of Tiled.
const TILED: [&str; 3] = ["tmx", "tmj", "json"];

/// The tiles and tile objects of a level, of which any part is drawn.
#[doc(hidden)]
#[derive(Debug)]
pub struct LevelArt {
    level: Level,
    images: HashMap<PathBuf, Option<Texels>>,
    load: fn(&Path) -> Option<Texels>,
}

impl LevelArt {
    /// Reads the level of the map `name`, whose file lies in `folder`. `load` decodes an image. Returns `None` if
    /// no file in `folder` is this map.
    pub fn open(folder: &Path, name: &str, load: fn(&Path) -> Option<Texels>) -> Option<Self> {
        find(folder, name).map(|level| Self { level, images: HashMap::new(), load })
    }

    /// Draws a part of the level and its background as red, green, blue and alpha. It begins at `corner`, in pixels of
    /// the map, and each of its pixels is `scale` of them. Objects are drawn if `is_shown` is true of their
    /// [`id`](hitmask::MapItem::id). Costs a look at each tile of the level, and the pixels of those that are drawn.
    pub fn paint(
        &mut self,
        (corner, scale): ([f64; 2], f64),
        size: [u32; 2],
        is_shown: &dyn Fn(&str) -> bool,
    ) -> Vec<u8> {
        let Self { level, images, load } = self;
        let [width, height] = size.map(|side| side as usize);
        let mut rgba = vec![0; width.saturating_mul(height).saturating_mul(4)];
        if let Some([r, g, b]) = level.background {
            let is_in = |at: usize, axis: usize| {
                let place = corner[axis] + (at as f64 + 0.5) * scale;
                (0.0..level.size[axis]).contains(&place)
            };
            for (row, pixels) in rgba.chunks_exact_mut(width.saturating_mul(4).max(4)).enumerate() {
                for (column, pixel) in pixels.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    if is_in(column, 0) && is_in(row, 1) {
                        *pixel = [r, g, b, 255];
                    }
                }
            }
        }
        // Draws where a point of the map is in a box, for which `source` gives the place on the tile.
        let mut draw = |bounds: [f64; 4], tile, source: &dyn Fn([f64; 2]) -> [f64; 2]| {
            let [x0, y0, x1, y1] = bounds;
            let first =
                |at: f64, axis: usize| ((at - corner[axis]) / scale).floor().max(0.0) as usize;
            let last =
                |at: f64, axis: usize| ((at - corner[axis]) / scale).ceil().max(0.0) as usize;
            let rows = first(y0, 1)..last(y1, 1).min(height);
            let columns = first(x0, 0)..last(x1, 0).min(width);
            if rows.is_empty() || columns.is_empty() {
                return;
            }
            let Some(tile) = Source::of(level, tile, images, *load) else { return };
            for row in rows {
                for column in columns.clone() {
                    let at = [column, row].map(|at| (at as f64 + 0.5) * scale);
                    let place = source([corner[0] + at[0], corner[1] + at[1]]);
                    let found = tile.texel(place);
                    let start = row.saturating_mul(width).saturating_add(column).saturating_mul(4);
                    let pixel = rgba.get_mut(start..).and_then(|rest| rest.first_chunk_mut());
                    if let (Some(pixel), Some(texel)) = (pixel, found) {
                        blend(pixel, texel);
                    }
                }
            }
        };
        for cell in level.layers.iter().flat_map(|layer| &layer.cells) {
            let Some(rect) = level.rect(cell, 0) else { continue };
            let [x0, y0, x1, y1] = [rect.x0, rect.y0, rect.x1, rect.y1].map(f64::from);
            draw([x0, y0, x1, y1], cell.tile, &|[x, y]| {
                [(x - x0) / (x1 - x0), (y - y0) / (y1 - y0)]
            });
        }
        for object in level.objects.iter().filter(|object| is_shown(&object.item_id())) {
            let Form::Tile { tile, anchor, degrees } = object.form else { continue };
            let ([x, y], [width, height]) = (object.position, object.size);
            let reach = width.hypot(height);
            let (sin, cos) = degrees.to_radians().sin_cos();
            draw([x - reach, y - reach, x + reach, y + reach], tile, &|at| {
                let [right, down] = [at[0] - x, at[1] - y];
                let (u, v) = (right * cos + down * sin, down * cos - right * sin);
                [u / width + anchor[0], v / height + anchor[1]]
            });
        }
        rgba
    }
}

/// Reads the level of a map. The levels of a project have the name of its file before their own.
fn find(folder: &Path, name: &str) -> Option<Level> {
    let limits = BakeLimits::default();
    let tiled = TILED.iter().map(|ending| folder.join(format!("{name}.{ending}")));
    let tiled =
        tiled.filter(|path| path.is_file()).find_map(|path| tiled_map::read(&path, &limits).ok());
    tiled.or_else(|| {
        let (file, own) = name.rsplit_once('/')?;
        let levels = ldtk::read(&folder.join(format!("{file}.ldtk")), &limits).ok()?;
        levels.into_iter().find(|(level, _)| level == own).map(|(_, level)| level)
    })
}

/// A tile on its image.
struct Source<'i> {
    turn: Turn,
    /// Width and height of the tile, and its top-left corner on the image.
    size: [u32; 2],
    corner: [u32; 2],
    /// The colour that is clear.
    clear: Option<[u8; 3]>,
    image: &'i Texels,
}

impl<'i> Source<'i> {
    /// Returns the first picture of a tile. `None` without an image.
    fn of(
        level: &Level,
        TileRef { id, set, turn }: TileRef,
        images: &'i mut HashMap<PathBuf, Option<Texels>>,
        load: fn(&Path) -> Option<Texels>,
    ) -> Option<Self> {
        let tileset = level.tilesets.get(usize::from(set))?;
        let animation = tileset.tiles.get(&id).and_then(|tile| tile.animation.first());
        let id = animation.copied().unwrap_or(id);
        let size = tileset.size(id)?;
        let (path, clear) = match &tileset.art {
            Art::Sheet { image, clear, .. } => (image, clear),
            Art::Images(tiles) => tiles.get(&id).map(|tile| (&tile.path, &tile.clear))?,
            Art::Solid(_) => return None,
        };
        if !images.contains_key(path) {
            images.insert(path.clone(), load(path));
        }
        let image = images.get(path)?.as_ref()?;
        let corner = match &tileset.art {
            Art::Sheet { grid, .. } => grid.place(id, image.0)?,
            Art::Images(tiles) => tiles.get(&id)?.part.map_or([0, 0], |[x, y, ..]| [x, y]),
            Art::Solid(_) => return None,
        };
        Some(Self { turn, size, corner, clear: *clear, image })
    }

    /// Returns the texel at a place on the tile as shown, from 0 to 1 across and down.
    fn texel(&self, place: [f64; 2]) -> Option<[u8; 4]> {
        let [u, v] = plain(self.turn, place, self.size);
        if !(0.0..1.0).contains(&u) || !(0.0..1.0).contains(&v) {
            return None;
        }
        let ([width, height], rgba) = self.image;
        let [left, top] = self.corner;
        let x = left.checked_add((u * f64::from(self.size[0])) as u32).filter(|x| x < width)?;
        let y = top.checked_add((v * f64::from(self.size[1])) as u32).filter(|y| y < height)?;
        let start = (y as usize).checked_mul(*width as usize)?.checked_add(x as usize)?;
        let texel: [u8; 4] = *rgba.get(start.checked_mul(4)?..)?.first_chunk()?;
        let [r, g, b, _] = texel;
        (self.clear != Some([r, g, b])).then_some(texel)
    }
}

/// Returns the place on a tile of this size before it is mirrored and turned.
fn plain(turn: Turn, [mut u, mut v]: [f64; 2], size: [u32; 2]) -> [f64; 2] {
    if turn.sixths != 0 {
        // The picture has the longer side more around it, and turns about its centre.
        let [width, height] = size.map(f64::from);
        let around = width.max(height);
        let right = u * (width + 2.0 * around) - around - width / 2.0;
        let down = v * (height + 2.0 * around) - around - height / 2.0;
        let (sin, cos) = (f64::from(turn.sixths) * FRAC_PI_3).sin_cos();
        u = (right * cos + down * sin) / width + 0.5;
        v = (down * cos - right * sin) / height + 0.5;
    }
    v = if turn.y { 1.0 - v } else { v };
    u = if turn.x { 1.0 - u } else { u };
    if turn.diagonal { [v, u] } else { [u, v] }
}

/// Draws a texel over a pixel, both without premultiplied alpha.
fn blend(under: &mut [u8; 4], [r, g, b, alpha]: [u8; 4]) {
    let [over, below] = [alpha, under[3]].map(|alpha| f64::from(alpha) / 255.0);
    let both = over + below * (1.0 - over);
    if both == 0.0 {
        return;
    }
    for (channel, color) in under.iter_mut().zip([r, g, b]) {
        let mixed = f64::from(color) * over + f64::from(*channel) * below * (1.0 - over);
        *channel = (mixed / both).round() as u8;
    }
    under[3] = (both * 255.0).round() as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_mirrored_and_turned_back() {
        let turn = |diagonal, x, y| Turn { diagonal, x, y, sixths: 0 };
        let place = [0.25, 0.125];
        assert_eq!(plain(turn(false, false, false), place, [8, 8]), place);
        assert_eq!(plain(turn(false, true, false), place, [8, 8]), [0.75, 0.125]);
        assert_eq!(plain(turn(false, false, true), place, [8, 8]), [0.25, 0.875]);
        // A quarter turn clockwise: mirrored along the diagonal, then left to right.
        assert_eq!(plain(turn(true, true, false), place, [8, 8]), [0.125, 0.75]);
        let half = Turn { sixths: 3, ..Turn::default() };
        let [u, v] = plain(half, [0.5 + 1.0 / 24.0, 0.5], [8, 8]);
        assert!((u - 0.375).abs() < 1e-9 && (v - 0.5).abs() < 1e-9, "{u} {v}");
    }

    #[test]
    fn a_texel_is_drawn_over_a_pixel() {
        let mut pixel = [0, 0, 0, 0];
        blend(&mut pixel, [200, 100, 0, 0]);
        assert_eq!(pixel, [0; 4]);
        blend(&mut pixel, [200, 100, 0, 255]);
        blend(&mut pixel, [0, 0, 250, 51]);
        assert_eq!(pixel, [160, 80, 50, 255]);
    }
}
