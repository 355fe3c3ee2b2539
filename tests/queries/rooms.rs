//! Moves in small rooms: walls, slopes, one-way platforms and the ends of the range.

use hitmask::{
    AtlasBuilder, Collider, ColliderId, Filter, Mask, MoveContact, MoveResult, MoveRules, Pivot,
    Point, Rect, Side, World,
};
use hitmask_scenes::{Random, mask_of, open, solid};

/// Creates a world of solid boxes: width, height, position and layers of each.
pub(crate) fn room(parts: &[(u32, u32, [f32; 2], u32)]) -> (World, Vec<ColliderId>) {
    let atlas = open(&AtlasBuilder::new().mask("dot", solid(1, 1)));
    let mut world = World::new(atlas);
    let mut ids = Vec::new();
    for &(w, h, at, layers) in parts {
        let mask = world.masks_mut().insert(solid(w, h), Pivot::HalfTexels(0, 0)).unwrap();
        let collider = Collider::from_mask(mask).at(at).on_layers(layers, u32::MAX);
        ids.push(world.insert(collider).unwrap());
    }
    world.update();
    (world, ids)
}

/// Moves a collider by rules.
pub(crate) fn walk(
    world: &mut World,
    id: ColliderId,
    motion: [f32; 2],
    rules: MoveRules,
) -> MoveResult {
    world.move_by_rules(id, motion, rules, Filter::SOLID).unwrap()
}

/// Moves a collider by rules among the contacts that `keep` accepts.
pub(crate) fn walk_by(
    world: &mut World,
    id: ColliderId,
    motion: [f32; 2],
    rules: MoveRules,
    keep: &dyn Fn(&MoveContact) -> bool,
) -> MoveResult {
    let filter = Filter { contacts: Some(keep), ..Filter::SOLID };
    world.move_by_rules(id, motion, rules, filter).unwrap()
}

#[test]
fn a_box_stops_flat_at_walls_slides_along_them_and_keeps_its_fraction() {
    let (mut world, ids) = room(&[
        (10, 10, [0.25, 0.25], 1),
        (20, 200, [50.0, -50.0], 1),
        (200, 20, [-100.0, 40.0], 1),
    ]);
    let moved = world.move_and_slide(ids[0], [1000.0, 5.5]).unwrap();
    assert_eq!(moved.position, [40.0, 5.75]);
    assert_eq!(moved.contacts, [(ids[1], Side::Right)]);
    assert!(!moved.blocked_on(Side::Left) && !moved.blocked_on(Side::Below));
    // Into the corner: both walls block, and nothing of the motion remains.
    let moved = world.move_and_slide(ids[0], [30.0, 300.0]).unwrap();
    assert_eq!(moved.position, [40.0, 30.0]);
    assert!(moved.blocked_on(Side::Right) && moved.blocked_on(Side::Below));
    for _ in 0..10 {
        let again = world.move_and_slide(ids[0], [3.0, 9.8]).unwrap();
        assert_eq!(again.position, moved.position, "the position does not creep");
    }
    // The first step away succeeds: the collider does not stick.
    let away = world.move_and_slide(ids[0], [-7.5, -2.25]).unwrap();
    assert_eq!((away.position, away.contacts.len()), ([32.5, 27.75], 0));
    assert_eq!(world.move_until_contact(ids[0], [0.25, 1.5], Filter::SOLID), Ok(None));
    assert_eq!(world.get(ids[0]).unwrap().position, [32.75, 29.25]);
    // Motions below 1 px add up.
    let (mut world, ids) = room(&[(4, 4, [0.0, 0.0], 1), (1, 99, [9.0, 0.0], 1)]);
    for _ in 0..40 {
        world.move_and_slide(ids[0], [0.25, 0.25]).unwrap();
    }
    // 5.5 would snap to pixel 6, inside the wall.
    assert_eq!(world.get(ids[0]).unwrap().position, [5.25, 10.0]);
}

