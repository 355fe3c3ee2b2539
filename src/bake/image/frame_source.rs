//! Where the frames of a sprite come from: a file is opened to recipes, and a recipe gives frames when
//! the bake is written.

use super::sheet_frame::{Cut, Cuts, Grid, tagged};
use super::{Pages, aseprite, decode, json, libgdx, tiled};
use crate::bake::solidify::{Frame, Still};
use crate::bake::{BakeError, Settings};
use crate::geom::Flip;
use crate::raster::Pivot;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How a file is taken apart into sprites.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::bake) struct Options {
    /// Cuts each image by a grid.
    pub(in crate::bake) grid: Option<Grid>,
    /// Makes a sprite of each of a file's tags.
    pub(in crate::bake) tags: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { grid: None, tags: true }
    }
}

/// The sprites of the file at `path`, which is called `name`. Reads descriptions, but no pixels.
pub(in crate::bake) fn open(
    name: &str,
    path: &Path,
    options: &Options,
) -> Result<Vec<(String, Recipe)>, BakeError> {
    let one = |recipe| Ok(vec![(name.to_owned(), recipe)]);
    let whole = || one(Recipe::Whole(path.to_owned()));
    let cut = |found: Vec<(String, Cuts)>| {
        Ok(found.into_iter().map(|(name, cuts)| (name, Recipe::Cuts(cuts))).collect())
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match (ending.to_ascii_lowercase().as_str(), options.grid) {
        ("json", _) => cut(json::sprites(name, path, options.tags)?),
        ("atlas", _) => cut(libgdx::sprites(name, path)?),
        ("tsx", _) => one(Recipe::Drawn(tiled::frames(path)?)),
        (_, Some(grid)) => one(Recipe::Tiles(path.to_owned(), grid)),
        ("ase" | "aseprite", None) => {
            let (count, tags) = aseprite::tags(path)?;
            if tags.is_empty() || !options.tags {
                return whole();
            }
            tagged(name, path, count, &tags, |frames| Recipe::Some(path.to_owned(), frames))
        }
        _ => whole(),
    }
}

/// How the frames of one sprite come out of image files.
#[derive(Clone, Debug, Hash)]
pub(in crate::bake) enum Recipe {
    /// Every image of a file that no other source reads.
    Whole(PathBuf),
    /// Some of the images of a file: those of a tag.
    Some(PathBuf, Range<usize>),
    /// The tiles of a sheet.
    Tiles(PathBuf, Grid),
    /// Frames that a description finds on pages.
    Cuts(Cuts),
    /// The frames of several, one after the other.
    Joined(Vec<Self>),
    /// The frames of another, mirrored, or with a pivot that its size decides.
    Arranged(Box<Self>, Arrangement),
    /// Frames drawn from shapes when the file was opened: no file is read again.
    Drawn(Vec<Frame>),
}

impl Recipe {
    /// The same, arranged.
    pub(in crate::bake) fn arranged(self, flip: Flip, anchor: Option<Anchor>) -> Self {
        match Arrangement::new(flip, anchor) {
            Some(arrangement) => Self::Arranged(Box::new(self), arrangement),
            None => self,
        }
    }

    /// True where it is the whole of one of these files.
    pub(in crate::bake) fn is_whole_of(&self, files: &BTreeSet<PathBuf>) -> bool {
        match self {
            Self::Whole(path) => files.contains(path),
            Self::Arranged(recipe, _) => recipe.is_whole_of(files),
            _ => false,
        }
    }

    /// The files it reads.
    pub(in crate::bake) fn files(&self) -> Vec<&Path> {
        match self {
            Self::Whole(path) | Self::Some(path, _) | Self::Tiles(path, _) => vec![path],
            Self::Cuts(cuts) => {
                std::iter::once(&cuts.sheet).chain(&cuts.pages).map(PathBuf::as_path).collect()
            }
            Self::Joined(parts) => parts.iter().flat_map(Self::files).collect(),
            Self::Arranged(recipe, _) => recipe.files(),
            Self::Drawn(_) => Vec::new(),
        }
    }

    /// The pages that it cuts frames out of.
    pub(in crate::bake) fn pages(&self) -> &[PathBuf] {
        match self {
            Self::Cuts(cuts) => &cuts.pages,
            _ => &[],
        }
    }

    /// Reads and decodes.
    pub(in crate::bake) fn frames(
        &self,
        settings: &Settings,
        pages: &Pages,
    ) -> Result<Cow<'_, [Frame]>, BakeError> {
        let frames = match self {
            Self::Drawn(frames) => return Ok(Cow::Borrowed(frames)),
            Self::Whole(path) => decode::stills(path, settings)?.iter().map(Still::frame).collect(),
            Self::Some(path, range) => {
                let stills = pages.get(path, settings)?;
                let some = stills.get(range.clone()).unwrap_or_default();
                some.iter().map(Still::frame).collect()
            }
            Self::Tiles(path, grid) => tiles(path, grid, &pages.get(path, settings)?)?,
            Self::Cuts(cuts) => {
                let decoded = cuts.pages.iter().map(|page| pages.get(page, settings));
                cuts.frames(&decoded.collect::<Result<Vec<_>, _>>()?)?
            }
            Self::Joined(parts) => {
                let mut frames = Vec::new();
                for part in parts {
                    frames.extend(part.frames(settings, pages)?.into_owned());
                }
                frames
            }
            Self::Arranged(recipe, arrangement) => {
                let mut frames = recipe.frames(settings, pages)?.into_owned();
                frames.iter_mut().for_each(|frame| arrangement.apply(frame));
                frames
            }
        };
        Ok(Cow::Owned(frames))
    }
}

