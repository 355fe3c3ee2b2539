//! Sources of a bake: the methods of [`Bake`] that add them, and their loading.
//!
//! Called by users and by `pipeline`. Images are decoded when the bake is written, not when a
//! source is added.

use crate::bake::Bake;
use crate::error::BakeError;
use crate::image::{self, Grid};
use crate::settings::SourceSettings;
use crate::source::{Content, Source};
use crate::{manifest, names};
use hitmask::baking::Frame;
use hitmask::{Mask, Settings, Warning};
use std::path::{Path, PathBuf};

/// What a warning says of a level in a folder.
const NOT_BAKED: &str = "the level is not baked, because a folder gives its images only";

impl Bake {
    /// Adds the images that `pattern` names. It is a file, a folder with all images below it, or a
    /// pattern with `*`, `?`, `[..]` and `**`, such as `art/**/*.png`. A path that exists is no pattern. Wildcards match images, and other
    /// files only if the pattern ends with their extension. Hidden files and special files are
    /// skipped. Links are followed, but no folder is visited twice, so cycles are harmless. A folder that is also reached without a link is not visited through the link.
    /// Images are PNG, GIF, WebP, JPEG, BMP, TGA and Aseprite files. An animation becomes one sprite with several
    /// frames, or one sprite per tag. An image has up to [`MAX_FRAME_SIDE`](hitmask::MAX_FRAME_SIDE)
    /// texels a side, an Aseprite file and the solid part of any image up to
    /// [`MAX_SIDE`](hitmask::MAX_SIDE). A folder or pattern passes over files with the extension .ase
    /// that are no images, with [`Warning::NotAnImage`].
    ///
    /// Sheets are named by their descriptions: `.json`, `.atlas`, `.xml`, `.plist`, `.tsx` or
    /// `.tsj`. Naming a folder does not add them: [`Warning::Page`] names the pages among its images. A sheet acts as a folder of its frames: `ui.json` gives
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
    /// [`BakeFault::NotAFile`](crate::BakeFault::NotAFile) if the path is a device, a pipe or a socket.
    pub fn sprites(mut self, pattern: impl AsRef<Path>) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), None, None)?;
        Ok(self)
    }

    /// Adds images like [`sprites`](Self::sprites), with settings of their own.
    ///
    /// # Errors
    /// As [`sprites`](Self::sprites).
    pub fn sprites_with(
        mut self,
        pattern: impl AsRef<Path>,
        settings: impl Into<SourceSettings>,
    ) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), None, Some(&settings.into()))?;
        Ok(self)
    }

    /// Adds the sources of a manifest, `hitmask.toml`, with the settings it gives them. Settings
    /// that the manifest omits are those of the setters called before. Paths in it are relative to
    /// its own folder. The [manifest page](crate::manifest_format) lists every key.
    ///
    /// # Errors
    /// [`BakeFault::Malformed`](crate::BakeFault::Malformed) with line and column if the manifest is
    /// invalid or names no file. For the files it names, as [`sprites`](Self::sprites).
    pub fn manifest(mut self, path: impl AsRef<Path>) -> Result<Self, BakeError> {
        let read =
            manifest::read(path.as_ref(), &self.settings, self.plan.limits, &mut self.failures)?;
        self.sources.extend(read.sprites.into_iter().map(|sprite| Source {
            name: names::composed(&sprite.name).into_owned(),
            content: Content::Files(sprite.recipe),
            settings: Some(sprite.settings),
            fault: None,
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
    /// As [`sprites`](Self::sprites). When the bake is written,
    /// [`BakeFault::Option`](crate::BakeFault::Option) if a sheet has no whole frame or fewer than
    /// requested, or if a tile has no texel. [`BakeFault::Unsupported`](crate::BakeFault::Unsupported) if
    /// the file is an animation, or an Aseprite file with a pivot.
    pub fn sheets(mut self, pattern: impl AsRef<Path>, grid: Grid) -> Result<Self, BakeError> {
        self.add_files(pattern.as_ref(), Some(grid), None)?;
        Ok(self)
    }

    fn add_files(
        &mut self,
        pattern: &Path,
        grid: Option<Grid>,
        settings: Option<&SourceSettings>,
    ) -> Result<(), BakeError> {
        let of_file = settings.unwrap_or(&self.settings);
        let options = image::Options { grid, ..image::Options::of(of_file, self.plan.limits) };
        let found = image::find(pattern, &mut self.failures)?;
        let (root, before) = (found.watched.clone(), self.sources.len());
        let is_scan = root.is_some();
        self.watched.extend(found.watched);
        let mut foreign = None;
        if let Some(root) = root.filter(|_| grid.is_none()) {
            let images = found.files.iter().map(|(_, path)| path.clone()).collect();
            let pages = image::pages_of_sheets(&root, &images, self.plan.limits);
            let name = |page: &PathBuf| {
                found.files.iter().find(|(_, path)| path == page).map(|(name, _)| name.clone())
            };
            let page = |(page, path)| Some(Warning::Page { sprite: name(&page)?, path });
            self.foreign.extend(pages.into_iter().filter_map(page));
        }
        let levels = if pattern.is_dir() { image::levels(pattern) } else { Vec::new() };
        for path in levels {
            let is_baked = self.sources.iter().any(|source| source.files().contains(&&*path));
            let sprite = image::name(pattern, &path).unwrap_or_default();
            let remedy = format!("name the level too: {}", path.display());
            let warning = Warning::Level { sprite, path, cause: NOT_BAKED.to_owned(), remedy };
            self.foreign.extend((!is_baked).then_some(warning));
        }
        for (name, path) in found.files {
            if is_scan && image::is_foreign(&path) {
                self.foreign.push(Warning::NotAnImage { sprite: name, path: path.clone() });
                foreign = Some(path);
                continue;
            }
            let opened = image::open(&name, &path, &options, &mut self.foreign);
            let opened = self.failures.skip_sprites(&name, &path, opened)?;
            self.foreign.retain(|warning| {
                !matches!(warning, Warning::Level { path: it, cause, .. } if *it == path && cause == NOT_BAKED)
            });
            for (name, recipe) in opened.unwrap_or_default() {
                let name = names::composed(&name).into_owned();
                let content = Content::Files(recipe);
                self.sources.push(Source {
                    name,
                    content,
                    settings: settings.cloned(),
                    fault: None,
                });
            }
            self.watched.push(path);
        }
        match foreign {
            Some(path) if self.sources.len() == before => Err(BakeError::not_an_image(&path, "")),
            _ => Ok(()),
        }
    }

    /// Adds a sprite of one frame, from a mask.
    #[must_use]
    pub fn mask(self, name: impl Into<String>, mask: Mask) -> Self {
        self.add_frames(name.into(), vec![mask.into()], None)
    }

    /// Adds a sprite of several frames in memory: masks, or [frames](hitmask::baking::Frame) of several
    /// planes or of texels. `settings` are its own, or `None` for those of the bake. The alpha rule is
    /// recorded but not applied to a mask, whose pixels count as opaque for
    /// [`thresholds`](Self::thresholds).
    #[must_use]
    pub fn frames<F: Into<Frame>>(
        self,
        name: impl Into<String>,
        frames: impl IntoIterator<Item = F>,
        settings: impl Into<Option<Settings>>,
    ) -> Self {
        let frames = frames.into_iter().map(Into::into).collect();
        self.add_frames(name.into(), frames, settings.into().map(SourceSettings::from))
    }

    /// Adds a sprite like [`frames`](Self::frames), with settings of a source: its holes are filled, and its masks
    /// shrink and grow, as those of files. Settings of files, such as [`SourceSettings::slices`], change nothing.
    ///
    /// ```
    /// use hitmask_bake::{Bake, Mask, SourceSettings};
    /// let body = SourceSettings { shrink: 2, ..SourceSettings::default() };
    /// let bake = Bake::new().frames_with("hero", [Mask::solid(16, 16)?], body);
    /// let atlas = hitmask::Atlas::from_vec(bake.to_bytes()?)?;
    /// let upright = atlas.sprites().next().unwrap().posed(0, Default::default(), Default::default());
    /// assert_eq!(upright.unwrap().mask.count(), 12 * 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn frames_with<F: Into<Frame>>(
        self,
        name: impl Into<String>,
        frames: impl IntoIterator<Item = F>,
        settings: impl Into<SourceSettings>,
    ) -> Self {
        let frames = frames.into_iter().map(Into::into).collect();
        self.add_frames(name.into(), frames, Some(settings.into()))
    }

    fn add_frames(
        mut self,
        name: String,
        frames: Vec<Frame>,
        settings: Option<SourceSettings>,
    ) -> Self {
        let content = Content::Frames(frames);
        self.sources.push(Source { name, content, settings, fault: None });
        self
    }
}
