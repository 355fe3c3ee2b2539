//! Fills polygons: which pixels have their centre inside.
//!
//! ```text
//! snap     the corners to 1/256 px, so that all arithmetic is exact
//! cross    for each row, the columns at which edges pass the line of pixel centres
//! fill     every second run between them                            even-odd rule
//! ```
//!
//! Part of the public API. Invariant: polygons that share an edge share no pixel, and leave none out.

use super::{Mask, MaskError};
use crate::geom::{Point, Rect};

/// Parts of a pixel to which corners snap.
const SUBPIXELS: i64 = 256;

/// An edge in parts of a pixel, from its upper to its lower end. It crosses the rows whose centres
/// lie from `top` up to but without `bottom`.
struct Edge {
    top: [i64; 2],
    bottom: [i64; 2],
}

impl Edge {
    /// Returns the first column whose centre is not left of the edge, at the height `y`.
    fn first_column(&self, y: i64) -> i64 {
        let (x, height) = (self.top[0], self.bottom[1] - self.top[1]);
        // The edge is at x + (y - top) * width / height. A mask bounds each factor by 2^23.
        let across = (y - self.top[1]) * (self.bottom[0] - x);
        let (number, divisor) = ((x - SUBPIXELS / 2) * height + across, SUBPIXELS * height);
        -(-number).div_euclid(divisor)
    }
}

impl Mask {
    /// Returns the pixels whose centres lie inside polygons, and the position of the top-left pixel of
    /// the mask. A pixel counts if it is inside an odd number of them, so a polygon inside another one
    /// is a hole.
    ///
    /// Each polygon is a list of corners in pixels. The pixel (x, y) has its centre at (x + 0.5, y + 0.5).
    /// Corners snap to 1/256 px. A centre on an edge belongs to the polygon on its right or below, so
    /// adjacent polygons share no pixel. The result is trimmed, and 0 x 0 if no centre is inside.
    ///
    /// Costs a few nanoseconds per edge and row.
    ///
    /// ```
    /// use hitmask::{Mask, Point};
    /// let triangle = [[10.0, 5.0], [14.0, 5.0], [10.0, 9.0]];
    /// let (mask, at) = Mask::from_polygons([&triangle[..]])?;
    /// assert_eq!(mask.to_string(), "###\n##.\n#..\n");
    /// assert_eq!(at, Point::new(10, 5));
    /// # Ok::<(), hitmask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaskError::Corner`] for a corner that is not finite or out of range, and
    /// [`MaskError::TooLarge`] if the polygons are larger than a mask.
    pub fn from_polygons<'a>(
        polygons: impl IntoIterator<Item = &'a [[f32; 2]]>,
    ) -> Result<(Self, Point), MaskError> {
        let polygons = polygons.into_iter().map(|corners| corners.iter().map(snap).collect());
        let polygons = polygons.collect::<Result<Vec<Vec<[i64; 2]>>, MaskError>>()?;
        let corners = || polygons.iter().flatten();
        let range = |axis: usize| {
            let all = || corners().map(|corner| corner[axis]);
            let end = all().max()? + (SUBPIXELS - 1);
            Some((all().min()?.div_euclid(SUBPIXELS), end.div_euclid(SUBPIXELS)))
        };
        let (Some((x0, x1)), Some((y0, y1))) = (range(0), range(1)) else {
            return Ok((Self::clear_of(0, 0), Point::default()));
        };
        // Corners are within 2^31 px of the origin.
        let mut mask = Self::new((x1 - x0) as u32, (y1 - y0) as u32)?;
        let moved = |corner: &[i64; 2]| [corner[0] - x0 * SUBPIXELS, corner[1] - y0 * SUBPIXELS];
        let edges = polygons.iter().flat_map(|corners| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(from, to)| [moved(from), moved(to)])
        });
        let mut edges: Vec<Edge> = edges
            .filter(|[from, to]| from[1] != to[1])
            .map(|[from, to]| match from[1] < to[1] {
                true => Edge { top: from, bottom: to },
                false => Edge { top: to, bottom: from },
            })
            .collect();
        edges.sort_by_key(|edge| edge.top[1]);
        let mut columns = Vec::new();
        for row in 0..(y1 - y0) {
            let y = row * SUBPIXELS + SUBPIXELS / 2;
            let begun = edges.partition_point(|edge| edge.top[1] <= y);
            let crossed = edges[..begun].iter().filter(|edge| y < edge.bottom[1]);
            columns.clear();
            columns.extend(crossed.map(|edge| edge.first_column(y)));
            columns.sort_unstable();
            for run in columns.chunks_exact(2) {
                let [from, to] = [run[0] as i32, run[1] as i32];
                mask.fill_rect(Rect::new(from, row as i32, to, row as i32 + 1), true);
            }
        }
        let (mask, corner) = mask.trimmed();
        let start =
            if mask.width() == 0 { Point::default() } else { Point::new(x0 as i32, y0 as i32) };
        Ok((mask, corner + start))
    }
}

