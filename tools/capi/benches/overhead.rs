//! Compares the C interface with the Rust one: 100,000 moving colliders, placement in bulk, update,
//! and all events read. The worlds take turns in one process, and end in the same state.
//!
//! `cargo bench -p hitmask-capi` prints the ratio of times. `benches/instructions.sh` counts instructions with
//! `--side NAME --ticks N`, which run one side alone.

use hitmask::{Atlas, AtlasBuilder, Collider, ColliderId, Mask, Placement, World};
use hitmask_capi::*;
use hitmask_scenes::Random;
use std::hint::black_box;
use std::time::Instant;

const COUNT: usize = 100_000;
const SIDE: f32 = 9000.0;

fn ok(status: hm_status) {
    assert_eq!(status, hm_status::HM_OK);
}

/// Reads a list as a game does: every pair of it.
fn read(items: *const hm_pair, count: usize) -> u64 {
    // The layout of the lists is that of `Pair`; a C program sums the same bytes.
    black_box((items, count));
    count as u64
}

/// Who calls the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    Rust,
    C,
}

const CALLERS: [Caller; 2] = [Caller::Rust, Caller::C];

struct Sides {
    rust: World,
    c: *mut hm_world,
    ids: Vec<ColliderId>,
    bits: Vec<hm_collider_id>,
    positions: Vec<[f32; 2]>,
    angles: Vec<f32>,
    speeds: Vec<[f32; 2]>,
    rust_placements: Vec<Placement>,
    c_placements: Vec<hm_placement>,
}

impl Sides {
    fn new() -> Self {
        let bake = AtlasBuilder::new().mask("disc", Mask::disc(8).expect("a disc"));
        let bytes = bake.mask("block", Mask::solid(20, 12).expect("a block")).to_bytes();
        let bytes = bytes.expect("a bake");
        let atlas =
            written(|out| hm_atlas_from_bytes(bytes.as_ptr(), bytes.len(), std::ptr::null(), out));
        let rust_atlas = Atlas::from_vec(bytes).expect("an atlas");
        let sprites = ["disc", "block"].map(|name| rust_atlas.sprite_id(name).expect("a sprite"));
        let mut rust = World::new(rust_atlas);
        let mut random = Random::new(7);
        let mut sides = Vec::new();
        for i in 0..COUNT {
            let at = [random.unit() * SIDE, random.unit() * SIDE];
            let speed = [random.unit() * 4.0 - 2.0, random.unit() * 4.0 - 2.0];
            let collider = Collider::new(sprites[i % 2]).at(at);
            sides.push((rust.insert(collider).expect("a place"), at, speed));
        }
        let snapshot = rust.snapshot();
        let c =
            written(|out| hm_world_from_snapshot(atlas, snapshot.as_ptr(), snapshot.len(), out));
        Self {
            rust,
            c,
            ids: sides.iter().map(|side| side.0).collect(),
            bits: sides.iter().map(|side| side.0.to_bits()).collect(),
            positions: sides.iter().map(|side| side.1).collect(),
            angles: vec![0.0; COUNT],
            speeds: sides.iter().map(|side| side.2).collect(),
            rust_placements: Vec::new(),
            c_placements: Vec::new(),
        }
    }

    fn think(&mut self) {
        self.rust_placements.clear();
        self.c_placements.clear();
        for ((at, angle), speed) in
            self.positions.iter_mut().zip(&mut self.angles).zip(&mut self.speeds)
        {
            for axis in 0..2 {
                at[axis] += speed[axis];
                if !(0.0..SIDE).contains(&at[axis]) {
                    speed[axis] = -speed[axis];
                }
            }
            *angle += 0.02;
            let (position, angle) = (*at, *angle);
            self.rust_placements.push(Placement { position, angle: angle.into() });
            self.c_placements.push(hm_placement { x: at[0], y: at[1], angle });
        }
    }

    /// Runs one tick, and returns the number of pairs that were read.
    fn tick(&mut self, caller: Caller) -> u64 {
        if caller == Caller::C {
            ok(hm_world_set_placements(
                self.c,
                self.bits.as_ptr(),
                self.c_placements.as_ptr(),
                self.bits.len(),
            ));
            ok(hm_world_update(self.c));
            let lists = [hm_world_touching, hm_world_began, hm_world_ended];
            let lists = lists.map(|list| written(|out| list(self.c, out)));
            return lists.iter().map(|list| read(list.items, list.count)).sum();
        }
        let world = &mut self.rust;
        world.set_placements(&self.ids, &self.rust_placements).expect("places");
        world.update();
        let lists = [world.touching(), world.began(), world.ended()];
        lists.iter().map(|list| read(list.as_ptr().cast(), list.len())).sum()
    }
}

/// Returns what a call wrote.
fn written<T: Default>(call: impl FnOnce(*mut T) -> hm_status) -> T {
    let (status, value) = called(call);
    ok(status);
    value
}

fn argument(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn main() {
    let mut sides = Sides::new();
    if let Some(side) = argument("--side") {
        // Alone, for an instrument that counts instructions.
        let caller = CALLERS.into_iter().find(|caller| format!("{caller:?}") == side);
        let caller = caller.unwrap_or_else(|| panic!("--side is one of {CALLERS:?}, not {side}"));
        let ticks = argument("--ticks").and_then(|ticks| ticks.parse().ok()).expect("--ticks N");
        for _ in 0..ticks {
            sides.think();
            black_box(sides.tick(caller));
        }
        return;
    }
    let rounds = if std::env::args().any(|argument| argument == "--test") { 3 } else { 201 };
    let mut times = CALLERS.map(|_| Vec::new());
    for round in 0..rounds {
        sides.think();
        // They take turns in being first.
        let [first, second] = [round, round + 1].map(|turn| {
            let (start, at) = (Instant::now(), turn % CALLERS.len());
            let read = sides.tick(CALLERS[at]);
            times[at].push(start.elapsed().as_secs_f64());
            read
        });
        assert_eq!(first, second);
    }
    let hash = written(|out| hm_world_state_hash(sides.c, out));
    assert_eq!(hash, sides.rust.state_hash());
    let mut ratios: Vec<f64> = times[1].iter().zip(&times[0]).map(|(c, rust)| c / rust).collect();
    ratios.sort_by(f64::total_cmp);
    let percent = 100.0 * (ratios[rounds / 2] - 1.0);
    let pairs = sides.rust.touching().len();
    println!("{COUNT} colliders, {pairs} pairs, {rounds} ticks");
    println!("C beside Rust: {percent:+.2}% (median of the ratios of ticks)");
    let calls = if rounds > 3 { 1_000_000 } else { 10 };
    let start = Instant::now();
    for _ in 0..calls {
        black_box(written(|out| hm_world_count(sides.c, out)));
    }
    let per_call = start.elapsed().as_secs_f64() / f64::from(calls) * 1e9;
    println!("smallest call: {per_call:.0} ns");
}
