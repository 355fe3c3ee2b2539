//! Shapes for queries: a point, a rectangle, a circle, an ellipse or a line, as sets of pixels.
//!
//! `Mask::touches_zone` and the world's zone, line and nearest-collider queries take these types. A mask
//! takes their coordinates as mask pixels. A world takes those in f32 as pixels and scales them.
//!
//! Invariants: coordinates are finite once a zone or line exists. One beyond 2e9 px of the origin is for
//! a coarser lattice, and holds no pixel of its own.
//! `chord` is the only rule for which pixels an ellipse holds. An error holds the offending value,
//! and `help` states the limit that it exceeds.

use super::{PixelPath, Point, Rect, mask_pixels};
use crate::error::CallError;

/// A set of pixels to query: one pixel, a rectangle, a circle, an ellipse or a line.
///
/// Numbers in f32 are pixels, and a [`Rect`] is in mask pixels. A world scales the former by its
/// [resolution](crate::Atlas::resolution). For a mask, and while the resolution is 1, both units are
/// the same. A position beyond 2e9 px is for a world of a lower resolution: for a mask, the zone holds
/// no pixel.
///
/// A circle or an ellipse holds the pixels whose centre lies inside it or on its edge. A point
/// selects the pixel that contains it, left and top edges included. A line holds the pixels of its
/// [`PixelPath`]. All decisions are made in f64 from the exact arguments, so they are the same on
/// every machine. For a radius above 2^25 px, the centre and the radii of a circle are rounded to 2^-28
/// px. Of an ellipse with two radii, centres within a 2^-50th of the edge may count either way.
///
/// ```
/// use hitmask::{Mask, Zone};
/// let dot: Mask = "##".parse()?;
/// let circle = Zone::circle([0.0, 0.5], 2.5)?;
/// assert!(dot.as_ref().touches_zone(&circle, [2, 0]));
/// assert!(!dot.as_ref().touches_zone(&circle, [3, 0]));
/// assert!(Zone::circle([0.0, 0.0], -1.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Rect(Rect),
    /// The pixel that contains a point.
    Point {
        at: [f32; 2],
        pixel: Rect,
    },
    Ellipse {
        center: [f64; 2],
        radii: [f64; 2],
        /// The tight box; empty without a pixel.
        bounds: Rect,
    },
    Line(Line),
}

/// A line of pixels, both ends included: a [`PixelPath`] with a start. A world scales its ends by the
/// resolution, as those of a [`Zone`].
///
/// ```
/// use hitmask::Line;
/// let line = Line::new([0.5, 0.5], [3.5, 0.5])?;
/// assert_eq!(line.pixels().count(), 4);
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    pub(crate) from: Point,
    pub(crate) path: PixelPath,
    /// The bits of both ends, from which a scaled line is made; `None` for a line of mask pixels.
    ends: Option<[[u32; 2]; 2]>,
}

impl Line {
    /// Returns the line from the pixel that contains `from` to the pixel that contains `to`.
    ///
    /// Ends beyond 2e9 px, or more than 2^31 - 1 px apart on one axis, are for worlds of a lower
    /// resolution. For a mask, such a line meets nothing, and its bounds are empty.
    ///
    /// # Errors
    /// [`CallError::Position`].
    pub fn new(from: impl Into<[f32; 2]>, to: impl Into<[f32; 2]>) -> Result<Self, CallError> {
        let (from, to) = (from.into(), to.into());
        let ends = Some([from, to].map(|end| end.map(f32::to_bits)));
        let near = pixel_of(from)?.zip(pixel_of(to)?).and_then(|(start, end)| {
            Some((start, [end.x.checked_sub(start.x)?, end.y.checked_sub(start.y)?]))
        });
        let (from, motion) = near.unwrap_or((FAR, [0, 0]));
        Ok(Self { from, path: PixelPath::new(motion), ends })
    }

    /// Returns true for a line that is too long or too far away for mask pixels.
    fn is_far(self) -> bool {
        self.from == FAR && self.ends.is_some()
    }

