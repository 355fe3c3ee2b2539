//! The masks of tiles: cut from images or drawn from shapes, mirrored, turned and resized.
//!
//! Used by `level_map`.

use super::level::{Art, Level, TileImage, TileRef, Tileset, Turn};
use crate::error::BakeError;
use crate::image::cut::Cut;
use crate::image::decode::Pages;
use crate::image::grid::cut_tiles;
use crate::image::tiled::cos_sin;
use crate::settings::SourceSettings;
use hitmask::{ColorRange, MAX_SIDE, Mask, Warning};
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The masks of the tiles of a level, made when they are first asked for.
pub(super) struct Pictures<'p> {
    level: &'p Level,
    unites_animations: bool,
    settings: &'p SourceSettings,
    pages: &'p Pages,
    /// The tiles of each sheet, by the index of the tileset.
    sheets: HashMap<u16, Vec<Mask>>,
    /// Tiles as shown, by their pixels or, if true, by their shapes.
    shown: HashMap<(TileRef, bool), Mask>,
    /// The tiles that were asked for, but have no picture.
    pub(super) lost: BTreeSet<(u16, u32)>,
}

impl<'p> Pictures<'p> {
    pub(super) fn new(
        level: &'p Level,
        unites_animations: bool,
        settings: &'p SourceSettings,
        pages: &'p Pages,
    ) -> Self {
        let (sheets, shown, lost) = (HashMap::new(), HashMap::new(), BTreeSet::new());
        Self { level, unites_animations, settings, pages, sheets, shown, lost }
    }

    /// Returns a tile as layers show it, of the size of [`Level::rect`].
    pub(super) fn shown(&mut self, tile: TileRef, by_shapes: bool) -> Result<&Mask, BakeError> {
        if !self.shown.contains_key(&(tile, by_shapes)) {
            let plain = match by_shapes {
                true => self.shapes(tile)?,
                false => {
                    let set = &self.level.tilesets[usize::from(tile.set)];
                    let plain = self.pixels(tile)?;
                    match set.cell {
                        Some(size) => resized(self.level.path(), &plain, size, set.fits)?,
                        None => plain,
                    }
                }
            };
            self.shown.insert((tile, by_shapes), turned(self.level.path(), &plain, tile.turn)?);
        }
        Ok(&self.shown[&(tile, by_shapes)])
    }

    /// Adds a warning about a sprite of the level.
    pub(super) fn warn(&self, warning: Warning) {
        self.pages.warn(warning);
    }

    /// Returns the picture of an object: a tile at a size, turned clockwise about a pivot in half-texels, and
    /// the pivot in the result. Quarter turns move whole pixels.
    pub(super) fn of_object(
        &mut self,
        tile: TileRef,
        size: [u32; 2],
        [x, y]: [i32; 2],
        degrees: f64,
    ) -> Result<(Mask, [i32; 2]), BakeError> {
        let (path, plain) = (self.level.path(), self.pixels(tile)?);
        let set = &self.level.tilesets[usize::from(tile.set)];
        let plain = turned(path, &plain, tile.turn)?;
        let [cos, sin] = cos_sin(degrees);
        if cos != 0.0 && sin != 0.0 {
            return turned_by(path, &plain, (size, set), [x, y], [cos, sin]);
        }
        let (mask, [width, height]) = (
            resized(path, &plain, size, set.fits)?,
            size.map(|side| side.saturating_mul(2) as i32),
        );
        let quarter = |diagonal, flip_x, flip_y| {
            turned(path, &mask, Turn { diagonal, x: flip_x, y: flip_y, sixths: 0 })
        };
        let [right, down] = [width.saturating_sub(x), height.saturating_sub(y)];
        Ok(match [cos, sin] {
            [0.0, 1.0] => (quarter(true, true, false)?, [down, x]),
            [-1.0, 0.0] => (quarter(false, true, true)?, [right, down]),
            [0.0, -1.0] => (quarter(true, false, true)?, [y, right]),
            _ => (mask, [x, y]),
        })
    }

    fn shapes(&self, tile: TileRef) -> Result<Mask, BakeError> {
        let set = &self.level.tilesets[usize::from(tile.set)];
        let (shapes, margin) = set.shapes(tile.id);
        let side = |side: u32| side.saturating_add(margin.saturating_mul(2));
        let size = set.shown_size(tile.id).unwrap_or([1, 1]).map(side);
        let mut mask = blank(self.level.path(), size)?;
        for shape in shapes {
            shape.placed([f64::from(margin); 2], [1.0; 2]).draw(&mut mask);
        }
        Ok(mask)
    }

