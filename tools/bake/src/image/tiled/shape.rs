//! Draws polygons, ellipses and capsules to masks.
//!
//! Used by `tileset` and `object`. A pixel is set if its centre lies inside the shape, or on a left or
//! top edge.

use hitmask::{Mask, Rect};
use std::ops::Range;

/// Pixels in a word of a mask.
const WORD: u32 = u64::BITS;

/// A coordinate system in the frame: the place of (0, 0), and the vectors of (1, 0) and (0, 1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis {
    pub(crate) corner: [f64; 2],
    pub(crate) x: [f64; 2],
    pub(crate) y: [f64; 2],
}

impl Basis {
    /// Returns the place of a point in the frame.
    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| self.corner[axis] + x * self.x[axis] + y * self.y[axis])
    }

    /// Returns the system with its corner at a point.
    pub(crate) fn moved(&self, to: [f64; 2]) -> Self {
        Self { corner: self.at(to), ..*self }
    }

    /// Returns the system rotated clockwise about its corner.
    pub(crate) fn turned(&self, [cos, sin]: [f64; 2]) -> Self {
        let turned = |[x, y]: [f64; 2]| [x * cos - y * sin, x * sin + y * cos];
        Self { corner: self.corner, x: turned(self.x), y: turned(self.y) }
    }
}

/// A shape in texels relative to the corner of the frame, y down.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// The corners of a polygon. Sides may cross: the even-odd rule applies.
    Polygon(Vec<[f64; 2]>),
    /// The ellipse inscribed in the box from (0, 0) to `size`.
    Ellipse { basis: Basis, size: [f64; 2] },
    /// The box from (0, 0) to `size`, with half discs at the ends of its longer axis.
    Capsule { basis: Basis, size: [f64; 2] },
}

