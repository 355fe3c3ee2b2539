//! The narrow phase, warm: batches with every instruction set of this machine beside a scalar loop
//! over the same strips and the classic raster approach, all in one run.
//!
//! ```sh
//! cargo bench --bench narrow                      # everything
//! cargo bench --bench narrow -- touches/natural   # one query and mix
//! ```
//!
//! Sprites are the project's own, turned at random and scaled until the longer side of their
//! trimmed box is as many pixels as the case says. There are as many as fit 512 KiB, so that the
//! second cache holds them. Pairs are distinct, their boxes overlap, and offsets are even within
//! that: about 70% touch. A time is that of the whole list: divide by its number of pairs, or read
//! the throughput. Every implementation must give the same answers before it is timed.

mod baseline;

use baseline::Strips;
use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use hitmask::naive::{Canvas, Drawing};
use hitmask::{
    Atlas, Bake, First, Mask, MaskRef, Pivot, Point, Pose, PoseId, PosePair, PoseSet, Raster,
    Sampling, Simd,
};
use hitmask_sprites::{Random, named};
use std::hint::black_box;
use std::time::Duration;

const ANGLES: u32 = 64;
const SPRITES: [&str; 6] = ["blob", "crescent", "fighter", "hull", "ring", "star"];

/// Pairs of a list: more than a branch predictor remembers.
const PAIRS: usize = 24_000;

/// Pairs that the raster approach is timed with; it takes a thousand times as long.
const RASTER_PAIRS: usize = 240;

/// The longer sides of the masks of a case, from and to, in pixels.
const SIZES: [(u32, u32); 10] = [
    (16, 16),
    (32, 32),
    (64, 64),
    (80, 80),
    (100, 100),
    (128, 128),
    (160, 160),
    (256, 256),
    (512, 512),
    (16, 128),
];

#[derive(Clone, Copy, PartialEq)]
enum Mix {
    /// As offsets fall.
    Natural,
    Hit,
    Miss,
    /// Natural, 4,000 pairs again and again: flatters code with branches.
    Short,
}

/// One sprite as it is shown.
struct Shown {
    source: Mask,
    poses: PoseSet,
    pose: Pose,
    mask: Mask,
    origin: Point,
}

impl Shown {
    fn new(size: u32, random: &mut Random) -> Self {
        let picture = named(SPRITES[random.below(SPRITES.len() as u32) as usize]);
        let source =
            Mask::from_rgba(picture.width, picture.height, &picture.rgba, Default::default());
        let source = source.unwrap();
        let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest).unwrap();
        let pose = Pose { step: random.below(ANGLES), scale: 0 };
        let at = |scale: f32| {
            let poses = PoseSet::new(ANGLES, [scale]).unwrap();
            let posed = raster.pose(&poses, pose).unwrap();
            (poses, posed)
        };
        let longer = |mask: &Mask| mask.width().max(mask.height());
        let first = at(1.0).1;
        let (poses, posed) = at(size as f32 / longer(&first.mask) as f32);
        assert!(longer(&posed.mask).abs_diff(size) <= size.div_ceil(16));
        Self { source, poses, pose, mask: posed.mask, origin: posed.origin }
    }

    fn drawing(&self) -> Drawing<'_> {
        let (source, poses) = (&self.source, &self.poses);
        Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, self.pose).unwrap()
    }
}

struct Question {
    a: usize,
    b: usize,
    offset: Point,
}

struct Scene {
    name: String,
    shown: Vec<Shown>,
    atlas: Atlas,
    strips: Vec<Strips>,
    questions: Vec<Question>,
    pairs: Vec<PosePair>,
}

