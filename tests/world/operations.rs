//! Insert, set and remove, in any order and at any position.

use crate::atlas;
use hitmask::{Accuracy, Collider, MAX_POSITION, World};
use hitmask_scenes::naive::Naive;

#[test]
fn colliders_at_the_ends_of_the_range_still_meet_exactly() {
    let atlas = atlas();
    let hull = atlas.sprite_id("hull").unwrap();
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        let mut world = World::new(atlas.clone());
        let corner = Collider::new(hull).at([x * MAX_POSITION, y * MAX_POSITION]);
        world.insert(corner).unwrap();
        world.insert(corner.turned(0.5)).unwrap();
        world.insert(Collider::new(hull).at([-x * MAX_POSITION, -y * MAX_POSITION])).unwrap();
        world.insert(Collider::new(hull)).unwrap();
        world.update();
        assert_eq!(world.touching(), Naive::of(&world).touching());
        assert_eq!((world.touching().len(), world.validate()), (1, Ok(())));
    }
}

#[test]
fn a_world_reports_its_colliders_and_its_accuracy() {
    let atlas = atlas();
    let mut world = World::new(atlas.clone());
    assert_eq!((world.is_empty(), world.len(), world.accuracy()), (true, 0, Accuracy::Exact));
    let id = world.insert(Collider::new(atlas.sprite_id("hull").unwrap())).unwrap();
    assert_eq!((world.is_empty(), world.len()), (false, 1));
    world.remove(id);
    assert_eq!((world.is_empty(), world.len()), (true, 0));
    for accuracy in [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact] {
        world.set_accuracy(accuracy);
        assert_eq!(world.accuracy(), accuracy);
        assert_eq!(world.clone().accuracy(), accuracy);
    }
}
