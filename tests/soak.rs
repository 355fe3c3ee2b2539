//! A world that lives long: random operations of every kind, atlases that come, change and go, and
//! saved games, against the pixels and against fresh worlds.
//!
//! A plain run plays 5,000 ticks. `HITMASK_SOAK=1000000 cargo test --release --test soak -- --nocapture`
//! plays as many, and prints its figures.

use hitmask::{
    Atlas, AtlasBuilder, Collider, ColliderId, Mask, MinOverlap, Pivot, Rect, Settings, World,
};
use hitmask_scenes::naive::{Form, Group, Options, Play, Source};
use hitmask_scenes::{Random, open, rebuilt, solid, world_of};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::env;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Held by each test, because memory is counted for the whole program.
static ALONE: Mutex<()> = Mutex::new(());

/// Groups of sprites, each with a few versions of its atlas.
const FAMILIES: usize = 3;
const VERSIONS: usize = 4;

/// A random mask of up to 40 px a side.
fn mask(random: &mut Random) -> Mask {
    let [width, height] = [0; 2].map(|_| 1 + random.below(40));
    let mut mask = Mask::new(width, height).unwrap();
    for _ in 0..1 + random.below(6) {
        let [x, y] = [random.below(width), random.below(height)].map(|place| place as i32);
        let [right, bottom] = [1 + random.below(25), 1 + random.below(25)].map(|side| side as i32);
        mask.fill_rect(Rect::new(x, y, x + right, y + bottom), true);
    }
    mask
}

/// One version of the atlas of a family, drawn and compact. Sprites have other pixels, frames and angles
/// in each; some are missing.
fn atlas(random: &mut Random, family: usize) -> [Atlas; 2] {
    let mut bake = AtlasBuilder::new();
    for sprite in 0..4 {
        if sprite == 0 || random.below(4) > 0 {
            let angles = [1, 8, 16, 64][random.below(4) as usize];
            let settings = Settings { angles, ..Settings::default() };
            let frames = (0..1 + random.below(2)).map(|_| mask(random)).collect::<Vec<_>>();
            bake = bake.frames_with(format!("{family}/{sprite}"), frames, settings);
        }
    }
    [false, true].map(|compact| open(&bake.clone().compact(compact)))
}

/// Returns the bytes that are allocated now.
fn held() -> usize {
    let stats = MEMORY.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Returns the bytes of a world: those that a clone allocates.
fn bytes_of(world: &World) -> usize {
    let before = held();
    let clone = world.clone();
    let bytes = held() - before;
    drop(clone);
    bytes
}

/// A world of two overlapping 4 x 4 colliders, which an update has seen.
fn pair_of_squares() -> (World, ColliderId) {
    let (mut world, square) =
        world_of(open(&AtlasBuilder::new().mask("square", solid(4, 4))), "square");
    let id = world.insert(square).unwrap();
    world.insert(square.at([2.0, 0.0])).unwrap();
    world.update();
    (world, id)
}

/// A loop of calls: a name, and what each turn does to the world and one of its colliders.
type Loop = (&'static str, fn(&mut World, ColliderId, u32));

#[test]
fn loops_of_calls_hold_no_more_memory_after_100000_turns() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    fn show_mask(world: &mut World, edit: bool) {
        let mask = world.masks_mut().insert(solid(3, 3), Pivot::Center).unwrap();
        let id = world.insert(Collider::from_mask(mask)).unwrap();
        if edit {
            world.masks_mut().edit(mask, |mask| mask.set(1, 1, false)).unwrap();
        } else {
            world.update();
        }
        world.remove(id).unwrap();
        world.masks_mut().remove(mask).unwrap();
    }
    fn change(world: &mut World, id: ColliderId, to: impl FnOnce(Collider) -> Collider) {
        world.set(id, to(world.get(id).unwrap())).unwrap();
    }
    let loops: [Loop; 7] = [
        ("masks", |world, _, _| show_mask(world, false)),
        ("masks that are edited between updates", |world, _, _| show_mask(world, true)),
        ("layers", |world, id, turn| change(world, id, |c| Collider { layers: turn | 1, ..c })),
        ("layers to touch", |world, id, turn| {
            change(world, id, |c| Collider { collides_with: turn | 1, ..c });
        }),
        ("least overlaps", |world, id, turn| {
            change(world, id, |c| c.with_min_overlap(turn));
            world.update();
        }),
        ("inserts", |world, id, turn| {
            let least = MinOverlap::Size { width: turn, height: 1 };
            let other = Collider { min_overlap: least, ..world.get(id).unwrap() };
            let other = world.insert(other).unwrap();
            world.remove(other).unwrap();
        }),
        ("owned parts between updates", |world, id, turn| {
            let part = world.insert(world.get(id).unwrap().owned_by(turn + 1)).unwrap();
            world.remove(part).unwrap();
        }),
    ];
    for (name, turn) in loops {
        let (mut world, id) = pair_of_squares();
        let mut most = [0; 2];
        for i in 0..100_000 {
            turn(&mut world, id, i);
            if i % 1000 == 999 {
                let half = &mut most[usize::from(i >= 10_000)];
                *half = (*half).max(bytes_of(&world));
            }
        }
        assert_eq!(world.validate(), Ok(()), "{name}");
        assert!(most[1] <= most[0] + most[0] / 8, "{name}: {most:?} bytes");
        world.update();
        assert!(bytes_of(&world) < 50_000, "{name}: {} bytes", bytes_of(&world));
        let fresh = rebuilt(&world);
        assert_eq!((fresh.state_hash(), fresh.len()), (world.state_hash(), 2), "{name}");
    }
}

#[test]
fn versions_of_an_atlas_with_the_same_names_share_them() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let version = |i: u32| {
        let names = (0..20).map(|sprite| format!("a sprite with a long name, number {sprite}"));
        let frame = |_| solid(1 + i, 1);
        let bake = names.fold(AtlasBuilder::new(), |bake, name| bake.mask(name, frame(())));
        open(&bake)
    };
    let first = version(0);
    let (mut world, mut newest) = (World::new(first.clone()), first.clone());
    let mut bytes = Vec::new();
    for i in 1..200 {
        let next = version(i);
        world.atlases_mut().replace(newest.id(), next.clone()).unwrap();
        newest = next;
        bytes.push(bytes_of(&world));
    }
    // An id of 8 bytes for each version.
    assert!(bytes[198] < bytes[9] + 200 * 16, "{bytes:?}");
    // Ids of every version still work.
    let id = world.insert(Collider::new(first.sprites().next().unwrap().id())).unwrap();
    assert_eq!(world.rect(id).unwrap().width(), 200);
}

