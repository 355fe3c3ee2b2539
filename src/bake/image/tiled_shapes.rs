//! Draws polygons and ellipses to masks.
//!
//! Used by `tiled`. A pixel is set if its centre lies inside the shape, or on a left or top edge.

use crate::mask::Mask;

/// A shape in texels relative to the corner of the frame, y down.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// The corners of a polygon. Sides may cross: the even-odd rule applies.
    Polygon(Vec<[f64; 2]>),
    /// The ellipse inscribed in a box. The box is rotated clockwise about `corner`; `turn` has the
    /// cosine and sine of the angle.
    Ellipse { corner: [f64; 2], size: [f64; 2], turn: [f64; 2] },
}

impl Shape {
    /// Sets the pixels of the shape.
    pub(super) fn draw(&self, mask: &mut Mask) {
        match self {
            Self::Polygon(points) => polygon(points, mask),
            Self::Ellipse { corner, size, turn } => ellipse(*corner, *size, *turn, mask),
        }
    }
}

/// Fills a polygon row by row between crossings.
fn polygon(points: &[[f64; 2]], mask: &mut Mask) {
    let mut crossings: Vec<f64> = Vec::new();
    for y in 0..mask.height() {
        let centre = f64::from(y) + 0.5;
        crossings.clear();
        for (i, &[x0, y0]) in points.iter().enumerate() {
            let [x1, y1] = points[(i + 1) % points.len()];
            if (y0 <= centre) != (y1 <= centre) {
                crossings.push(x0 + (centre - y0) / (y1 - y0) * (x1 - x0));
            }
        }
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            // The range of pixels whose centres are between the two sides.
            let [from, to] = [pair[0], pair[1]].map(|x| pixel_from(x, mask.width()));
            for x in from..to {
                mask.set(x as i32, y as i32, true);
            }
        }
    }
}

/// Returns the first pixel whose centre is at or right of `x`, clamped to `width`.
fn pixel_from(x: f64, width: u32) -> u32 {
    (x - 0.5).ceil().clamp(0.0, f64::from(width)) as u32 // NaN becomes 0
}

fn ellipse(corner: [f64; 2], size: [f64; 2], [cos, sin]: [f64; 2], mask: &mut Mask) {
    let [rx, ry] = size.map(|side| side / 2.0);
    // Bounds of the ellipse, so that a small ellipse on a large frame does not visit all pixels.
    let centre = [corner[0] + rx * cos - ry * sin, corner[1] + rx * sin + ry * cos];
    let reach = rx.hypot(ry) + 1.0;
    let [x0, y0] = centre.map(|c| c - reach);
    let columns = pixel_from(x0, mask.width())..pixel_from(x0 + 2.0 * reach, mask.width());
    for y in pixel_from(y0, mask.height())..pixel_from(y0 + 2.0 * reach, mask.height()) {
        for x in columns.clone() {
            let [dx, dy] = [f64::from(x) + 0.5 - centre[0], f64::from(y) + 0.5 - centre[1]];
            let [u, v] = [(dx * cos + dy * sin) / rx, (dy * cos - dx * sin) / ry];
            if u * u + v * v < 1.0 {
                mask.set(x as i32, y as i32, true);
            }
        }
    }
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
    fn a_rotated_ellipse_keeps_its_shape() {
        let circle = |turn| Shape::Ellipse { corner: [0.0, 0.0], size: [4.0, 4.0], turn };
        assert_eq!(drawn(4, 4, &[circle([1.0, 0.0])]), ".##.\n####\n####\n.##.\n");
        let lying = Shape::Ellipse { corner: [0.0, 0.0], size: [6.0, 2.0], turn: [1.0, 0.0] };
        assert_eq!(drawn(6, 2, &[lying]), "######\n######\n");
        // A quarter turn clockwise about the corner moves the ellipse to the left of the corner and
        // down.
        let hanging = Shape::Ellipse { corner: [2.0, 0.0], size: [6.0, 2.0], turn: [0.0, 1.0] };
        assert_eq!(drawn(3, 6, &[hanging]), "##.\n##.\n##.\n##.\n##.\n##.\n");
    }

    #[test]
    fn extreme_numbers_cause_no_panic() {
        for bad in [f64::NAN, f64::INFINITY, 1e300, -1e300] {
            drawn(3, 3, &[Shape::Polygon(vec![[0.0, 0.0], [bad, 1.0], [2.0, bad]])]);
            drawn(3, 3, &[Shape::Polygon(vec![])]);
            let size = [bad, 2.0];
            drawn(3, 3, &[Shape::Ellipse { corner: [bad, 0.0], size, turn: [1.0, 0.0] }]);
        }
    }
}
