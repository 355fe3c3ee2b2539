//! Normals of contacts at walls, corners and slopes.

use crate::solid;
use hitmask::{Mask, Normal, Point, PosedRef, Side};
use hitmask_scenes::{mask_of, named};

fn normal(a: &Mask, b: &Mask, offset: [i32; 2]) -> [f32; 2] {
    a.overlap(b, offset).unwrap().normal().into()
}

#[test]
fn normals_of_walls_floors_and_ceilings_are_axis_aligned() {
    let (hero, slab) = (named("fighter").mask(), solid(200, 200));
    for depth in [1, 2, 5] {
        let face = |offset: [i32; 2]| {
            let normal = hero.overlap(&slab, offset).unwrap().normal();
            ([normal.x, normal.y], normal.side(), normal.degrees())
        };
        // The fighter's pixels do not reach the edges of its image, so depths count from its tight
        // box.
        let tight = hero.bounds().unwrap();
        assert_eq!(face([-80, tight.y1 - depth]), ([0.0, -1.0], Side::Below, -90.0));
        assert_eq!(face([-80, tight.y0 + depth - 200]), ([0.0, 1.0], Side::Above, 90.0));
        assert_eq!(face([tight.x1 - depth, -80]).1, Side::Right);
        assert_eq!(face([tight.x1 - depth, -80]).0, [-1.0, 0.0]);
        assert_eq!(face([tight.x0 + depth - 200, -80]), ([1.0, 0.0], Side::Left, 0.0));
    }
}

#[test]
fn normals_of_corners_and_slopes_follow_their_angle() {
    let block = solid(20, 20);
    // Equally deep on both axes: the diagonal.
    let [x, y] = normal(&block, &block, [17, 17]);
    assert_eq!([x, y], [-std::f32::consts::FRAC_1_SQRT_2; 2]);
    // Deep on one axis and shallow on the other: out along the shallow one.
    let [x, y] = normal(&block, &block, [10, 18]);
    assert!(x < 0.0 && y < -0.97, "{x} {y}");

    // Ground that falls to the right, 1 px down per 1 px and per 2 px across.
    for (run, expected) in [(1, [0.707, -0.707]), (2, [0.447, -0.894])] {
        let slope = mask_of(400, 400, |x, y| y >= x / run);
        let ball = mask_of(41, 41, |x, y| (x - 20).pow(2) + (y - 20).pow(2) <= 400);
        // Dropped from above onto the slope, then 2 px into it.
        let free = ball.cast(&slope, [-180, 100], [0, 400]).unwrap().free_offset;
        let [x, y] = normal(&ball, &slope, [-180, 100 - free.y - 3]);
        assert!((x - expected[0]).abs() < 0.1 && (y - expected[1]).abs() < 0.1, "{x} {y}");
    }
}

/// Up, right, down and left: a motion, and the normal of the face that it hits.
const DIRECTIONS: [([i32; 2], [f32; 2]); 4] =
    [([0, -1], [0.0, 1.0]), ([1, 0], [-1.0, 0.0]), ([0, 1], [0.0, -1.0]), ([-1, 0], [1.0, 0.0])];

/// Returns a mask of 60 x 60 px with the pixels for which `is_solid(x, y)` is true.
fn ramp(is_solid: impl Fn(i32, i32) -> bool) -> Mask {
    mask_of(60, 60, is_solid)
}

#[test]
fn an_impact_has_the_normal_of_the_face_hit_on_any_side() {
    let (hero, block, dot) = (solid(9, 9), solid(31, 31), solid(1, 1));
    // The offsets center both masks on the origin.
    for ([x, y], expected) in DIRECTIONS {
        let offset = Point::new(-11 + 50 * x, -11 + 50 * y);
        let impact = hero.cast(&block, offset, [90 * x, 90 * y]).unwrap();
        assert_eq!(<[f32; 2]>::from(impact.normal), expected, "{x} {y}");
        assert_eq!((impact.free_offset, impact.step), (Point::new(30 * x, 30 * y), 31));
        // An overlap of 2 px: the normal points out, whatever the motion.
        let offset = Point::new(-11 + 18 * x, -11 + 18 * y);
        for motion in [[0, 0], [7, 3], [-x, -y]] {
            let impact = hero.cast(&block, offset, motion).unwrap();
            assert_eq!((impact.step, <[f32; 2]>::from(impact.normal)), (0, expected));
        }
        // A single pixel has no slope, so the normal opposes the last step.
        let impact = dot.cast(&dot, [5 * x, 5 * y], [9 * x, 9 * y]).unwrap();
        assert_eq!(<[f32; 2]>::from(impact.normal), expected);
    }
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for (x, y) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let slanting = [-x as f32 * half, -y as f32 * half];
        let impact = dot.cast(&dot, [5 * x, 5 * y], [9 * x, 9 * y]).unwrap();
        assert_eq!(<[f32; 2]>::from(impact.normal), slanting);
        // Slopes of 45 degrees, approached along each axis and along the normal.
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
fn a_turning_motion_has_the_normal_of_the_face_that_its_pose_hits() {
    let (small, large, wall) = (solid(3, 3), solid(11, 11), solid(41, 41));
    let pose = |mask: &'static Mask, at: i32| PosedRef {
        mask: mask.as_ref(),
        origin: Point::new(at, at),
        pivot2: [0; 2],
    };
    let [small, large] = [small, large].map(|mask| -> &'static Mask { Box::leak(Box::new(mask)) });
    let poses = [pose(small, -1), pose(large, -5), pose(small, -1)];
    for ([x, y], expected) in DIRECTIONS {
        // Fewer poses than steps: the second pose is shown from step 4 on, and would reach the wall
        // until step 9.
        let offset = Point::new(-20 + 29 * x, -20 + 29 * y);
        let met = PosedRef::cast_turning(&poses, &wall, offset, [10 * x, 10 * y]).unwrap();
        assert_eq!((met.step, met.pose, <[f32; 2]>::from(met.normal)), (4, 1, expected));
        // More poses than steps: the mask turns into the wall without moving, 2 px deep.
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
    assert_eq!(Normal { x: 0.8, y: 0.6 }.side(), Side::Left, "a steeper slope is a wall");
    assert_eq!(Normal { x: -0.8, y: -0.6 }.side(), Side::Right);
}

#[test]
fn a_mask_deep_inside_another_has_the_normal_of_its_shortest_way_out() {
    let (dot, slab) = (solid(3, 3), solid(100, 60));
    assert_eq!(dot.push_out(&slab, [-20, -50]), Some(Point::new(0, 10)));
    assert_eq!(normal(&dot, &slab, [-20, -50]), [0.0, 1.0]);
}
