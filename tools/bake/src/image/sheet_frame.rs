//! The frames of a sheet: tiles of a grid, or packed rectangles that are rotated and trimmed.
//!
//! Used by `frame_source` and the sheet parsers, which state each frame as a [`Region`]. Invariant: a
//! [`Cut`] exists only for whole, non-negative coordinates within the longest mask side.

use super::decode;
use super::frame_fault::FrameFault;
use super::glob_walk::without_image_extension;
use super::image_file::DecodedImage;
use super::triangles::Triangles;
use crate::limits::Cost;
use crate::{BakeError, BakeFault, BakeLimits, Warning};
use hitmask::baking::Frame;
use hitmask::{MAX_PIVOT, MAX_SIDE, Mask, Pivot, Rect};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A grid that cuts a sheet into frames of one size, from the top-left corner.
///
/// ```
/// use hitmask_bake::Grid;
/// let walk = Grid { spacing: [2, 2], count: Some(6), ..Grid::of([32, 48]) };
/// let run = Grid::divided([8, 2]); // 8 columns and 2 rows
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Width and height of a frame in texels. 0 divides the sheet by `columns` or `rows`.
    pub tile: [u32; 2],
    /// Texels to the left of and above the first frame.
    pub margin: [u32; 2],
    /// Texels between two frames, across and down.
    pub spacing: [u32; 2],
    /// Number of frames to take. `None` takes all whole frames of the columns and rows.
    pub count: Option<u32>,
    /// Number of frames across. `None` takes as many as fit.
    pub columns: Option<u32>,
    /// Number of frames down. `None` takes as many as fit.
    pub rows: Option<u32>,
    /// The order of the frames.
    pub order: GridOrder,
}

/// The order in which a [`Grid`] takes frames.
///
/// ```
/// use hitmask_bake::{Grid, GridOrder};
/// let walk = Grid { order: GridOrder::Columns, ..Grid::of([32, 32]) };
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GridOrder {
    /// Row by row, each from left to right.
    #[default]
    Rows,
    /// Column by column, each from top to bottom.
    Columns,
}

impl Grid {
    /// Returns a grid of frames of `tile` texels, without margin or spacing. Takes all whole
    /// frames.
    #[must_use]
    pub const fn of(tile: [u32; 2]) -> Self {
        let (margin, spacing, order) = ([0, 0], [0, 0], GridOrder::Rows);
        Self { tile, margin, spacing, count: None, columns: None, rows: None, order }
    }

    /// Returns a grid that divides a sheet into this number of columns and rows.
    #[must_use]
    pub const fn divided([columns, rows]: [u32; 2]) -> Self {
        Self { columns: Some(columns), rows: Some(rows), ..Self::of([0, 0]) }
    }

    /// Returns the grid with a tile of texels, on a sheet of `size`. `None` if the columns or rows do not
    /// divide the sheet.
    pub(super) fn on(mut self, size: [u32; 2]) -> Option<Self> {
        for (axis, frames) in [self.columns, self.rows].into_iter().enumerate() {
            if let (0, Some(frames)) = (self.tile[axis], frames) {
                let spacing = u64::from(self.spacing[axis]);
                let available = u64::from(size[axis].checked_sub(self.margin[axis])?);
                let all = available.saturating_add(spacing);
                let step = all.checked_div(frames.into())?;
                let is_whole = step.checked_mul(frames.into()) == Some(all);
                let tile = step.checked_sub(spacing).filter(|&tile| tile > 0 && is_whole)?;
                self.tile[axis] = u32::try_from(tile).ok()?;
            }
        }
        Some(self)
    }

    /// Returns the number of whole frames across and down on a sheet of `size`.
    pub(super) fn fits(&self, size: [u32; 2]) -> [u32; 2] {
        [0, 1].map(|axis| {
            let available = u64::from(size[axis].saturating_sub(self.margin[axis]));
            // No sum of 32 bits overflows 64.
            let spacing = u64::from(self.spacing[axis]);
            let step = spacing.saturating_add(self.tile[axis].into());
            let frames = available.saturating_add(spacing).checked_div(step).unwrap_or(0);
            // At most one frame per texel. A tile without texels gives no frames.
            if self.tile[axis] == 0 { 0 } else { frames as u32 }
        })
    }

