//! `hitmask bench narrow`: the queries of the narrow phase over pairs of posed sprites.
//!
//! Each row compares a batch with single calls, a scalar loop, and two naive approaches. All give
//! the same results, or the bench fails.

use super::{Precision, disagree, median};
use crate::CliError;
use hitmask::reference::Canvas;
use hitmask::{Batch, Certainty, Point, PosePair, Rect, ScanOrder, Simd};
use hitmask_scenes::{Mix, PairScene, PairSides, Question, Strips};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Default number of pairs: more than a branch predictor can learn.
pub(super) const PAIRS: u32 = 24_000;
/// Number of pairs that the naive approach draws.
const DRAWN: usize = 240;
/// Number of runs of each side, in turns. Odd, for the median.
const RUNS: usize = 9;
/// Times of one query in ns per pair.
#[derive(Serialize)]
pub(super) struct Row {
    query: &'static str,
    /// Longer side of the sprites in pixels; that of the largest in a mix of sizes.
    pub(super) size: u32,
    /// "natural": about 70% hits. "miss": no hits. "mixed": natural, with sizes from 16 to 128 px.
    mix: &'static str,
    /// Instruction set.
    level: &'static str,
    pub(super) ns: f64,
    /// One call per pair, on masks of the atlas that are looked up once per sprite.
    single_ns: f64,
    /// Scalar strip loop.
    scalar_ns: f64,
    /// Draws both sprites from their sources, with drawings and tight boxes prepared before.
    pub(super) naive_ns: f64,
    /// Compares images drawn beforehand, one byte per pixel.
    prepared_ns: f64,
    /// For a coarse query: an exact batch of the same pairs, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_ns: Option<f64>,
}

/// Output buffers of a batch, allocated before the timing.
struct Answers {
    touches: Vec<bool>,
    areas: Vec<u64>,
    rects: Vec<Option<Rect>>,
    points: Vec<Option<Point>>,
    certain: Vec<Certainty>,
}