    /// Returns the pixels of a tile: the first picture of its animation, or all of them.
    fn pixels(&mut self, tile: TileRef) -> Result<Mask, BakeError> {
        let set = &self.level.tilesets[usize::from(tile.set)];
        let animation = set.tiles.get(&tile.id).map_or(&[][..], |tile| &tile.animation);
        let Some((&first, others)) = animation.split_first() else { return self.picture(tile) };
        let mut mask = self.picture(TileRef { id: first, ..tile })?;
        if self.unites_animations {
            for &id in others {
                mask.draw(&self.picture(TileRef { id, ..tile })?, [0, 0]);
            }
        }
        if self.lost.contains(&(tile.set, first)) {
            self.lost.insert((tile.set, tile.id));
        }
        Ok(mask)
    }

    fn picture(&mut self, tile: TileRef) -> Result<Mask, BakeError> {
        let set = &self.level.tilesets[usize::from(tile.set)];
        let found = match &set.art {
            Art::Solid(size) => {
                let mut mask = blank(self.level.path(), *size)?;
                mask.fill();
                Some(mask)
            }
            Art::Images(images) => match images.get(&tile.id) {
                Some(image) => Some(self.image(image)?),
                None => None,
            },
            Art::Sheet { image, grid, clear } => {
                if let Entry::Vacant(place) = self.sheets.entry(tile.set) {
                    let settings = without(self.settings, *clear);
                    let stills = self.pages.get(image, &settings)?;
                    // An animated tileset stands still, and has no pivot.
                    let Some(still) = stills.first() else {
                        return Err(BakeError::no_frames(image));
                    };
                    let [width, height] = still.size();
                    let all = [0, 0, width, height];
                    let frames = cut_tiles(image, *grid, all, still, self.pages.limits())?;
                    let masks = frames
                        .into_iter()
                        .filter_map(|frame| frame.planes.into_iter().next().map(|(_, mask)| mask));
                    place.insert(masks.collect());
                }
                let masks = self.sheets.get(&tile.set).map_or(&[][..], |masks| masks);
                masks.get(tile.id as usize).cloned()
            }
        };
        match found {
            Some(mask) => Ok(mask),
            None => {
                self.lost.insert((tile.set, tile.id));
                blank(self.level.path(), set.size(tile.id).unwrap_or([1, 1]))
            }
        }
    }

    fn image(&self, image: &TileImage) -> Result<Mask, BakeError> {
        let TileImage { path, size, part, clear, .. } = image;
        let stills = self.pages.get(path, &without(self.settings, *clear))?;
        let Some(still) = stills.first() else { return Err(BakeError::no_frames(path)) };
        let [x, y, ..] = part.unwrap_or_default();
        let [width, height] = still.size();
        let is_inside = |at: u32, side: u32, of| at.checked_add(side).is_some_and(|end| end <= of);
        let is_whole = part.is_some() || [width, height] == *size;
        if !is_inside(x, size[0], width) || !is_inside(y, size[1], height) || !is_whole {
            let cause = format!(
                "the image has {width} x {height} texels, and the tileset states {} x {}",
                size[0], size[1]
            );
            let help = "save the tileset again in the editor of the level";
            return Err(BakeError::unsupported(path, cause, help));
        }
        let frame = Cut::whole([x, y], *size).frame(still);
        frame.planes.into_iter().next().map_or_else(|| blank(path, *size), |(_, mask)| Ok(mask))
    }
}

/// Returns the settings for a picture in which the texels of a colour are clear.
fn without(settings: &SourceSettings, clear: Option<[u8; 3]>) -> SourceSettings {
    let mut settings = settings.clone();
    settings.sprite.exclude_color.extend(clear.map(ColorRange::from));
    settings
}

/// Returns an empty mask for the level in a file.
pub(super) fn blank(path: &Path, size: [u32; 2]) -> Result<Mask, BakeError> {
    Mask::new(size[0], size[1]).map_err(|_| BakeError::too_large(path, size, MAX_SIDE))
}

fn turned(path: &Path, plain: &Mask, turn: Turn) -> Result<Mask, BakeError> {
    let mut mask = if turn.diagonal { transposed(path, plain)? } else { plain.clone() };
    if turn.x {
        mask = mask.flip_x();
    }
    if turn.y {
        mask = mask.flip_y();
    }
    if turn.sixths == 0 { Ok(mask) } else { by_sixths(path, &mask, turn.sixths) }
}

/// Returns the mask mirrored along its falling diagonal.
fn transposed(path: &Path, mask: &Mask) -> Result<Mask, BakeError> {
    let mut swapped = blank(path, [mask.height(), mask.width()])?;
    for y in 0..mask.height() as i32 {
        for x in (0..mask.width() as i32).filter(|&x| mask.get(x, y)) {
            swapped.set(y, x, true);
        }
    }
    Ok(swapped)
}

