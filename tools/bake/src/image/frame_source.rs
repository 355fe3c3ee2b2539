//! Recipes: where the frames of a sprite come from.
//!
//! `inputs` and `manifest` open files to recipes, which reads descriptions but no pixels. A recipe
//! gives its frames when the bake is written.

use super::cut::Cut;
use super::cuts::{Cuts, limited};
use super::decode::{self, Images, Pages};
use super::described::Described;
use super::grid::{Grid, tiles};
use super::image_file::DecodedImage;
use super::level::{self, Level, LevelMap, Part};
use super::tags::tagged;
use super::{aseprite, json, libgdx, plist, starling, tiled};
use crate::binary::{Digest, digest};
use crate::error::{BakeError, BakeFault};
use crate::limits::BakeLimits;
use crate::map_rule::MapRule;
use crate::settings::SourceSettings;
use crate::text::Text;
use hitmask::baking::Frame;
use hitmask::{Flip, Map, Pivot, Settings, Warning};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is split into sprites.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// Cuts each image by a grid.
    pub(crate) grid: Option<Grid>,
    /// Takes one region of each image: left, top, width and height.
    pub(crate) rect: Option<[u32; 4]>,
    /// Makes one sprite per tag of a file.
    pub(crate) tags: bool,
    /// What the tiles and objects of levels become.
    pub(crate) rules: Vec<MapRule>,
    /// Shows all pictures of an animated tile of a level at once.
    pub(crate) motion_frame: bool,
    /// The steps in a full turn at which objects of levels are drawn.
    pub(crate) angles: u32,
    pub(crate) limits: BakeLimits,
}

impl Options {
    /// Returns how files are split without further keys, by these settings.
    pub(crate) fn of(settings: &SourceSettings, limits: BakeLimits) -> Self {
        let (rules, motion_frame) = (settings.map.clone(), settings.sprite.motion_frame);
        let angles = settings.sure_steps();
        Self { grid: None, rect: None, tags: true, rules, motion_frame, angles, limits }
    }
}

