use super::Pages;
use super::arrange::{Anchor, Arrangement, Flip};
use super::cut::Cut;
use super::decode;
use super::still::Still;
use crate::bake::frame::Frame;
use crate::bake::{BakeError, FrameFault, Grid, Settings};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

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
            Self::Cuts(cuts) => cuts.frames(settings, pages)?,
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

/// Named frames on pages, as a description has them.
#[derive(Clone, Debug, Hash)]
pub(in crate::bake) struct Cuts {
    /// The description.
    sheet: PathBuf,
    pages: Vec<PathBuf>,
    /// The index of its page, its name, and where it lies, for each.
    cuts: Vec<(usize, String, Cut)>,
}

impl Cuts {
    /// Of the description at `sheet`; no frames so far.
    pub(super) fn new(sheet: &Path) -> Self {
        Self { sheet: sheet.to_owned(), pages: Vec::new(), cuts: Vec::new() }
    }

    /// The index of a page.
    pub(super) fn page(&mut self, page: PathBuf) -> usize {
        self.pages.push(page);
        self.pages.len() - 1
    }

    /// Adds a frame and gives its index.
    pub(super) fn add(&mut self, page: usize, name: &str, cut: Cut) -> usize {
        self.cuts.push((page, name.to_owned(), cut));
        self.cuts.len() - 1
    }

    pub(super) fn len(&self) -> usize {
        self.cuts.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.cuts.iter().map(|(_, name, _)| name.as_str())
    }

    /// The frames of these indices alone.
    pub(super) fn some(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        let cuts: Vec<_> = indices.into_iter().map(|i| self.cuts[i].clone()).collect();
        Self { cuts, ..Self::new(&self.sheet) }.with_pages(&self.pages)
    }

    /// The pages that the frames lie on, each once.
    fn with_pages(mut self, pages: &[PathBuf]) -> Self {
        let mut used: Vec<usize> = self.cuts.iter().map(|(page, ..)| *page).collect();
        used.sort_unstable();
        used.dedup();
        self.pages = used.iter().map(|&page| pages[page].clone()).collect();
        for (page, ..) in &mut self.cuts {
            *page = used.partition_point(|used| used < page);
        }
        self
    }

    fn frames(&self, settings: &Settings, pages: &Pages) -> Result<Vec<Frame>, BakeError> {
        let decoded = self.pages.iter().map(|page| pages.get(page, settings));
        let decoded: Vec<_> = decoded.collect::<Result<_, _>>()?;
        let mut frames = Vec::with_capacity(self.cuts.len());
        for (page, name, cut) in &self.cuts {
            let Some(still) = decoded[*page].first() else { continue };
            let size = still.size();
            if (0..2).any(|axis| cut.from[axis] + cut.size[axis] > size[axis]) {
                return Err(BakeError::Frame {
                    path: self.sheet.clone(),
                    frame: name.clone(),
                    fault: FrameFault::OutsidePage { page: size },
                });
            }
            frames.push(cut.frame(still));
        }
        Ok(frames)
    }
}