    /// Returns the corner of frame `index` on a sheet with `[columns, rows]` frames.
    pub(super) fn corner(&self, index: u32, [columns, rows]: [u32; 2]) -> [u32; 2] {
        let along = if self.order == GridOrder::Rows { columns } else { rows };
        debug_assert_ne!(along, 0, "no frame fits");
        let (near, far) = (
            index.checked_rem(along).unwrap_or_default(),
            index.checked_div(along).unwrap_or_default(),
        );
        let cell = if self.order == GridOrder::Rows { [near, far] } else { [far, near] };
        [0, 1].map(|axis| {
            // A frame that lies on the sheet. Its spacing may exceed 32 bits, if it is alone.
            let step = self.tile[axis].saturating_add(self.spacing[axis]);
            self.margin[axis].saturating_add(cell[axis].saturating_mul(step))
        })
    }
}

/// The rotation of an image on its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum PackedRotation {
    /// No rotation.
    #[default]
    Upright,
    /// A quarter turn clockwise.
    Clockwise,
    /// Half a turn.
    HalfTurn,
    /// A quarter turn counter-clockwise.
    CounterClockwise,
}

/// A frame on a page. The creator has checked the coordinates, and that the upright image lies
/// inside the frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cut {
    /// Corner of the rectangle on the page.
    pub(super) from: [u32; 2],
    /// Width and height on the page, after rotation.
    pub(super) size: [u32; 2],
    pub(super) rotation: PackedRotation,
    /// Corner of the upright image in the frame.
    pub(super) at: [u32; 2],
    /// Width and height of the untrimmed frame.
    pub(super) frame: [u32; 2],
    pub(super) pivot: Option<Pivot>,
    /// The part of the frame that counts. `None` means all of it.
    pub(super) triangles: Option<Triangles>,
}

impl Cut {
    /// Returns a cut whose rectangle is the whole frame.
    pub(super) fn whole(from: [u32; 2], size: [u32; 2]) -> Self {
        let (rotation, at) = (PackedRotation::Upright, [0, 0]);
        Self { from, size, rotation, at, frame: size, pivot: None, triangles: None }
    }

    /// Returns a cut without a pixel, of a frame of this size.
    fn blank(frame: [u32; 2]) -> Self {
        Self { frame, ..Self::whole([0; 2], [0; 2]) }
    }

    /// Cuts the frame from the image of a page.
    pub(super) fn frame(&self, page: &DecodedImage) -> Frame {
        let planes = page.planes.iter().map(|(name, mask)| (name.clone(), self.mask(mask)));
        Frame {
            planes: planes.collect(),
            pivot: self.pivot,
            visible: Some(self.upright(&page.visible).count()),
            is_cut: page.is_cut,
            rule: Some(page.rule),
        }
    }

    /// Returns the untrimmed frame.
    fn mask(&self, page: &Mask) -> Mask {
        let upright = self.upright(page);
        if [upright.width(), upright.height()] == self.frame {
            return upright;
        }
        cropped(&upright, self.at.map(|v| (v as i32).saturating_neg()), self.frame)
    }

    /// Returns the trimmed image, not rotated.
    fn upright(&self, page: &Mask) -> Mask {
        let cut = cropped(page, self.from.map(|v| v as i32), self.size);
        let mut upright = match self.rotation {
            PackedRotation::Upright => cut,
            PackedRotation::Clockwise => cut.quarter_turned().quarter_turned().quarter_turned(),
            PackedRotation::HalfTurn => cut.flip_x().flip_y(),
            PackedRotation::CounterClockwise => cut.quarter_turned(),
        };
        if let Some(triangles) = &self.triangles {
            triangles.clip(&mut upright, self.at);
        }
        upright
    }
}

