//! Worlds on many threads, in pools of their own and inside the jobs of a pool; and callbacks that
//! panic in the middle of an update.

use hitmask::{
    Angle, Atlas, AtlasBuilder, Collider, ColliderId, Mask, Pair, Pivot, Placement, SpriteId, World,
};
use hitmask_scenes::{Random, all, open, solid};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

fn atlas(is_compact: bool) -> Atlas {
    let sprites = all();
    let sprites = sprites.iter().filter(|sprite| sprite.width < 80);
    let bake = sprites.fold(AtlasBuilder::new().angles(16), |bake, p| bake.mask(p.name, p.mask()));
    open(&bake.compact(is_compact))
}

fn placement(random: &mut Random, side: f32) -> Placement {
    let position = [random.unit() * side, random.unit() * side];
    Placement { position, angle: Angle::turn(random.bits() as u16) }
}

/// Plays a world and returns its state after each tick.
fn play(atlas: &Atlas, seed: u64, count: usize) -> Vec<u64> {
    let (mut world, mut random) = (World::new(atlas.clone()), Random::new(seed));
    let (sprites, side) = (atlas.sprites().len() as u32, (count as f32).sqrt() * 50.0);
    for _ in 0..count {
        let collider = Collider::new(SpriteId::new(random.below(sprites)));
        world.insert(collider.at(placement(&mut random, side).position)).unwrap();
    }
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    let tick = |_| {
        let places: Vec<Placement> = ids.iter().map(|_| placement(&mut random, side)).collect();
        world.set_placements(&ids, &places).unwrap();
        world.update();
        world.state_hash()
    };
    (0..3).map(tick).collect()
}

#[test]
fn worlds_on_many_threads_give_the_states_of_one_thread() {
    // Large enough for several threads each. All of them share the poses of one atlas.
    for atlas in [atlas(false), atlas(true)] {
        let seeds: Vec<u64> = (0..8).collect();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let truth: Vec<_> =
            one.install(|| seeds.iter().map(|&seed| play(&atlas, seed, 6000)).collect());
        // Threads of the system, each with a pool of its own.
        let in_pools: Vec<_> = thread::scope(|scope| {
            let play = |&seed: &u64| {
                let atlas = &atlas;
                scope.spawn(move || {
                    let threads = seed as usize % 3 + 1;
                    let pool =
                        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    pool.install(|| play(atlas, seed, 6000))
                })
            };
            let running: Vec<_> = seeds.iter().map(play).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(in_pools, truth);
        // Jobs of one pool, whose updates wait for other jobs of the same pool.
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut states: Vec<_> = seeds.iter().map(|_| Vec::new()).collect();
            pool.in_place_scope(|scope| {
                for (&seed, states) in seeds.iter().zip(&mut states) {
                    let atlas = &atlas;
                    scope.spawn(move |_| *states = play(atlas, seed, 6000));
                }
            });
            assert_eq!(states, truth, "{threads} threads");
        }
    }
}

/// Returns two worlds of the same colliders, with some of them moved since the last update.
fn moved(count: usize) -> [World; 2] {
    let atlas = atlas(false);
    let mut random = Random::new(7);
    let mut world = World::new(atlas.clone());
    let side = (count as f32).sqrt() * 40.0;
    for _ in 0..count {
        let sprite = SpriteId::new(random.below(atlas.sprites().len() as u32));
        world.insert(Collider::new(sprite).at(placement(&mut random, side).position)).unwrap();
    }
    world.update();
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).step_by(20).collect();
    let places: Vec<Placement> = ids.iter().map(|_| placement(&mut random, side)).collect();
    world.set_placements(&ids, &places).unwrap();
    [world.clone(), world]
}

#[test]
fn a_panic_in_the_filter_of_an_update_leaves_the_pairs_of_the_last_update() {
    for count in [200, 3000] {
        let [mut world, mut calm] = moved(count);
        let before: BTreeSet<Pair> = world.stayed().chain(world.began()).copied().collect();
        let mut calls = 0;
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            world.update_with(|_| {
                calls += 1;
                assert!(calls < 5, "on purpose");
                true
            });
        }));
        assert!(panicked.is_err() && calls == 5);
        assert_eq!(world.touching().iter().copied().collect::<BTreeSet<_>>(), before);
        assert_eq!((world.began(), world.ended()), (&[][..], &[][..]));
        // The next update finds what the calm world finds, with the same events.
        calm.update();
        world.update();
        assert_eq!(world.validate(), Ok(()));
        assert_eq!(world.touching(), calm.touching());
        assert_eq!((world.began(), world.ended()), (calm.began(), calm.ended()));
        assert_eq!(world.state_hash(), calm.state_hash());
        assert!(!calm.began().is_empty() && !calm.ended().is_empty());
    }
}

#[test]
fn a_panic_in_the_edit_of_a_mask_leaves_a_world_that_follows_its_pixels() {
    let edits: [fn(&mut Mask); 2] =
        [|mask| mask.fill_rect(hitmask::Rect::new(5, 0, 9, 9), false), |mask| *mask = solid(2, 2)];
    for edit in edits {
        let mut world = World::new(atlas(false));
        let mask = world.masks_mut().insert(solid(9, 9), Pivot::HalfTexels(0, 0)).unwrap();
        let [a, b] =
            [0.0, 6.0].map(|x| world.insert(Collider::from_mask(mask).at([x, 0.0])).unwrap());
        world.update();
        assert_eq!(world.touching(), [Pair { a, b }]);
        let cut = |mask: &mut Mask| {
            edit(mask);
            panic!("on purpose");
        };
        assert!(catch_unwind(AssertUnwindSafe(|| world.masks_mut().edit(mask, cut))).is_err());
        assert_eq!(world.rect(a), world.mask(mask).unwrap().bounds());
        world.update();
        assert_eq!((world.touching(), world.ended()), (&[][..], &[Pair { a, b }][..]));
        assert_eq!(world.validate(), Ok(()));
    }
}
