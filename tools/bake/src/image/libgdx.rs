//! Reads sheet descriptions of libGDX and Spine: the text format `.atlas`, with one or more pages.
//! Supports the old keys (`xy`, `size`, `orig`, `offset`) and the new ones (`bounds`, `offsets`).
//!
//! Called by `frame_source`. Regions with equal names are the frames of one sprite, in order of
//! their index. `rotate` is counter-clockwise, by 90 degrees or the given angle, and sizes are
//! those before the rotation. Offsets count from the left and from the bottom.
//!
//! A region's name may hold a colon, as entries do. `names_region` tells them apart. Entries before the
//! first page are a header, which has no meaning.

use super::cut::{Cut, PackedRotation, Region};
use super::cuts::Cuts;
use super::described::Described;
use super::glob_walk::is_image;
use super::page::page;
use crate::error::BakeError;
use crate::text::Text;
use std::collections::BTreeMap;
use std::path::Path;

/// Keys of a page. None of them affects masks; a scale gives a warning. Any other key could, so it is an error.
const PAGE_KEYS: [&str; 6] = ["size", "format", "filter", "repeat", "pma", "scale"];

/// Keys of a region that affect its pixels or its place in the sprite, and two that do not.
const REGION_KEYS: [&str; 10] =
    ["bounds", "xy", "size", "rotate", "orig", "offset", "offsets", "index", "split", "pad"];

/// Four numbers, each with the key of the entry that states it.
type Numbers<'a> = [Option<(f64, &'a str)>; 4];

/// A region that is being read.
struct PendingRegion<'a> {
    name: &'a str,
    /// The line of the name, from 1.
    line: usize,
    /// The known keys so far.
    keys: Vec<&'a str>,
    /// Set if the first entry is indented.
    is_indented: Option<bool>,
    page: usize,
    index: Option<i64>,
    /// Corner and size on the page.
    bounds: Numbers<'a>,
    /// Left, bottom, and width and height of the untrimmed frame.
    offsets: Numbers<'a>,
    rotation: PackedRotation,
}

/// Returns what the description at `path` has, with sprites under the name `name`.
pub(super) fn sprites(name: &str, path: &Path) -> Result<Described, BakeError> {
    let text = Text::read(path)?.text;
    let lines = text.lines().collect();
    let mut parser = Parser { path, lines, cuts: Cuts::new(path), sprites: BTreeMap::new() };
    let mut current: Option<usize> = None;
    let mut region: Option<PendingRegion<'_>> = None;
    let (mut scales, mut sizes) = (Vec::new(), BTreeMap::new());
    for (number, raw) in text.lines().enumerate() {
        let (at, line) = (number.saturating_add(1), raw.trim());
        if line.is_empty() {
            parser.end(region.take())?;
            current = None;
            continue;
        }
        if parser.cuts.pages.is_empty() && is_header(line) {
            continue;
        }
        // The first line of a page is its name, whatever it contains.
        let Some(page_index) = current else {
            current = Some(parser.cuts.page(page(path, line)?));
            continue;
        };
        if parser.names_region(number, region.as_ref())? {
            parser.end(region.take())?;
            region = Some(PendingRegion {
                name: line,
                line: at,
                keys: Vec::new(),
                is_indented: None,
                page: page_index,
                index: None,
                bounds: [None; 4],
                offsets: [None; 4],
                rotation: PackedRotation::Upright,
            });
        } else if let Some((key, values)) = line.split_once(':') {
            let key = key.trim();
            match &mut region {
                Some(region) => {
                    region.is_indented.get_or_insert(is_indented(raw));
                    parser.entry(region, key, values, at)?;
                }
                None if key == "scale" => scales.extend(values.trim().parse::<f64>()),
                None if key == "size" => {
                    let sides =
                        values.split_once(',').map(|(a, b)| [a, b].map(|v| v.trim().parse()));
                    if let Some([Ok(width), Ok(height)]) = sides {
                        sizes.insert(parser.cuts.pages[page_index].clone(), [width, height]);
                    }
                }
                None if PAGE_KEYS.contains(&key) => {}
                None => {
                    let cause = format!("the page has the unknown entry {key:?}");
                    return Err(parser.wrong(at, cause));
                }
            }
        }
    }
    parser.end(region)?;
    let Parser { cuts, sprites, .. } = parser;
    if cuts.is_empty() {
        return Err(BakeError::no_frames(path));
    }
    let sprite = |(region, mut frames): (String, Vec<(Option<i64>, usize)>)| {
        frames.sort_by_key(|&(index, _)| index.unwrap_or(i64::MAX)); // stable: ties keep file order
        let frames = frames.into_iter().map(|(_, cut)| cut);
        (format!("{name}/{region}"), cuts.select(frames))
    };
    Ok(Described { sprites: sprites.into_iter().map(sprite).collect(), scales, sizes })
}

