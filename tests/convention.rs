//! The pixel rules: every consequence they have, on drawn shapes and random masks.

use hitmask::reference::Drawing;
use hitmask::{Angle, Mask, Pivot, Pose, PoseError, PoseSet, Raster, Sampling};
use hitmask_scenes::{Random, all, cases};
use proptest::prelude::*;

const SAMPLINGS: [Sampling; 2] = [Sampling::Nearest, Sampling::Coverage25];

fn drawn() -> Vec<(&'static str, Mask)> {
    all().iter().map(|picture| (picture.name, picture.mask())).collect()
}

fn random_mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let density = 1 + random.below(7);
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, random.below(8) < density);
        }
    }
    mask
}

fn step(poses: &PoseSet, step: u32) -> Pose {
    Pose { step: step % poses.angles(), scale: 0 }
}

/// Fast equals naive, quarter turns are exact, and a half turn is both flips, at every step.
fn hold_all_rules(name: &str, mask: &Mask, pivot: Pivot, sampling: Sampling, poses: &PoseSet) {
    let raster = Raster::new(mask, pivot, sampling).unwrap();
    let n = poses.angles();
    let posed: Vec<_> = (0..n).map(|k| raster.pose(poses, step(poses, k)).unwrap()).collect();
    assert_eq!(raster.poses(poses).unwrap(), posed, "{name}, {pivot:?}, all poses at once");
    for k in 0..n {
        let here = &posed[k as usize];
        let size = (poses.scales(), poses.resolution());
        let at = format!("{name}, {pivot:?}, {sampling:?}, step {k} of {n} at {size:?}");
        let naive = Drawing::new(mask, pivot, sampling, poses, step(poses, k)).unwrap().posed();
        assert_eq!(*here, naive, "{at}");
        if n > 1 {
            let quarter = &posed[((k + n / 4) % n) as usize];
            assert_eq!(here.quarter_turned(), *quarter, "quarter turn of {at}");
            let half = &posed[((k + n / 2) % n) as usize];
            assert_eq!(here.flip_x(), half.flip_y(), "half turn of {at}");
        }
        if here.mask.count() > 0 {
            let bounds = here.mask.bounds().unwrap();
            let size = (here.mask.width(), here.mask.height());
            assert_eq!((bounds.width(), bounds.height()), size, "trim of {at}");
        }
    }
}

#[test]
fn every_rule_holds_for_the_drawn_sprites() {
    for (name, mask) in drawn() {
        let angles = if mask.width() > 200 { 8 } else { 16 };
        for (sampling, scale) in
            [(Sampling::Nearest, 1.0), (Sampling::Nearest, 0.37), (Sampling::Coverage25, 0.8)]
        {
            let poses = PoseSet::new(angles, [scale]).unwrap();
            hold_all_rules(name, &mask, Pivot::Center, sampling, &poses);
        }
    }
}

#[test]
fn at_right_angles_and_scale_one_texels_fall_on_pixels() {
    for (name, mask) in drawn() {
        for (pivot, sampling) in [
            (Pivot::HalfTexels(0, 0), Sampling::Nearest),
            (Pivot::HalfTexels(7, 3), Sampling::Nearest),
            (Pivot::HalfTexels(0, 0), Sampling::Coverage25),
            (Pivot::HalfTexels(-5, 9), Sampling::Coverage25),
        ] {
            let poses = PoseSet::new(4, [1.0]).unwrap();
            let posed = Raster::new(&mask, pivot, sampling).unwrap().pose(&poses, Pose::default());
            let posed = posed.unwrap();
            let (tight, corner) = mask.trimmed();
            assert_eq!(posed.mask, tight, "{name}");
            if let (Pivot::HalfTexels(px2, py2), true) = (pivot, tight.count() > 0) {
                // The pivot's texel, or the texel right and below of a pivot between texels, is
                // the lattice origin.
                let expected = (corner.x - px2.div_euclid(2), corner.y - py2.div_euclid(2));
                assert_eq!((posed.origin.x, posed.origin.y), expected, "{name} {pivot:?}");
            }
        }
    }
}

#[test]
fn scaling_by_two_makes_each_texel_four_pixels() {
    let mask = random_mask(9, 7, 3);
    let poses = PoseSet::new(4, [2.0]).unwrap();
    for sampling in SAMPLINGS {
        let raster = Raster::new(&mask, Pivot::HalfTexels(0, 0), sampling).unwrap();
        let posed = raster.pose(&poses, Pose::default()).unwrap();
        let big = |x: i32, y: i32| posed.mask.get(x - posed.origin.x, y - posed.origin.y);
        for y in -2..16 {
            for x in -2..20 {
                assert_eq!(big(x, y), mask.get(x.div_euclid(2), y.div_euclid(2)), "{x}, {y}");
            }
        }
    }
}

