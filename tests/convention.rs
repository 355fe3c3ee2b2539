//! The pixel rules of posed masks, on the scene sprites and on random masks.
//!
//! Posed masks equal the per-pixel drawing, and are trimmed. Half turns are exact for every pivot,
//! quarter turns where both axes have one phase. Drawn transforms show the bits of baked poses. A pixel
//! centre on the edge of a texel belongs to the texel after it, at every scale, as exact fractions say.

use hitmask::reference::Drawing;
use hitmask::{
    Affine, CallError, Connectivity, MAX_ANGLES, MAX_SIDE, Mask, Pivot, Point, Pose, PoseSet,
    Posed, Raster, Sampling,
};
use hitmask_scenes::{Random, all, cases, mask_of, pixels, sample, solid, sparse};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SAMPLINGS: [Sampling; 2] = [Sampling::Nearest, Sampling::Coverage25];

fn scene_sprites() -> Vec<(&'static str, Mask)> {
    all().iter().map(|picture| (picture.name, picture.mask())).collect()
}

/// Returns a random mask with 1 in 8 to 7 in 8 of its pixels set.
fn random_mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let density = 1 + random.below(7);
    mask_of(width, height, |_, _| random.below(8) < density)
}

fn step(poses: &PoseSet, step: u32) -> Pose {
    Pose { step: step % poses.angles(), scale: 0 }
}

