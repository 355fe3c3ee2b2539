//! An RGBA picture with rectangles, lines, text and copies of other pictures.
//!
//! Everything is clipped to the picture.

use font8x8::UnicodeFonts;
use hitmask::{MaskRef, Point, Rect};

/// Red, green, blue and alpha.
pub type Color = [u8; 4];

/// Width and height of a letter in font pixels, gaps included.
pub const LETTER: i32 = 8;

/// A picture of RGBA pixels, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    width: i32,
    height: i32,
    pixels: Vec<Color>,
}

impl Picture {
    /// Creates a picture of one colour. A side that is not positive counts as 0.
    #[must_use]
    pub fn new(size: [i32; 2], color: Color) -> Self {
        let [width, height] = size.map(|side| side.max(0));
        Self { width, height, pixels: vec![color; width as usize * height as usize] }
    }

    /// Creates a picture of RGBA bytes, row by row.
    #[must_use]
    pub fn of_rgba(width: usize, bytes: &[u8]) -> Self {
        let pixels = bytes.as_chunks::<4>().0.to_vec();
        let height = pixels.len().checked_div(width).unwrap_or(0);
        Self { width: width as i32, height: height as i32, pixels }
    }

    /// Changes the size. The content is undefined afterwards, except that nothing changes if the
    /// size stays.
    pub fn resize(&mut self, size: [i32; 2]) {
        if size != self.size() {
            *self = Self::new(size, [0; 4]);
        }
    }

    /// Returns width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> [i32; 2] {
        [self.width, self.height]
    }

    /// Returns the pixels, row by row.
    #[must_use]
    pub fn pixels(&self) -> &[Color] {
        &self.pixels
    }

    pub(crate) fn pixels_mut(&mut self) -> &mut [Color] {
        &mut self.pixels
    }

    /// Returns the pixels as RGBA bytes, row by row.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Returns a pixel; `None` outside of the picture.
    #[must_use]
    pub fn get(&self, x: i32, y: i32) -> Option<Color> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| self.pixels[(y * self.width + x) as usize])
    }

    /// Sets a pixel, if it is inside the picture.
    pub fn set(&mut self, x: i32, y: i32, color: Color) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            self.pixels[(y * self.width + x) as usize] = color;
        }
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, rect: Rect, color: Color) {
        let Some(clipped) = rect.intersection(Rect::new(0, 0, self.width, self.height)) else {
            return;
        };
        for y in clipped.y0..clipped.y1 {
            let row = y * self.width;
            self.pixels[(row + clipped.x0) as usize..(row + clipped.x1) as usize].fill(color);
        }
    }

    /// Draws a rectangle over the picture by an alpha.
    pub(crate) fn tint(&mut self, rect: Rect, color: Color, alpha: u8) {
        let Some(clipped) = rect.intersection(Rect::new(0, 0, self.width, self.height)) else {
            return;
        };
        for y in clipped.y0..clipped.y1 {
            let row = y * self.width;
            let pixels = &mut self.pixels[(row + clipped.x0) as usize..(row + clipped.x1) as usize];
            pixels.iter_mut().for_each(|pixel| *pixel = blended(*pixel, color, alpha));
        }
    }

    /// Draws the border of a rectangle, one pixel wide, inside the rectangle.
    pub fn frame(&mut self, Rect { x0, y0, x1, y1 }: Rect, color: Color) {
        for side in [
            Rect::new(x0, y0, x1, y0 + 1),
            Rect::new(x0, y1 - 1, x1, y1),
            Rect::new(x0, y0, x0 + 1, y1),
            Rect::new(x1 - 1, y0, x1, y1),
        ] {
            self.fill(side, color);
        }
    }

    /// Draws a mask with its top-left pixel at `at`, each mask pixel as `zoom` x `zoom` pixels.
    pub fn mask(&mut self, mask: MaskRef<'_>, at: Point, zoom: i32, color: Color) {
        for y in 0..mask.height() as i32 {
            for x in (0..mask.width() as i32).filter(|&x| mask.get(x, y)) {
                let (x, y) = (at.x + zoom * x, at.y + zoom * y);
                self.fill(Rect::new(x, y, x + zoom, y + zoom), color);
            }
        }
    }

    /// Draws a line one pixel wide, both ends included.
    pub fn line(&mut self, from: Point, to: Point, color: Color) {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let steps = dx.abs().max(dy.abs()).max(1);
        for i in 0..=steps {
            // Rounded to the nearest pixel.
            let at = |start: i32, d: i32| start + (2 * d * i + steps).div_euclid(2 * steps);
            self.set(at(from.x, dx), at(from.y, dy), color);
        }
    }

    /// Draws a line of text, each font pixel as `zoom[0]` x `zoom[1]` pixels. Characters that the
    /// font lacks appear as question marks.
    pub fn text(&mut self, text: &str, at: Point, zoom: [i32; 2], color: Color) {
        for (x, letter) in (at.x..).step_by((LETTER * zoom[0]) as usize).zip(text.chars()) {
            let basic = font8x8::BASIC_FONTS.get(letter);
            let glyph = basic.or_else(|| font8x8::LATIN_FONTS.get(letter)).unwrap_or(QUESTION);
            for (row, y) in glyph.into_iter().zip((at.y..).step_by(zoom[1] as usize)) {
                for column in (0..8).filter(|column| row >> column & 1 == 1) {
                    let x = x + column * zoom[0];
                    self.fill(Rect::new(x, y, x + zoom[0], y + zoom[1]), color);
                }
            }
        }
    }

    /// Copies another picture to the top left, each pixel as `zoom` x `zoom` pixels.
    pub(crate) fn copy_zoomed(&mut self, other: &Self, zoom: i32) {
        for y in 0..self.height.min(other.height * zoom) {
            let from = &other.pixels[(y / zoom * other.width) as usize..][..other.width as usize];
            let to = &mut self.pixels[(y * self.width) as usize..][..self.width as usize];
            for (pixels, &color) in to.chunks_mut(zoom as usize).zip(from) {
                pixels.fill(color);
            }
        }
    }

    /// Returns the picture with each pixel as `zoom` x `zoom` pixels.
    #[must_use]
    pub fn zoomed(&self, zoom: i32) -> Self {
        let mut large = Self::new(self.size().map(|side| side * zoom), [0; 4]);
        large.copy_zoomed(self, zoom);
        large
    }

    /// Draws another picture over this one by its alpha, with its top left at `at`.
    pub fn draw(&mut self, other: &Self, at: Point) {
        self.draw_zoomed(other, at, 1);
    }

    /// Draws another picture over this one by its alpha, each pixel as `zoom` x `zoom` pixels.
    pub fn draw_zoomed(&mut self, other: &Self, at: Point, zoom: i32) {
        for (y, row) in
            (at.y..).step_by(zoom as usize).zip(other.pixels.chunks(other.width.max(1) as usize))
        {
            for (x, &[r, g, b, a]) in
                (at.x..).step_by(zoom as usize).zip(row).filter(|(_, color)| color[3] > 0)
            {
                self.tint(Rect::new(x, y, x + zoom, y + zoom), [r, g, b, 255], a);
            }
        }
    }
}