#[test]
fn a_move_into_a_corner_has_a_contact_on_both_sides() {
    let (mut world, ids) = room(&[
        (10, 10, [0.0, 0.0], 1),
        (80, 10, [-35.0, 30.0], 1),
        (80, 10, [-35.0, -30.0], 1),
        (10, 80, [-30.0, -35.0], 1),
        (10, 80, [30.0, -35.0], 1),
    ]);
    let start = world.get(ids[0]).unwrap();
    // Into each corner of the room: two contacts, in the order in which they occur.
    for (motion, met) in [
        ([-90.0, -45.0], [(ids[3], Side::Left), (ids[2], Side::Above)]),
        ([-45.0, 90.0], [(ids[1], Side::Below), (ids[3], Side::Left)]),
        ([45.0, -90.0], [(ids[2], Side::Above), (ids[4], Side::Right)]),
    ] {
        assert_eq!(world.move_and_slide(ids[0], motion).unwrap().contacts, met);
        world.set(ids[0], start).unwrap();
    }
}

#[test]
fn overlaps_up_to_16_px_are_pushed_out_and_deeper_ones_do_not_block() {
    // The block's right edge is at 100. A post stands to the left of it, inside the block.
    let parts = |depth: i32| {
        let at = [(100 - depth) as f32, 30.0];
        room(&[
            (40, 40, at, 1),
            (100, 100, [0.0, 0.0], 1),
            (3, 200, [50.0, -50.0], 1),
            (200, 3, [0.0, 200.0], 1),
        ])
    };
    let (mut world, ids) = parts(16);
    let rest = world.move_and_slide(ids[0], [0.0, 0.0]).unwrap();
    assert_eq!(
        (rest.translation, rest.position),
        (Point::new(16, 0), [100.0, 30.0]),
        "pushed out of the block"
    );
    let (mut world, ids) = parts(16);
    let back = world.move_and_slide(ids[0], [-9.0, 5.0]).unwrap();
    assert_eq!((back.position, back.contacts), ([100.0, 35.0], vec![(ids[1], Side::Left)]));

    let (mut world, ids) = parts(17);
    let rest = world.move_and_slide(ids[0], [0.0, 0.0]).unwrap();
    assert_eq!(
        (rest.translation, rest.contacts.len()),
        (Point::default(), 0),
        "no free place within 16 px"
    );
    let through = world.move_and_slide(ids[0], [-80.0, 0.0]).unwrap();
    assert_eq!((through.position, through.contacts), ([53.0, 30.0], vec![(ids[2], Side::Left)]));
    let down = world.move_and_slide(ids[0], [0.0, 500.0]).unwrap();
    assert_eq!((down.position, down.contacts), ([53.0, 160.0], vec![(ids[3], Side::Below)]));
    // After the mover has left the block, the block is an obstacle again.
    let up = world.move_and_slide(ids[0], [0.0, -500.0]).unwrap();
    assert_eq!((up.position, up.contacts), ([53.0, 100.0], vec![(ids[1], Side::Above)]));
}

#[test]
fn a_slide_resumes_its_direction_where_the_floor_ends() {
    let (mut world, ids) =
        room(&[(10, 10, [0.0, 30.0], 1), (100, 8, [0.0, 40.0], 1), (8, 400, [300.0, -200.0], 1)]);
    let moved = world.move_and_slide(ids[0], [200.0, 20.0]).unwrap();
    assert_eq!(
        (moved.position, moved.contacts.len()),
        ([200.0, 50.0], 0),
        "past the floor's edge, and down"
    );
    // Along a wall that ends: the rest of the sideways motion follows then.
    world.set(ids[0], world.get(ids[0]).unwrap().at([290.0, 0.0])).unwrap();
    let moved = world.move_and_slide(ids[0], [30.0, 260.0]).unwrap();
    assert_eq!((moved.position, moved.contacts.len()), ([320.0, 260.0], 0));
}