    /// Returns the line from the pixel that contains `from` to the point `length` pixels away in
    /// `direction`. The length of `direction` is ignored.
    ///
    /// # Errors
    /// [`CallError::Direction`] where `direction` is zero or not finite. [`CallError::Number`] where
    /// `length` is negative or not finite. [`CallError::Position`] as for [`new`](Self::new).
    pub fn ray(
        from: impl Into<[f32; 2]>,
        direction: impl Into<[f32; 2]>,
        length: f32,
    ) -> Result<Self, CallError> {
        let (from, direction) = (from.into(), direction.into());
        let [x, y] = direction.map(f64::from);
        let size = (x * x + y * y).sqrt();
        if !(size.is_finite() && size > 0.0) {
            return Err(CallError::Direction(direction));
        }
        let length = f64::from(checked_size(length)?);
        let to = [f64::from(from[0]) + x / size * length, f64::from(from[1]) + y / size * length];
        Self::new(from, to.map(|v| v as f32))
    }

    /// Returns the line that follows a path from a pixel, in mask pixels.
    #[must_use]
    pub fn along(from: impl Into<[i32; 2]>, path: PixelPath) -> Self {
        Self { from: from.into().into(), path, ends: None }
    }

    /// Returns the line between the same ends on a lattice of `resolution` mask pixels per pixel.
    pub(crate) fn scaled(self, resolution: f32) -> Result<Self, CallError> {
        let is_same = resolution == 1.0 && !self.is_far();
        let Some(ends) = self.ends.filter(|_| !is_same) else { return Ok(self) };
        let [from, to] = ends.map(|end| mask_pixels(end.map(f32::from_bits), resolution));
        let ends = checked_position(from).and_then(|_| checked_position(to));
        let line = match ends.and_then(|_| Self::new(from, to)) {
            Ok(line) if line.is_far() => Err(CallError::Span { from, to }),
            line => line,
        };
        line.map_err(|error| error.in_units(resolution))
    }

    /// Returns the pixels in order from the start.
    pub fn pixels(self) -> impl ExactSizeIterator<Item = Point> + DoubleEndedIterator {
        self.path.pixels().map(move |p| self.from + p)
    }

    /// Returns the first and the last step whose pixel is in a rectangle; `None` where no step is.
    pub(crate) fn steps_in(self, rect: Rect) -> Option<(u32, u32)> {
        if rect.is_empty() || self.is_far() {
            return None;
        }
        let span = |low: i32, high: i32, from: i32| {
            [i64::from(low) - i64::from(from), i64::from(high) - 1 - i64::from(from)]
        };
        let x = span(rect.x0, rect.x1, self.from.x);
        self.path.steps_within(x, span(rect.y0, rect.y1, self.from.y))
    }

    /// Returns the tight box around the pixels.
    #[must_use]
    pub fn bounds(self) -> Rect {
        if self.is_far() {
            return Rect::default();
        }
        let (a, b) = (self.from, self.from + self.path.motion());
        let end = |v: i32| v.saturating_add(1);
        Rect::new(a.x.min(b.x), a.y.min(b.y), end(a.x.max(b.x)), end(a.y.max(b.y)))
    }
}

impl Zone {
    /// Returns the one pixel that contains a point.
    ///
    /// # Errors
    /// [`CallError::Position`].
    pub fn point(at: impl Into<[f32; 2]>) -> Result<Self, CallError> {
        let at = at.into();
        let pixel = pixel_of(at)?.map_or_else(Rect::default, |Point { x, y }| {
            Rect::new(x, y, x.saturating_add(1), y.saturating_add(1))
        });
        Ok(Self(Kind::Point { at, pixel }))
    }

    /// Returns the pixels of a rectangle, in mask pixels; an empty rectangle holds none.
    #[must_use]
    pub const fn rect(rect: Rect) -> Self {
        Self(Kind::Rect(rect))
    }

    /// Returns the pixels whose centres are at most `radius` from `center`.
    ///
    /// # Errors
    /// [`CallError::Position`], or [`CallError::Number`] where the radius is negative or not finite.
    pub fn circle(center: impl Into<[f32; 2]>, radius: f32) -> Result<Self, CallError> {
        Self::ellipse(center, [radius, radius])
    }

    /// Returns the pixels whose centres lie in the ellipse with these radii along x and y.
    ///
    /// # Errors
    /// [`CallError::Position`], or [`CallError::Number`] where a radius is negative or not finite.
    pub fn ellipse(
        center: impl Into<[f32; 2]>,
        radii: impl Into<[f32; 2]>,
    ) -> Result<Self, CallError> {
        let (center, [rx, ry]) = (center.into(), radii.into());
        pixel_of(center)?;
        let radii = [f64::from(checked_size(rx)?), f64::from(checked_size(ry)?)];
        let center = center.map(f64::from);
        // The row and the column whose centres are nearest to the middle have the longest chords.
        let [x, y] = center.map(|v| v.floor() as i32);
        let chords = [chord(0, y, center, radii), chord(1, x, center, radii)];
        let bounds = match chords {
            [Some([x0, x1]), Some([y0, y1])] => Rect::new(x0, y0, x1, y1),
            _ => Rect::default(),
        };
        Ok(Self(Kind::Ellipse { center, radii, bounds }))
    }