/// Returns true if a line before the first page is an entry of the header, and not the name of a page.
fn is_header(line: &str) -> bool {
    line.contains(':') && !is_image(Path::new(line))
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// Returns the key of a line that could be an entry.
fn key(line: &str) -> Option<&str> {
    line.split_once(':').map(|(key, _)| key.trim())
}

/// Returns true if a line could be an entry of a game's own: its values are whole numbers.
fn is_own_entry(line: &str) -> bool {
    let is_number = |value: &str| value.trim().parse::<i64>().is_ok();
    line.split_once(':').is_some_and(|(_, values)| values.split(',').all(is_number))
}

struct Parser<'a> {
    path: &'a Path,
    lines: Vec<&'a str>,
    cuts: Cuts,
    /// For each name, the index and the cut of each region.
    sprites: BTreeMap<String, Vec<(Option<i64>, usize)>>,
}

impl<'a> Parser<'a> {
    fn wrong(&self, line: usize, cause: String) -> BakeError {
        BakeError::malformed(self.path, [line, 1], cause)
    }

    /// Returns true if the line `number`, from 0, is the name of a region. Returns false if it is an
    /// entry of `region`, or of the page if there is no region yet.
    fn names_region(
        &self,
        number: usize,
        region: Option<&PendingRegion<'_>>,
    ) -> Result<bool, BakeError> {
        let line = self.lines[number];
        let Some(key_of_line) = key(line) else { return Ok(true) };
        let known = if region.is_some() { &REGION_KEYS[..] } else { &PAGE_KEYS };
        match region {
            // Names are not indented if entries are.
            Some(PendingRegion { is_indented: Some(true), .. }) => return Ok(!is_indented(line)),
            Some(region) if region.bounds == [None; 4] => return Ok(false),
            _ if known.contains(&key_of_line) => return Ok(false),
            _ => {}
        }
        // A place that follows belongs to another region. Its name is one of the lines before.
        let begins_region = |key: &str| match region {
            Some(_) => key == "bounds" || key == "xy",
            None => REGION_KEYS.contains(&key) && !PAGE_KEYS.contains(&key),
        };
        let mut candidates = Vec::new();
        for (i, line) in self.lines.iter().enumerate().skip(number).take(4096) {
            let Some(key) = key(line) else { return Ok(false) };
            if begins_region(key) {
                let names = candidates.iter().filter(|&&i| !is_own_entry(self.lines[i]));
                let names: Vec<usize> = names.copied().collect();
                return match (candidates.as_slice(), names.as_slice()) {
                    (&[name], _) | (_, &[name]) => Ok(name == number),
                    _ => {
                        let cause = "this line may be an entry or the name of a region; indent the entries, or remove the colon";
                        Err(self.wrong(number.saturating_add(1), cause.to_owned()))
                    }
                };
            }
            if !known.contains(&key) && !REGION_KEYS.contains(&key) {
                candidates.push(i);
            }
        }
        Ok(false)
    }

