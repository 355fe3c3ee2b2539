//! Memory: no allocation in a steady state, and an upper bound on bytes per collider and per box.

use hitmask::{BoxTree, Collider, ColliderId, Placement, SpriteId, World};
use hitmask_scenes::{Random, Stage, bake_of, box_spreads, open};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs one test at a time, because the allocator counts for the whole process. A failed test does
/// not block the others.
fn lock_allocator() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `make` and returns its result with the number of bytes that it still holds.
fn held<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let region = Region::new(MEMORY);
    let made = make();
    let change = region.change();
    // The thread of a test that has just ended may free some bytes at the same time.
    (made, change.bytes_allocated.saturating_sub(change.bytes_deallocated))
}

/// Returns the number of allocations and reallocations while `run` runs.
fn allocations(run: impl FnOnce()) -> usize {
    let region = Region::new(MEMORY);
    run();
    let change = region.change();
    change.allocations + change.reallocations
}

/// Returns the least number of allocations of several runs, because a thread of an earlier test may end
/// meanwhile.
fn fewest_allocations(mut run: impl FnMut()) -> usize {
    (0..3).map(|_| allocations(&mut run)).min().unwrap_or_default()
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
            place.angle = hitmask::Angle::turn(self.random.bits() as u16);
        }
        self.world.set_placements(&self.ids, &self.places).unwrap();
        self.world.update();
    }
}

#[test]
fn a_steady_world_allocates_nothing() {
    let _lock = lock_allocator();
    // With more than one thread the pool itself allocates now and then.
    pool(1).install(|| {
        let drawn = || Stage::new(30..=64);
        let on_demand = || Stage { atlas: open(&bake_of(30..=64).compact(true)), ..drawn() };
        for (stage, count, budget) in [
            (drawn(), 300, None),
            (drawn(), 50_000, None),
            (on_demand(), 20_000, None),
            (on_demand(), 20_000, Some(1 << 20)),
        ] {
            let mut crowd = Crowd::new(&stage, count);
            crowd.world.atlases_mut().set_pose_budget(budget).unwrap();
            (0..12).for_each(|_| crowd.tick());
            let poses = crowd.world.pose_stats().poses;
            assert!(stage.atlas.is_drawn() || poses > 400, "only {poses} poses were shown");
            // The lists of pairs may still grow to a new maximum.
            let taken = allocations(|| (0..5).for_each(|_| crowd.tick()));
            assert!(taken <= 2, "{count} colliders: {taken} allocations");
            assert_eq!(crowd.world.pose_stats().poses, poses);
            assert!(crowd.world.touching().len() > count / 20);
        }
    });
}

#[test]
fn a_lower_budget_returns_the_memory_of_the_poses() {
    let _lock = lock_allocator();
    pool(1).install(|| {
        let stage = Stage { atlas: open(&bake_of(30..=128).compact(true)), ..Stage::new(30..=64) };
        let mut world = World::new(stage.atlas.clone());
        let id = world.insert(Collider::new(SpriteId::new(0))).unwrap();
        for sprite in 0..stage.atlas.sprites().len() as u32 {
            for step in 0..64_u16 {
                let collider = Collider::new(SpriteId::new(sprite));
                world.set(id, collider.turned(hitmask::Angle::turn(step << 10))).unwrap();
            }
        }
        let before = world.pose_stats().bytes;
        assert!(before > 500_000, "{before} bytes");
        let region = Region::new(MEMORY);
        world.atlases_mut().set_pose_budget(Some(100_000)).unwrap();
        let change = region.change();
        let freed = change.bytes_deallocated as u64 - change.bytes_allocated as u64;
        assert!(freed + 100_000 >= before && world.pose_stats().bytes <= 100_000, "{change:?}");
    });
}

#[test]
fn a_world_that_saves_and_loads_another_allocates_nothing() {
    let _guard = lock_allocator();
    pool(1).install(|| {
        let mut crowd = Crowd::new(&Stage::new(30..=64), 2_000);
        (0..4).for_each(|_| crowd.tick());
        let mut saved = crowd.world.clone();
        crowd.tick();
        let mut later = crowd.world.clone();
        // Frees the room of each list that the ticks until then have grown.
        saved.clone_from(&crowd.world);
        let count = fewest_allocations(|| {
            crowd.world.clone_from(&saved);
            later.clone_from(&crowd.world);
            crowd.world.update();
        });
        assert_eq!(count, 0);
        assert_eq!(later.snapshot(), saved.snapshot());
    });
}