#[test]
fn a_finer_resolution_cuts_each_pixel_without_moving_the_sprite() {
    let mask = random_mask(9, 7, 3);
    for (pivot, resolution) in [([0, 0], 2), ([9, 7], 2), ([9, 7], 4), ([-3, 5], 8)] {
        let plain = PoseSet::new(4, [1.0]).unwrap();
        let fine = plain.clone().at_resolution(resolution as f32).unwrap();
        let [x, y] = pivot;
        let raster = Raster::new(&mask, Pivot::HalfTexels(x, y), Sampling::Nearest).unwrap();
        for k in 0..4 {
            let whole = raster.pose(&plain, step(&plain, k)).unwrap();
            let cut = raster.pose(&fine, step(&fine, k)).unwrap();
            for (whole, cut) in [(whole.flip_x(), cut.flip_x()), (whole, cut)] {
                for v in -100..100 {
                    for u in -100..100 {
                        let at = |posed: &hitmask::Posed, u: i32, v: i32| {
                            posed.mask.get(u - posed.origin.x, v - posed.origin.y)
                        };
                        let pixel = [u, v].map(|c: i32| c.div_euclid(resolution));
                        assert_eq!(at(&cut, u, v), at(&whole, pixel[0], pixel[1]), "{u}, {v}");
                    }
                }
            }
        }
    }
}

#[test]
fn coverage_keeps_a_thin_diagonal_in_one_piece_where_nearest_breaks_it() {
    let (_, diagonal) = drawn().into_iter().find(|(name, _)| *name == "diagonal").unwrap();
    let poses = PoseSet::new(64, [1.0]).unwrap();
    let pieces = |sampling| {
        let raster = Raster::new(&diagonal, Pivot::Center, sampling).unwrap();
        (0..64)
            .map(|k| raster.pose(&poses, step(&poses, k)).unwrap().mask)
            .map(|m| components(&m))
            .max()
    };
    assert_eq!(pieces(Sampling::Coverage25), Some(1));
    assert!(pieces(Sampling::Nearest) > Some(1), "or there would be no need for coverage");
}

/// Number of connected pieces, neighbours counted in eight directions.
fn components(mask: &Mask) -> usize {
    let mut left = mask.clone();
    let mut pieces = 0;
    for y in 0..mask.height() as i32 {
        for x in 0..mask.width() as i32 {
            pieces += usize::from(left.get(x, y));
            let mut open = vec![(x, y)];
            while let Some((x, y)) = open.pop() {
                if left.get(x, y) {
                    left.set(x as i32, y as i32, false);
                    open.extend((-1..=1).flat_map(|j| (-1..=1).map(move |i| (x + i, y + j))));
                }
            }
        }
    }
    pieces
}

#[test]
fn a_pivot_of_mixed_parity_is_lowered_by_half_a_texel_and_says_so() {
    let mask = random_mask(5, 4, 1);
    let poses = PoseSet::new(4, [1.0]).unwrap();
    let odd = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
    let even = Raster::new(&mask, Pivot::HalfTexels(5, 3), Sampling::Nearest).unwrap();
    assert!(odd.pivot_lowered() && !even.pivot_lowered());
    assert_eq!(odd.pose(&poses, Pose::default()), even.pose(&poses, Pose::default()));
}

#[test]
fn what_cannot_be_posed_is_a_typed_error() {
    let mask = random_mask(400, 3, 1);
    let far = Raster::new(&mask, Pivot::HalfTexels(hitmask::MAX_PIVOT + 1, 0), Sampling::Nearest);
    assert!(matches!(far, Err(PoseError::Pivot { half_texels: [65_537, 0], limit: 65_536 })));
    let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
    let poses = PoseSet::new(4, [64.0]).unwrap();
    let posed = raster.pose(&poses, Pose::default());
    assert!(matches!(posed, Err(PoseError::TooLarge { width: 25_600, height: 192 })), "{posed:?}");
}

#[test]
fn an_exact_turn_and_the_same_angle_in_radians_name_one_step() {
    for t in (0..=u16::MAX).step_by(257) {
        let radians = f32::from(t) / 65_536.0 * std::f32::consts::TAU;
        let (exact, rounded) = (Angle::Turn(t).step(64), Angle::from(radians).step(64));
        // Radians in f32 are off by up to 2^-22 of a turn: only on a boundary may steps differ.
        if (t % 1024).abs_diff(512) > 1 {
            assert_eq!(exact, rounded, "{t}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(120, 300)))]

    #[test]
    fn every_rule_holds_for_any_mask_pivot_and_pose(
        (width, height) in (1_u32..90, 1_u32..90),
        seed: u64,
        pivot in prop_oneof![
            Just(Pivot::Center),
            (-300..300, -300..300).prop_map(|(x, y)| Pivot::HalfTexels(x, y)),
        ],
        coverage: bool,
        angles in prop_oneof![Just(1_u32), (1_u32..9).prop_map(|n| 4 * n)],
        // At the coarsest of these resolutions the least scale is 4/64.
        scale in prop_oneof![Just(1.0_f32), Just(0.5), 0.07_f32..1.5],
        resolution in prop_oneof![Just(1.0_f32), Just(0.5), Just(0.25), Just(2.0)],
    ) {
        let mask = random_mask(width, height, seed);
        let poses = PoseSet::new(angles, [scale]).unwrap().at_resolution(resolution).unwrap();
        hold_all_rules("random", &mask, pivot, SAMPLINGS[usize::from(coverage)], &poses);
    }
}
