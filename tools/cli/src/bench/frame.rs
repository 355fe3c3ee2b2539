//! `hitmask bench world --entities N`: times whole frames, and the stages of a frame.

use super::{disagree, median};
use crate::{CliError, output};
use hitmask::{Accuracy, ColliderBox};
use hitmask_scenes::{Crowd, Stage};
use serde::Serialize;
use std::time::Instant;

/// Side in pixels of the average square per collider: 1.2 overlapping pairs of boxes per collider.
const SPACING: f32 = 56.4;
/// Least number of timed frames.
const FRAMES: usize = 9;
/// Total number of placements, so that small worlds are timed more often.
const PLACED: usize = 4_000_000;

/// Result of the bench, printed as JSON. Times are medians in ms.
#[derive(Serialize)]
struct Answer {
    entities: usize,
    threads: usize,
    frame_ms: f64,
    parts: Parts,
    pairs: usize,
    touching: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rstar_ms: Option<f64>,
}

/// Median times of the stages of a frame, in ms.
#[derive(Serialize)]
struct Parts {
    place: f64,
    build: f64,
    join: f64,
    narrow: f64,
    events: f64,
}

pub(super) fn run(
    entities: usize,
    threads: Option<u16>,
    peers: bool,
    json: bool,
) -> Result<(), CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).build();
    let pool = pool.map_err(|cause| {
        CliError::new(format!("cannot start the threads: {cause}"), "give a smaller --threads")
    })?;
    let answer = pool.install(|| measure(entities, peers))?;
    if json {
        return output::print_json(&answer);
    }
    let Answer { frame_ms, threads, pairs, touching, ref parts, .. } = answer;
    let Parts { place, build, join, narrow, events } = parts;
    let mut text = format!(
        "{entities} colliders, all moving and turning, {threads} threads: {frame_ms:.3} ms a frame\n\
         {pairs} pairs of boxes, {touching} touching pairs\n\
         stages: place {place:.3}, build {build:.3}, join {join:.3}, narrow {narrow:.3}, events {events:.3} ms\n"
    );
    if let Some(rstar) = answer.rstar_ms {
        let times = rstar / (build + join);
        text += &format!("rstar, build and join: {rstar:.1} ms, {times:.0}x the time\n");
    }
    output::print(&text)
}

fn measure(entities: usize, peers: bool) -> Result<Answer, CliError> {
    let stage = Stage::forty();
    let mut crowd = Crowd::new(&stage, entities, SPACING)?;
    let frames = (PLACED / entities).clamp(FRAMES, 201) | 1;
    // The first frames allocate memory and are not timed.
    for _ in 0..3 {
        crowd.step()?;
        crowd.world.update();
    }
    let (mut whole, mut parts) = (Vec::new(), [const { Vec::new() }; 5]);
    let mut pairs = 0;
    // Alternates between both measurements, so that changes of the machine's speed affect both.
    for _ in 0..frames {
        crowd.think();
        let begin = Instant::now();
        crowd.place()?;
        crowd.world.update();
        whole.push(begin.elapsed().as_secs_f64() * 1e3);
        crowd.think();
        let begin = Instant::now();
        crowd.place()?;
        let place = begin.elapsed();
        let each = crowd.world.update_timed();
        pairs = each.pairs;
        for (part, time) in
            parts.iter_mut().zip([place, each.build, each.join, each.narrow, each.events])
        {
            part.push(time.as_secs_f64() * 1e3);
        }
    }
    let touching = crowd.world.touching().to_vec();
    crowd.world.update();
    if crowd.world.touching() != touching {
        return Err(disagree("a timed update"));
    }
    let [place, build, join, narrow, events] = parts.map(|part| median(part).unwrap_or_default());
    let rstar_ms = if peers { Some(rstar(&mut crowd)?) } else { None };
    Ok(Answer {
        entities,
        threads: rayon::current_num_threads(),
        frame_ms: median(whole).unwrap_or_default(),
        parts: Parts { place, build, join, narrow, events },
        pairs,
        touching: touching.len(),
        rstar_ms,
    })
}

/// Returns the time in ms of rstar's bulk load and join of the same boxes. Fails if the number of
/// pairs differs.
fn rstar(crowd: &mut Crowd) -> Result<f64, CliError> {
    let mut boxes = crowd.world.clone();
    boxes.set_accuracy(Accuracy::Box);
    boxes.update();
    let wanted = boxes.touching().len();
    let mut times = Vec::new();
    for _ in 0..3 {
        let begin = Instant::now();
        let tree = crowd.world.to_rtree();
        let both = tree.intersection_candidates_with_other_tree(&tree);
        let found = both.filter(|(a, b): &(&ColliderBox, &ColliderBox)| a.id < b.id).count();
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        if found != wanted {
            return Err(disagree("the number of pairs of rstar"));
        }
    }
    Ok(median(times).unwrap_or_default())
}