impl Shape {
    /// Returns the rectangle of a corner and a size.
    pub(crate) fn rectangle(basis: &Basis, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> Self {
        let corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
        Self::Polygon(corners.map(|corner| basis.at(corner)).into())
    }

    /// Returns the shape enlarged about (0, 0), then moved by a vector.
    pub(crate) fn placed(&self, by: [f64; 2], scale: [f64; 2]) -> Self {
        let scaled = |at: [f64; 2]| [at[0] * scale[0], at[1] * scale[1]];
        let placed = |at: [f64; 2]| [0, 1].map(|axis| scaled(at)[axis] + by[axis]);
        let mut shape = self.clone();
        match &mut shape {
            Self::Polygon(points) => points.iter_mut().for_each(|point| *point = placed(*point)),
            Self::Ellipse { basis, .. } | Self::Capsule { basis, .. } => {
                let Basis { corner, x, y } = *basis;
                *basis = Basis { corner: placed(corner), x: scaled(x), y: scaled(y) };
            }
        }
        shape
    }

    /// Returns the least and the greatest coordinates of a box around the shape.
    pub(crate) fn bounds(&self) -> [[f64; 2]; 2] {
        let points = match self {
            Self::Polygon(points) => points.clone(),
            Self::Ellipse { basis, size } | Self::Capsule { basis, size } => {
                let [width, height] = *size;
                [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]
                    .map(|at| basis.at(at))
                    .into()
            }
        };
        let by = |start: f64, choose: fn(f64, f64) -> f64| {
            [0, 1].map(|axis| points.iter().map(|point| point[axis]).fold(start, choose))
        };
        [by(f64::INFINITY, f64::min), by(f64::NEG_INFINITY, f64::max)]
    }

    /// Returns an upper bound of the steps that `draw` takes.
    pub(crate) fn work(&self, mask: &Mask) -> u64 {
        let words = u64::from(mask.width().div_ceil(WORD)).saturating_add(1);
        let height_words = u64::from(mask.height()).saturating_mul(words);
        match self {
            Self::Polygon(points) => {
                let len = |rows: Range<u32>| u64::from(rows.end.saturating_sub(rows.start));
                let crossed = sides(points).map(|(from, to)| len(rows(&[from, to], mask)));
                let crossed = crossed.fold(points.len() as u64, u64::saturating_add);
                crossed.saturating_add(len(rows(points, mask)).saturating_mul(words))
            }
            Self::Ellipse { .. } => height_words,
            Self::Capsule { .. } => height_words.saturating_mul(3),
        }
    }

    /// Sets the pixels of the shape.
    pub(crate) fn draw(&self, mask: &mut Mask) {
        match self {
            Self::Polygon(points) => polygon(points, mask),
            Self::Ellipse { basis, size } => ellipse(basis, *size, mask),
            Self::Capsule { basis, size } => capsule(basis, *size, mask),
        }
    }
}

/// Fills a polygon. Each side flips a bit per row that it crosses, at the first pixel to its right.
/// A pixel is inside if an odd number of bits to its left are set, or of its own. The time is that
/// of all rows crossed, without sorting.
fn polygon(points: &[[f64; 2]], mask: &mut Mask) {
    let (width, height) = (mask.width(), mask.height());
    let all = rows(points, mask);
    if all.is_empty() || points.iter().flatten().any(|v| !v.is_finite()) {
        return;
    }
    let words = width.div_ceil(WORD) as usize;
    // At most the words of the mask, so indices below never wrap.
    let mut bits = vec![0_u64; all.len().saturating_mul(words)];
    for (from, to) in sides(points) {
        // From top to bottom, so that polygons on both sides of an edge agree on its pixels.
        let [[x0, y0], [x1, y1]] = if from[1] <= to[1] { [from, to] } else { [to, from] };
        for y in pixel_from(y0, height)..pixel_from(y1, height) {
            let centre = f64::from(y) + 0.5;
            let x = pixel_from(x0 + (centre - y0) / (y1 - y0) * (x1 - x0), width);
            if x < width {
                let row = y.wrapping_sub(all.start) as usize;
                let word = row.wrapping_mul(words).wrapping_add((x / WORD) as usize);
                bits[word] ^= 1_u64.wrapping_shl(x % WORD);
            }
        }
    }
    for (row, y) in bits.chunks_exact(words).zip(all) {
        let mut turns = row.iter().zip(0_u32..).flat_map(|(&word, at)| {
            let next = |left: &u64| Some(left & left.wrapping_sub(1)).filter(|&left| left != 0);
            let lefts = std::iter::successors(Some(word).filter(|&word| word != 0), next);
            lefts.map(move |left| at.wrapping_mul(WORD).wrapping_add(left.trailing_zeros()))
        });
        while let Some(from) = turns.next() {
            let to = turns.next().unwrap_or(width);
            let [from, to, top, bottom] = [from, to, y, y.wrapping_add(1)].map(|at| at as i32);
            mask.fill_rect(Rect::new(from, top, to, bottom), true);
        }
    }
}

/// Returns the sides of a polygon: each corner with the next one.
fn sides(points: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(&from, &to)| (from, to))
}

/// Returns the rows whose centres the points enclose.
fn rows(points: &[[f64; 2]], mask: &Mask) -> Range<u32> {
    let top = points.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
    let bottom = points.iter().map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
    pixel_from(top, mask.height())..pixel_from(bottom, mask.height())
}

/// Returns the first pixel whose centre is at or right of `x`, clamped to `width`.
fn pixel_from(x: f64, width: u32) -> u32 {
    (x - 0.5).ceil().clamp(0.0, f64::from(width)) as u32 // NaN becomes 0
}

