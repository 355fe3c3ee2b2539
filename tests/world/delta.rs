//! Updates of changes only: the same answers as a world that is rebuilt from nothing, after any
//! calls.

use crate::{assert_matches_brute_force, atlas, random_collider, with_rules};
use hitmask::{
    Accuracy, Affine, AlphaRule, Angle, Atlas, Collider, ColliderId, Filter, Mask, MaskId,
    MinOverlap, Pair, Pivot, Placement, Raster, Rect, Sampling, World, Zone,
};
use hitmask_scenes::{Random, cases};

/// Colliders at the start. One in eight may change between updates of changes only.
const COUNT: usize = 240;
/// Half the side of the square that the colliders lie in, in pixels.
const SIDE: i32 = 350;

fn full(width: u32, height: u32) -> Mask {
    let alpha = vec![255; (width * height) as usize];
    Mask::from_alpha(width, height, &alpha, AlphaRule::default()).unwrap()
}

/// A world under random calls.
struct Play {
    world: World,
    atlas: Atlas,
    random: Random,
    live: Vec<ColliderId>,
    masks: Vec<MaskId>,
    raster: std::sync::Arc<Raster>,
}

impl Play {
    fn new(seed: u64, with_masks: bool) -> Self {
        let (atlas, mut random) = (atlas(), Random::new(seed));
        let mut world = World::new(atlas.clone());
        let block: Mask = "####\n####\n####\n####\n".parse().unwrap();
        let raster = Raster::new(&block, Pivot::Center, Sampling::Nearest).unwrap();
        let raster = std::sync::Arc::new(raster);
        let mut masks = Vec::new();
        if with_masks {
            let big = full(90, 60);
            masks.push(world.masks_mut().insert(big, Pivot::HalfTexels(0, 0)).unwrap());
            let wide = Affine::scale([20.0, 9.0]);
            masks.push(world.masks_mut().insert_drawn(raster.clone(), wide).unwrap());
        }
        let mut play =
            Self { world, atlas, random: Random::new(seed + 1), live: vec![], masks, raster };
        for _ in 0..COUNT {
            let collider = play.collider(&mut random);
            play.live.push(play.world.insert(collider).unwrap());
        }
        play.world.update();
        play
    }

    fn collider(&self, random: &mut Random) -> Collider {
        let collider = random_collider(random, &self.atlas, SIDE);
        let collider = match self.masks.get(random.below(12) as usize) {
            Some(&mask) => Collider::from_mask(mask).at(collider.position),
            None => collider,
        };
        with_rules(random, collider)
    }

    fn pick(&mut self) -> usize {
        self.random.below(self.live.len() as u32) as usize
    }

    fn at(&mut self) -> [f32; 2] {
        [0; 2].map(|_| self.random.within(-SIDE, SIDE) as f32)
    }

