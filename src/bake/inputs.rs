//! Sources of a bake: the methods of [`Bake`] that add them, and their loading.
//!
//! Called by users and by `pipeline`. Images are decoded when the bake is written, not when a
//! source is added.

use super::solidify::{self, Frame};
use super::{Bake, BakeError, Pages, Settings};
#[cfg(feature = "image")]
use super::{Grid, Warning, image, manifest, names};
use crate::mask::{Mask, MaskError};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

impl Bake {
    /// Adds the images that `pattern` names. It is a file, a folder with all images below it, or a
    /// pattern with `*`, `?`, `[..]` and `**`, such as `art/**/*.png`. Hidden files and special
    /// files are skipped. Links are followed, but no folder is visited twice, so cycles are
    /// harmless. A folder that is also reached without a link is not visited through the link.
    /// Images are PNG, GIF, WebP, BMP, TGA and Aseprite files. An animation becomes one sprite with several
    /// frames, or one sprite per tag. An image has up to [`MAX_FRAME_SIDE`](crate::MAX_FRAME_SIDE)
    /// texels a side, an Aseprite file and the solid part of any image up to
    /// [`MAX_SIDE`](crate::MAX_SIDE). A folder or pattern passes over files with the extension .ase
    /// that are no images, with [`Warning::NotAnImage`].
    ///
    /// Sheets are named by their descriptions: `.json`, `.atlas`, `.xml`, `.plist`, `.tsx` or
    /// `.tsj`. Naming a folder does not add them. A sheet acts as a folder of its frames: `ui.json` gives
    /// `ui/button`. The [manifest page](crate::manifest_format) has the rules for each kind.
    ///
    /// The name of a sprite is its path relative to the given folder, without extension, with `/`
    /// on every system. For a file, the path is relative to its own folder. For a pattern, it is
    /// relative to the part without wildcards. Names are in composed Unicode (NFC), whatever the
    /// form of the file name, so text in source code finds them. Images are decoded when the bake
    /// is written.
    ///
    /// # Errors
    /// [`BakeError`] if nothing is there, no image is found, or a folder cannot be read.
    /// [`BakeError::NotAFile`] if the path is a device, a pipe or a socket.
    #[cfg(feature = "image")]
    pub fn sprites(mut self, pattern: impl AsRef<Path>) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), &self.file_options(None), None)?;
        Ok(self)
    }

    /// Adds images like [`sprites`](Self::sprites), with settings of their own.
    ///
    /// # Errors
    /// As [`sprites`](Self::sprites).
    #[cfg(feature = "image")]
    pub fn sprites_with(
        mut self,
        pattern: impl AsRef<Path>,
        settings: Settings,
    ) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), &self.file_options(None), Some(&settings))?;
        Ok(self)
    }

    /// Adds the sources of a manifest, `hitmask.toml`, with the settings it gives them. Settings
    /// that the manifest omits are those of the setters called before. Paths in it are relative to
    /// its own folder. The [manifest page](crate::manifest_format) lists every key.
    ///
    /// # Errors
    /// [`BakeError::Manifest`] or [`BakeError::UnknownKey`] with line and column if the manifest is
    /// invalid or names no file. For the files it names, as [`sprites`](Self::sprites).
    #[cfg(feature = "image")]
    pub fn manifest(mut self, path: impl AsRef<Path>) -> Result<Self, BakeError> {
        let read =
            manifest::read(path.as_ref(), &self.settings, self.plan.limits, &mut self.failures)?;
        self.sources.extend(read.sprites.into_iter().map(|sprite| Source {
            name: names::composed(&sprite.name).into_owned(),
            content: Content::Files(sprite.recipe),
            settings: Some(sprite.settings),
        }));
        self.watched.extend(read.watched);
        self.foreign.extend(read.foreign);
        self.output = read.output.or(self.output);
        self.plan.max_bytes = read.max_bytes.or(self.plan.max_bytes);
        self.plan.resolution = read.resolution.unwrap_or(self.plan.resolution);
        self.plan.compact = read.compact.unwrap_or(self.plan.compact);
        Ok(self)
    }

    /// Adds the sheets that `pattern` names, found like those of [`sprites`](Self::sprites). Each
    /// becomes a sprite whose frames are the tiles of a grid.
    ///
    /// # Errors
    /// As [`sprites`](Self::sprites). When the bake is written, [`BakeError::Grid`] if a sheet has
    /// no whole frame or fewer than requested. [`BakeError::Tile`] if a tile has no texel.
    #[cfg(feature = "image")]
    pub fn sheets(mut self, pattern: impl AsRef<Path>, grid: Grid) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), &self.file_options(Some(grid)), None)?;
        Ok(self)
    }

    /// Returns how files are split into sprites.
    #[cfg(feature = "image")]
    const fn file_options(&self, grid: Option<Grid>) -> image::Options {
        image::Options { grid, tags: true, limits: self.plan.limits }
    }

    #[cfg(feature = "image")]
    fn add_files(
        &mut self,
        pattern: &Path,
        options: &image::Options,
        settings: Option<&Settings>,
    ) -> Result<(), BakeError> {
        let found = image::find(pattern, &mut self.failures)?;
        let (is_scan, before) = (found.watched.is_some(), self.sources.len());
        self.watched.extend(found.watched);
        let mut foreign = None;
        for (name, path) in found.files {
            if is_scan && image::is_foreign(&path) {
                self.foreign.push(Warning::NotAnImage { sprite: name, path: path.clone() });
                foreign = Some(path);
                continue;
            }
            let opened = image::open(&name, &path, options);
            for (name, recipe) in self.failures.skip(&path, opened)?.unwrap_or_default() {
                let name = names::composed(&name).into_owned();
                let content = Content::Files(recipe);
                self.sources.push(Source { name, content, settings: settings.cloned() });
            }
            self.watched.push(path);
        }
        match foreign {
            Some(path) if self.sources.len() == before => Err(BakeError::NotAnImage { path }),
            _ => Ok(()),
        }
    }

    /// Adds a sprite of one frame, from a mask.
    #[must_use]
    pub fn mask(self, name: impl Into<String>, mask: Mask) -> Self {
        self.frames(name, [mask])
    }

    /// Adds a sprite of several frames, from masks.
    #[must_use]
    pub fn frames(self, name: impl Into<String>, frames: impl IntoIterator<Item = Mask>) -> Self {
        self.add_frames(name.into(), frames, None)
    }

    /// Adds frames like [`frames`](Self::frames), with settings of their own. The alpha rule is
    /// recorded but not applied, because a mask has no alpha. Its pixels count as opaque for
    /// [`thresholds`](Self::thresholds).
    #[must_use]
    pub fn frames_with(
        self,
        name: impl Into<String>,
        frames: impl IntoIterator<Item = Mask>,
        settings: Settings,
    ) -> Self {
        self.add_frames(name.into(), frames, Some(settings))
    }

    fn add_frames(
        self,
        name: String,
        frames: impl IntoIterator<Item = Mask>,
        settings: Option<Settings>,
    ) -> Self {
        self.add_content(name, frames.into_iter().map(Frame::of).collect(), settings)
    }

    fn add_content(mut self, name: String, frames: Vec<Frame>, settings: Option<Settings>) -> Self {
        self.sources.push(Source { name, content: Content::Frames(frames), settings });
        self
    }

    /// Adds a sprite of several planes, such as a body, a weak spot and a shield. Each frame has
    /// one mask for each of `planes`, in the same order and of one size. A collider shows the first
    /// plane by default.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Mask};
    /// let (body, eye): (Mask, Mask) = (".###\n####".parse()?, "....\n..#.".parse()?);
    /// let bake = Bake::new().planes("cyclops", ["body", "eye"], [vec![body, eye]])?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let cyclops = atlas.sprites().next().unwrap();
    /// assert_eq!(cyclops.plane("eye"), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::PlaneName`] if there is no plane or more than 255. The same if the name of a
    /// plane is empty, longer than 255 bytes, repeated, or has control characters.
    /// [`BakeError::PlaneMasks`] if a frame does not have one mask for each plane, all of one size.
    pub fn planes<P: Into<String>, F: IntoIterator<Item = Mask>>(
        self,
        name: impl Into<String>,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
    ) -> Result<Self, BakeError> {
        self.add_planes(name.into(), planes, frames, None)
    }

    /// Adds a sprite of several planes like [`planes`](Self::planes), with settings of its own.
    ///
    /// # Errors
    /// As [`planes`](Self::planes).
    pub fn planes_with<P: Into<String>, F: IntoIterator<Item = Mask>>(
        self,
        name: impl Into<String>,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
        settings: Settings,
    ) -> Result<Self, BakeError> {
        self.add_planes(name.into(), planes, frames, Some(settings))
    }

    fn add_planes<P: Into<String>, F: IntoIterator<Item = Mask>>(
        mut self,
        name: String,
        planes: impl IntoIterator<Item = P>,
        frames: impl IntoIterator<Item = F>,
        settings: Option<Settings>,
    ) -> Result<Self, BakeError> {
        let planes = planes.into_iter().map(Into::into).collect();
        let frames = frames.into_iter().map(|masks| masks.into_iter().collect()).collect();
        self.sources.push(Source { settings, ..Source::of_planes(name, planes, frames)? });
        Ok(self)
    }

    /// Adds a sprite of one frame, from RGBA bytes, row by row without padding. Uses the current
    /// settings for alpha, channel, colours and thresholds.
    ///
    /// # Errors
    /// [`MaskError`] if the number of bytes does not match the size, or a side is too long.
    pub fn rgba(
        self,
        name: impl Into<String>,
        width: u32,
        height: u32,
        rgba: &[u8],
    ) -> Result<Self, MaskError> {
        let masks = solidify::masks(width, height, rgba, &self.settings)?;
        let frame = solidify::frame(masks, &self.settings);
        Ok(self.add_content(name.into(), vec![frame], None))
    }

    /// Adds a sprite of several frames of one size, from the RGBA bytes of each, with settings of its
    /// own. Alpha, channel, colours and thresholds apply to every frame.
    ///
    /// ```
    /// use hitmask::{Atlas, Bake, Settings};
    /// let settings = Settings { thresholds: vec![32], ..Settings::default() };
    /// let frames = [[0, 0, 0, 50], [0, 0, 0, 200]];
    /// let bake = Bake::new().rgba_frames("blink", [1, 1], frames, settings)?;
    /// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
    /// let blink = atlas.sprites().next().unwrap();
    /// assert_eq!((blink.frame_count(), blink.plane("alpha32")), (2, Some(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError`] if the number of bytes of a frame does not match the size, or a side is too long.
    pub fn rgba_frames(
        self,
        name: impl Into<String>,
        [width, height]: [u32; 2],
        frames: impl IntoIterator<Item = impl AsRef<[u8]>>,
        settings: Settings,
    ) -> Result<Self, MaskError> {
        let frame = |rgba: &[u8]| {
            let masks = solidify::masks(width, height, rgba, &settings)?;
            Ok(solidify::frame(masks, &settings))
        };
        let frames = frames.into_iter().map(|rgba| frame(rgba.as_ref()));
        let frames = frames.collect::<Result<Vec<Frame>, MaskError>>()?;
        Ok(self.add_content(name.into(), frames, Some(settings)))
    }

    /// Adds a sprite of one frame, from alpha bytes, row by row without padding. Uses the alpha
    /// rule and the thresholds of the current settings.
    ///
    /// # Errors
    /// [`MaskError`] if the number of bytes does not match the size, or a side is too long.
    pub fn alpha_bytes(
        self,
        name: impl Into<String>,
        width: u32,
        height: u32,
        alpha: &[u8],
    ) -> Result<Self, MaskError> {
        let masks = solidify::alpha_masks(width, height, alpha, &self.settings)?;
        let frame = solidify::frame(masks, &self.settings);
        Ok(self.add_content(name.into(), vec![frame], None))
    }
}

