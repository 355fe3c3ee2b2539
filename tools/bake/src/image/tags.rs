//! Tags: named ranges of the frames of a file, each a sprite.
//!
//! Used by the readers of Aseprite files and of sheets that Aseprite exported.

use crate::error::BakeError;
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

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