/// One query in each implementation. Results are mapped to a number, so that they can be compared.
struct Query {
    name: &'static str,
    batch: fn(&mut Batch<'_>, &[PosePair], &mut Answers),
    answer: fn(&Answers, usize) -> u64,
    single: fn(&PairSides<'_>, &Question) -> u64,
    scalar: fn(&Strips, &Strips, &Question) -> u64,
    naive: fn(&PairSides<'_>, &mut Canvas, &Question) -> u64,
    prepared: fn(&PairSides<'_>, &Question) -> u64,
}

const QUERIES: [Query; 4] = [
    Query {
        name: "touches",
        batch: |batch, pairs, answers| batch.touches(pairs, &mut answers.touches),
        answer: |answers, i| u64::from(answers.touches[i]),
        single: |s, q| u64::from(s.masks[q.a].touches(s.masks[q.b], q.offset)),
        scalar: |a, b, q| u64::from(a.touches(b, q.offset)),
        naive: |s, canvas, q| u64::from(s.drawn_point(canvas, q).is_some()),
        prepared: |s, q| u64::from(s.images[q.a].touches(&s.images[q.b], q.offset)),
    },
    Query {
        name: "area",
        batch: |batch, pairs, answers| batch.overlap_area(pairs, &mut answers.areas),
        answer: |answers, i| answers.areas[i],
        single: |s, q| s.masks[q.a].overlap_area(s.masks[q.b], q.offset),
        scalar: |a, b, q| a.area(b, q.offset),
        naive: |s, canvas, q| s.drawn_contact(canvas, q).map_or(0, |c| c.area),
        prepared: |s, q| s.images[q.a].overlap_area(&s.images[q.b], q.offset),
    },
    Query {
        name: "rect",
        batch: |batch, pairs, answers| batch.overlap_rect(pairs, &mut answers.rects),
        answer: |answers, i| answers.rects[i].map_or(0, |rect| rect.area()),
        single: |s, q| {
            let rect = s.masks[q.a].overlap_rect(s.masks[q.b], q.offset);
            rect.map_or(0, |rect| rect.area())
        },
        scalar: |a, b, q| a.rect(b, q.offset).map_or(0, |rect| rect.area()),
        naive: |s, canvas, q| s.drawn_contact(canvas, q).map_or(0, |c| c.rect.area()),
        prepared: |s, q| {
            s.images[q.a].contact(&s.images[q.b], q.offset).map_or(0, |(rect, ..)| rect.area())
        },
    },
    Query {
        name: "point",
        batch: |batch, pairs, answers| {
            batch.first_overlap(ScanOrder::Top, pairs, &mut answers.points)
        },
        answer: |answers, i| number(answers.points[i]),
        single: |s, q| number(s.masks[q.a].first_overlap(ScanOrder::Top, s.masks[q.b], q.offset)),
        scalar: |a, b, q| number(a.top(b, q.offset)),
        naive: |s, canvas, q| number(s.drawn_point(canvas, q)),
        prepared: |s, q| number(s.images[q.a].first_point(&s.images[q.b], q.offset)),
    },
];

/// The coarse levels alone. The other implementations are exact.
const COARSE: Query = Query {
    name: "coarse",
    batch: |batch, pairs, answers| batch.coarse(pairs, &mut answers.certain),
    answer: |answers, i| answers.certain[i] as u64,
    single: |s, q| s.masks[q.a].coarse(s.masks[q.b], q.offset) as u64,
    scalar: |a, b, q| certain(a.touches(b, q.offset)),
    naive: |s, canvas, q| certain(s.drawn_point(canvas, q).is_some()),
    prepared: |s, q| certain(s.images[q.a].touches(&s.images[q.b], q.offset)),
};

/// Maps an exact answer to the number of a certain one.
const fn certain(touches: bool) -> u64 {
    (if touches { Certainty::Yes } else { Certainty::No }) as u64
}

/// Maps a point to a number, and `None` to 0. Distinct for all points inside of sprites.
fn number(point: Option<Point>) -> u64 {
    point.map_or(0, |p| 1 + (u64::from(p.y.unsigned_abs()) << 32 | u64::from(p.x.unsigned_abs())))
}

/// Duration of the warm-up and of the timed run. The warm-up fills the caches, and gives Intel CPUs
/// the 0.5 ms that they need to reach full speed with 512-bit vectors.
const WARM: Duration = Duration::from_millis(1);

/// Returns the time in ns per item, over repeated runs of `items` items after a warm-up.
fn time_warm<A>(items: usize, mut run: impl FnMut() -> A) -> f64 {
    let mut repeat = || {
        let (begin, mut runs) = (Instant::now(), 0);
        while runs == 0 || begin.elapsed() < WARM {
            std::hint::black_box(run());
            runs += 1;
        }
        begin.elapsed().as_secs_f64() * 1e9 / (runs * items) as f64
    };
    repeat();
    repeat()
}

/// Measures `pairs` pairs of each size, or of the default sizes if `sizes` is empty.
pub(super) fn rows(sizes: &[u32], pairs: usize, accuracy: Precision) -> Result<Vec<Row>, CliError> {
    let queries: &[Query] = match accuracy {
        Precision::Exact => &QUERIES,
        Precision::Coarse => &[COARSE],
    };
    let mut rows = Vec::new();
    let sizes: Vec<(u32, u32)> = match sizes {
        [] => PairScene::SIZES.to_vec(),
        _ => sizes.iter().map(|&size| (size, size)).collect(),
    };
    for size in sizes {
        let mix = if size.0 == size.1 { "natural" } else { "mixed" };
        let scene = PairScene::new(size, Mix::Natural, pairs);
        for query in queries {
            for simd in Simd::available() {
                rows.push(row(&scene, (size.1, mix), query, simd)?);
            }
        }
        if mix == "natural" {
            let scene = PairScene::new(size, Mix::Miss, pairs);
            for simd in Simd::available() {
                rows.push(row(&scene, (size.1, "miss"), &queries[0], simd)?);
            }
        }
    }
    Ok(rows)
}

/// Measures one query on one scene with one instruction set, after a comparison of all results.
fn row(
    scene: &PairScene,
    (size, mix): (u32, &'static str),
    query: &Query,
    simd: Simd,
) -> Result<Row, CliError> {
    let questions = &scene.questions;
    let pairs = questions.len();
    let some = &questions[..pairs.min(DRAWN)];
    let (mut canvas, sides) = (Canvas::default(), &scene.sides());
    let mut batch = scene.atlas().batch().with_simd(simd);
    let scalar = |q: &Question| (query.scalar)(&scene.strips[q.a], &scene.strips[q.b], q);
    let mut answers = Answers {
        touches: vec![false; pairs],
        areas: vec![0; pairs],
        rects: vec![None; pairs],
        points: vec![None; pairs],
        certain: vec![Certainty::Maybe; pairs],
    };
    (query.batch)(&mut batch, &scene.pairs, &mut answers);
    let is_coarse = query.name == COARSE.name;
    let agree = questions.iter().enumerate().all(|(i, q)| {
        let (answer, exact) = ((query.answer)(&answers, i), scalar(q));
        (query.single)(sides, q) == answer
            && (exact == answer || is_coarse && answer == Certainty::Maybe as u64)
            && (query.prepared)(sides, q) == exact
            && (i >= DRAWN || (query.naive)(sides, &mut canvas, q) == exact)
    });
    if !agree {
        return Err(disagree(&format!("{} at {size} px with {}", query.name, simd.name())));
    }
    let mut times = [const { Vec::new() }; 6];
    for _ in 0..RUNS {
        let ask = || (query.batch)(&mut batch, &scene.pairs, &mut answers);
        times[0].push(time_warm(pairs, ask));
        let single = || questions.iter().map(|q| (query.single)(sides, q)).sum::<u64>();
        times[1].push(time_warm(pairs, single));
        times[2].push(time_warm(pairs, || questions.iter().map(scalar).sum::<u64>()));
        let draw = || some.iter().map(|q| (query.naive)(sides, &mut canvas, q)).sum::<u64>();
        times[3].push(time_warm(some.len(), draw));
        let compare = || questions.iter().map(|q| (query.prepared)(sides, q)).sum::<u64>();
        times[4].push(time_warm(pairs, compare));
        if is_coarse {
            let exact = || batch.touches(&scene.pairs, &mut answers.touches);
            times[5].push(time_warm(pairs, exact));
        }
    }
    let [ns, single, scalar, naive, prepared, exact_ns] = times.map(median);
    Ok(Row {
        query: query.name,
        size,
        mix,
        level: simd.name(),
        ns: ns.unwrap_or_default(),
        single_ns: single.unwrap_or_default(),
        scalar_ns: scalar.unwrap_or_default(),
        naive_ns: naive.unwrap_or_default(),
        prepared_ns: prepared.unwrap_or_default(),
        exact_ns,
    })
}

/// Formats the rows as a text table. Coarse rows have a column more.
pub(super) fn table(rows: &[Row]) -> String {
    let exact = |ns: Option<&str>| ns.map_or_else(String::new, |ns| format!(" {ns:>10}"));
    let has_exact = rows.iter().any(|row| row.exact_ns.is_some());
    let mut text = format!(
        "{:8} {:>7} {:8} {:8} {:>10}{} {:>10} {:>10} {:>12} {:>12} {:>9}\n",
        "query",
        "size",
        "mix",
        "level",
        "hitmask ns",
        exact(has_exact.then_some("exact ns")),
        "single ns",
        "scalar ns",
        "naive ns",
        "prepared ns",
        "speedup"
    );
    for row in rows {
        let exact_ns = row.exact_ns.map(|ns| format!("{ns:.1}"));
        text += &format!(
            "{:8} {:>7} {:8} {:8} {:>10.1}{} {:>10.1} {:>10.1} {:>12.1} {:>12.1} {:>9.0}\n",
            row.query,
            row.size,
            row.mix,
            row.level,
            row.ns,
            exact(exact_ns.as_deref()),
            row.single_ns,
            row.scalar_ns,
            row.naive_ns,
            row.prepared_ns,
            row.naive_ns / row.ns
        );
    }
    text
}
