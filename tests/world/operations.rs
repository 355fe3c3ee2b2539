//! Insert, set and remove, in any order and at any position.

use crate::atlas;
use hitmask::{Accuracy, CallError, Collider, ColliderShape, MAX_POSITION, SpriteId, World};
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
fn a_refused_placement_leaves_the_world_as_it_was() {
    let atlas = atlas();
    let hull = atlas.sprite_id("hull").unwrap();
    let good = Collider::new(hull).at([5.0, 5.0]);
    let mut world = World::new(atlas.clone());
    let id = world.insert(good).unwrap();
    world.insert(good).unwrap();
    world.update();
    let before = (world.len(), world.touching().to_vec());
    let nan = f32::NAN;
    for bad in [
        good.at([nan, 0.0]),
        good.at([0.0, f32::INFINITY]),
        good.at([0.0, -1.1e9]),
        good.turned(nan),
        good.turned(f32::NEG_INFINITY),
        good.scaled(0.0),
        good.scaled(-1.0),
        good.scaled(nan),
        good.with_frame(1),
        Collider { shape: ColliderShape::Sprite(SpriteId::new(1000)), ..good },
    ] {
        let refused = world.insert(bad).unwrap_err();
        let expected = |e: &CallError| match *e {
            CallError::Position([x, y]) => !(x.is_finite() && y.is_finite()) || y.abs() > 1e9,
            CallError::Number { name: "angle", .. } => bad.angle != good.angle,
            CallError::Number { name: "scale", .. } => bad.scale != 1.0,
            CallError::UnknownFrame { frame: 1, frames: 1 } => bad.frame == 1,
            CallError::UnknownSprite { sprite, sprites } => {
                sprite.index() == 1000 && sprites as usize == atlas.sprites().len()
            }
            _ => false,
        };
        assert!(expected(&refused), "{bad:?}: {refused}");
        assert!(expected(&world.set(id, bad).unwrap_err()));
        assert_eq!(world.get(id), Some(good));
        world.update();
        assert_eq!((world.len(), world.touching().to_vec()), before);
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
