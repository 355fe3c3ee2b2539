//! Image files: finding and decoding them, and the descriptions of sheets. The only folder that
//! names image, glob, aseprite-loader and the parsers of JSON and XML.
//!
//! ```text
//! find, walk: pattern -> files
//! open: file -> sprites, each with the recipe of its frames    (reads descriptions, no pixels)
//! recipe: -> decode -> stills -> cut -> frames                 (when the bake is written)
//! ```

mod arrange;
mod aseprite;
mod atlas;
mod cut;
mod decode;
mod find;
mod json;
mod pages;
mod recipe;
mod region;
mod shape;
mod still;
mod tiled;
mod walk;

pub(super) use arrange::{Anchor, Flip};
pub(super) use find::{find, is_image, name};
pub(super) use pages::Pages;
pub(super) use recipe::Recipe;
pub(super) use walk::matching;

use super::{BakeError, Grid};
use std::ops::Range;
use std::path::Path;

/// Sprites by name, with the recipes of their frames.
type Found = Vec<(String, Recipe)>;

/// The name of a tag, its first frame and its last.
type Tag = (String, usize, usize);

/// How a file is taken apart into sprites.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    /// Cuts each image by a grid.
    pub(super) grid: Option<Grid>,
    /// Makes a sprite of each of a file's tags.
    pub(super) tags: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { grid: None, tags: true }
    }
}

impl Options {
    /// The sprites of an animation of `count` frames: one for each tag, from its first frame to its
    /// last, or one if there are none or tags are not asked for.
    fn tagged(
        &self,
        name: &str,
        path: &Path,
        count: usize,
        tags: &[Tag],
        recipe: impl Fn(Range<usize>) -> Recipe,
    ) -> Result<Found, BakeError> {
        if tags.is_empty() || !self.tags {
            return Ok(vec![(name.to_owned(), recipe(0..count))]);
        }
        let sprite = |(tag, from, to): &Tag| {
            if from > to || *to >= count {
                return Err(BakeError::Tag {
                    path: path.to_owned(),
                    tag: tag.clone(),
                    frames: [*from, *to],
                    count,
                });
            }
            Ok((format!("{name}/{tag}"), recipe(*from..to + 1)))
        };
        tags.iter().map(sprite).collect()
    }
}

/// The sprites of the file at `path`, which is called `name`.
pub(super) fn open(name: &str, path: &Path, options: &Options) -> Result<Found, BakeError> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    Ok(match ending.to_ascii_lowercase().as_str() {
        "json" => json::sprites(name, path, options)?,
        "atlas" => atlas::sprites(name, path)?,
        "tsx" => vec![(name.to_owned(), Recipe::Drawn(tiled::frames(path)?))],
        _ if options.grid.is_some() => {
            let grid = options.grid.into_iter();
            grid.map(|grid| (name.to_owned(), Recipe::Tiles(path.to_owned(), grid))).collect()
        }
        "ase" | "aseprite" => {
            let (count, tags) = aseprite::tags(path)?;
            if tags.is_empty() || !options.tags {
                vec![(name.to_owned(), Recipe::Whole(path.to_owned()))]
            } else {
                let some = |frames| Recipe::Some(path.to_owned(), frames);
                options.tagged(name, path, count, &tags, some)?
            }
        }
        _ => vec![(name.to_owned(), Recipe::Whole(path.to_owned()))],
    })
}

/// The bytes of a file.
fn read(path: &Path) -> Result<Vec<u8>, BakeError> {
    std::fs::read(path).map_err(|cause| BakeError::Read { path: path.to_owned(), cause })
}

/// The text of a file, without the mark that some systems put in front.
pub(super) fn read_text(path: &Path) -> Result<String, BakeError> {
    let text = String::from_utf8(read(path)?).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        let cause = "this is no text in UTF-8".to_owned();
        BakeError::Text { path: path.to_owned(), line, column, cause }
    })?;
    Ok(match text.strip_prefix('\u{FEFF}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

/// A frame's name without the ending of the file that it was packed from.
fn without_image_ending(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && find::is_image_ending(ending) => stem,
        _ => name,
    }
}
