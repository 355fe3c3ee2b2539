use hitmask::{MaskRef, Point};

/// The scalar strip loop: what the best-known libraries do. A mask as strips of 64-bit words, each
/// from top to bottom, walked row by row with an early exit.
#[derive(Clone, Debug)]
pub struct Strips {
    width: usize,
    height: usize,
    words: Vec<u64>,
}

impl Strips {
    /// The same pixels in strips.
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

    /// Whether a pixel is set in both this mask and `other`, the latter at `offset`.
    #[must_use]
    pub fn touches(&self, other: &Self, offset: Point) -> bool {
        self.walk(other, offset, |left, right, both| {
            left.iter().zip(right).any(|(&l, &r)| both(l, r) != 0)
        })
    }

    /// Number of pixels set in both.
    #[must_use]
    pub fn area(&self, other: &Self, offset: Point) -> u64 {
        let mut area = 0;
        self.walk(other, offset, |left, right, both| {
            let ones = left.iter().zip(right).map(|(&l, &r)| u64::from(both(l, r).count_ones()));
            area += ones.sum::<u64>();
            false
        });
        area
    }

    /// Calls `look` with the rows of each two strips that meet and how a word of each makes one
    /// of both, until it says true.
    #[inline(always)]
    fn walk(
        &self,
        other: &Self,
        offset: Point,
        mut look: impl FnMut(&[u64], &[u64], &dyn Fn(u64, u64) -> u64) -> bool,
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
            if look(near, right, &|l, r| l >> shift & r) {
                return true;
            }
            if shift == 0 || columns - 64 * s <= 64 - shift {
                return false;
            }
            let far = &left.words[strip(left, first + s + 1, left_row)];
            look(far, right, &|l, r| l << (64 - shift) & r)
        })
    }
}
