//! Outlines are valid, and within their error.

use crate::check::assert_outline;
use crate::{config, masks};
use hitmask::{CallError, Fit, Mask, ShapeOptions};
use hitmask_scenes::{all, named, solid};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn outlines_are_valid_and_within_their_error(mask in masks(40), error in 0.1_f32..8.0, fit in 0..3) {
        let fit = [Fit::Nearest, Fit::Outside, Fit::Inside][fit as usize];
        assert_outline(&mask, ShapeOptions { max_error: error, fit, ..ShapeOptions::DEFAULT });
    }
}

#[test]
fn outlines_with_holes_are_valid_within_every_error() {
    // The checks compare all pairs of edges, so sprites of 120 px and more are left out.
    for picture in all().into_iter().filter(|picture| picture.width < 120) {
        for error in [0.1, 0.5, 1.0, 3.0, 40.0, 32_767.0] {
            for fit in [Fit::Nearest, Fit::Outside, Fit::Inside] {
                assert_outline(&picture.mask(), ShapeOptions { fit, ..error.into() });
            }
        }
    }
}

#[test]
fn thin_curved_islands_and_holes_are_not_turned_inside_out() {
    // Between their common ends, a chord for the inner side can pass beyond those for the outer side.
    let island = "
        ..#.
        ...#
        ..#.
        .#..
        #...
        .###
    ";
    let hole = "
        .###.
        #...#
        #.#.#
        #..#.
        .#..#
        .#.#.
        ..#..
    ";
    for (mask, error) in [(island, 4.0), (hole, 3.0)] {
        assert_outline(&mask.parse().unwrap(), error.into());
    }
}

#[test]
fn a_disc_and_a_diagonal_have_few_corners() {
    let corners = |name: &str| -> usize {
        let shape = named(name).mask().shape(1.0).unwrap();
        shape.polygons()[0].border.len()
    };
    // A disc of radius 31 within 1 px: in theory about pi / acos(1 - 1/31) = 12.3 corners.
    assert!((8..=18).contains(&corners("ring")), "{}", corners("ring"));
    // 48 pixels that meet only at corners become one thin polygon.
    assert!(corners("diagonal") <= 6, "{}", corners("diagonal"));
}

#[test]
fn pixels_that_meet_at_a_corner_are_joined_or_separated_by_fit() {
    let corner: Mask = "#.\n.#".parse().unwrap();
    let count = |fit| corner.shape(ShapeOptions { fit, ..0.5.into() }).unwrap().polygons().len();
    assert_eq!([Fit::Nearest, Fit::Outside, Fit::Inside].map(count), [1, 1, 2]);
}

#[test]
fn islands_and_holes_below_an_area_are_left_out_and_counted() {
    // An island of 1 px inside a hole, an island of 4 px, and a hole of 1 px.
    let mask: Mask = "
        #######..##
        #.....#..##
        #..#..#....
        #.....#####
        #######.###
        ....#######
    "
    .parse()
    .unwrap();
    let shape = |min_area| mask.shape(ShapeOptions { min_area, ..0.5.into() }).unwrap();
    let counts = |min_area| {
        let polygons = shape(min_area).polygons();
        let holes: usize = polygons.iter().map(|polygon| polygon.holes.len()).sum();
        (polygons.len(), holes, shape(min_area).left_out())
    };
    assert_eq!(counts(0), (3, 2, [0, 0]));
    assert_eq!(counts(2), (2, 1, [1, 1]));
    assert_eq!(counts(5), (1, 1, [2, 1]));
    assert_eq!(counts(16), (1, 0, [2, 2]));
    assert_eq!(counts(1000), (0, 0, [3, 2]));
}

#[test]
fn scale_origin_and_direction_of_y_apply_to_all_corners() {
    let mask = solid(4, 2);
    let options = ShapeOptions { scale: 0.5, y_up: true, origin: [1.0, 2.0], ..1.0.into() };
    let border = &mask.shape(options).unwrap().polygons()[0].border;
    let mut corners = border.clone();
    corners.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    assert_eq!(corners, [[-0.5, 0.0], [-0.5, 1.0], [1.5, 0.0], [1.5, 1.0]]);
    // Counterclockwise with y up: positive area.
    assert_eq!(hitmask::Mass::of([&border[..]]).area, 2.0);
}

#[test]
fn masks_without_pixels_have_no_polygons_and_one_pixel_has_a_square() {
    for (w, h) in [(0, 0), (0, 5), (5, 0), (70, 5)] {
        let shape = Mask::new(w, h).unwrap().shape(1.0).unwrap();
        assert_eq!(shape.polygons(), []);
        assert!(shape.pieces().pieces.is_empty());
        assert_eq!(shape.mass().area, 0.0);
    }
    let pixel = solid(1, 1);
    assert_eq!(pixel.shape(0.1).unwrap().mass().area, 1.0);
    assert!(pixel.shape(30_000.0).unwrap().pieces().pieces.len() == 1);
}

#[test]
fn options_out_of_range_are_refused_with_their_name_and_value() {
    let mask = solid(3, 3);
    let base = ShapeOptions::DEFAULT;
    let bad = [
        ("max_error", 0.0, ShapeOptions::from(0.0)),
        ("max_error", -1.0, (-1.0).into()),
        ("max_error", f32::NAN, f32::NAN.into()),
        ("max_error", f32::INFINITY, f32::INFINITY.into()),
        ("max_corners", 2.0, ShapeOptions { max_corners: 2, ..base }),
        ("min_width", -0.5, ShapeOptions { min_width: -0.5, ..base }),
        ("scale", 0.0, ShapeOptions { scale: 0.0, ..base }),
        ("origin y", f32::NAN, ShapeOptions { origin: [0.0, f32::NAN], ..base }),
    ];
    for (option, given, options) in bad {
        let error = mask.shape(options).unwrap_err();
        let CallError::Number { name, value, .. } = &error else { panic!("{error}") };
        assert!(
            *name == option && (*value == given || given.is_nan() && value.is_nan()),
            "{error}"
        );
        assert!(error.help().contains("such as"), "{}", error.help());
    }
}
