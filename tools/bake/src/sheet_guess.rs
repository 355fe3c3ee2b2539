//! Finds images of one frame that look like sheets.
//!
//! Called by `pipeline` for images that are sprites as a whole. Draws nothing.

use hitmask::baking::Frame;
use hitmask::{Connectivity, Rect, Warning};

/// Least number of frames of a sheet. Two similar figures may be one sprite, such as a pair of shoes.
const MIN_FRAMES: usize = 3;

/// Least side of a tile in texels, and largest ratio of its sides.
const MIN_TILE: u32 = 8;
const MAX_RATIO: u32 = 4;

/// Largest number of connected parts of an image that is looked at.
const MAX_PARTS: usize = 4096;

/// Least part of the box of two figures that both cover, for all neighbours on average and for any two.
const MEAN_OVERLAP: f64 = 0.5;
const MIN_OVERLAP: f64 = 0.25;

/// Largest ratio of the texels of two figures.
const MAX_AREA_RATIO: u64 = 3;

/// Returns a warning if the only frame of the sprite `name` looks like a sheet. Its grid is the finest
/// that no connected part crosses, and whose tiles have similar figures.
pub(super) fn warning(name: &str, frames: &[Frame]) -> Option<Warning> {
    let [frame] = frames else { return None };
    let (_, mask) = frame.planes.first()?;
    let size = [mask.width(), mask.height()];
    // A bound that is cheap: a sheet has clear texels between its figures.
    let area = u64::from(size[0]) * u64::from(size[1]);
    if mask.count() == area || area < u64::from(MIN_TILE * MIN_TILE) * MIN_FRAMES as u64 {
        return None;
    }
    let components = mask.components(Connectivity::Eight);
    if !(MIN_FRAMES..=MAX_PARTS).contains(&components.iter().len()) {
        return None;
    }
    let parts: Vec<Part> = components.iter().map(|part| (part.rect(), part.area())).collect();
    let [across, down] = [0, 1].map(|axis| sides(&parts, axis, size[axis]));
    let tiles = across.iter().flat_map(|&width| down.iter().map(move |&height| [width, height]));
    let is_tile = |&[width, height]: &[u32; 2]| {
        width.max(height) <= width.min(height).saturating_mul(MAX_RATIO)
    };
    let frames = |tile| figures(&parts, size, tile).map(|frames| (frames, tile));
    let (frames, tile) =
        tiles.filter(is_tile).filter_map(frames).max_by_key(|&(frames, _)| frames)?;
    Some(Warning::Sheet { sprite: name.to_owned(), tile, frames: frames as u32 })
}

/// The box and the texels of a connected part, or of the figure in a tile.
type Part = (Rect, u64);

/// Returns the first and the last texel of a rectangle on an axis.
fn span(rect: &Rect, axis: usize) -> [u32; 2] {
    let [from, to] = if axis == 0 { [rect.x0, rect.x1] } else { [rect.y0, rect.y1] };
    [from as u32, to as u32 - 1]
}

/// Returns the sides of tiles that divide a side of the image, and whose borders no part crosses.
fn sides(parts: &[Part], axis: usize, side: u32) -> Vec<u32> {
    let is_whole = |tile: u32, (rect, _): &Part| {
        let [first, last] = span(rect, axis);
        first / tile == last / tile
    };
    (MIN_TILE..=side)
        .filter(|&tile| side.is_multiple_of(tile) && parts.iter().all(|part| is_whole(tile, part)))
        .collect()
}

/// Returns the number of figures in the tiles of an image of `size`, if they are similar and only the
/// last tiles are empty.
fn figures(parts: &[Part], size: [u32; 2], tile: [u32; 2]) -> Option<usize> {
    let [columns, rows] = [0, 1].map(|axis| size[axis] / tile[axis]);
    let count = columns as usize * rows as usize;
    if count < MIN_FRAMES || count > parts.len() + columns as usize {
        return None;
    }
    // The figure of each tile, relative to it.
    let mut figures: Vec<Option<Part>> = vec![None; count];
    for (rect, area) in parts {
        let [column, row] = [0, 1].map(|axis| span(rect, axis)[0] / tile[axis]);
        let [x, y] = [column * tile[0], row * tile[1]].map(|at| at as i32);
        let rect = Rect::new(rect.x0 - x, rect.y0 - y, rect.x1 - x, rect.y1 - y);
        let figure = &mut figures[(row * columns + column) as usize];
        *figure = Some(match *figure {
            Some((around, sum)) => (joined(around, rect), sum + area),
            None => (rect, *area),
        });
    }
    let frames = figures.iter().take_while(|figure| figure.is_some()).count();
    let figures: Vec<Part> = figures.into_iter().flatten().collect();
    if frames < MIN_FRAMES || figures.len() != frames || count - frames >= columns as usize {
        return None;
    }
    let areas = || figures.iter().map(|(_, area)| *area);
    let (least, most) = (areas().min()?, areas().max()?);
    let overlaps = || figures.windows(2).map(|pair| overlap(pair[0].0, pair[1].0));
    let mean = overlaps().sum::<f64>() / (frames - 1) as f64;
    let is_similar = most <= least.saturating_mul(MAX_AREA_RATIO)
        && mean >= MEAN_OVERLAP
        && overlaps().all(|overlap| overlap >= MIN_OVERLAP);
    is_similar.then_some(frames)
}

/// Returns the box around two boxes.
fn joined(a: Rect, b: Rect) -> Rect {
    Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1))
}

/// Returns the part of the area of two boxes that both cover.
fn overlap(a: Rect, b: Rect) -> f64 {
    let common = |from: i32, to: i32| f64::from((to - from).max(0));
    let both = common(a.x0.max(b.x0), a.x1.min(b.x1)) * common(a.y0.max(b.y0), a.y1.min(b.y1));
    both / (a.area() as f64 + b.area() as f64 - both)
}
