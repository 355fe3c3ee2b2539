//! Worlds over an undrawn atlas, which draw poses when colliders show them, against worlds over the
//! same atlas drawn in full.

use hitmask::{
    Angle, AtlasBuilder, CallError, Collider, ColliderId, Flip, Placement, SpriteId, World,
};
use hitmask_scenes::naive::{all_kinds, forms};
use hitmask_scenes::{Random, named};

fn placement(random: &mut Random) -> Placement {
    let mut coordinate = || random.within(-1200, 1200) as f32 / 8.0;
    Placement { position: [coordinate(), coordinate()], angle: Angle::turn(random.bits() as u16) }
}

/// Returns the bytes of the poses that the colliders of a world show.
fn shown_bytes(world: &mut World) -> u64 {
    match world.atlases_mut().set_pose_budget(Some(0)) {
        Ok(()) => 0,
        Err(CallError::PoseBudget { needed, budget: 0 }) => needed,
        other => panic!("{other:?}"),
    }
}

#[test]
fn many_placements_at_once_draw_what_they_show() {
    let [drawn, undrawn] = forms(&all_kinds(0));
    let mut worlds = [&drawn, &undrawn].map(|atlas| World::new(atlas.clone()));
    let mut random = Random::new(3);
    let sprites = drawn.sprites().len() as u32;
    // Enough for several threads.
    for i in 0..12_000 {
        let collider = Collider::new(SpriteId::new(random.below(sprites)));
        let collider = Collider { fixed: i % 50 == 9, ..collider };
        let collider = collider.at(placement(&mut random).position.map(|v| v * 20.0));
        let collider = collider.flipped(Flip { x: i % 3 == 0, y: i % 5 == 0 });
        worlds.iter_mut().for_each(|world| _ = world.insert(collider).unwrap());
    }
    let mut ids: Vec<ColliderId> = worlds[0].iter().map(|(id, _)| id).collect();
    for round in 0..4 {
        let places: Vec<Placement> = ids
            .iter()
            .map(|_| {
                let Placement { position, angle } = placement(&mut random);
                Placement { position: position.map(|v| v * 20.0), angle }
            })
            .collect();
        for world in &mut worlds {
            world.set_placements(&ids, &places).unwrap();
            world.update();
        }
        assert_eq!(worlds[0].touching(), worlds[1].touching());
        assert_eq!(worlds[0].state_hash(), worlds[1].state_hash());
        assert_eq!(worlds[1].validate(), Ok(()));
        match round {
            0 => ids.reverse(),
            1 => ids.retain(|id| id.index() % 7 < 4),
            _ => ids.swap(3, 90),
        }
    }
    assert!(worlds[0].touching().len() > 1000);
}

/// Returns a world over one sprite of 64 angles, and a collider of it.
fn turning() -> (World, Collider) {
    let [_, undrawn] = forms(&AtlasBuilder::new().mask("hull", named("hull").mask()));
    let hull = Collider::new(undrawn.sprite_id("hull").unwrap());
    (World::new(undrawn), hull)
}

const fn turn(step: u16) -> Angle {
    Angle::turn(step << 10)
}

