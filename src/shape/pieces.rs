//! Convex pieces of a shape (Hertel and Mehlhorn 1983).
//!
//! ```text
//! triangulate each polygon                             crate i_triangle: Delaunay, in integers
//! for each diagonal, thinnest triangles first:
//!   remove it if the union is convex and has few enough corners
//! ```
//!
//! Triangles cover the polygon exactly, because all corners are integers. Among the triangulations of
//! a polygon, that of Delaunay has the fewest thin triangles. What stays thinner than an engine
//! accepts is left out and counted.

use super::rings::UNIT;
use super::{Mass, Shape};
use crate::geom::cross;
use i_triangle::advanced::delaunay::IntDelaunay;
use i_triangle::i_overlay::i_float::int::point::IntPoint;
use i_triangle::int::triangulator::IntTriangulator;

/// Convex pieces of a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pieces {
    /// The corners of each piece in output units, in order. Their area is positive.
    pub pieces: Vec<Vec<[f32; 2]>>,
    /// Pieces that were left out because they are thinner than `min_width`.
    pub left_out: u32,
    /// The area of those pieces in square output units.
    pub left_out_area: f64,
}

/// Marks a side without a twin.
const NONE: u32 = u32::MAX;

/// A side of a face, from its corner to that of the next side.
#[derive(Clone, Copy)]
struct Side {
    from: [i32; 2],
    next: u32,
    prev: u32,
    /// The same side in the face beyond it, or [`NONE`].
    twin: u32,
    face: u32,
}

impl Shape {
    /// Returns the convex pieces of all polygons. They do not overlap, and together are the shape, but
    /// for pieces thinner than `min_width`, which are counted.
    ///
    /// A piece has at most `max_corners` corners, and positive area in output coordinates. Costs about
    /// 5 us for a sprite of 64 px.
    #[must_use]
    pub fn pieces(&self) -> Pieces {
        Cutter::default().pieces(self)
    }
}

/// Memory for the pieces of any number of shapes.
pub(super) struct Cutter {
    triangulator: IntTriangulator<i32, u32>,
    mesh: IntDelaunay<i32>,
    sides: Vec<Side>,
    /// A side of each face and the number of its corners, or 0 corners for a face that another took in.
    faces: Vec<(u32, u32)>,
    order: Vec<(f64, u32)>,
}

impl Default for Cutter {
    fn default() -> Self {
        let mesh = IntDelaunay { triangles: Vec::new(), points: Vec::new() };
        let (sides, faces, order) = (Vec::new(), Vec::new(), Vec::new());
        let mut triangulator = IntTriangulator::default();
        triangulator.earcut = true;
        Self { triangulator, mesh, sides, faces, order }
    }
}

impl Cutter {
    pub(super) fn pieces(&mut self, shape: &Shape) -> Pieces {
        let mut pieces = Pieces::default();
        let point = |[x, y]: [i32; 2]| IntPoint::new(x, y);
        for rings in shape.groups() {
            let contours: Vec<Vec<IntPoint<i32>>> = rings
                .iter()
                .map(|&ring| {
                    shape.outlines.ring(ring).iter().map(|corner| point(corner.at)).collect()
                })
                .collect();
            self.triangulator.uncheck_delaunay_shape_into(&contours, &mut self.mesh);
            self.link();
            self.merge(shape.options.max_corners);
            self.take(shape, &mut pieces);
        }
        pieces
    }

    /// Makes a face of each triangle.
    fn link(&mut self) {
        self.sides.clear();
        self.faces.clear();
        let triangles = &self.mesh.triangles;
        for (face, triangle) in triangles.iter().enumerate() {
            let base = 3 * face as u32;
            for k in 0..3 {
                // The neighbour beyond the side from corner k is that opposite the third corner.
                let neighbor = triangle.neighbors[(k + 2) % 3];
                let from = triangle.vertices[k];
                let twin = triangles.get(neighbor).and_then(|beyond| {
                    // The twin starts where this side ends.
                    let end = triangle.vertices[(k + 1) % 3].index;
                    let start = beyond.vertices.iter().position(|vertex| vertex.index == end)?;
                    Some(3 * neighbor as u32 + start as u32)
                });
                let [k, next, prev] = [k, k + 1, k + 2].map(|k| base + (k % 3) as u32);
                debug_assert_eq!(k as usize, self.sides.len());
                let from = [from.point.x, from.point.y];
                self.sides.push(Side {
                    from,
                    next,
                    prev,
                    twin: twin.unwrap_or(NONE),
                    face: face as u32,
                });
            }
            self.faces.push((base, 3));
        }
    }

    fn merge(&mut self, max_corners: u32) {
        self.order.clear();
        for (index, side) in self.sides.iter().enumerate() {
            // Each diagonal once.
            if side.twin != NONE && side.twin as usize > index {
                let thinner =
                    self.height(side.face).min(self.height(self.sides[side.twin as usize].face));
                self.order.push((thinner, index as u32));
            }
        }
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for at in 0..self.order.len() {
            self.remove(self.order[at].1, max_corners);
        }
    }

