//! Benchmark of the coarse levels: the same pairs with levels and without, by size and by pool.
//!
//! ```sh
//! cargo bench --bench levels                   # pools of 512 KiB and 48 MiB
//! HITMASK_COLD=1 cargo bench --bench levels    # also a pool of 1 GiB, and cold worlds
//! cargo bench --bench levels -- 48MiB/96       # one pool and size
//! HITMASK_SIMD=avx2 cargo bench --bench levels # one instruction set
//! ```
//!
//! `HITMASK_COLD` is the size of the largest pool in GiB: choose one that exceeds the last-level
//! cache. 1 GiB takes 8 GiB of memory in all, and about 5 minutes.
//!
//! - `pool`: random pairs of distinct masks of one size whose boxes overlap, as [`PoolScene`]
//!   describes. Every mask has levels of its own, whatever its size, so that the size from which
//!   levels pay can be read off.
//! - `world`: 1,000,000 colliders that all move and turn, over 5,000 sprites at 128 angles. The
//!   counterpart with warm masks is 40 sprites at 64 angles.
//!
//! The sides run in turn, slice by slice, so that a change of the machine's speed affects all of
//! them. No two sides read the same pairs after each other. Times are lower quartiles in ns per pair,
//! or in ms per update: a slice that another job interrupts says nothing. All sides must give the
//! same answers before they are timed.

use hitmask::{Accuracy, Atlas, Batch, Certainty, PosePair, Simd};
use hitmask_scenes::{Crowd, NO_LEVELS, PoolScene, Stage, with_level_side};
use rayon::ThreadPoolBuilder;
use std::time::{Duration, Instant};

/// Sizes in pixels.
const SIZES: [u32; 8] = [64, 96, 128, 160, 192, 256, 320, 512];

/// Pools that every machine has memory for: their bytes and names.
const POOLS: [(usize, &str); 2] = [(512 << 10, "512KiB"), (48 << 20, "48MiB")];

/// Pairs of a pool of 1 MiB or less, and of larger ones: their masks take more than any cache.
const PAIRS: [usize; 2] = [1 << 15, 1 << 18];

/// Pairs that a side tests before the next side has its turn.
const SLICE: usize = 1 << 10;

/// Times that each slice is timed.
const ROUNDS: usize = 3;

/// Colliders, sprites and angles of a cold world, and its timed updates.
const COLLIDERS: usize = 1_000_000;
const SPRITES: usize = 5_000;
const ANGLES: u32 = 128;
const UPDATES: usize = 9;

/// Sizes from which the masks of a cold world have levels.
/// Each twice, because the place of an atlas in memory matters too.
const LEVEL_SIDES: [u32; 4] = [128, NO_LEVELS, NO_LEVELS, 128];

/// Side in pixels of the square per collider, relative to the mean side of the sprites: boxes of
/// 1.2 other colliders overlap on average.
const SPACING: f32 = 1.2;

fn lower_quartile(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 4]
}

/// One way to answer the pairs.
struct Side<'a> {
    batch: Batch<'a>,
    is_coarse: bool,
    times: Vec<f64>,
}

impl<'a> Side<'a> {
    fn new(atlas: &'a Atlas, simd: Simd, is_coarse: bool) -> Self {
        Self { batch: atlas.batch().with_simd(simd), is_coarse, times: Vec::new() }
    }

    fn run(&mut self, pairs: &[PosePair], answers: &mut Answers) {
        let begin = Instant::now();
        if self.is_coarse {
            self.batch.coarse(pairs, &mut answers.certain);
        } else {
            self.batch.touches(pairs, &mut answers.touches);
        }
        self.times.push(begin.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64);
    }
}

struct Answers {
    touches: Vec<bool>,
    certain: Vec<Certainty>,
}

impl Answers {
    fn new(count: usize) -> Self {
        Self { touches: vec![false; count], certain: vec![Certainty::Maybe; count] }
    }
}

/// Returns the instruction set that `HITMASK_SIMD` names, or all of this machine.
fn instruction_sets() -> Vec<Simd> {
    match std::env::var_os("HITMASK_SIMD") {
        Some(_) => vec![Simd::preferred()],
        None => Simd::available(),
    }
}

