//! Growing, shrinking, discs and convolution.

use crate::per_pixel::{assert_same, masks, random_mask, views};
use crate::too_large;
use hitmask::{GrowShape, MAX_SIDE, Mask};
use hitmask_scenes::mask_of;
use proptest::prelude::*;

fn is_within(shape: GrowShape, dx: i32, dy: i32, radius: i32) -> bool {
    match shape {
        GrowShape::Disc => dx * dx + dy * dy <= radius * radius,
        GrowShape::Square => dx.abs() <= radius && dy.abs() <= radius,
    }
}

/// Tests whether `test` is true for any pixel within `radius` of (x, y).
fn any_near(
    (x, y): (i32, i32),
    radius: i32,
    shape: GrowShape,
    test: impl Fn(i32, i32) -> bool,
) -> bool {
    (-radius..=radius).any(|dy| {
        (-radius..=radius).any(|dx| is_within(shape, dx, dy, radius) && test(x + dx, y + dy))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn growing_and_shrinking_test_the_surroundings_of_each_pixel(mask in masks(), radius in 0_i32..8) {
        for view in views(&mask) {
            for shape in [GrowShape::Disc, GrowShape::Square] {
                let r = radius as u32;
                let grown = view.grown(r, shape).unwrap();
                let is_empty = view.width() == 0 || view.height() == 0;
                let frame = if is_empty { 0 } else { 2 * r };
                let (w, h) = (view.width() + frame, view.height() + frame);
                let expected = mask_of(w, h, |x, y| {
                    any_near((x - radius, y - radius), radius, shape, |x, y| view.get(x, y))
                });
                assert_same(&grown, &expected, &format!("grown by {r}, {shape:?}"));
                let expected = mask_of(view.width(), view.height(), |x, y| {
                    !any_near((x, y), radius, shape, |x, y| !view.get(x, y))
                });
                assert_same(&view.shrunk(r, shape), &expected, &format!("shrunk by {r}, {shape:?}"));
            }
        }
    }

    #[test]
    fn a_convolution_answers_touches_at_every_offset(a in masks(), b in masks()) {
        for (a, b) in [(views(&a)[0], views(&b)[1]), (views(&a)[1], views(&b)[0])] {
            let all = a.convolve(b).unwrap();
            if [a.width(), a.height(), b.width(), b.height()].contains(&0) {
                prop_assert_eq!((all.width(), all.height()), (0, 0));
                continue;
            }
            let (right, down) = (b.width() as i32 - 1, b.height() as i32 - 1);
            let expected = mask_of(a.width() + right as u32, a.height() + down as u32, |x, y| {
                a.touches(b, [x - right, y - down])
            });
            assert_same(&all, &expected, "convolve");
        }
    }
}

#[test]
fn radii_of_a_strip_and_more_grow_pixel_by_pixel() {
    // Radii around and above the 64 px of a strip widen rows by whole words.
    for (seed, radius) in [(1, 63), (2, 64), (3, 70), (4, 100)] {
        let mask = random_mask(40, 30, seed);
        for shape in [GrowShape::Disc, GrowShape::Square] {
            let expected = mask_of(40 + 2 * radius, 30 + 2 * radius, |x, y| {
                let r = radius as i32;
                let near = |px: i32, py: i32| is_within(shape, x - r - px, y - r - py, r);
                (0..30).any(|py| (0..40).any(|px| mask.get(px, py) && near(px, py)))
            });
            assert_same(
                &mask.grown(radius, shape).unwrap(),
                &expected,
                "grown by a strip and more",
            );
        }
    }
}

#[test]
fn a_disc_holds_the_pixels_within_the_radius() {
    for radius in [0, 1, 2, 3, 7, 31, 32, 33, 64] {
        let r = radius as i32;
        let expected = mask_of(2 * radius + 1, 2 * radius + 1, |x, y| {
            is_within(GrowShape::Disc, x - r, y - r, r)
        });
        assert_same(&Mask::disc(radius).unwrap(), &expected, "disc");
    }
}

#[test]
fn too_large_radii_are_errors_for_growing_and_clear_when_shrinking() {
    let mask = random_mask(9, 9, 1);
    let side = |r: u32| 9 + 2 * r;
    for radius in [MAX_SIDE / 2 + 1, MAX_SIDE] {
        let (width, height) = (side(radius), side(radius));
        let refused = Err(too_large(width, height));
        assert_eq!(mask.grown(radius, GrowShape::Disc), refused);
        assert_eq!(mask.grown(radius, GrowShape::Square), refused);
        let side = 2 * radius + 1;
        assert_eq!(Mask::disc(radius), Err(too_large(side, side)));
    }
    let overflowed = too_large(u32::MAX, u32::MAX);
    assert_eq!(mask.grown(u32::MAX, GrowShape::Disc), Err(overflowed.clone()));
    assert_eq!(Mask::disc(u32::MAX), Err(overflowed));
    for radius in [5, 9, 1 << 31, u32::MAX] {
        assert_same(
            &mask.shrunk(radius, GrowShape::Disc),
            &mask_of(9, 9, |_, _| false),
            "shrunk away",
        );
    }
    let (long, wide) = (Mask::new(MAX_SIDE, 1).unwrap(), Mask::new(2, 2).unwrap());
    let refused = too_large(MAX_SIDE + 1, 2);
    assert_eq!(long.convolve(&wide), Err(refused));
}
