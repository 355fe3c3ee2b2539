//! The border pixels of a mask in order (Moore neighbour tracing).
//!
//! Invariant: consecutive pixels are 8-connected neighbours.

use super::{Mask, MaskRef, WORD};
use crate::geom::Point;
use std::iter::FusedIterator;

/// Offsets of the eight neighbours of a pixel, clockwise on screen from the right one.
const NEIGHBOURS: [[i32; 2]; 8] =
    [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Maps three pixels of the row below, leftmost in bit 0, to neighbour bits 3, 2 and 1.
const BELOW: [u8; 8] = [0, 0b1000, 0b0100, 0b1100, 0b0010, 0b1010, 0b0110, 0b1110];

#[derive(Clone)]
struct Outline<'a> {
    mask: MaskRef<'a>,
    start: Point,
    at: Point,
    /// First neighbour to examine, as an index into [`NEIGHBOURS`].
    look: u8,
    /// The first step away from `start`. Taking it again would start the next round.
    first_step: Option<u8>,
    is_done: bool,
}

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the border pixels of the first 8-connected component, clockwise on screen. The walk
    /// starts at the leftmost of the topmost pixels. Each pixel is a neighbour of the one before,
    /// and the last is a neighbour of the first.
    ///
    /// A pixel where the component is one pixel wide appears twice, the second time on the way
    /// back. Holes and other components are not included: see [`polygons`](Self::polygons) and
    /// [`components`](Self::components).
    ///
    /// For every n-th pixel, use [`step_by`](Iterator::step_by).
    pub fn outline(&self) -> impl FusedIterator<Item = Point> + Clone {
        fn of(view: MaskRef<'_>) -> Outline<'_> {
            let row = |y| view.runs(y).next().map(|(x, _)| Point::new(x as i32, y as i32));
            let first = (0..view.height()).find_map(row);
            let start = first.unwrap_or_default();
            // All pixels above the first pixel and to its left are clear, so the search starts past
            // them.
            Outline {
                mask: view,
                start,
                at: start,
                look: 5,
                first_step: None,
                is_done: first.is_none(),
            }
        }
        of(self.as_ref())
    }
}

impl MaskRef<'_> {
    /// Returns the neighbours of the pixel `p`: bit k is the neighbour at `NEIGHBOURS[k]`.
    fn neighbours(self, p: Point) -> u8 {
        let row = |y: i32| self.three(p.x, y);
        let middle = row(p.y);
        row(p.y - 1) << 5 | (middle & 1) << 4 | BELOW[row(p.y + 1) as usize] | middle >> 2
    }

    /// Returns the pixels x - 1, x and x + 1 of row y, lowest bit first; 0 outside the mask.
    fn three(self, x: i32, y: i32) -> u8 {
        let (column, bit) = (x as u32 / WORD, x as u32 % WORD);
        if y < 0 || y >= self.height() as i32 {
            0
        } else if 0 < bit && bit < WORD - 1 {
            (self.word(column, y as u32) >> (bit - 1) & 0b111) as u8
        } else {
            (0..3).fold(0, |three, i| three | u8::from(self.get(x - 1 + i, y)) << i)
        }
    }
}

impl Iterator for Outline<'_> {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.is_done {
            return None;
        }
        let here = self.at;
        let around = self.mask.neighbours(here).rotate_right(self.look.into());
        if around == 0 {
            // A single pixel.
            self.is_done = true;
            return Some(here);
        }
        let step = (self.look + around.trailing_zeros() as u8) % 8;
        if here == self.start {
            if self.first_step == Some(step) {
                self.is_done = true;
                return None;
            }
            self.first_step.get_or_insert(step);
        }
        let [dx, dy] = NEIGHBOURS[step as usize];
        self.at = Point::new(here.x + dx, here.y + dy);
        // The neighbour examined before this step was clear. It is a neighbour of the new pixel
        // too, so the search continues after it.
        self.look = (step + if step.is_multiple_of(2) { 7 } else { 6 }) % 8;
        Some(here)
    }
}

impl FusedIterator for Outline<'_> {}
