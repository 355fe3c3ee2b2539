//! Triangles of a polygon-packed frame: the part of its rectangle that the frame owns.
//!
//! Called by `cut` and `cuts`. Polygon packing lets rectangles overlap on the page. A pixel
//! belongs to the frame if its centre lies inside a triangle or on an edge.

use super::frame_fault::FrameFault;
use hitmask::{MAX_SIDE, Mask, Rect};
use std::sync::Arc;

/// Coordinates are stored in 1/256 texel, so that all decisions are exact.
const UNITS_PER_TEXEL: i64 = 256;

/// Largest deviation in texels between the vertices of the frame and of the page. Tools round both.
const MAX_DEVIATION: f64 = 1.0;

/// Triangles in the untrimmed frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Triangles(Arc<[[[i32; 2]; 3]]>);

impl Triangles {
    /// Returns the triangles with these vertices and indices. `on_page` has the same vertices on
    /// the page, and `to_page` maps a vertex to the page.
    pub(super) fn new(
        vertices: &[[f64; 2]],
        indices: &[[usize; 3]],
        on_page: Option<&[[f64; 2]]>,
        to_page: impl Fn([f64; 2]) -> [f64; 2],
    ) -> Result<Self, FrameFault> {
        let malformed = || {
            FrameFault::new("has triangles that are malformed or do not match its rectangle")
                .help("export the sheet again, or pack it by rectangles")
        };
        let limit = f64::from(MAX_SIDE);
        let is_near = |v: &f64| v.abs() <= limit; // false for NaN
        if !vertices.iter().flatten().all(is_near) {
            return Err(malformed());
        }
        if let Some(on_page) = on_page {
            let deviates = |(&vertex, page): (&[f64; 2], &[f64; 2])| {
                let mapped = to_page(vertex);
                (0..2).any(|axis| {
                    let deviation = (mapped[axis] - page[axis]).abs();
                    deviation.is_nan() || deviation > MAX_DEVIATION
                })
            };
            if on_page.len() != vertices.len() || vertices.iter().zip(on_page).any(deviates) {
                return Err(malformed());
            }
        }
        let units = |v: f64| (v * UNITS_PER_TEXEL as f64).round() as i32;
        let corner = |&i: &usize| vertices.get(i).map(|vertex| vertex.map(units));
        let triangle = |[a, b, c]: &[usize; 3]| Some([corner(a)?, corner(b)?, corner(c)?]);
        let triangles: Option<Arc<[_]>> = indices.iter().map(triangle).collect();
        triangles.filter(|all| !all.is_empty()).map(Self).ok_or_else(malformed)
    }

    /// Returns the cost of drawing, in texels of a plain frame.
    pub(super) fn cost(&self) -> u64 {
        // Drawing a row of a triangle takes about 50 ns, a texel of a large frame 1.5 ns.
        let rows = |[a, b, c]: &[[i32; 2]; 3]| {
            let rows = a[1].max(b[1]).max(c[1]).abs_diff(a[1].min(b[1]).min(c[1]));
            ((i64::from(rows) / UNITS_PER_TEXEL) as u64).saturating_add(1).saturating_mul(32)
        };
        self.0.iter().map(rows).fold(0, u64::saturating_add)
    }

    /// Clears the pixels outside all triangles. `corner` is the place of `image` in the frame.
    pub(super) fn clip(&self, image: &mut Mask, corner: [u32; 2]) {
        let Ok(mut owned) = Mask::new(image.width(), image.height()) else { return };
        let corner = corner.map(|v| i64::from(v).saturating_mul(UNITS_PER_TEXEL));
        for triangle in &*self.0 {
            let at = |point: [i32; 2]| {
                [0, 1].map(|axis| i64::from(point[axis]).saturating_sub(corner[axis]))
            };
            fill(triangle.map(at), &mut owned);
        }
        image.intersect(&owned, [0, 0]);
    }
}

