//! Reads sheet descriptions in JSON from TexturePacker, Aseprite, PixiJS and Phaser. Frames are in
//! an array or by name, trimmed, rotated, with pivots, on one or more pages.
//!
//! Called by `frame_source`. `aseprite_sheet` splits a file from Aseprite into sprites. In any other
//! file each frame is a sprite, except frames that a list of animations combines. Files that
//! `related_multi_packs` names belong to the same sheet. A frame key that is not known is an error,
//! because it could change pixels.

use super::aseprite_sheet::{Export, Layer, Rect, Slice, Xy};
use super::cut::{PackedRotation, Region, corner};
use super::cuts::Cuts;
use super::described::Described;
use super::frame_fault::FrameFault;
use super::glob_walk::without_image_extension;
use super::page::{page, page_or_own};
use super::tags::{Tag, unique};
use crate::error::{BakeError, BakeFault};
use crate::text::{Text, UniqueMap};
use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Sheet {
    #[serde(default)]
    frames: Frames,
    #[serde(default)]
    meta: Meta,
    /// Frame names by animation name (PixiJS).
    #[serde(default)]
    animations: UniqueMap<Vec<String>>,
    /// Several pages in one file (Phaser 3).
    #[serde(default)]
    textures: Vec<Texture>,
}

#[derive(Deserialize)]
struct Texture {
    image: String,
    #[serde(default)]
    size: Option<Size>,
    #[serde(default)]
    scale: Option<Scale>,
    #[serde(default)]
    frames: Frames,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    app: String,
    image: Option<String>,
    #[serde(rename = "frameTags")]
    frame_tags: Vec<Tag>,
    slices: Vec<Slice>,
    layers: Vec<Layer>,
    /// The other files of the sheet (TexturePacker).
    related_multi_packs: Vec<String>,
    scale: Option<Scale>,
    size: Option<Size>,
}

/// The size of a page. Nothing depends on it, so it may be malformed.
#[derive(Deserialize)]
#[serde(untagged)]
enum Size {
    Sides(Wh),
    Other(IgnoredAny),
}

/// The size of the frames relative to the art. Tools write a number or its text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scale {
    Number(f64),
    Text(String),
    Other(IgnoredAny),
}

impl Scale {
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Other(_) => None,
        }
    }
}

#[derive(Default)]
struct Entry {
    filename: Option<String>,
    frame: Option<Rect>,
    rotated: bool,
    /// If false, `sprite_source_size` has no meaning but the size.
    trimmed: Option<bool>,
    sprite_source_size: Option<Rect>,
    source_size: Option<Wh>,
    /// As a fraction of the untrimmed frame.
    pivot: Option<Xy>,
    anchor: Option<Xy>,
    /// The centre of the trimmed image from that of the frame, with y up (melonJS).
    offset: Option<Xy>,
    /// Only Aseprite writes it.
    has_duration: bool,
    /// The corners of a polygon in the untrimmed frame, the same on the page, and its triangles.
    vertices: Vec<[f64; 2]>,
    vertices_uv: Option<Vec<[f64; 2]>>,
    triangles: Vec<[usize; 3]>,
    /// The first key that may change pixels in a way that is not known.
    unknown: Option<String>,
}

