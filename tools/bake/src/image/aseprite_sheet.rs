//! Splits a sheet that Aseprite exported into sprites: by file, layer and tag.
//!
//! Called by `json`. Tags and slices count the frames of their file, but the sheet may leave out
//! empty frames, or hold several files or layers. Frame numbers are therefore read from the names of
//! the frames, `title (layer) #tag number`. Frames that the names do not show are an error. Frames that
//! were left out are empty frames of the sprite, so that later frames keep their numbers.

use super::glob_walk::without_image_extension;
use super::sheet_frame::{Boxes, Cuts};
use crate::BakeError;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::Path;

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
pub(super) struct Xy {
    pub(super) x: f64,
    pub(super) y: f64,
}

#[derive(Deserialize)]
pub(super) struct Tag {
    name: String,
    from: usize,
    to: usize,
}

#[derive(Deserialize)]
pub(super) struct Layer {
    name: String,
}

#[derive(Deserialize)]
pub(super) struct Slice {
    #[serde(default)]
    name: String,
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

impl Slice {
    /// Returns its state at a frame, if it is not hidden there.
    fn at(&self, frame: usize) -> Option<&Key> {
        let keys = self.keys.iter().filter(|key| key.frame <= frame);
        // A key without area hides the slice.
        keys.max_by_key(|key| key.frame).filter(|key| key.bounds.w != 0.0 && key.bounds.h != 0.0)
    }
}

/// Returns the texels of a rectangle. Numbers beyond the range are clamped to it.
fn rect(bounds: &Rect) -> hitmask::Rect {
    let [right, bottom] = [bounds.x + bounds.w, bounds.y + bounds.h];
    hitmask::Rect::new(bounds.x as i32, bounds.y as i32, right as i32, bottom as i32)
}

/// A frame of the sheet, from its name.
struct Named {
    /// Index of the file.
    file: usize,
    /// Index of the file and layer.
    part: usize,
    /// Index of the tag, if the names show tags.
    tag: Option<usize>,
    number: usize,
}

/// The frames of a sheet in file order.
pub(super) struct Export<'a> {
    path: &'a Path,
    frames: Vec<Named>,
    /// The names of the files.
    files: Vec<String>,
    /// The file index and the layer name of each part.
    parts: Vec<(usize, Option<String>)>,
    tags: Vec<Tag>,
    slices: Vec<Slice>,
    /// Set if the names of the frames show their tags.
    shows_tags: bool,
    /// Set if a name without a number is used by several frames.
    lacks_numbers: bool,
}

/// Largest number of frames of an Aseprite file. A higher number is not that of a frame.
const MAX_FRAMES: usize = 1 << 16;

/// Separators before a frame number or the name of a tag.
const SEPARATORS: [char; 6] = [' ', '_', '-', '.', '#', '/'];

impl<'a> Export<'a> {
    /// Returns the frames with these names.
    pub(super) fn new(
        path: &'a Path,
        names: &[&str],
        layers: &[Layer],
        tags: Vec<Tag>,
        slices: Vec<Slice>,
    ) -> Self {
        let stems: Vec<&str> = names.iter().map(|name| without_image_extension(name)).collect();
        let mut sizes: HashMap<&str, usize> = HashMap::new();
        for stem in &stems {
            let size = sizes.entry(without_number(stem)).or_default();
            *size = size.saturating_add(1);
        }
        let groups: Vec<(&str, Option<usize>)> = stems
            .iter()
            .map(|&stem| {
                let group = without_number(stem);
                let digits = stem[group.len()..].trim_start_matches(SEPARATORS);
                // A single `hero2` is a title, `hero 2` a frame.
                let is_title = sizes[group] == 1 && !stem[group.len()..].starts_with(' ');
                match digits.parse() {
                    Ok(number) if !is_title || group.is_empty() => (group, Some(number)),
                    _ => (stem, None),
                }
            })
            .collect();
        let distinct: BTreeSet<&str> = groups.iter().map(|&(group, _)| group).collect();
        let shown = shown_tags(&distinct, &groups, &tags);
        let mut export = Self {
            path,
            frames: Vec::with_capacity(names.len()),
            files: Vec::new(),
            parts: Vec::new(),
            tags,
            slices,
            shows_tags: !shown.is_empty(),
            lacks_numbers: false,
        };
        let (mut files, mut parts) = (HashMap::new(), HashMap::new());
        let mut split: HashMap<&str, (usize, usize, Option<usize>, usize)> = HashMap::new();
        for (group, number) in groups {
            let entry = split.entry(group).or_insert_with(|| {
                let (rest, tag) =
                    shown.get(group).map_or((group, None), |&(rest, tag)| (rest, Some(tag)));
                let (title, layer) = split_layer(rest, layers);
                let file = *files.entry(title).or_insert_with(|| {
                    let index = export.files.len();
                    export.files.push(title.to_owned());
                    index
                });
                let part = *parts.entry((title, layer)).or_insert_with(|| {
                    let index = export.parts.len();
                    export.parts.push((file, layer.map(str::to_owned)));
                    index
                });
                (file, part, tag, 0)
            });
            let (file, part, tag, count) = *entry;
            entry.3 = count.saturating_add(1);
            export.lacks_numbers |= number.is_none() && count > 0;
            export.frames.push(Named { file, part, tag, number: number.unwrap_or(count) });
        }
        export
    }

