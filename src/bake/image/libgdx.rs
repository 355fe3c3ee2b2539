//! Reads sheet descriptions of libGDX and Spine: the text format `.atlas`, with one or more pages.
//! Supports the old keys (`xy`, `size`, `orig`, `offset`) and the new ones (`bounds`, `offsets`).
//!
//! Called by `frame_source`. Regions with equal names are the frames of one sprite, in order of
//! their index. `rotate` is counter-clockwise, by 90 degrees or the given angle, and sizes are
//! those before the rotation. Offsets count from the left and from the bottom.

use super::glob_walk::read_text;
use super::region::{Region, page};
use super::sheet_frame::{Cut, Cuts, PackedRotation};
use crate::bake::BakeError;
use std::collections::BTreeMap;
use std::path::Path;

/// A region that is being read.
struct PendingRegion<'a> {
    name: &'a str,
    page: usize,
    index: Option<i64>,
    bounds: Option<[f64; 4]>,
    /// Left, bottom, and width and height of the untrimmed frame.
    offsets: [Option<f64>; 4],
    rotation: PackedRotation,
}

/// Returns the sprites of the description at `path` with the name `name`.
pub(super) fn sprites(name: &str, path: &Path) -> Result<Vec<(String, Cuts)>, BakeError> {
    let text = read_text(path)?;
    let mut parser = Parser { path, cuts: Cuts::new(path), sprites: BTreeMap::new() };
    let mut current: Option<usize> = None;
    let mut region: Option<PendingRegion<'_>> = None;
    for (number, line) in text.lines().enumerate() {
        let (at, line) = (number + 1, line.trim());
        if line.is_empty() {
            parser.end(region.take())?;
            current = None;
            continue;
        }
        // The first line of a page is its name, whatever it contains.
        let entry = if current.is_some() { line.split_once(':') } else { None };
        match (current, entry, &mut region) {
            (None, ..) => current = Some(parser.cuts.page(page(path, line)?)),
            (Some(_), Some((key, values)), Some(region)) => {
                parser.entry(region, key.trim(), values, at)?;
            }
            // The properties of a page do not affect masks.
            (Some(_), Some(_), None) => {}
            (Some(page), None, _) => {
                parser.end(region.take())?;
                region = Some(PendingRegion {
                    name: line,
                    page,
                    index: None,
                    bounds: None,
                    offsets: [None; 4],
                    rotation: PackedRotation::Upright,
                });
            }
        }
    }
    parser.end(region)?;
    let Parser { cuts, sprites, .. } = parser;
    if cuts.is_empty() {
        return Err(BakeError::NoFramesIn { path: path.to_owned() });
    }
    let sprite = |(region, mut frames): (String, Vec<(Option<i64>, usize)>)| {
        frames.sort_by_key(|&(index, _)| index.unwrap_or(i64::MAX)); // stable: ties keep file order
        let frames = frames.into_iter().map(|(_, cut)| cut);
        (format!("{name}/{region}"), cuts.select(frames))
    };
    Ok(sprites.into_iter().map(sprite).collect())
}

struct Parser<'a> {
    path: &'a Path,
    cuts: Cuts,
    /// For each name, the index and the cut of each region.
    sprites: BTreeMap<String, Vec<(Option<i64>, usize)>>,
}

impl Parser<'_> {
    fn entry(
        &self,
        region: &mut PendingRegion<'_>,
        key: &str,
        values: &str,
        line: usize,
    ) -> Result<(), BakeError> {
        let wrong =
            |cause: String| BakeError::Text { path: self.path.to_owned(), line, column: 1, cause };
        let numbers = |count: usize| -> Result<Vec<f64>, BakeError> {
            let numbers: Result<Vec<f64>, _> =
                values.split(',').map(|part| part.trim().parse()).collect();
            match numbers {
                Ok(numbers) if numbers.len() == count => Ok(numbers),
                _ => Err(wrong(format!("{key} needs {count} numbers, but has {values:?}"))),
            }
        };
        match key {
            "bounds" | "xy" | "size" => {
                let bounds = region.bounds.get_or_insert([0.0; 4]);
                match key {
                    "bounds" => bounds.copy_from_slice(&numbers(4)?),
                    "xy" => bounds[..2].copy_from_slice(&numbers(2)?),
                    _ => bounds[2..].copy_from_slice(&numbers(2)?),
                }
            }
            "offsets" | "offset" | "orig" => {
                let (first, count) = match key {
                    "offsets" => (0, 4),
                    "offset" => (0, 2),
                    _ => (2, 2),
                };
                for (to, number) in region.offsets[first..].iter_mut().zip(numbers(count)?) {
                    *to = Some(number);
                }
            }
            // Regions without an index come last.
            "index" => region.index = Some(numbers(1)?[0] as i64).filter(|&i| i >= 0),
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
            // Splits, pads and additions of other tools.
            _ => {}
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
        let [x, y, w, h] = region.bounds.unwrap_or_default();
        let [left, bottom, frame_w, frame_h] = region.offsets;
        let frame = [frame_w.unwrap_or(w), frame_h.unwrap_or(h)];
        let region_in = Region {
            from: [x, y],
            size: [w, h],
            rotation: region.rotation,
            at: [left.unwrap_or(0.0), frame[1] - bottom.unwrap_or(0.0) - h],
            frame,
            pivot: None,
        };
        region_in.checked(self.path, region.name)
    }
}
