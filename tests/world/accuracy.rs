//! Accuracies: boxes, coarse levels and pixels.

use crate::{atlas, random_collider};
use hitmask::{
    Accuracy, Atlas, AtlasBuilder, Collider, ColliderShape, Flip, Mask, MinOverlap, Pair, Pivot,
    World,
};
use hitmask_scenes::Random;
use std::collections::BTreeSet;

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
    let contact = world.contact(Pair { a, b }).unwrap();
    assert_eq!((contact.rect, contact.area), (world.rect(b).unwrap(), 1));
}

/// Returns a lattice of bars, dots or a ring, so that boxes, cells and pixels give different
/// answers. `kind` selects one.
fn pierced(side: u32, kind: u32) -> Mask {
    let mut mask = Mask::new(side, side - side / 7).unwrap();
    for (x, y) in (0..mask.height()).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let from_center = |at: u32| i64::from(at) - i64::from(side / 2);
        let square = from_center(x).pow(2) + from_center(y).pow(2);
        let radius = i64::from(side / 2);
        let is_set = match kind % 3 {
            0 => x % 41 < 17 && (y / 9) % 4 == 0,
            1 => x % 31 == 3 && y % 27 == 5,
            _ => square <= radius.pow(2) && square >= (radius - 12).pow(2),
        };
        mask.set(x as i32, y as i32, is_set);
    }
    mask
}

/// The accuracies of the colliders of a random world.
const MIXTURES: [&[Accuracy]; 4] = [
    &[Accuracy::Exact],
    &[Accuracy::Coarse],
    &[Accuracy::Coarse, Accuracy::Exact],
    &[Accuracy::Box, Accuracy::Coarse, Accuracy::Exact],
];

/// A world of sprites with and without coarse levels, and of runtime masks.
struct MixedWorld {
    world: World,
    shapes: Vec<ColliderShape>,
    accuracies: &'static [Accuracy],
    with_rules: bool,
}

impl MixedWorld {
    fn new(accuracies: &'static [Accuracy], sides: &[u32], with_rules: bool) -> Self {
        let bake =
            sides.iter().enumerate().fold(AtlasBuilder::new().angles(4), |bake, (i, &side)| {
                bake.mask(format!("sprite {i}"), pierced(side, i as u32))
            });
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let mut shapes: Vec<ColliderShape> =
            atlas.sprites().map(|sprite| ColliderShape::Sprite(sprite.id())).collect();
        let mut world = World::new(atlas);
        if with_rules {
            for (kind, side) in [(0, 60), (2, 280)] {
                let mask =
                    world.masks_mut().insert(pierced(side, kind), Pivot::HalfTexels(5, 6)).unwrap();
                shapes.push(ColliderShape::Mask(mask));
            }
        }
        Self { world, shapes, accuracies, with_rules }
    }

    fn random_collider(&self, random: &mut Random) -> Collider {
        let mut below = |end: usize| random.below(end as u32) as usize;
        let shape = self.shapes[below(self.shapes.len())];
        let accuracy = self.accuracies[below(self.accuracies.len())];
        let at = [below(1300), below(1300)].map(|at| at as f32);
        // A runtime mask is shown as it is.
        let (angle, flip) = match shape {
            ColliderShape::Sprite(_) => {
                let angle = [0, 16_384, 32_768, 49_152][below(4)];
                (angle, Flip { x: below(2) == 0, y: below(2) == 0 })
            }
            ColliderShape::Mask(_) => (0, Flip::default()),
        };
        let min_overlap: MinOverlap = match (self.with_rules, below(6)) {
            (true, 0) => 30.into(),
            (true, 1) => [5, 4].into(),
            _ => 1.into(),
        };
        let layers = if self.with_rules && below(5) == 0 { 2 } else { 1 };
        let fixed = self.with_rules && below(4) == 0;
        let base = match shape {
            ColliderShape::Sprite(sprite) => Collider::new(sprite),
            ColliderShape::Mask(mask) => Collider::from_mask(mask),
        };
        let base = base.at(at).turned(hitmask::Angle::turn(angle)).flipped(flip);
        let collides_with = if layers == 2 { 1 } else { u32::MAX };
        Collider { accuracy, min_overlap, layers, collides_with, fixed, ..base }
    }

    /// Updates at `accuracy`, compares every pair with its explanation, and returns the touching
    /// pairs.
    fn touching_as_explained(&mut self, accuracy: Accuracy) -> BTreeSet<Pair> {
        self.world.set_accuracy(accuracy);
        self.world.update();
        let touching: BTreeSet<Pair> = self.world.touching().iter().copied().collect();
        let ids: Vec<_> = self.world.iter().map(|(id, _)| (id, self.world.rect(id))).collect();
        let mut compared = 0;
        for (i, &(a, rect)) in ids.iter().enumerate() {
            for &(b, other) in &ids[i + 1..] {
                let pair = Pair { a, b };
                let shared = rect.zip(other).and_then(|(rect, other)| rect.intersection(other));
                if shared.is_none() {
                    assert!(!touching.contains(&pair));
                    continue;
                }
                let explanation = self.world.pair(pair).and_then(|pair| pair.explain()).unwrap();
                let is_reported = touching.contains(&pair);
                assert_eq!(is_reported, explanation.touches, "{accuracy:?}: {explanation}");
                compared += 1;
            }
        }
        assert!(compared > 200, "only {compared} pairs of boxes overlap");
        touching
    }
}

#[test]
fn an_update_reports_what_each_pair_explains_at_every_mixture_of_accuracies() {
    let mut random = Random::new(5);
    let all_sides: [&[u32]; 3] = [&[40, 100, 60], &[300, 260, 301], &[40, 300, 100, 260, 300]];
    for (accuracies, sides) in
        MIXTURES.into_iter().flat_map(|mixture| all_sides.map(|sides| (mixture, sides)))
    {
        for with_rules in [false, true] {
            let mut mixed = MixedWorld::new(accuracies, sides, with_rules);
            let mut ids = Vec::new();
            for _ in 0..if sides[0] == 40 && sides.len() == 3 { 300 } else { 90 } {
                let collider = mixed.random_collider(&mut random);
                ids.push(mixed.world.insert(collider).unwrap());
            }
            for accuracy in [Accuracy::Coarse, Accuracy::Exact, Accuracy::Box, Accuracy::Coarse] {
                mixed.touching_as_explained(accuracy);
                // The next update tests the pairs of a few colliders only.
                for &id in ids.iter().step_by(9) {
                    let collider = mixed.random_collider(&mut random);
                    mixed.world.set(id, collider).unwrap();
                }
                mixed.touching_as_explained(accuracy);
            }
        }
    }
}

#[test]
fn sprites_with_coarse_levels_touch_more_often_the_coarser_the_accuracy() {
    let mut random = Random::new(6);
    for accuracies in MIXTURES {
        let mut mixed = MixedWorld::new(accuracies, &[40, 300, 100, 260, 300], false);
        for _ in 0..150 {
            let collider = mixed.random_collider(&mut random);
            mixed.world.insert(collider).unwrap();
        }
        let [boxes, coarse, exact] = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact]
            .map(|accuracy| mixed.touching_as_explained(accuracy));
        assert!(boxes.is_superset(&coarse) && coarse.is_superset(&exact));
        assert!(boxes.len() > coarse.len(), "cells exclude no pair");
        // The world's accuracy changes nothing where all colliders are coarse.
        let all_coarse = accuracies == [Accuracy::Coarse];
        assert_eq!(coarse.len() > exact.len(), !all_coarse, "cells report no extra pair");
    }
}
