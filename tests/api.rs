//! The plain types of the public API: threads, conversions, geometry, angles and scales.

use hitmask::{
    Affine, Angle, Atlas, AtlasBuilder, Batch, BoxTree, BuildError, CallError, Collider,
    ColliderId, FileError, Line, Mask, MaskId, MaskRef, Pair, Placement, Point, PosedRef, Raster,
    Rect, ScalePolicy, Snap, SpriteId, World, Zone,
};
use proptest::prelude::*;
use std::f32::consts::{PI, TAU};

const fn assert_send_and_sync<T: Send + Sync>() {}

/// Compiles only if each type may be sent to, and shared with, other threads.
const _: () = {
    assert_send_and_sync::<Atlas>();
    assert_send_and_sync::<AtlasBuilder>();
    assert_send_and_sync::<Batch<'_>>();
    assert_send_and_sync::<BoxTree>();
    assert_send_and_sync::<Mask>();
    assert_send_and_sync::<MaskRef<'_>>();
    assert_send_and_sync::<PosedRef<'_>>();
    assert_send_and_sync::<Raster>();
    assert_send_and_sync::<World>();
    assert_send_and_sync::<Zone>();
    assert_send_and_sync::<(FileError, BuildError, CallError)>();
};

fn ball() -> Mask {
    ".##.\n####\n####\n.##.".parse().unwrap()
}

#[test]
fn points_and_positions_of_glam_and_mint_are_taken_as_they_are() {
    let ball = ball();
    assert!(ball.touches(&ball, glam::IVec2::new(2, 1)));
    assert!(ball.touches(&ball, mint::Vector2 { x: 2, y: 1 }));
    assert!(ball.touches(&ball, Point::new(2, 1)) && ball.touches(&ball, (2, 1)));
    let out = ball.push_out(&ball, [3, 1]).unwrap();
    assert_eq!(glam::IVec2::from(<[i32; 2]>::from(out)), glam::IVec2::new(0, -1));

    let sprite = Collider::new(SpriteId::new(0));
    let expected = sprite.at([1.5, 2.0]);
    assert_eq!(sprite.at(glam::Vec2::new(1.5, 2.0)), expected);
    assert_eq!(sprite.at(mint::Point2 { x: 1.5, y: 2.0 }), expected);
    assert_eq!(Affine::translation(glam::Vec2::new(1.5, 2.0)), Affine::translation([1.5, 2.0]));
}

#[test]
fn a_positive_angle_turns_clockwise_on_screen() {
    let [x, y] = Affine::rotation(std::f32::consts::FRAC_PI_2).apply([1.0, 0.0]);
    assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6, "right maps to down");
}

#[test]
fn the_inverse_undoes_the_transform_and_a_singular_one_has_none() {
    let t = Affine::translation([3.0, 4.0]) * Affine::rotation(0.7) * Affine::scale([2.0, -0.5]);
    let [x, y] = (t.inverse().unwrap() * t).apply([5.0, 6.0]);
    assert!((x - 5.0).abs() < 1e-5 && (y - 6.0).abs() < 1e-5);
    // Each level has its own pivot, rotation and scale.
    let nested = Affine::placed([100.0, 0.0], [5.0, 5.0], PI / 2.0, 2.0)
        * Affine::placed([5.0, 5.0], [0.0, 0.0], PI, 0.5);
    let parts = nested.similarity(0.001).unwrap();
    assert!((parts.scale - 1.0).abs() < 1e-6 && (parts.angle + PI / 2.0).abs() < 1e-5);
    assert_eq!(parts.position, [100.0, 0.0]);
    assert_eq!(Affine::scale([0.0, 1.0]).inverse(), None);
    assert_eq!(Affine::translation([f32::NAN, 0.0]).inverse(), None);
}