    /// Makes one random call that changes something.
    fn change(&mut self) {
        let i = self.pick();
        let id = self.live[i];
        let collider = self.world.get(id).unwrap();
        let near = [0; 2].map(|_| self.random.within(-9, 10) as f32);
        let near = [collider.position[0] + near[0], collider.position[1] + near[1]];
        match self.random.below(24) {
            0 => {
                let mut random = self.random.clone();
                let collider = self.collider(&mut random);
                self.random = random;
                self.live.push(self.world.insert(collider).unwrap());
            }
            1 => {
                assert_eq!(self.world.remove(id), Some(collider));
                self.live.swap_remove(i);
            }
            2 => {
                let mut random = self.random.clone();
                let other = self.collider(&mut random);
                self.random = random;
                self.world.set(id, other).unwrap();
            }
            3 => self
                .world
                .set(id, Collider { layers: 1 << self.random.below(3), ..collider })
                .unwrap(),
            4 => self.world.set(id, Collider { enabled: !collider.enabled, ..collider }).unwrap(),
            5 => self.world.set(id, Collider { owner: self.random.below(3), ..collider }).unwrap(),
            6 => self.world.set(id, Collider { fixed: !collider.fixed, ..collider }).unwrap(),
            7 => self
                .world
                .set(
                    id,
                    Collider { min_overlap: MinOverlap::Pixels(self.random.below(90)), ..collider },
                )
                .unwrap(),
            8 => {
                let accuracy = [Accuracy::Box, Accuracy::Exact][self.random.below(2) as usize];
                self.world.set(id, Collider { accuracy, ..collider }).unwrap();
            }
            9..12 => {
                // A few at once: neighbouring slots, or scattered ones, in any order.
                let step = 1 + self.random.below(40) as usize;
                let ids: Vec<ColliderId> =
                    self.live.iter().cycle().skip(i).step_by(step).take(5).copied().collect();
                let placements: Vec<Placement> = ids
                    .iter()
                    .map(|&id| Placement {
                        position: self.at(),
                        angle: self.world.get(id).unwrap().angle,
                    })
                    .collect();
                self.world.set_placements(&ids, &placements).unwrap();
            }
            18 => {
                // All at once, but most stay where they are.
                let place = |(i, &id): (usize, &ColliderId)| {
                    let Collider { position: [x, y], angle, .. } = self.world.get(id).unwrap();
                    let right =
                        [0.0, 0.25, 3.0][usize::from(i % 2 == 0) + usize::from(i % 97 == 0)];
                    Placement { position: [x + right, y], angle }
                };
                let placements: Vec<Placement> = self.live.iter().enumerate().map(place).collect();
                self.world.set_placements(&self.live, &placements).unwrap();
            }
            12 if !self.masks.is_empty() => {
                // Within the same tight box, mostly.
                let [x, y] = [self.random.below(90) as i32, self.random.below(60) as i32];
                self.world.masks_mut().edit(self.masks[0], |mask| {
                    for (dx, dy) in (0..30).flat_map(|dx| (0..20).map(move |dy| (dx, dy))) {
                        mask.set((x + dx) % 90, (y + dy) % 60, (dx + dy + x) % 3 == 0);
                    }
                });
            }
            13 if !self.masks.is_empty() => {
                let turned = Affine::rotation(self.random.unit()) * Affine::scale([20.0, 9.0]);
                self.world.masks_mut().transform(self.masks[1], turned).unwrap();
            }
            14 if !self.masks.is_empty() => {
                self.world.masks_mut().redraw(self.masks[1], self.raster.clone()).unwrap();
            }
            15 => {
                let at = self.at();
                self.world.move_to(id, at).unwrap();
            }
            16 => {
                let _ = self.world.move_and_slide(id, [9.0, -4.0]);
            }
            17 if self
                .masks
                .iter()
                .all(|&mask| collider.shape != hitmask::ColliderShape::Mask(mask)) =>
            {
                let turned = collider.turned(Angle::turn(self.random.bits() as u16));
                self.world
                    .set(id, turned.scaled([1.0, 0.7][self.random.below(2) as usize]))
                    .unwrap();
            }
            _ => self.world.move_to(id, near).unwrap(),
        }
    }

    /// Updates the world. Compares it with one that was rebuilt from nothing.
    fn update(&mut self) {
        let Self { world, atlas, random, .. } = self;
        let mut rebuilt = World::from_snapshot([atlas.clone()], &world.snapshot()).unwrap();
        let refused = |pair: &Pair| (pair.a.index() + pair.b.index()).is_multiple_of(3);
        match random.below(10) {
            0 => {
                world.update_timed();
                rebuilt.update();
            }
            1 => {
                world.update_with(|touch| {
                    let pair = &touch.pair();
                    !refused(pair)
                });
                rebuilt.update_with(|touch| {
                    let pair = &touch.pair();
                    !refused(pair)
                });
            }
            2 => {
                world.update_with(|_| true);
                rebuilt.update();
            }
            3 => {
                let mut clone = world.clone();
                clone.update();
                world.update();
                assert_eq!(clone.snapshot(), world.snapshot());
                rebuilt.update();
                *world = clone;
            }
            _ => {
                world.update();
                rebuilt.update();
            }
        }
        assert_eq!(world.validate(), Ok(()));
        assert_eq!(world.touching(), rebuilt.touching());
        assert_eq!(world.began(), rebuilt.began());
        assert_eq!(world.ended(), rebuilt.ended());
        assert_eq!(world.state_hash(), rebuilt.state_hash());
        for _ in 0..3 {
            let [x, y] = [0; 2].map(|_| random.within(-SIDE, SIDE));
            let area = Rect::new(x, y, x + 200, y + 90);
            assert_eq!(
                world
                    .query(&Zone::rect(area), Filter { accuracy: Accuracy::Box, ..Filter::ALL })
                    .unwrap(),
                rebuilt
                    .query(&Zone::rect(area), Filter { accuracy: Accuracy::Box, ..Filter::ALL })
                    .unwrap()
            );
        }
    }
}

