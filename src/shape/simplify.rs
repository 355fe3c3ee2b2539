//! Rings with fewer corners, within a distance of the exact borders.
//!
//! ```text
//! for each chain between fixed corners:
//!   from a kept corner, take the farthest corner that a chord may end at      cone of directions
//! until no chord conflicts with another:
//!   split each chord in conflict at its farthest corner, and its parts anew
//! after either step, until each ring is proper:
//!   split all chords of a ring that is not
//! ```
//!
//! A **chord** joins two corners of a ring and replaces the **chain** between them. Each corner of the
//! chain is within the limit of the chord. The distance to a segment is convex, so the whole chain is
//! within the limit. Each perpendicular of the chord meets the chain, because the chain joins its ends.
//! So no point of the chord is farther than the limit from the chain.
//!
//! The directions that pass a corner within the limit form a cone. A chord lies in the cones of all
//! corners of its chain (Williams 1978, Sklansky and Gonzalez 1980). The test of a further corner
//! takes constant time.
//!
//! Two chords conflict if they share a point other than a common end. A chord also conflicts with a
//! ring whose first corner lies between the chord and its chain. Such a ring would leave its border
//! or enter another. Splitting ends at the exact rings, which do not conflict.
//!
//! A ring is **proper** if it has the orientation of its exact ring and at least 3 corners. Rings without
//! conflicts may lack the orientation: the two long sides of a thin curved ring can change places between
//! their common ends.
//!
//! Invariant: without conflicts, proper rings are simple, disjoint, and nested as the exact rings are.

use super::Fit;
use super::rings::UNIT;
use super::rings::{Corner, Rings};
use crate::broad::BoxTree;
use crate::geom::{Rect, cross};
use std::ops::Range;

/// Corners of the longest chain. It bounds the time of a chord in noise, where the chain stays near
/// one place and each end is compared with all corners.
const MAX_CHAIN: usize = 512;

/// A segment of a simplified ring.
#[derive(Clone, Copy, Debug)]
struct Chord {
    ring: u32,
    /// Indices of its corners within the ring. `to` may be the number of corners: the first again.
    from: u32,
    to: u32,
    /// Whether conflicts of this chord are unknown.
    is_new: bool,
}

/// The rings of a shape: those of [`Rings`] with fewer corners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outlines {
    pub corners: Vec<Place>,
    pub rings: Vec<Outline>,
}

/// A corner of an outline, in units, and whether the edge that starts there is a seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub at: [i32; 2],
    pub is_seam: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    /// Its corners in [`Outlines::corners`].
    pub corners: Range<usize>,
    /// Index of the outer border that this ring is a hole of, or its own index.
    pub border: usize,
}

impl Outlines {
    /// Returns the rings within `limit` of the exact ones. Both are in units; corners move by `offset`
    /// pixels at the end.
    pub(super) fn of(rings: &Rings, limit: f64, fit: Fit, offset: [i32; 2]) -> Self {
        let mut lines = Lines { rings, limit, fit, chords: Vec::new() };
        for ring in 0..rings.rings.len() {
            lines.add_ring(ring);
        }
        lines.settle();
        // The first corner of each chord stays. Chords are in order of rings and corners.
        let mut chords = lines.chords.iter().peekable();
        let mut outlines = Self { corners: Vec::with_capacity(chords.len()), rings: Vec::new() };
        for (index, ring) in rings.rings.iter().enumerate() {
            let first = outlines.corners.len();
            while let Some(chord) = chords.next_if(|chord| chord.ring as usize == index) {
                let Corner { at: [x, y], is_seam, .. } =
                    rings.corners[ring.corners.start + chord.from as usize];
                let at = [x + offset[0] * UNIT, y + offset[1] * UNIT];
                outlines.corners.push(Place { at, is_seam });
            }
            let corners = first..outlines.corners.len();
            outlines.rings.push(Outline { corners, border: ring.border });
        }
        outlines
    }

    /// Returns the corners of a ring.
    pub(super) fn ring(&self, ring: usize) -> &[Place] {
        &self.corners[self.rings[ring].corners.clone()]
    }
}

struct Lines<'a> {
    rings: &'a Rings,
    limit: f64,
    fit: Fit,
    chords: Vec<Chord>,
}