    /// Returns the squared least height of a triangle, in units.
    fn height(&self, face: u32) -> f64 {
        let [a, b, c] = [0, 1, 2].map(|k| self.sides[3 * face as usize + k].from);
        let length = |[ax, ay]: [i32; 2], [bx, by]: [i32; 2]| {
            let (x, y) = (f64::from(bx) - f64::from(ax), f64::from(by) - f64::from(ay));
            x * x + y * y
        };
        let area = cross(a, b, c) as f64;
        area * area / length(a, b).max(length(b, c)).max(length(c, a))
    }

    /// Removes a diagonal if the faces on both sides form a convex one with few enough corners.
    fn remove(&mut self, side: u32, max_corners: u32) {
        let sides = &self.sides;
        let get = |side: u32| sides[side as usize];
        let (one, two) = (get(side), get(get(side).twin));
        if one.face == two.face {
            return;
        }
        let mut corners = self.faces[one.face as usize].1 + self.faces[two.face as usize].1;
        // The ends of the diagonal: the sides before and after it on the rim of the union.
        for (side, twin) in [(one, two), (two, one)] {
            let (before, at, after) =
                (get(side.prev).from, side.from, get(get(twin.next).next).from);
            let turn = cross(before, at, after);
            if turn < 0 {
                return;
            }
            // A corner of each face is a corner of the union, unless it is straight there.
            let is_corner = |a, b, c| u32::from(cross(a, b, c) > 0);
            corners += u32::from(turn > 0);
            corners -= is_corner(before, at, twin.from) + is_corner(twin.from, at, after);
        }
        if corners > max_corners {
            return;
        }
        for (side, twin) in [(one, two), (two, one)] {
            self.sides[side.prev as usize].next = twin.next;
            self.sides[twin.next as usize].prev = side.prev;
        }
        self.faces[one.face as usize] = (one.next, corners);
        self.faces[two.face as usize].1 = 0;
        let mut at = two.next;
        loop {
            self.sides[at as usize].face = one.face;
            at = self.sides[at as usize].next;
            if at == two.next {
                break;
            }
        }
    }

    /// Appends the faces that are left.
    fn take(&self, shape: &Shape, pieces: &mut Pieces) {
        let scale = f64::from(shape.options.scale) / f64::from(UNIT);
        let least = f64::from(shape.options.min_width) / scale;
        let mut corners: Vec<[i32; 2]> = Vec::new();
        for &(first, count) in &self.faces {
            if count == 0 {
                continue;
            }
            corners.clear();
            let mut at = first;
            loop {
                let side = self.sides[at as usize];
                let (before, after) =
                    (self.sides[side.prev as usize].from, self.sides[side.next as usize].from);
                // Straight corners are none.
                if cross(before, side.from, after) > 0 {
                    corners.push(side.from);
                }
                at = side.next;
                if at == first {
                    break;
                }
            }
            let piece = shape.output(corners.iter().copied());
            if is_thin(&corners, least, shape.options.y_up) {
                pieces.left_out += 1;
                pieces.left_out_area += Mass::of([&piece[..]]).area;
            } else {
                pieces.pieces.push(piece);
            }
        }
    }
}

/// Tests whether an engine may refuse a convex polygon for its width. Engines first drop corners that are
/// near an earlier one, in the order of the output. Box2D drops those within 0.02 m, also of a corner
/// that it has dropped. 1% is for rounding.
fn is_thin(corners: &[[i32; 2]], least: f64, is_reversed: bool) -> bool {
    let least = least * 1.01;
    let corner = |i: usize| corners[if is_reversed { corners.len() - 1 - i } else { i }];
    let is_kept = |&i: &usize| {
        let [x, y] = corner(i).map(f64::from);
        (0..i).map(corner).all(|[earlier_x, earlier_y]| {
            let (dx, dy) = (x - f64::from(earlier_x), y - f64::from(earlier_y));
            dx * dx + dy * dy >= least * least
        })
    };
    let mut kept: Vec<[i32; 2]> = (0..corners.len()).filter(is_kept).map(corner).collect();
    if is_reversed {
        kept.reverse();
    }
    kept.len() < 3 || width(&kept) < least
}

/// Returns the least width of a convex polygon, in units: the least distance between two parallel
/// lines with the polygon between them.
fn width(corners: &[[i32; 2]]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let widths = corners.iter().zip(next).map(|(&a, &b)| {
        let farthest = corners.iter().map(|&c| cross(a, b, c)).max().unwrap_or(0);
        let (x, y) = (f64::from(b[0]) - f64::from(a[0]), f64::from(b[1]) - f64::from(a[1]));
        farthest as f64 / (x * x + y * y).sqrt()
    });
    widths.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::is_thin;

    #[test]
    fn corners_near_a_dropped_corner_are_dropped_too_as_box2d_does() {
        // The second corner is near the first, and the third near the second alone.
        let corners = [[0, 0], [15, -3], [30, 0], [15, 300]];
        assert!(is_thin(&corners, 20.0, false));
        assert!(!is_thin(&[corners[0], corners[2], corners[3]], 20.0, false));
    }
}