/// Sets the pixels of a triangle, row by row.
fn fill(corners: [[i64; 2]; 3], mask: &mut Mask) {
    let (half, [a, b, c]) = (UNITS_PER_TEXEL / 2, corners);
    let (mut top, mut bottom) = (i64::MAX, i64::MIN);
    for [_, y] in corners {
        (top, bottom) = (top.min(y), bottom.max(y));
    }
    let first = ceil_div(top.saturating_sub(half), UNITS_PER_TEXEL).max(0);
    let last = floor_div(bottom.saturating_sub(half), UNITS_PER_TEXEL);
    let last = last.min(i64::from(mask.height()).saturating_sub(1));
    for row in first..=last {
        let centre = row.saturating_mul(UNITS_PER_TEXEL).saturating_add(half);
        let (mut from, mut to) = (i64::MAX, i64::MIN);
        for ([x0, y0], [x1, y1]) in [(a, b), (b, c), (c, a)] {
            if centre < y0.min(y1) || centre > y0.max(y1) {
                continue;
            }
            // The crossing of the side with the row, as a fraction. A side along the row has a
            // crossing at each end, and the other sides give both.
            let height = y1.saturating_sub(y0);
            if height == 0 {
                continue;
            }
            // Coordinates have 24 bits, so products have 48.
            let shift = centre.saturating_sub(y0).saturating_mul(x1.saturating_sub(x0));
            let across = x0.saturating_sub(half).saturating_mul(height).saturating_add(shift);
            let across = across.saturating_mul(height.signum());
            let height = height.saturating_abs().saturating_mul(UNITS_PER_TEXEL);
            from = from.min(ceil_div(across, height));
            to = to.max(floor_div(across, height));
        }
        let (from, to) = (from.max(0), to.min(i64::from(mask.width()).saturating_sub(1)));
        if from <= to {
            let (from, to, row) = (from as i32, to as i32, row as i32);
            let [right, bottom] = [to, row].map(|last| last.saturating_add(1));
            mask.fill_rect(Rect::new(from, row, right, bottom), true);
        }
    }
}

/// Returns the quotient, rounded up. `b` is positive.
fn ceil_div(a: i64, b: i64) -> i64 {
    floor_div(a.saturating_neg(), b).saturating_neg()
}

/// Returns the quotient, rounded down. `b` is positive.
fn floor_div(a: i64, b: i64) -> i64 {
    debug_assert!(b > 0, "the divisor {b} is not positive");
    a.checked_div_euclid(b).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a mask with an irregular pattern, which repetition cannot make pass by accident.
    fn dotted(width: u32, height: u32) -> hitmask::Mask {
        let mut mask = hitmask::Mask::new(width, height).unwrap();
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            mask.set(x as i32, y as i32, (x * 7 + y * 5 + x * y) % 3 == 0);
        }
        mask
    }

    #[test]
    fn a_clip_keeps_the_pixels_whose_centres_lie_in_a_triangle() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let vertices: Vec<[f64; 2]> = (0..4)
                .map(|_| [random(90) as f64 / 2.0 - 8.0, random(90) as f64 / 2.0 - 8.0])
                .collect();
            let triangles =
                Triangles::new(&vertices, &[[0, 1, 2], [2, 1, 3]], None, |v| v).unwrap();
            let (image, corner) = (dotted(30, 25), [random(9) as u32, random(9) as u32]);
            let mut clipped = image.clone();
            triangles.clip(&mut clipped, corner);
            for y in 0..25 {
                for x in 0..30 {
                    let [px, py] =
                        [x + corner[0] as i32, y + corner[1] as i32].map(|v| f64::from(v) + 0.5);
                    // Halves are exact in f64.
                    let is_inside = |[a, b, c]: [usize; 3]| {
                        let side = |a: usize, b: usize| {
                            let ([ax, ay], [bx, by]) = (vertices[a], vertices[b]);
                            (bx - ax) * (py - ay) - (by - ay) * (px - ax)
                        };
                        let sides = [side(a, b), side(b, c), side(c, a)];
                        side(a, b) + side(b, c) + side(c, a) != 0.0
                            && (sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0))
                    };
                    let inside = is_inside([0, 1, 2]) || is_inside([2, 1, 3]);
                    let flat = [[0, 1, 2], [2, 1, 3]].iter().any(|&[a, b, c]| {
                        let ([ax, ay], [bx, by], [cx, cy]) =
                            (vertices[a], vertices[b], vertices[c]);
                        (bx - ax) * (cy - ay) == (by - ay) * (cx - ax)
                    });
                    if !flat {
                        assert_eq!(clipped.get(x, y), inside && image.get(x, y), "{vertices:?}");
                    }
                }
            }
        }
    }
}
