//! Tests of masks against zones (rectangles, circles, ellipses, lines) and rays.

use super::normal::Normal;
use super::search_order::TRY_STEPS;
use crate::error::CallError;
use crate::geom::{Line, Point, Rect, Zone};
use crate::mask::{Mask, MaskRef, WORD, shifted};

/// The first contact of a line with a mask: [`Mask::first_line_hit`] and
/// [`World::ray`](crate::World::ray).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineHit {
    /// The first set pixel on the line, in the line's own coordinates.
    pub point: Point,
    /// The step of the line's [`PixelPath`](crate::PixelPath) that leads there; 0 if the line
    /// starts on a set pixel.
    pub step: u32,
    /// Steps of the whole line.
    pub steps: u32,
    /// The surface normal at that pixel: away from the mean of the set pixels within 3 px on each
    /// axis. If these surround the pixel evenly, it points back along the line.
    pub normal: Normal,
}

/// Upper bound on steps of a slanted line skipped at once, whose box has far more pixels.
const MAX_SKIP_SLANTED: u32 = 64;
/// Upper bound on the steps of a horizontal or vertical line that are skipped at once.
const MAX_SKIP_STRAIGHT: u32 = 1024;
/// Pixels to either side of a hit that decide the surface normal.
const NORMAL_RADIUS: i32 = 3;

impl<P: AsRef<[u64]>> Mask<P> {
    /// Tests whether this mask, with its corner at `at`, has a pixel in `zone`. The cost grows with
    /// the rows that both share.
    #[must_use]
    pub fn touches_zone(&self, zone: &Zone, at: impl Into<[i32; 2]>) -> bool {
        let mask = self.as_ref();
        let at = Point::from(at.into());
        let bounds = zone.bounds();
        let Some(shared) = bounds.and_then(|bounds| mask.rect_at(at).intersection(bounds)) else {
            return false;
        };
        let side = |from: i32, to: i32, at: i32| {
            [i64::from(from) - i64::from(at), i64::from(to) - i64::from(at)]
        };
        // One fast pass over the box. Other zones then test row by row.
        let any = mask.has_any(side(shared.x0, shared.x1, at.x), side(shared.y0, shared.y1, at.y));
        if zone.is_rect() || !any {
            return any;
        }
        // Starts in the middle, where most masks and zones have most of their pixels.
        let middle = shared.y0.midpoint(shared.y1);
        (middle..shared.y1).chain((shared.y0..middle).rev()).any(|y| {
            zone.row(y).is_some_and(|[x0, x1]| {
                let (x0, x1) = (x0.max(shared.x0), x1.min(shared.x1));
                mask.has_any_in_row(side(x0, x1, at.x), (y - at.y) as u32)
            })
        })
    }

    /// Returns an iterator over the set pixels of this mask, with its corner at `at`, on a line: in
    /// the line's order and coordinates.
    pub fn line_hits(&self, line: &Line, at: impl Into<[i32; 2]>) -> impl Iterator<Item = Point> {
        let mask = self.as_ref();
        let (line, at) = (*line, Point::from(at.into()));
        let steps = mask.steps_on(&line, at).into_iter();
        let pixels = steps.flat_map(move |(first, last)| {
            line.path.pixels_from(first).take((last - first) as usize + 1)
        });
        pixels.map(move |p| line.from + p).filter(move |&p| mask.has(p - at))
    }

    /// Returns where a line first meets this mask, with its corner at `at`; `None` if it misses.
    ///
    /// ```
    /// use hitmask::{Line, Mask, Point};
    /// let wall: Mask = "##\n##\n##\n##\n##\n##\n##".parse()?;
    /// let ray = Line::ray([0.5, 13.5], [1.0, 0.0], 100.0)?;
    /// let hit = wall.first_line_hit(&ray, [40, 10]).unwrap();
    /// assert_eq!((hit.point, hit.step), (Point::new(40, 13), 40));
    /// assert_eq!((hit.normal.x, hit.normal.y), (-1.0, 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_line_hit(&self, line: &Line, at: impl Into<[i32; 2]>) -> Option<LineHit> {
        let mask = self.as_ref();
        let at = Point::from(at.into());
        let step = mask.first_step_on(line, at, u32::MAX)?;
        Some(mask.line_hit(line, at, step))
    }
}