/// The source of one sprite.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) content: Content,
    /// Settings of its own. `None` means those of the bake.
    pub(super) settings: Option<Settings>,
}

/// The origin of a sprite's frames. Contents with equal hashes, whose files have equal bytes, give
/// equal frames at equal settings.
#[derive(Clone, Debug, Hash)]
pub(super) enum Content {
    /// Masks from the caller.
    Frames(Vec<Frame>),
    #[cfg(feature = "image")]
    Files(image::Recipe),
}

/// Largest number of planes, and largest length of a plane name in bytes. The format stores each in
/// one byte.
const MAX_PLANES: usize = u8::MAX as usize;

/// Checks that a sprite can have planes with these names.
pub(super) fn check_planes(name: &str, planes: &[String]) -> Result<(), BakeError> {
    let is_bad = |i: usize| {
        let plane = &planes[i];
        let is_odd =
            plane.is_empty() || plane.len() > MAX_PLANES || plane.contains(char::is_control);
        is_odd || planes[..i].contains(plane)
    };
    let bad = (0..planes.len()).find(|&i| is_bad(i) || i == MAX_PLANES);
    if planes.is_empty() || bad.is_some() {
        let plane = bad.map(|i| planes[i].clone()).unwrap_or_default();
        return Err(BakeError::PlaneName { name: name.to_owned(), plane });
    }
    Ok(())
}

