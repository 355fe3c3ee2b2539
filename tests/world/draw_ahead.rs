//! Poses that are drawn before colliders show them: worlds with and without them give the same answers, and a
//! pose that was drawn ahead is not drawn again.

use crate::random_collider;
use hitmask::{
    Angle, Atlas, AtlasBuilder, CallError, Collider, ColliderId, Mask, Pivot, Placement, World,
};
use hitmask_scenes::{Random, bake_of, named, open};

/// Returns an undrawn atlas of small sprites at 64 angles.
fn undrawn() -> Atlas {
    open(&bake_of(..100).scales([0.7, 1.0]).compact(true))
}

fn wave(atlas: &Atlas, seed: u64, count: usize) -> Vec<Collider> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random_collider(&mut random, atlas, 300)).collect()
}

#[test]
fn poses_drawn_ahead_are_not_drawn_again() {
    let atlas = undrawn();
    let (shown, ahead) = (wave(&atlas, 1, 200), wave(&atlas, 2, 3000));
    let [mut world, mut other] = [0; 2].map(|_| World::new(atlas.clone()));
    let ids = world.insert_all(&shown).unwrap();
    assert_eq!(other.insert_all(&shown).unwrap(), ids);
    world.update();
    other.update();
    assert_eq!(world.atlases_mut().draw_ahead(&ahead, |_| true), Ok(ahead.len()));
    assert_eq!(world.state_hash(), other.state_hash());
    let (drawn, bytes) = (world.pose_stats().draws, world.pose_stats().bytes);
    assert!(drawn > 300 && bytes > other.pose_stats().bytes, "{drawn}");
    for world in [&mut world, &mut other] {
        let more = world.insert_all(&ahead).unwrap();
        let places: Vec<Placement> = (ahead.iter().rev())
            .map(|collider| Placement { position: collider.position, angle: Angle::turn(0) })
            .collect();
        world.update();
        world.set_placements(&more, &places).unwrap();
        world.update();
    }
    assert_eq!(world.touching(), other.touching());
    assert_eq!(world.state_hash(), other.state_hash());
    assert_eq!(world.validate(), Ok(()));
    // One world more shows the same colliders at once: no pose of them is drawn by inserts.
    let mut third = World::new(atlas);
    third.atlases_mut().draw_ahead(&ahead, |_| true).unwrap();
    let drawn = third.pose_stats();
    third.insert_all(&ahead).unwrap();
    assert_eq!(third.pose_stats(), drawn);
}

#[test]
fn placements_find_poses_that_were_drawn_ahead() {
    let atlas = undrawn();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let mut world = World::new(atlas);
    let ids: Vec<ColliderId> = (0..16).map(|_| world.insert(hull).unwrap()).collect();
    let turns = (0..16).map(|i| Angle::turn(i << 12));
    let wave: Vec<Collider> = turns.clone().map(|angle| hull.turned(angle)).collect();
    world.atlases_mut().draw_ahead(&wave, |_| true).unwrap();
    world.update();
    let places: Vec<Placement> =
        turns.map(|angle| Placement { position: [3.5, -2.0], angle }).collect();
    world.set_placements(&ids, &places).unwrap();
    assert_eq!((world.pose_stats().draws, world.pose_stats().poses), (0, 16));
    assert_eq!(world.validate(), Ok(()));
}

#[test]
fn drawing_ahead_stops_where_it_is_told_and_goes_on_from_there() {
    let atlas = undrawn();
    let ahead = wave(&atlas, 3, 4000);
    let mut world = World::new(atlas.clone());
    assert_eq!(world.atlases_mut().draw_ahead(&ahead, |_| false), Ok(0));
    assert_eq!(world.pose_stats().poses, 0);
    let (mut rest, mut calls) = (&ahead[..], 0);
    while !rest.is_empty() {
        let mut asked = Vec::new();
        let done = world.atlases_mut().draw_ahead(rest, |bytes| {
            asked.push(bytes);
            bytes < 100_000
        });
        assert_eq!(asked[0], 0);
        assert!(asked.is_sorted() && asked.last().is_some_and(|last| *last < 600_000), "{asked:?}");
        let (drawn, later) = rest.split_at(done.unwrap());
        // Exactly the poses at the front are drawn.
        let poses = world.pose_stats().poses;
        assert_eq!(world.atlases_mut().draw_ahead(drawn, |_| false), Ok(drawn.len()));
        if !later.is_empty() {
            assert_eq!(world.atlases_mut().draw_ahead(later, |_| false), Ok(0));
        }
        assert_eq!(world.pose_stats().poses, poses);
        (rest, calls) = (later, calls + 1);
    }
    assert!(calls > 2, "{calls}");
    let mut whole = World::new(atlas);
    whole.atlases_mut().draw_ahead(&ahead, |_| true).unwrap();
    assert_eq!(world.pose_stats(), whole.pose_stats());
}

