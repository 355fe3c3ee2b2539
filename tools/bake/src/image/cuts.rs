//! Named frames on pages: [`Cuts`], and the checks of all frames of a description.
//!
//! Made by the readers of descriptions, cut by `frame_source`.

use super::cut::Cut;
use super::frame_fault::FrameFault;
use super::glob_walk::without_image_extension;
use super::image_file::DecodedImage;
use super::triangles::Triangles;
use crate::error::BakeError;
use crate::limits::{BakeLimits, Cost};
use hitmask::baking::Frame;
use hitmask::{Mask, Rect};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The rectangles of slices in an untrimmed frame, by name. A hidden slice has no area.
pub(super) type Boxes = Vec<(String, Rect)>;

/// Named frames on pages, from one or more descriptions.
#[derive(Clone, Debug, Hash)]
pub(crate) struct Cuts {
    /// The paths of the descriptions. The first is the one that was opened.
    pub(super) sheets: Vec<PathBuf>,
    pub(super) pages: Vec<PathBuf>,
    cuts: Vec<NamedCut>,
    /// True if the program that wrote the description has slices.
    has_slices: bool,
}

/// A frame, and where it comes from.
#[derive(Clone, Debug, Hash)]
struct NamedCut {
    /// Index of the description.
    sheet: usize,
    /// Index of the page.
    page: usize,
    name: String,
    cut: Cut,
    /// The slices at the frame. `None` if the description does not show them.
    boxes: Option<Boxes>,
}

impl Cuts {
    /// Returns the cuts of the description at `sheet`, without frames.
    pub(super) fn new(sheet: &Path) -> Self {
        let (sheets, pages) = (vec![sheet.to_owned()], Vec::new());
        Self { sheets, pages, cuts: Vec::new(), has_slices: false }
    }

    /// Starts another description: frames that are added from now on come from it.
    pub(super) fn sheet(&mut self, sheet: &Path) {
        self.sheets.push(sheet.to_owned());
    }

    /// Adds a page and returns its index.
    pub(super) fn page(&mut self, page: PathBuf) -> usize {
        let index = self.pages.len();
        self.pages.push(page);
        index
    }

    /// Adds a frame of the newest description and returns its index.
    pub(super) fn add(&mut self, page: usize, name: &str, cut: Cut) -> usize {
        self.push(page, name, cut, None)
    }

    /// Adds a frame of a program that has slices.
    pub(super) fn add_with_slices(
        &mut self,
        page: usize,
        name: &str,
        cut: Cut,
        boxes: Option<Boxes>,
    ) -> usize {
        self.has_slices = true;
        self.push(page, name, cut, boxes)
    }

    fn push(&mut self, page: usize, name: &str, cut: Cut, boxes: Option<Boxes>) -> usize {
        // There is a first sheet.
        let sheet = self.sheets.len().saturating_sub(1);
        let index = self.cuts.len();
        self.cuts.push(NamedCut { sheet, page, name: name.to_owned(), cut, boxes });
        index
    }

    /// Adds an empty frame of the size and page of the frame `like`, and returns its index.
    pub(super) fn add_blank(&mut self, like: usize, boxes: Option<Boxes>) -> usize {
        let index = self.cuts.len();
        let like = &self.cuts[like];
        self.cuts.push(NamedCut { cut: Cut::blank(like.cut.frame), boxes, ..like.clone() });
        index
    }

    pub(super) fn len(&self) -> usize {
        self.cuts.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.cuts.iter().map(|cut| cut.name.as_str())
    }

    /// Returns the sizes of the trimmed frames, in texels.
    pub(super) fn sizes(&self) -> impl Iterator<Item = [u32; 2]> {
        self.cuts.iter().map(|cut| cut.cut.size)
    }

    /// Returns an error if two frames have the same name.
    pub(super) fn check_names(&self) -> Result<(), BakeError> {
        let mut seen = HashSet::new();
        match self.cuts.iter().find(|cut| !seen.insert(cut.name.as_str())) {
            Some(cut) => {
                let help = "give each frame a name of its own, and export the sheet again";
                Err(self.fault(cut, FrameFault::new("is described twice").help(help)))
            }
            None => Ok(()),
        }
    }