impl Scene {
    fn new((from, to): (u32, u32), mix: Mix) -> Self {
        let mut random = Random::new(u64::from(from) << 32 | u64::from(to));
        let bytes = to.div_ceil(64) * (to + 8) * 8;
        let count = ((512 << 10) / bytes).clamp(8, 256) as usize;
        let shown: Vec<Shown> = (0..count)
            .map(|_| Shown::new(random.within(from as i32, to as i32 + 1) as u32, &mut random))
            .collect();
        let bake = shown.iter().zip(0..).fold(Bake::new().angles(1), |bake, (shown, i)| {
            bake.mask(format!("{i:06}"), shown.mask.clone())
        });
        // Copied, so that the masks start on cache lines.
        let atlas = Atlas::from_bytes(&bake.to_bytes().unwrap()).unwrap();
        let strips = shown.iter().map(|shown| Strips::new(shown.mask.as_ref())).collect();
        let wanted = if mix == Mix::Short { 4_000 } else { PAIRS };
        let mut questions = Vec::with_capacity(wanted);
        while questions.len() < wanted {
            let [a, b] = [0; 2].map(|_: i32| random.below(count as u32) as usize);
            let side = |i: usize| [shown[i].mask.width() as i32, shown[i].mask.height() as i32];
            let ([aw, ah], [bw, bh]) = (side(a), side(b));
            let offset = Point::new(random.within(1 - bw, aw), random.within(1 - bh, ah));
            let hit = shown[a].mask.touches(&shown[b].mask, offset);
            if !matches!((mix, hit), (Mix::Hit, false) | (Mix::Miss, true)) {
                questions.push(Question { a, b, offset });
            }
        }
        let ids: Vec<PoseId> = atlas
            .sprites()
            .map(|sprite| sprite.pose_id(0, Pose::default(), false, false).unwrap())
            .collect();
        let pair = |q: &Question| PosePair { a: ids[q.a], b: ids[q.b], offset: q.offset };
        let pairs = questions.iter().map(pair).collect();
        let name = if from == to { to.to_string() } else { format!("{from}-{to}") };
        Self { name, shown, atlas, strips, questions, pairs }
    }

    /// The masks of each question, as the queries of single pairs take them.
    fn masks(&self) -> impl Iterator<Item = (MaskRef<'_>, MaskRef<'_>, Point)> {
        let mask = |i: usize| self.shown[i].mask.as_ref();
        self.questions.iter().map(move |q| (mask(q.a), mask(q.b), q.offset))
    }
}