/// Returns `size` pixels of `mask` from the pixel `from`. Pixels outside the mask are clear. All
/// numbers are within the longest mask side.
fn cropped(mask: &Mask, [x, y]: [i32; 2], [width, height]: [u32; 2]) -> Mask {
    let end = |from: i32, len: u32| from.saturating_add_unsigned(len);
    let area = Rect::new(x, y, end(x, width), end(y, height));
    mask.cropped(area).unwrap_or_else(|_| Mask::default())
}

/// What a description has.
pub(super) struct Described {
    /// The sprites by name.
    pub(super) sprites: Vec<(String, Cuts)>,
    /// The scales that it states, of all of its files and pages.
    pub(super) scales: Vec<f64>,
    /// The size that it states for each page. Runtimes ignore it, so it is not validated.
    pub(super) sizes: BTreeMap<PathBuf, [f64; 2]>,
}

impl Described {
    /// Returns the findings about the description with the name `name`. A page of another size than the
    /// stated one belongs to another export, unless it is scaled, or padded to powers of 2.
    pub(super) fn warnings(&self, name: &str) -> Vec<Warning> {
        let sprite = || name.to_owned();
        let stated = self.scales.iter().copied();
        let stated = stated.filter(|&scale| scale > 0.0 && scale.is_finite() && scale != 1.0);
        let mut known: Vec<f64> = stated.collect();
        known.sort_by(f64::total_cmp);
        known.dedup();
        let scaled =
            known.iter().map(|&scale| Warning::Scaled { sprite: sprite(), scale: scale as f32 });
        let other_size = |(path, &stated): (&PathBuf, &[f64; 2])| {
            let size = decode::size(path)?;
            let stem = path.file_stem()?.to_string_lossy();
            let marks = [("@2x", 2.0), ("-hd", 2.0), ("@3x", 3.0), ("@4x", 4.0), ("-ipadhd", 4.0)];
            let of_name = marks.into_iter().find(|&(mark, _)| stem.ends_with(mark));
            let of_name = of_name.map(|(_, scale)| scale);
            let mut scales = known.iter().flat_map(|&scale| [scale, scale.recip()]);
            // Some tools are off by a texel.
            let has =
                |scale: f64| (0..2).all(|i| (f64::from(size[i]) - stated[i] * scale).abs() <= 1.0);
            let stated = stated.map(|side| side as u32);
            let is_padded = stated.map(u32::checked_next_power_of_two) == size.map(Some);
            let is_known = is_padded || has(1.0) || of_name.is_some_and(has) || scales.any(has);
            (!is_known).then(|| Warning::PageSize {
                sprite: sprite(),
                path: path.clone(),
                stated,
                size,
            })
        };
        scaled.chain(self.sizes.iter().filter_map(other_size)).collect()
    }
}

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

/// A named range of the frames of a file.
#[derive(Clone, PartialEq, Deserialize)]
pub(super) struct Tag {
    pub(super) name: String,
    /// The first and the last frame.
    pub(super) from: usize,
    pub(super) to: usize,
}

/// Returns the tags, equal ones once. Two tags of one name with other frames would be one sprite.
pub(super) fn unique(path: &Path, tags: Vec<Tag>) -> Result<Vec<Tag>, BakeError> {
    let mut by_name: HashMap<String, Tag> = HashMap::new();
    let mut unique = Vec::with_capacity(tags.len());
    for tag in tags {
        match by_name.insert(tag.name.clone(), tag.clone()) {
            Some(other) if other != tag => {
                let frames = [[other.from, other.to], [tag.from, tag.to]];
                return Err(BakeError::same_tag(path, &tag.name, frames));
            }
            Some(_) => {}
            None => unique.push(tag),
        }
    }
    Ok(unique)
}

/// Splits an animation of `count` frames into sprites: one per tag, or one if there are no tags.
pub(super) fn tagged<T>(
    name: &str,
    path: &Path,
    count: usize,
    tags: Vec<Tag>,
    frames: impl Fn(Range<usize>) -> T,
) -> Result<Vec<(String, T)>, BakeError> {
    if tags.is_empty() {
        return Ok(vec![(name.to_owned(), frames(0..count))]);
    }
    let sprite = |Tag { name: tag, from, to }| {
        if from > to || to >= count {
            return Err(BakeError::tag(path, &tag, [from, to], count));
        }
        // The last frame is below the number of frames.
        Ok((format!("{name}/{tag}"), frames(from..to.saturating_add(1))))
    };
    unique(path, tags)?.into_iter().map(sprite).collect()
}

