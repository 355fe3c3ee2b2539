//! Determinism: the same calls give the same state with any threads and instruction set, in pools of
//! their own and inside the jobs of a pool, and after callbacks that panic.

use hitmask::{
    Accuracy, Angle, Atlas, AtlasBuilder, BoxTree, CallError, Collider, ColliderId, FileError,
    Flip, Mask, MaskId, Pair, Pivot, Placement, Rect, Section, Simd, SpriteId, World,
};
use hitmask_scenes::naive::hash_of_plays;
use hitmask_scenes::{Random, bake_of, open, solid};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

fn atlas(is_compact: bool) -> Atlas {
    open(&bake_of(..100).angles(16).compact(is_compact))
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

fn collider(random: &mut Random, sprites: u32, side: f32) -> Collider {
    let mut one_in = |n| random.below(n) == 0;
    let rules = [one_in(5), one_in(9), one_in(7), one_in(4), one_in(6), one_in(8)];
    Collider {
        flip: Flip { x: rules[0], y: false },
        fixed: rules[1],
        accuracy: if rules[2] { Accuracy::Box } else { Accuracy::Exact },
        layers: if rules[3] { 2 } else { 1 },
        min_overlap: if rules[4] { 9 } else { 1 }.into(),
        sensor: rules[5],
        ..Collider::new(SpriteId::new(random.below(sprites)))
            .at([random.unit() * side, random.unit() * side])
            .turned(random.unit() * 9.0)
    }
}

/// A game whose ticks depend only on its state and its random numbers.
#[derive(Clone)]
struct Game {
    world: World,
    random: Random,
    ids: Vec<ColliderId>,
    ground: MaskId,
    side: f32,
}

impl Game {
    fn new(atlas: &Atlas, seed: u64, count: usize) -> Self {
        let (mut world, mut random) = (World::new(atlas.clone()), Random::new(seed));
        let side = (count as f32).sqrt() * 40.0;
        let sprites = atlas.sprites().len() as u32;
        let ids = (0..count)
            .map(|_| world.insert(collider(&mut random, sprites, side)).unwrap())
            .collect();
        let ground = "####\n####\n####\n".parse().unwrap();
        let ground = world.masks_mut().insert(ground, Pivot::HalfTexels(0, 0)).unwrap();
        for i in 0..9 {
            let at = [i as f32 * side / 9.0, side / 2.0];
            world.insert(Collider::from_mask(ground).at(at).with_min_overlap(1).fixed()).unwrap();
        }
        Self { world, random, ids, ground, side }
    }

    /// Changes the world up to the next update.
    fn change(&mut self) {
        let Self { world, random, ids, ground, side } = self;
        let sprites = world.atlas().sprites().len() as u32;
        // Some colliders that began to touch are removed, and new ones are inserted.
        let hit: Vec<ColliderId> = world.began().iter().map(|pair| pair.b).step_by(7).collect();
        for id in hit {
            if let Some(at) = ids.iter().position(|&other| other == id) {
                world.remove(id).unwrap();
                ids[at] = world.insert(collider(random, sprites, *side)).unwrap();
            }
        }
        let places: Vec<Placement> = ids
            .iter()
            .map(|&id| {
                let [x, y] = world.get(id).unwrap().position;
                let position = [x + random.unit() * 9.0 - 4.5, y + random.unit() * 9.0 - 4.5];
                Placement { position, angle: Angle::turn(random.bits() as u16) }
            })
            .collect();
        world.set_placements(ids, &places).unwrap();
        let (x, y) = (random.below(4), random.below(3));
        world.masks_mut().edit(*ground, |mask| mask.set(x as i32, y as i32, false)).unwrap();
    }
}

/// Plays some ticks and returns the state hash after each.
fn play(game: &mut Game, ticks: usize) -> Vec<u64> {
    (0..ticks)
        .map(|_| {
            game.change();
            game.world.update();
            assert_eq!(game.world.validate(), Ok(()));
            game.world.state_hash()
        })
        .collect()
}

#[test]
fn any_number_of_threads_gives_the_same_states() {
    let atlas = atlas(false);
    let start = Game::new(&atlas, 3, 40_000);
    let with = |threads| pool(threads).install(|| play(&mut start.clone(), 3));
    let one = with(1);
    assert!(start.world.clone().began().is_empty());
    for threads in [2, 3, 5, 16] {
        assert_eq!(with(threads), one, "{threads} threads");
    }
}

#[test]
fn worlds_on_many_threads_give_the_states_of_one_thread() {
    // Large enough for several threads each. All of them share the poses of one atlas.
    for atlas in [atlas(false), atlas(true)] {
        let play = |seed: u64| play(&mut Game::new(&atlas, seed, 6000), 3);
        let truth: Vec<_> = pool(1).install(|| (0..4).map(play).collect());
        // Threads of the system, each with a pool of its own.
        let in_pools: Vec<_> = thread::scope(|scope| {
            let start =
                |seed| scope.spawn(move || pool(seed as usize % 3 + 1).install(|| play(seed)));
            let running: Vec<_> = (0..4).map(start).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(in_pools, truth);
        // Jobs of one pool, whose updates wait for other jobs of the same pool.
        for threads in [1, 2, 3] {
            let mut states = vec![Vec::new(); 4];
            pool(threads).in_place_scope(|scope| {
                for (seed, states) in (0..).zip(&mut states) {
                    scope.spawn(move |_| *states = play(seed));
                }
            });
            assert_eq!(states, truth, "{threads} threads");
        }
    }
}

#[test]
fn an_index_built_on_several_threads_equals_one_built_on_one() {
    // Enough boxes for several threads to build the inner levels of the tree too.
    let mut random = Random::new(3);
    let mut next = |end: u32| random.below(end) as i32;
    let boxes: Vec<Rect> = (0..300_000)
        .map(|_| [next(30_000), next(30_000), next(60), next(60)])
        .map(|[x, y, w, h]| Rect::new(x, y, x + w, y + h))
        .collect();
    let areas: Vec<Rect> = (0..300)
        .map(|_| [next(30_000), next(30_000), next(900), next(900)])
        .map(|[x, y, w, h]| Rect::new(x, y, x + w, y + h))
        .collect();
    let with = |threads| {
        let mut tree = BoxTree::new();
        pool(threads).install(|| tree.pack(&boxes));
        let mut found = Vec::new();
        for area in &areas {
            tree.query_rect(*area, &mut found);
        }
        found
    };
    let one = with(1);
    assert!(one.len() > 20_000, "{} found", one.len());
    assert!(one == with(2) && one == with(3));
    let mut tree = BoxTree::new();
    tree.pack(&boxes);
    for area in &areas[..20] {
        let mut found = Vec::new();
        tree.query_rect(*area, &mut found);
        found.sort_unstable();
        let met = (0..).zip(&boxes).filter(|(_, rect)| rect.intersection(*area).is_some());
        assert!(found.into_iter().eq(met.map(|(i, _): (u32, _)| i)));
    }
}

/// Runs with other instruction sets, each a process of its own, select theirs through
/// `HITMASK_SIMD`.
#[test]
fn the_instruction_set_is_the_one_named_or_else_the_best() {
    let available = Simd::available();
    let named = std::env::var("HITMASK_SIMD").unwrap_or_default();
    let named = available.iter().find(|simd| named == simd.name());
    assert_eq!(Simd::preferred(), *named.unwrap_or(&available[0]));
    // A run with a set that is unknown, or that this machine lacks, fails.
    let error = |error: hitmask::CallError| panic!("{error}; {}", error.help());
    assert_eq!(Simd::from_env().unwrap_or_else(error), Simd::preferred());
}

/// Plays of a whole recording, and those of a line of it.
const RECORDED: u32 = 200;
const PLAYS_OF_A_LINE: u32 = 5;

/// Compares the hashes of plays of the naive world with those recorded in a committed file. A plain run
/// plays the first line, `HITMASK_PLAYS=200` all. `.ci/nightly hashes` does so on every target.
/// `HITMASK_BLESS=1 cargo test --release --test determinism recorded` records anew.
#[test]
fn a_recorded_game_gives_the_hashes_of_the_committed_file() {
    let is_blessed = std::env::var_os("HITMASK_BLESS").is_some();
    let plays = match std::env::var("HITMASK_PLAYS") {
        _ if is_blessed => RECORDED,
        Ok(plays) => plays.parse().expect("HITMASK_PLAYS is a number of plays"),
        Err(_) => PLAYS_OF_A_LINE,
    };
    let (mut known, mut found) = (include_str!("golden/recorded.txt").lines(), String::new());
    for first in (0..plays).step_by(PLAYS_OF_A_LINE as usize) {
        let end = first + PLAYS_OF_A_LINE;
        let line = format!("plays {first}..{end}: {:08x}", hash_of_plays(first..end));
        println!("{line}");
        assert!(is_blessed || known.next() == Some(&line), "another line than {line:?}");
        found += &(line + "\n");
    }
    if is_blessed {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/recorded.txt");
        std::fs::write(path, found).unwrap();
    }
}

#[test]
fn a_state_does_not_depend_on_its_history() {
    let atlas = atlas(false);
    let hull = Collider::new(SpriteId::new(0));
    let (mut one, mut other) = (World::new(atlas.clone()), World::new(atlas));
    one.insert(hull).unwrap();
    let id = other.insert(hull.flipped(Flip::XY).on_layers(8, 4).fixed()).unwrap();
    assert_ne!(one.state_hash(), other.state_hash());
    other.set(id, hull).unwrap();
    assert_eq!((one.state_hash(), one.snapshot()), (other.state_hash(), other.snapshot()));
    for change in [
        hull.at([0.25, 0.0]),
        hull.turned(1e-6),
        hull.scaled(1.01),
        hull.flipped(Flip::Y),
        hull.on_layers(1, 1),
        hull.sensor(),
        hull.with_move_accuracy(Accuracy::Box),
        hull.with_move_accuracy(Accuracy::Exact),
        hull.with_min_overlap(2),
        hull.with_min_overlap([2, 1]),
        hull.with_min_overlap([1, 2]),
    ] {
        other.set(id, change).unwrap();
        assert_ne!(one.state_hash(), other.state_hash(), "{change:?}");
    }
}

#[test]
fn invalid_snapshots_are_refused_and_change_nothing() {
    let atlas = atlas(false);
    let mut game = Game::new(&atlas, 3, 30);
    play(&mut game, 2);
    let mut world = game.world;
    let saved = world.snapshot();
    let hash = world.state_hash();
    let mut refused = |bytes: &[u8]| {
        let error = world.restore(bytes).unwrap_err();
        assert_eq!(world.state_hash(), hash);
        error
    };
    for len in 0..saved.len() {
        let error = refused(&saved[..len]);
        assert!(matches!(error, FileError::NotASnapshot | FileError::Checksum { .. }));
    }
    assert_eq!(refused(b"HITMASK\x1a and more"), FileError::NotASnapshot);
    let mut later = saved.clone();
    later[8] = 2;
    assert_eq!(
        refused(&later),
        FileError::Version { section: Section::Snapshot, found: 2, supported: 1 }
    );
    let other = AtlasBuilder::new().mask("other", "#".parse().unwrap()).to_bytes().unwrap();
    let other = World::new(Atlas::from_vec(other).unwrap()).snapshot();
    assert!(matches!(refused(&other), FileError::OtherAtlas { .. }));
    for at in 12..saved.len() {
        let mut damaged = saved.clone();
        damaged[at] ^= 0x10;
        assert!(matches!(refused(&damaged), FileError::Checksum { .. }), "byte {at}");
    }
}

/// A forged snapshot can have a valid checksum: it is refused, or it gives a valid world.
#[test]
fn forged_snapshots_are_refused_or_give_a_valid_world() {
    let atlas = atlas(false);
    let mut game = Game::new(&atlas, 3, 12);
    play(&mut game, 2);
    let saved = game.world.snapshot();
    let body = saved.len() - 4;
    let (mut refused, mut taken) = (0, 0);
    for at in 16..body {
        for change in [1, 0x80, 0xff] {
            let mut forged = saved[..body].to_vec();
            forged[at] ^= change;
            forged.extend(crc32fast::hash(&forged).to_le_bytes());
            match World::from_snapshot([atlas.clone()], &forged) {
                Err(FileError::Refused(cause)) => {
                    assert!(matches!(cause, CallError::Collider { .. }), "{cause}");
                    assert!(!cause.to_string().contains("no longer"), "{cause}");
                    refused += 1;
                }
                Err(error) => {
                    assert!(matches!(error, FileError::Corrupt { .. }), "{error}");
                    refused += 1;
                }
                Ok(mut world) => {
                    // A zero of another sign or unit is the same zero.
                    let taken_as = world.snapshot();
                    assert!(taken_as == forged || taken_as == saved, "byte {at}");
                    assert_eq!(world.validate(), Ok(()), "byte {at}");
                    world.update();
                    assert_eq!(world.validate(), Ok(()));
                    taken += 1;
                }
            }
        }
    }
    assert!(refused > 500 && taken > 500, "{refused} refused, {taken} taken");
}

#[test]
fn a_panic_in_the_filter_of_an_update_leaves_the_pairs_of_the_last_update() {
    for count in [200, 3000] {
        let mut game = Game::new(&atlas(false), 7, count);
        game.world.update();
        game.change();
        let [mut world, mut calm] = [game.world.clone(), game.world];
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
        [|mask| mask.fill_rect(Rect::new(5, 0, 9, 9), false), |mask| *mask = solid(2, 2)];
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
