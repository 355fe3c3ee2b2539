//! [`Graze`]: hit, graze or clear, from the distance of two masks.

use crate::per_pixel::{masks, pixels, random_mask, views};
use hitmask::{Graze, GrowShape, Mask};
use proptest::prelude::*;

/// Returns the answer from the distances of all pairs of pixels.
fn reference_graze(
    a: hitmask::MaskRef<'_>,
    b: hitmask::MaskRef<'_>,
    [x, y]: [i32; 2],
    radius: u32,
) -> Graze {
    let (ours, theirs) = (pixels(a), pixels(b));
    let squares = ours.iter().flat_map(|&(ax, ay)| {
        let square = move |v: i64| v * v;
        theirs.iter().map(move |&(bx, by)| {
            let dx = i64::from(bx) + i64::from(x) - i64::from(ax);
            let dy = i64::from(by) + i64::from(y) - i64::from(ay);
            square(dx) + square(dy)
        })
    });
    match squares.min() {
        Some(0) => Graze::Hit,
        Some(square) if square <= i64::from(radius) * i64::from(radius) => Graze::Graze,
        _ => Graze::Clear,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_graze_touches_the_grown_mask_but_not_the_mask(
        a in masks(), (w, h, seed) in (0_u32..24, 0_u32..24, any::<u64>()),
        (across, down) in (0.0_f32..1.0, 0.0_f32..1.0), radius in 0_u32..14,
    ) {
        let b = random_mask(w, h, seed);
        // Offsets reach 14 px past contact on each side. The largest radius is 13 px.
        let within = |t: f32, a: u32, b: u32| {
            let (low, high) = (-(b as i32) - 14, a as i32 + 14);
            low + (t * (high - low + 1) as f32) as i32
        };
        let at = [within(across, a.width(), w), within(down, a.height(), h)];
        for (a, b) in [(views(&a)[0], views(&b)[1]), (views(&a)[1], views(&b)[0])] {
            let expected = reference_graze(a, b, at, radius);
            prop_assert_eq!(a.graze(b, at, radius), expected, "{:?} {:?} {:?} {}", a, b, at, radius);
            prop_assert_eq!(b.graze(a, at.map(|v| -v), radius), expected, "swapped");
            let r = radius as i32;
            let near = a.grown(radius, GrowShape::Disc).unwrap().touches(b, at.map(|v| v + r));
            prop_assert_eq!(near, expected != Graze::Clear);
        }
    }
}

#[test]
fn distant_offsets_and_maximal_radii_are_answered() {
    let (dot, none) = ("#".parse::<Mask>().unwrap(), Mask::new(3, 3).unwrap());
    let all = u32::MAX;
    for (x, y) in [(i32::MIN, 0), (0, i32::MAX), (i32::MAX, 0), (0, i32::MIN)] {
        assert_eq!(dot.graze(&dot, [x, y], 5), Graze::Clear);
        assert_eq!(dot.graze(&dot, [x, y], all), Graze::Graze);
        assert_eq!(dot.graze(&none, [x, y], all), Graze::Clear);
    }
    // The distance is sqrt(2) * 2^31 px, and the radius is 2^32 - 1 px.
    assert_eq!(dot.graze(&dot, [i32::MIN, i32::MIN], all), Graze::Graze);
    assert_eq!(dot.graze(&dot, [0, 0], 0), Graze::Hit);
    assert_eq!(dot.graze(&dot, [1, 0], 0), Graze::Clear);
    assert_eq!(dot.graze(&dot, [1, 0], 1), Graze::Graze);
    assert_eq!(dot.graze(&Mask::new(0, 0).unwrap(), [0, 0], all), Graze::Clear);
}