/// Asserts the pixel rules at every angle step.
///
/// The rasteriser equals the per-pixel drawing, and masks are trimmed. A half turn is both flips.
/// Quarter turns are exact where both axes have one phase.
fn assert_all_rules(name: &str, mask: &Mask, pivot: Pivot, sampling: Sampling, poses: &PoseSet) {
    let raster = Raster::new(mask, pivot, sampling).unwrap();
    let n = poses.angles();
    let posed: Vec<_> = (0..n).map(|k| raster.pose(poses, step(poses, k)).unwrap()).collect();
    assert_eq!(raster.poses(poses).unwrap(), posed, "{name}, {pivot:?}, all poses at once");
    for k in 0..n {
        let here = &posed[k as usize];
        let size = (poses.scales(), poses.resolution());
        let at = format!("{name}, {pivot:?}, {sampling:?}, step {k} of {n} at {size:?}");
        let reference = Drawing::new(mask, pivot, sampling, poses, step(poses, k)).unwrap().posed();
        assert_eq!(*here, reference, "{at}");
        if n > 1 {
            let quarter = &posed[((k + n / 4) % n) as usize];
            if here.pivot2[0] == here.pivot2[1] {
                assert_eq!(here.quarter_turned(), *quarter, "quarter turn of {at}");
            }
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
fn every_rule_holds_for_the_scene_sprites() {
    for (name, mask) in scene_sprites() {
        // Large sprites take 8 angles, because the reference draws them pixel by pixel.
        let angles = if mask.width() > 200 { 8 } else { 16 };
        for (sampling, scale) in
            [(Sampling::Nearest, 1.0), (Sampling::Nearest, 0.37), (Sampling::Coverage25, 0.8)]
        {
            let poses = PoseSet::new(angles, [scale]).unwrap();
            assert_all_rules(name, &mask, Pivot::Center, sampling, &poses);
        }
    }
}

#[test]
fn coverage_sampling_keeps_a_thin_diagonal_connected() {
    let (_, diagonal) = scene_sprites().into_iter().find(|(name, _)| *name == "diagonal").unwrap();
    let poses = PoseSet::new(64, [1.0]).unwrap();
    let pieces = |sampling| {
        let raster = Raster::new(&diagonal, Pivot::Center, sampling).unwrap();
        (0..64)
            .map(|k| raster.pose(&poses, step(&poses, k)).unwrap().mask)
            .map(|mask| mask.components(Connectivity::Eight).iter().len())
            .max()
    };
    assert_eq!(pieces(Sampling::Coverage25), Some(1));
    assert!(pieces(Sampling::Nearest) > Some(1), "nearest sampling breaks the diagonal");
}

/// Returns every kind of pivot: the centre, corners, edges, half-texels of every parity, outside.
fn pivots(width: u32, height: u32) -> [Pivot; 7] {
    let (w, h) = (width as i32, height as i32);
    [
        Pivot::Center,
        Pivot::HalfTexels(0, 0),
        Pivot::HalfTexels(1, 0),
        Pivot::HalfTexels(w, 2 * h - 1),
        Pivot::HalfTexels(w + 1, h),
        Pivot::HalfTexels(-7, 2 * h + 4),
        Pivot::HalfTexels(2 * w + 3, -5),
    ]
}

/// Returns the 8 transforms by quarter turns and mirrors, each with its quarter turns and flip.
fn orientations() -> impl Iterator<Item = (Affine, u32, bool)> {
    (0..4).flat_map(|quarters| {
        let turn = Affine::rotation(quarters as f32 * std::f32::consts::FRAC_PI_2);
        let mirrored = turn * Affine::scale([-1.0, 1.0]);
        [(turn, quarters, false), (mirrored, quarters, true)]
    })
}

#[test]
fn transforms_by_quarter_turns_and_mirrors_show_the_bits_of_baked_poses() {
    let poses = PoseSet::new(4, [1.0]).unwrap();
    for (i, width) in (1..=40_u32).enumerate() {
        for height in [width, width + 1, 1 + (width * 7) % 40] {
            let mask = random_mask(width, height, i as u64);
            for (pivot, sampling) in
                pivots(width, height).into_iter().flat_map(|p| SAMPLINGS.map(|s| (p, s)))
            {
                let raster = Raster::new(&mask, pivot, sampling).unwrap();
                let baked = raster.poses(&poses).unwrap();
                for (transform, quarters, is_mirrored) in orientations() {
                    let at = format!("{width}x{height} {pivot:?} {sampling:?} {transform:?}");
                    // A mirrored sprite at step k is the mirror of the pose at step -k.
                    let mut expected = if is_mirrored {
                        baked[((4 - quarters) % 4) as usize].flip_x()
                    } else {
                        baked[quarters as usize].clone()
                    };
                    assert_eq!(raster.transformed(transform).unwrap(), expected, "{at}");
                    let moved = Affine { tx: -9.0, ty: 4.0, ..transform };
                    if expected.mask.count() > 0 {
                        expected.origin.x -= 9;
                        expected.origin.y += 4;
                    }
                    assert_eq!(raster.transformed(moved).unwrap(), expected, "{at}, moved");
                }
            }
        }
    }
}

/// Returns the texel coordinates under a pixel's centre, in floating point.
fn source_point(transform: Affine, pivot: [i32; 2], u: i32, v: i32) -> [f64; 2] {
    let inverse = transform.inverse().unwrap();
    let [fx, fy] = pivot.map(|half_texels| f64::from(half_texels & 1) / 2.0);
    let (x, y) = (f64::from(u) + 0.5 - fx, f64::from(v) + 0.5 - fy);
    let [px, py] = pivot.map(|half_texels| f64::from(half_texels) / 2.0);
    [
        inverse.a * x + inverse.c * y + inverse.tx + px,
        inverse.b * x + inverse.d * y + inverse.ty + py,
    ]
}

/// Tests whether a pixel's centre lies on the edge of a texel or just before it: within E, which is
/// 2^-14 texels, and what the matrix of a pose is rounded by.
fn is_tie(source: [f64; 2]) -> bool {
    source.iter().any(|at| (-1e-5..7e-5).contains(&(at.round() - at)))
}

#[test]
fn any_transform_draws_the_texel_under_each_pixel_centre() {
    let mut random = Random::new(5);
    for case in 0..cases(300, 1500) {
        let (width, height) = (1 + random.below(40), 1 + random.below(40));
        let mask = random_mask(width, height, u64::from(case));
        let kinds = pivots(width, height);
        let pivot = kinds[random.below(kinds.len() as u32) as usize];
        let Pivot::HalfTexels(px, py) = (match pivot {
            Pivot::Center => Pivot::HalfTexels(width as i32, height as i32),
            other => other,
        }) else {
            unreachable!("the centre was replaced");
        };
        let mut part = |low: f64, high: f64| {
            low + (high - low) * f64::from(random.below(1 << 20)) / f64::from(1 << 20)
        };
        let transform = Affine {
            a: part(-2.0, 2.0),
            b: part(-2.0, 2.0),
            c: part(-2.0, 2.0),
            d: part(-2.0, 2.0),
            tx: part(-50.0, 50.0),
            ty: part(-50.0, 50.0),
        };
        if (transform.a * transform.d - transform.b * transform.c).abs() < 0.05 {
            continue;
        }
        let drawn = Raster::new(&mask, pivot, Sampling::Nearest).unwrap().transformed(transform);
        let drawn = drawn.unwrap();
        assert_eq!(drawn.pivot2, [px & 1, py & 1]);
        for (v, u) in (-200..200).flat_map(|v| (-200..200).map(move |u| (v, u))).step_by(3) {
            let source = source_point(transform, [px, py], u, v);
            let [x, y] = source.map(|at| at.floor() as i32);
            let is_set = drawn.mask.get(u - drawn.origin.x, v - drawn.origin.y);
            if !is_tie(source) {
                assert_eq!(is_set, mask.get(x, y), "{transform:?} {pivot:?} at {u}, {v}");
            }
        }
    }
}

#[test]
fn at_baked_steps_drawn_and_baked_bits_differ_at_ties_only() {
    let poses = PoseSet::new(64, [1.0]).unwrap();
    let (mut pixels, mut different) = (0_u64, 0_u64);
    for (width, height) in [(16, 16), (15, 15), (15, 16), (31, 8), (40, 40)] {
        let mask = random_mask(width, height, u64::from(width * height));
        let pivot = [width as i32, height as i32];
        let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
        for k in 0..64 {
            let transform = Affine::rotation(k as f32 / 64.0 * std::f32::consts::TAU);
            let baked = raster.pose(&poses, step(&poses, k)).unwrap();
            let drawn = raster.transformed(transform).unwrap();
            for (v, u) in (-40..40).flat_map(|v| (-40..40).map(move |u| (v, u))) {
                let [baked, drawn] = [&baked, &drawn]
                    .map(|posed| posed.mask.get(u - posed.origin.x, v - posed.origin.y));
                pixels += u64::from(baked);
                different += u64::from(baked != drawn);
                let is_tie = is_tie(source_point(transform, pivot, u, v));
                assert!(baked == drawn || is_tie, "{width}x{height} step {k} at {u}, {v}");
            }
        }
    }
    println!("{different} of {pixels} set pixels differ");
    assert!(different * 1000 < pixels, "{different} of {pixels}");
}

/// Returns the bit of a lattice pixel.
fn bit(posed: &Posed, u: i32, v: i32) -> bool {
    posed.mask.get(u - posed.origin.x, v - posed.origin.y)
}

#[test]
fn poses_are_as_large_as_their_size_times_their_scale() {
    let upright = |size: [u32; 2], scale: f32, resolution: f32| {
        let poses = PoseSet::new(4, [scale]).unwrap().at_resolution(resolution).unwrap();
        let mask = solid(size[0], size[1]);
        let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
        let sides = |posed: Posed| [posed.mask.width(), posed.mask.height()];
        [0, 1].map(|k| sides(raster.pose(&poses, step(&poses, k)).unwrap()))
    };
    for (size, scale, resolution, sides) in [
        ([5, 5], 6.0, 1.0, [30, 30]),
        ([5, 5], 10.0, 1.0, [50, 50]),
        ([5, 5], 12.0, 1.0, [60, 60]),
        ([5, 5], 1.5, 8.0, [60, 60]),
        ([5, 5], 40.0, 0.25, [50, 50]),
        ([3, 2], 1.5, 1.0, [5, 3]),
        ([2, 3], 3.0, 1.0, [6, 9]),
        ([10, 10], 1.1, 1.0, [11, 11]),
    ] {
        let [width, height] = sides;
        let turned = if size == [3, 2] { [3, 4] } else { [height, width] };
        assert_eq!(upright(size, scale, resolution), [sides, turned], "{size:?} at {scale}");
    }
}

/// Returns sizes up to 128 px, and scales up to 64 in parts of `unit`, whose product is whole.
fn whole_products(unit: u32) -> impl Iterator<Item = (u32, u32)> {
    let scales = move |size| (1..=64 * unit).map(move |parts| (size, parts));
    (1..=128).flat_map(scales).filter(move |(size, parts)| size * parts % unit == 0)
}

/// Asserts that each pixel of an upright pose about the centre of a mask of equal rows has the texel that contains
/// its centre, in exact fractions. The scale is `parts` of `unit`, in mask pixels. A texel is from its left
/// edge up to but without its right one, and the same downwards.
fn assert_upright(posed: &Posed, mask: &Mask, [parts, unit]: [i32; 2], phases: [i32; 2]) {
    let size = [mask.width() as i32, mask.height() as i32];
    let axis = |axis: usize| {
        let reach = size[axis] * parts / unit / 2 + phases[axis] + 2;
        let texel = move |at: i32| {
            ((2 * at + 1 - phases[axis]) * unit + size[axis] * parts).div_euclid(2 * parts)
        };
        (-reach..=reach).map(move |at| (at, texel(at)))
    };
    let at = format!("{size:?} at {parts} / {unit}, phases {phases:?}");
    let rows: Vec<i32> =
        axis(1).filter(|(_, y)| (0..size[1]).contains(y)).map(|(v, _)| v).collect();
    assert_eq!((posed.origin.y, posed.mask.height()), (rows[0], rows.len() as u32), "{at}");
    let mut count = 0;
    for (u, x) in axis(0) {
        assert_eq!(bit(posed, u, rows[0]), mask.get(x, 0), "{at}, column {u}");
        count += u64::from(mask.get(x, 0));
    }
    assert_eq!(posed.mask.count(), count * rows.len() as u64, "{at}");
}

/// Returns a mask without empty rows or columns at its sides, so that sides and phases are those of its size.
fn framed(width: u32, height: u32) -> Mask {
    let mut mask = random_mask(width, height, u64::from(width));
    let [right, bottom] = [width, height].map(|side| side as i32 - 1);
    for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] {
        mask.set(x, y, true);
    }
    mask
}

#[test]
fn every_size_and_scale_whose_product_is_whole_covers_as_many_pixels() {
    for (unit, count) in [(8, 20_480), (10, 21_760)] {
        assert_eq!(whole_products(unit).count(), count);
        // All poses of up to 512 px, and some of the others.
        let is_small = |&(size, parts): &(u32, u32)| size * parts <= 512 * unit;
        let large = whole_products(unit).filter(|pair| !is_small(pair));
        for (size, parts) in whole_products(unit).filter(is_small).chain(sample(large, 11)) {
            let scale = parts as f32 / unit as f32;
            // Below scale 1 a texel may have no pixel.
            let is_shrunk = parts < unit;
            let mask = if is_shrunk { solid(size, 10) } else { framed(size, 1) };
            let height = mask.height();
            // Scales below 1/64 are refused.
            let resolutions = [1.0, 0.25, 4.0].into_iter();
            for resolution in resolutions.filter(|r| (1.0 / 64.0..=64.0).contains(&(scale / r))) {
                let poses = PoseSet::new(4, [scale / resolution]).unwrap();
                let poses = poses.at_resolution(resolution).unwrap();
                let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
                let [upright, quarter] =
                    [0, 1].map(|k| raster.pose(&poses, step(&poses, k)).unwrap());
                let width = size * parts / unit;
                let at = format!("{size} at {parts} / {unit}, resolution {resolution}");
                assert_eq!(upright.mask.width(), width, "{at}");
                assert_eq!(quarter.mask.height(), width, "{at}, turned");
                let phases = [size, height].map(|side| (side & 1) as f32 * resolution);
                let parts = [parts as i32, unit as i32];
                assert_upright(&upright, &mask, parts, phases.map(|phase| phase as i32));
            }
            if scale < 8.0 {
                let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
                let drawn = raster.transformed(Affine::scale([scale; 2])).unwrap();
                let phases = [size, height].map(|side| side as i32 & 1);
                assert_upright(&drawn, &mask, [parts as i32, unit as i32], phases);
            }
        }
    }
}

#[test]
fn at_whole_scales_every_turn_repeats_each_texel_as_often() {
    let poses = |scale: u32| PoseSet::new(4, [scale as f32]).unwrap();
    for (width, height) in (1..=7).flat_map(|width| (1..=7).map(move |height| (width, height))) {
        let mask = framed(width, height);
        for (scale, pivot) in (1..=13).flat_map(|s| pivots(width, height).map(|p| (s, p))) {
            let poses = poses(scale);
            let raster = Raster::new(&mask, pivot, Sampling::Nearest).unwrap();
            let mut turned = mask.scaled(scale * width, scale * height).unwrap();
            for (k, posed) in raster.poses(&poses).unwrap().into_iter().enumerate() {
                let at = format!("{width} x {height}, {pivot:?} at {scale}, {k} quarter turns");
                assert_eq!(posed.mask, turned, "{at}");
                let transform = Affine::rotation(k as f32 * std::f32::consts::FRAC_PI_2)
                    * Affine::scale([scale as f32; 2]);
                assert_eq!(raster.transformed(transform).unwrap(), posed, "{at}, drawn");
                let mirrored = raster.transformed(Affine::scale([-1.0, 1.0]) * transform).unwrap();
                assert_eq!(mirrored.mask, posed.flip_x().mask, "{at}, mirrored");
                turned = turned.quarter_turned();
            }
        }
    }
}

/// One in the fixed point numbers of `Truth`.
const ONE: i128 = 1 << 60;

/// Returns the product of two complex numbers.
fn product([a, b]: [i128; 2], [c, d]: [i128; 2]) -> [i128; 2] {
    [(a * c - b * d) / ONE, (a * d + b * c) / ONE]
}

/// Returns a complex number to the power of `n`.
fn power(mut base: [i128; 2], mut n: u32) -> [i128; 2] {
    let mut result = [ONE, 0];
    while n > 0 {
        if n & 1 == 1 {
            result = product(result, base);
        }
        (base, n) = (product(base, base), n / 2);
    }
    result
}

/// Returns cosine and sine of a step: a root z of z^n = 1, found by Newton's method and checked.
fn root_of_one(step: u32, n: u32) -> [i128; 2] {
    let (sin, cos) = (std::f64::consts::TAU * f64::from(step) / f64::from(n)).sin_cos();
    let near = [cos, sin].map(|v| (v * ONE as f64) as i128);
    let [re, im] = power(near, n);
    let [x, y] = product(near, [re - ONE, im]).map(|v| v / i128::from(n));
    let root = [near[0] - x, near[1] - y];
    let [re, im] = power(root, n);
    let most = i128::from(n) << 4;
    assert!((re - ONE).abs() < most && im.abs() < most, "{step} of {n}");
    root
}

/// The texel under a sample in exact fractions. It shares no rounding with the rule: the scale is the
/// fraction that its `f32` is, and cosine and sine are exact to 2^-56.
struct Truth {
    turn: [i128; 2],
    /// The scale, with 40 binary places.
    scale: i128,
    pivot: [i32; 2],
}

impl Truth {
    /// Returns the texel at (dx, dy) from the pivot, in units of 2^-(1 + `samples_log2`) pixels, and
    /// whether it is the one after the edge of a tie. Returns `None` where rounding may decide: at the
    /// distance E before an edge.
    fn texel(&self, [dx, dy]: [i32; 2], samples_log2: u32) -> Option<[(i64, bool); 2]> {
        let [dx, dy] = [dx, dy].map(i128::from);
        let [cos, sin] = self.turn;
        let reach = dx.abs() + dy.abs();
        let axis = |turned: i128, pivot: i32| {
            // Of 2^-100 texels, times the scale.
            let number = (turned << 40) + ((i128::from(pivot) * self.scale) << (60 + samples_log2));
            let texel = self.scale << (61 + samples_log2);
            let (whole, before_edge) = (number.div_euclid(texel), texel - number.rem_euclid(texel));
            // The rule has entries of 2^-30 texels, rounded to nearest. Its E is 2^-14 texels.
            let rounded = ((reach * self.scale) << 29) + (reach << 45);
            let edge = texel >> 14;
            let is_after = before_edge < edge;
            ((before_edge - edge).abs() > rounded)
                .then_some((whole as i64 + i64::from(is_after), is_after))
        };
        let texel =
            [axis(dx * cos + dy * sin, self.pivot[0])?, axis(dy * cos - dx * sin, self.pivot[1])?];
        Some(texel)
    }
}

#[test]
fn poses_are_those_of_exact_fractions_outside_e_of_a_tie() {
    let mut random = Random::new(61);
    let (mut certain, mut uncertain, mut ties) = (0_u64, 0_u64, 0_u64);
    for case in 0..cases(500, 4000) {
        let mut any = |end: u32| random.below(end);
        let (width, height) = (1 + any(20), 1 + any(20));
        let mask = random_mask(width, height, u64::from(case));
        let pivot = pivots(width, height)[any(7) as usize];
        let sampling = SAMPLINGS[usize::from(any(4) == 0)];
        let most = if sampling == Sampling::Nearest { 8 } else { 2 };
        let scale = match any(4) {
            0 => (1 + any(8 * most)) as f32 / 8.0,
            1 => (1 + any(10 * most)) as f32 / 10.0,
            2 => (1 + any(most)) as f32,
            _ => 0.05 + any(1 << 20) as f32 / (1 << 20) as f32 * most as f32,
        };
        let angles = [4, 8, 12, 24, 28, 64, 360][any(7) as usize];
        let resolution = [1.0, 0.5, 2.0][any(3) as usize];
        let poses = PoseSet::new(angles, [scale]).unwrap().at_resolution(resolution).unwrap();
        let pose = step(&poses, any(angles));
        let drawing = Drawing::new(&mask, pivot, sampling, &poses, pose).unwrap();
        let posed = Raster::new(&mask, pivot, sampling).unwrap().pose(&poses, pose).unwrap();
        let half_texels = match pivot {
            Pivot::Center => [width as i32, height as i32],
            Pivot::HalfTexels(x, y) => [x, y],
        };
        let phases = half_texels.map(|half| ((half & 1) as f32 * resolution) as i32);
        let places = f64::from(1_u32 << 20);
        let truth = Truth {
            turn: root_of_one(pose.step, angles),
            scale: (f64::from(scale * resolution) * places * places) as i128,
            pivot: half_texels,
        };
        let bounds = drawing.bounds();
        for (v, u) in
            (bounds.y0..bounds.y1).flat_map(|v| (bounds.x0..bounds.x1).map(move |u| (v, u)))
        {
            let centre = [2 * u + 1 - phases[0], 2 * v + 1 - phases[1]];
            let (samples_log2, side, least) = match sampling {
                Sampling::Nearest => (0, 1, 1),
                Sampling::Coverage25 => (2, 4, 4),
            };
            let (mut solid, mut unknown) = (0, 0);
            for (i, j) in (0..side).flat_map(|j| (0..side).map(move |i| (i, j))) {
                let at = [(0, i), (1, j)].map(|(axis, i)| centre[axis] * side + 2 * i + 1 - side);
                match truth.texel(at, samples_log2) {
                    Some([(x, after_x), (y, after_y)]) => {
                        solid += i32::from(mask.get(x as i32, y as i32));
                        ties += u64::from(after_x | after_y);
                    }
                    None => unknown += 1,
                }
            }
            let found = bit(&posed, u, v);
            assert_eq!(drawing.pixel(u, v), found);
            if solid >= least || solid + unknown < least {
                let at =
                    format!("{width} x {height}, {pivot:?}, {sampling:?}, {pose:?}, {poses:?}");
                assert_eq!(found, solid >= least, "{at} at {u}, {v}");
                certain += 1;
            } else {
                uncertain += 1;
            }
        }
    }
    assert!(ties > 2000, "{ties} ties");
    assert!(uncertain * 100_000 < certain, "{uncertain} of {certain}");
}

#[test]
fn a_distant_pivot_a_too_large_pose_and_a_transform_without_end_are_typed_errors() {
    let mask = random_mask(600, 3, 1);
    let far = Raster::new(&mask, Pivot::HalfTexels(hitmask::MAX_PIVOT + 1, 0), Sampling::Nearest);
    assert!(matches!(far, Err(CallError::Pivot { half_texels: [65_537, 0], limit: 65_536 })));
    let raster = Raster::new(&mask, Pivot::Center, Sampling::Nearest).unwrap();
    let poses = PoseSet::new(4, [64.0]).unwrap();
    let posed = raster.pose(&poses, Pose::default());
    assert!(
        matches!(posed, Err(CallError::TooLarge { width: 38_400, height: 192, .. })),
        "{posed:?}"
    );
    let unbounded = raster.transformed(Affine::scale([f32::NAN, 1.0]));
    assert_eq!(unbounded, Err(CallError::Transform));
}

/// Asserts that a pose has exactly the pixels that the rule sets near the image of each set texel.
fn assert_pose_of_few_texels(
    source: &Mask,
    pivot: Pivot,
    sampling: Sampling,
    poses: &PoseSet,
    step: u32,
) {
    let pose = Pose { step, scale: 0 };
    let drawing = Drawing::new(source, pivot, sampling, poses, pose).unwrap();
    let posed = Raster::new(source, pivot, sampling).unwrap().pose(poses, pose).unwrap();
    let (sin, cos) =
        (std::f64::consts::TAU * f64::from(step) / f64::from(poses.angles())).sin_cos();
    let [px, py] = match pivot {
        Pivot::Center => [source.width(), source.height()].map(|side| f64::from(side) / 2.0),
        Pivot::HalfTexels(x, y) => [x, y].map(|half| f64::from(half) / 2.0),
    };
    let mut expected = BTreeSet::new();
    for texel in pixels(source.as_ref()) {
        let (x, y) = (f64::from(texel.x) + 0.5 - px, f64::from(texel.y) + 0.5 - py);
        let (u, v) = ((cos * x - sin * y).floor() as i32, (sin * x + cos * y).floor() as i32);
        for (u, v) in (v - 2..=v + 2).flat_map(|v| (u - 2..=u + 2).map(move |u| (u, v))) {
            if drawing.pixel(u, v) {
                expected.insert((v, u));
            }
        }
    }
    let drawn = pixels(posed.mask.as_ref()).into_iter().map(|p| p + posed.origin);
    let drawn: BTreeSet<(i32, i32)> = drawn.map(|p| (p.y, p.x)).collect();
    let size = [source.width(), source.height()];
    assert!(drawn == expected, "{size:?} {pivot:?} {sampling:?} step {step}: {}", drawn.len());
}

#[test]
fn poses_of_the_largest_sources_follow_the_rule_at_every_pixel() {
    let mut random = Random::new(23);
    let eighths = PoseSet::new(64, [1.0]).unwrap();
    let far = Pivot::HalfTexels(65_535, -65_536);
    for [width, height] in [[MAX_SIDE, 3], [3, MAX_SIDE], [MAX_SIDE, 1]] {
        let source = sparse(width, height, &mut random);
        for (step, pivot) in [(0, Pivot::Center), (16, far), (33, Pivot::Center), (48, far)] {
            assert_pose_of_few_texels(&source, pivot, Sampling::Nearest, &eighths, step);
        }
    }
    let source = sparse(MAX_SIDE, 3, &mut random);
    assert_pose_of_few_texels(&source, far, Sampling::Nearest, &eighths, 8);
    // Fine steps, whose poses are flat.
    let fine = PoseSet::new(65_536, [1.0]).unwrap();
    for [width, height] in [[MAX_SIDE, 130], [130, MAX_SIDE]] {
        // The turned box has to fit, so its ends are cut off.
        let source = sparse(width.min(MAX_SIDE - 9), height.min(MAX_SIDE - 9), &mut random);
        for (step, pivot) in [(3, Pivot::Center), (65_535, far), (16_386, Pivot::Center)] {
            assert_pose_of_few_texels(&source, pivot, Sampling::Nearest, &fine, step);
        }
        assert_pose_of_few_texels(&source, Pivot::Center, Sampling::Coverage25, &fine, 5);
    }
    // One pixel above the limit.
    let square = solid(MAX_SIDE, 2);
    for (scale, fits) in [(1.0, true), (32_768.0 / 32_767.0, false)] {
        let poses = PoseSet::new(4, [scale]).unwrap();
        let raster = Raster::new(&square, Pivot::Center, Sampling::Nearest).unwrap();
        for step in 0..4 {
            let posed = raster.pose(&poses, Pose { step, scale: 0 });
            assert_eq!(posed.is_ok(), fits, "{scale} {step}");
        }
    }
}

#[test]
fn transforms_of_the_largest_sources_differ_from_poses_in_few_pixels() {
    let source = sparse(MAX_SIDE - 9, 20, &mut Random::new(29));
    let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest).unwrap();
    let poses = PoseSet::new(65_536, [1.0]).unwrap();
    for step in [0, 2, 65_531, 32_768] {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(step) / 65_536.0).sin_cos();
        let turn = Affine { a: cos, b: sin, c: -sin, d: cos, tx: 0.0, ty: 0.0 };
        let pose = raster.pose(&poses, Pose { step, scale: 0 }).unwrap();
        let drawn = raster.transformed(turn).unwrap();
        let [a, b] = [&pose, &drawn].map(|posed| {
            let pixels = pixels(posed.mask.as_ref()).into_iter().map(|p: Point| p + posed.origin);
            pixels.map(|p| (p.y, p.x)).collect::<BTreeSet<_>>()
        });
        let differ = a.symmetric_difference(&b).count();
        assert!(differ <= if step % 16_384 == 0 { 0 } else { 2 }, "step {step}: {differ}");
    }
}