#[test]
fn ids_of_masks_stay_below_2_to_the_53_and_never_come_back() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut world, _) = pair_of_squares();
    let kept = world.masks_mut().insert(solid(1, 1), Pivot::Center).unwrap();
    let mut last = kept;
    for i in 0..(1 << 21) + 5_u32 {
        let mask = world.masks_mut().insert(Mask::default(), Pivot::Center).unwrap();
        assert!(mask.to_bits() < 1 << 53 && mask != last && world.mask(last).is_none() | (i == 0));
        world.masks_mut().remove(mask).unwrap();
        last = mask;
    }
    assert_eq!((last.index(), last.to_bits() >> 32), (2, 6));
    // Restored, the retired index stays so.
    let saved = world.snapshot();
    let mut restored = World::from_snapshot([world.atlas().clone()], &saved).unwrap();
    assert_eq!(restored.snapshot(), saved);
    for world in [&mut world, &mut restored] {
        let ids = [0; 2].map(|_| world.masks_mut().insert(Mask::default(), Pivot::Center).unwrap());
        assert_eq!(ids.map(|id| (id.index(), id.to_bits() >> 32)), [(2, 7), (3, 1)]);
    }
}

#[test]
fn a_world_that_lives_long_answers_as_a_fresh_one_and_holds_no_more_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let ticks: usize =
        env::var("HITMASK_SOAK").map_or(5000, |ticks| ticks.parse().expect("HITMASK_SOAK: ticks"));
    let mut random = Random::new(11);
    let mut family = |i| (0..VERSIONS).map(|_| atlas(&mut random, i)).collect();
    let options = Options {
        art: (0..FAMILIES).map(&mut family).collect(),
        forms: vec![Form::Limited],
        most: 90,
        side: 88,
        weights: vec![
            (Group::Place, 70),
            (Group::Rules, 10),
            (Group::Masks, 4),
            (Group::Moves, 4),
            (Group::Atlases, 6),
            (Group::Saves, 2),
            (Group::Alike, 4),
            (Group::Runs, 1),
            (Group::Misuse, 4),
        ],
        is_wild: false,
    };
    let mut play = Play::new(&options, Source::Seed(random.clone()));
    let pools = [1, 2, 3]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut most = [0; 2];
    // What the changes, the updates and the comparisons with the model of each tenth took.
    let mut times = [Duration::ZERO; 10];
    for tick in 0..ticks {
        let start = Instant::now();
        for _ in 0..1 + random.below(4) {
            play.step();
        }
        pools[tick % 3].install(|| play.update());
        times[tick * 10 / ticks] += start.elapsed();
        let half = &mut most[usize::from(tick >= ticks / 2)];
        *half = (*half).max(held());
    }
    let tally = play.tally;
    println!(
        "{ticks} ticks, {} touching pairs, all compared with pixels, {} calls refused, at most {} KB in \
         the first half and {} KB in the second",
        tally.touches,
        tally.refused,
        most[0] / 1000,
        most[1] / 1000
    );
    let per_tick = times.map(|time| (time * 10 / ticks as u32).as_micros());
    println!("microseconds a tick in each tenth: {per_tick:?}");
    assert!(tally.touches > ticks, "{tally:?}: the scenes are too sparse");
    assert!(tally.refused > ticks / 100 && tally.over_budget > ticks / 1000, "{tally:?}");
    // The second half adds nothing that stays.
    assert!(most[1] < most[0] + most[0] / 4, "{most:?} bytes");
}
