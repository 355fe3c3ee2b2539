//! An RGB picture with rectangles, masks and text, written as PNG.
//!
//! Used by `show --sheet`, `check --png` and the demo's animation.

use crate::CliError;
use font8x8::UnicodeFonts;
use hitmask::{MaskRef, Point, Rect};
use std::path::Path;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// Advance and height of a letter in pixels.
pub(crate) const LETTER: i32 = 8;

/// A picture of `width` x `height` pixels. Drawing is clipped to its bounds.
pub(crate) struct Picture {
    width: i32,
    height: i32,
    rgb: Vec<u8>,
}

impl Picture {
    /// Creates a picture of one colour. The caller bounds the size.
    pub(crate) fn new([width, height]: [i32; 2], colour: Colour) -> Self {
        Self { width, height, rgb: colour.repeat((width * height) as usize) }
    }

    /// Fills a rectangle.
    pub(crate) fn fill(&mut self, rect: Rect, colour: Colour) {
        let Some(clipped) = rect.intersection(Rect::new(0, 0, self.width, self.height)) else {
            return;
        };
        for y in clipped.y0..clipped.y1 {
            let row = 3 * (y * self.width) as usize;
            let (start, end) = (row + 3 * clipped.x0 as usize, row + 3 * clipped.x1 as usize);
            self.rgb[start..end].copy_from_slice(&colour.repeat(clipped.width() as usize));
        }
    }

    /// Draws the border of a rectangle, one pixel wide, inside the rectangle.
    pub(crate) fn frame(&mut self, Rect { x0, y0, x1, y1 }: Rect, colour: Colour) {
        for side in [
            Rect::new(x0, y0, x1, y0 + 1),
            Rect::new(x0, y1 - 1, x1, y1),
            Rect::new(x0, y0, x0 + 1, y1),
            Rect::new(x1 - 1, y0, x1, y1),
        ] {
            self.fill(side, colour);
        }
    }

    /// Draws a mask with its top-left pixel at `at`, each mask pixel as `zoom` x `zoom` pixels.
    pub(crate) fn mask(&mut self, mask: MaskRef<'_>, at: Point, zoom: i32, colour: Colour) {
        for y in 0..mask.height() as i32 {
            for x in (0..mask.width() as i32).filter(|&x| mask.get(x, y)) {
                let (x, y) = (at.x + zoom * x, at.y + zoom * y);
                self.fill(Rect::new(x, y, x + zoom, y + zoom), colour);
            }
        }
    }

    /// Draws a line of text. Characters that the font lacks appear as question marks.
    pub(crate) fn words(&mut self, words: &str, at: Point, colour: Colour) {
        self.words_zoomed(words, at, 1, colour);
    }

    /// Draws a line of text, each font pixel as `zoom` x `zoom` pixels.
    pub(crate) fn words_zoomed(&mut self, words: &str, at: Point, zoom: i32, colour: Colour) {
        for (x, letter) in (at.x..).step_by((LETTER * zoom) as usize).zip(words.chars()) {
            let basic = font8x8::BASIC_FONTS.get(letter);
            let glyph = basic.or_else(|| font8x8::LATIN_FONTS.get(letter)).unwrap_or(QUESTION);
            for (row, y) in glyph.into_iter().zip((at.y..).step_by(zoom as usize)) {
                for column in (0..8).filter(|column| row >> column & 1 == 1) {
                    let x = x + column * zoom;
                    self.fill(Rect::new(x, y, x + zoom, y + zoom), colour);
                }
            }
        }
    }

    /// Returns the pixels as RGB bytes, row by row.
    pub(crate) fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// Writes the picture as a PNG file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), CliError> {
        crate::output::write_png(path, self.width as u32, self.height as u32, &self.rgb)
    }
}

const QUESTION: [u8; 8] = [0x1e, 0x33, 0x30, 0x18, 0x0c, 0x00, 0x0c, 0x00];
