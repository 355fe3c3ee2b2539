use super::{disagree, median};
use crate::CliError;
use hitmask::reference::Canvas;
use hitmask::{Batch, Point, PosePair, Rect, ScanOrder, Simd};
use hitmask_scenes::{Mix, PairScene, Question, Strips};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Pairs of a list where nothing else is said: more than a branch predictor can learn by heart.
pub(super) const PAIRS: u32 = 24_000;
/// Pairs of them that the naive approach draws.
const DRAWN: usize = 240;
/// How often each side runs, in turn.
const RUNS: usize = 9;
/// Nanoseconds per pair of one query, all sides measured in turn.
#[derive(Serialize)]
pub(super) struct Row {
    query: &'static str,
    /// The longer side of the sprites in pixels; of the largest where they are mixed.
    pub(super) size: u32,
    /// "natural", about 70% hits; "miss", none; "mixed", natural with sizes from 16 to 128 pixels.
    mix: &'static str,
    /// The instruction set.
    level: &'static str,
    pub(super) ns: f64,
    /// A call for each pair.
    single_ns: f64,
    /// The scalar strip loop.
    scalar_ns: f64,
    pub(super) naive_ns: f64,
}

/// Room for the answers of a batch, made before the clock runs.
struct Answers {
    touches: Vec<bool>,
    areas: Vec<u64>,
    rects: Vec<Option<Rect>>,
    points: Vec<Option<Point>>,
}

/// A query: of a batch, of two masks, of two scalar strips, and by drawing. Answers are made one
/// number each, so that they can be compared.
struct Query {
    name: &'static str,
    batch: fn(&mut Batch<'_>, &[PosePair], &mut Answers),
    answer: fn(&Answers, usize) -> u64,
    single: fn(&PairScene, &Question) -> u64,
    scalar: fn(&Strips, &Strips, &Question) -> u64,
    naive: fn(&PairScene, &mut Canvas, &Question) -> u64,
}

const QUERIES: [Query; 4] = [
    Query {
        name: "touches",
        batch: |batch, pairs, answers| batch.touches(pairs, &mut answers.touches),
        answer: |answers, i| u64::from(answers.touches[i]),
        single: |s, q| u64::from(s.shown[q.a].mask.touches(&s.shown[q.b].mask, q.offset)),
        scalar: |a, b, q| u64::from(a.touches(b, q.offset)),
        naive: |s, canvas, q| u64::from(s.drawn_touches(canvas, q)),
    },
    Query {
        name: "area",
        batch: |batch, pairs, answers| batch.overlap_area(pairs, &mut answers.areas),
        answer: |answers, i| answers.areas[i],
        single: |s, q| s.shown[q.a].mask.overlap_area(&s.shown[q.b].mask, q.offset),
        scalar: |a, b, q| a.area(b, q.offset),
        naive: |s, canvas, q| s.drawn_contact(canvas, q).map_or(0, |c| c.area),
    },
    Query {
        name: "rect",
        batch: |batch, pairs, answers| batch.overlap_rect(pairs, &mut answers.rects),
        answer: |answers, i| answers.rects[i].map_or(0, |rect| rect.area()),
        single: |s, q| {
            let rect = s.shown[q.a].mask.as_ref().overlap_rect(&s.shown[q.b].mask, q.offset);
            rect.map_or(0, |rect| rect.area())
        },
        scalar: |a, b, q| a.rect(b, q.offset).map_or(0, |rect| rect.area()),
        naive: |s, canvas, q| s.drawn_contact(canvas, q).map_or(0, |c| c.rect.area()),
    },
    Query {
        name: "point",
        batch: |batch, pairs, answers| {
            batch.first_overlap(ScanOrder::Top, pairs, &mut answers.points)
        },
        answer: |answers, i| number(answers.points[i]),
        single: |s, q| {
            number(s.shown[q.a].mask.as_ref().first_overlap(
                ScanOrder::Top,
                &s.shown[q.b].mask,
                q.offset,
            ))
        },
        scalar: |a, b, q| number(a.top(b, q.offset)),
        naive: |s, canvas, q| number(s.drawn_contact(canvas, q).map(|c| c.point)),
    },
];

/// 0 for no pixel, and another number for each that an overlap of sprites can have.
fn number(point: Option<Point>) -> u64 {
    point.map_or(0, |p| 1 + (u64::from(p.y.unsigned_abs()) << 32 | u64::from(p.x.unsigned_abs())))
}

/// So long each side runs before it is timed, and is timed. What was asked before leaves other things in the
/// caches; and Intel machines take half a millisecond until vectors of 512 bits have their full speed again.
const WARM: Duration = Duration::from_millis(1);

/// Nanoseconds per item of a run over so many, repeated, once it is warm.
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

/// `pairs` of each of `sizes`, or of each that is usual.
pub(super) fn rows(sizes: &[u32], pairs: usize) -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    let sizes: Vec<(u32, u32)> = match sizes {
        [] => PairScene::SIZES.to_vec(),
        _ => sizes.iter().map(|&size| (size, size)).collect(),
    };
    for size in sizes {
        let mix = if size.0 == size.1 { "natural" } else { "mixed" };
        let scene = PairScene::new(size, Mix::Natural, pairs);
        for query in &QUERIES {
            for simd in Simd::available() {
                rows.push(row(&scene, (size.1, mix), query, simd)?);
            }
        }
        if mix == "natural" {
            let scene = PairScene::new(size, Mix::Miss, pairs);
            for simd in Simd::available() {
                rows.push(row(&scene, (size.1, "miss"), &QUERIES[0], simd)?);
            }
        }
    }
    Ok(rows)
}