/// Keys of a frame that do not affect its pixels: 9-slice borders, and notes for a game.
const NEUTRAL_KEYS: [&str; 13] = [
    "borders",
    "scale9Borders",
    "name",
    "index",
    "id",
    "type",
    "color",
    "data",
    "userData",
    "properties",
    "tags",
    "comment",
    "description",
];

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a frame")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
                let (mut entry, mut seen) = (Entry::default(), Vec::new());
                while let Some(key) = map.next_key::<String>()? {
                    if seen.contains(&key) {
                        return Err(A::Error::custom(format!("duplicate field `{key}`")));
                    }
                    match key.as_str() {
                        "filename" => entry.filename = Some(map.next_value()?),
                        "frame" => entry.frame = Some(map.next_value()?),
                        "rotated" => entry.rotated = map.next_value()?,
                        "trimmed" => entry.trimmed = Some(map.next_value()?),
                        "spriteSourceSize" => entry.sprite_source_size = map.next_value()?,
                        "sourceSize" => entry.source_size = map.next_value()?,
                        "pivot" => entry.pivot = map.next_value()?,
                        "anchor" => entry.anchor = map.next_value()?,
                        "offset" => entry.offset = map.next_value()?,
                        "vertices" => entry.vertices = map.next_value()?,
                        "verticesUV" => entry.vertices_uv = map.next_value()?,
                        "triangles" => entry.triangles = map.next_value()?,
                        "duration" => {
                            map.next_value::<IgnoredAny>()?;
                            entry.has_duration = true;
                        }
                        other => {
                            map.next_value::<IgnoredAny>()?;
                            if !NEUTRAL_KEYS.contains(&other) {
                                entry.unknown.get_or_insert_with(|| other.to_owned());
                            }
                        }
                    }
                    // A frame has about 10 keys. A file of many keys is refused early.
                    if seen.len() > 64 {
                        return Err(A::Error::custom("a frame has more than 64 keys"));
                    }
                    seen.push(key);
                }
                if entry.frame.is_none() {
                    return Err(A::Error::missing_field("frame"));
                }
                Ok(entry)
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

#[derive(Clone, Copy, Deserialize)]
struct Wh {
    w: f64,
    h: f64,
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

/// Returns true if a text is a JSON object.
pub(super) fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Returns what the description at `path` has, with sprites under the name `name`. Makes one sprite per
/// tag if `takes_tags` is set.
pub(super) fn sprites(name: &str, path: &Path, takes_tags: bool) -> Result<Described, BakeError> {
    let sheet = parse(path)?;
    let has_others = !(sheet.textures.is_empty() && sheet.meta.related_multi_packs.is_empty());
    check_images(path, &sheet, has_others)?;
    let is_aseprite = sheet.meta.app.to_ascii_lowercase().contains("aseprite")
        || sheet.frames.0.first().is_some_and(|(_, entry)| entry.has_duration);
    let mut pages = Pages { cuts: Cuts::new(path), scales: Vec::new(), sizes: BTreeMap::new() };
    let sprites = if is_aseprite {
        pages.of_aseprite(name, path, sheet, takes_tags)?
    } else {
        let animations = pages.of_packer(path, sheet)?;
        packed(name, path, &pages.cuts, &animations)?
    };
    let Pages { scales, sizes, .. } = pages;
    Ok(Described { sprites, scales, sizes })
}

/// The frames of a sheet, and what it states of its pages.
struct Pages {
    cuts: Cuts,
    scales: Vec<f64>,
    sizes: BTreeMap<PathBuf, [f64; 2]>,
}

impl Pages {
    /// Adds the page of a description, and returns its index.
    fn add(
        &mut self,
        path: &Path,
        image: Option<&str>,
        size: Option<Size>,
    ) -> Result<usize, BakeError> {
        let page = page_or_own(path, image)?;
        if let Some(Size::Sides(Wh { w, h })) = size {
            self.sizes.insert(page.clone(), [w, h]);
        }
        Ok(self.cuts.page(page))
    }

