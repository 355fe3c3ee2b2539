use super::{BakeError, Settings};
use crate::mask::Mask;
use std::borrow::Cow;
use std::path::PathBuf;

/// Something to be baked into one sprite.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) content: Content,
    /// Settings of its own; else those of the bake.
    pub(super) settings: Option<Settings>,
}

pub(super) enum Content {
    Frames(Vec<Mask>),
    #[cfg_attr(not(feature = "image"), expect(dead_code, reason = "only images are files"))]
    Image(PathBuf),
}

impl Source {
    /// Where the source came from, for messages.
    pub(super) fn origin(&self) -> PathBuf {
        match &self.content {
            Content::Frames(_) => PathBuf::from(format!("the masks named {:?}", self.name)),
            Content::Image(path) => path.clone(),
        }
    }

    /// The source masks of its frames, untrimmed.
    pub(super) fn load(&self, settings: &Settings) -> Result<Cow<'_, [Mask]>, BakeError> {
        match &self.content {
            Content::Frames(frames) => Ok(Cow::Borrowed(frames)),
            #[cfg(feature = "image")]
            Content::Image(path) => {
                super::image::decode(path, settings.alpha).map(|mask| Cow::Owned(vec![mask]))
            }
            #[cfg(not(feature = "image"))]
            Content::Image(path) => {
                let _ = settings;
                Err(BakeError::NotAnImage { path: path.clone() })
            }
        }
    }
}