type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Times `ask`, which fills in the answers, with every instruction set.
fn batches<T: Clone + PartialEq + std::fmt::Debug>(
    group: &mut Group<'_>,
    scene: &Scene,
    truth: &[T],
    nothing: T,
    ask: impl Fn(&mut hitmask::Batch<'_>, &[PosePair], &mut [T]),
) {
    group.throughput(Throughput::Elements(scene.pairs.len() as u64));
    for simd in Simd::available() {
        let mut batch = scene.atlas.batch().with_simd(simd);
        let mut answers = vec![nothing.clone(); truth.len()];
        ask(&mut batch, &scene.pairs, &mut answers);
        assert_eq!(answers, truth, "{}", simd.name());
        group.bench_function(format!("{}/{}", scene.name, simd.name()), |b| {
            b.iter(|| ask(&mut batch, &scene.pairs, black_box(&mut answers)));
        });
    }
}

/// Times `ask`, pair by pair.
fn pair_by_pair<T: PartialEq + std::fmt::Debug>(
    group: &mut Group<'_>,
    (scene, name): (&Scene, &str),
    truth: &[T],
    ask: impl Fn(&Question) -> T,
) {
    assert!(scene.questions.iter().zip(truth).all(|(q, truth)| ask(q) == *truth), "{name}");
    group.throughput(Throughput::Elements(scene.questions.len() as u64));
    group.bench_function(format!("{}/{name}", scene.name), |b| {
        b.iter(|| scene.questions.iter().for_each(|q| drop(black_box(ask(q)))));
    });
}

/// Times the raster approach on the first few pairs.
fn raster(group: &mut Group<'_>, scene: &Scene, truth: &[bool]) {
    let drawings: Vec<Drawing<'_>> = scene.shown.iter().map(Shown::drawing).collect();
    let mut canvas = Canvas::default();
    let mut ask = |q: &Question| {
        // The second lattice origin lies so that the trimmed boxes are `offset` apart.
        let (a, b) = (scene.shown[q.a].origin, scene.shown[q.b].origin);
        let at = Point::new(a.x + q.offset.x - b.x, a.y + q.offset.y - b.y);
        canvas.touches((&drawings[q.a], Point::default()), (&drawings[q.b], at))
    };
    let questions = &scene.questions[..RASTER_PAIRS];
    assert!(questions.iter().zip(truth).all(|(q, &truth)| ask(q) == truth), "raster");
    group.throughput(Throughput::Elements(RASTER_PAIRS as u64));
    group.bench_function(format!("{}/raster", scene.name), |b| {
        b.iter(|| questions.iter().for_each(|q| _ = black_box(ask(q))));
    });
}

fn touches(c: &mut Criterion) {
    for (name, mix) in
        [("natural", Mix::Natural), ("hit", Mix::Hit), ("miss", Mix::Miss), ("short", Mix::Short)]
    {
        let mut group = c.benchmark_group(format!("touches/{name}"));
        for size in SIZES {
            if mix != Mix::Natural && ![16, 64, 128, 512].contains(&size.0) {
                continue;
            }
            let scene = Scene::new(size, mix);
            let truth: Vec<bool> = scene.masks().map(|(a, b, at)| a.touches(b, at)).collect();
            batches(&mut group, &scene, &truth, false, |batch, pairs, answers| {
                batch.touches(pairs, answers);
            });
            let strips = &scene.strips;
            pair_by_pair(&mut group, (&scene, "scalar"), &truth, |q| {
                strips[q.a].touches(&strips[q.b], q.offset)
            });
            let masks = |q: &Question| (&scene.shown[q.a].mask, &scene.shown[q.b].mask);
            pair_by_pair(&mut group, (&scene, "single"), &truth, |q| {
                masks(q).0.touches(masks(q).1, q.offset)
            });
            if mix == Mix::Natural {
                raster(&mut group, &scene, &truth);
            }
        }
        group.finish();
    }
}

/// The queries that say more than yes or no.
fn others(c: &mut Criterion) {
    let sizes = SIZES.map(|size| Scene::new(size, Mix::Natural));
    let mut group = c.benchmark_group("area/natural");
    for scene in &sizes {
        let truth: Vec<u64> = scene.masks().map(|(a, b, at)| a.overlap_area(b, at)).collect();
        batches(&mut group, scene, &truth, 0, |batch, pairs, answers| {
            batch.overlap_area(pairs, answers);
        });
        let strips = &scene.strips;
        pair_by_pair(&mut group, (scene, "scalar"), &truth, |q| {
            strips[q.a].area(&strips[q.b], q.offset)
        });
    }
    group.finish();
    let mut group = c.benchmark_group("rect/natural");
    for scene in &sizes {
        let truth: Vec<_> = scene.masks().map(|(a, b, at)| a.overlap_rect(b, at)).collect();
        batches(&mut group, scene, &truth, None, |batch, pairs, answers| {
            batch.overlap_rect(pairs, answers);
        });
    }
    group.finish();
    for (name, order) in [("top", First::Top), ("left", First::Left)] {
        let mut group = c.benchmark_group(format!("{name}/natural"));
        for scene in &sizes {
            let truth: Vec<_> =
                scene.masks().map(|(a, b, at)| a.first_point(order, b, at)).collect();
            batches(&mut group, scene, &truth, None, |batch, pairs, answers| {
                batch.first_point(order, pairs, answers);
            });
        }
        group.finish();
    }
    let mut group = c.benchmark_group("contact/natural");
    for scene in &sizes {
        let truth: Vec<_> = scene.masks().map(|(a, b, at)| a.contact(b, at)).collect();
        batches(&mut group, scene, &truth, None, |batch, pairs, answers| {
            batch.contact(pairs, answers);
        });
    }
    group.finish();
}

/// The same pairs in batches of few: where a batch begins to pay.
fn few(c: &mut Criterion) {
    let mut group = c.benchmark_group("touches/batches");
    for size in [(64, 64), (128, 128)] {
        let scene = Scene::new(size, Mix::Natural);
        let mut batch = scene.atlas.batch();
        let mut answers = vec![false; PAIRS];
        group.throughput(Throughput::Elements(PAIRS as u64));
        for n in [1, 4, 16, 32, 64, 128, 256] {
            group.bench_function(format!("{}/{n}", scene.name), |b| {
                b.iter(|| {
                    for (pairs, answers) in scene.pairs.chunks(n).zip(answers.chunks_mut(n)) {
                        batch.touches(pairs, black_box(answers));
                    }
                });
            });
        }
    }
    group.finish();
}

fn main() {
    let mut c = Criterion::default()
        .configure_from_args()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300));
    touches(&mut c);
    others(&mut c);
    few(&mut c);
    c.final_summary();
}