/// A frame as stated in a description, in texels, not validated.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// Top-left corner on the page.
    pub(super) from: [f64; 2],
    /// Width and height of the upright image.
    pub(super) size: [f64; 2],
    pub(super) rotation: PackedRotation,
    /// Corner of the trimmed image in the untrimmed frame.
    pub(super) at: [f64; 2],
    /// Width and height of the untrimmed frame.
    pub(super) frame: [f64; 2],
    /// Pivot relative to the corner of the untrimmed frame.
    pub(super) pivot: Option<[f64; 2]>,
    /// The part of the untrimmed frame that the frame owns. `None` means all of it.
    pub(super) triangles: Option<Triangles>,
}

impl Region {
    /// Limits the region to the triangles of a polygon. `vertices` are in the untrimmed frame, and
    /// `on_page` has the same vertices on the page. Without vertices and triangles the whole rectangle
    /// counts.
    pub(super) fn with_polygon(
        self,
        vertices: &[[f64; 2]],
        indices: &[[usize; 3]],
        on_page: Option<&[[f64; 2]]>,
    ) -> Result<Self, FrameFault> {
        if vertices.is_empty() && indices.is_empty() && on_page.is_none_or(<[_]>::is_empty) {
            return Ok(self);
        }
        let ([x, y], [_, height]) = (self.from, self.size);
        let to_page = |vertex: [f64; 2]| {
            let [dx, dy] = [vertex[0] - self.at[0], vertex[1] - self.at[1]];
            match self.rotation {
                PackedRotation::Clockwise => [x + height - dy, y + dx],
                _ => [x + dx, y + dy],
            }
        };
        let triangles = Some(Triangles::new(vertices, indices, on_page, to_page)?);
        Ok(Self { triangles, ..self })
    }

    /// Validates the region of the frame `name` in the description at `path`.
    pub(super) fn checked(&self, path: &Path, name: &str) -> Result<Cut, BakeError> {
        let whole = |[x, y]: [f64; 2]| {
            let limit = f64::from(MAX_SIDE);
            let part = |v: f64| match v {
                v if v.fract() != 0.0 => {
                    Err(FrameFault::new("has a position or size that is not a whole number"))
                } // NaN and infinity too
                v if v < 0.0 => Err(FrameFault::new("has a negative position or size")),
                v if v > limit => Err(FrameFault::too_large()),
                v => Ok(v as u32),
            };
            Ok([part(x)?, part(y)?])
        };
        let cut = || {
            let ([from, size], [at, frame]) =
                ([whole(self.from)?, whole(self.size)?], [whole(self.at)?, whole(self.frame)?]);
            if (0..2).any(|axis| at[axis].saturating_add(size[axis]) > frame[axis]) {
                return Err(FrameFault::trim());
            }
            let size = match self.rotation {
                PackedRotation::Upright | PackedRotation::HalfTurn => size,
                PackedRotation::Clockwise | PackedRotation::CounterClockwise => [size[1], size[0]],
            };
            let pivot = self.pivot.map(pivot).transpose()?;
            let triangles = self.triangles.clone();
            Ok(Cut { from, size, rotation: self.rotation, at, frame, pivot, triangles })
        };
        cut().map_err(|fault: FrameFault| fault.of(path, name))
    }
}

/// Returns the corner of a trimmed image in its frame from an offset of their centres, with y up. It must
/// be the `stated` corner, which is exact, while tools round offsets.
pub(super) fn corner(
    [x, y]: [f64; 2],
    size: [f64; 2],
    frame: [f64; 2],
    stated: Option<[f64; 2]>,
) -> Result<[f64; 2], FrameFault> {
    let corner = [(frame[0] - size[0]) / 2.0 + x, (frame[1] - size[1]) / 2.0 - y];
    let Some(stated) = stated else { return Ok(corner) };
    let is_near = |axis: usize| (stated[axis] - corner[axis]).abs() < 1.0; // false for NaN
    if !is_near(0) || !is_near(1) {
        return Err(FrameFault::new("has an offset that differs from its place before trimming"));
    }
    Ok(stated)
}