/// Returns a mask at a size, turned clockwise about a pivot in half-texels, with the pivot in the result. A
/// pixel is that of its centre turned back.
fn turned_by(
    path: &Path,
    mask: &Mask,
    (size, set): ([u32; 2], &Tileset),
    pivot: [i32; 2],
    [cos, sin]: [f64; 2],
) -> Result<(Mask, [i32; 2]), BakeError> {
    let [own, size] = [[mask.width(), mask.height()], size].map(|sides| sides.map(f64::from));
    let scale = set.scale(own, size);
    let [left, top] = pivot.map(|at| f64::from(at) / 2.0);
    let corner = |right: f64, down: f64| {
        let [right, down] = [right - left, down - top];
        [right * cos - down * sin, right * sin + down * cos]
    };
    let corners =
        [corner(0.0, 0.0), corner(size[0], 0.0), corner(0.0, size[1]), corner(size[0], size[1])];
    let edge = |axis: usize, pick: fn(f64, f64) -> f64| {
        corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or_default()
    };
    let from = [0, 1].map(|axis| edge(axis, f64::min).floor());
    let sides = [0, 1].map(|axis| (edge(axis, f64::max).ceil() - from[axis]).max(1.0) as u32);
    let mut turned = blank(path, sides)?;
    for row in 0..sides[1] {
        let down = f64::from(row) + 0.5 + from[1];
        for column in 0..sides[0] {
            let right = f64::from(column) + 0.5 + from[0];
            let at = [right * cos + down * sin + left, down * cos - right * sin + top];
            let source = |axis: usize| {
                ((at[axis] - size[axis] / 2.0) / scale[axis] + own[axis] / 2.0).floor() as i32
            };
            if mask.get(source(0), source(1)) {
                turned.set(column as i32, row as i32, true);
            }
        }
    }
    Ok((turned, from.map(|at| (at * -2.0) as i32)))
}

/// Returns the mask turned about its centre, with its longer side more around it. A pixel is that of its
/// centre turned back.
fn by_sixths(path: &Path, mask: &Mask, sixths: u8) -> Result<Mask, BakeError> {
    let [width, height] = [mask.width(), mask.height()];
    let around = width.max(height);
    let side = |side: u32| side.saturating_add(around.saturating_mul(2));
    let mut turned = blank(path, [side(width), side(height)])?;
    let (sin, cos) = (f64::from(sixths) * std::f64::consts::FRAC_PI_3).sin_cos();
    let centre = [f64::from(width) / 2.0, f64::from(height) / 2.0];
    for y in 0..turned.height() {
        for x in 0..turned.width() {
            let right = f64::from(x) + 0.5 - f64::from(around) - centre[0];
            let down = f64::from(y) + 0.5 - f64::from(around) - centre[1];
            let at = [right * cos + down * sin + centre[0], down * cos - right * sin + centre[1]];
            let [column, row] = at.map(|at| at.floor() as i32);
            if mask.get(column, row) {
                turned.set(x as i32, y as i32, true);
            }
        }
    }
    Ok(turned)
}

/// Returns the mask at another size: a pixel is that of the source below its centre. If it `fits`, it keeps
/// the ratio of its sides, in the middle.
fn resized(path: &Path, mask: &Mask, size: [u32; 2], fits: bool) -> Result<Mask, BakeError> {
    let own = [mask.width(), mask.height()];
    if own == size {
        return Ok(mask.clone());
    }
    let mut resized = blank(path, size)?;
    let [across, down] = [0, 1].map(|axis| (u64::from(own[axis]), u64::from(size[axis])));
    let is_wider = across.0.saturating_mul(down.1) > down.0.saturating_mul(across.1);
    let source = |at: u32, axis: usize| {
        // The side that decides the size of both.
        let by = if fits { usize::from(!is_wider) } else { axis };
        let [own_by, size_by, own, size] =
            [own[by], size[by], own[axis], size[axis]].map(i64::from);
        let twice = i64::from(at).saturating_mul(2).saturating_add(1).saturating_sub(size);
        let along = twice.saturating_mul(own_by).saturating_add(own.saturating_mul(size_by));
        along.div_euclid(size_by.saturating_mul(2).max(1)) as i32
    };
    for y in 0..size[1] {
        for x in 0..size[0] {
            if mask.get(source(x, 0), source(y, 1)) {
                resized.set(x as i32, y as i32, true);
            }
        }
    }
    Ok(resized)
}