    /// Adds the frames of a sheet of Aseprite, and returns its sprites.
    fn of_aseprite(
        &mut self,
        name: &str,
        path: &Path,
        sheet: Sheet,
        takes_tags: bool,
    ) -> Result<Vec<(String, Cuts)>, BakeError> {
        if !sheet.textures.is_empty() {
            let cause = "the file has frames of Aseprite and textures";
            let remedy = "keep one of them, in a file of its own";
            return Err(BakeError::unsupported(path, cause, remedy));
        }
        let Meta { image, size, scale, frame_tags, slices, layers, .. } = sheet.meta;
        self.scales.extend(scale.as_ref().and_then(Scale::number));
        let names: Vec<&str> = sheet.frames.0.iter().map(|(frame, _)| frame.as_str()).collect();
        let tags = if takes_tags { unique(path, frame_tags)? } else { frame_tags };
        let export = Export::new(path, &names, &layers, tags, slices);
        let (pivots, boxes) = (export.pivots()?, export.boxes());
        if names.is_empty() {
            return Err(BakeError::no_frames(path));
        }
        let page = self.add(path, image.as_deref(), size)?;
        for (i, ((frame, entry), pivot)) in sheet.frames.0.iter().zip(pivots).enumerate() {
            let region = region(path, frame, entry, true, pivot)?;
            let boxes = boxes.as_ref().map(|boxes| boxes[i].clone());
            self.cuts.add_with_slices(page, frame, region.checked(path, frame)?, boxes);
        }
        export.sprites(name, &mut self.cuts, takes_tags)
    }

