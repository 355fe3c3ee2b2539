//! What parts masks, what brings them together and when they meet on the way: against searches
//! that try one place after the other.

use hitmask::{Mask, MaskRef, Normal, Path, Point, PosedRef, Side, naive};
use hitmask_sprites::{Random, named};
use proptest::prelude::*;

/// Solid lumps, thin scaffolds, rings and scattered pixels.
fn mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let kind = random.below(5);
    let (cx, cy) = (width as i32 / 2, height as i32 / 2);
    let r = cx.min(cy).max(1);
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            let (dx, dy) = (x as i32 - cx, y as i32 - cy);
            let square = dx * dx + dy * dy;
            let solid = match kind {
                0 => true,
                1 => square <= r * r,
                2 => square <= r * r && square >= r * r / 3,
                3 => x % 7 == 0 || y % 9 == 0,
                _ => random.below(40) == 0,
            };
            mask.set(x, y, solid);
        }
    }
    mask
}

fn hold_against_naive(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) {
    let at = format!("{offset:?}\n{a:?}\n{b:?}");
    assert_eq!(a.push_out(b, offset), naive::push_out(a, b, offset), "push out {at}");
    if a.count() > 0 && b.count() > 0 {
        let nearest = naive::nearest(a, b, offset);
        assert_eq!(a.nearest(b, offset), Some(nearest), "nearest {at}");
        let length = f64::from(nearest.x).hypot(f64::from(nearest.y));
        assert!((a.distance(b, offset).unwrap() - length).abs() < 1e-9, "distance {at}");
    } else {
        assert_eq!((a.nearest(b, offset), a.distance(b, offset)), (None, None));
    }
}

/// What a cast says of the slope where it ends, from four areas.
fn normal_at(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, path: &Path, step: u32) -> Normal {
    let met = path.at(step);
    let at = offset - met;
    if step == 0 {
        return a.overlap_normal(b, at).unwrap();
    }
    let area = |x: i32, y: i32| a.overlap_area(b, at - Point::new(x, y)) as f64;
    let (x, y) = (area(-1, 0) - area(1, 0), area(0, -1) - area(0, 1));
    // Level, as where it is as deep on both sides: against the way it came.
    let back = path.at(step - 1) - met;
    let (x, y) = if (x, y) == (0.0, 0.0) { (back.x.into(), back.y.into()) } else { (x, y) };
    let length = (x * x + y * y).sqrt();
    Normal { x: (x / length) as f32, y: (y / length) as f32 }
}

