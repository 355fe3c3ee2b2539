//! The tilesets of a level: its tiles by the rectangles that they have in their images.
//!
//! Called by `ldtk`.

use super::super::level::{Art, Tile, TileImage, TileRef, Tileset, Turn};
use super::{Reader, file, format, path};
use crate::error::{BakeError, BakeFault};
use crate::image::grid::Grid;
use std::collections::BTreeMap;
use std::fmt::Arguments;

impl<'r> Reader<'r> {
    /// Returns the definition of a tileset.
    pub(super) fn sheet(
        &self,
        at: Arguments<'_>,
        uid: i64,
    ) -> Result<&'r format::Tileset, BakeError> {
        let sheet = self.definitions.sheets.get(&uid);
        sheet.ok_or_else(|| self.malformed(at, format_args!("no tileset has uid {uid}")))
    }

    /// Returns true if a rectangle is on the image of a tileset. Counts it as stale otherwise.
    pub(super) fn is_on_image(
        &mut self,
        at: Arguments<'_>,
        sheet: &format::Tileset,
        rect @ [x, y, width, height]: [u32; 4],
    ) -> bool {
        let is_within = |from: u32, side: u32, all: u32| {
            side > 0 && from.checked_add(side).is_some_and(|to| to <= all)
        };
        if is_within(x, width, sheet.pxWid) && is_within(y, height, sheet.pxHei) {
            return true;
        }
        if self.stale == 0 {
            let (name, [width, height]) = (&sheet.identifier, [sheet.pxWid, sheet.pxHei]);
            self.first_stale = format!(
                "{at}: the rectangle {rect:?} is not within tileset {name:?} of {width} x {height} pixels"
            );
        }
        self.stale = self.stale.saturating_add(1);
        false
    }

    /// Returns the tile at a rectangle on the image of a tileset.
    pub(super) fn tile(
        &mut self,
        at: Arguments<'_>,
        uid: i64,
        rect: [u32; 4],
    ) -> Result<TileRef, BakeError> {
        let sheet = self.sheet(at, uid)?;
        let Some(named) = &sheet.relPath else {
            let rest = format_args!(": {at}: tileset {:?} has no image", sheet.identifier);
            let help = "choose an image for the tileset in LDtk, or hide the layer: the icons of LDtk are not read";
            return Err(BakeError::of_file(BakeFault::Unsupported, &self.file, rest, help));
        };
        let [_, _, width, height] = rect;
        let id = sheet.number(rect);
        let key = (uid, if id.is_some() { None } else { Some(rect) });
        let set = match self.sets.get(&key) {
            Some(&set) => set,
            None => {
                let set = self.next_set(at)?;
                let tileset = self.tileset(sheet, named, id.is_some())?;
                self.level.tilesets.push(tileset);
                self.sets.insert(key, set);
                set
            }
        };
        let id = id.unwrap_or(0);
        if let Art::Images(images) = &mut self.level.tilesets[usize::from(set)].art {
            images.entry(id).or_insert_with(|| {
                let (path, size) = (path(self.project, named), [width, height]);
                TileImage { path, size, part: Some(rect), clear: None, fault: None }
            });
        }
        Ok(TileRef { id, set, turn: Turn::default() })
    }

    /// Returns the tileset of the grid of an image, or one for another part of it.
    fn tileset(
        &mut self,
        sheet: &'r format::Tileset,
        named: &str,
        is_grid: bool,
    ) -> Result<Tileset, BakeError> {
        let found = file(self.project, named, "image");
        let fault = found.as_ref().err().cloned();
        let image = found.unwrap_or_default();
        if fault.is_none() && !self.level.files.contains(&image) {
            self.level.files.push(image.clone());
        }
        self.spend(sheet.identifier.len().saturating_add(size_of::<Tileset>()))?;
        let mut tiles: BTreeMap<u32, Tile> = BTreeMap::new();
        let ids = |tag: &'r format::EnumTag| {
            tag.tileIds.iter().map(|&id| (id, tag.enumValueId.as_str(), "true"))
        };
        let tags = sheet.enumTags.iter().flat_map(ids);
        let data = sheet.customData.iter().map(|it| (it.tileId, "data", it.data.as_str()));
        for (id, key, value) in tags.chain(data).filter(|_| is_grid) {
            let text = key.len().saturating_add(value.len());
            self.spend(text.saturating_add(size_of::<Tile>()))?;
            let properties = &mut tiles.entry(id).or_default().properties;
            properties.push((key.to_owned(), value.to_owned()));
        }
        // LDtk counts columns that lie on the image in part. Those of a `Grid` are whole.
        let step = sheet.tileGridSize.saturating_add(sheet.spacing);
        let all = sheet.pxWid.saturating_sub(sheet.padding).saturating_add(sheet.spacing);
        let has_columns = all.checked_div(step).is_some_and(|whole| sheet.__cWid <= whole);
        let art = if is_grid && has_columns {
            let (margin, spacing) = ([sheet.padding; 2], [sheet.spacing; 2]);
            let columns = Some(sheet.__cWid);
            let grid = Grid { margin, spacing, columns, ..Grid::of([sheet.tileGridSize; 2]) };
            Art::Sheet { image, grid, clear: None }
        } else {
            Art::Images(BTreeMap::new())
        };
        Ok(Tileset { fault, ..Tileset::new(&sheet.identifier, art, tiles) })
    }

    /// Returns the index of the next tileset of the level.
    pub(super) fn next_set(&self, at: Arguments<'_>) -> Result<u16, BakeError> {
        let set = u16::try_from(self.level.tilesets.len());
        set.map_err(|_| self.malformed(at, "a level has at most 65,536 tilesets"))
    }
}