#[test]
fn a_dot_beside_a_long_rail_is_hit_before_a_dot_on_the_rail() {
    let (mut world, ids) = room(&[(1, 1, [300.0, 2.0], 1)]);
    let mut rail = Mask::new(600, 3).unwrap();
    rail.fill_rect(Rect::new(0, 1, 600, 2), true);
    rail.set(400, 0, true);
    let mut insert = |mask: Mask| {
        let mask = world.masks_mut().insert(mask, Pivot::HalfTexels(0, 0)).unwrap();
        world.insert(Collider::from_mask(mask)).unwrap()
    };
    // The fork's prongs straddle the rail, so the boxes overlap at every step.
    let (rail, fork) = (insert(rail), insert("#\n.\n#".parse().unwrap()));
    world.update();
    let met = |world: &World| {
        let hit = world.cast(fork, [590.0, 0.0], Filter::SOLID).unwrap().unwrap();
        (hit.collider, hit.impact.step)
    };
    assert_eq!(met(&world), (ids[0], 300));
    world.remove(ids[0]);
    assert_eq!(met(&world), (rail, 400));
}

#[test]
fn stairs_of_many_colliders_are_climbed_to_any_height() {
    // Each step is a collider of its own, so the last lies far above the straight path.
    for rise in [1, 2] {
        let mut parts = vec![(4, 4, [0.0, 0.0], 1)];
        for step in 0..30 {
            let at = [4.0 + step as f32, (4 - rise * (step + 1)) as f32];
            parts.push((1, rise as u32, at, 1));
        }
        let (mut world, ids) = room(&parts);
        let usual = world.clone().move_and_slide(ids[0], [30.0, 0.0]).unwrap();
        let rules = MoveRules { climb: rise as u32, ..MoveRules::default() };
        let moved = walk(&mut world, ids[0], [30.0, 0.0], rules);
        assert_eq!(moved.translation, Point::new(30, -30 * rise));
        // The default rules climb 1 px per pixel sideways, and no more.
        let climbed = if rise == 1 { moved.translation } else { Point::default() };
        assert_eq!((usual.translation, usual.blocked_on(Side::Right)), (climbed, rise == 2));
    }
}

#[test]
fn a_bump_on_a_long_floor_stops_a_slide_at_its_edge() {
    let floor = (300, 8, [-20.0, 40.0], 1);
    for (high, by) in [(30, [90, 10]), (1, [150, 9])] {
        // A wall stops the slide; a doorstep is climbed at no cost to the motion.
        let bump = (9, high, [100.0, 40.0 - high as f32], 1);
        let (mut world, ids) = room(&[(10, 10, [0.0, 20.0], 1), floor, bump]);
        let moved = world.move_and_slide(ids[0], [150.0, 60.0]).unwrap();
        assert_eq!(moved.translation, Point::from(by), "a bump {high} high");
        assert_eq!(moved.blocked_on(Side::Right), high == 30);
        let back = world.move_and_slide(ids[0], [-500.0, 0.0]).unwrap();
        assert!(back.contacts.is_empty(), "no obstacle to the left");
        let (mut world, ids) = room(&[(10, 10, [0.0, 0.0], 1), (5, 90, [-40.0, -30.0], 1)]);
        let left = world.move_and_slide(ids[0], [-90.0, 0.0]).unwrap();
        assert_eq!(
            (left.translation, left.contacts),
            (Point::new(-35, 0), vec![(ids[1], Side::Left)])
        );
    }
}