    /// Returns the pivot of each frame, from the first slice that has one there.
    pub(super) fn pivots(&self) -> Result<Vec<Option<[f64; 2]>>, BakeError> {
        let slices: Vec<&Slice> = self
            .slices
            .iter()
            .filter(|slice| slice.keys.iter().any(|key| key.pivot.is_some()))
            .collect();
        for slice in &slices {
            let cause = if self.files.len() > 1 {
                Some(self.several_files())
            } else if slice.keys.len() > 1 || slice.keys.iter().any(|key| key.frame > 0) {
                self.unclear_numbers(0)
            } else {
                None
            };
            if let Some(cause) = cause {
                return Err(self.unclear(&slice.name, cause));
            }
        }
        let at = |frame: &Named| {
            slices.iter().find_map(|slice| {
                let key = slice.at(frame.number)?;
                key.pivot.map(|pivot| [key.bounds.x + pivot.x, key.bounds.y + pivot.y])
            })
        };
        Ok(self.frames.iter().map(at).collect())
    }

    /// Returns the rectangles of the slices at each frame. `None` if the names of the frames do not show
    /// which frame a slice is in.
    pub(super) fn boxes(&self) -> Option<Vec<Boxes>> {
        self.frames.iter().map(|frame| self.boxes_at(frame.number)).collect()
    }

    /// Returns the rectangles of the slices at the frame of a number.
    fn boxes_at(&self, number: usize) -> Option<Boxes> {
        let changes =
            |slice: &Slice| slice.keys.len() > 1 || slice.keys.iter().any(|key| key.frame > 0);
        let is_clear = self.slices.is_empty()
            || self.files.len() == 1
                && (!self.slices.iter().any(changes) || self.unclear_numbers(0).is_none());
        let shown = |slice: &Slice| {
            let bounds = slice.at(number).map(|key| rect(&key.bounds));
            (slice.name.clone(), bounds.unwrap_or_default())
        };
        is_clear.then(|| self.slices.iter().map(shown).collect())
    }

    /// Returns one sprite per file and layer, or one for each of their tags.
    pub(super) fn sprites(
        &self,
        name: &str,
        cuts: &mut Cuts,
        takes_tags: bool,
    ) -> Result<Vec<(String, Cuts)>, BakeError> {
        let of_tags: Vec<Vec<usize>> = if takes_tags {
            (0..self.tags.len()).map(|tag| self.tagged(tag)).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        };
        let mut members = vec![Vec::new(); self.parts.len()];
        for (i, frame) in self.frames.iter().enumerate() {
            members[frame.part].push(i);
        }
        let mut sprites = Vec::new();
        for (part, (file, layer)) in self.parts.iter().enumerate() {
            let mut name = name.to_owned();
            if self.files.len() > 1 {
                name = format!("{name}/{}", self.files[*file]);
            }
            if let Some(layer) = layer.as_ref().filter(|_| self.parts.len() > self.files.len()) {
                name = format!("{name}/{layer}");
            }
            if of_tags.is_empty() {
                let numbers = self.numbers_of(*file);
                let frames = self.completed(cuts, std::mem::take(&mut members[part]), numbers)?;
                sprites.push((name, cuts.select(frames)));
                continue;
            }
            for (i, (tag, frames)) in self.tags.iter().zip(&of_tags).enumerate() {
                let frames: Vec<usize> =
                    frames.iter().copied().filter(|&i| self.frames[i].part == part).collect();
                // A layer may be empty in all frames of a tag.
                if !frames.is_empty() {
                    let frames = self.completed(cuts, frames, self.numbers_of_tag(i))?;
                    sprites.push((format!("{name}/{}", tag.name), cuts.select(frames)));
                }
            }
        }
        Ok(sprites)
    }