/// Fills an ellipse row by row. The equation gives the ends of a row to within a pixel or two, and
/// the test of single pixels decides.
fn ellipse(basis: &Basis, size: [f64; 2], mask: &mut Mask) {
    let Basis { x: [xx, xy], y: [yx, yy], .. } = *basis;
    let [rx, ry] = size.map(|side| side / 2.0);
    let area = xx * yy - xy * yx;
    if rx == 0.0 || ry == 0.0 || area == 0.0 {
        return;
    }
    let centre = basis.at([rx, ry]);
    // The place of a pixel centre relative to the unit circle.
    let unit =
        |[dx, dy]: [f64; 2]| [(dx * yy - dy * yx) / area / rx, (dy * xx - dx * xy) / area / ry];
    let is_inside = |x: u32, y: u32| {
        let [u, v] = unit([f64::from(x) + 0.5 - centre[0], f64::from(y) + 0.5 - centre[1]]);
        u * u + v * v < 1.0
    };
    let (width, height) = (mask.width(), mask.height());
    let reach = (xy * rx).hypot(yy * ry) + 1.0;
    let [ux, vx] = unit([1.0, 0.0]);
    for y in pixel_from(centre[1] - reach, height)..pixel_from(centre[1] + reach, height) {
        // Solves (u + t ux)^2 + (v + t vx)^2 = 1 for t, relative to the centre.
        let [u, v] = unit([0.0, f64::from(y) + 0.5 - centre[1]]);
        let (a, b) = (ux * ux + vx * vx, u * ux + v * vx);
        let half = (b * b - a * (u * u + v * v - 1.0)).max(0.0).sqrt() / a;
        let middle = centre[0] - b / a;
        let mut from = pixel_from(middle - half - 2.0, width);
        let mut to = pixel_from(middle + half + 2.0, width);
        while from < to && !is_inside(from, y) {
            from = from.saturating_add(1);
        }
        while from < to && !is_inside(to.saturating_sub(1), y) {
            to = to.saturating_sub(1);
        }
        let below = y.saturating_add(1) as i32;
        mask.fill_rect(Rect::new(from as i32, y as i32, to as i32, below), true);
    }
}

/// Fills the discs at both ends and the rectangle between them.
fn capsule(basis: &Basis, size: [f64; 2], mask: &mut Mask) {
    let corner = size.map(|side| side.min(0.0));
    let [width, height] = size.map(f64::abs);
    let side = width.min(height);
    let ends = [width - side, height - side];
    for at in [corner, [corner[0] + ends[0], corner[1] + ends[1]]] {
        ellipse(&basis.moved(at), [side, side], mask);
    }
    let (half, [x, y]) = (side / 2.0, corner);
    let between = if width > height {
        Shape::rectangle(basis, [x + half, y], [ends[0], height])
    } else {
        Shape::rectangle(basis, [x, y + half], [width, ends[1]])
    };
    between.draw(mask);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(width: u32, height: u32, shapes: &[Shape]) -> String {
        let mut mask = Mask::new(width, height).unwrap();
        for shape in shapes {
            shape.draw(&mut mask);
        }
        mask.to_string()
    }

    #[test]
    fn a_pixel_is_set_if_its_centre_lies_inside() {
        let triangle = Shape::Polygon(vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
        assert_eq!(drawn(5, 4, &[triangle]), "###..\n##...\n#....\n.....\n");
        // Adjacent squares neither overlap nor leave a gap.
        let square =
            |x: f64| Shape::Polygon(vec![[x, 0.5], [x + 2.0, 0.5], [x + 2.0, 2.5], [x, 2.5]]);
        assert_eq!(drawn(5, 3, &[square(0.5)]), "##...\n##...\n.....\n");
        assert_eq!(drawn(5, 3, &[square(2.5)]), "..##.\n..##.\n.....\n");
        // A polygon larger than the frame is clipped to it.
        let out = Shape::Polygon(vec![[-9.0, -9.0], [99.0, -9.0], [99.0, 99.0], [-9.0, 99.0]]);
        assert_eq!(drawn(2, 2, &[out]), "##\n##\n");
    }

    #[test]
    fn extreme_numbers_cause_no_panic() {
        for bad in [f64::NAN, f64::INFINITY, 1e300, -1e300] {
            drawn(3, 3, &[Shape::Polygon(vec![[0.0, 0.0], [bad, 1.0], [2.0, bad]])]);
            drawn(3, 3, &[Shape::Polygon(vec![])]);
            let (size, basis) =
                ([bad, 2.0], Basis { corner: [bad, 0.0], x: [1.0, 0.0], y: [0.0, 1.0] });
            drawn(3, 3, &[Shape::Ellipse { basis, size }, Shape::Capsule { basis, size }]);
        }
    }
}