/// Rounds a pivot in texels to the nearest half-texel. Ties round up.
pub(super) fn pivot(texels: [f64; 2]) -> Result<Pivot, FrameFault> {
    let [x, y] = texels.map(|texels| (2.0 * texels + 0.5).floor());
    let is_near = |v: f64| v.abs() <= f64::from(MAX_PIVOT); // false for NaN
    if !is_near(x) || !is_near(y) {
        return Err(FrameFault::new("has a pivot that is not a number or is too far away"));
    }
    Ok(Pivot::HalfTexels(x as i32, y as i32))
}

/// Returns the page of the description at `path`, which may name its image. Without that image the page is
/// the image beside it with its own name, and without a name also the only image beside it.
pub(super) fn page_or_own(path: &Path, named: Option<&str>) -> Result<PathBuf, BakeError> {
    let Some(named) = named.filter(|named| !named.trim().is_empty()) else {
        let png = path.with_extension("png");
        let rest = format_args!(" names no image, and there is no {}", png.display());
        let help =
            "name its image in the description, or give the image the name of the description";
        let missing = || BakeError::of_file(BakeFault::NotFound, path, rest, help);
        let beside = Beside::of(path);
        return beside.own().or_else(|| beside.only()).cloned().ok_or_else(missing);
    };
    // Sheets are renamed together with their image, and still name the old one.
    page(path, named).or_else(|error| match error.fault {
        BakeFault::NotFound => Beside::of(path).own().cloned().ok_or(error),
        _ => Err(error),
    })
}

/// The files in the folder of a description.
struct Beside<'p> {
    path: &'p Path,
    /// Each PNG and WebP.
    images: Vec<PathBuf>,
    /// Each other file.
    others: Vec<PathBuf>,
}

impl<'p> Beside<'p> {
    fn of(path: &'p Path) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
        let entries = entries.into_iter().flatten().flatten();
        let files = entries.map(|entry| path.with_file_name(entry.file_name()));
        let is_image = |file: &PathBuf| {
            let extension = file.extension().unwrap_or_default();
            ["png", "webp"].iter().any(|known| extension.eq_ignore_ascii_case(known))
        };
        let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
        files.sort();
        let (images, others) = files.into_iter().partition(is_image);
        Self { path, images, others }
    }

    /// Returns the image with the name of the description.
    fn own(&self) -> Option<&PathBuf> {
        self.images.iter().find(|image| image.file_stem() == self.path.file_stem())
    }

    /// Returns the only image, if no other file has its name.
    fn only(&self) -> Option<&PathBuf> {
        let [image] = &self.images[..] else { return None };
        let has_name = |other: &PathBuf| other.file_stem() == image.file_stem();
        (!self.others.iter().any(has_name)).then_some(image)
    }
}

/// Returns the path of the file `named` in the description at `path`: a page or another
/// description. It must be in the description's folder or below it.
pub(super) fn page(path: &Path, named: &str) -> Result<PathBuf, BakeError> {
    if named.starts_with("data:") {
        let help = "export the image as a file beside the description, and name that file";
        return Err(BakeError::unsupported(path, "the image is embedded, which is not read", help));
    }
    // Tools write both path separators.
    let relative = PathBuf::from(named.replace('\\', "/"));
    let stays =
        relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    // On some systems a colon separates a drive, or a stream of the file.
    if stays && named.contains(':') && !has_drive(named) {
        let rest = format_args!(" names the file {named:?}, which has a colon in its name");
        let help = "rename the file without a colon, here and in the description";
        return Err(BakeError::of_file(BakeFault::Malformed, path, rest, help));
    }
    if !stays || named.contains(['\0', ':']) {
        let rest = format_args!(" names the file {named:?} outside its own folder");
        let help = "move the named file to the folder of the description";
        return Err(BakeError::of_file(BakeFault::Malformed, path, rest, help));
    }
    let names = relative.components().filter(|c| matches!(c, Component::Normal(_)));
    let page = path.with_file_name("").join(names.collect::<PathBuf>());
    if !page.is_file() {
        let rest = format_args!(" names the file {named:?}, which does not exist");
        let help = "put the named file into the folder of the description";
        return Err(BakeError::of_file(BakeFault::NotFound, path, rest, help));
    }
    Ok(page)
}

