//! `hitmask bench world --entities N`: whole frames, and their parts.

use super::{disagree, median};
use crate::{CliError, output};
use hitmask::{Accuracy, ColliderBox};
use hitmask_scenes::{Crowd, Stage};
use serde::Serialize;
use std::time::Instant;

/// Pixels of a square that each collider has to itself: boxes of 1.2 pairs a collider overlap.
const SPACING: f32 = 56.4;
/// Frames that are timed, at least.
const FRAMES: usize = 9;
/// Colliders that are placed in all, so that small worlds are timed often.
const PLACED: usize = 4_000_000;

/// Milliseconds; medians of an odd number of frames.
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
        CliError::new(format!("no threads: {cause}"), "ask for fewer with --threads")
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
         part by part: place {place:.3}, build {build:.3}, join {join:.3}, narrow {narrow:.3}, events {events:.3} ms\n"
    );
    if let Some(rstar) = answer.rstar_ms {
        let times = rstar / (build + join);
        text += &format!("rstar's build and join: {rstar:.1} ms, {times:.0} times as long\n");
    }
    output::print(&text)
}

fn measure(entities: usize, peers: bool) -> Result<Answer, CliError> {
    let stage = Stage::forty();
    let mut crowd = Crowd::new(&stage, entities, SPACING)?;
    let frames = (PLACED / entities).clamp(FRAMES, 201) | 1;
    // Memory grows in the first frames, and is kept.
    for _ in 0..3 {
        crowd.step()?;
        crowd.world.update();
    }
    let (mut whole, mut parts) = (Vec::new(), [const { Vec::new() }; 5]);
    let mut pairs = 0;
    // In turn, so that the machine's moods fall on both.
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
        return Err(disagree("an update in parts"));
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

/// What rstar's bulk load and join of the same boxes take, its pairs counted against ours.
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
            return Err(disagree("rstar's number of pairs"));
        }
    }
    Ok(median(times).unwrap_or_default())
}