    /// Returns the pixels of a line.
    #[must_use]
    pub const fn line(line: Line) -> Self {
        Self(Kind::Line(line))
    }

    /// Returns the zone on a lattice of `resolution` mask pixels per pixel.
    pub(crate) fn scaled(&self, resolution: f32) -> Result<Self, CallError> {
        let checked = |at: [f32; 2]| {
            let at = mask_pixels(at, resolution);
            checked_position(at).map(|_| at).map_err(|error| error.in_units(resolution))
        };
        let zone = match self.0 {
            Kind::Rect(_) => return Ok(*self),
            Kind::Line(line) => return line.scaled(resolution).map(Self::line),
            Kind::Point { at, .. } => Self::point(checked(at)?),
            Kind::Ellipse { center, radii, .. } => {
                // Exact, because both were given in f32. A radius beyond f32 holds all pixels.
                let [center, radii] = [center, radii].map(|both| both.map(|v| v as f32));
                let radii = radii.map(|radius| (radius * resolution).min(f32::MAX));
                let center = checked(center)?;
                if resolution == 1.0 {
                    return Ok(*self);
                }
                Self::ellipse(center, radii)
            }
        };
        zone.map_err(|error| error.in_units(resolution))
    }

    pub(crate) const fn to_line(self) -> Option<Line> {
        match self.0 {
            Kind::Line(line) => Some(line),
            _ => None,
        }
    }

    /// Tests whether the zone is a rectangle, and so fills its bounds.
    pub(crate) const fn is_rect(self) -> bool {
        matches!(self.0, Kind::Rect(_) | Kind::Point { .. })
    }

    /// Returns the tight box around the pixels of the zone; `None` if it has none.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let bounds = match self.0 {
            Kind::Rect(rect)
            | Kind::Point { pixel: rect, .. }
            | Kind::Ellipse { bounds: rect, .. } => rect,
            Kind::Line(line) => line.bounds(),
        };
        (!bounds.is_empty()).then_some(bounds)
    }

    pub(crate) fn meets(&self, rect: Rect) -> bool {
        let Some(shared) = self.bounds().and_then(|bounds| bounds.intersection(rect)) else {
            return false;
        };
        let overlaps = |[x0, x1]: [i32; 2]| x0 < shared.x1 && shared.x0 < x1;
        self.is_rect() || (shared.y0..shared.y1).any(|y| self.row(y).is_some_and(overlaps))
    }

    /// Tests whether the zone holds the pixel.
    #[must_use]
    pub fn contains(&self, pixel: impl Into<[i32; 2]>) -> bool {
        let Point { x, y } = Point::from(pixel.into());
        self.row(y).is_some_and(|[x0, x1]| x0 <= x && x < x1)
    }

    /// Returns the pixels in row `y` as [first, one past the last]; `None` where the row has none.
    #[must_use]
    pub fn row(&self, y: i32) -> Option<[i32; 2]> {
        match self.0 {
            Kind::Rect(rect) | Kind::Point { pixel: rect, .. } => {
                (!rect.is_empty() && (rect.y0..rect.y1).contains(&y)).then_some([rect.x0, rect.x1])
            }
            Kind::Line(line) if line.is_far() => None,
            Kind::Line(Line { from, path, .. }) => {
                let down = i64::from(y) - i64::from(from.y);
                let all = [i64::MIN / 4, i64::MAX / 4];
                let (first, last) = path.steps_within(all, [down, down])?;
                let (a, b) = ((from + path.at(first)).x, (from + path.at(last)).x);
                Some([a.min(b), a.max(b).saturating_add(1)])
            }
            Kind::Ellipse { center, radii, .. } => chord(0, y, center, radii),
        }
    }
}

