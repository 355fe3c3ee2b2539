//! Push out, distances and casts against exhaustive searches, for masks of every kind.

use crate::solid;
use hitmask::{Mask, MaskRef, Normal, PixelPath, Point, PosedRef, reference};
use hitmask_scenes::{Random, mask_of, named};
use proptest::prelude::*;

/// Returns a mask of one of five kinds: solid, disc, ring, grid or scattered pixels.
fn mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let kind = random.below(5);
    let (cx, cy) = (width as i32 / 2, height as i32 / 2);
    let r = cx.min(cy).max(1);
    mask_of(width, height, |x, y| {
        let (dx, dy) = (x - cx, y - cy);
        let square = dx * dx + dy * dy;
        match kind {
            0 => true,
            1 => square <= r * r,
            2 => square <= r * r && square >= r * r / 3,
            3 => x % 7 == 0 || y % 9 == 0,
            _ => random.below(40) == 0,
        }
    })
}

fn assert_matches_reference(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) {
    let at = format!("{offset:?}\n{a:?}\n{b:?}");
    assert_eq!(a.push_out(b, offset), reference::push_out(a, b, offset), "push out {at}");
    if a.count() > 0 && b.count() > 0 {
        let nearest = reference::nearest(a, b, offset);
        assert_eq!(a.nearest(b, offset), Some(nearest), "nearest {at}");
        let length = f64::from(nearest.x).hypot(f64::from(nearest.y));
        assert!((a.distance(b, offset).unwrap() - length).abs() < 1e-9, "distance {at}");
    } else {
        assert_eq!((a.nearest(b, offset), a.distance(b, offset)), (None, None));
    }
}

/// Reference of a cast's normal, from the overlap areas at four offsets.
fn normal_at(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, path: &PixelPath, step: u32) -> Normal {
    let met = path.at(step);
    let at = offset - met;
    if step == 0 {
        return a.overlap(b, at).unwrap().normal();
    }
    let area = |x: i32, y: i32| a.overlap_area(b, at - Point::new(x, y)) as f64;
    let (x, y) = (area(-1, 0) - area(1, 0), area(0, -1) - area(0, 1));
    // Equal areas on both sides: the normal opposes the last step.
    let back = path.at(step - 1) - met;
    let (x, y) = if (x, y) == (0.0, 0.0) { (back.x.into(), back.y.into()) } else { (x, y) };
    let length = (x * x + y * y).sqrt();
    Normal { x: (x / length) as f32, y: (y / length) as f32 }
}

