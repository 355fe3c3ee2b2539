//! Pieces are convex, do not overlap, and are the shape together.

use crate::check::{assert_pieces, assert_valid};
use crate::{config, masks};
use hitmask::{Fit, Mask, ShapeOptions};
use hitmask_scenes::all;
use proptest::prelude::*;

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
fn convex_pieces_have_area_centroid_and_inertia_of_their_shape() {
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