impl Lines<'_> {
    fn corners(&self, ring: usize) -> &[Corner] {
        &self.rings.corners[self.rings.rings[ring].corners.clone()]
    }

    /// Adds the chords of a ring, chain by chain.
    fn add_ring(&mut self, ring: usize) {
        let n = self.corners(ring).len();
        let first = self.chords.len();
        let mut from = 0;
        while from < n {
            let is_end = |&i: &usize| self.corners(ring)[i].is_fixed;
            let end = (from + 1..n).find(is_end).unwrap_or(n);
            self.add_chain(ring, from, end);
            from = end;
        }
        self.make_proper(first);
    }

    /// Splits the chords from index `first` on, all those of one ring, until the ring is proper. The exact
    /// ring is proper.
    fn make_proper(&mut self, first: usize) {
        while !self.is_proper(&self.chords[first..]) {
            for chord in self.chords.split_off(first) {
                self.split(chord);
            }
        }
    }

    /// Tests whether the chords of a ring make it proper. A triangle must also keep most of its area.
    fn is_proper(&self, chords: &[Chord]) -> bool {
        let ring = chords[0].ring as usize;
        let corners = self.corners(ring);
        let at = |chord: &Chord| corners[chord.from as usize].at;
        let next = chords.iter().cycle().skip(1);
        let area: i64 = chords.iter().zip(next).map(|(a, b)| cross([0, 0], at(a), at(b))).sum();
        let exact = self.rings.rings[ring].area * 2 * i64::from(UNIT * UNIT);
        // Small rings would all become triangles. One that loses a quarter of its area is refused.
        let is_kept = || chords.len() > 3 || 4 * area.abs() >= 3 * exact.abs();
        chords.len() > 2 && area.signum() == exact.signum() && is_kept()
    }

    /// Adds chords from corner `from` to corner `end`, each as long as the limit allows.
    fn add_chain(&mut self, ring: usize, mut from: usize, end: usize) {
        while from < end {
            let to = self.reach(ring, from, end);
            self.chords.push(Chord {
                ring: ring as u32,
                from: from as u32,
                to: to as u32,
                is_new: true,
            });
            from = to;
        }
    }

    /// Returns the last corner up to `end` to which a chord from corner `from` is allowed.
    fn reach(&self, ring: usize, from: usize, end: usize) -> usize {
        let corners = self.corners(ring);
        let n = corners.len();
        let start = corners[from].at;
        let square = self.limit * self.limit;
        let (mut best, mut cone) = (from + 1, Cone(None));
        // The greatest squared distance of the chain from the start.
        let mut far = squared(between(start, corners[from].exact));
        for to in from + 1..end.min(from + MAX_CHAIN) {
            let passed = between(start, corners[to].exact);
            if !cone.narrow(passed, square, self.fit) {
                break;
            }
            far = far.max(squared(passed));
            let next = to + 1;
            let way = between(start, corners[next % n].at);
            let length = squared(way);
            if length == 0 || !cone.contains(way) {
                continue;
            }
            // What lies farther from the start than the end does must be near the end.
            let is_near = length >= far || {
                let chain = &corners[from..next];
                let end = corners[next % n].at;
                chain.iter().map(|corner| corner.exact).all(|exact| {
                    squared(between(start, exact)) <= length
                        || squared(between(end, exact)) as f64 <= square
                })
            };
            if is_near {
                best = next;
            }
        }
        best
    }

    /// Adds both parts of a chord, divided at the corner farthest from it. A chord without a corner
    /// between stays.
    fn split(&mut self, chord: Chord) {
        let (ring, from, to) = (chord.ring as usize, chord.from as usize, chord.to as usize);
        let corners = self.corners(ring);
        let (a, b) = (corners[from].at, corners[to % corners.len()].at);
        let middle = (from + 1..to).max_by(|&i, &j| {
            let distance = |i: usize| distance_squared(corners[i].at, a, b);
            distance(i).total_cmp(&distance(j)).then(j.cmp(&i))
        });
        match middle {
            Some(middle) => {
                self.add_chain(ring, from, middle);
                self.add_chain(ring, middle, to);
            }
            None => self.chords.push(chord),
        }
    }

    /// Splits chords until none conflicts. Keeps rings proper.
    fn settle(&mut self) {
        let mut tree = BoxTree::new();
        let mut boxes = Vec::new();
        let mut bad = Vec::new();
        loop {
            boxes.clear();
            boxes.extend(self.chords.iter().map(|&chord| self.bounds(chord)));
            bad.clear();
            bad.resize(self.chords.len(), false);
            let mut any = false;
            let mut test = |a: usize, b: usize| {
                let (one, two) = (self.chords[a], self.chords[b]);
                if (one.is_new || two.is_new) && self.conflict([one, two], [boxes[a], boxes[b]]) {
                    (bad[a], bad[b], any) = (true, true, true);
                }
            };
            if boxes.len() <= 64 {
                for a in 0..boxes.len() {
                    for b in a + 1..boxes.len() {
                        if boxes[a].intersection(boxes[b]).is_some() {
                            test(a, b);
                        }
                    }
                }
            } else {
                tree.pack(&boxes);
                tree.each_pair(|pairs| {
                    for &[a, b] in pairs {
                        test(a as usize, b as usize);
                    }
                });
            }
            if !any {
                return;
            }
            let chords = std::mem::take(&mut self.chords);
            let mut bad = bad.iter();
            for ring in chords.chunk_by(|a, b| a.ring == b.ring) {
                let first = self.chords.len();
                for (&chord, &bad) in ring.iter().zip(&mut bad) {
                    let chord = Chord { is_new: false, ..chord };
                    if bad {
                        self.split(chord);
                    } else {
                        self.chords.push(chord);
                    }
                }
                self.make_proper(first);
            }
            if self.chords.len() == chords.len() {
                return;
            }
        }
    }

    /// Returns the box of a chord and its chain, in units, both ends included.
    fn bounds(&self, chord: Chord) -> Rect {
        let corners = self.corners(chord.ring as usize);
        let first = corners[chord.from as usize].at;
        let mut rect = Rect::new(first[0], first[1], first[0], first[1]);
        for i in chord.from as usize + 1..=chord.to as usize {
            let [x, y] = corners[i % corners.len()].at;
            rect = Rect::new(rect.x0.min(x), rect.y0.min(y), rect.x1.max(x), rect.y1.max(y));
        }
        Rect { x1: rect.x1 + 1, y1: rect.y1 + 1, ..rect }
    }

    fn ends(&self, chord: Chord) -> [[i32; 2]; 2] {
        let corners = self.corners(chord.ring as usize);
        [corners[chord.from as usize].at, corners[chord.to as usize % corners.len()].at]
    }

    fn conflict(&self, [one, two]: [Chord; 2], boxes: [Rect; 2]) -> bool {
        let ([a, b], [c, d]) = (self.ends(one), self.ends(two));
        if one.ring == two.ring {
            let n = self.corners(one.ring as usize).len() as u32;
            let follows = |one: Chord, two: Chord| one.to % n == two.from;
            return match (follows(one, two), follows(two, one)) {
                (false, false) => segments_meet([a, b], [c, d]),
                (true, false) => folds_back(a, b, d),
                (false, true) => folds_back(c, d, b),
                // A ring of two chords: it is split before.
                (true, true) => true,
            };
        }
        segments_meet([a, b], [c, d])
            || (two.from == 0 && boxes[0].contains(c) && self.is_cut_off(one, c))
            || (one.from == 0 && boxes[1].contains(a) && self.is_cut_off(two, a))
    }

    /// Tests whether a point lies between a chord and its chain.
    fn is_cut_off(&self, chord: Chord, [px, py]: [i32; 2]) -> bool {
        let corners = self.corners(chord.ring as usize);
        let at = |i: usize| corners[i % corners.len()].at;
        let chain = chord.from as usize..chord.to as usize;
        let edges = chain.map(|i| [at(i), at(i + 1)]);
        let edges = edges.chain([[at(chord.to as usize), at(chord.from as usize)]]);
        // Counts the edges that a ray to the right crosses.
        let crossed = edges.filter(|&[a, b]| {
            let ([_, ay], [_, by]) = (a, b);
            (ay > py) != (by > py) && {
                let side = cross(a, b, [px, py]);
                if by > ay { side > 0 } else { side < 0 }
            }
        });
        crossed.count() % 2 == 1
    }
}