    fn fault(&self, cut: &NamedCut, fault: FrameFault) -> BakeError {
        fault.of(&self.sheets[cut.sheet], &cut.name)
    }

    /// Returns the frames with these indices.
    pub(super) fn select(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        let mut cuts: Vec<_> = indices.into_iter().map(|i| self.cuts[i].clone()).collect();
        // Keeps the pages that the frames use, each once.
        let mut used: Vec<usize> = cuts.iter().map(|cut| cut.page).collect();
        used.sort_unstable();
        used.dedup();
        for cut in &mut cuts {
            cut.page = used.partition_point(|&used| used < cut.page);
        }
        let pages = used.iter().map(|&page| self.pages[page].clone()).collect();
        Self { sheets: self.sheets.clone(), pages, cuts, has_slices: self.has_slices }
    }

    /// Cuts the frames. `decoded` has the images of each page, and `slices` the names of slices to add as
    /// planes.
    pub(super) fn frames(
        &self,
        decoded: &[Arc<[DecodedImage]>],
        slices: &[String],
    ) -> Result<Vec<Frame>, BakeError> {
        let mut frames = Vec::with_capacity(self.cuts.len());
        for cut in &self.cuts {
            let Some(still) = decoded[cut.page].first() else { continue };
            let (size, at) = (still.size(), &cut.cut);
            if (0..2).any(|axis| at.from[axis].saturating_add(at.size[axis]) > size[axis]) {
                return Err(self.fault(cut, FrameFault::outside_page(size)));
            }
            let mut frame = at.frame(still);
            // Behind the body, before the planes by threshold.
            let behind = frame.planes.len().min(1);
            for (place, slice) in (behind..).zip(slices).filter(|_| self.has_slices) {
                frame.planes.insert(place, (slice.clone(), self.slice(cut, slice)?));
            }
            frames.push(frame);
        }
        Ok(frames)
    }

    /// Returns the plane of a slice at a frame.
    fn slice(&self, cut: &NamedCut, slice: &str) -> Result<Mask, BakeError> {
        let path = &self.sheets[cut.sheet];
        let Some(boxes) = &cut.boxes else {
            let cause = "the names of the frames do not show their numbers";
            return Err(BakeError::unclear_frames(path, slice, cause));
        };
        let names: Vec<&str> = boxes.iter().map(|(name, _)| name.as_str()).collect();
        if !names.contains(&slice) {
            return Err(BakeError::no_slice(path, slice, &names));
        }
        let [width, height] = cut.cut.frame;
        let mask = Mask::new(width, height);
        let mut mask = mask.map_err(|_| self.fault(cut, FrameFault::too_large()))?;
        for (_, area) in boxes.iter().filter(|(name, _)| name == slice) {
            mask.fill_rect(*area, true);
        }
        Ok(mask)
    }
}

/// Returns the frames of the description at `path`, each as a sprite `name/frame`.
pub(super) fn one_sprite_each(
    name: &str,
    path: &Path,
    cuts: &Cuts,
) -> Result<Vec<(String, Cuts)>, BakeError> {
    if cuts.is_empty() {
        return Err(BakeError::no_frames(path));
    }
    cuts.check_names()?;
    let sprite =
        |(i, frame)| (format!("{name}/{}", without_image_extension(frame)), cuts.select([i]));
    Ok(cuts.names().enumerate().map(sprite).collect())
}

/// Checks the limits on frames and texels for all sprites of the description at `path`. A few bytes can claim
/// thousands of frames of the largest size.
pub(super) fn limited(
    path: &Path,
    sprites: &[(String, Cuts)],
    limits: &BakeLimits,
) -> Result<(), BakeError> {
    let area = |cut: &NamedCut| {
        let [width, height] = cut.cut.frame.map(u64::from);
        let triangles = cut.cut.triangles.as_ref().map_or(0, Triangles::cost);
        width.saturating_mul(height).saturating_add(triangles)
    };
    let cuts = sprites.iter().flat_map(|(_, cuts)| &cuts.cuts);
    limits.check(Cost::Frames, cuts.clone().count() as u64, path)?;
    let texels = cuts.map(area).fold(0, u64::saturating_add);
    limits.check(Cost::UntrimmedTexels, texels, path)
}