/// Returns the pixels of an ellipse along an axis, in the row or column `at` of the other axis, as
/// [first, one past the last]. Returns `None` if there are none.
fn chord(axis: usize, at: i32, center: [f64; 2], radii: [f64; 2]) -> Option<[i32; 2]> {
    if center.iter().any(|c| c.abs() > MAX_COORDINATE.into()) {
        return None;
    }
    let (c, [r, across]) = (center[axis], [radii[axis], radii[1 - axis]]);
    let from_center = |pixel: i64, axis: usize| pixel as f64 + 0.5 - center[axis];
    let d = from_center(at.into(), 1 - axis);
    let is_circle = r == across;
    let inside = |x: i64| match [r, across].iter().any(|&r| r > MAX_EXACT_RADIUS) {
        true if is_circle => in_large_circle([(x, c), (at.into(), center[1 - axis])], r),
        is_large => in_ellipse([from_center(x, axis), d], [r, across], is_large),
    };
    // An ellipse of height 0 spans its full width in at most one row.
    let part =
        if across > 0.0 { ((across - d) * (across + d)).max(0.0).sqrt() / across } else { 1.0 };
    let half = r * part;
    let end = |x: f64| x.clamp(i32::MIN.into(), i32::MAX.into()) as i64;
    // The guess may be one pixel off because of rounding, so `inside` decides.
    let guess = [end((c - half - 0.5).ceil()), end((c + half - 0.5).floor())];
    let first = (guess[0] - 1..=guess[0] + 1).find(|&x| inside(x))?;
    let last = (guess[1] - 1..=guess[1] + 1).rev().find(|&x| inside(x))?;
    Some([end(first as f64) as i32, end((last + 1) as f64) as i32])
}

/// Radius up to which the squares of distances are exact in f64.
const MAX_EXACT_RADIUS: f64 = (1 << 25) as f64;

/// Tests whether (dx, dy) from the centre lies in an ellipse or on its edge. For a large one, the
/// squares are factored, because they would lose pixels.
fn in_ellipse([dx, dy]: [f64; 2], [rx, ry]: [f64; 2], is_large: bool) -> bool {
    if rx == ry {
        return dx * dx + dy * dy <= rx * rx;
    }
    let (a, b, c) = (dx * ry, dy * rx, rx * ry);
    dx.abs() <= rx
        && dy.abs() <= ry
        && match is_large {
            true => a.abs() <= rx * ((ry - dy) * (ry + dy)).sqrt(),
            false => a * a + b * b <= c * c,
        }
}

/// Tests whether the centre of a pixel lies in a circle or on its edge, in integers. Takes the pixel and
/// the centre of the circle on each axis.
fn in_large_circle(axes: [(i64, f64); 2], radius: f64) -> bool {
    /// Binary places. No two pixels are farther apart than 2^33 px, so squares have 122 bits.
    const PLACES: u32 = 28;
    let fixed = |v: f64| (v * f64::from(1 << PLACES)).round() as i128;
    let distance =
        |(pixel, center): (i64, f64)| (i128::from(2 * pixel + 1) << (PLACES - 1)) - fixed(center);
    let ([dx, dy], r) = (axes.map(distance), fixed(radius.min((1_i64 << 33) as f64)));
    dx * dx + dy * dy <= r * r
}

/// Upper bound on the distance of a position from the origin on either axis, in mask pixels.
const MAX_COORDINATE: f32 = 2e9;
/// Pixels of a mask pixel at the coarsest resolution.
const COARSEST: f32 = 8.0;
/// The start of a line that has no pixel. No position has this pixel.
const FAR: Point = Point::new(i32::MIN, i32::MIN);

/// Returns the pixel that contains a point; `None` beyond [`MAX_COORDINATE`], where only a coarser
/// lattice has one.
fn pixel_of(at: [f32; 2]) -> Result<Option<Point>, CallError> {
    let is_possible = at.iter().all(|v| v.abs() <= MAX_COORDINATE * COARSEST);
    if is_possible { Ok(checked_position(at).ok()) } else { Err(CallError::Position(at)) }
}

/// Returns the pixel that contains a point, if the point is within [`MAX_COORDINATE`].
pub(super) fn checked_position(at: [f32; 2]) -> Result<Point, CallError> {
    if at.iter().all(|v| v.abs() <= MAX_COORDINATE) {
        let [x, y] = at.map(|v| f64::from(v).floor() as i32);
        Ok(Point::new(x, y))
    } else {
        Err(CallError::Position(at))
    }
}

pub(crate) fn checked_size(size: f32) -> Result<f32, CallError> {
    CallError::check_number("radius or length", size, 0.0, f32::MAX).map(|()| size)
}