#[test]
fn an_update_of_changes_equals_one_from_nothing_after_any_calls() {
    // Unit tests of the update play more calls, by every way to update.
    for seed in 0..u64::from(cases(2, 6)) {
        let mut play = Play::new(seed, seed % 2 == 1);
        let mut saved = play.world.snapshot();
        for tick in 0..150 {
            // From none to more than an update of changes takes.
            for _ in 0..[0, 1, 2, 5, 12, 40][play.random.below(6) as usize] {
                play.change();
            }
            match play.random.below(40) {
                0 => play.world.set_accuracy(Accuracy::Box),
                1..4 => play.world.set_accuracy(Accuracy::Exact),
                4 => {
                    play.world.restore(&saved).unwrap();
                    play.live = play.world.iter().map(|(id, _)| id).collect();
                }
                5 => saved = play.world.snapshot(),
                _ => {}
            }
            play.update();
            if tick % 25 == 24 && play.masks.is_empty() && play.world.accuracy() == Accuracy::Exact
            {
                play.change();
                assert!(assert_matches_brute_force(&mut play.world, &play.atlas.clone()) > 20);
            }
        }
    }
}

#[test]
fn item11_an_update_tests_the_pairs_of_changed_colliders_alone() {
    let atlas = atlas();
    let mut random = Random::new(3);
    let mut world = World::new(atlas.clone());
    let colliders = (0..400).map(|_| random_collider(&mut random, &atlas, 300));
    let ids: Vec<ColliderId> = colliders.map(|c| world.insert(c).unwrap()).collect();
    let all = world.update_timed().pairs;
    let touching = world.touching().to_vec();
    assert!(touching.len() > 100);
    // Nothing changed: nothing is tested, and nothing begins or ends.
    assert_eq!(world.update_timed(), hitmask::UpdateTimings::default());
    assert_eq!((world.touching(), world.began(), world.ended()), (&touching[..], &[][..], &[][..]));
    // One moved away and back.
    let here = world.get(ids[7]).unwrap();
    let own = |pair: &&Pair| [pair.a, pair.b].contains(&ids[7]);
    let with_it: Vec<Pair> = touching.iter().filter(own).copied().collect();
    for (position, tested) in [([1e6, 0.0], 0..1), (here.position, 1..40)] {
        world.move_to(ids[7], position).unwrap();
        let pairs = world.update_timed().pairs;
        assert!(tested.contains(&pairs) && pairs < all, "{pairs} of {all}");
    }
    assert_eq!((world.touching(), world.began()), (&touching[..], &with_it[..]));
    // Another accuracy changes pairs of colliders that have not changed.
    world.set_accuracy(Accuracy::Box);
    assert_eq!(world.update_timed().pairs, all);
    assert!(world.touching().len() > touching.len());
    world.set_accuracy(Accuracy::Exact);
    world.update();
    assert_eq!(world.touching(), touching);
}

#[test]
fn few_changes_among_many_pairs_equal_an_update_from_nothing() {
    let atlas = atlas();
    let mut random = Random::new(8);
    let mut world = World::new(atlas.clone());
    let mut ids: Vec<ColliderId> = (0..2_000)
        .map(|_| {
            let collider = random_collider(&mut random, &atlas, 300);
            let fixed = random.below(9) == 0;
            world.insert(Collider { fixed, ..collider }).unwrap()
        })
        .collect();
    world.update();
    assert!(world.touching().len() > 10_000);
    for tick in 0..cases(20, 60) {
        // From none to more than are looked up one by one.
        for _ in 0..[0, 1, 2, 5, 9, 60][random.below(6) as usize] {
            let i = random.below(ids.len() as u32) as usize;
            let collider = world.get(ids[i]).unwrap();
            match random.below(6) {
                0 => {
                    world.remove(ids.swap_remove(i)).unwrap();
                }
                1 => ids.push(world.insert(random_collider(&mut random, &atlas, 300)).unwrap()),
                2 => world.set(ids[i], Collider { fixed: !collider.fixed, ..collider }).unwrap(),
                _ => {
                    let moved = [0; 2].map(|_| random.within(-9, 10) as f32);
                    let [x, y] = collider.position;
                    world.move_to(ids[i], [x + moved[0], y + moved[1]]).unwrap();
                }
            }
        }
        let mut rebuilt = World::from_snapshot([atlas.clone()], &world.snapshot()).unwrap();
        world.update();
        rebuilt.update();
        assert_eq!(world.validate(), Ok(()), "{tick}");
        assert_eq!(world.state_hash(), rebuilt.state_hash(), "{tick}");
    }
}

