//! Splits a sheet that Aseprite exported into sprites: by file, layer and tag.
//!
//! Called by `json`. Tags and slices count the frames of their file, but the sheet may leave out
//! empty frames, or hold several files or layers. Frame numbers are therefore read from the names of
//! the frames, `title (layer) #tag number` or the same parts with other separators. Invariant: a frame is
//! in a tag by its number in the file, because a sheet may list it for one of its tags only. Numbers that
//! the names do not show are an error. Frames that were left out are empty frames of the sprite, so that
//! later frames keep their numbers.

use super::cuts::{Boxes, Cuts};
use super::glob_walk::without_image_extension;
use super::tags::Tag;
use crate::error::BakeError;
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
    /// The number in its file, if the names show it.
    number: usize,
}

/// The parts of a frame's name. They are taken from the end of `rest`, which is left as the title.
struct Parts<'n> {
    rest: &'n str,
    layer: Option<&'n str>,
    tag: Option<usize>,
    number: Option<usize>,
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
    /// Set if a name without a number is used by several frames, or shows a tag.
    lacks_numbers: bool,
    /// Why the names show tags, but not the numbers in the file.
    undecided: Option<&'static str>,
}

/// Largest number of frames of an Aseprite file. A higher number is not that of a frame.
const MAX_FRAMES: usize = 1 << 16;

/// Separators before a frame number or the name of a tag or a layer.
const SEPARATORS: [char; 7] = [' ', '_', '-', '.', '#', '/', ':'];

impl<'a> Export<'a> {
    /// Returns the frames with these names.
    pub(super) fn new(
        path: &'a Path,
        names: &[&str],
        layers: &[Layer],
        tags: Vec<Tag>,
        slices: Vec<Slice>,
    ) -> Self {
        let mut names: Vec<Parts<'_>> = names
            .iter()
            .map(|name| without_image_extension(name))
            .map(|rest| Parts { rest, layer: None, tag: None, number: None })
            .collect();
        take_layers(&mut names, layers);
        take_numbers(&mut names, layers, &tags);
        let mut shows_tags = take_tags(&mut names, &tags);
        take_layers(&mut names, layers);
        shows_tags = shows_tags || take_tags(&mut names, &tags);
        if shows_tags {
            take_first_numbers(&mut names);
        }
        let (files, parts, lacks_numbers, undecided) = (Vec::new(), Vec::new(), false, None);
        let frames = Vec::with_capacity(names.len());
        let mut export =
            Self { path, frames, files, parts, tags, slices, shows_tags, lacks_numbers, undecided };
        let (mut files, mut parts, mut counts) = (HashMap::new(), HashMap::new(), HashMap::new());
        for Parts { rest, layer, tag, number } in names {
            let (title, layer) =
                if layer.is_some() { (rest, layer) } else { split_layer(rest, layers) };
            let file = *files.entry(title).or_insert_with(|| {
                export.files.push(title.to_owned());
                export.files.len().saturating_sub(1)
            });
            let part = *parts.entry((title, layer)).or_insert_with(|| {
                export.parts.push((file, layer.map(str::to_owned)));
                export.parts.len().saturating_sub(1)
            });
            let count: &mut usize = counts.entry((part, tag)).or_default();
            export.lacks_numbers |= number.is_none() && (*count > 0 || tag.is_some());
            export.frames.push(Named { file, part, tag, number: number.unwrap_or(*count) });
            *count = count.saturating_add(1);
        }
        if shows_tags {
            match export.numbers_in_file() {
                Ok(numbers) => {
                    for (frame, number) in export.frames.iter_mut().zip(numbers) {
                        frame.number = number;
                    }
                    export.lacks_numbers = false;
                }
                Err(cause) => export.undecided = Some(cause),
            }
        }
        export
    }

