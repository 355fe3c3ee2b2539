//! Recipes: where the frames of a sprite come from.
//!
//! `inputs` and `manifest` open files to recipes, which reads descriptions but no pixels. A recipe
//! gives its frames when the bake is written.

use super::image_file::DecodedImage;
use super::sheet_frame::{Cut, Cuts, Grid, limited, tagged};
use super::{Pages, aseprite, decode, json, libgdx, plist, starling, tiled};
use crate::limits::Cost;
use crate::text::Text;
use crate::{BakeError, BakeFault, BakeLimits, SourceSettings};
use hitmask::Flip;
use hitmask::Pivot;
use hitmask::baking::Frame;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How a file is split into sprites.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// Cuts each image by a grid.
    pub(crate) grid: Option<Grid>,
    /// Makes one sprite per tag of a file.
    pub(crate) tags: bool,
    pub(crate) limits: BakeLimits,
}

/// Returns the sprites of the file at `path` with the name `name`. Reads descriptions, but no
/// pixels.
pub(crate) fn open(
    name: &str,
    path: &Path,
    options: &Options,
) -> Result<Vec<(String, Recipe)>, BakeError> {
    let one = |recipe| Ok(vec![(name.to_owned(), recipe)]);
    let whole = || one(Recipe::Whole(path.to_owned()));
    let drawn = || {
        let tiled::Tileset { frames, files } = tiled::read(path, &options.limits)?;
        one(Recipe::Drawn { frames, files })
    };
    let cut = |found: Vec<(String, Cuts)>| {
        limited(path, &found, &options.limits)?;
        Ok(found.into_iter().map(|(name, cuts)| (name, Recipe::Cuts(cuts))).collect())
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match (ending.to_ascii_lowercase().as_str(), options.grid) {
        ("tsx" | "tsj", _) => drawn(),
        ("json", _) if tiled::is_tiled(&Text::read(path)?.text) => drawn(),
        ("json", _) => cut(json::sprites(name, path, options.tags)?),
        ("atlas", _) => cut(libgdx::sprites(name, path)?),
        ("plist", _) => cut(plist::sprites(name, path)?),
        ("xml", _) => cut(starling::sprites(name, path)?),
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

/// The source of one sprite's frames.
#[derive(Clone, Debug, Hash)]
pub(crate) enum Recipe {
    /// All images of a file that no other source reads.
    Whole(PathBuf),
    /// A range of the images of a file: those of a tag.
    Some(PathBuf, Range<usize>),
    /// The tiles of a sheet.
    Tiles(PathBuf, Grid),
    /// Frames on pages, from a description.
    Cuts(Cuts),
    /// The frames of several recipes, one after the other.
    Joined(Vec<Self>),
    /// The frames of another recipe, mirrored, or with a pivot that depends on their size.
    Arranged(Box<Self>, Arrangement),
    /// Frames drawn from the shapes of some files when they were opened. No file is read later.
    Drawn { frames: Vec<Frame>, files: Vec<PathBuf> },
}

impl Recipe {
    /// Adds a flip and an anchor to the recipe.
    pub(crate) fn arranged(self, flip: Flip, anchor: Option<Anchor>) -> Self {
        match Arrangement::new(flip, anchor) {
            Some(arrangement) => Self::Arranged(Box::new(self), arrangement),
            None => self,
        }
    }

    /// Returns true if the recipe is all of one of these files.
    pub(crate) fn is_whole_of(&self, files: &BTreeSet<PathBuf>) -> bool {
        match self {
            Self::Whole(path) => files.contains(path),
            Self::Arranged(recipe, _) => recipe.is_whole_of(files),
            _ => false,
        }
    }

    /// Returns the files that the recipe reads.
    pub(crate) fn files(&self) -> Vec<&Path> {
        match self {
            Self::Whole(path) | Self::Some(path, _) | Self::Tiles(path, _) => vec![path],
            Self::Cuts(cuts) => {
                cuts.sheets.iter().chain(&cuts.pages).map(PathBuf::as_path).collect()
            }
            Self::Joined(parts) => parts.iter().flat_map(Self::files).collect(),
            Self::Arranged(recipe, _) => recipe.files(),
            Self::Drawn { files, .. } => files.iter().map(PathBuf::as_path).collect(),
        }
    }

    /// Returns the pages that the recipe cuts frames from.
    pub(crate) fn pages(&self) -> &[PathBuf] {
        match self {
            Self::Cuts(cuts) => &cuts.pages,
            _ => &[],
        }
    }

    /// Reads and decodes the frames.
    pub(crate) fn frames(
        &self,
        settings: &SourceSettings,
        pages: &Pages,
    ) -> Result<Cow<'_, [Frame]>, BakeError> {
        let frames = match self {
            Self::Drawn { frames, .. } => return Ok(Cow::Borrowed(frames)),
            Self::Whole(path) => {
                let stills = decode::stills(path, settings, pages.limits())?;
                stills.iter().map(DecodedImage::frame).collect()
            }
            Self::Some(path, range) => {
                let stills = pages.get(path, settings)?;
                let some = stills.get(range.clone()).unwrap_or_default();
                some.iter().map(DecodedImage::frame).collect()
            }
            Self::Tiles(path, grid) => {
                tiles(path, grid, &pages.get(path, settings)?, pages.limits())?
            }
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

/// Cuts the first image of a file into the tiles of a grid.
fn tiles(
    path: &Path,
    grid: &Grid,
    stills: &[DecodedImage],
    limits: &BakeLimits,
) -> Result<Vec<Frame>, BakeError> {
    let Some(sheet) = stills.first() else { return Ok(Vec::new()) };
    if grid.tile.contains(&0) {
        let (path_text, [width, height]) = (path.display(), grid.tile);
        let cause = format!("the grid for {path_text} has tiles of {width} x {height} texels");
        let help = "set both sides of the tile to at least 1 texel";
        return Err(BakeError::new(BakeFault::Option, cause, help).of(path));
    }
    let size = sheet.size();
    let [columns, rows] = grid.fits(size);
    // At most one frame per texel of the sheet.
    let fit = columns.saturating_mul(rows);
    let count = grid.count.unwrap_or(fit);
    if count == 0 || count > fit {
        let [width, height] = size;
        let rest = format_args!(
            " has {width} x {height} texels and {fit} whole frames of the grid, but {count} are requested"
        );
        let help = "check tile, margin, spacing and count";
        return Err(BakeError::of_file(BakeFault::Option, path, rest, help));
    }
    limits.check(Cost::Frames, count.into(), path)?;
    let cut = |i| Cut::whole(grid.corner(i, columns), grid.tile).frame(sheet);
    Ok((0..count).map(cut).collect())
}

/// A corner, side middle or centre of a frame, as a multiple of half the width and height from the
/// top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Anchor {
    pub(crate) halves: [u8; 2],
}

/// Changes that a manifest makes to decoded frames: mirroring, and a pivot at an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Arrangement {
    flip: Flip,
    anchor: Option<Anchor>,
}

impl Arrangement {
    /// Returns `None` if nothing would change.
    fn new(flip: Flip, anchor: Option<Anchor>) -> Option<Self> {
        (flip != Flip::default() || anchor.is_some()).then_some(Self { flip, anchor })
    }

    /// Mirrors the frame and the pivot from its file. Then sets the pivot, if the frame has none.
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
            // Sides and pivots have at most 17 bits.
            let mirrored = |side: i32, at: i32| side.saturating_mul(2).saturating_sub(at);
            *x = if self.flip.x { mirrored(width, *x) } else { *x };
            *y = if self.flip.y { mirrored(height, *y) } else { *y };
        }
        let anchored = self.anchor.map(|Anchor { halves: [x, y] }| {
            // Half a side in texels equals the whole side in half-texels.
            Pivot::HalfTexels(width.saturating_mul(x.into()), height.saturating_mul(y.into()))
        });
        frame.pivot = frame.pivot.or(anchored);
    }
}