    /// Returns the frames of a tag.
    fn tagged(&self, index: usize) -> Result<Vec<usize>, BakeError> {
        let tag = &self.tags[index];
        let wrong = |count| BakeError::tag(self.path, &tag.name, [tag.from, tag.to], count);
        let indices = |is_in: &dyn Fn(&Named) -> bool| -> Vec<usize> {
            (0..self.frames.len()).filter(|&i| is_in(&self.frames[i])).collect()
        };
        if tag.from > tag.to {
            return Err(wrong(self.frames.len()));
        }
        if self.shows_tags {
            return Ok(indices(&|frame| frame.tag == Some(index)));
        }
        let files: Vec<usize> =
            (0..self.files.len()).filter(|&file| self.may_have(file, tag.to)).collect();
        let &[file] = files.as_slice() else {
            return Err(match files.as_slice() {
                [] => wrong(self.count(0).0),
                _ => self.unclear(&tag.name, self.several_files()),
            });
        };
        if let Some(cause) = self.unclear_numbers(file) {
            return Err(self.unclear(&tag.name, cause));
        }
        let frames =
            indices(&|frame| frame.file == file && (tag.from..=tag.to).contains(&frame.number));
        if frames.is_empty() {
            return Err(self.unclear(&tag.name, "the sheet has none of them".to_owned()));
        }
        Ok(frames)
    }

    /// Returns the numbers of the frames of a file, if its names show them.
    fn numbers_of(&self, file: usize) -> Option<RangeInclusive<usize>> {
        if self.shows_tags || self.unclear_numbers(file).is_some() {
            return None;
        }
        let last = self.tags.iter().map(|tag| tag.to).max().filter(|_| self.files.len() == 1);
        let count = self.count(file).0.max(last.map_or(0, |last| last.saturating_add(1)));
        Some(0..=count.saturating_sub(1))
    }

    /// Returns the numbers that the frames of a tag have, if they are known.
    fn numbers_of_tag(&self, index: usize) -> Option<RangeInclusive<usize>> {
        let Tag { from, to, .. } = self.tags[index];
        let has_outside = |frame: &Named| {
            let tag = frame.tag.map(|tag| &self.tags[tag]);
            tag.is_some_and(|tag| !(tag.from..=tag.to).contains(&frame.number))
        };
        // Numbers that count from each tag.
        let is_own = self.shows_tags && self.frames.iter().any(has_outside);
        Some(if is_own { 0..=to.saturating_sub(from) } else { from..=to })
    }

    /// Returns the frames in order of their numbers, with an empty frame for each number that the sheet
    /// left out. Returns them as they are if a number is repeated or is not one of `numbers`.
    fn completed(
        &self,
        cuts: &mut Cuts,
        frames: Vec<usize>,
        numbers: Option<RangeInclusive<usize>>,
    ) -> Result<Vec<usize>, BakeError> {
        let Some(numbers) = numbers.filter(|numbers| *numbers.end() < MAX_FRAMES) else {
            return Ok(frames);
        };
        let by_number: BTreeMap<usize, usize> =
            frames.iter().map(|&i| (self.frames[i].number, i)).collect();
        let is_known = by_number.keys().all(|number| numbers.contains(number));
        let Some((_, &like)) = by_number.first_key_value() else { return Ok(frames) };
        if self.lacks_numbers || by_number.len() < frames.len() || !is_known {
            return Ok(frames);
        }
        let missing = numbers.clone().count().saturating_sub(frames.len());
        if missing > 0 && cuts.len().saturating_add(missing) > 16 * MAX_FRAMES {
            let cause = format!("the sheet left out {missing} of its frames");
            return Err(self.unclear(&self.files[self.frames[like].file], cause));
        }
        let frame = |number| {
            let named = by_number.get(&number).copied();
            named.unwrap_or_else(|| cuts.add_blank(like, self.boxes_at(number)))
        };
        Ok(numbers.map(frame).collect())
    }

    /// Returns the highest frame number of a file plus 1, and whether numbers below are missing.
    fn count(&self, file: usize) -> (usize, bool) {
        let numbers: HashSet<usize> = self.numbers(file).collect();
        let count = numbers.iter().max().map_or(0, |max| max.saturating_add(1));
        (count, numbers.len() < count)
    }

    fn numbers(&self, file: usize) -> impl Iterator<Item = usize> {
        self.frames.iter().filter(move |frame| frame.file == file).map(|frame| frame.number)
    }