#[test]
fn a_similarity_splits_into_the_parts_it_was_made_from() {
    for (angle, scale, flip) in
        [(0.0, 1.0, false), (2.5, 0.3, true), (-3.0, 7.0, false), (1.5, 1.0, true)]
    {
        let mirror = if flip { -1.0 } else { 1.0 };
        let t = Affine::translation([3.5, -4.0])
            * Affine::rotation(angle)
            * Affine::scale([scale * mirror, scale]);
        let parts = t.similarity(1e-6).unwrap();
        assert_eq!((parts.flip.x, parts.position), (flip, [3.5, -4.0]));
        assert!((parts.angle - angle).abs() < 1e-5 && (parts.scale - scale).abs() < 1e-5);
        // A half turn is the same as mirroring both axes.
        let other = t * Affine::scale([-1.0, -1.0]);
        assert!(other.similarity(1e-6).is_some_and(|o| o.flip.x == flip));
    }
}

#[test]
fn stretched_slanted_singular_or_non_finite_transforms_are_none() {
    let slant = Affine { c: 0.5, ..Affine::IDENTITY };
    for none in [
        slant,
        Affine::scale([1.0, 1.1]),
        Affine::scale([0.0, 0.0]),
        Affine::scale([1.0, 0.0]),
        Affine::scale([f32::NAN, 1.0]),
        Affine::translation([f32::INFINITY, 0.0]),
    ] {
        assert_eq!(none.similarity(0.001), None, "{none:?}");
    }
    assert!(Affine::scale([1.0, 1.1]).similarity(0.2).is_some(), "close enough");
}

#[test]
fn rectangles_that_share_an_edge_do_not_intersect() {
    let a = Rect::new(0, 0, 4, 4);
    for b in [Rect::new(4, 0, 8, 4), Rect::new(0, 4, 4, 8), Rect::new(-4, -4, 0, 0)] {
        assert_eq!(a.intersection(b), None);
        assert_eq!(b.intersection(a), None);
    }
}

#[test]
fn sizes_at_the_ends_of_the_range_do_not_overflow() {
    let all = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
    assert_eq!((all.width(), all.height()), (u32::MAX, u32::MAX));
    assert_eq!(all.area(), u64::from(u32::MAX) * u64::from(u32::MAX));
    assert_eq!(Rect::new(5, 5, 3, 9).width(), 0);
    assert_eq!(all.translated([10, -10]).x1, i32::MAX);
}

#[test]
fn positions_snap_to_the_floor_of_p_plus_a_half_without_rounding_the_sum() {
    for (p, pixel) in [
        (0.0, 0),
        (0.499_999_97, 0),
        (0.5, 1),
        (-0.5, 0),
        (-0.500_000_06, -1),
        (1.5, 2),
        (-1.5, -1),
        (-1e-40, 0),
        (8_388_607.5, 8_388_608),
        (16_777_217.0, 16_777_216),
        (1e9, 1_000_000_000),
        (-1e9, -1_000_000_000),
    ] {
        let snapped = Snap::Lattice.offset([0.0; 2], [p, -0.0]);
        assert_eq!(snapped, Some(Point::new(pixel, 0)), "{p}");
    }
}

#[test]
fn whole_positions_snap_alike_under_both_rules_and_far_ones_fit() {
    for (from, to) in [([3.0, -4.0], [-7.0, 9.0]), ([1e9, 1e9], [-1e9, -1e9])] {
        let lattice = Snap::Lattice.offset(from, to);
        assert_eq!(lattice, Snap::Relative.offset(from, to));
        assert_eq!(
            lattice.map(|p| [p.x as f32, p.y as f32]),
            Some([to[0] - from[0], to[1] - from[1]])
        );
    }
    for beyond in [f32::NAN, f32::INFINITY, -f32::INFINITY, 1.000_001e9, -2e9, f32::MAX] {
        for snap in [Snap::Lattice, Snap::Relative] {
            assert_eq!(snap.offset([0.0, beyond], [0.0; 2]), None);
            assert_eq!(snap.offset([0.0; 2], [beyond, 0.0]), None);
        }
    }
}

#[test]
fn a_relative_snap_is_off_by_half_a_pixel_at_most() {
    let mut apart = [0.0_f64; 2];
    for i in 0..4000_u32 {
        let [from, to] = [i * 37 % 1000, i * 91 % 1777].map(|n| n as f32 / 64.0);
        let truth = f64::from(to) - f64::from(from);
        for (most, snap) in apart.iter_mut().zip([Snap::Lattice, Snap::Relative]) {
            let offset = snap.offset([from, 0.0], [to, 0.0]).unwrap();
            *most = most.max((f64::from(offset.x) - truth).abs());
        }
    }
    assert!(apart[0] > 0.9 && apart[1] == 0.5, "{apart:?}");
}