#[test]
fn slipping_follows_the_motion_and_passes_through_nothing() {
    let pin = (1, 20, [0.0, 5.0], 1);
    let slip = MoveRules { climb: 0, slip: 1, ..MoveRules::default() };
    for (motion, end) in [([0.0, 10.0], 1), ([1.0, 20.0], 2), ([-1.0, 20.0], -2)] {
        let (mut world, ids) = room(&[(1, 1, [0.0, 0.0], 1), pin]);
        let moved = walk(&mut world, ids[0], motion, slip);
        assert_eq!(moved.translation, Point::new(end, motion[1] as i32), "{motion:?}");
    }
    // A low wall behind a ceiling 1 px thick: above the ceiling there would be room.
    let (mut world, ids) =
        room(&[(1, 1, [0.0, 0.0], 1), (1, 1, [1.0, 0.0], 1), (1, 1, [0.0, -1.0], 1)]);
    let rules = MoveRules { climb: 3, ..MoveRules::default() };
    let moved = walk(&mut world, ids[0], [5.0, 0.0], rules);
    assert_eq!(
        (moved.translation, moved.contacts),
        (Point::default(), vec![(ids[1], Side::Right)])
    );
}

#[test]
fn masks_at_the_ends_of_the_range_and_empty_masks_have_an_answer() {
    let (mut world, ids) = room(&[(8, 8, [0.0, 0.0], 1)]);
    let (dot, none) = (solid(3, 3), Mask::new(0, 5).unwrap());
    let ends = [i32::MIN, i32::MAX];
    for at in ends.into_iter().flat_map(|x| ends.map(|y| Point::new(x, y))) {
        assert_eq!(world.probe(&dot, at).touching(Filter::ALL), []);
        let free = world.probe(&dot, at).push_out(u32::MAX, Filter::ALL);
        assert_eq!(free, Some(Point::default()));
        assert_eq!(world.probe(&dot, at).cast([i32::MAX, 0], Filter::ALL), None);
        assert_eq!(world.probe(&dot, at).cast([0, i32::MIN], Filter::ALL), None);
    }
    // From far out to the middle of the range.
    let far = 2_000_000_000;
    let (id, impact) = world.probe(&dot, [-far, 0]).cast([i32::MAX, 0], Filter::ALL).unwrap();
    assert_eq!((id, impact.contact_offset), (ids[0], Point::new(far - 2, 0)));
    assert_eq!(world.probe(&none, [1, 1]).touching(Filter::ALL), []);
    assert_eq!(world.probe(&none, [-9, 0]).cast([99, 0], Filter::ALL), None);
    assert_eq!(world.probe(&none, [1, 1]).push_out(9, Filter::ALL), Some(Point::default()));
    assert_eq!(world.probe(&dot, [0, 0]).cast([0, 0], Filter::ALL).unwrap().1.step, 0);
    // With unlimited rules the mover climbs over the box at once, and continues.
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, 40.0])).unwrap();
    let mover = world.masks_mut().insert(solid(4, 4), Pivot::HalfTexels(0, 0)).unwrap();
    let mover = world.insert(Collider::from_mask(mover).at([-20.0, 40.0])).unwrap();
    let rules = MoveRules { climb: u32::MAX, slip: u32::MAX, one_way: 0, rise: u32::MAX };
    let over = walk(&mut world, mover, [40.0, 0.0], rules);
    assert_eq!((over.translation, over.contacts.len()), (Point::new(40, -4), 0));
}

#[test]
fn one_way_platforms_block_only_motion_from_above() {
    let platform = 0b10;
    let (mut world, ids) = room(&[(8, 8, [10.0, 60.0], 1), (60, 4, [0.0, 40.0], platform)]);
    let rules = MoveRules { one_way: platform, ..MoveRules::default() };
    let up = walk(&mut world, ids[0], [0.0, -25.0], rules);
    assert_eq!((up.position, up.contacts.len()), ([10.0, 35.0], 0), "up through the platform");
    let aside = walk(&mut world, ids[0], [20.0, 0.0], rules);
    assert_eq!(aside.position, [30.0, 35.0], "sideways inside the platform");
    let down = walk(&mut world, ids[0], [0.0, 2.0], rules);
    assert_eq!(down.position, [30.0, 37.0], "down out of the platform");
    walk(&mut world, ids[0], [0.0, -30.0], rules);
    let land = walk(&mut world, ids[0], [3.0, 500.0], rules);
    assert_eq!(land.position[1], 32.0, "lands on the platform at any speed");
    assert!(land.blocked_on(Side::Below));
    // Past the edge, sideways and down: the mover enters from the side.
    let (mut world, ids) = room(&[(8, 8, [-20.0, 36.0], 1), (60, 4, [0.0, 40.0], platform)]);
    let past = walk(&mut world, ids[0], [30.0, 3.0], rules);
    assert_eq!(past.position, [10.0, 39.0]);
}

