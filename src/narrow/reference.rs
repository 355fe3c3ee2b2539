//! The reference implementation: the narrow phase per pixel, motions per translation, and the
//! classic raster approach.
//!
//! Tests compare every kernel with it, and benches time it as the naive counterpart. Public as
//! `hitmask::reference`, for such tests and benches only.

use super::Contact;
use super::motion::Candidate;
use crate::geom::{PixelPath, Point, Rect};
use crate::mask::MaskRef;
use crate::raster::reference::Drawing;

/// Returns box, area and first pixel of the overlap of `a`, at (0, 0), and `b`, at `offset`. Tests
/// every pixel of the intersection of the boxes in both masks.
#[must_use]
pub fn contact(a: MaskRef<'_>, b: MaskRef<'_>, offset: impl Into<[i32; 2]>) -> Option<Contact> {
    let offset = Point::from(offset.into());
    scan(box_overlap(a, b, offset)?, |x, y| a.get(x, y) && b.get(x - offset.x, y - offset.y))
}

/// Returns the intersection of the boxes of both masks, in the pixels of `a`.
fn box_overlap(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Rect> {
    let end = |at: i32, side: u32| at.saturating_add(side as i32);
    let box_a = Rect::new(0, 0, a.width() as i32, a.height() as i32);
    let (x1, y1) = (end(offset.x, b.width()), end(offset.y, b.height()));
    box_a.intersection(Rect::new(offset.x, offset.y, x1, y1))
}

fn scan(area: Rect, both: impl Fn(i32, i32) -> bool) -> Option<Contact> {
    let mut found: Option<Contact> = None;
    for y in area.y0..area.y1 {
        for x in area.x0..area.x1 {
            if both(x, y) {
                let contact = found.get_or_insert(Contact {
                    rect: Rect::new(x, y, x + 1, y + 1),
                    area: 0,
                    point: Point::new(x, y),
                });
                let Rect { x0, y0, x1, .. } = contact.rect;
                contact.rect = Rect::new(x0.min(x), y0, x1.max(x + 1), y + 1);
                contact.area += 1;
            }
        }
    }
    found
}

/// Returns the first step of the path of `motion` after which `a`, at (0, 0), touches `b`, at
/// `offset`. Tests every pixel of the path.
#[must_use]
pub fn cast(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, motion: Point) -> Option<u32> {
    (0..)
        .zip(PixelPath::new(motion).pixels())
        .find(|(_, at)| a.touches(b, offset - *at))
        .map(|s| s.0)
}

/// Returns the shortest translation after which the masks do not touch. Tests all translations,
/// ring by ring.
#[must_use]
pub fn push_out(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Point> {
    a.touches(b, offset).then(|| search(|by| !a.touches(b, offset - by)))
}

/// Returns the shortest translation after which the masks touch. Both masks must have pixels.
#[must_use]
pub fn nearest(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Point {
    search(|by| a.touches(b, offset - by))
}

/// Searches square rings outwards, until no ring farther out can hold a shorter translation.
fn search(is_good: impl Fn(Point) -> bool) -> Point {
    let mut best: Option<Candidate> = None;
    for ring in 0_i64.. {
        if best.is_some_and(|best| best.square < i128::from(ring).pow(2)) {
            break;
        }
        for y in -ring..=ring {
            for x in (-ring..=ring).step_by(if y.abs() == ring { 1 } else { 2 * ring as usize }) {
                if is_good(Point::new(x as i32, y as i32)) {
                    let found = Candidate::new([x, y]);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
        }
    }
    best.map(Candidate::point).unwrap_or_default()
}

/// The classic raster approach: draws both transformed objects into a buffer of the size of their
/// intersection, then tests for pixels drawn by both. It needs no preparation and no atlas, and
/// reuses its buffer.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    pixels: Vec<u32>,
}

const RED: u32 = 0xff_0000;
const GREEN: u32 = 0x00_ff00;

impl Canvas {
    /// Returns box, area and first pixel of the overlap of two drawings. `at_a` and `at_b` are the
    /// positions of their lattice origins in mask pixels.
    #[must_use]
    pub fn contact(
        &mut self,
        (a, at_a): (&Drawing<'_>, Point),
        (b, at_b): (&Drawing<'_>, Point),
    ) -> Option<Contact> {
        let area = a.bounds().translated(at_a).intersection(b.bounds().translated(at_b))?;
        self.pixels.clear();
        self.pixels.resize(area.area() as usize, 0);
        for (drawing, at, colour) in [(a, at_a, RED), (b, at_b, GREEN)] {
            self.draw(area, drawing, at, colour);
        }
        let width = area.width() as usize;
        scan(area, |x, y| {
            let index = (y - area.y0) as usize * width + (x - area.x0) as usize;
            self.pixels[index] == RED | GREEN
        })
    }

    /// Returns the first pixel that both drawings share, from top to bottom and left to right.
    ///
    /// Draws a row of `a`, then walks the row of `b` over it. Ends at the first shared pixel.
    #[must_use]
    pub fn first_point(
        &mut self,
        (a, at_a): (&Drawing<'_>, Point),
        (b, at_b): (&Drawing<'_>, Point),
    ) -> Option<Point> {
        let area = a.bounds().translated(at_a).intersection(b.bounds().translated(at_b))?;
        (area.y0..area.y1).find_map(|y| {
            self.pixels.clear();
            self.pixels.resize(area.width() as usize, 0);
            self.draw(Rect { y0: y, y1: y + 1, ..area }, a, at_a, RED);
            let x = b.first_on_colour(area.x0 - at_b.x, y - at_b.y, &self.pixels, RED)?;
            Some(Point::new(area.x0 + x as i32, y))
        })
    }

    fn draw(&mut self, area: Rect, drawing: &Drawing<'_>, at: Point, colour: u32) {
        let rows = self.pixels.chunks_mut(area.width() as usize);
        for (y, row) in (area.y0..area.y1).zip(rows) {
            drawing.colour_row(area.x0 - at.x, y - at.y, row, colour);
        }
    }
}