#[test]
fn a_line_holds_the_pixels_of_its_path() {
    for to in [[9.0, 4.5], [-3.0, 8.0], [0.0, 0.0], [-7.0, -7.0], [5.0, 0.0]] {
        let line = Line::new([0.5, 0.5], to).unwrap();
        let pixels: Vec<Point> = line.pixels().collect();
        for y in -10..10 {
            for x in -10..10 {
                let expected = pixels.contains(&Point::new(x, y));
                assert_eq!(Zone::line(line).contains([x, y]), expected, "{to:?} {x} {y}");
            }
        }
    }
}

#[test]
fn invalid_zones_and_lines_are_refused() {
    for bad in [f32::NAN, f32::INFINITY, 2e10] {
        assert!(Zone::point([bad, 0.0]).is_err() && Zone::circle([0.0, bad], 1.0).is_err());
        assert!(Line::new([0.0, bad], [0.0, 0.0]).is_err());
    }
    for bad in [f32::NAN, f32::INFINITY, -1.0, -f32::MIN_POSITIVE] {
        assert!(matches!(Zone::circle([0.0, 0.0], bad), Err(CallError::Number { .. })));
        assert!(matches!(Line::ray([0.0, 0.0], [1.0, 0.0], bad), Err(CallError::Number { .. })));
    }
    for bad in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 0.0]] {
        let ray = Line::ray([0.0, 0.0], bad, 9.0);
        assert!(matches!(ray, Err(CallError::Direction(_))), "{bad:?}");
    }
    let (far, near) = ([-2e9, 0.0], [1e8, 4e8]);
    assert!(Line::new(far, [2e9, 4e8]).unwrap().bounds().is_empty(), "too long for mask pixels");
    let bounds = Rect::new(-2_000_000_000, 0, 100_000_001, 400_000_001);
    assert_eq!(Line::new(far, near).unwrap().bounds(), bounds);
    // A very large radius is valid.
    let all = Zone::circle([0.0, 0.0], f32::MAX).unwrap();
    assert!(all.contains([i32::MIN, 5]) && all.contains([1_999_999_999, -7]));
    assert!(Zone::point([2e9, -2e9]).unwrap().contains([2_000_000_000, -2_000_000_000]));
}

#[test]
fn the_nearest_step_is_taken_and_halves_go_up() {
    for k in 0..64_u16 {
        let exact = f32::from(k) * TAU / 64.0;
        for turns in [-3.0, 0.0, 5.0] {
            let a = exact + turns * TAU;
            assert_eq!(Angle::from(a).step(64), Some(u32::from(k)), "{a}");
        }
        assert_eq!(Angle::turn(k * 1024).step(64), Some(u32::from(k)));
        assert_eq!(Angle::turn(k * 1024 + 511).step(64), Some(u32::from(k)));
        assert_eq!(Angle::turn(k * 1024 + 512).step(64), Some((u32::from(k) + 1) % 64));
    }
    assert_eq!(Angle::from(1.0).step(1), Some(0));
}

#[test]
fn huge_angles_have_a_step_and_non_finite_ones_have_none() {
    for a in [f32::MAX, f32::MIN, 1e9, -1e20] {
        assert!(Angle::from(a).step(65_536).unwrap() < 65_536);
    }
    for a in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(Angle::from(a).step(64), None);
    }
    assert_eq!(Angle::turn(1).step(0), None);
    // Step counts beyond 2^31 take the f64 path.
    for n in [1 << 31, 3_000_000_000, u32::MAX] {
        let truth = (f64::from(n) / std::f64::consts::TAU + 0.5).floor() as u32;
        assert_eq!(Angle::from(1.0).step(n), Some(truth), "{n}");
        assert_eq!(Angle::from(-0.0).step(n), Some(0));
    }
}

