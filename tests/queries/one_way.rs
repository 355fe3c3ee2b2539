//! One-way ramps, steps and platforms: walking on them, passing through them, and riding lifts.

use crate::rooms::{room, walk};
use hitmask::{
    Collider, ColliderId, Filter, Mask, MoveResult, MoveRules, Pivot, Point, Side, World,
};
use hitmask_scenes::{Random, solid};

/// Layer of the one-way colliders.
const ONE_WAY: u32 = 0b10;

fn rules(climb: u32) -> MoveRules {
    MoveRules { climb, one_way: ONE_WAY, ..MoveRules::default() }
}

/// Returns columns of pixels from each height up to the top, in a mask of the given height.
fn columns(heights: &[u32], tall: u32) -> Mask {
    let mut mask = Mask::new(heights.len() as u32, tall).unwrap();
    for (x, &height) in heights.iter().enumerate() {
        (tall - height..tall).for_each(|y| mask.set(x as i32, y as i32, true));
    }
    mask
}

fn insert(world: &mut World, mask: Mask, at: [i32; 2], layers: u32) -> ColliderId {
    let mask = world.masks_mut().insert(mask, Pivot::HalfTexels(0, 0)).unwrap();
    let collider = Collider::from_mask(mask).at(at.map(|v| v as f32));
    world.insert(collider.on_layers(layers, u32::MAX)).unwrap()
}

/// Returns a world with a body of 10 x 14 px that stands on the left end of terrain. The terrain is
/// cut into colliders of `tile` columns, which lie on the layers in turn.
fn terrain(heights: &[u32], tile: usize, layers: &[u32], body: &Mask) -> (World, ColliderId) {
    let (mut world, _) = room(&[]);
    let feet = heights.iter().take(body.width() as usize).max().unwrap();
    let at = [0, 200 - *feet as i32 - body.height() as i32];
    let hero = insert(&mut world, body.clone(), at, 1);
    for (i, part) in heights.chunks(tile).enumerate() {
        let at = [(i * tile) as i32, 0];
        insert(&mut world, columns(part, 200), at, layers[i % layers.len()]);
    }
    // Walls at both ends.
    for x in [-10, heights.len() as i32] {
        insert(&mut world, solid(10, 600), [x, -300], 1);
    }
    world.update();
    (world, hero)
}

/// Returns the heights of a ramp that rises by `rise` px per `run` px, between flat ends.
fn ramp(rise: u32, run: u32, length: u32) -> Vec<u32> {
    (0..length + 40).map(|x| 20 + x.saturating_sub(20).min(length) * rise / run).collect()
}

#[test]
fn a_walker_climbs_a_one_way_ramp_as_a_solid_one() {
    let (square, round) = (columns(&[14; 10], 14), Mask::disc(7).unwrap());
    let walkers = [
        (&square, [3.0, 0.0]),
        (&square, [2.0, 1.5]),
        (&square, [1.0, 0.4]),
        (&square, [7.0, 9.0]),
        (&square, [60.0, 5.0]),
        (&round, [1.5, 1.0]),
    ];
    for (rise, run) in [(1_u32, 1), (1, 2), (2, 3), (1, 3), (1, 4), (1, 5), (2, 1), (3, 1), (5, 1)]
    {
        let climb = rise.div_ceil(run);
        let heights = ramp(rise, run, 30);
        let top = *heights.last().unwrap() as i32;
        for (tile, (body, motion)) in
            [1, 8, 13, 100].into_iter().flat_map(|tile| walkers.map(|walker| (tile, walker)))
        {
            let (mut solid, hero) = terrain(&heights, tile, &[1], body);
            let (mut open, _) = terrain(&heights, tile, &[ONE_WAY], body);
            let message = format!("{rise}:{run} in {tile}s by {motion:?}");
            for tick in 0..(60.0 / motion[0]) as u32 {
                let truth = walk(&mut solid, hero, motion, rules(climb));
                let moved = walk(&mut open, hero, motion, rules(climb));
                assert_eq!(moved, truth, "{message}, tick {tick}");
            }
            assert_eq!(open.rect(hero).unwrap().y1, 200 - top, "{message}");
        }
    }
}

