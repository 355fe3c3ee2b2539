//! Vetoes of a move that know the side and the normal of a contact.

use crate::rooms::{room, walk, walk_by};
use crate::{blocked, crowd};
use hitmask::{
    Collider, ColliderId, Filter, Mask, MoveContact, MoveRules, Normal, Pivot, Point, Side,
};
use hitmask_scenes::Random;
use std::cell::RefCell;

const RULES: MoveRules = MoveRules { climb: 0, slip: 0, one_way: 0, rise: 0 };

#[test]
fn a_veto_that_keeps_all_contacts_changes_nothing() {
    let mut stopped = 0;
    for seed in 90..93 {
        let mut world = crowd(seed);
        let mut random = Random::new(seed);
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        for &id in &ids {
            let before = world.get(id).unwrap();
            let motion = [random.within(-90, 91), random.within(-90, 91)].map(|v| v as f32);
            for rules in [RULES, MoveRules { one_way: 0b10, ..MoveRules::default() }] {
                let truth = walk(&mut world, id, motion, rules);
                world.set(id, before).unwrap();
                let moved = walk_by(&mut world, id, motion, rules, &|_| true);
                assert_eq!(moved, truth, "{motion:?} of {before:?}");
                world.set(id, before).unwrap();
                stopped += usize::from(!moved.contacts.is_empty());
            }
            // A veto of everything leaves the whole motion, from any start.
            let free = walk_by(&mut world, id, motion, RULES, &|_| false);
            let [x, y] = before.position;
            assert_eq!(free.position, [x + motion[0], y + motion[1]]);
            assert_eq!((free.contacts.len(), free.stuck_in.len()), (0, 0));
            world.set(id, before).unwrap();
        }
    }
    assert!(stopped > 100, "{stopped}");
}

#[test]
fn each_side_of_a_contact_can_be_refused() {
    let sides = [Side::Below, Side::Above, Side::Left, Side::Right];
    let motions = [
        ([0.0, 99.0], [0, 20]),
        ([0.0, -99.0], [0, -20]),
        ([-99.0, 0.0], [-20, 0]),
        ([99.0, 0.0], [20, 0]),
    ];
    for refused in sides.map(Some).into_iter().chain([None]) {
        for (wall, (side, (motion, by))) in (1..).zip(sides.into_iter().zip(motions)) {
            let (mut world, ids) = room(&[
                (10, 10, [0.0, 0.0], 1),
                (80, 10, [-35.0, 30.0], 1),
                (80, 10, [-35.0, -30.0], 1),
                (10, 80, [-30.0, -35.0], 1),
                (10, 80, [30.0, -35.0], 1),
            ]);
            let asked = RefCell::new(Vec::new());
            let moved = walk_by(&mut world, ids[0], motion, RULES, &|contact| {
                asked.borrow_mut().push(*contact);
                Some(contact.side) != refused
            });
            let whole = Point::new(motion[0] as i32, motion[1] as i32);
            let is_refused = Some(side) == refused;
            let truth = if is_refused { whole } else { Point::from(by) };
            assert_eq!(moved.translation, truth, "{side:?}, refused {refused:?}");
            let contacts = if is_refused { vec![] } else { vec![(ids[wall], side)] };
            assert_eq!(moved.contacts, contacts);
            for other in sides {
                assert_eq!(moved.blocked_on(other), other == side && !is_refused);
            }
            let against = |v: f32| if v == 0.0 { 0.0 } else { -v.signum() };
            for MoveContact { normal: met, .. } in asked.into_inner() {
                assert_eq!(<[f32; 2]>::from(met), motion.map(against));
            }
        }
    }
}