/// The frames of a sheet: the first image of its file, cut by a grid.
fn tiles(path: &Path, grid: &Grid, stills: &[Still]) -> Result<Vec<Frame>, BakeError> {
    let Some(sheet) = stills.first() else { return Ok(Vec::new()) };
    if grid.tile.contains(&0) {
        return Err(BakeError::Tile { path: path.to_owned(), tile: grid.tile });
    }
    let size = sheet.size();
    let [columns, rows] = grid.fits(size);
    let fit = columns * rows;
    let count = grid.count.unwrap_or(fit);
    if count == 0 || count > fit {
        return Err(BakeError::Grid { path: path.to_owned(), size, fit, count });
    }
    let cut = |i| Cut::whole(grid.corner(i, columns), grid.tile).frame(sheet);
    Ok((0..count).map(cut).collect())
}

/// A corner of a frame, the middle of a side, or its centre: how many halves of the width and of
/// the height it lies from the top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::bake) struct Anchor {
    pub(in crate::bake) halves: [u8; 2],
}

/// What a manifest may do to frames after they are decoded: mirror them, and name a point of theirs as
/// the pivot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::bake) struct Arrangement {
    flip: Flip,
    anchor: Option<Anchor>,
}

impl Arrangement {
    /// `None` where nothing would change.
    fn new(flip: Flip, anchor: Option<Anchor>) -> Option<Self> {
        (flip != Flip::default() || anchor.is_some()).then_some(Self { flip, anchor })
    }

    /// Mirrors the frame and the pivot that its file gave it; then sets the pivot, if it has none.
    fn apply(&self, frame: &mut Frame) {
        let size = frame.planes.first().map_or([0, 0], |(_, mask)| [mask.width(), mask.height()]);
        let [width, height] = size.map(|side| side as i32);
        for (_, mask) in &mut frame.planes {
            if self.flip.x {
                *mask = mask.flip_x();
            }
            if self.flip.y {
                *mask = mask.flip_y();
            }
        }
        if let Some(Pivot::HalfTexels(x, y)) = &mut frame.pivot {
            *x = if self.flip.x { 2 * width - *x } else { *x };
            *y = if self.flip.y { 2 * height - *y } else { *y };
        }
        let anchored = self.anchor.map(|Anchor { halves: [x, y] }| {
            // Half a side in texels is the whole side in half-texels.
            Pivot::HalfTexels(width * i32::from(x), height * i32::from(y))
        });
        frame.pivot = frame.pivot.or(anchored);
    }
}