#[test]
fn random_one_way_terrain_is_walked_as_solid_terrain_is() {
    let mut climbed = 0;
    for seed in 0..120 {
        let mut random = Random::new(seed);
        let climb = 1 + random.below(4);
        let mut height = 60;
        let heights: Vec<u32> = (0..160)
            .map(|x| {
                if x >= 10 && random.below(3) == 0 {
                    let step = random.within(-(climb as i32), climb as i32 + 1);
                    height = (height + step).clamp(5, 150);
                }
                height as u32
            })
            .collect();
        let tile = [1, 7, 16, 160][random.below(4) as usize];
        let layers: &[u32] = [&[ONE_WAY][..], &[1, ONE_WAY]][random.below(2) as usize];
        let body = columns(&[14; 10], 14);
        let (mut solid, hero) = terrain(&heights, tile, &[1], &body);
        let (mut open, _) = terrain(&heights, tile, layers, &body);
        let mut fall = 0.0;
        for tick in 0..80 {
            let across = random.within(-2, 6) as f32 * 0.75;
            if random.below(12) == 0 {
                fall = -4.0;
            }
            let motion = [across, fall];
            let before = solid.get(hero).unwrap().position;
            let truth = walk(&mut solid, hero, motion, rules(climb));
            let moved = walk(&mut open, hero, motion, rules(climb));
            assert_eq!(
                (moved.position, moved.translation, &moved.contacts),
                (truth.position, truth.translation, &truth.contacts),
                "seed {seed}, tick {tick}: {motion:?} from {before:?}"
            );
            fall = if moved.blocked_on(Side::Below) { 0.4 } else { fall + 0.4 };
            climbed += usize::from(moved.translation.y < 0 && fall > 0.0);
        }
    }
    assert!(climbed > 300, "{climbed}");
}

#[test]
fn a_walker_climbs_from_solid_ground_onto_a_one_way_slope_and_passes_its_high_end() {
    // Ground up to row 100, and a one-way slope of 45 degrees on it from x = 40 to x = 70.
    let scene = |x: f32| {
        let (mut world, ids) = room(&[(8, 8, [x, 92.0], 1), (300, 20, [-50.0, 100.0], 1)]);
        let slope =
            insert(&mut world, columns(&(1..=30).collect::<Vec<_>>(), 30), [40, 70], ONE_WAY);
        (world, ids[0], slope)
    };
    let (mut world, hero, slope) = scene(0.0);
    for _ in 0..30 {
        walk(&mut world, hero, [2.0, 1.0], rules(1));
    }
    assert_eq!(world.rect(hero).unwrap().y1, 100 - (60 + 8 - 40), "on the slope");
    // Off the high end, the walker falls to the ground.
    for _ in 0..40 {
        walk(&mut world, hero, [2.0, 3.0], rules(1));
    }
    assert_eq!(world.rect(hero).unwrap().y1, 100, "walking off the edge falls");
    // Back through the high end, which is 30 px high: from the side it does not block.
    let back = walk(&mut world, hero, [-200.0, 0.0], rules(1));
    assert_eq!((back.translation, back.contacts), (Point::new(-200, 0), vec![]));
    // A jump that begins under the slope passes through it and lands on it.
    let (mut world, hero, _) = scene(58.0);
    let up = walk(&mut world, hero, [0.0, -50.0], rules(1));
    assert_eq!((up.translation.y, up.contacts), (-50, vec![]));
    let down = walk(&mut world, hero, [0.0, 50.0], rules(1));
    assert_eq!(down.contacts, [(slope, Side::Below)]);
    assert_eq!(world.rect(hero).unwrap().y1, 100 - (66 - 40));
    // With the slope left out, the walker drops through it to the ground.
    let drop = world
        .move_by_rules(
            hero,
            [0.0, 50.0],
            rules(1),
            Filter { keep: Some(&|id| id != slope), ..Filter::SOLID },
        )
        .unwrap();
    assert_eq!((drop.translation.y, world.rect(hero).unwrap().y1), (26, 100));
}

