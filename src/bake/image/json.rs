//! Reads sheet descriptions in JSON from TexturePacker, Aseprite, PixiJS and Phaser. Frames are in
//! an array or by name, trimmed, rotated, with pivots, on one or more pages.
//!
//! Called by `frame_source`. A file from Aseprite is one sprite, or one per tag. In any other file
//! each frame is a sprite, except frames that a list of animations combines.

use super::glob_walk::{read_text, without_image_extension};
use super::region::{Region, page};
use super::sheet_frame::{Cuts, PackedRotation, tagged};
use crate::bake::BakeError;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;

#[derive(Deserialize)]
struct Sheet {
    #[serde(default)]
    frames: Frames,
    #[serde(default)]
    meta: Meta,
    /// Frame names by animation name (PixiJS).
    #[serde(default)]
    animations: BTreeMap<String, Vec<String>>,
    /// Several pages in one file (Phaser 3).
    #[serde(default)]
    textures: Vec<Texture>,
}

#[derive(Deserialize)]
struct Texture {
    image: String,
    #[serde(default)]
    frames: Frames,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Meta {
    app: String,
    image: Option<String>,
    frame_tags: Vec<Tag>,
    slices: Vec<Slice>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
    from: usize,
    to: usize,
}

#[derive(Deserialize)]
struct Slice {
    #[serde(default)]
    keys: Vec<Key>,
}

/// The state of a slice from one frame on.
#[derive(Deserialize)]
struct Key {
    frame: usize,
    bounds: Rect,
    pivot: Option<Xy>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    filename: Option<String>,
    frame: Rect,
    #[serde(default)]
    rotated: bool,
    sprite_source_size: Option<Rect>,
    source_size: Option<Wh>,
    /// As a fraction of the untrimmed frame.
    #[serde(alias = "anchor")]
    pivot: Option<Xy>,
    /// Only Aseprite writes it.
    duration: Option<IgnoredAny>,
}

#[derive(Clone, Copy, Deserialize)]
struct Rect {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

#[derive(Clone, Copy, Deserialize)]
struct Wh {
    w: f64,
    h: f64,
}

#[derive(Clone, Copy, Deserialize)]
struct Xy {
    x: f64,
    y: f64,
}

/// Frames with their names, in file order.
#[derive(Default)]
struct Frames(Vec<(String, Entry)>);

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Frames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of frames, or a map of frames by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Frames, A::Error> {
                let mut frames = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    frames.push(entry);
                }
                Ok(Frames(frames))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Frames, A::Error> {
                let mut frames = Vec::new();
                while let Some(mut entry) = seq.next_element::<Entry>()? {
                    let name = entry.filename.take().unwrap_or_else(|| frames.len().to_string());
                    frames.push((name, entry));
                }
                Ok(Frames(frames))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Returns the sprites of the description at `path` with the name `name`. Makes one sprite per tag
/// if `takes_tags` is set.
pub(super) fn sprites(
    name: &str,
    path: &Path,
    takes_tags: bool,
) -> Result<Vec<(String, Cuts)>, BakeError> {
    let text = read_text(path)?;
    let sheet: Sheet = serde_json::from_str(&text).map_err(|e| BakeError::Text {
        path: path.to_owned(),
        line: e.line(),
        column: e.column(),
        cause: without_position(&e.to_string()),
    })?;
    let is_aseprite = sheet.meta.app.to_ascii_lowercase().contains("aseprite")
        || sheet.frames.0.first().is_some_and(|(_, entry)| entry.duration.is_some());
    let mut cuts = Cuts::new(path);
    let single = sheet.meta.image.map(|image| Texture { image, frames: sheet.frames });
    for texture in single.into_iter().chain(sheet.textures) {
        let page = cuts.page(page(path, &texture.image)?);
        for (index, (frame, entry)) in texture.frames.0.iter().enumerate() {
            let slice = if is_aseprite { pivot_at(&sheet.meta.slices, index) } else { None };
            let cut = region(entry, slice).checked(path, frame)?;
            cuts.add(page, frame, cut);
        }
    }
    if cuts.is_empty() {
        return Err(BakeError::NoFramesIn { path: path.to_owned() });
    }
    if !is_aseprite {
        return packed(name, path, &cuts, &sheet.animations);
    }
    let tags = sheet.meta.frame_tags.into_iter().filter(|_| takes_tags);
    let tags: Vec<_> = tags.map(|tag| (tag.name, tag.from, tag.to)).collect();
    tagged(name, path, cuts.len(), &tags, |frames| cuts.select(frames))
}

/// Returns one sprite per animation, and one per frame that is in no animation.
fn packed(
    name: &str,
    path: &Path,
    cuts: &Cuts,
    animations: &BTreeMap<String, Vec<String>>,
) -> Result<Vec<(String, Cuts)>, BakeError> {
    let index: HashMap<&str, usize> = cuts.names().zip(0..).collect();
    let mut is_alone = vec![true; cuts.len()];
    let mut sprites = Vec::new();
    for (animation, frames) in animations {
        let mut of_animation = Vec::with_capacity(frames.len());
        for frame in frames {
            let &i = index.get(frame.as_str()).ok_or_else(|| BakeError::NoFrameNamed {
                path: path.to_owned(),
                animation: animation.clone(),
                frame: frame.clone(),
            })?;
            is_alone[i] = false;
            of_animation.push(i);
        }
        sprites.push((format!("{name}/{animation}"), cuts.select(of_animation)));
    }
    for (i, frame) in cuts.names().enumerate().filter(|&(i, _)| is_alone[i]) {
        let frame = without_image_extension(frame);
        sprites.push((format!("{name}/{frame}"), cuts.select([i])));
    }
    Ok(sprites)
}

fn region(entry: &Entry, slice: Option<[f64; 2]>) -> Region {
    let Rect { x, y, mut w, mut h } = entry.frame;
    if let (true, Some(trim)) = (entry.rotated, entry.sprite_source_size) {
        // TexturePacker states the upright size, some other tools the size on the page.
        (w, h) = (trim.w, trim.h);
    }
    let frame = entry.source_size.map_or([w, h], |size| [size.w, size.h]);
    Region {
        from: [x, y],
        size: [w, h],
        rotation: if entry.rotated { PackedRotation::Clockwise } else { PackedRotation::Upright },
        at: entry.sprite_source_size.map_or([0.0; 2], |trim| [trim.x, trim.y]),
        frame,
        pivot: slice.or(entry.pivot.map(|part| [part.x * frame[0], part.y * frame[1]])),
    }
}

/// Returns the pivot at frame `index`, from the first slice that has one.
fn pivot_at(slices: &[Slice], index: usize) -> Option<[f64; 2]> {
    slices.iter().find_map(|slice| {
        let key = slice.keys.iter().filter(|key| key.frame <= index).max_by_key(|key| key.frame)?;
        key.pivot.map(|pivot| [key.bounds.x + pivot.x, key.bounds.y + pivot.y])
    })
}

/// Returns the parser's message without its position, which is reported separately.
fn without_position(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(cause, _)| cause).to_owned()
}
