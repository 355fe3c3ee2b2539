//! The scalar baseline of the benches: a strip loop as in common C libraries, with one word at a
//! time.

use hitmask::{MaskRef, Point, Rect};

/// A mask as vertical strips of 64-bit words, each stored from top to bottom.
///
/// Queries walk two masks strip by strip, with an early exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strips {
    width: usize,
    height: usize,
    words: Vec<u64>,
}

impl Strips {
    /// Converts a mask.
    #[must_use]
    pub fn new(mask: MaskRef<'_>) -> Self {
        let (width, height) = (mask.width() as usize, mask.height() as usize);
        let mut words = vec![0; width.div_ceil(64) * height];
        for y in 0..height {
            for x in (0..width).filter(|&x| mask.get(x as i32, y as i32)) {
                words[x / 64 * height + y] |= 1 << (x % 64);
            }
        }
        Self { width, height, words }
    }

    /// Tests whether a pixel is set in this mask and in `other` at `offset`.
    #[must_use]
    pub fn touches(&self, other: &Self, offset: Point) -> bool {
        self.walk(other, offset, |_, left, right, both| {
            left.iter().zip(right).any(|(&l, &r)| both(l, r) != 0)
        })
    }

    /// Returns the number of pixels set in both.
    #[must_use]
    pub fn area(&self, other: &Self, offset: Point) -> u64 {
        let mut area = 0;
        self.walk(other, offset, |_, left, right, both| {
            let ones = left.iter().zip(right).map(|(&l, &r)| u64::from(both(l, r).count_ones()));
            area += ones.sum::<u64>();
            false
        });
        area
    }

    /// Returns the tight bounds of the pixels set in both, in this mask's coordinates.
    #[must_use]
    pub fn rect(&self, other: &Self, offset: Point) -> Option<Rect> {
        let corner = [offset.x.max(0), offset.y.max(0)];
        let mut found: Option<Rect> = None;
        self.walk(other, offset, |column, left, right, both| {
            let (mut columns, mut first, mut last) = (0, None, 0);
            for (row, (&l, &r)) in left.iter().zip(right).enumerate() {
                let word = both(l, r);
                columns |= word;
                if word != 0 {
                    first.get_or_insert(row);
                    last = row;
                }
            }
            if let Some(first) = first {
                let x = |bit: u32| corner[0] + column + bit as i32;
                let y = |row: usize| corner[1] + row as i32;
                let (x0, x1) = (x(columns.trailing_zeros()), x(64 - columns.leading_zeros()));
                let (y0, y1) = (y(first), y(last) + 1);
                found = Some(match found {
                    None => Rect::new(x0, y0, x1, y1),
                    Some(r) => Rect::new(r.x0.min(x0), r.y0.min(y0), r.x1.max(x1), r.y1.max(y1)),
                });
            }
            false
        });
        found
    }

    /// Returns the topmost pixel set in both, the leftmost of several, in this mask's coordinates.
    #[must_use]
    pub fn top(&self, other: &Self, offset: Point) -> Option<Point> {
        let corner = [offset.x.max(0), offset.y.max(0)];
        let mut found: Option<(i32, i32)> = None;
        self.walk(other, offset, |column, left, right, both| {
            let words = left.iter().zip(right).map(|(&l, &r)| both(l, r));
            let first = words.enumerate().find(|&(_, word)| word != 0).map(|(row, word)| {
                let x = corner[0] + column + word.trailing_zeros() as i32;
                (corner[1] + row as i32, x)
            });
            found = [found, first].into_iter().flatten().min();
            false
        });
        found.map(|(y, x)| Point::new(x, y))
    }

    /// Calls `look` for each pair of overlapping strips until it returns true.
    ///
    /// `look` gets the column of the overlap where the strip begins, the rows of both strips, and a
    /// function that combines one word of each.
    #[inline(always)]
    fn walk(
        &self,
        other: &Self,
        offset: Point,
        mut look: impl FnMut(i32, &[u64], &[u64], &dyn Fn(u64, u64) -> u64) -> bool,
    ) -> bool {
        let (dx, dy) = (offset.x.unsigned_abs() as usize, offset.y.unsigned_abs() as usize);
        let (left, right) = if offset.x >= 0 { (self, other) } else { (other, self) };
        let left_is_higher = (offset.x >= 0) == (offset.y >= 0);
        let (left_row, right_row) = if left_is_higher { (dy, 0) } else { (0, dy) };
        if dx >= left.width || left_row >= left.height || right_row >= right.height {
            return false;
        }
        let rows = (left.height - left_row).min(right.height - right_row);
        let columns = (left.width - dx).min(right.width);
        let (first, shift) = (dx / 64, dx % 64);
        let strip = |mask: &Self, s: usize, row: usize| -> std::ops::Range<usize> {
            s * mask.height + row..s * mask.height + row + rows
        };
        (0..columns.div_ceil(64)).any(|s| {
            let right = &right.words[strip(right, s, right_row)];
            let near = &left.words[strip(left, first + s, left_row)];
            if look(64 * s as i32, near, right, &|l, r| l >> shift & r) {
                return true;
            }
            if shift == 0 || columns - 64 * s <= 64 - shift {
                return false;
            }
            let far = &left.words[strip(left, first + s + 1, left_row)];
            look(64 * s as i32, far, right, &|l, r| l << (64 - shift) & r)
        })
    }
}
