//! The masks of tiles: cut from images or drawn from shapes, mirrored, turned and resized.
//!
//! Used by `level_map`.

use super::level::{Art, Level, TileImage, TileRef, Turn};
use crate::error::BakeError;
use crate::image::cut::Cut;
use crate::image::decode::Pages;
use crate::image::grid::tiles;
use crate::settings::SourceSettings;
use hitmask::{ColorRange, MAX_SIDE, Mask};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
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
}

impl<'p> Pictures<'p> {
    pub(super) fn new(
        level: &'p Level,
        unites_animations: bool,
        settings: &'p SourceSettings,
        pages: &'p Pages,
    ) -> Self {
        let (sheets, shown) = (HashMap::new(), HashMap::new());
        Self { level, unites_animations, settings, pages, sheets, shown }
    }

    /// Returns a tile as shown, of the size of [`Level::rect`].
    pub(super) fn shown(&mut self, tile: TileRef, by_shapes: bool) -> Result<&Mask, BakeError> {
        if !self.shown.contains_key(&(tile, by_shapes)) {
            let plain = match by_shapes {
                true => self.shapes(tile)?,
                false => self.pixels(tile)?,
            };
            self.shown.insert((tile, by_shapes), turned(self.level.path(), &plain, tile.turn)?);
        }
        Ok(&self.shown[&(tile, by_shapes)])
    }

    fn shapes(&self, tile: TileRef) -> Result<Mask, BakeError> {
        let set = &self.level.tilesets[usize::from(tile.set)];
        let mut mask = blank(self.level.path(), set.size(tile.id).unwrap_or([1, 1]))?;
        for shape in set.tiles.get(&tile.id).map_or(&[][..], |tile| &tile.shapes) {
            shape.draw(&mut mask);
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
        Ok(mask)
    }

    fn picture(&mut self, tile: TileRef) -> Result<Mask, BakeError> {
        let set = &self.level.tilesets[usize::from(tile.set)];
        let file = self.level.path();
        let missing = || {
            let cause = format!(
                "the level shows tile {} of the tileset {:?}, which has no picture of it",
                tile.id, set.name
            );
            let help = "remove the tile from the level, or give the tileset its whole image again";
            BakeError::unsupported(file, cause, help)
        };
        match &set.art {
            Art::Solid(size) => {
                let mut mask = blank(self.level.path(), *size)?;
                mask.fill();
                Ok(mask)
            }
            Art::Images(images) => self.image(images.get(&tile.id).ok_or_else(missing)?),
            Art::Sheet { image, grid, clear } => {
                if let Entry::Vacant(place) = self.sheets.entry(tile.set) {
                    let settings = without(self.settings, *clear);
                    let stills = self.pages.get(image, &settings)?;
                    let [width, height] = stills.first().map_or([0, 0], |still| still.size());
                    let all = [0, 0, width, height];
                    let frames = tiles(image, *grid, all, &stills, self.pages.limits())?;
                    let masks = frames
                        .into_iter()
                        .filter_map(|frame| frame.planes.into_iter().next().map(|(_, mask)| mask));
                    place.insert(masks.collect());
                }
                let masks = self.sheets.get(&tile.set).map_or(&[][..], |masks| masks);
                masks.get(tile.id as usize).cloned().ok_or_else(missing)
            }
        }
    }

    fn image(&self, image: &TileImage) -> Result<Mask, BakeError> {
        let TileImage { path, size, part, clear } = image;
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

/// Returns the mask at another size: a pixel is that of the source below its centre.
pub(super) fn resized(path: &Path, mask: &Mask, size: [u32; 2]) -> Result<Mask, BakeError> {
    let own = [mask.width(), mask.height()];
    if own == size {
        return Ok(mask.clone());
    }
    let mut resized = blank(path, size)?;
    let source = |at: u32, axis: usize| {
        let along = (f64::from(at) + 0.5) * f64::from(own[axis]) / f64::from(size[axis]);
        along.floor() as i32
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