impl MaskRef<'_> {
    /// Returns the step of a line, up to `last`, that leads to its first set pixel.
    pub(crate) fn first_step_on(self, line: &Line, at: Point, last: u32) -> Option<u32> {
        let (first, until) = self.steps_on(line, at)?;
        let last = until.min(last);
        // The wrapped sums are correct inside the box, where all results fit.
        let start = [line.from.x.wrapping_sub(at.x), line.from.y.wrapping_sub(at.y)];
        let place = |p: Point| [start[0].wrapping_add(p.x), start[1].wrapping_add(p.y)];
        let Point { x, y } = line.path.motion();
        let longest = if x == 0 || y == 0 { MAX_SKIP_STRAIGHT } else { MAX_SKIP_SLANTED };
        let (mut step, mut skip_steps) = (first, TRY_STEPS);
        while step <= last {
            let end = last.min(step.saturating_add(skip_steps - 1));
            if end - step < TRY_STEPS {
                let mut steps = (step..=end).zip(line.path.pixels_from(step));
                let is_set = |&(_, p): &(u32, Point)| {
                    let [x, y] = place(p);
                    self.get(x, y)
                };
                if let Some((step, _)) = steps.find(is_set) {
                    return Some(step);
                }
                (step, skip_steps) = (end + 1, TRY_STEPS * 2);
            } else if self.is_clear_between(place(line.path.at(step)), place(line.path.at(end))) {
                (step, skip_steps) = (end + 1, longest.min(skip_steps * 2));
            } else {
                skip_steps = (end - step).div_ceil(2);
            }
        }
        None
    }

    /// Tests whether the box of two pixels, both included, has no set pixel.
    fn is_clear_between(self, from: [i32; 2], to: [i32; 2]) -> bool {
        let [x, y] = [0, 1].map(|i| [from[i].min(to[i]).into(), i64::from(from[i].max(to[i])) + 1]);
        !self.has_any(x, y)
    }

    /// Returns the hit for the set pixel after a step of a line.
    pub(crate) fn line_hit(self, line: &Line, at: Point, step: u32) -> LineHit {
        let point = line.from + line.path.at(step);
        let [x, y] = self.away(point - at);
        let back = line.path.at(step.saturating_sub(1)) - line.path.at(step);
        let normal = Normal::along(x, y)
            .or_else(|| Normal::along(back.x.into(), back.y.into()))
            .unwrap_or(Normal { x: 0.0, y: -1.0 });
        LineHit { point, step, steps: line.path.steps(), normal }
    }

    /// Returns the sum of the vectors from the set pixels around `pixel` to it.
    fn away(self, pixel: Point) -> [i64; 2] {
        (-NORMAL_RADIUS..=NORMAL_RADIUS).fold([0, 0], |[x, y], row| {
            let bits = self.around(pixel.x, pixel.y.saturating_add(row));
            // The sum of the set bits' positions, one binary digit of the positions at a time.
            let [ones, twos, fours] = [0b010_1010, 0b100_1100, 0b111_0000]
                .map(|position_bits| (bits & position_bits).count_ones());
            let position_sum = i64::from(ones + 2 * twos + 4 * fours);
            let count = i64::from(bits.count_ones());
            [x + i64::from(NORMAL_RADIUS) * count - position_sum, y - i64::from(row) * count]
        })
    }

    /// Returns the 7 pixels of row `y` centred at `x`, the leftmost in the lowest bit.
    fn around(self, x: i32, y: i32) -> u64 {
        let Some(y) = u32::try_from(y).ok().filter(|&y| y < self.height()) else { return 0 };
        let left = i64::from(x) - i64::from(NORMAL_RADIUS);
        let word = |s: i64| match u32::try_from(s) {
            Ok(s) if s < self.strips() => self.word(s, y),
            _ => 0,
        };
        let (s, shift) = (left.div_euclid(WORD.into()), left.rem_euclid(WORD.into()) as u32);
        shifted(word(s), word(s + 1), shift) & 0b111_1111
    }

    /// Returns the first and the last step of a line within the box of this mask.
    fn steps_on(self, line: &Line, at: Point) -> Option<(u32, u32)> {
        let rect = self.rect_at(at);
        if rect.is_empty() { None } else { line.steps_in(rect) }
    }

    fn has(self, p: Point) -> bool {
        self.get(p.x, p.y)
    }
}

/// The zone and line queries of [`MaskRef`], on an owned mask.
impl Mask {
    /// Returns the pixels of a zone as a mask, and the position of its top-left pixel: for
    /// contacts, push-outs and casts with a zone. A zone without pixels gives a mask of 0 x 0 px.
    ///
    /// # Errors
    /// [`CallError::TooLarge`] if a side exceeds [`MAX_SIDE`](crate::MAX_SIDE), and
    /// [`CallError::Position`] for a zone beyond the range of mask pixels.
    pub fn from_zone(zone: &Zone) -> Result<(Self, Point), CallError> {
        if let Err(CallError::Position([x, y]) | CallError::Span { to: [x, y], .. }) =
            zone.scaled(1.0)
        {
            return Err(CallError::Position([x, y]));
        }
        let Some(bounds) = zone.bounds() else {
            return Ok((Self::clear_of(0, 0), Point::default()));
        };
        let mut mask = Self::new(bounds.width(), bounds.height())?;
        for y in bounds.y0..bounds.y1 {
            if let Some([x0, x1]) = zone.row(y) {
                let (x0, x1, y) = (x0 - bounds.x0, x1 - bounds.x0, y - bounds.y0);
                mask.fill_rect(Rect::new(x0, y, x1, y + 1), true);
            }
        }
        Ok((mask, Point::new(bounds.x0, bounds.y0)))
    }
}
