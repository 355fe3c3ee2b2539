//! Searches of a part of a mask: its tight box, the empty space around a rectangle, the outermost
//! pixels of a part of a row.
//!
//! Used by bounds, distances, rays and zones. Invariant: no search reads a word outside the part
//! that it names, so the cost does not grow with the mask.

use super::{Mask, MaskRef, WORD, inside, strips_of};
use crate::geom::{Point, Rect};

/// Rows that are combined before each test.
const ROWS_PER_TEST: usize = 32;

/// Width in pixels of the first ring around a rectangle. Each further one is twice as wide.
const FIRST_RING: i64 = 16;

/// Width in pixels of the last ring, or an eighth of its distance if that is more.
const LAST_RING: i64 = 8;

impl<P: AsRef<[u64]>> Mask<P> {
    /// Returns the tight box of the set pixels; `None` where there are none. The search goes from
    /// the edges inwards, so pixels near the edges make it fast.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let mask = self.as_ref();
        mask.bounds_in(mask.rect_at(Point::default()))
    }
}

impl MaskRef<'_> {
    /// Tests whether a pixel is set in a range, which may extend beyond the mask.
    pub(crate) fn has_any(self, [x0, x1]: [i64; 2], [y0, y1]: [i64; 2]) -> bool {
        let cut = |v: i64, size: u32| v.clamp(0, size.into()) as u32;
        let (x0, x1) = (cut(x0, self.width()), cut(x1, self.width()));
        let (y0, y1) = (cut(y0, self.height()), cut(y1, self.height()));
        if x0 >= x1 || y0 >= y1 {
            return false;
        }
        let (from, to) =
            if self.is_flipped() { (self.height() - y1, self.height() - y0) } else { (y0, y1) };
        (x0 / WORD..strips_of(x1)).any(|s| {
            let columns = inside(x1, s) & u64::MAX << x0.saturating_sub(s * WORD);
            let rows = &self.rows(s)[from as usize..to as usize];
            // Several rows per test avoid a branch per row.
            rows.chunks(ROWS_PER_TEST)
                .any(|rows| rows.iter().fold(0, |all, row| all | row) & columns != 0)
        })
    }

    /// Tests whether row `y`, inside, has a set pixel in columns x0..x1.
    #[inline]
    pub(crate) fn has_any_in_row(self, [x0, x1]: [i64; 2], y: u32) -> bool {
        let end = i64::from(self.width());
        let (x0, x1) = (x0.clamp(0, end) as u32, x1.clamp(0, end) as u32);
        if x0 >= x1 {
            return false;
        }
        (x0 / WORD..strips_of(x1)).any(|s| {
            let from = u64::MAX << x0.saturating_sub(s * WORD);
            self.word(s, y) & from & inside(x1, s) != 0
        })
    }

    /// Returns the number of consecutive set pixels after `from`, not counting `from` itself, at
    /// most `most`. `step` is one pixel along one axis.
    pub(crate) fn set_beyond(self, from: Point, step: Point, most: u32) -> u32 {
        let (Ok(x), Ok(y)) = (u32::try_from(from.x), u32::try_from(from.y)) else { return 0 };
        if x >= self.width() || y >= self.height() {
            return 0;
        }
        let (mut strip, mut bit) = (x / WORD, x % WORD);
        if step.x == 0 {
            let rows = self.rows(strip);
            let row = if self.is_flipped() { self.height() - 1 - y } else { y } as usize;
            let is_set = |word: &&u64| **word >> bit & 1 == 1;
            let most = most as usize;
            return if (step.y > 0) == self.is_flipped() {
                rows[..row].iter().rev().take(most).take_while(is_set).count() as u32
            } else {
                rows[row + 1..].iter().take(most).take_while(is_set).count() as u32
            };
        }
        // Counts from the pixel itself, strip by strip while strips are full.
        let mut found = 0;
        loop {
            let word = self.word(strip, y);
            let (ones, all) = if step.x > 0 {
                ((word >> bit).trailing_ones(), WORD - bit)
            } else {
                ((word << (WORD - 1 - bit)).leading_ones(), bit + 1)
            };
            found += ones;
            let next = if step.x > 0 { Some(strip + 1) } else { strip.checked_sub(1) };
            match next.filter(|&next| ones >= all && found <= most && next < self.strips()) {
                Some(next) => (strip, bit) = (next, if step.x > 0 { 0 } else { WORD - 1 }),
                None => return found.saturating_sub(1).min(most),
            }
        }
    }

    /// Returns the tight box of the set pixels in `area`, a part of the mask.
    pub(crate) fn bounds_in(self, area: Rect) -> Option<Rect> {
        if area.is_empty() {
            return None;
        }
        let (x0, x1) = (area.x0 as u32, area.x1 as u32);
        let bits = |s: u32| inside(x1, s) & u64::MAX << x0.saturating_sub(s * WORD);
        let [from, to] = self.stored_rows([area.y0 as u32, area.y1 as u32]);
        let rows = |s: u32| &self.rows(s)[from..to];
        let columns = |s: u32| (s, rows(s).iter().fold(0, |all, row| all | row) & bits(s));
        let strips = x0 / WORD..strips_of(x1);
        let has_pixel = |&(_, columns): &(u32, u64)| columns != 0;
        let left = strips.clone().map(columns).find(has_pixel)?;
        let right = (left.0 + 1..strips.end).rev().map(columns).find(has_pixel).unwrap_or(left);
        let (mut top, mut bottom) = (to - from, 0);
        for s in left.0..=right.0 {
            let is_set = |row: &u64| row & bits(s) != 0;
            let any = |rows: &[u64]| is_set(&rows.iter().fold(0, |all, row| all | row));
            // Only rows beyond those known to hold a pixel.
            let above = &rows(s)[..top];
            if let Some(n) = above.chunks(ROWS_PER_TEST).position(any) {
                let start = n * ROWS_PER_TEST;
                top = start + above[start..].iter().position(is_set).unwrap_or(0);
            }
            let below = &rows(s)[bottom..];
            if let Some(n) = below.rchunks(ROWS_PER_TEST).position(any) {
                let end = below.len() - n * ROWS_PER_TEST;
                bottom += below[..end].iter().rposition(is_set).map_or(0, |last| last + 1);
            }
        }
        if self.is_flipped() {
            (top, bottom) = (to - from - bottom, to - from - top);
        }
        let x0 = (left.0 * WORD + left.1.trailing_zeros()) as i32;
        let x1 = (right.0 * WORD + WORD - right.1.leading_zeros()) as i32;
        Some(Rect::new(x0, area.y0 + top as i32, x1, area.y0 + bottom as i32))
    }

    /// Returns a lower and an upper bound on the distance from the rectangle of columns x0..x1 and
    /// rows y0..y1 to the nearest set pixel. `None` if no pixel is within `most`. The rectangle may
    /// lie outside the mask.
    ///
    /// Distances are along the longer axis: the pixels by which the rectangle has to grow until it
    /// holds a set pixel. The upper bound exceeds the lower one by at most an eighth and 8 px. The
    /// cost is that of reading the pixels up to the upper bound.
    pub(crate) fn distance_bounds(
        self,
        [[x0, x1], [y0, y1]]: [[i64; 2]; 2],
        most: i64,
    ) -> Option<[i64; 2]> {
        if self.has_any([x0, x1], [y0, y1]) {
            return Some([0, 0]);
        }
        let (width, height) = (i64::from(self.width()), i64::from(self.height()));
        // Nothing is nearer than the box of the mask, and nothing is beyond it.
        let mut near = (x0 - width).max(-x1).max(y0 - height).max(-y1).max(0);
        let farthest = x0.max(width - x1).max(y0).max(height - y1).min(most);
        // Tests for pixels at a distance above `near` and up to `far`.
        let is_in_ring = |near: i64, far: i64| {
            let (wide, high) = ([x0 - far, x1 + far], [y0 - near, y1 + near]);
            self.has_any(wide, [y0 - far, y0 - near])
                || self.has_any(wide, [y1 + near, y1 + far])
                || self.has_any([x0 - far, x0 - near], high)
                || self.has_any([x1 + near, x1 + far], high)
        };
        let mut ring = FIRST_RING;
        let mut far = loop {
            if near >= farthest {
                return None;
            }
            let far = near.saturating_add(ring).min(farthest);
            if is_in_ring(near, far) {
                break far;
            }
            (near, ring) = (far, ring * 2);
        };
        while far - near > LAST_RING.max(near / 8) {
            let middle = i64::midpoint(near, far);
            if is_in_ring(near, middle) {
                far = middle;
            } else {
                near = middle;
            }
        }
        Some([near + 1, far])
    }

    /// Returns the first set pixel of row `y` in columns x0..x1, which lie inside.
    pub(crate) fn first_in_row(self, [x0, x1]: [u32; 2], y: u32) -> Option<u32> {
        (x0 / WORD..strips_of(x1)).find_map(|s| {
            let word = self.word(s, y) & inside(x1, s) & u64::MAX << x0.saturating_sub(s * WORD);
            (word != 0).then(|| s * WORD + word.trailing_zeros())
        })
    }

    /// Returns the last set pixel of row `y` in columns x0..x1, which lie inside.
    pub(crate) fn last_in_row(self, [x0, x1]: [u32; 2], y: u32) -> Option<u32> {
        (x0 / WORD..strips_of(x1)).rev().find_map(|s| {
            let word = self.word(s, y) & inside(x1, s) & u64::MAX << x0.saturating_sub(s * WORD);
            (word != 0).then(|| s * WORD + WORD - 1 - word.leading_zeros())
        })
    }

    /// Returns the place of a range of rows in stored order.
    fn stored_rows(self, [y0, y1]: [u32; 2]) -> [usize; 2] {
        let height = self.height();
        let (from, to) = if self.is_flipped() { (height - y1, height - y0) } else { (y0, y1) };
        [from as usize, to as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pixels_of(mask: MaskRef<'_>) -> Vec<Point> {
        let all = (0..mask.height() as i32)
            .flat_map(|y| (0..mask.width() as i32).map(move |x| Point::new(x, y)));
        all.filter(|p| mask.get(p.x, p.y)).collect()
    }

    fn mask_of(width: u32, height: u32, pixels: &[(u32, u32)]) -> Mask {
        let mut mask = Mask::new(width, height).unwrap();
        for &(x, y) in pixels {
            mask.set((x % width) as i32, (y % height) as i32, true);
        }
        mask
    }

    fn sides() -> impl Strategy<Value = u32> {
        prop_oneof![1_u32..12, 60_u32..70, 120_u32..135, 250_u32..300]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn searches_of_a_part_equal_a_test_of_every_pixel(
            (width, height, flip) in (sides(), sides(), any::<bool>()),
            pixels in prop::collection::vec(any::<(u32, u32)>(), 0..6),
            (x, y) in (-400_i32..600, -400_i32..600),
            (w, h) in (0_i32..300, 0_i32..300),
            most in prop_oneof![0_i64..400, Just(i64::MAX / 4)],
        ) {
            let mask = mask_of(width, height, &pixels);
            let mask = if flip { mask.as_ref().flip_y() } else { mask.as_ref() };
            let pixels = pixels_of(mask);
            let part = mask.rect_at(Point::default()).intersection(Rect::new(x, y, x + w, y + h));
            for area in [part, Some(mask.rect_at(Point::default()))].into_iter().flatten() {
                let tight = pixels.iter().fold(None::<Rect>, |tight, p| {
                    let one = Rect::new(p.x, p.y, p.x + 1, p.y + 1);
                    if area.intersection(one).is_none() {
                        return tight;
                    }
                    Some(tight.map_or(one, |t| Rect::new(
                        t.x0.min(one.x0), t.y0.min(one.y0), t.x1.max(one.x1), t.y1.max(one.y1),
                    )))
                });
                prop_assert_eq!(mask.bounds_in(area), tight);
                let (x0, x1) = (area.x0 as u32, area.x1 as u32);
                for y in area.y0..area.y1 {
                    let row = (x0..x1).filter(|&x| mask.get(x as i32, y));
                    prop_assert_eq!(mask.first_in_row([x0, x1], y as u32), row.clone().min());
                    prop_assert_eq!(mask.last_in_row([x0, x1], y as u32), row.max());
                }
            }
            let away = |v: i32, low: i32, size: i32| (low - v).max(v - (low + size) + 1).max(0);
            let distance = (pixels.iter())
                .map(|p| i64::from(away(p.x, x, w).max(away(p.y, y, h))))
                .min();
            let around = [[x, x + w], [y, y + h]].map(|span| span.map(i64::from));
            match (mask.distance_bounds(around, most), distance) {
                (Some([low, high]), Some(distance)) => {
                    prop_assert!(low <= distance && distance <= high, "{low} {distance} {high}");
                    prop_assert!(high - low <= 8.max(low / 8) && high <= most.max(0));
                }
                (None, Some(distance)) => prop_assert!(distance > most),
                (found, None) => prop_assert_eq!(found, None),
            }
        }
    }

    #[test]
    fn set_beyond_and_has_any_match_a_test_of_every_pixel() {
        let mut mask = Mask::new(200, 9).unwrap();
        mask.fill_rect(Rect::new(3, 2, 190, 7), true);
        mask.set(70, 4, false);
        mask.set(131, 5, false);
        for view in [mask.as_ref(), mask.as_ref().flip_y()] {
            let places = (0..200).step_by(3).flat_map(|x| (0..9).map(move |y| Point::new(x, y)));
            for from in places.filter(|p| view.get(p.x, p.y)) {
                for step in [[1, 0], [-1, 0], [0, 1], [0, -1]].map(Point::from) {
                    let set = |i: &i32| view.get(from.x + step.x * i, from.y + step.y * i);
                    let truth = (1..).take_while(set).count() as u32;
                    assert_eq!(view.set_beyond(from, step, 999), truth, "{from:?} {step:?}");
                    assert_eq!(view.set_beyond(from, step, 2), truth.min(2));
                }
            }
            for (x0, y0) in [(-5, -5), (0, 0), (60, 1), (64, 4), (128, 5), (188, 6)] {
                for (x1, y1) in [(1, 1), (65, 3), (71, 5), (132, 6), (999, 999)] {
                    let any = (x0..x1.min(200)).any(|x| (y0..y1.min(9)).any(|y| view.get(x, y)));
                    let [x, y] = [[x0, x1], [y0, y1]].map(|span| span.map(i64::from));
                    assert_eq!(view.has_any(x, y), any, "{x0} {y0} {x1} {y1}");
                }
            }
        }
    }
}
