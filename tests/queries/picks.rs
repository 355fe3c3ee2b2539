//! Picks: the topmost collider under a pointer, or else the nearest.

use crate::atlas;
use hitmask::{Collider, ColliderId, Filter, World};
use hitmask_scenes::world_of;

#[test]
fn a_pick_takes_the_topmost_under_the_pointer_or_else_the_nearest() {
    let atlas = atlas();
    let [frame, hull] = ["frame", "hull"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let low = world.insert(Collider::new(hull).at([100.0, 100.0])).unwrap();
    let high = world.insert(Collider::new(hull).at([110.0, 100.0])).unwrap();
    let around = world.insert(Collider::new(frame).at([100.0, 100.0])).unwrap();
    let pick = |at: [f32; 2], radius: f32| {
        world.pick(at, radius, Filter::ALL, |id| if id == low { 2 } else { 1 }).unwrap()
    };
    assert_eq!(pick([105.0, 100.0], 0.0), Some(low), "the higher of two under the pointer");
    assert_eq!(pick([130.0, 90.0], 0.0), Some(high), "the only one under the pointer");
    assert_eq!(pick([100.0, 40.0], 0.0), Some(around));
    // Between the hulls and the frame, the nearer one is picked.
    assert_eq!(pick([100.0, 46.0], 0.0), None);
    assert_eq!(pick([100.0, 46.0], 10.0), Some(around));
    assert_eq!(pick([5000.0, 46.0], 10.0), None);
}

#[test]
fn the_pick_of_equal_heights_is_the_newest() {
    let (mut world, hull) = world_of(atlas(), "hull");
    let at = |x: f32| hull.at([x, 100.0]);
    let ids: Vec<ColliderId> =
        [100.0, 102.0, 104.0, 500.0, 500.0, 500.0].map(|x| world.insert(at(x)).unwrap()).into();
    let pick = |at: [f32; 2], radius, heights: [i32; 6]| {
        let height = |id: ColliderId| heights[id.index() as usize];
        world.pick(at, radius, Filter::ALL, height).unwrap()
    };
    let rect = world.rect(ids[3]).unwrap();
    let (under, beside) = ([102.0, 100.0], [rect.x1 as f32 + 2.5, 100.0]);
    assert_eq!(pick(under, 0.0, [0; 6]), Some(ids[2]));
    assert_eq!(pick(under, 0.0, [7, 7, 2, 9, 9, 9]), Some(ids[1]), "the newer of the two highest");
    assert_eq!(pick(under, 0.0, [7, 2, 7, 9, 9, 9]), Some(ids[2]));
    // Equally near, and only within the radius.
    assert_eq!(pick(beside, 0.0, [0; 6]), None);
    assert_eq!(pick(beside, 90.0, [0; 6]), Some(ids[5]));
    assert_eq!(pick(beside, 90.0, [9, 9, 9, 4, 4, 1]), Some(ids[4]));
    assert_eq!(pick(beside, 90.0, [9, 9, 9, 4, 1, 1]), Some(ids[3]));
}
