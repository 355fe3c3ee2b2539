use super::frame::Frame;
use super::{BakeError, Pages, Settings};
use crate::mask::Mask;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Something to be baked into one sprite.
#[derive(Clone)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) content: Content,
    /// Settings of its own; else those of the bake.
    pub(super) settings: Option<Settings>,
}

/// Where a sprite's frames come from. Two contents of equal hash, whose files hold equal bytes,
/// give equal frames at equal settings.
#[derive(Clone, Debug, Hash)]
pub(super) enum Content {
    /// Made by the caller.
    Frames(Vec<Frame>),
    #[cfg(feature = "image")]
    Files(super::image::Recipe),
}

/// Most planes a sprite may have, and longest name of one in bytes: each is kept in a byte.
const MOST: usize = u8::MAX as usize;

/// Whether a sprite can have planes of these names.
pub(super) fn check_planes(name: &str, planes: &[String]) -> Result<(), BakeError> {
    let is_bad = |i: usize| {
        let plane = &planes[i];
        let is_odd = plane.is_empty() || plane.len() > MOST || plane.contains(char::is_control);
        is_odd || planes[..i].contains(plane)
    };
    let bad = (0..planes.len()).find(|&i| is_bad(i) || i == MOST);
    if planes.is_empty() || bad.is_some() {
        let plane = bad.map(|i| planes[i].clone()).unwrap_or_default();
        return Err(BakeError::PlaneName { name: name.to_owned(), plane });
    }
    Ok(())
}

impl Source {
    /// A sprite whose frames each have a mask for each plane.
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
        let frame = |masks: Vec<Mask>| Frame {
            planes: planes.iter().cloned().zip(masks).collect(),
            pivot: None,
            seen: None,
        };
        let content = Content::Frames(frames.into_iter().map(frame).collect());
        Ok(Self { name, content, settings: None })
    }

    /// The image or sheet that the source comes from, if there is one.
    pub(super) fn origin(&self) -> Option<PathBuf> {
        self.files().first().map(|file| file.to_path_buf())
    }

    /// The files whose bytes decide its frames.
    pub(super) fn files(&self) -> Vec<&Path> {
        self.content.files()
    }

    /// Its frames, untrimmed. `pages` keeps, for the length of a bake, what several sources share.
    pub(super) fn load(
        &self,
        settings: &Settings,
        pages: &Pages,
    ) -> Result<Cow<'_, [Frame]>, BakeError> {
        self.content.frames(settings, pages)
    }
}

impl Content {
    /// The files whose bytes decide its frames.
    pub(super) fn files(&self) -> Vec<&Path> {
        match self {
            Self::Frames(_) => Vec::new(),
            #[cfg(feature = "image")]
            Self::Files(recipe) => recipe.files(),
        }
    }

    pub(super) fn frames(
        &self,
        settings: &Settings,
        pages: &Pages,
    ) -> Result<Cow<'_, [Frame]>, BakeError> {
        match self {
            Self::Frames(frames) => {
                let _ = (settings, pages);
                Ok(Cow::Borrowed(frames))
            }
            #[cfg(feature = "image")]
            Self::Files(recipe) => recipe.frames(settings, pages),
        }
    }
}