#[test]
fn a_budget_below_what_is_shown_is_refused_and_changes_nothing() {
    let (mut world, hull) = turning();
    let ids: Vec<ColliderId> =
        (0..6).map(|step| world.insert(hull.turned(turn(step))).unwrap()).collect();
    world.update();
    let (before, stats) = (world.state_hash(), world.pose_stats());
    let shown = shown_bytes(&mut world);
    assert_eq!((world.pose_stats().budget, world.pose_stats()), (None, stats));
    let refused = world.atlases_mut().set_pose_budget(Some(shown - 1)).unwrap_err();
    assert_eq!(refused, CallError::PoseBudget { needed: shown, budget: shown - 1 });
    assert!(refused.to_string().contains(&shown.to_string()), "{refused}");
    assert!(refused.help().contains(&shown.to_string()), "{}", refused.help());
    world.atlases_mut().set_pose_budget(Some(shown)).unwrap();
    assert_eq!(world.pose_stats().budget, Some(shown));
    // One more collider with a new pose does not fit; one with a shown pose does.
    let refused = world.insert(hull.turned(turn(9))).unwrap_err();
    assert!(matches!(refused, CallError::PoseBudget { budget, .. } if budget == shown));
    assert_eq!(world.state_hash(), before);
    let places: Vec<Placement> = (0..6)
        .map(|step| Placement { position: [0.0; 2], angle: turn(if step < 3 { 0 } else { step }) })
        .collect();
    let mut others = places.clone();
    others[1].angle = turn(20);
    world.atlases_mut().set_pose_budget(Some(shown + 1024)).unwrap();
    let more = world.set_placements(&ids[..2], &others[..2]);
    assert_eq!(more, Ok(()), "one pose leaves as another comes");
    world
        .restore(&{
            let mut same = World::new(world.atlas().clone());
            (0..6).for_each(|step| _ = same.insert(hull.turned(turn(step))).unwrap());
            same.update();
            same.snapshot()
        })
        .unwrap();
    assert_eq!((world.state_hash(), world.pose_stats().budget), (before, Some(shown + 1024)));
    let twelve: Vec<Placement> =
        (0..6).map(|i| Placement { position: [0.0; 2], angle: turn(30 + i) }).collect();
    world.atlases_mut().set_pose_budget(Some(shown)).unwrap();
    let mut crowd = World::new(world.atlas().clone());
    let both: Vec<ColliderId> = (0..12).map(|_| crowd.insert(hull).unwrap()).collect();
    crowd.atlases_mut().set_pose_budget(Some(shown)).unwrap();
    let hash = crowd.state_hash();
    let many: Vec<Placement> = places.iter().chain(&twelve).copied().collect();
    let refused = crowd.set_placements(&both, &many).unwrap_err();
    assert!(matches!(refused.cause(), CallError::PoseBudget { .. }), "{refused}");
    assert_eq!((crowd.state_hash(), crowd.validate()), (hash, Ok(())));
}

#[test]
fn the_poses_that_were_not_shown_for_the_longest_time_make_room() {
    let (mut world, hull) = turning();
    let id = world.insert(hull).unwrap();
    let show = |world: &mut World, step| {
        world.set(id, hull.turned(turn(step))).unwrap();
        let draws = world.pose_stats().draws;
        world.update();
        assert_eq!(world.validate(), Ok(()));
        draws
    };
    world.update();
    // Room for about 20 poses of 64.
    let pose = shown_bytes(&mut world);
    world.atlases_mut().set_pose_budget(Some(20 * pose)).unwrap();
    assert!((1..64).all(|step| show(&mut world, step) == 1));
    assert!(world.pose_stats().bytes <= 20 * pose);
    // The last ones are still there, the first ones are gone.
    assert!((56..64).all(|step| show(&mut world, step) == 0));
    assert_eq!(show(&mut world, 1), 1);
    // Without a budget all stay.
    world.atlases_mut().set_pose_budget(None).unwrap();
    (0..64).for_each(|step| _ = show(&mut world, step));
    assert!((0..64).all(|step| show(&mut world, step) == 0));
    assert_eq!(world.pose_stats().poses, 64);
    // A lower budget drops poses at once.
    world.atlases_mut().set_pose_budget(Some(8 * pose)).unwrap();
    let stats = world.pose_stats();
    assert!(stats.bytes <= 8 * pose && stats.poses < 16, "{stats:?}");
}

#[test]
fn a_world_without_colliders_accepts_any_budget() {
    let [_, undrawn] = forms(&all_kinds(0));
    let mut world = World::new(undrawn.clone());
    world.atlases_mut().set_pose_budget(Some(0)).unwrap();
    let stats = world.pose_stats();
    assert_eq!((stats.poses, stats.bytes, stats.budget), (0, 0, Some(0)));
    // Nothing fits, until the budget allows it. Poses that are no longer shown are dropped.
    let sprite = Collider::new(undrawn.sprite_id("large").unwrap());
    assert!(matches!(
        world.insert(sprite),
        Err(CallError::PoseBudget { needed: 128.., budget: 0 })
    ));
    world.atlases_mut().set_pose_budget(None).unwrap();
    let id = world.insert(sprite).unwrap();
    assert!(
        world.pose_stats().bytes >= 128 && world.atlases_mut().set_pose_budget(Some(0)).is_err()
    );
    world.remove(id).unwrap();
    world.atlases_mut().set_pose_budget(Some(0)).unwrap();
    assert_eq!((world.pose_stats().poses, world.pose_stats().bytes), (0, 0));
    assert_eq!(world.validate(), Ok(()));
}
