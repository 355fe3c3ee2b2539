//! The contact sheet of `hitmask show --sheet`: every pose of a sprite in a grid of cells.
//!
//! A band holds the poses of one frame at one scale. The pivot has the same position in every cell
//! of a band, so that an offset between two steps is visible.

use crate::output::check_size;
use crate::{CliError, describe, output};
use hitmask::{Flip, Point, Pose, Posed, Rect, Sprite};
use hitmask_demo::{Color, LETTER, Picture, headless, hull};
use std::path::Path;

/// Width in pixels up to which the masks of a cell are magnified.
const CELL: i32 = 72;
/// Margin around the mask of a cell, and gap between cells, in pixels.
const GAP: i32 = 4;
/// Height of a line of text in pixels.
const LINE: i32 = LETTER + 6;

const PAPER: Color = [22, 24, 29, 255];
const BOARD: Color = [33, 36, 44, 255];
const BOX: Color = [74, 82, 100, 255];
/// Colour of the first plane, and colours of the other planes, repeated in this order.
const SOLID: Color = [232, 230, 221, 255];
const OTHERS: [Color; 3] = [[255, 176, 0, 255], [120, 94, 240, 255], [45, 155, 255, 255]];
const PIVOT: Color = [255, 77, 77, 255];
const WORDS: Color = [164, 172, 190, 255];
const TITLE: Color = [255, 255, 255, 255];

/// Selection of the poses on a sheet.
pub(super) struct Choice {
    /// One frame; `None` for all.
    pub(super) frame: Option<u32>,
    /// Index of one scale; `None` for all.
    pub(super) scale: Option<u32>,
    /// True to draw all planes on top of each other, false for the sprite's current plane.
    pub(super) all_planes: bool,
    pub(super) flip: Flip,
}

/// One frame at one scale.
struct Band {
    title: String,
    /// The planes at each step, in drawing order.
    poses: Vec<Vec<Posed>>,
    /// Union of the bounds of all poses, relative to the lattice origin.
    reach: Rect,
    zoom: i32,
}

impl Band {
    fn cell(&self) -> [i32; 2] {
        let (w, h) = (self.reach.width() as i32, self.reach.height() as i32);
        [(w * self.zoom).max(7 * LETTER) + 2 * GAP, h * self.zoom + 2 * GAP + LINE]
    }

    fn size(&self, columns: i32) -> [i64; 2] {
        let [w, h] = self.cell().map(|side| i64::from(side + GAP));
        let rows = self.poses.len().div_ceil(columns as usize) as i64;
        [i64::from(columns) * w, rows * h + i64::from(2 * LINE)]
    }
}

pub(super) fn write(sprite: Sprite<'_>, choice: &Choice, path: &Path) -> Result<u32, CliError> {
    let bands = bands(sprite, choice);
    let columns = columns(sprite.angles(), &bands);
    let sizes = bands.iter().map(|band| band.size(columns));
    let title = title(sprite);
    let words = i64::from(LETTER) * (title.chars().count() as i64 + 1);
    let legend = choice.all_planes && sprite.plane_count() > 1;
    let names = if legend { describe::planes(sprite).chars().count() as i64 } else { 0 };
    let head = words + i64::from(LETTER) * names;
    let [w, h] = sizes.fold([head, 0], |[w, h], [x, y]| [w.max(x), h + y]);
    let [w, h] = [w + i64::from(3 * GAP), h + i64::from(2 * LINE)];
    let help = "choose one frame with --frame and one scale with --scale, or bake fewer angles";
    check_size("sheet", [w, h], help)?;
    let mut picture = Picture::new([w as i32, h as i32], PAPER);
    picture.text(&title, Point::new(2 * GAP, LINE / 2), [1, 1], TITLE);
    let mut x = 2 * GAP + words as i32;
    for (plane, name) in sprite.planes().enumerate().filter(|_| legend) {
        picture.text(name, Point::new(x, LINE / 2), [1, 1], colour(plane));
        x += LETTER * (name.chars().count() as i32 + 1);
    }
    let mut top = 2 * LINE;
    let bar = output::progress(bands.len() as u64, "bands");
    for band in &bands {
        picture.text(&band.title, Point::new(2 * GAP, top), [1, 1], WORDS);
        draw(&mut picture, band, Point::new(2 * GAP, top + LINE), columns);
        top += band.size(columns)[1] as i32;
        bar.inc(1);
    }
    bar.finish_and_clear();
    headless::write_png(path, &picture)?;
    Ok(bands.iter().map(|band| band.poses.len() as u32).sum())
}