/// The directions from a corner that pass each of some corners within the limit: the borders of a cone,
/// counterclockwise and clockwise on screen. `None` is all directions.
struct Cone(Option<[[f64; 2]; 2]>);

impl Cone {
    fn contains(&self, way: [i64; 2]) -> bool {
        let way = [way[0] as f64, way[1] as f64];
        self.0.is_none_or(|borders| inside(borders, way))
    }

    /// Leaves the directions that pass the corner at `to` within the limit, on the side that `fit`
    /// allows: set pixels are on the right. Returns false if no direction is left.
    fn narrow(&mut self, to: [i64; 2], square: f64, fit: Fit) -> bool {
        let [x, y] = [to[0] as f64, to[1] as f64];
        let rest = x * x + y * y - square;
        // The tangents from the start to the circle around the corner.
        let tangents = (rest > 0.0).then(|| {
            let (adjacent, opposite) = (rest.sqrt(), square.sqrt());
            [
                [x * adjacent + y * opposite, y * adjacent - x * opposite],
                [x * adjacent - y * opposite, y * adjacent + x * opposite],
            ]
        });
        let passed = to != [0, 0];
        let new = match (fit, tangents) {
            (Fit::Nearest, Some(tangents)) => tangents,
            (Fit::Outside, Some([before, _])) => [before, [x, y]],
            (Fit::Inside, Some([_, after])) => [[x, y], after],
            (Fit::Outside, None) if passed => [[-x, -y], [x, y]],
            (Fit::Inside, None) if passed => [[x, y], [-x, -y]],
            (_, None) => return true,
        };
        let Some(old) = self.0 else {
            self.0 = Some(new);
            return true;
        };
        let pick = |i: usize| {
            if inside(old, new[i]) {
                Some(new[i])
            } else if inside(new, old[i]) {
                Some(old[i])
            } else {
                None
            }
        };
        // Opposite half-planes share a line, which is no cone.
        let [[ax, ay], [bx, by]] = [old[0], new[0]];
        let are_opposite =
            is_half(old) && is_half(new) && ax * by == ay * bx && ax * bx + ay * by < 0.0;
        match (pick(0), pick(1)) {
            (Some(before), Some(after)) if !are_opposite => self.0 = Some([before, after]),
            _ => return false,
        }
        true
    }
}

