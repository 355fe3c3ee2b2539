//! What a world takes: nothing new from tick to tick, and so many bytes a collider.

#[path = "../src/broad/tests/scenes.rs"]
mod scenes;

use hitmask::{BoxTree, Collider, ColliderId, Placement, Rect, SpriteId, World};
use hitmask_scenes::{Random, Stage};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Counting is for the whole process: one test at a time. A test that fails is no reason for others to.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `make` and returns its answer with the bytes that it holds.
fn held<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(MEMORY);
    let made = make();
    let change = region.change();
    // The thread of a test that has just ended may free some bytes of its own.
    (made, change.bytes_allocated.saturating_sub(change.bytes_deallocated))
}

/// Returns the number of allocations while `run` runs, reallocations included.
fn allocations(run: impl FnOnce()) -> usize {
    let region = Region::new(MEMORY);
    run();
    let change = region.change();
    change.allocations + change.reallocations
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

struct Crowd {
    world: World,
    ids: Vec<ColliderId>,
    places: Vec<Placement>,
    random: Random,
}

impl Crowd {
    fn new(stage: &Stage, count: usize) -> Self {
        let mut world = World::new(stage.atlas.clone());
        let (mut random, side) = (Random::new(5), (count as f32).sqrt() * 71.0);
        let sprites = stage.atlas.sprites().len() as u32;
        let (mut ids, mut places) = (Vec::new(), Vec::new());
        for i in 0..count {
            let mut collider = Collider::new(SpriteId::new(random.below(sprites)));
            collider.position = [random.unit() * side, random.unit() * side];
            collider.fixed = i % 10 == 9;
            let id = world.insert(collider).unwrap();
            if !collider.fixed {
                ids.push(id);
                places.push(Placement { position: collider.position, angle: collider.angle });
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
        self.world.set_placements(&self.ids, &self.places).unwrap();
        self.world.update();
    }
}

#[test]
fn nothing_is_allocated_once_the_world_has_its_memory() {
    let _alone = alone();
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
    let _alone = alone();
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
            let taken = taken(&mut || found = world.touching_with(id));
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
    let _alone = alone();
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

/// Most bytes of a [`BoxTree`] for each box, as its documentation has it.
const BYTES_A_BOX: usize = 64;
/// And for its tables, which do not grow with the boxes.
const BYTES_BESIDES: usize = 80 * 1024;

#[test]
fn a_tree_of_boxes_keeps_to_its_bytes_whatever_the_boxes() {
    let _alone = alone();
    let mut most = 0;
    for threads in [1, 2] {
        let pool = pool(threads);
        for n in [1, 100, 3000, 50_000] {
            for (name, boxes) in scenes::scenes(n) {
                let (tree, held) = held(|| {
                    let mut tree = BoxTree::new();
                    pool.install(|| {
                        tree.pack(&boxes);
                        tree.each_pair(|_| {});
                    });
                    tree
                });
                let bound = BYTES_A_BOX * boxes.len() + BYTES_BESIDES;
                let of = boxes.len();
                assert!(held <= bound, "{name}: {held} bytes for {of} boxes, not {bound}");
                if n == 50_000 {
                    most = most.max(held / boxes.len());
                }
                drop(tree);
            }
        }
    }
    assert!(most > 26, "{most} bytes a box: less than the boxes themselves take");
}

#[test]
fn an_update_like_the_last_takes_no_memory() {
    let _alone = alone();
    let mut growing = Vec::new();
    let mut is_steady = || {
        let (mut tree, mut pairs) = (BoxTree::new(), Vec::new());
        growing.clear();
        for (name, boxes) in scenes::scenes(5000) {
            let mut update = || {
                tree.pack(&boxes);
                tree.pairs(&mut pairs);
            };
            update();
            let taken = allocations(update);
            growing.extend((taken > 0).then(|| format!("{name}: {taken} allocations")));
        }
        growing.is_empty()
    };
    // Another test's thread may start or end at the same time, and allocate: hardly three times.
    let steady = pool(1).install(|| (0..3).any(|_| is_steady()));
    assert!(steady, "{growing:?}");
}

/// Most bytes of a [`World`] for each collider, for each touching pair (lists that grow have room for
/// more), and for the tables of two threads.
const WORLD_BYTES: [usize; 3] = [100, 64, 1 << 20];

#[test]
fn a_world_keeps_to_its_bytes_however_its_colliders_lie() {
    let _alone = alone();
    let pool = pool(2);
    let stage = Stage::new(30..=64);
    // In the others many colliders lie on one spot, and the pairs take nearly all of the memory.
    let spreads = ["strays on both sides", "uniform", "a row", "a column", "a sparse world"];
    let mut seen = 0;
    for (name, boxes) in scenes::scenes(50_000) {
        if !spreads.contains(&name) {
            continue;
        }
        seen += 1;
        let (world, held) = held(|| {
            let mut world = World::new(stage.atlas.clone());
            for rect in &boxes {
                let at = [rect.x0, rect.y0].map(|v| (v as f32).clamp(-1e9, 1e9));
                world.insert(Collider::new(SpriteId::new(0)).at(at)).unwrap();
            }
            pool.install(|| (0..3).for_each(|_| world.update()));
            world
        });
        let (count, pairs) = (world.len(), world.touching().len());
        let [each, pair, besides] = WORLD_BYTES;
        let bound = each * count + pair * pairs + besides;
        assert!(held <= bound, "{name}: {held} bytes for {count}, {pairs} pairs, not {bound}");
        assert!(held > 60 * count, "{name}: {held} bytes for {count}: not all were counted");
    }
    assert_eq!(seen, spreads.len());
}
