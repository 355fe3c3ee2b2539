//! The tiles of a level, drawn block by block as they come into view.

use crate::picture::Picture;
use hitmask::{Map, Point, Rect};
use hitmask_bake::LevelArt;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

/// Side of a block in mask pixels.
const BLOCK: i32 = 128;

/// Reads the level of a map in the folder that was baked. Returns `None` if no file there is this map.
#[must_use]
pub fn open_art(folder: &Path, map: &Map) -> Option<LevelArt> {
    LevelArt::open(folder, &map.name, |path| {
        // Of an animation, the first frame.
        let reader = image::ImageReader::open(path).ok()?.with_guessed_format().ok()?;
        let image = reader.decode().ok()?.into_rgba8();
        Some((image.dimensions().into(), image.into_raw()))
    })
}

/// The tiles and tile objects of a level, each block of them drawn once. A block that was seen takes 64 KiB.
#[derive(Debug)]
pub(crate) struct Tiles {
    folder: PathBuf,
    art: LevelArt,
    resolution: f64,
    blocks: HashMap<[i32; 2], Picture>,
}

impl Tiles {
    pub(crate) fn open(folder: &Path, map: &Map, resolution: f32) -> Option<Self> {
        let art = open_art(folder, map)?;
        let (folder, resolution) = (folder.to_owned(), f64::from(resolution));
        Some(Self { folder, art, resolution, blocks: HashMap::new() })
    }

    /// Reads the level again, after an edit. A file that cannot be read leaves the last one.
    pub(crate) fn reload(&mut self, map: &Map) {
        if let Some(art) = open_art(&self.folder, map) {
            self.art = art;
        }
        self.blocks.clear();
    }

    /// Forgets the blocks within `reach` of a rectangle of mask pixels, because something there has changed.
    pub(crate) fn forget(&mut self, rect: Rect, reach: i32) {
        let place = |[x, y]: [i32; 2]| {
            Rect::new(x - reach, y - reach, x + BLOCK + reach, y + BLOCK + reach)
        };
        self.blocks.retain(|&corner, _| place(corner).intersection(rect).is_none());
    }

    /// Draws the mask pixels from `corner` over a picture, each as `zoom` x `zoom` pixels. Objects are drawn if
    /// `is_shown` is true of the id of their item.
    pub(crate) fn draw(
        &mut self,
        picture: &mut Picture,
        corner: [i32; 2],
        zoom: i32,
        is_shown: &dyn Fn(&str) -> bool,
    ) {
        let [columns, rows] = [0, 1].map(|axis| {
            let start = corner[axis].div_euclid(BLOCK) * BLOCK;
            let end = corner[axis] + picture.size()[axis] / zoom + 1;
            (start..end).step_by(BLOCK as usize)
        });
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let block = match self.blocks.entry([x, y]) {
                Entry::Occupied(block) => block.into_mut(),
                Entry::Vacant(place) => {
                    let view =
                        ([x, y].map(|at| f64::from(at) / self.resolution), 1.0 / self.resolution);
                    let rgba = self.art.paint(view, [BLOCK as u32; 2], is_shown);
                    place.insert(Picture::of_rgba(BLOCK as usize, &rgba))
                }
            };
            let at = Point::new((x - corner[0]) * zoom, (y - corner[1]) * zoom);
            picture.draw_zoomed(block, at, zoom);
        }
    }
}