#[test]
fn walkers_climb_slopes_and_gliders_slip_along_them() {
    let mut ground = Mask::new(200, 120).unwrap();
    for x in 0..200_u32 {
        (100 - x.min(100)..120).for_each(|y| ground.set(x as i32, y as i32, true));
    }
    let (mut world, ids) = room(&[(10, 10, [0.0, 0.0], 1)]);
    let ground = world.masks_mut().insert(ground, Pivot::HalfTexels(0, 0)).unwrap();
    world.insert(Collider::from_mask(ground).fixed()).unwrap();
    // Starts above the foot of the slope, falls onto it, and stands.
    world.set(ids[0], world.get(ids[0]).unwrap().at([-5.0, 0.0])).unwrap();
    let land = world.move_and_slide(ids[0], [0.0, 500.0]).unwrap();
    assert!(land.blocked_on(Side::Below));
    let stay = world.move_and_slide(ids[0], [0.0, 10.0]).unwrap();
    assert_eq!(stay.position, land.position, "the walker stands on the slope");
    let climb = world.move_and_slide(ids[0], [30.0, 2.0]).unwrap();
    assert_eq!(climb.translation, Point::new(30, -30), "the walker climbs the slope");
    let none = MoveRules { climb: 0, ..MoveRules::default() };
    let wall = walk(&mut world, ids[0], [30.0, 0.0], none);
    assert_eq!((wall.translation, wall.blocked_on(Side::Right)), (Point::new(0, 0), true));
    let slip = MoveRules { climb: 0, slip: 1, ..MoveRules::default() };
    let down = walk(&mut world, ids[0], [0.0, 20.0], slip);
    assert_eq!(down.translation, Point::new(-20, 20), "the glider slips along the slope");
}

/// Creates a world of runtime masks: the first is the mover, the others are one-way platforms.
fn platforms(parts: &[(Mask, [i32; 2])]) -> (World, ColliderId) {
    let (mut world, _) = room(&[]);
    let mut hero = None;
    for (mask, at) in parts {
        let mask = world.masks_mut().insert(mask.clone(), Pivot::HalfTexels(0, 0)).unwrap();
        let collider = Collider::from_mask(mask).at(at.map(|v| v as f32));
        let layer = if hero.is_some() { 2 } else { 1 };
        let id = world.insert(collider.on_layers(layer, u32::MAX)).unwrap();
        hero.get_or_insert(id);
    }
    world.update();
    (world, hero.unwrap())
}

const ONE_WAY: MoveRules = MoveRules { climb: 0, slip: 0, one_way: 2, rise: 0 };

#[test]
fn a_mover_that_leaves_a_one_way_platform_can_land_on_it_later() {
    let dot = || "#".parse::<Mask>().unwrap();
    let floors = "####\n....\n....\n....\n####".parse().unwrap();
    // Starts inside the upper floor, as after a jump through it.
    let (mut world, hero) = platforms(&[(dot(), [1, 0]), (floors, [0, 0])]);
    let moved = walk(&mut world, hero, [0.0, 10.0], ONE_WAY);
    assert_eq!((moved.translation, moved.contacts.len()), (Point::new(0, 3), 1));
    // Sideways through a post, then down onto the floor behind it.
    let post = "....#..........\n....#..........\n....#..........\n\n\n\n###############";
    let post = post.replace("\n\n\n", "\n...............\n...............\n...............\n");
    let (mut world, hero) = platforms(&[(dot(), [0, 0]), (post.parse().unwrap(), [0, 0])]);
    let moved = walk(&mut world, hero, [14.0, 7.0], ONE_WAY);
    assert_eq!((moved.translation.y, moved.contacts.len()), (5, 1));
}

