//! Masks of all kinds, and slow checks of outlines, pieces and cells: for the tests, and for the fuzz target.

use hitmask::{
    Connectivity, Fit, Mask, Mass, Rect, ShapeChain, ShapeGrid, ShapeOptions, ShapePolygon,
};
use hitmask_scenes::mask_of;
use std::collections::BTreeMap;

/// A corner in sixteenths of a pixel. Corners of shapes in pixels are whole numbers of them.
pub(crate) type Corner = [i64; 2];

pub(crate) fn units(corners: &[[f32; 2]]) -> Vec<Corner> {
    let unit = |v: f32| {
        let units = f64::from(v) * 16.0;
        assert_eq!(units.fract(), 0.0, "a sixteenth of a pixel");
        units as i64
    };
    corners.iter().map(|corner| corner.map(unit)).collect()
}

/// Returns the rings of polygons: borders and holes.
pub(crate) fn rings(polygons: &[ShapePolygon]) -> Vec<Vec<Corner>> {
    let rings = polygons.iter().flat_map(|p| std::iter::once(&p.border).chain(&p.holes));
    rings.map(|ring| units(ring)).collect()
}

pub(crate) fn edges(ring: &[Corner]) -> impl Iterator<Item = [Corner; 2]> + '_ {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(&a, &b)| [a, b])
}

pub(crate) fn cross(a: Corner, b: Corner, c: Corner) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

pub(crate) fn double_area(ring: &[Corner]) -> i64 {
    edges(ring).map(|[a, b]| a[0] * b[1] - a[1] * b[0]).sum()
}

fn on_segment(p: Corner, [a, b]: [Corner; 2]) -> bool {
    let within = |k: usize| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]);
    cross(a, b, p) == 0 && within(0) && within(1)
}

/// Tests whether two segments share a point.
fn meet(one: [Corner; 2], two: [Corner; 2]) -> bool {
    let side = |[a, b]: [Corner; 2], p| cross(a, b, p).signum();
    let crossing =
        side(one, two[0]) * side(one, two[1]) < 0 && side(two, one[0]) * side(two, one[1]) < 0;
    crossing || one.iter().any(|&p| on_segment(p, two)) || two.iter().any(|&p| on_segment(p, one))
}

/// Tests whether a point is inside a ring. Points on the ring count as outside or inside.
pub(crate) fn inside(ring: &[Corner], p: Corner) -> bool {
    let crossed = edges(ring)
        .filter(|&[a, b]| (a[1] > p[1]) != (b[1] > p[1]) && (cross(a, b, p) > 0) == (b[1] > a[1]));
    crossed.count() % 2 == 1
}

/// Asserts that polygons are simple and disjoint, that holes lie in their border, and that every
/// ring runs the right way round.
pub(crate) fn assert_valid(polygons: &[ShapePolygon], mask: &Mask) {
    let all = rings(polygons);
    for (i, ring) in all.iter().enumerate() {
        let edges_i: Vec<_> = edges(ring).collect();
        let n = edges_i.len();
        assert!(n >= 3, "{mask}");
        for (k, &[a, b]) in edges_i.iter().enumerate() {
            assert_ne!(a, b, "{mask}");
            // The next edge starts where this one ends, and shares no other point.
            let [_, c] = edges_i[(k + 1) % n];
            let back = (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]);
            assert!(cross(a, b, c) != 0 || back < 0, "folds back at {b:?}\n{mask}");
            for (l, &other) in edges_i.iter().enumerate().skip(k + 2) {
                if (l + 1) % n != k {
                    assert!(!meet([a, b], other), "{:?} meets {other:?}\n{mask}", [a, b]);
                }
            }
            for other in all[i + 1..].iter().flat_map(|ring| edges(ring)) {
                assert!(!meet([a, b], other), "{:?} meets {other:?}\n{mask}", [a, b]);
            }
        }
    }
    for polygon in polygons {
        let border = units(&polygon.border);
        assert!(double_area(&border) > 0, "{mask}");
        for hole in polygon.holes.iter().map(|hole| units(hole)) {
            assert!(double_area(&hole) < 0, "{mask}");
            assert!(inside(&border, hole[0]), "a hole outside its border\n{mask}");
        }
        // A border lies in no polygon but its own.
        for other in polygons.iter().filter(|other| **other != *polygon) {
            let in_hole = |hole: &Vec<[f32; 2]>| inside(&units(hole), border[0]);
            let is_in = inside(&units(&other.border), border[0]);
            assert!(!is_in || other.holes.iter().any(in_hole), "polygons overlap\n{mask}");
        }
    }
}