#[test]
fn steps_of_one_way_tiles_are_climbed_up_to_the_rule_and_no_higher() {
    for high in 1..=5 {
        for climb in 0..=5 {
            for one in [true, false] {
                // A tile to stand on, and one that is higher. As one collider, or as two.
                let heights: Vec<u32> =
                    (0..60).map(|x| 20 + if x < 30 { 0 } else { high }).collect();
                let tile = if one { 60 } else { 30 };
                let (mut world, hero) =
                    terrain(&heights, tile, &[ONE_WAY], &columns(&[14; 10], 14));
                let moved = walk(&mut world, hero, [40.0, 0.0], rules(climb));
                let truth = match (high <= climb, one) {
                    (true, _) => Point::new(40, -(high as i32)),
                    // The platform that a walker stands on blocks it like solid ground.
                    (false, true) => Point::new(20, 0),
                    // Another is passed through, as from any side.
                    (false, false) => Point::new(40, 0),
                };
                assert_eq!(moved.translation, truth, "{high} high, climb {climb}, one {one}");
                assert_eq!(moved.blocked_on(Side::Right), truth.x == 20);
            }
        }
    }
}

#[test]
fn jumps_pass_through_one_way_platforms_from_below_and_from_the_side() {
    // A platform of 4 px whose top is row 40, and bodies around it that touch nothing.
    for climb in [0, 1, 2] {
        for (at, motion) in [
            ([0.0, 60.0], [0.0, -50.0]),
            ([0.0, 60.0], [17.0, -50.0]),
            ([-30.0, 33.0], [90.0, 0.0]),
            ([-30.0, 36.0], [90.0, 5.0]),
            ([-30.0, 41.0], [90.0, -4.0]),
            ([80.0, 35.0], [-100.0, 0.0]),
        ] {
            let (mut world, ids) = room(&[(8, 10, at, 1), (60, 4, [-5.0, 40.0], ONE_WAY)]);
            let moved = walk(&mut world, ids[0], motion, rules(climb));
            let whole = Point::new(motion[0] as i32, motion[1] as i32);
            assert_eq!((moved.translation, moved.contacts), (whole, vec![]), "{at:?} {motion:?}");
        }
    }
    // A jump from one platform through the next, in steps of one tick.
    let (mut world, ids) = room(&[
        (8, 10, [0.0, 70.0], 1),
        (60, 4, [-5.0, 80.0], ONE_WAY),
        (60, 4, [-5.0, 50.0], ONE_WAY),
    ]);
    let mut speed = -9.0;
    let mut moved = walk(&mut world, ids[0], [1.0, speed], rules(1));
    while !moved.blocked_on(Side::Below) {
        speed += 0.75;
        moved = walk(&mut world, ids[0], [0.5, speed], rules(1));
    }
    assert_eq!((world.rect(ids[0]).unwrap().y1, moved.contacts), (50, vec![(ids[2], Side::Below)]));
}

/// Moves a platform by `dy` per tick under a resting body, and the body by `motion`.
fn ride(dy: f32, motion: [f32; 2], rules: MoveRules) -> (World, Vec<ColliderId>) {
    let (mut world, ids) = room(&[(8, 10, [10.0, 190.0], 1), (60, 4, [0.0, 200.0], ONE_WAY)]);
    for tick in 1..=20 {
        world.move_to(ids[1], [0.0, 200.0 + dy * tick as f32]).unwrap();
        walk(&mut world, ids[0], motion, rules);
        if tick % 2 == 0 {
            world.update();
        }
    }
    (world, ids)
}