#[test]
fn one_way_rules_apply_to_slides_as_well() {
    let rules = MoveRules { one_way: 2, ..MoveRules::default() };
    let wall = (10, 200, [30.0, -50.0], 1);
    // Into the corner of a platform and a wall.
    let (mut world, ids) = room(&[(8, 8, [0.0, 0.0], 1), (60, 4, [0.0, 40.0], 2), wall]);
    let moved = walk(&mut world, ids[0], [100.0, 100.0], rules);
    assert_eq!(moved.translation, Point::new(22, 32));
    assert!(moved.blocked_on(Side::Below) && moved.blocked_on(Side::Right));
    // With its feet inside the platform, deeper than a rise, the mover slides down along the wall.
    let (mut world, ids) = room(&[(8, 8, [22.0, 35.0], 1), (60, 4, [0.0, 40.0], 2), wall]);
    let moved = walk(&mut world, ids[0], [9.0, 9.0], rules);
    assert_eq!(moved.translation, Point::new(0, 9));
    // Up a doorstep, and sideways into a platform that lies on it.
    let (mut world, ids) =
        room(&[(8, 8, [0.0, 0.0], 1), (50, 1, [8.0, 7.0], 1), (50, 1, [8.0, 6.0], 2)]);
    let moved = walk(&mut world, ids[0], [9.0, 0.0], rules);
    assert_eq!((moved.translation, moved.contacts.len()), (Point::new(9, -1), 0));
    // Beside a post of a one-way mask that the mover never overlapped.
    let wall = (10, 200, [2.0, -50.0], 1);
    let (mut world, ids) = room(&[(1, 1, [1.0, 0.0], 1), wall]);
    let beside =
        world.masks_mut().insert("#.\n##".parse().unwrap(), Pivot::HalfTexels(0, 0)).unwrap();
    world.insert(Collider::from_mask(beside).on_layers(2, u32::MAX)).unwrap();
    let moved = walk(&mut world, ids[0], [3.0, 3.0], rules);
    assert_eq!((moved.translation, moved.contacts.len()), (Point::default(), 2));
    // Along a platform to a post of the same mask: the platform holds a mover that stands on it.
    let post = ".....###...\n###########".parse().unwrap();
    let (mut world, hero) = platforms(&[("#".parse().unwrap(), [0, 0]), (post, [0, 0])]);
    let moved = walk(&mut world, hero, [10.0, 3.0], ONE_WAY);
    assert_eq!((moved.translation, moved.contacts.len()), (Point::new(4, 0), 2));
}

#[test]
fn drops_onto_platforms_with_holes_end_where_steps_end() {
    let mut random = Random::new(8);
    let mut landed = 0;
    for seed in 0..300 {
        let mut holey = |w: u32, h: u32, of: u32| mask_of(w, h, |_, _| random.below(of) == 0);
        let hero = holey(5, 5, 2);
        let (one, other) = (holey(12, 30, 9), holey(20, 14, 7));
        let others = [(one, [-3, 2]), (other, [-6, 25])];
        let [(one, a), (other, b)] = &others;
        let touches = |y: i32| {
            [(one, a), (other, b)].map(|(mask, at)| hero.touches(mask, [at[0], at[1] - y]))
        };
        // A platform stops the drop if a step down starts an overlap with it.
        let stop = (1..60).find(|&y| {
            let (before, now) = (touches(y - 1), touches(y));
            (0..2).any(|i| now[i] && !before[i])
        });
        let parts = [(hero.clone(), [0, 0]), others[0].clone(), others[1].clone()];
        let (mut world, id) = platforms(&parts);
        let moved = walk(&mut world, id, [0.0, 59.0], ONE_WAY);
        assert_eq!(moved.translation, Point::new(0, stop.map_or(59, |y| y - 1)), "{seed}");
        landed += usize::from(stop.is_some());
    }
    assert!(landed > 200, "{landed}");
}
