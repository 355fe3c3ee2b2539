use super::{Row, disagree, in_turn};
use crate::CliError;
use hitmask::Accuracy;
use hitmask::reference::Canvas;
use hitmask_scenes::{Crowd, Stage};

/// Pixels of a square that each collider has to itself: 1.2 others are near it on average.
const SPACING: f32 = 80.0;
/// Pairs whose boxes overlap that the naive approach draws; the rest are taken to cost the same.
const DRAWN: usize = 500;

pub(super) fn rows() -> Result<Vec<Row>, CliError> {
    let stage = Stage::new(30..=80);
    let mut canvas = Canvas::default();
    let mut rows = Vec::new();
    for count in [1_000, 10_000, 100_000] {
        let mut world = Crowd::new(&stage, count as usize, SPACING)?.world;
        world.update();
        let mut boxes = world.clone();
        boxes.set_accuracy(Accuracy::Box);
        boxes.update();
        let candidates = boxes.touching().to_vec();
        let some: Vec<_> = candidates.iter().step_by(candidates.len() / DRAWN + 1).collect();
        for pair in &some {
            let naive = stage.naive_touches(&mut canvas, &world, pair);
            if world.touching().binary_search(pair).is_ok() != naive {
                return Err(disagree(&format!("a pair among {count}")));
            }
        }
        // The naive side finds its pairs in the same way, and draws each of them.
        let [ns, find] = in_turn((1, || world.update()), (1, || boxes.update()));
        let [_, draw] = in_turn(
            (1, || ()),
            (some.len(), || {
                some.iter().filter(|pair| stage.naive_touches(&mut canvas, &world, pair)).count()
            }),
        );
        let naive = find + draw * candidates.len() as f64;
        rows.push(Row::new("world", "update", count, [ns, naive]));
    }
    Ok(rows)
}