#[test]
fn a_body_stays_on_a_one_way_platform_that_rises() {
    for rise in 0..=6 {
        let rules = MoveRules { rise, ..rules(1) };
        for dy in 1..=6 {
            for motion in [[0.0, 0.0], [0.0, 0.4], [0.25, 1.0], [0.0, 3.0], [-0.25, 9.0]] {
                let (world, ids) = ride(-(dy as f32), motion, rules);
                let (feet, top) = (world.rect(ids[0]).unwrap().y1, world.rect(ids[1]).unwrap().y0);
                let stays = dy <= rise;
                assert_eq!(feet == top, stays, "{dy} px per tick, rise {rise}, {motion:?}");
                assert!(stays || feet > top, "left below, inside the platform");
            }
        }
    }
    // By default the platform rises by at most 2 px per tick; fractions add up.
    assert_eq!(MoveRules::default().rise, 2);
    for dy in [-0.3, -1.0, -1.7, -2.0, 1.0] {
        let (world, ids) = ride(dy, [0.0, 3.0], rules(1));
        assert_eq!(world.rect(ids[0]).unwrap().y1, world.rect(ids[1]).unwrap().y0, "{dy} per tick");
    }
    // A jump is not raised.
    let (mut world, ids) = room(&[(8, 10, [10.0, 191.0], 1), (60, 4, [0.0, 200.0], ONE_WAY)]);
    let jump = walk(&mut world, ids[0], [0.0, -0.25], rules(1));
    assert_eq!(jump.position, [10.0, 190.75]);
}

#[test]
fn a_body_on_a_rising_ramp_and_between_two_lifts_is_raised() {
    let heights = ramp(1, 2, 40);
    let (mut world, hero) = terrain(&heights, 100, &[ONE_WAY], &columns(&[14; 10], 14));
    walk(&mut world, hero, [30.0, 2.0], rules(1));
    let ramp = world.iter().map(|(id, _)| id).nth(1).unwrap();
    let [_, y] = world.get(hero).unwrap().position;
    for tick in 1..=20 {
        world.move_to(ramp, [0.0, -(tick as f32)]).unwrap();
        let moved = walk(&mut world, hero, [0.0, 1.0], rules(1));
        assert_eq!(moved.contacts, [(ramp, Side::Below)]);
    }
    assert_eq!(world.get(hero).unwrap().position[1], y - 20.0);
    // Two platforms of different speeds: the higher one counts.
    let (mut world, ids) = room(&[
        (8, 10, [10.0, 190.0], 1),
        (12, 4, [0.0, 200.0], ONE_WAY),
        (12, 4, [14.0, 200.0], ONE_WAY),
    ]);
    for tick in 1..=9 {
        world.move_to(ids[1], [0.0, 200.0 - tick as f32]).unwrap();
        world.move_to(ids[2], [14.0, 200.0 - 2.0 * tick as f32]).unwrap();
        walk(&mut world, ids[0], [0.0, 2.0], rules(1));
        assert_eq!(world.rect(ids[0]).unwrap().y1, 200 - 2 * tick);
    }
}

#[test]
fn a_rising_platform_pushes_nothing_into_a_ceiling() {
    let (mut world, ids) = room(&[
        (8, 10, [10.0, 191.0], 1),
        (60, 4, [0.0, 200.0], ONE_WAY),
        (60, 4, [0.0, 187.0], 1),
    ]);
    let moved = walk(&mut world, ids[0], [0.0, 0.25], rules(1));
    assert_eq!((moved.translation, moved.stuck_in), (Point::default(), vec![]));
    world.move_to(ids[2], [0.0, 186.0]).unwrap();
    let moved = walk(&mut world, ids[0], [0.0, 0.25], rules(1));
    assert_eq!(moved.translation, Point::new(0, -1));
}