#[test]
fn the_factor_limits_both_larger_and_smaller_scales() {
    let policy = ScalePolicy::Within(1.25);
    for (scale, baked, accepted) in [
        (1.25, 1.0, true),
        (1.25_f32.next_up(), 1.0, false),
        (0.8_f32.next_up(), 1.0, true),
        (0.79, 1.0, false),
        (2.5, 2.0, true),
        (1.6, 2.0, true),
        (f32::MAX, 64.0, false),
        (f32::from_bits(1), 1.0, false),
    ] {
        assert_eq!(policy.accepts(scale, baked), accepted, "{scale} {baked}");
    }
    assert!(ScalePolicy::Nearest.accepts(f32::MAX, f32::from_bits(1)));
    assert!(ScalePolicy::Nearest.accepts(f32::from_bits(1), f32::MAX));
    assert!(ScalePolicy::Exact.accepts(0.3, 0.3) && !ScalePolicy::Exact.accepts(0.3, 0.29));
}

#[test]
fn the_layout_of_a_placement_has_no_hidden_fields() {
    assert_eq!((size_of::<Placement>(), std::mem::offset_of!(Placement, angle)), (12, 8));
}

/// Splits `p` into units of 2^-100 and, where it is smaller, of 2^-149. Exact for an f32 up to
/// 2^20 that is above 2^-70 or below 2^-100.
fn units(p: f32) -> [i128; 2] {
    let size = |unit: i32| (f64::from(p) * 2_f64.powi(unit)) as i128;
    if p.abs() < 1e-30 { [0, size(149)] } else { [size(100), 0] }
}

#[test]
fn a_difference_of_positions_is_snapped_without_rounding() {
    let near = [0.0, -0.0, 0.5, 0.25, 1.5, 0.75, 1e-14, f32::from_bits(1), 1e-40, 0.499_999_97];
    let near = near.into_iter().flat_map(|p: f32| [p, p.next_up(), p.next_down()]);
    let near: Vec<f32> = near.flat_map(|p| [p, -p]).collect();
    for (&a, &b) in near.iter().flat_map(|a| near.iter().map(move |b| (a, b))) {
        let [[a_high, a_low], [b_high, b_low]] = [a, b].map(units);
        // Add half a pixel, then take the floor.
        let (high, low) = (a_high - b_high + (1 << 99), a_low - b_low);
        let below = i128::from(high % (1 << 100) == 0 && low < 0);
        let truth = high.div_euclid(1 << 100) - below;
        let offset = Snap::Relative.offset([b, 0.0], [a, 0.0]).unwrap();
        assert_eq!(i128::from(offset.x), truth, "{a:e} - {b:e}");
    }
}

/// Returns the id of a collider that was inserted in a slot freed `generation` times before.
fn id(index: u32, generation: u32) -> ColliderId {
    ColliderId::from_bits(u64::from(generation + 1) << 32 | u64::from(index)).unwrap()
}

#[test]
fn bits_of_ids_are_a_bijection_that_leaves_out_revision_0() {
    proptest!(|(index in 0..1_u32 << 31, generation in 0..u32::MAX, bits: u64)| {
        let id = id(index, generation);
        prop_assert_eq!(id.to_bits(), u64::from(generation + 1) << 32 | u64::from(index));
        prop_assert_eq!(MaskId::from_bits(bits).map(MaskId::to_bits).unwrap_or(bits), bits);
        prop_assert_eq!(ColliderId::from_bits(index.into()), None);
        // No number is an id of a collider and of a mask.
        let is_mask = MaskId::from_bits(bits).is_some();
        prop_assert!(!(is_mask && ColliderId::from_bits(bits).is_some()));
        prop_assert_eq!(MaskId::from_bits(id.to_bits()), None);
    });
    let ids = [(1, 0), (1, 7), (2, 0)].map(|(index, generation)| id(index, generation));
    assert!(ids.is_sorted());
    assert_eq!(format!("{:?}", ids[1]), "ColliderId { index: 1, generation: 7 }");
    // In memory a pair is the bits of its ids.
    let pair = Pair { a: id(5, 0), b: id(9, 41) };
    assert_eq!((size_of_val(&pair), align_of_val(&pair)), (16, 8));
}