/// Returns true if a path begins with a drive, such as `C:/`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::dotted;

    #[test]
    fn a_cut_restores_the_upright_image_at_its_place_in_the_frame() {
        let page = dotted(200, 150);
        for (from, [w, h], at, frame) in [
            ([0, 0], [200, 150], [0, 0], [200, 150]),
            ([3, 5], [70, 20], [0, 0], [70, 20]),
            ([63, 1], [65, 64], [1, 2], [80, 90]),
            ([130, 149], [1, 1], [64, 0], [65, 1]),
            ([10, 10], [0, 0], [5, 5], [9, 9]),
        ] {
            for rotation in [
                PackedRotation::Upright,
                PackedRotation::Clockwise,
                PackedRotation::HalfTurn,
                PackedRotation::CounterClockwise,
            ] {
                // The rectangle on the page has the rotated size.
                let size = if matches!(rotation, PackedRotation::Upright | PackedRotation::HalfTurn)
                {
                    [w, h]
                } else {
                    [h, w]
                };
                if from[0] + size[0] > 200 || from[1] + size[1] > 150 {
                    continue;
                }
                let cut = Cut { from, size, rotation, at, frame, pivot: None, triangles: None };
                let mask = cut.mask(&page);
                assert_eq!([mask.width(), mask.height()], frame);
                for y in 0..frame[1] as i32 {
                    for x in 0..frame[0] as i32 {
                        // Pixel (i, j) of the upright image, and its position on the page.
                        let (i, j) = (x - at[0] as i32, y - at[1] as i32);
                        let (w, h) = (w as i32, h as i32);
                        let inside = (0..w).contains(&i) && (0..h).contains(&j);
                        let (u, v) = match rotation {
                            PackedRotation::Upright => (i, j),
                            PackedRotation::Clockwise => (h - 1 - j, i),
                            PackedRotation::HalfTurn => (w - 1 - i, h - 1 - j),
                            PackedRotation::CounterClockwise => (j, w - 1 - i),
                        };
                        let truth = inside && page.get(from[0] as i32 + u, from[1] as i32 + v);
                        assert_eq!(mask.get(x, y), truth, "{cut:?} at {x}, {y}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_grid_counts_only_whole_frames() {
        let grid = Grid { margin: [1, 2], spacing: [3, 0], ..Grid::of([10, 5]) };
        assert_eq!(grid.fits([24, 12]), [2, 2]);
        assert_eq!(grid.fits([23, 11]), [1, 1]);
        assert_eq!(grid.fits([0, 0]), [0, 0]);
        assert_eq!(grid.corner(3, [2, 2]), [14, 7]);
        let down = Grid { order: GridOrder::Columns, ..grid };
        assert_eq!((down.corner(1, [2, 2]), down.corner(2, [2, 2])), ([1, 7], [14, 2]));
        let divided = Grid { margin: [1, 0], spacing: [3, 0], ..Grid::divided([2, 4]) };
        assert_eq!(divided.on([24, 12]).map(|grid| grid.tile), Some([10, 3]));
        assert_eq!(divided.on([25, 12]), None);
        assert_eq!(
            (Grid::divided([0, 1]).on([9, 9]), Grid::divided([9, 10]).on([9, 9])),
            (None, None)
        );
        assert_eq!(Grid::of([0, 4]).fits([9, 9]), [0, 2]);
        let vast = Grid { spacing: [u32::MAX; 2], ..Grid::of([u32::MAX; 2]) };
        assert_eq!(vast.fits([16_384, 16_384]), [0, 0]);
        assert_eq!(Grid { margin: [9, 0], ..Grid::of([4, 4]) }.fits([8, 8]), [0, 2]);
    }
}