fn assert_cast_matches_reference(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, motion: Point) {
    let at = format!("{offset:?} by {motion:?}\n{a:?}\n{b:?}");
    let path = PixelPath::new(motion);
    let impact = a.cast(b, offset, motion);
    let truth = reference::cast(a, b, offset, motion);
    assert_eq!(impact.map(|i| i.step), truth, "cast {at}");
    if let Some(impact) = impact {
        assert_eq!(impact.contact_offset, path.at(impact.step), "{at}");
        assert_eq!(impact.free_offset, path.at(impact.step.saturating_sub(1)), "{at}");
        assert!((0.0..=1.0).contains(&impact.time()), "{at}");
        assert_eq!((impact.steps, impact.pose), (path.steps(), 0), "{at}");
        let free = f64::from(impact.step.saturating_sub(1)) / f64::from(path.steps().max(1));
        assert_eq!(impact.time(), free as f32, "{at}");
        assert_eq!(impact.normal, normal_at(a, b, offset, &path, impact.step), "{at}");
    }
    // The push along the motion: the first free pixel of a path long enough to leave the mask.
    let long = PixelPath::new([motion.x * 300, motion.y * 300]);
    let touches = a.touches(b, offset);
    let free = long.pixels().find(|p| !a.touches(b, [offset.x - p.x, offset.y - p.y]));
    let expected = if touches && motion != Point::default() { free } else { None };
    assert_eq!(a.push_along(b, offset, motion), expected, "push along {at}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn push_out_and_nearest_agree_with_an_exhaustive_search(
        (aw, ah, bw, bh) in (1_u32..90, 1_u32..50, 1_u32..90, 1_u32..50),
        (seed_a, seed_b) in any::<(u64, u64)>(),
        (x, y) in (0.0_f32..1.0, 0.0_f32..1.0),
        (flip_a, flip_b) in any::<(bool, bool)>(),
    ) {
        let (a, b) = (mask(aw, ah, seed_a), mask(bw, bh, seed_b));
        let flip = |mask: &Mask, flip: bool| if flip { mask.flip_y() } else { mask.clone() };
        let (a, b) = (flip(&a, flip_a), flip(&b, flip_b));
        // Offsets reach up to 10 px beyond those of overlapping boxes.
        let within = |t: f32, a: u32, b: u32| (t * (a + b + 20) as f32) as i32 - b as i32 - 10;
        assert_matches_reference(a.as_ref(), b.as_ref(), Point::new(within(x, aw, bw), within(y, ah, bh)));
    }

    #[test]
    fn a_cast_stops_where_stepping_stops(
        (aw, ah, bw, bh) in (1_u32..90, 1_u32..50, 1_u32..90, 1_u32..50),
        (seed_a, seed_b) in any::<(u64, u64)>(),
        (x, y) in (-150_i32..150, -150_i32..150),
        (dx, dy) in (-200_i32..200, -200_i32..200),
    ) {
        let (a, b) = (mask(aw, ah, seed_a), mask(bw, bh, seed_b));
        let (a, b) = (a.as_ref(), b.as_ref());
        assert_cast_matches_reference(a, b, Point::new(x, y), Point::new(dx, dy));
        // Along each axis, and from an overlap.
        assert_cast_matches_reference(a, b, Point::new(x, y % 20), Point::new(2 * x, 0));
        assert_cast_matches_reference(a.flip_y(), b, Point::new(x % 20, y), Point::new(0, 2 * y));
        assert_cast_matches_reference(a, b.flip_y(), Point::new(x % 20, y % 20), Point::new(dx, dy / 9));
    }

    #[test]
    fn a_turning_cast_agrees_with_stepping_through_its_poses(
        seeds in proptest::collection::vec(any::<u64>(), 1..12),
        (x, y) in (-40_i32..60, -40_i32..60),
        (dx, dy) in (-30_i32..30, -30_i32..30),
    ) {
        let masks: Vec<Mask> = seeds.iter().map(|&s| mask(20, 14 + (s % 9) as u32, s)).collect();
        let origin = |i: usize| Point::new(-(i as i32), i as i32 - 5);
        let posed = |(i, mask): (usize, &Mask)| {
            // Poses are trimmed to their tight boxes.
            (i, mask.trimmed().0)
        };
        let trimmed: Vec<(usize, Mask)> = masks.iter().enumerate().map(posed).collect();
        let poses: Vec<PosedRef<'_>> = trimmed
            .iter()
            .map(|(i, mask)| PosedRef { mask: mask.as_ref(), origin: origin(*i), pivot2: [0; 2] })
            .collect();
        let other = mask(30, 30, seeds[0] ^ 1);
        // More steps than poses, and more poses than steps.
        for motion in [[dx, dy], [dx / 9, dy / 9]] {
            let path = PixelPath::new(motion);
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
                (i.step as usize, i.steps as usize, i.free_offset, i.contact_offset, i.pose as usize)
            });
            prop_assert_eq!(found, truth);
        }
    }
}

#[test]
fn push_out_agrees_with_a_search_at_every_width_class_up_to_97() {
    // Grids have more runs per row than one pass of the search holds.
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
                        reference::push_out(a, b, at),
                        "at {at:?}\n{a:?}\n{b:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn large_masks_are_pushed_out_and_hit_as_small_ones_are() {
    // Wider than the fast path for 16-bit coordinates, and deeper than the first search radius.
    let level = mask_of(9000, 300, |x, y| y >= 100 + (x / 40) % 30);
    let ship = named("hull").mask();
    let (ship, level) = (ship.as_ref(), level.as_ref());
    for x in [0, 1000, 4090, 7000, 8930] {
        for y in [-30, -39, -60, -120] {
            let offset = Point::new(-x, y);
            assert_eq!(ship.push_out(level, offset), reference::push_out(ship, level, offset));
        }
        let falls = Point::new(-x, 200);
        for motion in [[0, 500], [300, 500], [8000, 150], [-8000, 200], [5000, -20]] {
            assert_cast_step_matches_reference(ship, level, falls, motion.into());
            let back = Point::new(-motion[0], -motion[1]);
            assert_cast_step_matches_reference(level, ship, Point::new(x, -200), back);
        }
    }
}

#[test]
fn a_straight_cast_along_a_rail_ends_at_the_plug_on_it() {
    // The rail runs through the fork's gap: the boxes overlap all along, so pixels decide.
    let set = |mask: &mut Mask, upright: bool, x: u32, y: u32| {
        if upright {
            mask.set(y as i32, x as i32, true)
        } else {
            mask.set(x as i32, y as i32, true)
        }
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
            // Forwards up to the plug or short of it, and backwards from the other end.
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

fn assert_cast_step_matches_reference(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
    motion: Point,
) {
    let step = a.cast(b, offset, motion).map(|impact| impact.step);
    assert_eq!(step, reference::cast(a, b, offset, motion), "{offset:?} {motion:?}");
}

#[test]
fn the_push_out_of_a_ring_may_lead_inwards() {
    let (ring, dot) = (named("ring").mask(), solid(2, 2));
    // Inside the left side of the ring, near its inner edge.
    let out = dot.push_out(&ring, [-10, -31]).unwrap();
    assert!(out.x > 0 && out.x < 4 && out.y == 0, "{out:?}");
}
