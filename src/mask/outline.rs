use super::{Mask, MaskRef, WORD};
use crate::geom::Point;

/// The eight neighbours of a pixel, clockwise on screen from the right one.
const STEPS: [[i32; 2]; 8] = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

/// Three pixels of a row below, from the left, as the neighbours 3, 2 and 1.
const BELOW: [u8; 8] = [0, 0b1000, 0b0100, 0b1100, 0b0010, 0b1010, 0b0110, 0b1110];

/// The border pixels of a mask in order. Made by [`MaskRef::outline`].
#[derive(Clone, Debug)]
pub struct Outline<'a> {
    mask: MaskRef<'a>,
    start: Point,
    at: Point,
    /// Neighbour to look at first, as an index of [`STEPS`].
    look: u8,
    /// The first step away from `start`: taking it a second time would be the next round.
    first_step: Option<u8>,
    is_done: bool,
}

impl<'a> MaskRef<'a> {
    /// The border pixels of the first component, 8-connected, walked clockwise on screen: each is
    /// a neighbour of the one before, and the last one of the first, which is the topmost pixel
    /// and of those the leftmost. A pixel where the component is one pixel wide comes twice, once
    /// on the way back. Holes and other components have no part in it: see
    /// [`polygons`](Self::polygons) and [`components`](Self::components).
    ///
    /// For every n-th pixel, take [`step_by`](Iterator::step_by).
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let square: Mask = "
    ///     .###
    ///     .###
    ///     .###
    /// ".parse()?;
    /// let corners: Vec<Point> = square.outline().step_by(2).collect();
    /// assert_eq!(corners, [[1, 0], [3, 0], [3, 2], [1, 2]].map(Point::from));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    #[must_use]
    pub fn outline(self) -> Outline<'a> {
        let row = |y| self.runs(y).next().map(|(x, _)| Point::new(x as i32, y as i32));
        let first = (0..self.height()).find_map(row);
        let start = first.unwrap_or_default();
        // Left of the first pixel and above it all is clear: the search goes on from there.
        Outline {
            mask: self,
            start,
            at: start,
            look: 5,
            first_step: None,
            is_done: first.is_none(),
        }
    }

    /// The neighbours of the pixel `p`, bit k for that of `STEPS[k]`.
    fn neighbours(self, p: Point) -> u8 {
        let row = |y: i32| self.three(p.x, y);
        let middle = row(p.y);
        row(p.y - 1) << 5 | (middle & 1) << 4 | BELOW[row(p.y + 1) as usize] | middle >> 2
    }

    /// The pixels x - 1, x and x + 1 of row y, lowest bit first; false outside.
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
            // A pixel on its own.
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
        let [dx, dy] = STEPS[step as usize];
        self.at = Point::new(here.x + dx, here.y + dy);
        // The neighbour looked at before this step was clear; it is a neighbour of the new pixel
        // as well, and the search goes on behind it.
        self.look = (step + if step.is_multiple_of(2) { 7 } else { 6 }) % 8;
        Some(here)
    }
}

impl std::iter::FusedIterator for Outline<'_> {}

impl Mask {
    /// As [`MaskRef::outline`].
    #[must_use]
    pub fn outline(&self) -> Outline<'_> {
        self.as_ref().outline()
    }
}