#[test]
fn nothing_is_drawn_ahead_for_masks_and_drawn_atlases() {
    let atlas = undrawn();
    let ahead = wave(&atlas, 4, 50);
    let mut drawn = World::new(atlas.drawn().unwrap());
    let never = |_| -> bool { panic!("nothing to draw") };
    assert_eq!(drawn.atlases_mut().draw_ahead(&ahead, never), Ok(50));
    let mut world = World::new(atlas);
    let mask = world.masks_mut().insert(Mask::disc(9).unwrap(), Pivot::Center).unwrap();
    assert_eq!(world.atlases_mut().draw_ahead(&[Collider::from_mask(mask)], never), Ok(1));
    assert_eq!(world.atlases_mut().draw_ahead(&[], never), Ok(0));
    assert_eq!(world.pose_stats().poses, 0);
}

#[test]
fn a_bad_collider_is_named_and_nothing_is_drawn_or_inserted() {
    let atlas = undrawn();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let mut world = World::new(atlas);
    let mask = world.masks_mut().insert(Mask::disc(9).unwrap(), Pivot::Center).unwrap();
    let before = world.state_hash();
    for bad in [
        hull.turned(f32::NAN),
        hull.scaled(9.0),
        hull.with_frame(1),
        hull.at([f32::INFINITY, 0.0]),
        Collider::from_mask(mask).turned(1.0),
    ] {
        let cause = world.insert(bad).unwrap_err();
        let list = [hull, hull.turned(1.0), bad, hull.with_plane(7)];
        let refused = world.atlases_mut().draw_ahead(&list, |_| true).unwrap_err();
        assert_eq!(refused.item(), Some(2));
        assert_eq!(refused.cause().to_string(), cause.to_string());
        assert_eq!(world.insert_all(&list).unwrap_err().to_string(), refused.to_string());
        assert_eq!((world.pose_stats().poses, world.len()), (0, 0));
        assert_eq!(world.state_hash(), before);
    }
}

#[test]
fn a_budget_keeps_shown_poses_and_those_of_the_list() {
    let bake = AtlasBuilder::new().mask("hull", named("hull").mask()).compact(true);
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let turned = |steps: std::ops::Range<u16>| -> Vec<Collider> {
        steps.map(|step| hull.turned(Angle::turn(step << 10))).collect()
    };
    let mut world = World::new(atlas.clone());
    world.insert_all(&turned(0..4)).unwrap();
    world.atlases_mut().draw_ahead(&turned(4..64), |_| true).unwrap();
    let all = world.pose_stats().bytes;
    let mut half = World::new(atlas.clone());
    half.atlases_mut().draw_ahead(&turned(0..36), |_| true).unwrap();
    let budget = half.pose_stats().bytes;
    // Most poses that no collider shows make room for others.
    world.atlases_mut().set_pose_budget(Some(budget)).unwrap();
    assert!(world.pose_stats().bytes <= budget && budget < all);
    for steps in [4..34, 34..64, 10..40] {
        assert_eq!(world.atlases_mut().draw_ahead(&turned(steps.clone()), |_| true), Ok(30));
        assert_eq!(world.atlases_mut().draw_ahead(&turned(steps), |_| panic!("drawn")), Ok(30));
        assert!(world.pose_stats().bytes <= budget);
        world.update();
        assert_eq!((world.touching().len(), world.validate()), (6, Ok(())));
    }
    let refused = world.atlases_mut().draw_ahead(&turned(4..64), |_| true).unwrap_err();
    assert!(matches!(refused.cause(), CallError::PoseBudget { .. }), "{refused}");
    assert!(refused.item().is_some_and(|item| item < 60), "{refused}");
    world.update();
    assert_eq!((world.touching().len(), world.validate()), (6, Ok(())));
    assert!(world.pose_stats().bytes <= budget);
}
