//! What a world takes: nothing new from tick to tick, and so many bytes a collider.

use hitmask::{ColliderId, Place, World};
use hitmask_sprites::{Random, Stage};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::sync::Mutex;

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Counting is for the whole process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

struct Crowd {
    world: World,
    ids: Vec<ColliderId>,
    places: Vec<Place>,
    random: Random,
}

impl Crowd {
    fn new(stage: &Stage, count: usize) -> Self {
        let mut world = World::new(stage.atlas.clone());
        let (mut random, side) = (Random::new(5), (count as f32).sqrt() * 71.0);
        let sprites = stage.atlas.sprites().len() as u32;
        let (mut ids, mut places) = (Vec::new(), Vec::new());
        for i in 0..count {
            let sprite = hitmask::SpriteId::new(random.below(sprites));
            let mut collider = hitmask::Collider::new(sprite);
            collider.position = [random.unit() * side, random.unit() * side];
            collider.fixed = i % 10 == 9;
            let id = world.insert(collider).unwrap();
            if !collider.fixed {
                ids.push(id);
                places.push(Place { position: collider.position, angle: collider.angle });
            }
        }
        Self { world, ids, places, random }
    }

    fn tick(&mut self) {
        for place in &mut self.places {
            let [x, y] = place.position;
            place.position = [x + self.random.unit() - 0.5, y + self.random.unit() - 0.5];
            place.angle = hitmask::Angle::Turn(self.random.bits() as u16);
        }
        self.world.place_many(&self.ids, &self.places).unwrap();
        self.world.update();
    }
}

#[test]
fn nothing_is_allocated_once_the_world_has_its_memory() {
    let _alone = ALONE.lock().unwrap();
    // With more than one thread the pool itself takes memory now and then, which is not ours.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        for count in [300, 50_000] {
            let mut crowd = Crowd::new(&Stage::new(30..=64), count);
            (0..12).for_each(|_| crowd.tick());
            let region = Region::new(MEMORY);
            (0..5).for_each(|_| crowd.tick());
            let change = region.change();
            // Lists of pairs may still grow a little: the longest yet.
            let taken = change.allocations + change.reallocations;
            assert!(taken <= 2, "{count} colliders: {change:?}");
            assert!(crowd.world.touching().len() > count / 20);
        }
    });
}

#[test]
fn mc6_w2_a_test_draws_nothing_anew_and_takes_no_memory_but_its_answer() {
    let _alone = ALONE.lock().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut crowd = Crowd::new(&Stage::new(30..=64), 3000);
        (0..4).for_each(|_| crowd.tick());
        let world = &crowd.world;
        let ids: Vec<ColliderId> = world.ids().collect();
        let taken = |ask: &mut dyn FnMut()| {
            let region = Region::new(MEMORY);
            ask();
            let change = region.change();
            change.allocations + change.reallocations
        };
        let mut asked = || {
            for pair in world.touching() {
                assert!(world.contact(pair).is_some());
            }
        };
        assert_eq!((taken(&mut asked), world.touching().len() > 500), (0, true));
        let (mut alone, mut touched) = (0, 0);
        for &id in &ids {
            let mut found = Vec::new();
            let taken = taken(&mut || found = world.touched_by(id));
            // A list of at most four is taken at once, and each time that it doubles.
            let lists = found.len().div_ceil(4).next_power_of_two().ilog2() as usize;
            let most = if found.is_empty() { 0 } else { 1 + lists };
            assert!(taken <= most, "{taken} for {} touched", found.len());
            *(if found.is_empty() { &mut alone } else { &mut touched }) += 1;
        }
        assert!(alone > 300 && touched > 300, "{alone} touch nobody, {touched} somebody");
        // What has just been moved is not drawn for it either.
        let before = world.get(ids[0]).unwrap();
        let world = &mut crowd.world;
        let mut moved = || {
            for turn in 0..64 {
                world.set(ids[0], before.turned(hitmask::Angle::Turn(turn << 10))).unwrap();
                let pair = hitmask::Pair { a: ids[0], b: ids[1] };
                let _ = world.contact(&pair);
            }
        };
        moved();
        assert_eq!(taken(&mut moved), 0);
    });
}

#[test]
fn a_collider_takes_so_many_bytes() {
    let _alone = ALONE.lock().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for (count, most) in BYTES {
        pool.install(|| {
            let stage = Stage::new(30..=64);
            let region = Region::new(MEMORY);
            let mut crowd = Crowd::new(&stage, count);
            (0..4).for_each(|_| crowd.tick());
            let Crowd { world, ids, places, .. } = crowd;
            drop((ids, places));
            let change = region.change();
            let held = change.bytes_allocated as i64 - change.bytes_deallocated as i64;
            let each = held as f64 / count as f64;
            println!("{each:.1} bytes a collider");
            assert!(each < most, "{each:.1} bytes a collider");
            drop(world);
        });
    }
}

/// All told: state, index, working memory of two threads, and the lists of half a touching pair a
/// collider; not the atlas. What each thread has counts less the more there are.
const BYTES: [(usize, f64); 2] = [(100_000, 125.0), (1_000_000, 118.0)];