#[test]
fn clones_share_drawn_poses_until_one_draws_another() {
    let _guard = lock_allocator();
    let mut world = World::new(open(&bake_of(30..=128).compact(true)));
    let sprites = world.atlas().sprites().len() as u32;
    let poses = (1..sprites).flat_map(|sprite| (0..64_u16).map(move |step| (sprite, step << 10)));
    let look =
        |(sprite, turn)| Collider::new(SpriteId::new(sprite)).turned(hitmask::Angle::turn(turn));
    let id = world.insert(look((1, 0))).unwrap();
    poses.for_each(|pose| world.set(id, look(pose)).unwrap());
    world.update();
    let (bytes, poses) = (world.pose_stats().bytes as usize, world.pose_stats().poses);
    let (mut copy, copied) = held(|| world.clone());
    assert!(bytes > 500_000 && copied < bytes / 8, "{copied} of {bytes} bytes");
    copy.set(id, look((0, 0))).unwrap();
    assert_eq!((world.pose_stats().poses, copy.pose_stats().poses), (poses, poses + 1));
}

#[test]
fn a_steady_world_of_which_a_share_moves_allocates_nothing() {
    let _lock = lock_allocator();
    // The same one in ten at every tick, or others at each, which come to rest. One by one, or with
    // all others in one call, in descending order.
    for (threads, changing, bulk) in
        [(1, false, false), (1, true, false), (1, true, true), (2, false, true), (2, true, true)]
    {
        pool(threads).install(|| {
            let mut crowd = Crowd::new(&Stage::new(30..=64), 50_000);
            if bulk {
                crowd.ids.reverse();
                crowd.places.reverse();
            }
            let mut ticks = 0;
            // Each goes to and fro, so that no list grows to a new maximum.
            let mut tick = |crowd: &mut Crowd| {
                let (first, turn) = if changing { (ticks % 10, ticks / 10) } else { (0, ticks) };
                let right = if turn % 2 == 0 { 9.0 } else { -9.0 };
                ticks += 1;
                for i in (first..crowd.ids.len()).step_by(10) {
                    crowd.places[i].position[0] += right;
                    if !bulk {
                        let position = crowd.places[i].position;
                        crowd.world.move_to(crowd.ids[i], position).unwrap();
                    }
                }
                if bulk {
                    crowd.world.set_placements(&crowd.ids, &crowd.places).unwrap();
                }
                crowd.world.update();
            };
            (0..100).for_each(|_| tick(&mut crowd));
            let taken = fewest_allocations(|| (0..60).for_each(|_| tick(&mut crowd)));
            // With more than one thread the pool itself allocates now and then.
            let most = if threads == 1 { 0 } else { 2 };
            assert!(
                taken <= most,
                "{taken}: {threads} threads, changing: {changing}, bulk: {bulk}"
            );
            assert!(crowd.world.touching().len() > 2_500);
        });
    }
}

#[test]
fn a_query_allocates_nothing_but_its_answer() {
    let _lock = lock_allocator();
    pool(1).install(|| {
        let mut crowd = Crowd::new(&Stage::new(30..=64), 3000);
        (0..4).for_each(|_| crowd.tick());
        let world = &crowd.world;
        let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
        let asked = || {
            for pair in world.touching() {
                assert!(world.contact(pair).is_some());
            }
        };
        assert_eq!((allocations(asked), world.touching().len() > 500), (0, true));
        let (mut untouching, mut touching) = (0, 0);
        for &id in &ids {
            let mut found = Vec::new();
            let taken = fewest_allocations(|| found = world.touching_with(id));
            // A list allocates once for its first 4 entries, and again whenever it doubles.
            let lists = found.len().div_ceil(4).next_power_of_two().ilog2() as usize;
            let most = if found.is_empty() { 0 } else { 1 + lists };
            assert!(taken <= most, "{taken} for {} touched", found.len());
            *(if found.is_empty() { &mut untouching } else { &mut touching }) += 1;
        }
        assert!(
            untouching > 300 && touching > 300,
            "{untouching} without, {touching} with a touch"
        );
        // A pair with a collider that has just moved allocates nothing either.
        let before = world.get(ids[0]).unwrap();
        let world = &mut crowd.world;
        let mut moved = || {
            for turn in 0..64 {
                world.set(ids[0], before.turned(hitmask::Angle::turn(turn << 10))).unwrap();
                let pair = hitmask::Pair { a: ids[0], b: ids[1] };
                let _ = world.contact(pair);
            }
        };
        moved();
        assert_eq!(allocations(moved), 0);
    });
}