#[test]
fn a_jump_of_many_ticks_passes_a_refused_ceiling_and_lands_on_it() {
    for thick in [1, 4, 10, 30] {
        for across in [0.0, 1.5, 6.0] {
            let (mut world, ids) =
                room(&[(8, 12, [0.0, 60.0], 1), (400, thick, [-100.0, 50.0 - thick as f32], 1)]);
            let pass = |contact: &MoveContact| contact.side != Side::Above;
            for tick in 1..=20 {
                let moved = walk_by(&mut world, ids[0], [across, -4.0], RULES, &pass);
                let truth = [across * tick as f32, 60.0 - 4.0 * tick as f32];
                assert_eq!(moved.position, truth, "{thick} thick");
                assert_eq!(moved.contacts, []);
            }
            let land = walk_by(&mut world, ids[0], [0.0, 90.0], RULES, &pass);
            assert_eq!(land.contacts, [(ids[1], Side::Below)]);
            assert_eq!(land.position[1], 50.0 - thick as f32 - 12.0);
            // Without the veto the same jump ends at the ceiling.
            world.move_to(ids[0], [0.0, 60.0]).unwrap();
            let up = walk(&mut world, ids[0], [0.0, -40.0], RULES);
            assert_eq!((up.position, up.contacts), ([0.0, 50.0], vec![(ids[1], Side::Above)]));
        }
    }
}

#[test]
fn a_veto_by_normal_tells_slopes_from_walls() {
    // A slope of 45 degrees and a wall behind it, of one collider each.
    let mut slope = Mask::new(30, 30).unwrap();
    (0..30).for_each(|x| (29 - x..30).for_each(|y| slope.set(x, y, true)));
    for (steep, end) in [(true, 60), (false, 10)] {
        let (mut world, ids) = room(&[(10, 10, [0.0, 20.0], 1), (10, 60, [70.0, -20.0], 1)]);
        let mask = world.masks_mut().insert(slope.clone(), Pivot::HalfTexels(0, 0)).unwrap();
        world.insert(Collider::from_mask(mask).at([20.0, 0.0])).unwrap();
        let is_slope = |Normal { x, y, .. }: Normal| x.abs() > 0.3 && y.abs() > 0.3;
        let moved = walk_by(&mut world, ids[0], [300.0, 0.0], RULES, &|contact| {
            !(steep && is_slope(contact.normal))
        });
        assert_eq!(moved.translation, Point::new(end, 0), "slopes refused: {steep}");
        assert!(moved.blocked_on(Side::Right));
        if steep {
            assert_eq!(moved.contacts, [(ids[1], Side::Right)]);
        }
    }
}

#[test]
fn overlaps_at_the_start_are_asked_about() {
    // 3 px deep in a floor.
    let scene = || room(&[(10, 10, [0.0, 0.0], 1), (80, 10, [-35.0, 7.0], 1)]);
    for (motion, refused, by) in [
        ([0.0, 0.0], None, [0, -3]),
        ([0.0, 0.0], Some(Side::Below), [0, 0]),
        ([0.0, 5.0], Some(Side::Below), [0, 5]),
        ([0.0, 5.0], Some(Side::Above), [0, -3]),
        ([4.0, 5.0], Some(Side::Below), [4, 5]),
    ] {
        let (mut world, ids) = scene();
        let keep = |contact: &MoveContact| Some(contact.side) != refused;
        let moved = walk_by(&mut world, ids[0], motion, RULES, &keep);
        assert_eq!(moved.translation, Point::from(by), "{motion:?} {refused:?}");
        assert_eq!(blocked(&world, ids[0], Point::default()), by[1] >= 0);
    }
    // A one-way platform that has risen is asked about as a floor.
    let rules = MoveRules { one_way: 2, ..MoveRules::default() };
    for (keeps, by) in [(true, -2), (false, 9)] {
        let (mut world, ids) = room(&[(10, 10, [0.0, 0.0], 1), (80, 4, [-35.0, 8.0], 2)]);
        let keep = |contact: &MoveContact| keeps || contact.side != Side::Below;
        let moved = walk_by(&mut world, ids[0], [0.0, 9.0], rules, &keep);
        assert_eq!(moved.translation, Point::new(0, by));
    }
}

