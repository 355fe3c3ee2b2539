//! Compares the C interface with the Rust one: 100,000 moving colliders, placement in bulk, update,
//! and all events read. Both worlds take turns in one process, and end in the same state.

use hitmask::{Angle, Atlas, Bake, Collider, ColliderId, Mask, Placement, World};
use hitmask_capi::*;
use hitmask_scenes::Random;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

const COUNT: usize = 100_000;
const SIDE: f32 = 9000.0;

fn ok(status: hm_status) {
    assert_eq!(status, hm_status::HM_OK);
}

/// A list as C reads it.
fn read(items: *const hm_pair, count: usize) -> u64 {
    // The layout of the lists is that of `Pair`; a C program sums the same bytes.
    black_box((items, count));
    count as u64
}

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
        let bake = Bake::new().mask("disc", Mask::disc(8).expect("a disc"));
        let bytes = bake.mask("block", Mask::solid(20, 12).expect("a block")).to_bytes();
        let bytes = bytes.expect("a bake");
        let atlas = written(|out| hm_atlas_from_bytes(bytes.as_ptr(), bytes.len(), None, out));
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
            self.rust_placements.push(Placement { position: *at, angle: Angle::Radians(*angle) });
            self.c_placements.push(hm_placement { x: at[0], y: at[1], radians: *angle });
        }
    }

    fn rust(&mut self) -> ([Duration; 2], u64) {
        let start = Instant::now();
        self.rust.set_placements(&self.ids, &self.rust_placements).expect("places");
        let placed = start.elapsed();
        self.rust.update();
        let lists = [self.rust.touching(), self.rust.began(), self.rust.ended()];
        let sum = lists.iter().map(|list| read(list.as_ptr().cast(), list.len())).sum();
        ([placed, start.elapsed()], sum)
    }

    fn c(&mut self) -> ([Duration; 2], u64) {
        let start = Instant::now();
        ok(hm_world_set_placements(
            self.c,
            self.bits.as_ptr(),
            self.c_placements.as_ptr(),
            self.bits.len(),
        ));
        let placed = start.elapsed();
        ok(hm_world_update(self.c));
        let mut sum = 0;
        for list in [hm_world_touching, hm_world_began, hm_world_ended] {
            let pairs = written(|out| list(self.c, out));
            sum += read(pairs.items, pairs.count);
        }
        ([placed, start.elapsed()], sum)
    }
}

/// Returns what a call wrote.
fn written<T: Zero>(call: impl FnOnce(Option<&mut MaybeUninit<T>>) -> hm_status) -> T {
    let (status, value) = called(call);
    ok(status);
    value
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let mut sides = Sides::new();
    let rounds = if std::env::args().any(|argument| argument == "--test") { 3 } else { 201 };
    let (mut rust, mut c) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let (mut ratios, mut pairs) = (Vec::new(), 0);
    for round in 0..rounds {
        sides.think();
        // The two take turns in being first.
        let ((r, rust_sum), (b, c_sum)) = if round % 2 == 0 {
            let first = sides.rust();
            (first, sides.c())
        } else {
            let first = sides.c();
            (sides.rust(), first)
        };
        assert_eq!(rust_sum, c_sum);
        pairs = sides.rust.touching().len();
        for at in 0..2 {
            rust[at].push(r[at].as_secs_f64() * 1e3);
            c[at].push(b[at].as_secs_f64() * 1e3);
        }
        ratios.push(b[1].as_secs_f64() / r[1].as_secs_f64());
    }
    let calls = if rounds > 3 { 1_000_000 } else { 10 };
    let start = Instant::now();
    for _ in 0..calls {
        black_box(written(|out| hm_world_count(sides.c, out)));
    }
    let per_call = start.elapsed().as_secs_f64() / f64::from(calls) * 1e9;
    let hash = written(|out| hm_world_state_hash(sides.c, out));
    assert_eq!(hash, sides.rust.state_hash());
    let [rust_place, rust_all] = rust.map(median);
    let [c_place, c_all] = c.map(median);
    println!("{COUNT} colliders, {pairs} pairs, medians of {rounds} ticks");
    println!("placement:     Rust {rust_place:.3} ms, C {c_place:.3} ms");
    println!("smallest call: {per_call:.0} ns");
    println!("whole tick:    Rust {rust_all:.3} ms, C {c_all:.3} ms");
    println!(
        "C beside Rust: {:+.2}% (median of the ratios of ticks)",
        100.0 * (median(ratios) - 1.0)
    );
}