#[test]
fn a_world_stays_below_its_bytes_per_collider() {
    let _lock = lock_allocator();
    let pool = pool(2);
    for (count, most) in BYTES_PER_COLLIDER {
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
            println!("{each:.1} bytes per collider");
            assert!(each < most, "{each:.1} bytes per collider");
            drop(world);
        });
    }
}

/// Number of colliders, and the upper bound on bytes per collider. Includes the state, the index,
/// the working memory of 2 threads, and the lists for 0.5 touching pairs per collider. Excludes the
/// atlas. The share of per-thread memory falls with the number of colliders.
const BYTES_PER_COLLIDER: [(usize, f64); 2] = [(100_000, 125.0), (1_000_000, 118.0)];

/// Upper bound on the bytes of a [`BoxTree`] per box, as its documentation states.
const BYTES_PER_BOX: usize = 64;
/// Upper bound on the bytes of its tables, which do not grow with the boxes.
const TABLE_BYTES: usize = 80 * 1024;

#[test]
fn a_box_tree_stays_below_its_bytes_per_box() {
    let _lock = lock_allocator();
    let mut most = 0;
    for threads in [1, 2] {
        let pool = pool(threads);
        for n in [1, 100, 3000, 50_000] {
            for (name, boxes) in box_spreads(n) {
                let (tree, held) = held(|| {
                    let mut tree = BoxTree::new();
                    pool.install(|| {
                        tree.pack(&boxes);
                        tree.each_pair(|_| {});
                    });
                    tree
                });
                let bound = BYTES_PER_BOX * boxes.len() + TABLE_BYTES;
                let of = boxes.len();
                assert!(held <= bound, "{name}: {held} bytes for {of} boxes exceed {bound}");
                if n == 50_000 {
                    most = most.max(held / boxes.len());
                }
                drop(tree);
            }
        }
    }
    assert!(most > 26, "{most} bytes per box: less than a box itself takes");
}

#[test]
fn a_repeated_tree_update_allocates_nothing() {
    let _lock = lock_allocator();
    let mut growing = Vec::new();
    let mut is_steady = || {
        let (mut tree, mut pairs) = (BoxTree::new(), Vec::new());
        growing.clear();
        for (name, boxes) in box_spreads(5000) {
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
    // The thread of another test may start or end at the same time and allocate, but hardly 3 times
    // in a row.
    let steady = pool(1).install(|| (0..3).any(|_| is_steady()));
    assert!(steady, "{growing:?}");
}

/// Upper bounds on the bytes of a [`World`]: per collider, per touching pair, and for the tables of
/// 2 threads. The bound per pair allows for lists that reserve more than they hold.
const WORLD_BYTES: [usize; 3] = [100, 64, 1 << 20];

#[test]
fn a_world_stays_below_its_bytes_for_any_spread() {
    let _lock = lock_allocator();
    let pool = pool(2);
    let stage = Stage::new(30..=64);
    // The other spreads put many colliders on one spot, so pairs take nearly all of the memory.
    let spreads = ["strays on both sides", "uniform", "a row", "a column", "a sparse world"];
    let mut seen = 0;
    for (name, boxes) in box_spreads(50_000) {
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
        assert!(held <= bound, "{name}: {held} bytes for {count}, {pairs} pairs exceed {bound}");
        assert!(held > 60 * count, "{name}: {held} bytes for {count}: not all are counted");
    }
    assert_eq!(seen, spreads.len());
}