fn distance(p: [f64; 2], [a, b]: [[f64; 2]; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let t = (((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (a[0] + t * dx - p[0]).hypot(a[1] + t * dy - p[1])
}

fn pixels([a, b]: [Corner; 2]) -> [[f64; 2]; 2] {
    [a, b].map(|corner| corner.map(|v| v as f64 / 16.0))
}

/// Asserts that no point of `one` is farther than `limit` pixels from `other`, by samples 1/4 px apart.
fn assert_near(one: &[[Corner; 2]], other: &[[Corner; 2]], limit: f64, mask: &Mask) {
    let other: Vec<_> = other.iter().map(|&edge| pixels(edge)).collect();
    // The edge near a sample is most often near the next one too, so the search begins there.
    let mut near = 0;
    for [a, b] in one.iter().map(|&edge| pixels(edge)) {
        let steps = ((b[0] - a[0]).hypot(b[1] - a[1]) * 4.0).ceil();
        for i in 0..=steps as i32 {
            let t = f64::from(i) / steps;
            let p = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
            let mut edges = (near..other.len()).chain(0..near);
            let found = edges.find(|&k| distance(p, other[k]) <= limit);
            near = found.unwrap_or_else(|| panic!("{p:?} is farther than {limit} px\n{mask}"));
        }
    }
}

/// Returns the exact edges between set and clear pixels.
pub(crate) fn exact_edges(mask: &Mask) -> Vec<[Corner; 2]> {
    let polygons = mask.polygons(Connectivity::Eight);
    let corners = |p: &hitmask::Polygon| -> Vec<Corner> {
        p.points().iter().map(|p| [i64::from(p.x) * 16, i64::from(p.y) * 16]).collect()
    };
    polygons.iter().flat_map(|p| edges(&corners(p)).collect::<Vec<_>>()).collect()
}

/// Returns noise, rings in rings, pinches, diagonals, combs and blobs, for a kind from 0 to 6.
pub(crate) fn mask(kind: u32, w: u32, h: u32, seed: u64) -> Mask {
    let mut state = seed | 1;
    let mut random = |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    };
    let period = 2 + random(6) as i32;
    let share = 1 + random(9);
    let thick = 1 + random(3) as i32;
    let mut mask = mask_of(w, h, |x, y| {
        let (cx, cy) = (x - w as i32 / 2, y - h as i32 / 2);
        match kind {
            // Noise.
            0 => random(10) < share,
            // Square rings in rings.
            1 => cx.abs().max(cy.abs()) % period < thick,
            // Round rings in rings.
            2 => (f64::from(cx * cx + cy * cy).sqrt() as i32) % period < thick,
            // Squares that meet at corners.
            3 => (x / thick + y / thick) % 2 == 0,
            // Diagonals, some with gaps.
            4 => (x + y * (1 + (seed % 3) as i32)) % (period + 2) < thick && random(20) > 0,
            // Combs.
            5 => y % 17 < 2 || x % period == 0,
            // Noise on a solid block.
            _ => random(12) > 0,
        }
    });
    if kind == 6 && w > 6 {
        mask.fill_rect(Rect::new(w as i32 / 3, 0, w as i32 / 3 + thick, h as i32), false);
    }
    mask
}

/// Asserts everything that an outline promises.
pub(crate) fn assert_outline(mask: &Mask, options: ShapeOptions) {
    let shape = mask.shape(options).unwrap();
    let polygons = shape.polygons();
    assert_valid(&polygons, mask);
    assert_eq!(shape.left_out(), [0, 0]);
    let exact = exact_edges(mask);
    let all = rings(&polygons);
    let simple: Vec<_> = all.iter().flat_map(|ring| edges(ring)).collect();
    // 1e-9 px is rounding of f64 coordinates.
    let limit = f64::from(options.max_error) + 1e-9;
    assert_near(&exact, &simple, limit, mask);
    assert_near(&simple, &exact, limit, mask);
    let area = all.iter().map(|ring| double_area(ring)).sum::<i64>() as f64 / 512.0;
    let perimeter: f64 =
        exact.iter().map(|[a, b]| ((a[0] - b[0]) + (a[1] - b[1])).abs() as f64 / 16.0).sum();
    let off = area - mask.count() as f64;
    assert!(off.abs() <= limit * perimeter, "area {area}, {options:?}\n{mask}");
    assert!((shape.mass().area - area).abs() < 1e-6);
    if options.fit != Fit::Nearest {
        assert_one_sided(mask, &simple, options.fit);
        assert!(if options.fit == Fit::Outside { off >= 0.0 } else { off <= 0.0 });
    }
}

/// Asserts that no edge passes through a pixel that the fit forbids.
fn assert_one_sided(mask: &Mask, simple: &[[[i64; 2]; 2]], fit: Fit) {
    for &[a, b] in simple {
        let steps = (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        for i in 0..=steps {
            let at = [0, 1]
                .map(|k| (a[k] as f64 + (b[k] - a[k]) as f64 * i as f64 / steps as f64) / 16.0);
            // Points on the edges of pixels belong to both sides.
            if at.iter().all(|v| (v - v.round()).abs() > 1e-9) {
                let solid = mask.get(at[0].floor() as i32, at[1].floor() as i32);
                assert_eq!(solid, fit == Fit::Inside, "{at:?} on {:?}\n{mask}", [a, b]);
            }
        }
    }
}

/// Tests whether the interiors of two convex polygons share a point (separating axes).
fn overlap(one: &[Corner], two: &[Corner]) -> bool {
    let separates = |edge: [Corner; 2], other: &[Corner]| {
        other.iter().all(|&p| cross(edge[0], edge[1], p) <= 0)
    };
    !edges(one).any(|edge| separates(edge, two)) && !edges(two).any(|edge| separates(edge, one))
}

pub(crate) fn assert_pieces(mask: &Mask, options: ShapeOptions) {
    let shape = mask.shape(options).unwrap();
    let polygons = shape.polygons();
    let found = shape.pieces();
    let pieces: Vec<Vec<Corner>> = found.pieces.iter().map(|piece| units(piece)).collect();
    for piece in &pieces {
        assert!(piece.len() >= 3 && piece.len() as u32 <= options.max_corners, "{piece:?}");
        let n = piece.len();
        for i in 0..n {
            let turn = cross(piece[i], piece[(i + 1) % n], piece[(i + 2) % n]);
            assert!(turn > 0, "not convex: {piece:?}\n{mask}");
        }
        // The centroid of the corners is inside the shape, times the number of corners to stay exact.
        let n = n as i64;
        let sum = piece.iter().fold([0, 0], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
        let scaled =
            |ring: &[Corner]| -> Vec<Corner> { ring.iter().map(|p| p.map(|v| v * n)).collect() };
        let depth = rings(&polygons).iter().filter(|ring| inside(&scaled(ring), sum)).count();
        assert!(depth % 2 == 1, "a piece outside the shape: {piece:?}\n{mask}");
    }
    for (i, one) in pieces.iter().enumerate() {
        for two in &pieces[i + 1..] {
            assert!(!overlap(one, two), "{one:?} overlaps {two:?}\n{mask}");
        }
    }
    let area: i64 = pieces.iter().map(|piece| double_area(piece)).sum();
    let whole: i64 = rings(&polygons).iter().map(|ring| double_area(ring)).sum();
    let left_out = (found.left_out_area * 512.0).round() as i64;
    assert_eq!(area + left_out, whole, "the union is the shape\n{mask}");
    assert_eq!(found.left_out == 0, left_out == 0);
    if found.left_out == 0 {
        assert_same_mass(shape.mass(), &found.pieces);
    }
}

/// Asserts that the mass of pieces, added by the parallel axis theorem, is that of their shape.
fn assert_same_mass(shape: Mass, pieces: &[Vec<[f32; 2]>]) {
    let parts: Vec<Mass> = pieces.iter().map(|piece| Mass::of([&piece[..]])).collect();
    let area: f64 = parts.iter().map(|part| part.area).sum();
    let [x, y] = [0, 1]
        .map(|k| parts.iter().map(|p| p.area * p.centroid[k]).sum::<f64>() / area.max(1e-300));
    let inertia: f64 = parts
        .iter()
        .map(|p| p.inertia + p.area * ((p.centroid[0] - x).powi(2) + (p.centroid[1] - y).powi(2)))
        .sum();
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
    assert!(near(area, shape.area) && near(inertia, shape.inertia), "{shape:?}");
    assert!(
        pieces.is_empty() || near(x, shape.centroid[0]) && near(y, shape.centroid[1]),
        "{shape:?}"
    );
}

/// The spans of seams on a line, with their directions.
type Seams = BTreeMap<(usize, i64), Vec<(i64, i64, i64)>>;

pub(crate) type Cell = (Vec<Vec<Corner>>, Vec<Vec<[f32; 2]>>, Vec<ShapeChain>);

pub(crate) fn cells(grid: &ShapeGrid) -> Vec<Cell> {
    let cell = |id| {
        let cell = grid.cell(id).unwrap();
        (rings(&cell.shape().polygons()), cell.pieces().pieces.clone(), cell.chains())
    };
    (0..grid.len() as u32).map(cell).collect()
}

/// Asserts that cells are valid, lie in their squares, and fit: each edge on a border between two cells
/// is outline, or is met by the same edges of the other cell.
fn assert_fits(grid: &ShapeGrid, mask: &Mask, options: ShapeOptions) {
    let mut seams = Seams::new();
    let mut outline = Vec::new();
    for id in 0..grid.len() as u32 {
        let cell = grid.cell(id).unwrap();
        assert_valid(&cell.shape().polygons(), mask);
        let Rect { x0, y0, x1, y1 } = cell.rect();
        let [low, high] = [[x0, y0], [x1, y1]].map(|corner| corner.map(|v| i64::from(v) * 16));
        let mut lines: Vec<[Corner; 2]> = Vec::new();
        for chain in cell.chains() {
            let points = units(&chain.points);
            let closed = edges(&points);
            let open = points.windows(2).map(|pair| [pair[0], pair[1]]);
            match chain.ghosts {
                None => lines.extend(closed),
                Some(_) => lines.extend(open),
            }
        }
        outline.extend(lines.iter().copied());
        for [a, b] in rings(&cell.shape().polygons()).iter().flat_map(|ring| edges(ring)) {
            for k in 0..2 {
                assert!(low[k] <= a[k] && a[k] <= high[k], "outside its cell");
            }
            // What is no part of a chain is a seam.
            if !lines.contains(&[a, b]) {
                let k = usize::from(a[0] != b[0]);
                assert!(a[k] == b[k] && (a[k] == low[k] || a[k] == high[k]), "{a:?} {b:?}\n{mask}");
                let (from, to) = (a[1 - k], b[1 - k]);
                let way = (to - from).signum();
                seams.entry((k, a[k])).or_default().push((from.min(to), from.max(to), way));
            }
        }
    }
    // On each line, seams in one direction cover the same as those in the other.
    for (line, parts) in seams {
        let covered = |way: i64| {
            let mut parts: Vec<_> =
                parts.iter().filter(|part| part.2 == way).map(|p| (p.0, p.1)).collect();
            parts.sort_unstable();
            let mut joined: Vec<(i64, i64)> = Vec::new();
            for (from, to) in parts {
                match joined.last_mut() {
                    Some(last) if last.1 == from => last.1 = to,
                    _ => joined.push((from, to)),
                }
            }
            joined
        };
        assert_eq!(covered(1), covered(-1), "{line:?}\n{mask}");
    }
    // All chains together are the outline of the mask.
    let exact = exact_edges(mask);
    let limit = f64::from(options.max_error) + 1e-9;
    assert_near(&exact, &outline, limit, mask);
    assert_near(&outline, &exact, limit, mask);
    assert_chains_follow(grid);
}

/// Asserts that each open chain ends where another begins, and names its neighbours' points as ghosts.
fn assert_chains_follow(grid: &ShapeGrid) {
    let all: Vec<ShapeChain> =
        (0..grid.len() as u32).flat_map(|id| grid.cell(id).unwrap().chains()).collect();
    for chain in &all {
        let Some([before, after]) = chain.ghosts else { continue };
        let [first, .., last] = chain.points[..] else { panic!("a chain of one point") };
        let follows = all.iter().filter(|c| c.ghosts.is_some() && c.points[0] == last);
        assert_eq!(follows.map(|c| c.points[1]).collect::<Vec<_>>(), [after]);
        let precedes = all.iter().filter(|c| c.ghosts.is_some() && c.points.last() == Some(&first));
        assert_eq!(precedes.map(|c| c.points[c.points.len() - 2]).collect::<Vec<_>>(), [before]);
    }
}

/// Draws and erases a mask at places, and asserts after each edit that the grid is a new one's, and that
/// the cells that are reported are those that are different.
pub(crate) fn assert_edits(
    mut mask: Mask,
    other: &Mask,
    (side, options): (u32, ShapeOptions),
    edits: &[(i32, i32, bool)],
) {
    let mut grid = ShapeGrid::new(&mask, side, options).unwrap();
    assert_fits(&grid, &mask, options);
    for &(x, y, draw) in edits {
        if draw {
            mask.draw(other, [x, y]);
        } else {
            mask.erase(other, [x, y]);
        }
        let before = cells(&grid);
        let version = |grid: &ShapeGrid, id| grid.cell(id).unwrap().version();
        let versions: Vec<u32> = (0..grid.len() as u32).map(|id| version(&grid, id)).collect();
        let area = Rect::new(x, y, x + other.width() as i32, y + other.height() as i32);
        let changed = grid.update(&mask, area).unwrap();
        let after = cells(&grid);
        assert_eq!(after, cells(&ShapeGrid::new(&mask, side, options).unwrap()));
        for id in 0..grid.len() {
            let is_changed = changed.contains(&(id as u32));
            assert_eq!(is_changed, before[id] != after[id], "cell {id}");
            assert_eq!(version(&grid, id as u32), versions[id] + u32::from(is_changed));
        }
    }
    assert_fits(&grid, &mask, options);
}