#[test]
fn angle_steps_must_be_one_or_a_multiple_of_four() {
    for good in [1, 4, 64, 360, MAX_ANGLES] {
        assert_eq!(PoseSet::new(good, [1.0]).unwrap().angles(), good);
    }
    for bad in [0, 2, 3, 5, 63, MAX_ANGLES + 4] {
        let error = PoseSet::new(bad, [1.0]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("invalid number of angle steps {bad}: ")), "{error}");
    }
}

#[test]
fn missing_or_invalid_scales_are_refused() {
    assert_eq!(PoseSet::new(4, []), Err(CallError::NoScales));
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-9, 65.0] {
        assert!(matches!(PoseSet::new(4, [1.0, bad]), Err(CallError::Number { .. })), "{bad}");
    }
}

#[test]
fn scales_that_a_resolution_carries_out_of_range_are_refused() {
    let set = |scales: &[f32]| PoseSet::new(4, scales).unwrap();
    assert_eq!(set(&[32.0]).at_resolution(2.0).unwrap().resolution(), 2.0);
    for (scale, resolution) in [(33.0, 2.0), (0.03, 0.5), (64.0, 8.0)] {
        let error = set(&[1.0, scale]).at_resolution(resolution).unwrap_err();
        let text = format!("invalid scale times the resolution {}: ", scale * resolution);
        assert!(error.to_string().starts_with(&text), "{error}");
    }
    let error = set(&[1.0]).at_resolution(0.0).unwrap_err();
    assert_eq!(error.to_string(), "invalid resolution 0: below 0.125");
}

#[test]
fn the_nearest_scale_is_that_of_least_difference() {
    let set = PoseSet::new(4, [1.0, 0.5, 2.0, 1.0]).unwrap();
    assert_eq!(set.scales(), [0.5, 1.0, 2.0]);
    let scale = |s| set.nearest(0.0, s).map(|pose| pose.scale);
    assert_eq!(scale(0.01), Some(0));
    assert_eq!(scale(0.75), Some(0), "a tie goes to the smaller");
    assert_eq!(scale(0.76), Some(1));
    assert_eq!(scale(1e30), Some(2));
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(scale(bad), None);
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
        // The smallest scale is 1/64, and 4/64 at the coarsest of these resolutions.
        scale in prop_oneof![Just(1.0_f32), Just(0.5), 0.07_f32..1.5],
        resolution in prop_oneof![Just(1.0_f32), Just(0.5), Just(0.25), Just(2.0)],
    ) {
        let mask = random_mask(width, height, seed);
        let poses = PoseSet::new(angles, [scale]).unwrap().at_resolution(resolution).unwrap();
        assert_all_rules("random", &mask, pivot, SAMPLINGS[usize::from(coverage)], &poses);
    }
}
