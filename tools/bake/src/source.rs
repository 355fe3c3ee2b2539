//! The source of one sprite: masks of the caller, or a recipe for frames of files.
//!
//! Made by `inputs` and `manifest`, loaded by `pipeline`.

use crate::binary::{Digest, digest};
use crate::error::BakeError;
use crate::image::{Grid, Images, Pages, Recipe, mask_areas};
use crate::settings::SourceSettings;
use hitmask::Map;
use hitmask::baking::Frame;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The source of one sprite.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) content: Content,
    /// Settings of its own. `None` means those of the bake.
    pub(super) settings: Option<SourceSettings>,
    /// The file that could not be opened, and why. Then there is no content.
    pub(super) fault: Option<(PathBuf, BakeError)>,
}

/// The origin of a sprite's frames. Contents with equal hashes, whose files have equal bytes, give
/// equal frames at equal settings.
#[derive(Clone, Debug, Hash)]
pub(super) enum Content {
    /// Masks from the caller.
    Frames(Vec<Frame>),
    Files(Recipe),
}

impl Source {
    /// Returns the source of a sprite whose file could not be opened.
    pub(super) fn faulty(name: &str, path: &Path, error: BakeError) -> Self {
        let (name, content) = (name.to_owned(), Content::Frames(Vec::new()));
        Self { name, content, settings: None, fault: Some((path.to_owned(), error)) }
    }

    /// Returns the settings of the sprite. `defaults` are those of the bake.
    pub(super) fn settings<'s>(&'s self, defaults: &'s SourceSettings) -> Cow<'s, SourceSettings> {
        let settings = self.settings.as_ref().unwrap_or(defaults);
        match &self.content {
            Content::Frames(_) => Cow::Borrowed(settings),
            Content::Files(recipe) => recipe.settings(settings),
        }
    }

    /// Returns the map that is stored with the sprite.
    pub(super) fn map(&self) -> Option<&Map> {
        match &self.content {
            Content::Frames(_) => None,
            Content::Files(recipe) => recipe.map(),
        }
    }

    /// Returns the image or sheet of the source, if there is one.
    pub(super) fn origin(&self) -> Option<PathBuf> {
        self.files().first().map(|file| file.to_path_buf())
    }

    /// Returns the path that a failure of the source names. That is its first file, or the name of
    /// the sprite if no file is read later. `None` for masks of the caller.
    pub(super) fn place(&self) -> Option<PathBuf> {
        match &self.content {
            Content::Frames(_) => self.fault.as_ref().map(|(path, _)| path.clone()),
            Content::Files(_) => Some(self.origin().unwrap_or_else(|| self.name.clone().into())),
        }
    }

    /// Returns the files whose bytes determine the frames.
    pub(super) fn files(&self) -> Vec<&Path> {
        match &self.content {
            Content::Frames(_) => Vec::new(),
            Content::Files(recipe) => recipe.files(),
        }
    }

    /// Returns the image file whose pictures are the frames, and the grid that cuts them, or the reason why
    /// there is none.
    pub(super) fn image(&self) -> Result<(&Path, Option<Grid>), &'static str> {
        match &self.content {
            Content::Frames(_) => Err("has no image file"),
            Content::Files(recipe) => recipe.image(),
        }
    }

    /// Returns a digest of the masks of the caller, or of what is taken of the files, without their paths.
    pub(super) fn cut(&self) -> Digest {
        match &self.content {
            Content::Frames(frames) => digest(frames),
            Content::Files(recipe) => recipe.cut(),
        }
    }

    /// Returns the frames that share an area, and this area in texels, for all frames. Nothing is decoded:
    /// `images` has what the files state.
    pub(super) fn areas(&self, images: &dyn Fn(&Path) -> Images) -> Vec<(u64, f64)> {
        match &self.content {
            Content::Frames(frames) => mask_areas(frames).map(|area| (1, area)).collect(),
            Content::Files(recipe) => recipe.areas(images),
        }
    }

    /// Returns true if the sprite is a part of a level.
    pub(super) fn is_level(&self) -> bool {
        matches!(&self.content, Content::Files(Recipe::Level(..)))
    }

    /// Returns true if the frames are whole images, or parts of images that no description names.
    pub(super) fn is_picture(&self) -> bool {
        matches!(&self.content, Content::Files(recipe) if recipe.is_picture())
    }

    /// Returns true if the frames are all images of a file.
    pub(super) fn is_whole_file(&self) -> bool {
        matches!(&self.content, Content::Files(recipe) if recipe.is_whole())
    }

    /// Returns the untrimmed frames, changed by the settings. `pages` caches files that several sources of one bake share.
    pub(super) fn load(
        &self,
        settings: &SourceSettings,
        pages: &Pages,
    ) -> Result<Cow<'_, [Frame]>, BakeError> {
        if let Some((_, error)) = &self.fault {
            return Err(error.clone());
        }
        let mut frames = match &self.content {
            Content::Frames(frames) => Cow::Borrowed(&**frames),
            Content::Files(recipe) => recipe.frames(settings, pages)?,
        };
        if !settings.keeps_frames() {
            settings.shape(&self.name, frames.to_mut())?;
        }
        Ok(frames)
    }
}
