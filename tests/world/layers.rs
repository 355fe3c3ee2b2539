//! Layers: which pairs may touch.

use crate::{assert_matches_brute_force, atlas, random_collider};
use hitmask::{Collider, Pair, World};
use hitmask_scenes::Random;

#[test]
fn layers_exclude_exactly_the_incompatible_pairs() {
    let atlas = atlas();
    let mut random = Random::new(11);
    let (mut plain, mut layered) = (World::new(atlas.clone()), World::new(atlas.clone()));
    for i in 0..900 {
        let mut collider = random_collider(&mut random, &atlas, 250);
        collider.fixed = i % 9 == 0;
        plain.insert(collider).unwrap();
        let (layers, collides_with) = match random.below(3) {
            0 => (2, !2),
            1 => (4, 0b10),
            _ => (collider.layers, collider.collides_with),
        };
        layered.insert(Collider { layers, collides_with, ..collider }).unwrap();
    }
    plain.update();
    layered.update();
    let meets = |pair: &&Pair| {
        let [a, b] = [pair.a, pair.b].map(|id| layered.get(id).unwrap());
        a.layers & b.collides_with != 0 && b.layers & a.collides_with != 0
    };
    let truth: Vec<Pair> = plain.touching().iter().filter(meets).copied().collect();
    assert_eq!(layered.touching(), truth);
    assert!(truth.len() > 200 && plain.touching().len() > truth.len() + 200);
}

#[test]
fn layers_apply_in_any_order_of_insertion() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let looks = [(1, u32::MAX), (2, 2), (2, u32::MAX)].map(|(l, c)| hull.on_layers(l, c));
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        // Tests after each insertion, so that each collider is once the newest.
        let mut world = World::new(atlas.clone());
        for look in order.map(|i| looks[i]) {
            world.insert(look).unwrap();
            assert_matches_brute_force(&mut world, &atlas);
        }
        assert_eq!(world.touching().len(), 2, "{order:?}");
    }
}