fn row(
    scene: &PairScene,
    (size, mix): (u32, &'static str),
    query: &Query,
    simd: Simd,
) -> Result<Row, CliError> {
    let questions = &scene.questions;
    let pairs = questions.len();
    let some = &questions[..pairs.min(DRAWN)];
    let mut canvas = Canvas::default();
    let mut batch = scene.atlas().batch().with_simd(simd);
    let scalar = |q: &Question| (query.scalar)(&scene.strips[q.a], &scene.strips[q.b], q);
    let mut answers = Answers {
        touches: vec![false; pairs],
        areas: vec![0; pairs],
        rects: vec![None; pairs],
        points: vec![None; pairs],
    };
    (query.batch)(&mut batch, &scene.pairs, &mut answers);
    let agree = questions.iter().enumerate().all(|(i, q)| {
        let answer = (query.answer)(&answers, i);
        (query.single)(scene, q) == answer
            && scalar(q) == answer
            && (i >= DRAWN || (query.naive)(scene, &mut canvas, q) == answer)
    });
    if !agree {
        return Err(disagree(&format!("{} at {size} pixels with {}", query.name, simd.name())));
    }
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..RUNS {
        let ask = || (query.batch)(&mut batch, &scene.pairs, &mut answers);
        times[0].push(time_warm(pairs, ask));
        let single = || questions.iter().map(|q| (query.single)(scene, q)).sum::<u64>();
        times[1].push(time_warm(pairs, single));
        times[2].push(time_warm(pairs, || questions.iter().map(scalar).sum::<u64>()));
        let draw = || some.iter().map(|q| (query.naive)(scene, &mut canvas, q)).sum::<u64>();
        times[3].push(time_warm(some.len(), draw));
    }
    let [ns, single, scalar, naive] = times.map(median);
    Ok(Row {
        query: query.name,
        size,
        mix,
        level: simd.name(),
        ns: ns.unwrap_or_default(),
        single_ns: single.unwrap_or_default(),
        scalar_ns: scalar.unwrap_or_default(),
        naive_ns: naive.unwrap_or_default(),
    })
}

/// The rows as a table for people.
pub(super) fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:8} {:>7} {:8} {:8} {:>10} {:>10} {:>10} {:>12} {:>9}\n",
        "query",
        "size",
        "mix",
        "level",
        "hitmask ns",
        "single ns",
        "scalar ns",
        "naive ns",
        "times"
    );
    for row in rows {
        text += &format!(
            "{:8} {:>7} {:8} {:8} {:>10.1} {:>10.1} {:>10.1} {:>12.1} {:>9.0}\n",
            row.query,
            row.size,
            row.mix,
            row.level,
            row.ns,
            row.single_ns,
            row.scalar_ns,
            row.naive_ns,
            row.naive_ns / row.ns
        );
    }
    text
}
