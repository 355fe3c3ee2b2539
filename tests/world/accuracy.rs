//! Accuracies: boxes, coarse levels and pixels.

use crate::atlas;
use hitmask::{Accuracy, Collider, Pair, World};

#[test]
fn a_sprite_without_pixels_touches_nothing_and_has_no_box() {
    let atlas = atlas();
    let mut world = World::new(atlas.clone());
    let empty = world.insert(Collider::new(atlas.sprite_id("empty").unwrap())).unwrap();
    let blank_frame = Collider::new(atlas.sprite_id("walk").unwrap()).with_frame(2);
    let blank = world.insert(blank_frame).unwrap();
    let hull = world.insert(Collider::new(atlas.sprite_id("hull").unwrap())).unwrap();
    world.update();
    assert_eq!(world.touching(), []);
    assert_eq!(world.rect(empty).or(world.rect(blank)), None);
    assert!(world.rect(hull).is_some());
    assert_eq!(world.contact(Pair { a: empty, b: hull }), None);
}

#[test]
fn a_box_counts_as_solid_and_its_contact_is_the_shared_rectangle() {
    let atlas = atlas();
    let frame = Collider::new(atlas.sprite_id("frame").unwrap());
    let dot = Collider::new(atlas.sprite_id("dot").unwrap());
    let mut world = World::new(atlas);
    let (a, b) = (world.insert(frame).unwrap(), world.insert(dot.at([3.0, 4.0])).unwrap());
    world.update();
    assert_eq!(world.touching(), [], "the dot lies in the hole of the frame");
    world.set_accuracy(Accuracy::Box);
    world.update();
    assert_eq!(world.touching(), [Pair { a, b }]);
    let contact = world.contact(Pair { a, b }).unwrap();
    assert_eq!((contact.rect, contact.area), (world.rect(b).unwrap(), 1));
}