/// Returns the least rectangle around two.
#[must_use]
pub fn hull(a: Rect, b: Rect) -> Rect {
    Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1))
}

/// Returns `below` with a share of `alpha` / 255 replaced by `color`. The alphas are ignored: the
/// result is opaque.
#[inline]
pub(crate) fn blended(below: Color, color: Color, alpha: u8) -> Color {
    // From 0 to 256, so that a shift divides.
    let share = u32::from(alpha) + u32::from(alpha >> 7);
    let (below, color) = (u32::from_le_bytes(below), u32::from_le_bytes(color));
    // Two channels at once: products of 8 bits stay in their 16.
    let mixed = |shift: u32| {
        let channels = |color: u32| color >> shift & 0x00ff_00ff;
        ((channels(below) * (256 - share) + channels(color) * share) >> 8 & 0x00ff_00ff) << shift
    };
    (mixed(0) | mixed(8) | 0xff00_0000).to_le_bytes()
}

const QUESTION: [u8; 8] = [0x1e, 0x33, 0x30, 0x18, 0x0c, 0x00, 0x0c, 0x00];

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Color = [255, 0, 0, 255];
    const BLUE: Color = [0, 0, 255, 255];

    fn count(picture: &Picture, color: Color) -> usize {
        picture.pixels().iter().filter(|&&pixel| pixel == color).count()
    }

    #[test]
    fn shapes_are_clipped_to_the_picture() {
        let mut picture = Picture::new([10, 6], BLUE);
        picture.fill(Rect::new(-5, -5, 2, 3), RED);
        assert_eq!(count(&picture, RED), 6);
        picture.frame(Rect::new(4, 1, 20, 20), RED);
        assert_eq!(count(&picture, RED), 6 + 6 + 4);
        picture.line(Point::new(-3, 5), Point::new(30, 5), RED);
        assert_eq!(picture.get(0, 5), Some(RED));
        assert_eq!((picture.get(10, 0), picture.get(0, -1)), (None, None));
    }

    #[test]
    fn a_line_includes_both_ends_and_has_no_gaps() {
        for (to, steps) in [([7, 3], 8), ([-7, 3], 8), ([2, -9], 10), ([0, 0], 1)] {
            let mut picture = Picture::new([21, 21], BLUE);
            picture.line(Point::new(10, 10), Point::new(10 + to[0], 10 + to[1]), RED);
            assert_eq!(count(&picture, RED), steps);
            assert_eq!(picture.get(10, 10), Some(RED));
            assert_eq!(picture.get(10 + to[0], 10 + to[1]), Some(RED));
        }
    }

    #[test]
    fn blending_reaches_both_colours_exactly() {
        for (below, color) in [(RED, BLUE), ([3, 200, 77, 255], [250, 1, 78, 255])] {
            assert_eq!(blended(below, color, 0), below);
            assert_eq!(blended(below, color, 255), color);
            let half = blended(below, color, 128);
            for i in 0..3 {
                let mean = (i32::from(below[i]) + i32::from(color[i])) / 2;
                assert!((i32::from(half[i]) - mean).abs() <= 1, "{half:?}");
            }
        }
    }

    #[test]
    fn a_drawn_picture_shows_through_where_it_is_transparent() {
        let mut below = Picture::new([4, 4], BLUE);
        let mut above = Picture::new([2, 2], [0; 4]);
        above.set(0, 0, RED);
        below.draw(&above, Point::new(3, 3));
        assert_eq!((count(&below, RED), below.get(3, 3)), (1, Some(RED)));
    }
}