#[test]
fn a_platform_carries_a_body_that_takes_its_sideways_motion() {
    let (mut world, ids) = room(&[(8, 10, [10.0, 190.0], 1), (30, 4, [0.0, 200.0], ONE_WAY)]);
    for tick in 1..=40 {
        let by = [1.5, if tick < 20 { -1.0 } else { 1.0 }];
        let [x, y] = world.get(ids[1]).unwrap().position;
        world.move_to(ids[1], [x + by[0], y + by[1]]).unwrap();
        let moved = walk(&mut world, ids[0], [by[0], 1.5], rules(1));
        assert_eq!(moved.contacts, [(ids[1], Side::Below)]);
        assert_eq!(world.rect(ids[0]).unwrap().y1, world.rect(ids[1]).unwrap().y0);
    }
    let [hero, lift] = [ids[0], ids[1]].map(|id| world.get(id).unwrap().position[0]);
    assert_eq!(hero - lift, 10.0);
}

#[test]
fn a_body_crushed_between_a_lift_and_a_ceiling_names_the_lift() {
    // A shaft 8 px wide: the body can leave to no side.
    let scene = |up: f32| {
        room(&[
            (8, 10, [0.0, 100.0], 1),
            (8, 40, [0.0, 110.0 - up], 1),
            (60, 40, [-26.0, 58.0], 1),
            (40, 200, [-40.0, 0.0], 1),
            (40, 200, [8.0, 0.0], 1),
        ])
    };
    // 2 px of room above.
    for (up, by, stuck) in [(0.0, 0, false), (2.0, -2, false), (3.0, 0, true), (9.0, 0, true)] {
        let (mut world, ids) = scene(up);
        let moved: MoveResult = world.move_and_slide(ids[0], [0.0, 0.0]).unwrap();
        assert_eq!((moved.translation, moved.contacts.len()), (Point::new(0, by), 0), "{up} up");
        assert_eq!(moved.stuck_in, if stuck { vec![ids[1]] } else { vec![] });
    }
    // Crushed from both sides: both are named, in order.
    let (mut world, ids) = scene(4.0);
    world.move_to(ids[2], [-26.0, 61.0]).unwrap();
    let moved = world.move_and_slide(ids[0], [0.0, 0.0]).unwrap();
    assert_eq!(moved.stuck_in, [ids[1], ids[2]]);
    // A motion that carries the body out frees it.
    let (mut world, ids) = room(&[(4, 4, [40.0, 40.0], 1), (90, 90, [0.0, 0.0], 1)]);
    let inside = world.move_and_slide(ids[0], [10.0, 0.0]).unwrap();
    assert_eq!(inside.stuck_in, [ids[1]]);
    let outside = world.move_and_slide(ids[0], [200.0, 0.0]).unwrap();
    assert_eq!((outside.translation.x, outside.stuck_in), (200, vec![]));
}

#[test]
fn moves_of_any_length_end_at_the_same_places() {
    // A floor of 60,000 px, one-way or solid, walked along with gravity in one move.
    for layers in [1, ONE_WAY] {
        let (mut world, ids) = room(&[
            (8, 8, [0.0, 0.0], 1),
            (15_000, 4, [0.0, 8.0], layers),
            (15_000, 4, [15_000.0, 8.0], layers),
            (15_000, 4, [30_000.0, 8.0], layers),
            (15_000, 4, [45_000.0, 8.0], layers),
            (4, 90, [50_000.0, -40.0], 1),
        ]);
        let moved = walk(&mut world, ids[0], [4e6, 3e5], rules(1));
        assert_eq!(moved.translation, Point::new(49_992, 0), "layers {layers}");
        assert!(moved.blocked_on(Side::Below) && moved.blocked_on(Side::Right));
        let back = walk(&mut world, ids[0], [-4e6, 0.0], rules(1));
        assert_eq!((back.translation.x, back.contacts), (-4_000_000, vec![]));
    }
    let (mut world, ids) = room(&[(8, 8, [0.0, 0.0], 1)]);
    let gate = insert(&mut world, solid(4, 90), [3_000_000, 1_499_970], 1);
    world.set(gate, world.get(gate).unwrap().sensor()).unwrap();
    let moved = walk(&mut world, ids[0], [6e6, 3e6], rules(u32::MAX));
    assert_eq!((moved.translation, moved.passed), (Point::new(6_000_000, 3_000_000), vec![gate]));
}