#[test]
fn a_collider_placed_on_its_own_pixel_has_not_changed() {
    let atlas = atlas();
    let mut random = Random::new(3);
    let mut world = World::new(atlas.clone());
    let ids: Vec<ColliderId> = (0..16_000)
        .map(|i| {
            let collider = random_collider(&mut random, &atlas, 2900);
            let position = collider.position.map(f32::floor);
            let fixed = i % 1000 == 999;
            world.insert(Collider { position, fixed, ..collider }).unwrap()
        })
        .collect();
    world.update();
    let placements = |world: &World, right: f32| -> Vec<Placement> {
        let all = ids.iter().map(|&id| world.get(id).unwrap());
        all.map(|Collider { position: [x, y], angle, .. }| Placement {
            position: [x + right, y],
            angle,
        })
        .collect()
    };
    let moving: Vec<bool> = ids.iter().map(|&id| !world.get(id).unwrap().fixed).collect();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = world.clone();
            let touching = world.touching().to_vec();
            for (right, one_by_one) in [(0.0, false), (0.25, false), (0.125, true)] {
                let places = placements(&world, right);
                let rests = ids.iter().zip(&places).zip(&moving).filter(|(_, moving)| **moving);
                let (some, places): (Vec<ColliderId>, Vec<Placement>) =
                    rests.map(|((id, place), _)| (*id, *place)).unzip();
                if one_by_one {
                    for (&id, place) in some.iter().zip(&places) {
                        world.move_to(id, place.position).unwrap();
                    }
                } else {
                    world.set_placements(&some, &places).unwrap();
                }
                assert_eq!(world.get(some[7]).unwrap().position, places[7].position);
                assert_eq!(world.update_timed(), hitmask::UpdateTimings::default());
                assert_eq!(world.touching(), touching);
            }
            // A few of all placed colliders move, in order of ids or in any order.
            for step in [1, 7] {
                let mut places = placements(&world, 0.0);
                for at in [5, 7_000, 15_900] {
                    places[at].position[0] += 20.0;
                }
                let order = |i: usize| i * step % ids.len();
                let (some, places): (Vec<ColliderId>, Vec<Placement>) =
                    (0..ids.len()).map(|i| (ids[order(i)], places[order(i)])).unzip();
                world.set_placements(&some, &places).unwrap();
                let mut rebuilt = World::from_snapshot([atlas.clone()], &world.snapshot()).unwrap();
                let (few, all) = (world.update_timed().pairs, rebuilt.update_timed().pairs);
                assert!(few < all / 100, "{few} of {all}");
                assert_eq!(world.validate(), Ok(()));
                assert_eq!(world.state_hash(), rebuilt.state_hash());
            }
        });
    }
}

#[test]
fn an_edit_within_the_same_box_changes_the_pairs_of_its_colliders() {
    let atlas = atlas();
    let dot = Collider::new(atlas.sprite_id("dot").unwrap());
    let mut world = World::new(atlas);
    for i in 0..200 {
        world.insert(dot.at([1000.0 + 50.0 * i as f32, 0.0])).unwrap();
    }
    let mask = world.masks_mut().insert(full(100, 50), Pivot::HalfTexels(0, 0)).unwrap();
    for fixed in [false, true] {
        let ground = Collider { fixed, ..Collider::from_mask(mask) };
        let a = world.insert(ground).unwrap();
        let b = world.insert(dot.at([50.0, 25.0])).unwrap();
        world.update();
        let before = world.rect(a);
        for solid in [false, true] {
            world.masks_mut().edit(mask, |mask| {
                for (x, y) in (20..80).flat_map(|x| (5..45).map(move |y| (x, y))) {
                    mask.set(x, y, solid);
                }
            });
            assert_eq!(world.rect(a), before);
            world.update();
            let pair = [Pair { a, b }];
            let (began, ended) = (world.began().to_vec(), world.ended().to_vec());
            assert_eq!(
                [began, ended],
                if solid { [pair.to_vec(), vec![]] } else { [vec![], pair.to_vec()] }
            );
        }
        // The slot that is freed last is reused first.
        world.remove(b);
        world.remove(a);
    }
}