    fn entry(
        &self,
        region: &mut PendingRegion<'a>,
        key: &'a str,
        values: &str,
        line: usize,
    ) -> Result<(), BakeError> {
        let wrong = |cause: String| self.wrong(line, cause);
        if REGION_KEYS.contains(&key) {
            if region.keys.contains(&key) {
                return Err(wrong(format!("region {:?} has two entries {key}", region.name)));
            }
            region.keys.push(key);
        }
        let numbers = |count: usize| -> Result<Vec<f64>, BakeError> {
            let numbers: Result<Vec<f64>, _> =
                values.split(',').map(|part| part.trim().parse()).collect();
            match numbers {
                Ok(numbers) if numbers.len() == count => Ok(numbers),
                _ => Err(wrong(format!("{key} needs {count} numbers, but has {values:?}"))),
            }
        };
        // The old and the new keys may stand side by side if they agree.
        let state = |to: &mut [Option<(f64, &'a str)>], numbers: &[f64]| {
            for (to, &number) in to.iter_mut().zip(numbers) {
                match to {
                    Some((stated, other)) if *stated != number => {
                        return Err(wrong(format!("{key} disagrees with {other}")));
                    }
                    _ => *to = Some((number, key)),
                }
            }
            Ok(())
        };
        match key {
            "bounds" => state(&mut region.bounds, &numbers(4)?)?,
            "xy" => state(&mut region.bounds[..2], &numbers(2)?)?,
            "size" => state(&mut region.bounds[2..], &numbers(2)?)?,
            "offsets" => state(&mut region.offsets, &numbers(4)?)?,
            "offset" => state(&mut region.offsets[..2], &numbers(2)?)?,
            "orig" => state(&mut region.offsets[2..], &numbers(2)?)?,
            "index" => {
                let value = values.trim();
                let index = value.parse::<i64>().map_err(|_| {
                    wrong(format!("index is {value:?}, not a whole number of 64 bits"))
                })?;
                // Regions without an index come last.
                region.index = Some(index).filter(|&i| i >= 0);
            }
            "rotate" => {
                region.rotation = match values.trim() {
                    "false" | "0" => PackedRotation::Upright,
                    "true" | "90" => PackedRotation::CounterClockwise,
                    "180" => PackedRotation::HalfTurn,
                    "270" => PackedRotation::Clockwise,
                    other => {
                        return Err(wrong(format!(
                            "rotate is {other:?}, not true, false, 90, 180 or 270"
                        )));
                    }
                }
            }
            "split" | "pad" => {}
            // Entries of a game's own are whole numbers.
            _ if values.split(',').all(|value| value.trim().parse::<i64>().is_ok()) => {}
            _ => {
                let name = region.name;
                return Err(wrong(format!("region {name:?} has the unknown entry {key:?}")));
            }
        }
        Ok(())
    }

    /// Adds a region after its last line.
    fn end(&mut self, region: Option<PendingRegion<'_>>) -> Result<(), BakeError> {
        let Some(region) = region else { return Ok(()) };
        let cut = self.cut(&region)?;
        let index = self.cuts.add(region.page, region.name, cut);
        self.sprites.entry(region.name.to_owned()).or_default().push((region.index, index));
        Ok(())
    }

    fn cut(&self, region: &PendingRegion<'_>) -> Result<Cut, BakeError> {
        let missing =
            |key: &str| self.wrong(region.line, format!("region {:?} has no {key}", region.name));
        let number = |stated: Option<(f64, &str)>| stated.map(|(number, _)| number);
        let [x, y, w, h] = match region.bounds.map(number) {
            [Some(x), Some(y), Some(w), Some(h)] => [x, y, w, h],
            [None, _, None, _] => return Err(missing("bounds")),
            [None, ..] => return Err(missing("xy")),
            _ => return Err(missing("size")),
        };
        let [left, bottom, frame_w, frame_h] = region.offsets.map(number);
        let frame = [frame_w.unwrap_or(w), frame_h.unwrap_or(h)];
        let region_in = Region {
            from: [x, y],
            size: [w, h],
            rotation: region.rotation,
            at: [left.unwrap_or(0.0), frame[1] - bottom.unwrap_or(0.0) - h],
            frame,
            pivot: None,
            triangles: None,
        };
        region_in.checked(self.path, region.name)
    }
}