/// Times the pairs of a pool with every instruction set, and prints a row for each.
fn pool(size: u32, (bytes, name): (usize, &str)) {
    let scene = PoolScene::new(size, bytes, PAIRS[usize::from(bytes > 1 << 20)]);
    scene.with_levels[0].verify().expect("levels of the masks");
    let pairs = &scene.pairs;
    let mut expected = vec![false; pairs.len()];
    scene.without_levels[0].batch().touches(pairs, &mut expected);
    let hits = expected.iter().filter(|&&hit| hit).count() as f64 / pairs.len() as f64;
    for simd in instruction_sets() {
        let [with, without] = [&scene.with_levels, &scene.without_levels];
        let mut sides = [
            Side::new(&without[0], simd, false),
            Side::new(&with[0], simd, false),
            Side::new(&with[0], simd, true),
            Side::new(&without[1], simd, false),
            Side::new(&with[1], simd, false),
            Side::new(&with[1], simd, true),
        ];
        let mut answers = Answers::new(pairs.len());
        for side in &mut sides {
            answers.touches.fill(false);
            side.run(pairs, &mut answers);
            assert!(side.is_coarse || answers.touches == expected, "{name}/{size}");
            side.times.clear();
        }
        let is_right = |(&certain, &touches): (&Certainty, &bool)| match certain {
            Certainty::No => !touches,
            Certainty::Maybe => true,
            Certainty::Yes => touches,
        };
        assert!(answers.certain.iter().zip(&expected).all(is_right), "{name}/{size}");
        let open = answers.certain.iter().filter(|&&c| c == Certainty::Maybe).count();
        let (slices, count) = (pairs.len() / SLICE, sides.len());
        let mut answers = Answers::new(SLICE);
        for i in 0..ROUNDS * slices {
            for (k, side) in sides.iter_mut().enumerate() {
                let slice = (i + k * slices / count) % slices;
                side.run(&pairs[slice * SLICE..][..SLICE], &mut answers);
            }
        }
        let times = sides.map(|mut side| lower_quartile(&mut side.times));
        // The mean of both copies.
        let [without, with, coarse] = [0, 1, 2].map(|i| (times[i] + times[i + 3]) / 2.0);
        println!(
            "| {name} | {size} | {} | {without:.1} | {with:.1} | {:.2} | {coarse:.1} | {:.2} | {:.0}% | {:.0}% |",
            simd.name(),
            with / without,
            coarse / without,
            100.0 * hits,
            100.0 * open as f64 / pairs.len() as f64,
        );
    }
}

/// Times updates of a million colliders over very many masks, with levels from several sizes on, and
/// over few masks, and prints a row for each.
fn world(sizes: [u32; 2]) {
    let spacing = SPACING * (sizes[0] + sizes[1]) as f32 / 2.0;
    let crowd = |stage: &Stage| Crowd::new(stage, COLLIDERS, spacing).unwrap();
    let mut sides = Vec::new();
    let mut add = |name: &str, crowd: Crowd| {
        let bytes = crowd.world.atlas().as_bytes().len() >> 20;
        sides.push((format!("{bytes} MiB, {name}"), crowd, [const { Vec::new() }; 3]));
    };
    add("no levels", crowd(&Stage::many(40, 64, sizes, NO_LEVELS)));
    let stage = Stage::many(SPRITES, ANGLES, sizes, LEVEL_SIDES[0]);
    for level_side in LEVEL_SIDES {
        let atlas = with_level_side(&stage.atlas, level_side);
        let from = Stage { atlas, ..Stage::many(0, ANGLES, sizes, NO_LEVELS) };
        let sources = stage.sources.clone();
        let exact = crowd(&Stage { sources, ..from });
        if level_side == NO_LEVELS {
            add("no levels", exact);
            continue;
        }
        let mut coarse = exact.clone();
        coarse.world.set_accuracy(Accuracy::Coarse);
        add(&format!("levels from {level_side} px on"), exact);
        add(&format!("coarse, from {level_side} px on"), coarse);
    }
    for update in 0..UPDATES + 2 {
        let mut exact = None;
        for (name, crowd, times) in sides.iter_mut() {
            crowd.think();
            let begin = Instant::now();
            crowd.place().unwrap();
            let placed = begin.elapsed();
            let each = crowd.world.update_timed();
            // The first updates allocate memory.
            if update >= 2 {
                let ms = |time: Duration| time.as_secs_f64() * 1e3;
                let rest = each.build + each.join + each.events;
                times[0].push(ms(placed + rest));
                times[1].push(ms(each.narrow));
                times[2].push(each.narrow.as_secs_f64() * 1e9 / each.pairs as f64);
            }
            let touching = crowd.world.touching().len();
            if name.contains("coarse") {
                assert!(Some(touching) >= exact, "{name}");
            } else if crowd.world.atlas().sprites().count() == SPRITES {
                assert_eq!(touching, *exact.get_or_insert(touching), "{name}");
            }
        }
    }
    for (name, _, mut times) in sides {
        let [rest, narrow, each] = [0, 1, 2].map(|i| lower_quartile(&mut times[i]));
        println!("| {} to {} | {name} | {rest:.1} | {narrow:.1} | {each:.1} |", sizes[0], sizes[1]);
    }
}

fn main() {
    let filters: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_asked = |name: &str| filters.is_empty() || filters.iter().any(|f| name.contains(&**f));
    let cold = std::env::var("HITMASK_COLD").unwrap_or_default();
    let gib: Option<usize> = match &*cold {
        "" => None,
        gib => Some(gib.parse().expect("HITMASK_COLD is a number of GiB, such as 1")),
    };
    println!("| pool | px | set | without | with | ratio | coarse | ratio | hits | open |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let cold = gib.map(|gib| (gib << 30, format!("{gib}GiB")));
    let cold = cold.iter().map(|(bytes, name)| (*bytes, &**name));
    for (bytes, name) in POOLS.into_iter().chain(cold) {
        for size in SIZES {
            if is_asked(&format!("{name}/{size}")) {
                pool(size, (bytes, name));
            }
        }
    }
    if gib.is_none() {
        return;
    }
    println!();
    println!("| sprites, px | atlas | rest, ms | narrow phase, ms | ns per pair |");
    println!("|---|---|---|---|---|");
    let threads = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for sizes in [[30, 64], [64, 128]] {
        if is_asked(&format!("world/{}", sizes[1])) {
            threads.install(|| world(sizes));
        }
    }
}