/// Tests whether a cone is half a turn.
fn is_half([before, after]: [[f64; 2]; 2]) -> bool {
    before == after.map(|v| -v)
}

/// Tests whether a direction is in a cone of at most half a turn, which may be a single direction.
fn inside([before, after]: [[f64; 2]; 2], [x, y]: [f64; 2]) -> bool {
    let (left, right) = (before[0] * y - before[1] * x, x * after[1] - y * after[0]);
    let is_along = |[bx, by]: [f64; 2]| bx * x + by * y > 0.0;
    left >= 0.0 && right >= 0.0 && (left + right > 0.0 || is_along(before) || is_along(after))
}

fn between(from: [i32; 2], to: [i32; 2]) -> [i64; 2] {
    [i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1])]
}

fn dot(a: [i64; 2], b: [i64; 2]) -> i64 {
    a[0] * b[0] + a[1] * b[1]
}

fn squared(v: [i64; 2]) -> i64 {
    dot(v, v)
}

/// Returns the squared distance of a point from a segment.
fn distance_squared(p: [i32; 2], a: [i32; 2], b: [i32; 2]) -> f64 {
    let (ab, ap, bp) = (between(a, b), between(a, p), between(b, p));
    if dot(ap, ab) <= 0 {
        squared(ap) as f64
    } else if dot(bp, ab) >= 0 {
        squared(bp) as f64
    } else {
        let cross = cross(a, b, p) as f64;
        cross * cross / squared(ab) as f64
    }
}

fn folds_back(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> bool {
    cross(a, b, c) == 0 && dot(between(b, a), between(b, c)) > 0
}

/// Tests whether two segments share a point.
fn segments_meet([a, b]: [[i32; 2]; 2], [c, d]: [[i32; 2]; 2]) -> bool {
    let side = |a, b, p| cross(a, b, p).signum();
    let (c_side, d_side) = (side(a, b, c), side(a, b, d));
    let (a_side, b_side) = (side(c, d, a), side(c, d, b));
    if c_side * d_side < 0 && a_side * b_side < 0 {
        return true;
    }
    let within = |p: [i32; 2], a, b, side: i64| side == 0 && dot(between(p, a), between(p, b)) <= 0;
    within(c, a, b, c_side)
        || within(d, a, b, d_side)
        || within(a, c, d, a_side)
        || within(b, c, d, b_side)
}

/// The limit of a shape in units, and the greatest move at a pinch that it allows.
pub(super) fn limits(max_error: f32) -> (f64, i32) {
    let limit = f64::from(max_error) * f64::from(UNIT);
    let gap = (limit / std::f64::consts::SQRT_2).floor().min(f64::from(UNIT / 4));
    (limit, gap as i32)
}
