//! Determinism: the same calls give the same state with any threads and instruction set. A world
//! can be saved, restored and played on.

use hitmask::{
    Accuracy, Angle, Atlas, AtlasBuilder, BoxTree, CallError, Collider, ColliderId, FileError,
    Flip, MaskId, Pivot, Placement, Rect, Section, Simd, SpriteId, World,
};
use hitmask_scenes::{Random, RecordedGame, all, open};

fn atlas() -> Atlas {
    let bake = all()
        .iter()
        .filter(|p| p.width < 100)
        .fold(AtlasBuilder::new().angles(16), |bake, p| bake.mask(p.name, p.mask()));
    open(&bake)
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
    fn new(atlas: &Atlas, count: usize) -> Self {
        let (mut world, mut random) = (World::new(atlas.clone()), Random::new(3));
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

    fn tick(&mut self) {
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
        world.update();
    }
}

/// Plays some ticks and returns the state hash after each.
fn play(game: &mut Game, ticks: usize) -> Vec<u64> {
    (0..ticks)
        .map(|_| {
            game.tick();
            assert_eq!(game.world.validate(), Ok(()));
            game.world.state_hash()
        })
        .collect()
}

#[test]
fn any_number_of_threads_gives_the_same_states() {
    let atlas = atlas();
    let start = Game::new(&atlas, 40_000);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| play(&mut start.clone(), 3))
    };
    let one = with(1);
    assert!(start.world.clone().began().is_empty());
    for threads in [2, 3, 5, 16] {
        assert_eq!(with(threads), one, "{threads} threads");
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
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut tree = BoxTree::new();
        pool.install(|| tree.pack(&boxes));
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

/// Ticks of a whole recording, and those after which it has a line.
const RECORDED: u32 = 100_000;
const LINE_AFTER: [u32; 2] = [1000, 10_000];

/// Compares the hashes of a game with those recorded in a committed file. A plain run plays 1,000
/// ticks, `HITMASK_TICKS=100000` all. `.ci/nightly hashes` does so on every target.
///
/// A run prints each recorded line and its last one, so that runs of fewer ticks find the first tick
/// that differs. `HITMASK_BLESS=1 cargo test --release --test determinism recorded` records anew, in a
/// minute.
#[test]
fn a_recorded_game_gives_the_hashes_of_the_committed_file() {
    let is_blessed = std::env::var_os("HITMASK_BLESS").is_some();
    let ticks = match std::env::var("HITMASK_TICKS") {
        _ if is_blessed => RECORDED,
        Ok(ticks) => ticks.parse().expect("HITMASK_TICKS is a number of ticks"),
        Err(_) => LINE_AFTER[0],
    };
    let mut known = include_str!("golden/recorded.txt").lines();
    let (mut game, mut found) = (RecordedGame::new(), String::new());
    let [mut touching, mut compared] = [0; 2];
    for tick in 1..=ticks {
        game.tick();
        touching += game.world().touching().len();
        let line = game.line();
        if tick == LINE_AFTER[0] || tick.is_multiple_of(LINE_AFTER[1]) {
            println!("{line}");
            assert!(is_blessed || known.next() == Some(&line), "another line than {line:?}");
            (found, compared) = (found + &line + "\n", compared + 1);
        } else if tick == ticks {
            println!("{line}");
        }
    }
    assert!(compared > 0, "no line is recorded for {ticks} ticks or fewer");
    assert!(touching > 20 * ticks as usize, "{touching} touching pairs in {ticks} ticks");
    assert_eq!(game.world().validate(), Ok(()));
    if is_blessed {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/recorded.txt");
        std::fs::write(path, found).unwrap();
    }
}

#[test]
fn a_restored_world_plays_on_as_the_one_that_was_saved() {
    let mut game = Game::new(&atlas(), 800);
    play(&mut game, 3);
    let (saved, random, ids) = (game.world.snapshot(), game.random.clone(), game.ids.clone());
    let hash = game.world.state_hash();
    let truth = play(&mut game, 5);
    // Restored into the world that has played on, and into a new one.
    game.world.restore(&saved).unwrap();
    let new = World::from_snapshot([game.world.atlas().clone()], &saved).unwrap();
    for world in [game.world.clone(), new] {
        assert_eq!((world.state_hash(), world.snapshot()), (hash, saved.clone()));
        assert_eq!(world.validate(), Ok(()));
        let mut again = Game { world, random: random.clone(), ids: ids.clone(), ..game };
        assert_eq!(play(&mut again, 5), truth);
    }
}

#[test]
fn a_state_does_not_depend_on_its_history() {
    let atlas = atlas();
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
    let atlas = atlas();
    let mut game = Game::new(&atlas, 30);
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
    let atlas = atlas();
    let mut game = Game::new(&atlas, 12);
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