    /// Returns the numbers of the frames in their file, if the names show tags. The numbers in the names
    /// may count from the file or from each tag, and from 0 or from 1. Without numbers the frames must be
    /// complete and in order. Returns the cause if several readings fit, or none.
    fn numbers_in_file(&self) -> Result<Vec<usize>, &'static str> {
        let reading = |number: &dyn Fn(usize, &Named, usize) -> Option<usize>| {
            let mut seen = HashSet::new();
            let of = |(i, frame): (usize, &Named)| {
                let tag = frame.tag.map(|tag| &self.tags[tag]);
                let number = number(i, frame, tag.map_or(0, |tag| tag.from))?;
                let is_in = tag.is_none_or(|tag| (tag.from..=tag.to).contains(&number));
                (is_in && seen.insert((frame.part, frame.tag, number))).then_some(number)
            };
            self.frames.iter().enumerate().map(of).collect::<Option<Vec<usize>>>()
        };
        let mut readings: Vec<Vec<usize>> = if self.lacks_numbers {
            let mut counts = vec![0_usize; self.parts.len()];
            let mut next = |frame: &Named| {
                let count = &mut counts[frame.part];
                std::mem::replace(count, count.saturating_add(1))
            };
            let in_part: Vec<usize> = self.frames.iter().map(&mut next).collect();
            let of_part = reading(&|i, _, _| Some(in_part[i]));
            let of_tag = reading(&|_, frame, from| frame.number.checked_add(from));
            [of_part, of_tag]
                .into_iter()
                .flatten()
                .filter(|numbers| self.has_all(numbers))
                .collect()
        } else {
            let of_file = |first| reading(&|_, frame, _| frame.number.checked_sub(first));
            let of_tag = |first| {
                reading(&|_, frame, from| frame.number.checked_sub(first)?.checked_add(from))
            };
            [of_file(0), of_tag(0), of_file(1), of_tag(1)].into_iter().flatten().collect()
        };
        readings.sort_unstable();
        readings.dedup();
        if readings.len() > 1 {
            readings.retain(|numbers| self.has_all(numbers));
        }
        match (readings.pop(), readings.is_empty()) {
            (Some(numbers), true) => Ok(numbers),
            _ if self.lacks_numbers => Err("the names of the frames have no numbers"),
            _ => Err(
                "the numbers in the names of the frames may count from the file or from a tag, from 0 or from 1",
            ),
        }
    }

    /// Returns true if each file and layer has, by these numbers, all frames of the tags that it shows.
    fn has_all(&self, numbers: &[usize]) -> bool {
        let tagged = || self.frames.iter().zip(numbers).filter(|(frame, _)| frame.tag.is_some());
        let mut found: Vec<(usize, usize)> =
            tagged().map(|(frame, &number)| (frame.part, number)).collect();
        found.sort_unstable();
        found.dedup();
        let shown: BTreeSet<(usize, Option<usize>)> =
            tagged().map(|(frame, _)| (frame.part, frame.tag)).collect();
        let has_all = |&(part, tag): &(usize, Option<usize>)| {
            let Some(Tag { from, to, .. }) = tag.map(|tag| &self.tags[tag]) else { return true };
            let before = found.partition_point(|&place| place < (part, *from));
            let count = found.partition_point(|&place| place <= (part, *to)).saturating_sub(before);
            count.checked_sub(1) == to.checked_sub(*from)
        };
        shown.iter().all(has_all)
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
                let frames = std::mem::take(&mut members[part]);
                let numbers = self.numbers_of(*file, frames.len())?;
                let frames = self.completed(cuts, frames, numbers)?;
                sprites.push((name, cuts.select(frames)));
                continue;
            }
            for (tag, frames) in self.tags.iter().zip(&of_tags) {
                let frames: Vec<usize> =
                    frames.iter().copied().filter(|&i| self.frames[i].part == part).collect();
                // A layer may be empty in all frames of a tag.
                if !frames.is_empty() {
                    let frames = self.completed(cuts, frames, Some(tag.from..=tag.to))?;
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
        let none = || self.unclear(&tag.name, "the sheet has none of them".to_owned());
        if self.shows_tags {
            if let Some(cause) = self.undecided {
                return Err(self.unclear(&tag.name, cause.to_owned()));
            }
            // A tag of several files is in those that show it.
            let is_own = |frame: &Named| frame.tag == Some(index);
            let files: HashSet<usize> =
                self.frames.iter().filter(|frame| is_own(frame)).map(|frame| frame.file).collect();
            let mut found = BTreeMap::new();
            for (i, frame) in
                self.frames.iter().enumerate().filter(|(_, frame)| frame.tag.is_some())
            {
                let is_in = (tag.from..=tag.to).contains(&frame.number)
                    && (self.files.len() == 1 || files.contains(&frame.file));
                let place = (frame.part, frame.number);
                if is_in && (is_own(frame) || !found.contains_key(&place)) {
                    found.insert(place, i);
                }
            }
            return if found.is_empty() { Err(none()) } else { Ok(found.into_values().collect()) };
        }
        let files: Vec<usize> =
            (0..self.files.len()).filter(|&file| self.may_have(file, tag.to)).collect();
        let &[file] = files.as_slice() else {
            return Err(match files.as_slice() {
                [] if self.files.len() == 1 => wrong(self.count(0).0),
                _ => self.unclear(&tag.name, self.several_files()),
            });
        };
        if let Some(cause) = self.unclear_numbers(file) {
            return Err(self.unclear(&tag.name, cause));
        }
        let frames =
            indices(&|frame| frame.file == file && (tag.from..=tag.to).contains(&frame.number));
        if frames.is_empty() { Err(none()) } else { Ok(frames) }
    }

    /// Returns the numbers of the frames of a file, if its names show them. `listed` frames of a part that
    /// lack some numbers must show all, because frames were left out.
    fn numbers_of(
        &self,
        file: usize,
        listed: usize,
    ) -> Result<Option<RangeInclusive<usize>>, BakeError> {
        let (count, has_gaps) = self.count(file);
        if let Some(cause) = self.unclear_numbers(file) {
            let is_short = has_gaps && listed > 1 && !self.lacks_numbers;
            return if is_short { Err(self.unclear(&self.files[file], cause)) } else { Ok(None) };
        }
        let last = self.tags.iter().map(|tag| tag.to).max().filter(|_| self.files.len() == 1);
        let count = count.max(last.map_or(0, |last| last.saturating_add(1)));
        Ok(Some(0..=count.saturating_sub(1)))
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
        if self.shows_tags {
            return self.undecided.map(str::to_owned);
        }
        let last = self.tags.iter().map(|tag| tag.to).max();
        let ends = last.is_some_and(|last| last.checked_add(1) == Some(self.count(file).0));
        if self.lacks_numbers {
            return (!ends).then(|| "the names of the frames have no numbers".to_owned());
        }
        let mut seen = HashSet::new();
        let mut frames = self.frames.iter().filter(|frame| frame.file == file);
        if frames.any(|frame| !seen.insert((frame.part, frame.number))) {
            return Some("the numbers in the names of the frames repeat".to_owned());
        }
        let first = self.numbers(file).min();
        (first != Some(0) && !ends)
            .then(|| "the numbers in the names of the frames do not begin with 0".to_owned())
    }

    fn several_files(&self) -> String {
        let some = &self.files[..self.files.len().min(8)];
        let more = if some.len() < self.files.len() { ", ..." } else { "" };
        let count = self.files.len();
        format!("by their names the frames are of {count} files: {}{more}", some.join(", "))
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

/// Returns the place of a tag or a layer at the end of a name, if it stands apart there.
fn place_of(part: &str, rest: &str) -> Option<usize> {
    let before = rest.strip_suffix(part)?;
    (before.is_empty() || before.ends_with(SEPARATORS)).then_some(before.len())
}

/// Takes the number from the end of each name.
fn take_numbers(names: &mut [Parts<'_>], layers: &[Layer], tags: &[Tag]) {
    let parts = || layers.iter().map(|layer| &layer.name).chain(tags.iter().map(|tag| &tag.name));
    let is_part = |group| parts().any(|part| !part.is_empty() && place_of(part, group).is_some());
    let distinct: HashSet<&str> = names.iter().map(|name| name.rest).collect();
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    for rest in distinct {
        let size = sizes.entry(without_number(rest)).or_default();
        *size = size.saturating_add(1);
    }
    for name in names {
        let group = without_number(name.rest);
        let end = &name.rest[group.len()..];
        // A single `hero2` is a title. `hero 2` is a frame, and so is `walk_2` of a tag `walk`.
        let is_alone = sizes[group] == 1 && !end.starts_with(' ') && !group.is_empty();
        let is_title = is_alone && !is_part(group);
        let number = end.trim_start_matches(SEPARATORS).parse();
        if let (Ok(number), false) = (number, is_title) {
            (name.rest, name.number) = (group, Some(number));
        }
    }
}

/// Takes the numbers before the tags, as in `0-walk`, if all names have one there and none behind.
fn take_first_numbers(names: &mut [Parts<'_>]) {
    let number = |name: &Parts<'_>| {
        let group = without_number(name.rest);
        let end = &name.rest[group.len()..];
        let is_apart = group.is_empty() || end.starts_with(SEPARATORS);
        end.trim_start_matches(SEPARATORS)
            .parse()
            .ok()
            .filter(|_| is_apart && name.number.is_none())
    };
    if let Some(numbers) = names.iter().map(number).collect::<Option<Vec<usize>>>() {
        for (name, number) in names.iter_mut().zip(numbers) {
            (name.rest, name.number) = (without_number(name.rest), Some(number));
        }
    }
}

/// Takes a layer from the end of each name, if all names end with a listed layer. A layer that is a
/// number is not told from one of a frame.
fn take_layers(names: &mut [Parts<'_>], layers: &[Layer]) {
    let is_name = |layer: &&Layer| layer.name.contains(|c: char| !c.is_ascii_digit());
    let mut by_length: Vec<&Layer> = layers.iter().filter(is_name).collect();
    by_length.sort_by_key(|layer| std::cmp::Reverse(layer.name.len()));
    let split = |name: &Parts<'_>| {
        let place = by_length.iter().find_map(|layer| place_of(&layer.name, name.rest))?;
        name.layer.is_none().then_some(place)
    };
    if let Some(places) = names.iter().map(split).collect::<Option<Vec<usize>>>() {
        for (name, place) in names.iter_mut().zip(places) {
            name.layer = Some(&name.rest[place..]);
            name.rest = name.rest[..place].trim_end_matches(SEPARATORS);
        }
    }
}

/// Takes the tag from the end of each name, and returns true if the names show tags.
///
/// Aseprite writes `#tag`. With other separators every name must end with a tag, or have nothing in its
/// place. Every tag must then have names, but no more than its frames.
fn take_tags<'n>(names: &mut [Parts<'n>], tags: &[Tag]) -> bool {
    let mut counts: HashMap<(&'n str, Option<&'n str>), usize> = HashMap::new();
    for name in names.iter() {
        let count = counts.entry((name.rest, name.layer)).or_default();
        *count = count.saturating_add(1);
    }
    let mut by_length: Vec<usize> = (0..tags.len()).filter(|&i| !tags[i].name.is_empty()).collect();
    by_length.sort_by_key(|&i| std::cmp::Reverse(tags[i].name.len()));
    for marks in [&['#'][..], &SEPARATORS] {
        let is_other = marks.len() > 1;
        let suffix = |(&(rest, layer), &count): (&(&'n str, Option<&'n str>), &usize)| {
            let tag = |&i: &usize| {
                let before = rest.strip_suffix(tags[i].name.as_str())?;
                let is_short = count <= (tags[i].to.saturating_sub(tags[i].from)).saturating_add(1);
                let is_apart = before.ends_with(marks) || (before.is_empty() && is_other);
                (is_short && is_apart).then_some((before.len(), i))
            };
            by_length.iter().find_map(tag).map(|found| ((rest, layer), found))
        };
        let found: HashMap<_, _> = counts.iter().filter_map(suffix).collect();
        let has_name = |tag: usize| found.values().any(|&(_, of)| of == tag);
        let is_shown = |name: &(&str, _)| name.0.is_empty() || found.contains_key(name);
        let is_of_all = || counts.keys().all(is_shown) && (0..tags.len()).all(has_name);
        if !found.is_empty() && (!is_other || is_of_all()) {
            for name in names {
                if let Some(&(place, tag)) = found.get(&(name.rest, name.layer)) {
                    name.tag = Some(tag);
                    name.rest = name.rest[..place].trim_end_matches(SEPARATORS);
                }
            }
            return true;
        }
    }
    false
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