    /// Returns true if a file may have had a frame of this number. Empty frames at the end may be
    /// missing if others are.
    fn may_have(&self, file: usize, number: usize) -> bool {
        let (count, has_gaps) = self.count(file);
        number < count || has_gaps && self.numbers(file).any(|number| number == 0)
    }

    /// Returns why the numbers in the names of a file may not be those of its frames.
    fn unclear_numbers(&self, file: usize) -> Option<String> {
        let last = self.tags.iter().map(|tag| tag.to).max();
        let ends = last.is_some_and(|last| last.checked_add(1) == Some(self.count(file).0));
        if self.lacks_numbers {
            return (!ends).then(|| "the names of the frames have no numbers".to_owned());
        }
        let mut seen = HashSet::new();
        let frames = || self.frames.iter().filter(|frame| frame.file == file);
        if frames().any(|frame| !seen.insert((frame.part, frame.number))) {
            return Some("the numbers in the names of the frames repeat".to_owned());
        }
        let is_outside = |frame: &Named| {
            let tag = frame.tag.map(|tag| &self.tags[tag]);
            tag.is_some_and(|tag| !(tag.from..=tag.to).contains(&frame.number))
        };
        if frames().any(is_outside) {
            return Some("the numbers in the names of the frames count from each tag".to_owned());
        }
        let first = self.numbers(file).min();
        (first != Some(0) && !ends)
            .then(|| "the numbers in the names of the frames do not begin with 0".to_owned())
    }

    fn several_files(&self) -> String {
        format!("the sheet has the frames of {} files: {}", self.files.len(), self.files.join(", "))
    }

    fn unclear(&self, name: &str, cause: String) -> BakeError {
        BakeError::unclear_frames(self.path, name, cause)
    }
}

/// Returns a name without the number at its end and the separator before it.
fn without_number(stem: &str) -> &str {
    let before = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    if before.len() == stem.len() { stem } else { before.trim_end_matches(SEPARATORS) }
}

/// Returns for each group of frames that is named after a tag the rest of its name and the tag.
///
/// Aseprite writes `#tag`. With other separators every group must be named after a tag, and every
/// tag must have a group that is not longer than the tag.
fn shown_tags<'a>(
    distinct: &BTreeSet<&'a str>,
    groups: &[(&'a str, Option<usize>)],
    tags: &[Tag],
) -> HashMap<&'a str, (&'a str, usize)> {
    let mut lengths: HashMap<&str, usize> = HashMap::new();
    for (group, _) in groups {
        let length = lengths.entry(group).or_default();
        *length = length.saturating_add(1);
    }
    let mut by_length: Vec<usize> = (0..tags.len()).filter(|&i| !tags[i].name.is_empty()).collect();
    by_length.sort_by_key(|&i| std::cmp::Reverse(tags[i].name.len()));
    let suffix = |group: &'a str, marks: &[char]| {
        by_length.iter().find_map(|&i| {
            let rest = group.strip_suffix(tags[i].name.as_str())?;
            let is_short =
                lengths[group] <= (tags[i].to.saturating_sub(tags[i].from)).saturating_add(1);
            let is_marked = rest.ends_with(marks) || (rest.is_empty() && marks.len() > 1);
            (is_short && is_marked).then(|| (group, (rest.trim_end_matches(SEPARATORS), i)))
        })
    };
    let marked: HashMap<_, _> =
        distinct.iter().copied().filter_map(|group| suffix(group, &['#'])).collect();
    if !marked.is_empty() {
        return marked;
    }
    let all: HashMap<_, _> =
        distinct.iter().copied().filter_map(|group| suffix(group, &SEPARATORS)).collect();
    let has_group = |tag: usize| all.values().any(|&(_, of)| of == tag);
    if all.len() == distinct.len() && (0..tags.len()).all(has_group) { all } else { HashMap::new() }
}

/// Splits `title (layer)`, if the sheet lists a layer of that name.
fn split_layer<'a>(group: &'a str, layers: &[Layer]) -> (&'a str, Option<&'a str>) {
    let inner = group.strip_suffix(')');
    let split = |layer: &Layer| {
        let before = inner?.strip_suffix(layer.name.as_str())?;
        let title = before.strip_suffix('(')?;
        Some((title.trim_end(), inner?.strip_prefix(before)?))
    };
    layers
        .iter()
        .filter_map(split)
        .min_by_key(|(title, _)| title.len())
        .map_or((group, None), |(title, layer)| (title, Some(layer)))
}
