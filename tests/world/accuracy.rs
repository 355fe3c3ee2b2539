//! Accuracies: boxes, coarse levels and pixels.

use crate::{atlas, random_collider};
use hitmask::{Accuracy, Collider, Pair, World};
use hitmask_scenes::Random;

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
    assert_eq!(world.contact(&Pair { a: empty, b: hull }), None);
}

#[test]
fn each_accuracy_reports_every_pair_of_a_finer_one() {
    let atlas = atlas();
    let mut random = Random::new(77);
    let mut world = World::new(atlas.clone());
    for _ in 0..300 {
        world.insert(random_collider(&mut random, &atlas, 400)).unwrap();
    }
    let mut pairs = |accuracy| {
        world.set_accuracy(accuracy);
        world.update();
        for pair in world.touching() {
            assert!(world.contact(pair).is_some());
        }
        world.touching().to_vec()
    };
    let levels = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact].map(&mut pairs);
    assert!(levels[0].len() > levels[1].len(), "boxes report no extra pair");
    for finer in levels.windows(2) {
        assert!(finer[1].iter().all(|pair| finer[0].binary_search(pair).is_ok()));
    }
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
    let contact = world.contact(&Pair { a, b }).unwrap();
    assert_eq!((contact.rect, contact.area), (world.rect(b).unwrap(), 1));
}