fn hold_cast_against_naive(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, motion: Point) {
    let at = format!("{offset:?} by {motion:?}\n{a:?}\n{b:?}");
    let path = Path::new(motion);
    let impact = a.cast(b, offset, motion);
    let truth = naive::cast(a, b, offset, motion);
    assert_eq!(impact.map(|i| i.step), truth, "cast {at}");
    if let Some(impact) = impact {
        assert_eq!(impact.met, path.at(impact.step), "{at}");
        assert_eq!(impact.free, path.at(impact.step.saturating_sub(1)), "{at}");
        assert!((0.0..=1.0).contains(&impact.time()), "{at}");
        assert_eq!((impact.steps, impact.pose), (path.steps(), 0), "{at}");
        let free = f64::from(impact.step.saturating_sub(1)) / f64::from(path.steps().max(1));
        assert_eq!(impact.time(), free as f32, "{at}");
        assert_eq!(impact.normal, normal_at(a, b, offset, &path, impact.step), "{at}");
    }
    // The way out in that direction: the first pixel, of a path as long as it takes, that is free.
    let long = Path::new([motion.x * 300, motion.y * 300]);
    let touches = a.touches(b, offset);
    let free = long.pixels().find(|p| !a.touches(b, [offset.x - p.x, offset.y - p.y]));
    let expected = if touches && motion != Point::default() { free } else { None };
    assert_eq!(a.push_along(b, offset, motion), expected, "push along {at}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_shortest_ways_out_and_in_are_those_that_a_search_finds(
        (aw, ah, bw, bh) in (1_u32..90, 1_u32..50, 1_u32..90, 1_u32..50),
        (seed_a, seed_b) in any::<(u64, u64)>(),
        (x, y) in (0.0_f32..1.0, 0.0_f32..1.0),
        (flip_a, flip_b) in any::<(bool, bool)>(),
    ) {
        let (a, b) = (mask(aw, ah, seed_a), mask(bw, bh, seed_b));
        let flip = |mask: &Mask, flip: bool| if flip { mask.flip_y() } else { mask.clone() };
        let (a, b) = (flip(&a, flip_a), flip(&b, flip_b));
        // A little farther apart than boxes that overlap.
        let within = |t: f32, a: u32, b: u32| (t * (a + b + 20) as f32) as i32 - b as i32 - 10;
        hold_against_naive(a.as_ref(), b.as_ref(), Point::new(within(x, aw, bw), within(y, ah, bh)));
    }

    #[test]
    fn a_cast_stops_where_stepping_does(
        (aw, ah, bw, bh) in (1_u32..90, 1_u32..50, 1_u32..90, 1_u32..50),
        (seed_a, seed_b) in any::<(u64, u64)>(),
        (x, y) in (-150_i32..150, -150_i32..150),
        (dx, dy) in (-200_i32..200, -200_i32..200),
    ) {
        let (a, b) = (mask(aw, ah, seed_a), mask(bw, bh, seed_b));
        let (a, b) = (a.as_ref(), b.as_ref());
        hold_cast_against_naive(a, b, Point::new(x, y), Point::new(dx, dy));
        // Straight at it, along each axis, and from within.
        hold_cast_against_naive(a, b, Point::new(x, y % 20), Point::new(2 * x, 0));
        hold_cast_against_naive(a.flip_y(), b, Point::new(x % 20, y), Point::new(0, 2 * y));
        hold_cast_against_naive(a, b.flip_y(), Point::new(x % 20, y % 20), Point::new(dx, dy / 9));
    }

    #[test]
    fn a_turning_motion_meets_what_stepping_through_its_poses_meets(
        seeds in proptest::collection::vec(any::<u64>(), 1..12),
        (x, y) in (-40_i32..60, -40_i32..60),
        (dx, dy) in (-30_i32..30, -30_i32..30),
    ) {
        let masks: Vec<Mask> = seeds.iter().map(|&s| mask(20, 14 + (s % 9) as u32, s)).collect();
        let origin = |i: usize| Point::new(-(i as i32), i as i32 - 5);
        let posed = |(i, mask): (usize, &Mask)| {
            // Only its parts are looked at.
            (i, mask.trimmed().0)
        };
        let trimmed: Vec<(usize, Mask)> = masks.iter().enumerate().map(posed).collect();
        let poses: Vec<PosedRef<'_>> = trimmed
            .iter()
            .map(|(i, mask)| PosedRef { mask: mask.as_ref(), origin: origin(*i), pivot2: 0 })
            .collect();
        let other = mask(30, 30, seeds[0] ^ 1);
        // More steps than poses, and more poses than steps.
        for motion in [[dx, dy], [dx / 9, dy / 9]] {
            let path = Path::new(motion);
            let (n, m) = (path.steps() as usize, poses.len());
            let ticks = n.max(m - 1);
            let shown = |tick: usize| {
                let (step, pose) = if m <= n + 1 {
                    (tick, tick * m / (n + 1))
                } else {
                    (tick * n / (m - 1), tick)
                };
                (path.at(step as u32), pose)
            };
            let truth = (0..=ticks).find(|&tick| {
                let (at, pose) = shown(tick);
                let PosedRef { mask, origin, .. } = poses[pose];
                mask.touches(&other, [x - origin.x - at.x, y - origin.y - at.y])
            });
            let truth = truth.map(|tick| {
                let (met, pose) = shown(tick);
                (tick, ticks, shown(tick.saturating_sub(1)).0, met, pose)
            });
            let found = PosedRef::cast_turning(&poses, &other, [x, y], motion).map(|i| {
                (i.step as usize, i.steps as usize, i.free, i.met, i.pose as usize)
            });
            prop_assert_eq!(found, truth);
        }
    }
}

