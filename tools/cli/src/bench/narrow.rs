use super::{Row, disagree, in_turn};
use crate::Failure;
use hitmask::naive::Canvas;
use hitmask::{Contact, MaskRef, Point};
use hitmask_sprites::{Case, Cases};

/// Pairs the library settles in a run: more than a branch predictor can learn by heart.
const PAIRS: usize = 20_000;
/// Pairs of them that the naive approach draws.
const DRAWN: usize = 400;

/// A query, as the library and the naive approach answer it, made one number so that the sum
/// over all pairs can be compared.
struct Query {
    name: &'static str,
    ask: fn(MaskRef<'_>, MaskRef<'_>, Point) -> u64,
    naive: fn(&mut Canvas, &Cases, &Case) -> u64,
}

const QUERIES: [Query; 4] = [
    Query {
        name: "touches",
        ask: |a, b, at| u64::from(a.touches(b, at)),
        naive: |canvas, cases, case| {
            let [(a, at_a), (b, at_b)] = &cases.drawings(case);
            u64::from(canvas.touches((a, *at_a), (b, *at_b)))
        },
    },
    Query {
        name: "area",
        ask: |a, b, at| a.overlap_area(b, at),
        naive: |canvas, cases, case| drawn(canvas, cases, case).map_or(0, |c| c.area),
    },
    Query {
        name: "rect",
        ask: |a, b, at| a.overlap_rect(b, at).map_or(0, |rect| rect.area()),
        naive: |canvas, cases, case| drawn(canvas, cases, case).map_or(0, |c| c.rect.area()),
    },
    Query {
        name: "point",
        // Where the point lies in the box: equal whatever the two sides count from.
        ask: |a, b, at| a.contact(b, at).map_or(0, |c| (c.point.x - c.rect.x0) as u64),
        naive: |canvas, cases, case| {
            drawn(canvas, cases, case).map_or(0, |c| (c.point.x - c.rect.x0) as u64)
        },
    },
];

fn drawn(canvas: &mut Canvas, cases: &Cases, case: &Case) -> Option<Contact> {
    let [(a, at_a), (b, at_b)] = &cases.drawings(case);
    canvas.contact((a, *at_a), (b, *at_b))
}

pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for size in [16, 32, 64, 128, 256] {
        let cases = Cases::new(size, PAIRS, 1);
        let masks: Vec<_> =
            cases.pairs.iter().map(|case| (cases.masks(case), case.offset)).collect();
        let some = &cases.pairs[..DRAWN];
        for Query { name, ask, naive } in QUERIES {
            let mut canvas = Canvas::default();
            for (case, &([a, b], at)) in some.iter().zip(&masks) {
                if ask(a, b, at) != naive(&mut canvas, &cases, case) {
                    return Err(disagree(&format!("{name} at {size} pixels")));
                }
            }
            let times = in_turn(
                (PAIRS, || masks.iter().map(|&([a, b], at)| ask(a, b, at)).sum::<u64>()),
                (DRAWN, || some.iter().map(|case| naive(&mut canvas, &cases, case)).sum::<u64>()),
            );
            rows.push(Row::new("narrow", name, size, times));
        }
    }
    Ok(rows)
}