/// Returns a corner in parts of a pixel.
fn snap(&[x, y]: &[f32; 2]) -> Result<[i64; 2], MaskError> {
    const LIMIT: f32 = crate::geom::MAX_POSITION;
    // Refuses NaN as well. The product is exact.
    if x.abs() <= LIMIT && y.abs() <= LIMIT {
        return Ok([x, y].map(|v| (f64::from(v) * SUBPIXELS as f64).round() as i64));
    }
    Err(MaskError::Corner { x, y })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Connectivity, dotted};

    /// Tests whether an odd number of edges lies to the right of a pixel centre, by cross products.
    fn is_inside(polygons: &[Vec<[f32; 2]>], x: i32, y: i32) -> bool {
        let part = |v: f32| i128::from((f64::from(v) * SUBPIXELS as f64).round() as i64);
        let [cx, cy] = [x, y].map(|v| i128::from(v) * 256 + 128);
        let crosses = |a: &[f32; 2], b: &[f32; 2]| {
            let ([ax, ay], [bx, by]) = (a.map(part), b.map(part));
            let cross = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
            // Only edges to the right of the centre count.
            let is_right = if ay < by { cross > 0 } else { cross < 0 };
            ((ay <= cy) != (by <= cy)) && is_right
        };
        let edges = |corners: &Vec<[f32; 2]>| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).filter(|(a, b)| crosses(a, b)).count()
        };
        polygons.iter().map(edges).sum::<usize>() % 2 == 1
    }

    fn filled(polygons: &[Vec<[f32; 2]>]) -> (Mask, Point) {
        Mask::from_polygons(polygons.iter().map(Vec::as_slice)).unwrap()
    }

    #[test]
    fn the_pixels_whose_centres_are_inside_are_set() {
        let mut seed = 7_u32;
        let mut random = |end: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % end
        };
        for round in 0..300 {
            // Quarters of a pixel, so that many centres lie on edges and corners.
            let polygons: Vec<Vec<[f32; 2]>> = (0..1 + round % 3)
                .map(|_| {
                    let corner = |_| [0, 1].map(|_| random(90) as f32 / 4.0 - 9.0);
                    (0..2 + round % 7).map(corner).collect()
                })
                .collect();
            let (mask, at) = filled(&polygons);
            for (x, y) in (-10..15).flat_map(|y| (-10..15).map(move |x| (x, y))) {
                let is_set = mask.get(x - at.x, y - at.y);
                assert_eq!(is_set, is_inside(&polygons, x, y), "{polygons:?} at {x}, {y}");
            }
        }
    }

    #[test]
    fn the_polygons_of_a_mask_give_the_mask() {
        let mask = dotted(70, 31);
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let corners =
                |points: &[Point]| points.iter().map(|p| [p.x as f32, p.y as f32]).collect();
            let polygons: Vec<Vec<[f32; 2]>> = mask
                .polygons(connectivity)
                .iter()
                .map(|polygon| corners(polygon.points()))
                .collect();
            assert_eq!(filled(&polygons), mask.trimmed());
        }
    }

    #[test]
    fn triangles_of_one_square_share_no_pixel() {
        let [a, b, c, d] = [[0.5, 0.5], [20.5, 0.5], [20.5, 20.5], [0.5, 20.5]];
        let halves = [vec![a, b, c], vec![a, c, d]].map(|half| filled(&[half]).0.count());
        assert_eq!(halves.iter().sum::<u64>(), filled(&[vec![a, b, c, d]]).0.count());
    }

    #[test]
    fn polygons_without_area_are_empty_and_bad_corners_are_refused() {
        let none = (Mask::clear_of(0, 0), Point::default());
        for corners in [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [9.0, 9.0]]] {
            assert_eq!(filled(&[corners]), none);
        }
        assert_eq!(filled(&[]), none);
        for bad in [f32::NAN, f32::INFINITY, 1.1e9] {
            let refused = Mask::from_polygons([&[[0.0, 0.0], [bad, 1.0], [0.0, 1.0]][..]]);
            assert!(matches!(refused, Err(MaskError::Corner { .. })), "{bad}");
        }
        let wide = Mask::from_polygons([&[[-1e9, 0.0], [1e9, 1.0], [0.0, 1.0]][..]]);
        assert!(matches!(wide, Err(MaskError::TooLarge { .. })));
    }
}