fn bands(sprite: Sprite<'_>, choice: &Choice) -> Vec<Band> {
    let frames = choice.frame.map_or(0..sprite.frame_count(), |frame| frame..frame + 1);
    let scales = choice.scale.map_or(0..sprite.scales().len() as u32, |scale| scale..scale + 1);
    let each = frames.flat_map(|frame| scales.clone().map(move |scale| (frame, scale)));
    each.map(|(frame, scale)| {
        let planes = planes(sprite, choice);
        let posed = |step| {
            let pose = Pose { step, scale };
            planes.iter().filter_map(move |plane| plane.draw(frame, pose, choice.flip))
        };
        let poses: Vec<Vec<Posed>> =
            (0..sprite.angles()).map(|step| posed(step).collect()).collect();
        let pivot = Rect::new(0, 0, 1, 1);
        let rects = poses
            .iter()
            .flatten()
            .map(|posed| posed.as_ref().rect())
            .filter(|rect| rect.width() > 0);
        let reach = rects.fold(pivot, hull);
        let widest = reach.width().max(reach.height()) as i32;
        let zoom = (CELL / widest).clamp(1, 8);
        let magnified = if zoom == 1 { String::new() } else { format!(", magnified {zoom}x") };
        let title = format!("frame {frame}, scale {}{magnified}", sprite.scales()[scale as usize]);
        Band { title, poses, reach, zoom }
    })
    .collect()
}

fn planes<'a>(sprite: Sprite<'a>, choice: &Choice) -> Vec<Sprite<'a>> {
    if !choice.all_planes {
        return vec![sprite];
    }
    (0..sprite.plane_count()).filter_map(|plane| sprite.in_plane(plane)).collect()
}

/// Returns the colour of the plane with this index in drawing order.
fn colour(plane: usize) -> Color {
    if plane == 0 { SOLID } else { OTHERS[(plane - 1) % OTHERS.len()] }
}

fn title(sprite: Sprite<'_>) -> String {
    let [w, h] = sprite.frame_size(0).unwrap_or_default();
    let [x, y] = describe::pivot(sprite, 0);
    format!("{}: {w} x {h}, pivot {x}, {y}, {} angles", sprite.name(), sprite.angles())
}

/// Returns the number of columns that brings the sheet closest to a ratio of 3:2. Only divisors of
/// the number of angles are used, so that quarter turns line up in columns.
fn columns(angles: u32, bands: &[Band]) -> i32 {
    let shape = |columns: i32| {
        let sizes = bands.iter().map(|band| band.size(columns));
        let [w, h] = sizes.fold([0, 0], |[w, h], [x, y]| [x.max(w), h + y]);
        (w as f64 / h as f64 / 1.5).ln().abs()
    };
    let divide = (1..=angles as i32).filter(|&columns| angles as i32 % columns == 0);
    divide.min_by(|&a, &b| shape(a).total_cmp(&shape(b))).unwrap_or(1)
}

fn draw(picture: &mut Picture, band: &Band, at: Point, columns: i32) {
    let [w, h] = band.cell();
    let steps = band.poses.len() as f64;
    for (i, planes) in band.poses.iter().enumerate() {
        let (column, row) = (i as i32 % columns, i as i32 / columns);
        let (x, y) = (at.x + column * (w + GAP), at.y + row * (h + GAP));
        picture.fill(Rect::new(x, y, x + w, y + h), BOARD);
        picture.text(&degrees(i, steps), Point::new(x + GAP, y + h - LINE + 2), [1, 1], WORDS);
        // Centres the masks in cells that are wider because of their label.
        let spare = (w - 2 * GAP - band.reach.width() as i32 * band.zoom) / 2;
        let origin = Point::new(
            x + GAP + spare - band.reach.x0 * band.zoom,
            y + GAP - band.reach.y0 * band.zoom,
        );
        // Draws all boxes first, so that no box covers another plane's mask.
        let non_empty = planes.iter().enumerate().filter(|(_, posed)| posed.mask.width() > 0);
        let at = |x, y| Point::new(origin.x + x * band.zoom, origin.y + y * band.zoom);
        for (_, posed) in non_empty.clone() {
            let Rect { x0, y0, x1, y1 } = posed.as_ref().rect();
            let (first, last) = (at(x0, y0), at(x1, y1));
            picture.frame(Rect::new(first.x - 1, first.y - 1, last.x + 1, last.y + 1), BOX);
        }
        for (plane, posed) in non_empty {
            let first = at(posed.origin.x, posed.origin.y);
            picture.mask(posed.mask.as_ref(), first, band.zoom, colour(plane));
        }
        let [fx, fy] = planes.first().map_or([0; 2], |posed| posed.pivot2);
        cross(picture, at(0, 0) + Point::new(fx * band.zoom / 2, fy * band.zoom / 2));
    }
}

/// Returns the angle of step `i` in degrees, with at most one decimal.
fn degrees(i: usize, steps: f64) -> String {
    let text = format!("{:.1}", 360.0 * i as f64 / steps);
    format!("{}\u{b0}", text.strip_suffix(".0").unwrap_or(&text))
}

fn cross(picture: &mut Picture, Point { x, y }: Point) {
    picture.fill(Rect::new(x - 3, y, x + 4, y + 1), PIVOT);
    picture.fill(Rect::new(x, y - 3, x + 1, y + 4), PIVOT);
}