/// Returns the sprites of the file at `path` with the name `name`. Reads descriptions, but no
/// pixels. Adds findings about a description to `warnings`.
pub(crate) fn open(
    name: &str,
    path: &Path,
    options: &Options,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<(String, Recipe)>, BakeError> {
    let one = |recipe| Ok(vec![(name.to_owned(), recipe)]);
    let is_cut = options.grid.is_some() || options.rect.is_some();
    let part = |frames| {
        let (path, &Options { grid, rect, .. }) = (path.to_owned(), options);
        Recipe::Part { path, frames, grid, rect }
    };
    let whole = || one(if is_cut { part(None) } else { Recipe::Whole(path.to_owned()) });
    let drawn = || {
        let tiled::Tileset { frames, files } = tiled::read(path, &options.limits)?;
        one(Recipe::Drawn { frames, files })
    };
    let limits = &options.limits;
    let level = |levels: Vec<(String, Level)>, warnings: &mut Vec<Warning>| {
        let mut sprites = Vec::new();
        for (part, level) in levels {
            let name = if part.is_empty() { name.to_owned() } else { format!("{name}/{part}") };
            let map = Arc::new(LevelMap::new(
                &name,
                level,
                &options.rules,
                options.motion_frame,
                options.angles,
                limits,
            )?);
            warnings.extend(map.findings().iter().map(|it| it.clone().warning(&name)));
            let parts = map.parts().into_iter();
            sprites.extend(parts.map(|(name, part)| (name, Recipe::Level(map.clone(), part))));
        }
        Ok(sprites)
    };
    let mut cut = |found: Described| {
        limited(path, &found.sprites, &options.limits)?;
        warnings.extend(found.warnings(name));
        Ok(found.sprites.into_iter().map(|(name, cuts)| (name, Recipe::Cuts(cuts))).collect())
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    if is_cut && DESCRIPTIONS.contains(&ending.as_str()) {
        let cause = "a grid or a rectangle cuts images, but this file describes a sheet";
        let help = "remove the grid or the rectangle, or name the image of the sheet instead";
        return Err(BakeError::unsupported(path, cause, help));
    }
    let of_tiled = match ending.as_str() {
        "json" => tiled::extension(&Text::read(path)?.text),
        _ => None,
    };
    match of_tiled.unwrap_or(&ending) {
        "tsx" | "tsj" => drawn(),
        "tmx" | "tmj" => level(vec![(String::new(), level::read_tiled(path, limits)?)], warnings),
        "ldtk" => level(level::read_ldtk(path, limits)?, warnings),
        "json" => cut(json::sprites(name, path, options.tags)?),
        // Some tools give this extension to JSON.
        "atlas" | "pack" if json::is_object(&Text::read(path)?.text) => {
            cut(json::sprites(name, path, options.tags)?)
        }
        "atlas" | "pack" => cut(libgdx::sprites(name, path)?),
        "plist" => cut(plist::sprites(name, path)?),
        "xml" => cut(starling::sprites(name, path)?),
        "tpsheet" | "paper2dsprites" => {
            let help = "export the sheet again from TexturePacker, in the format JSON (Array)";
            Err(BakeError::unsupported(path, "sheets of this kind are not read", help))
        }
        "ase" | "aseprite" => {
            let (count, tags) = aseprite::tags(path)?;
            if tags.is_empty() || !options.tags || options.grid.is_some() {
                return whole();
            }
            tagged(name, path, count, tags, |frames| part(Some(frames)))
        }
        _ => whole(),
    }
}

/// Returns the images that are pages of a sheet, or have the name of one beside them, each with its
/// description. Looks in the folders of the images, and in those above up to `root`.
pub(crate) fn pages_of_sheets(
    root: &Path,
    images: &BTreeSet<PathBuf>,
    limits: BakeLimits,
) -> BTreeMap<PathBuf, PathBuf> {
    let above = |image: &PathBuf| {
        let folders = image.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
        folders.map(Path::to_owned).collect::<Vec<_>>()
    };
    let folders: BTreeSet<PathBuf> = images.iter().flat_map(above).collect();
    let options = Options { angles: 1, ..Options::of(&SourceSettings::default(), limits) };
    let mut pages = BTreeMap::new();
    for path in folders.iter().flat_map(|folder| descriptions(folder)) {
        let opened = match open("", &path, &options, &mut Vec::new()) {
            Ok(opened) => opened,
            Err(error) if matches!(error.fault, BakeFault::Unsupported) => Vec::new(),
            // Any other file of this extension is no sheet.
            Err(_) => continue,
        };
        if !opened.iter().any(|(_, recipe)| matches!(recipe, Recipe::Level(..))) {
            let stem = |path: &Path| path.with_extension("").into_os_string().to_ascii_lowercase();
            for image in images.iter().filter(|image| stem(image) == stem(&path)) {
                pages.entry(image.clone()).or_insert_with(|| path.clone());
            }
        }
        for (_, recipe) in opened {
            let found = recipe.pages().iter().filter(|page| images.contains(*page));
            pages.extend(found.map(|page| (page.clone(), path.clone())));
        }
    }
    pages
}

/// Returns the files in a folder that may describe sheets, in order of their names.
fn descriptions(folder: &Path) -> Vec<PathBuf> {
    let is_empty = folder.as_os_str().is_empty();
    let entries = std::fs::read_dir(if is_empty { Path::new(".") } else { folder });
    let paths = entries.into_iter().flatten().flatten().map(|it| folder.join(it.file_name()));
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| may_be_sheet(path) && path.is_file()).collect();
    paths.sort();
    paths
}

/// Returns true if a file has the extension of a description of a sheet.
pub(crate) fn may_be_sheet(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    SHEETS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Extensions of files that describe sheets.
const SHEETS: [&str; 5] = ["json", "atlas", "pack", "plist", "xml"];

/// Extensions of files that describe sheets or shapes.
const DESCRIPTIONS: [&str; 10] =
    ["tsx", "tsj", "tmx", "tmj", "ldtk", "json", "atlas", "pack", "plist", "xml"];

/// The source of one sprite's frames.
#[derive(Clone, Debug, Hash)]
pub(crate) enum Recipe {
    /// All images of a file that no other source reads.
    Whole(PathBuf),
    /// Some images of a file, such as those of a tag, or all. Of each only the region `rect`, if given, or
    /// of a single one the tiles of a grid.
    Part { path: PathBuf, frames: Option<Range<usize>>, grid: Option<Grid>, rect: Option<[u32; 4]> },
    /// Frames on pages, from a description.
    Cuts(Cuts),
    /// The frames of several recipes, one after the other.
    Joined(Vec<Self>),
    /// The frames of another recipe, mirrored.
    Flipped(Box<Self>, Flip),
    /// Frames drawn from the shapes of some files when they were opened. No file is read later.
    Drawn { frames: Vec<Frame>, files: Vec<PathBuf> },
    /// A part of a level.
    Level(Arc<LevelMap>, Part),
}

impl Recipe {
    /// Adds a flip to the recipe.
    pub(crate) fn flipped(self, flip: Flip) -> Self {
        if flip == Flip::NONE { self } else { Self::Flipped(Box::new(self), flip) }
    }

    /// Returns true if the recipe is all of one of these files.
    pub(crate) fn is_whole_of(&self, files: &BTreeSet<PathBuf>) -> bool {
        match self {
            Self::Whole(path) => files.contains(path),
            Self::Flipped(recipe, _) => recipe.is_whole_of(files),
            _ => false,
        }
    }

    /// Returns true if the recipe is all of a file.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Flipped(recipe, _) => recipe.is_whole(),
            _ => false,
        }
    }

    /// Returns true if the frames are whole images, or parts of images that no description names.
    pub(crate) fn is_picture(&self) -> bool {
        match self {
            Self::Whole(_) | Self::Part { .. } => true,
            Self::Joined(parts) => parts.iter().all(Self::is_picture),
            Self::Flipped(recipe, _) => recipe.is_picture(),
            Self::Cuts(_) | Self::Drawn { .. } | Self::Level(..) => false,
        }
    }

    /// Returns the settings of the sprite. Terrain and shapes of a level have one pose each, and are not
    /// changed: a chunk that grew would not fit its neighbours.
    pub(crate) fn settings<'s>(&self, settings: &'s SourceSettings) -> Cow<'s, SourceSettings> {
        let Self::Level(_, part) = self else { return Cow::Borrowed(settings) };
        let SourceSettings { sprite, .. } = settings.clone();
        let sprite = match part {
            Part::Objects => sprite,
            Part::Terrain(_) | Part::Shapes => Settings {
                angles: 1,
                max_error: None,
                scales: vec![1.0],
                mirrored: false,
                ..sprite
            },
        };
        Cow::Owned(Settings { thresholds: Vec::new(), motion_frame: false, ..sprite }.into())
    }

    /// Returns the map of a level, if this is the first of its parts.
    pub(crate) fn map(&self) -> Option<&Map> {
        let Self::Level(level, part) = self else { return None };
        level.parts().first().filter(|(_, first)| first == part).map(|_| &level.map)
    }

    /// Returns the files that the recipe reads.
    pub(crate) fn files(&self) -> Vec<&Path> {
        match self {
            Self::Whole(path) | Self::Part { path, .. } => vec![path],
            Self::Cuts(cuts) => {
                cuts.sheets.iter().chain(&cuts.pages).map(PathBuf::as_path).collect()
            }
            Self::Joined(parts) => parts.iter().flat_map(Self::files).collect(),
            Self::Flipped(recipe, _) => recipe.files(),
            Self::Drawn { files, .. } => files.iter().map(PathBuf::as_path).collect(),
            Self::Level(level, _) => level.files().iter().map(PathBuf::as_path).collect(),
        }
    }

    /// Returns the image file whose pictures are the frames, and the grid that cuts them, or the reason why
    /// there is none.
    pub(crate) fn image(&self) -> Result<(&Path, Option<Grid>), &'static str> {
        Err(match self {
            Self::Whole(path) => return Ok((path, None)),
            Self::Part { path, frames: None, grid, rect: None } => return Ok((path, *grid)),
            Self::Part { rect: Some(_), .. } => "is a region of its image, by rect",
            Self::Part { .. } => "has some frames of its file, by a tag",
            Self::Cuts(_) => "is cut from the page of a sheet",
            Self::Joined(_) => "has the frames of several files",
            Self::Flipped(..) => "is mirrored by flip",
            Self::Drawn { .. } => "is drawn from shapes",
            Self::Level(..) => "is a part of a level",
        })
    }

    /// Returns a digest of what is taken of the files, without their paths. What a description says is in its
    /// file.
    pub(crate) fn cut(&self) -> Digest {
        match self {
            Self::Whole(_) | Self::Cuts(_) | Self::Drawn { .. } => 0,
            Self::Part { frames, grid, rect, .. } => digest(&(frames, grid, rect)),
            Self::Joined(parts) => digest(
                &parts.iter().map(|part| (part.cut(), part.files().len())).collect::<Vec<_>>(),
            ),
            Self::Flipped(recipe, flip) => digest(&(recipe.cut(), flip)),
            Self::Level(level, part) => level.cut(*part),
        }
    }

    /// Returns the frames that share an area, and this area in texels, for all frames. Nothing is decoded:
    /// `images` has what the files state.
    pub(crate) fn areas(&self, images: &dyn Fn(&Path) -> Images) -> Vec<(u64, f64)> {
        let area = |[width, height]: [u32; 2]| f64::from(width) * f64::from(height);
        let of_file = |path, range: Option<&Range<usize>>| {
            let Images { frames, texels } = images(path);
            let frames = frames.max(1);
            let taken = range.map_or(frames, |range| range.len() as u64);
            (taken, texels as f64 / frames as f64)
        };
        match self {
            Self::Whole(path) => vec![of_file(path, None)],
            Self::Part { path, frames, rect, .. } => {
                let (taken, whole) = of_file(path, frames.as_ref());
                vec![(taken, rect.map_or(whole, |[.., width, height]| area([width, height])))]
            }
            Self::Cuts(cuts) => cuts.sizes().map(|size| (1, area(size))).collect(),
            Self::Joined(parts) => parts.iter().flat_map(|part| part.areas(images)).collect(),
            Self::Flipped(recipe, _) => recipe.areas(images),
            Self::Drawn { frames, .. } => mask_areas(frames).map(|area| (1, area)).collect(),
            Self::Level(level, part) => level.areas(*part),
        }
    }

    /// Returns the pages that the recipe cuts frames from.
    pub(crate) fn pages(&self) -> &[PathBuf] {
        match self {
            Self::Cuts(cuts) => &cuts.pages,
            Self::Level(level, _) => &level.sheets,
            Self::Flipped(recipe, _) => recipe.pages(),
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
            Self::Part { path, frames, grid, rect } => {
                let all = pages.get(path, settings)?;
                let range = frames.clone().unwrap_or(0..all.len());
                let stills = all.get(range).unwrap_or_default();
                let Some(first) = stills.first() else { return Ok(Cow::default()) };
                let region = region(path, *rect, first.size())?;
                match grid {
                    Some(grid) => tiles(path, *grid, region, stills, pages.limits())?,
                    None => stills.iter().map(|still| part(still, region)).collect(),
                }
            }
            Self::Cuts(cuts) => {
                let decoded = cuts.pages.iter().map(|page| pages.get(page, settings));
                cuts.frames(&decoded.collect::<Result<Vec<_>, _>>()?, &settings.slices)?
            }
            Self::Level(level, part) => level.frames(*part, settings, pages)?,
            Self::Joined(parts) => {
                let mut frames = Vec::new();
                for part in parts {
                    frames.extend(part.frames(settings, pages)?.into_owned());
                }
                frames
            }
            Self::Flipped(recipe, flip) => {
                let mut frames = recipe.frames(settings, pages)?.into_owned();
                frames.iter_mut().for_each(|frame| mirror(frame, *flip));
                frames
            }
        };
        Ok(Cow::Owned(frames))
    }
}