#[test]
fn a_refused_obstacle_beside_the_mover_does_not_turn_the_push_out() {
    let (mut world, ids) =
        room(&[(4, 4, [0.0, 0.0], 1), (4, 4, [-3.0, 0.0], 1), (4, 4, [4.0, 0.0], 1)]);
    for motion in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]] {
        let apart = |id: ColliderId| id != ids[2];
        let by_collider = world
            .move_by_rules(ids[0], motion, RULES, Filter { keep: Some(&apart), ..Filter::SOLID })
            .unwrap();
        world.move_to(ids[0], [0.0, 0.0]).unwrap();
        let keep = |contact: &MoveContact| apart(contact.collider);
        let by_contact = walk_by(&mut world, ids[0], motion, RULES, &keep);
        world.move_to(ids[0], [0.0, 0.0]).unwrap();
        assert_eq!(by_contact, by_collider, "{motion:?}");
        assert_eq!(by_contact.translation, Point::new(1 + motion[0] as i32, motion[1] as i32));
    }
    // Only the push to the right is refused, so the mover leaves upwards.
    let keep = |contact: &MoveContact| contact.collider != ids[2] || contact.side == Side::Right;
    let moved = walk_by(&mut world, ids[0], [0.0, 0.0], RULES, &keep);
    assert_eq!(moved.translation, Point::new(0, -4));
}

#[test]
fn a_veto_by_contact_that_refuses_colliders_moves_as_a_veto_by_collider() {
    let parts: Vec<_> =
        [(4, 4), (6, 9), (30, 3), (3, 25), (1, 1), (12, 2), (5, 5), (9, 14), (2, 2)]
            .into_iter()
            .map(|(w, h)| (w, h, [0.0, 0.0], 1))
            .collect();
    let (mut world, ids) = room(&parts);
    let mut random = Random::new(48);
    let (mut pushed, mut stopped, mut refusals) = (0, 0, 0);
    for case in 0..30_000 {
        let mut place = |reach: i32| [0; 2].map(|_| random.within(-reach, reach + 1) as f32);
        let hero = place(3);
        // Most obstacles begin close to the mover, so that many moves start from an overlap.
        let places: Vec<[f32; 2]> = ids.iter().map(|_| place(11)).collect();
        let motion = place(if case % 3 == 0 { 0 } else { 14 });
        for (at, &id) in places.into_iter().zip(&ids) {
            let collider = world.get(id).unwrap();
            let layers = if random.below(3) == 0 { 2 } else { 1 };
            let sensor = random.below(12) == 0;
            world.set(id, Collider { position: at, layers, sensor, ..collider }).unwrap();
        }
        let mover = ids[random.below(2) as usize];
        world.move_to(mover, hero).unwrap();
        let rules = MoveRules {
            climb: random.below(3),
            slip: random.below(2),
            one_way: if random.below(2) == 0 { 2 } else { 0 },
            rise: random.below(4),
        };
        let refused = random.bits() as u32;
        let keep = |id: ColliderId| refused >> id.index() & 1 == 0;
        let by_collider = world
            .move_by_rules(mover, motion, rules, Filter { keep: Some(&keep), ..Filter::SOLID })
            .unwrap();
        world.move_to(mover, hero).unwrap();
        let asked = RefCell::new(0);
        let keep_contact = |contact: &MoveContact| {
            *asked.borrow_mut() += usize::from(!keep(contact.collider));
            keep(contact.collider)
        };
        let by_contact = walk_by(&mut world, mover, motion, rules, &keep_contact);
        assert_eq!(by_contact, by_collider, "case {case}: {rules:?} {hero:?} {motion:?}");
        pushed += usize::from(motion == [0.0; 2] && by_contact.translation != Point::default());
        stopped += usize::from(!by_contact.contacts.is_empty());
        refusals += usize::from(asked.into_inner() > 0);
    }
    assert!(pushed > 1000 && stopped > 1000 && refusals > 1000, "{pushed} {stopped} {refusals}");
}
