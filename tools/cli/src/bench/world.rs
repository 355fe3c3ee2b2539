//! `hitmask bench world`: times one update of a world in which every collider moves and turns.

use super::measure::{RUNS, Row, disagree, in_turn, median, once};
use crate::CliError;
use hitmask::Accuracy;
use hitmask::reference::Canvas;
use hitmask_bench::Loop;
use hitmask_scenes::{Crowd, Stage, StageSides};
use std::time::Instant;

/// Side in pixels of the average square per collider: its box overlaps 1.2 others on average.
const SPACING: f32 = 80.0;
/// Number of pairs with overlapping boxes that the naive sides test. The time is extrapolated.
const DRAWN: usize = 500;
/// Total number of placements, so that small worlds are timed more often.
const PLACED: usize = 200_000;

/// Measures worlds of three sizes.
///
/// The time covers `World::set_placements` for all colliders, and `World::update`. The naive sides
/// place colliders and find pairs of boxes in the same way, then test each pair.
pub(super) fn rows() -> Result<Vec<Row>, CliError> {
    let stage = Stage::new(30..=80);
    let sides = StageSides::new(&stage);
    let mut canvas = Canvas::default();
    let mut rows = Vec::new();
    for count in [1_000, 10_000, 100_000] {
        let mut crowd = Crowd::new(&stage, count as usize, SPACING)?;
        let mut boxes = crowd.clone();
        boxes.world.set_accuracy(Accuracy::Box);
        let frames = (PLACED / count as usize).clamp(RUNS, 201) | 1;
        let mut times = [Vec::new(), Vec::new()];
        // The first 3 frames allocate memory and are not timed.
        for frame in 0..3 + frames {
            for (crowd, times) in [&mut crowd, &mut boxes].into_iter().zip(&mut times) {
                crowd.think();
                let begin = Instant::now();
                crowd.place()?;
                crowd.world.update();
                let ns = begin.elapsed().as_secs_f64() * 1e9;
                if frame >= 3 {
                    times.push(ns);
                }
            }
        }
        let [ns, find] = times.map(median);
        let (world, candidates) = (&crowd.world, boxes.world.touching());
        let some: Vec<_> = candidates.iter().step_by(candidates.len() / DRAWN + 1).collect();
        for pair in &some {
            let touch = world.touching().binary_search(pair).is_ok();
            if sides.drawn_touches(&mut canvas, world, pair) != touch
                || sides.prepared_touches(world, pair) != touch
            {
                return Err(disagree(format!("a pair among {count}")));
            }
        }
        let mut draw = Loop::new("naive", some.len(), || {
            some.iter().filter(|pair| sides.drawn_touches(&mut canvas, world, pair)).count()
        });
        let mut compare = Loop::new("prepared", some.len(), || {
            some.iter().filter(|pair| sides.prepared_touches(world, pair)).count()
        });
        let [draw, compare] = in_turn(RUNS, [&mut draw, &mut compare], once);
        let naive = |each: f64| find + each * candidates.len() as f64;
        let mut row = Row::new("world", "update", count, [ns, naive(draw)]);
        row.prepared_ns = Some(naive(compare));
        rows.push(row);
    }
    Ok(rows)
}