/// Returns the areas of the solid boxes of all masks.
pub(crate) fn mask_areas(frames: &[Frame]) -> impl Iterator<Item = f64> {
    let masks = frames.iter().flat_map(|frame| &frame.planes);
    masks.map(|(_, mask)| mask.bounds().map_or(0.0, |bounds| bounds.area() as f64))
}

/// Returns the region of an image of this size that a rectangle names: left, top, width and height.
fn region(
    path: &Path,
    rect: Option<[u32; 4]>,
    [width, height]: [u32; 2],
) -> Result<[u32; 4], BakeError> {
    let Some([x, y, across, down]) = rect else { return Ok([0, 0, width, height]) };
    let is_inside =
        |from: u32, len: u32, side| len > 0 && from.checked_add(len).is_some_and(|end| end <= side);
    if is_inside(x, across, width) && is_inside(y, down, height) {
        return Ok([x, y, across, down]);
    }
    let rest = format_args!(
        " has {width} x {height} texels, and the rectangle of {across} x {down} at {x}, {y} is not inside"
    );
    let help = "give rect = [left, top, width, height] in texels of the image";
    Err(BakeError::of_file(BakeFault::Option, path, rest, help))
}

/// Returns a region of an image. The pivot of the image stays on its texel.
fn part(still: &DecodedImage, [x, y, width, height]: [u32; 4]) -> Frame {
    let pivot = still.pivot.map(|pivot| match pivot {
        Pivot::HalfTexels(right, down) => {
            let moved = |at: i32, by: u32| at.saturating_sub_unsigned(by.saturating_mul(2));
            Pivot::HalfTexels(moved(right, x), moved(down, y))
        }
        Pivot::Center => pivot,
    });
    Cut { pivot, ..Cut::whole([x, y], [width, height]) }.frame(still)
}

/// Mirrors the frame and the pivot from its file.
fn mirror(frame: &mut Frame, flip: Flip) {
    let size = frame.planes.first().map_or([0, 0], |(_, mask)| [mask.width(), mask.height()]);
    let [width, height] = size.map(|side| side as i32);
    for (_, mask) in &mut frame.planes {
        if flip.x {
            *mask = mask.flip_x();
        }
        if flip.y {
            *mask = mask.flip_y();
        }
    }
    if let Some(Pivot::HalfTexels(x, y)) = &mut frame.pivot {
        // Sides and pivots have at most 17 bits.
        let mirrored = |side: i32, at: i32| side.saturating_mul(2).saturating_sub(at);
        *x = if flip.x { mirrored(width, *x) } else { *x };
        *y = if flip.y { mirrored(height, *y) } else { *y };
    }
}