    /// Adds the frames of the sheet at `path` and of the files that belong to it. Returns the frames of
    /// each animation.
    fn of_packer(
        &mut self,
        path: &Path,
        sheet: Sheet,
    ) -> Result<BTreeMap<String, Vec<String>>, BakeError> {
        let mut animations = BTreeMap::new();
        let mut files = vec![path.to_owned()];
        let mut next = Some(sheet);
        while let Some(sheet) = next {
            // The newest sheet of the cuts is this one.
            let path = files[self.cuts.sheets.len().saturating_sub(1)].clone();
            for (animation, frames) in sheet.animations.0 {
                let known = animations.entry(animation.clone()).or_insert_with(|| frames.clone());
                if *known != frames {
                    let cause = "two files of the sheet list different frames";
                    return Err(BakeError::unclear_frames(&path, &animation, cause));
                }
            }
            let Meta { image, size, scale, related_multi_packs, .. } = sheet.meta;
            let scales = sheet.textures.iter().map(|texture| texture.scale.as_ref());
            self.scales.extend(scales.chain([scale.as_ref()]).flatten().filter_map(Scale::number));
            let single = (!sheet.frames.0.is_empty()).then_some((image, size, sheet.frames));
            let textures = sheet.textures.into_iter().map(|t| (Some(t.image), t.size, t.frames));
            for (image, size, frames) in single.into_iter().chain(textures) {
                let page = self.add(&path, image.as_deref(), size)?;
                for (frame, entry) in &frames.0 {
                    let region = region(&path, frame, entry, false, None)?;
                    self.cuts.add(page, frame, region.checked(&path, frame)?);
                }
            }
            for related in &related_multi_packs {
                let related = page(&path, related)?;
                if !files.contains(&related) {
                    files.push(related);
                }
            }
            next = match files.get(self.cuts.sheets.len()) {
                Some(file) => {
                    self.cuts.sheet(file);
                    let sheet = parse(file)?;
                    check_images(file, &sheet, true)?;
                    Some(sheet)
                }
                None => None,
            };
        }
        if self.cuts.is_empty() {
            return Err(BakeError::no_frames(path));
        }
        self.cuts.check_names()?;
        Ok(animations)
    }
}

/// Refuses frames that no image is named for, if the sheet has other images or files.
fn check_images(path: &Path, sheet: &Sheet, has_others: bool) -> Result<(), BakeError> {
    let count = sheet.frames.0.len();
    if count == 0 || sheet.meta.image.is_some() || !has_others {
        return Ok(());
    }
    let cause = format!("its list `frames` has {count} frames, but no image is named for them");
    let remedy = "name their image as `image` in `meta`, or remove them";
    Err(BakeError::unsupported(path, cause, remedy))
}

fn parse(path: &Path) -> Result<Sheet, BakeError> {
    let text = Text::read(path)?;
    let help =
        "correct the file at that position, or export the sheet as JSON for PixiJS or Phaser";
    text.json(&text.text).map_err(|error| error.with_help(help))
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
            let &i = index.get(frame.as_str()).ok_or_else(|| {
                let rest = format_args!(
                    ": animation {animation:?} names the frame {frame:?}, which does not exist"
                );
                let help = "export the file again";
                BakeError::of_file(BakeFault::NotFound, path, rest, help).in_frame(frame)
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

/// Returns the inner padding of a frame of Aseprite, in texels on each side. It is part of the frame on
/// the page, but not of the trimmed image.
fn inner_padding(on_page: [f64; 2], trimmed: [f64; 2]) -> f64 {
    let [across, down] = [0, 1].map(|axis| on_page[axis] - trimmed[axis]);
    if across == down && across > 0.0 { across / 2.0 } else { 0.0 }
}

/// Returns the region of the frame `name` in the description at `path`.
fn region(
    path: &Path,
    name: &str,
    entry: &Entry,
    is_aseprite: bool,
    slice: Option<[f64; 2]>,
) -> Result<Region, BakeError> {
    let fault = |fault: FrameFault| fault.of(path, name);
    if let Some(key) = &entry.unknown {
        return Err(BakeError::unknown_frame_key(path, name, key));
    }
    let trim = entry.sprite_source_size;
    if entry.trimmed == Some(true) && (trim.is_none() || entry.source_size.is_none()) {
        let predicate = "is trimmed, but spriteSourceSize or sourceSize is missing";
        return Err(fault(FrameFault::new(predicate)));
    }
    let Rect { mut x, mut y, mut w, mut h } = entry.frame.unwrap_or_default();
    if let Some(trim) = trim {
        let padding = if is_aseprite { inner_padding([w, h], [trim.w, trim.h]) } else { 0.0 };
        (x, y) = (x + padding, y + padding);
        (w, h) = (w - 2.0 * padding, h - 2.0 * padding);
        let is_turned = entry.rotated && [trim.w, trim.h] == [h, w];
        // Adobe Animate states the untrimmed size here.
        let is_whole = !entry.rotated
            && entry.source_size.is_some_and(|size| [trim.w, trim.h] == [size.w, size.h]);
        if w >= 0.0 && h >= 0.0 && [trim.w, trim.h] != [w, h] && !is_turned && !is_whole {
            let predicate = "has a size on the page that differs from its trimmed size";
            let help = "export the sheet again without inner padding";
            return Err(fault(FrameFault::new(predicate).help(help)));
        }
        if is_turned {
            // TexturePacker states the upright size, some other tools the size on the page.
            (w, h) = (trim.w, trim.h);
        }
    }
    let is_other = |size: Wh| [size.w, size.h] != [w, h];
    if entry.trimmed == Some(false) && entry.source_size.is_some_and(is_other) {
        let predicate = "is not trimmed, but sourceSize differs from its size on the page";
        let help =
            "set trimmed to true if the frame has lost its clear border, or correct sourceSize";
        return Err(fault(FrameFault::new(predicate).help(help)));
    }
    let pivot = match (entry.pivot, entry.anchor) {
        (Some(pivot), Some(anchor)) if pivot != anchor => {
            let help = "remove one of the two, or make them equal";
            return Err(fault(FrameFault::new("has a pivot and an anchor that differ").help(help)));
        }
        (pivot, anchor) => pivot.or(anchor),
    };
    let frame = entry.source_size.map_or([w, h], |size| [size.w, size.h]);
    let offset = trim.filter(|_| entry.trimmed != Some(false));
    let at = offset.map_or([0.0; 2], |trim| [trim.x, trim.y]);
    if let Some(Xy { x, y }) = entry.offset {
        corner([x, y], [w, h], frame, Some(at)).map_err(fault)?;
    }
    let region = Region {
        from: [x, y],
        size: [w, h],
        rotation: if entry.rotated { PackedRotation::Clockwise } else { PackedRotation::Upright },
        at,
        frame,
        pivot: slice.or(pivot.map(|part| [part.x * frame[0], part.y * frame[1]])),
        triangles: None,
    };
    let uv = entry.vertices_uv.as_deref();
    region.with_polygon(&entry.vertices, &entry.triangles, uv).map_err(fault)
}
