//! Pieces are convex, do not overlap, and are the shape together.

use crate::check::{
    Corner, assert_valid, config, cross, double_area, edges, inside, masks, rings, units,
};
use hitmask::{Fit, Mask, Mass, ShapeOptions};
use hitmask_scenes::all;
use proptest::prelude::*;

/// Tests whether the interiors of two convex polygons share a point (separating axes).
fn overlap(one: &[Corner], two: &[Corner]) -> bool {
    let separates = |edge: [Corner; 2], other: &[Corner]| {
        other.iter().all(|&p| cross(edge[0], edge[1], p) <= 0)
    };
    !edges(one).any(|edge| separates(edge, two)) && !edges(two).any(|edge| separates(edge, one))
}

fn assert_pieces(mask: &Mask, options: ShapeOptions) {
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

proptest! {
    #![proptest_config(config())]

    #[test]
    fn pieces_are_the_shape(
        mask in masks(40), error in 0.1_f32..8.0, fit in 0..3, max_corners in 3_u32..12, min_width in 0.0_f32..1.0,
    ) {
        let fit = [Fit::Nearest, Fit::Outside, Fit::Inside][fit as usize];
        let min_width = if min_width < 0.5 { 0.0 } else { min_width };
        let options = ShapeOptions { max_error: error, fit, max_corners, min_width, ..ShapeOptions::DEFAULT };
        assert_pieces(&mask, options);
    }
}

#[test]
fn p2_convex_pieces_have_area_centroid_and_inertia_of_their_shape() {
    for picture in all().into_iter().filter(|picture| picture.width < 120) {
        for error in [0.5, 1.0, 2.0, 8.0] {
            let options = ShapeOptions { min_width: 0.0, ..error.into() };
            assert_pieces(&picture.mask(), options);
            assert_valid(&picture.mask().shape(options).unwrap().polygons(), &picture.mask());
        }
    }
}

#[test]
fn thin_pieces_are_left_out_and_counted() {
    // A triangle of 40 x 1 px ends in a point, but no piece of a wall is thin.
    let mut wedge = Mask::new(200, 3).unwrap();
    wedge.fill_rect(hitmask::Rect::new(0, 2, 200, 3), true);
    wedge.fill_rect(hitmask::Rect::new(0, 0, 20, 2), true);
    let at = |min_width| wedge.shape(ShapeOptions { min_width, ..1.0.into() }).unwrap().pieces();
    assert_eq!(at(0.0).left_out, 0);
    let wide = at(10.0);
    assert!(wide.pieces.is_empty() && wide.left_out > 0);
    let whole = wedge.shape(1.0).unwrap().mass().area;
    assert!((wide.left_out_area - whole).abs() < 1e-9);
}