impl Source {
    /// Returns a source with one mask per plane and frame.
    pub(super) fn of_planes(
        name: String,
        planes: Vec<String>,
        frames: Vec<Vec<Mask>>,
    ) -> Result<Self, BakeError> {
        check_planes(&name, &planes)?;
        let size = |mask: &Mask| (mask.width(), mask.height());
        let is_whole = |masks: &Vec<Mask>| {
            masks.len() == planes.len() && masks.iter().all(|mask| size(mask) == size(&masks[0]))
        };
        if let Some(frame) = frames.iter().position(|masks| !is_whole(masks)) {
            return Err(BakeError::PlaneMasks { name, frame, planes: planes.len() });
        }
        let frame =
            |masks: Vec<Mask>| Frame::of_planes(planes.iter().cloned().zip(masks).collect());
        let content = Content::Frames(frames.into_iter().map(frame).collect());
        Ok(Self { name, content, settings: None })
    }

    /// Returns the image or sheet of the source, if there is one.
    pub(super) fn origin(&self) -> Option<PathBuf> {
        self.files().first().map(|file| file.to_path_buf())
    }

    /// Returns the path that a failure of the source names. That is its first file, or the name of
    /// the sprite if no file is read later. `None` for masks of the caller.
    pub(super) fn place(&self) -> Option<PathBuf> {
        match &self.content {
            Content::Frames(_) => None,
            #[cfg(feature = "image")]
            Content::Files(_) => Some(self.origin().unwrap_or_else(|| self.name.clone().into())),
        }
    }

    /// Returns the files whose bytes determine the frames.
    pub(super) fn files(&self) -> Vec<&Path> {
        match &self.content {
            Content::Frames(_) => Vec::new(),
            #[cfg(feature = "image")]
            Content::Files(recipe) => recipe.files(),
        }
    }

    /// Returns the untrimmed frames. `pages` caches files that several sources of one bake share.
    pub(super) fn load(
        &self,
        settings: &Settings,
        pages: &Pages,
    ) -> Result<Cow<'_, [Frame]>, BakeError> {
        match &self.content {
            Content::Frames(frames) => {
                let _ = (settings, pages);
                Ok(Cow::Borrowed(frames))
            }
            #[cfg(feature = "image")]
            Content::Files(recipe) => recipe.frames(settings, pages),
        }
    }
}