#[test]
fn masks_of_every_width_up_to_a_hundred_are_parted_as_a_search_parts_them() {
    // Scaffolds have more runs in a row than are looked at at once.
    for (i, width) in [1, 2, 31, 63, 64, 65, 68, 95, 96, 97].into_iter().enumerate() {
        for (j, height) in [1, 33, 64, 96].into_iter().enumerate() {
            for seed in 0..10 {
                let a = mask(width, height, seed * 7 + j as u64);
                let b = mask(97 - width.min(96), 97 - height, seed * 11 + i as u64);
                let (a, b) = (a.as_ref(), b.as_ref());
                let (w, h) = (width as i32, height as i32);
                let places = [[0, 0], [w / 3, -h / 2], [w - 1, h / 5], [2 - w / 2, h - 3]];
                for at in places.map(Point::from) {
                    let (a, b) = match seed % 3 {
                        0 => (a, b),
                        1 => (a.flip_y(), b),
                        _ => (b, a.flip_y()),
                    };
                    assert_eq!(
                        a.push_out(b, at),
                        naive::push_out(a, b, at),
                        "at {at:?}\n{a:?}\n{b:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn large_masks_are_parted_and_met_as_small_ones_are() {
    // Wider than 16-bit coordinates go, and deeper than the first look around.
    let mut level = Mask::new(9000, 300).unwrap();
    for x in 0..9000 {
        for y in 100 + (x / 40) % 30..300 {
            level.set(x, y, true);
        }
    }
    let ship = named("hull").mask();
    let (ship, level) = (ship.as_ref(), level.as_ref());
    for x in [0, 1000, 4090, 7000, 8930] {
        for y in [-30, -39, -60, -120] {
            let offset = Point::new(-x, y);
            assert_eq!(ship.push_out(level, offset), naive::push_out(ship, level, offset));
        }
        let falls = Point::new(-x, 200);
        for motion in [[0, 500], [300, 500], [8000, 150], [-8000, 200], [5000, -20]] {
            hold_cast_against_naive_once(ship, level, falls, motion.into());
            let back = Point::new(-motion[0], -motion[1]);
            hold_cast_against_naive_once(level, ship, Point::new(x, -200), back);
        }
    }
}

#[test]
fn straight_ways_along_a_rail_end_at_what_stands_on_it() {
    // The rail runs through a gap: the boxes overlap all the way, and pixels alone tell.
    let set = |mask: &mut Mask, upright: bool, x: u32, y: u32| {
        if upright { mask.set(y, x, true) } else { mask.set(x, y, true) }
    };
    let long = 1200;
    for upright in [false, true] {
        let sides = |w: u32, h: u32| if upright { [h, w] } else { [w, h] };
        let [w, h] = sides(1, 3);
        let mut fork = Mask::new(w, h).unwrap();
        [0, 2].into_iter().for_each(|y| set(&mut fork, upright, 0, y));
        for plug in 0..long {
            let [w, h] = sides(long, 3);
            let mut rail = Mask::new(w, h).unwrap();
            (0..long).for_each(|x| set(&mut rail, upright, x, 1));
            set(&mut rail, upright, plug, 0);
            let (plug, long) = (plug as i32, long as i32);
            // Onwards up to it, or not so far; and backwards from the other end.
            for (from, to) in [(-2, long), (-2, plug - 1), (-2, plug), (long, -9), (long, plug)] {
                let [x, y] = if upright { [0, -from] } else { [-from, 0] };
                let motion = if upright { [0, to - from] } else { [to - from, 0] };
                let met = fork.cast(&rail, [x, y], motion).map(|impact| impact.step);
                let reached = (from.min(to)..=from.max(to)).contains(&plug);
                let truth = reached.then(|| (plug - from).unsigned_abs());
                assert_eq!(met, truth, "{plug} from {from} to {to}, {upright}");
            }
        }
    }
}

fn hold_cast_against_naive_once(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, motion: Point) {
    let step = a.cast(b, offset, motion).map(|impact| impact.step);
    assert_eq!(step, naive::cast(a, b, offset, motion), "{offset:?} {motion:?}");
}

fn normal(a: &Mask, b: &Mask, offset: [i32; 2]) -> [f32; 2] {
    a.as_ref().overlap_normal(b, offset).unwrap().into()
}

fn solid(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    (0..height).for_each(|y| (0..width).for_each(|x| mask.set(x, y, true)));
    mask
}

#[test]
fn normals_point_out_of_walls_floors_and_ceilings_straight() {
    let (hero, slab) = (named("fighter").mask(), solid(200, 200));
    let (w, h) = (hero.width() as i32, hero.height() as i32);
    for depth in [1, 2, 5] {
        let face = |offset: [i32; 2]| {
            let normal = hero.as_ref().overlap_normal(&slab, offset).unwrap();
            ([normal.x, normal.y], normal.side(), normal.degrees())
        };
        // The fighter's pixels do not reach its image's edges: let it in as far as it takes.
        let tight = hero.bounds().unwrap();
        assert_eq!(face([-80, tight.y1 - depth]), ([0.0, -1.0], Side::Below, -90.0));
        assert_eq!(face([-80, tight.y0 + depth - 200]), ([0.0, 1.0], Side::Above, 90.0));
        assert_eq!(face([tight.x1 - depth, -80]).1, Side::Right);
        assert_eq!(face([tight.x1 - depth, -80]).0, [-1.0, 0.0]);
        assert_eq!(face([tight.x0 + depth - 200, -80]), ([1.0, 0.0], Side::Left, 0.0));
    }
    assert!(w > 0 && h > 0);
}

#[test]
fn normals_at_corners_and_slopes_lean_as_these_do() {
    let block = solid(20, 20);
    // Equally deep on both axes: half way between.
    let [x, y] = normal(&block, &block, [17, 17]);
    assert_eq!([x, y], [-std::f32::consts::FRAC_1_SQRT_2; 2]);
    // Deep on one axis, shallow on the other: out along the shallow one.
    let [x, y] = normal(&block, &block, [10, 18]);
    assert!(x < 0.0 && y < -0.97, "{x} {y}");

    // Ground that falls by one in one, and by one in two, to the right.
    for (run, expected) in [(1, [0.707, -0.707]), (2, [0.447, -0.894])] {
        let mut slope = Mask::new(400, 400).unwrap();
        for x in 0..400 {
            (x / run..400).for_each(|y| slope.set(x, y, true));
        }
        let ball = {
            let mut ball = Mask::new(41, 41).unwrap();
            for y in 0..41_i32 {
                for x in 0..41_i32 {
                    let solid = (x - 20).pow(2) + (y - 20).pow(2) <= 400;
                    ball.set(x as u32, y as u32, solid);
                }
            }
            ball
        };
        // From above, down to the slope and two pixels into it.
        let free = ball.as_ref().move_until_contact(&slope, [-180, 100], [0, 400]);
        let [x, y] = normal(&ball, &slope, [-180, 100 - free.y - 3]);
        assert!((x - expected[0]).abs() < 0.1 && (y - expected[1]).abs() < 0.1, "{x} {y}");
    }
}

/// Up, right, down and left: a motion, and the normal of what it leads into.
const WAYS: [([i32; 2], [f32; 2]); 4] =
    [([0, -1], [0.0, 1.0]), ([1, 0], [-1.0, 0.0]), ([0, 1], [0.0, -1.0]), ([-1, 0], [1.0, 0.0])];

/// Pixels of a square of 60 for which `is_solid` of x and y.
fn ramp(is_solid: impl Fn(i32, i32) -> bool) -> Mask {
    let mut mask = Mask::new(60, 60).unwrap();
    (0..60).for_each(|y| (0..60).for_each(|x| mask.set(x, y, is_solid(x as i32, y as i32))));
    mask
}

#[test]
fn an_impact_has_the_normal_of_what_is_met_on_whichever_side_it_lies() {
    let (hero, block, dot) = (solid(9, 9), solid(31, 31), solid(1, 1));
    // Both around the origin.
    for ([x, y], expected) in WAYS {
        let offset = Point::new(-11 + 50 * x, -11 + 50 * y);
        let impact = hero.cast(&block, offset, [90 * x, 90 * y]).unwrap();
        assert_eq!(<[f32; 2]>::from(impact.normal), expected, "{x} {y}");
        assert_eq!((impact.free, impact.step), (Point::new(30 * x, 30 * y), 31));
        // From within, two pixels deep: out of it, whatever the motion.
        let offset = Point::new(-11 + 18 * x, -11 + 18 * y);
        for motion in [[0, 0], [7, 3], [-x, -y]] {
            let impact = hero.cast(&block, offset, motion).unwrap();
            assert_eq!((impact.step, <[f32; 2]>::from(impact.normal)), (0, expected));
        }
        // A pixel in a pixel says nothing of a slope: against the last step then.
        let impact = dot.cast(&dot, [5 * x, 5 * y], [9 * x, 9 * y]).unwrap();
        assert_eq!(<[f32; 2]>::from(impact.normal), expected);
    }
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for (x, y) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let slanting = [-x as f32 * half, -y as f32 * half];
        let impact = dot.cast(&dot, [5 * x, 5 * y], [9 * x, 9 * y]).unwrap();
        assert_eq!(<[f32; 2]>::from(impact.normal), slanting);
        // Slopes of 45 degrees, come at along both axes and straight.
        let slope = ramp(|px, py| {
            let along = |v: i32, sign: i32| if sign > 0 { v } else { 59 - v };
            along(px, x) + along(py, y) >= 59
        });
        for motion in [[80 * x, 0], [0, 80 * y], [80 * x, 80 * y]] {
            let offset = motion.map(|along| -26 + along / 2);
            let impact = hero.cast(&slope, offset, motion).unwrap();
            assert_eq!(<[f32; 2]>::from(impact.normal), slanting, "{motion:?}");
        }
    }
}

#[test]
fn a_turning_motion_has_the_normal_of_what_its_pose_meets() {
    let (small, large, wall) = (solid(3, 3), solid(11, 11), solid(41, 41));
    let pose = |mask: &'static Mask, at: i32| PosedRef {
        mask: mask.as_ref(),
        origin: Point::new(at, at),
        pivot2: 0,
    };
    let [small, large] = [small, large].map(|mask| -> &'static Mask { Box::leak(Box::new(mask)) });
    let poses = [pose(small, -1), pose(large, -5), pose(small, -1)];
    for ([x, y], expected) in WAYS {
        // Fewer poses than steps: the second is shown from step 4 on, and reaches as far as 9.
        let offset = Point::new(-20 + 29 * x, -20 + 29 * y);
        let met = PosedRef::cast_turning(&poses, &wall, offset, [10 * x, 10 * y]).unwrap();
        assert_eq!((met.step, met.pose, <[f32; 2]>::from(met.normal)), (4, 1, expected));
        // More poses than steps: it turns into the wall on the spot, two pixels deep.
        let offset = Point::new(-20 + 24 * x, -20 + 24 * y);
        let met = PosedRef::cast_turning(&poses, &wall, offset, [0, 0]).unwrap();
        assert_eq!((met.step, met.pose, <[f32; 2]>::from(met.normal)), (1, 1, expected));
    }
}

#[test]
fn a_slope_of_45_degrees_is_a_floor_or_a_ceiling() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for x in [half, -half] {
        assert_eq!(Normal { x, y: -half }.side(), Side::Below);
        assert_eq!(Normal { x, y: half }.side(), Side::Above);
    }
    assert_eq!(Normal { x: 0.8, y: 0.6 }.side(), Side::Left, "steeper is a wall");
    assert_eq!(Normal { x: -0.8, y: -0.6 }.side(), Side::Right);
}

#[test]
fn what_leans_as_much_as_it_rises_is_a_floor_or_a_ceiling() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for x in [-half, half] {
        assert_eq!(Normal { x, y: -half }.side(), Side::Below);
        assert_eq!(Normal { x, y: half }.side(), Side::Above);
    }
}

#[test]
fn a_mask_deep_inside_another_has_the_normal_of_its_shortest_way_out() {
    let (dot, slab) = (solid(3, 3), solid(100, 60));
    assert_eq!(dot.push_out(&slab, [-20, -50]), Some(Point::new(0, 10)));
    assert_eq!(normal(&dot, &slab, [-20, -50]), [0.0, 1.0]);
}

#[test]
fn the_way_out_of_a_ring_may_lead_inwards() {
    let (ring, dot) = (named("ring").mask(), solid(2, 2));
    // In the ring's left side, near its inner edge.
    let out = dot.push_out(&ring, [-10, -31]).unwrap();
    assert!(out.x > 0 && out.x < 4 && out.y == 0, "{out:?}");
}

#[test]
fn nothing_is_passed_through_at_any_speed_or_from_any_distance() {
    let (bullet, plate) = (solid(16, 16), solid(1, 3));
    for motion in [2_000_000_000, i32::MAX] {
        let impact = bullet.cast(&plate, [1_000_000_000, 7], [motion, 0]).unwrap();
        assert_eq!(impact.met, Point::new(1_000_000_000 - 15, 0));
    }
    // From one end of the range to the other.
    let impact = bullet.cast(&plate, [i32::MIN, i32::MIN], [i32::MIN, i32::MIN]).unwrap();
    assert_eq!(impact.met, Point::new(i32::MIN, i32::MIN));
}

#[test]
fn bad_input_has_a_defined_answer() {
    let block = solid(8, 8);
    let block_ref = block.as_ref();
    let far = [[i32::MIN, i32::MIN], [i32::MAX, i32::MAX], [i32::MIN, 0], [0, i32::MAX]];
    for offset in far {
        assert_eq!(block.push_out(&block, offset), None);
        assert_eq!(block_ref.push_along(&block, offset, [1, 1]), None);
        assert_eq!(block_ref.overlap_normal(&block, offset), None);
        assert_eq!(block.cast(&block, offset, [0, 0]), None);
        for motion in far {
            let _ = block.cast(&block, offset, motion);
            assert_eq!(
                block.cast(&block, [0, 0], motion).map(|i| (i.step, i.time())),
                Some((0, 0.0))
            );
            let away = block_ref.push_along(&block, [0, 0], motion).unwrap();
            assert_eq!(away.x.abs().max(away.y.abs()), 8);
        }
        assert!(block.distance(&block, offset).unwrap() > 2e9);
    }
    assert_eq!(block_ref.push_along(&block, [0, 0], [0, 0]), None, "no direction");
    for none in [Mask::new(0, 0).unwrap(), Mask::new(30, 0).unwrap(), Mask::new(30, 90).unwrap()] {
        for (a, b) in [(block_ref, none.as_ref()), (none.as_ref(), block_ref)] {
            assert_eq!(a.push_out(b, [0, 0]), None);
            assert_eq!(a.distance(b, [0, 0]), None);
            assert_eq!(a.cast(b, [-20, 0], [100, 0]), None);
            assert_eq!(a.move_until_contact(b, [-20, 0], [100, 0]), Point::new(100, 0));
        }
    }
    assert_eq!(PosedRef::cast_turning(&[], &block, [0, 0], [5, 5]), None);
}
