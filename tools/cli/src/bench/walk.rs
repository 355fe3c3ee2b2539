//! `hitmask bench walk`: ticks of walkers that call `World::move_and_slide`, one after the other, and the
//! same ticks by `World::move_all`.

use super::measure::{RUNS, Row, disagree, machine, median, pool, time};
use crate::{CliError, output};
use hitmask_bench::{NaiveWalks, WalkPlan, Walkers};
use serde::Serialize;
use std::time::Instant;

/// Distance of a walk in pixels, unless another is given.
pub(super) const DISTANCE: f32 = 1.8;
/// Number of walkers that the naive side moves.
const COMPARED: usize = 200;
/// Total number of walks, so that small worlds are timed more often.
const WALKS: usize = 400_000;
/// Ticks before the timed ones. They allocate memory. The naive side compares the second one.
const WARM_UP: u32 = 2;

/// The world to measure.
#[derive(Serialize)]
pub(super) struct Request {
    pub(super) walkers: usize,
    pub(super) slabs: usize,
    /// Share of the walkers.
    pub(super) moving: f64,
    /// In pixels.
    pub(super) distance: f32,
    #[serde(skip)]
    pub(super) threads: Option<u16>,
}

/// Result of the bench, printed as JSON. Times are medians.
#[derive(Serialize)]
struct Answer<'a> {
    machine: String,
    #[serde(flatten)]
    request: &'a Request,
    threads: usize,
    /// Whole tick over the walkers that move.
    us_per_walk: f64,
    /// The same without the update, by `World::move_all` over the loop of single calls.
    move_all_over_loop: f64,
    tick_ms: f64,
    /// The update at the end of the tick.
    update_ms: f64,
    /// Share of the walks that an obstacle blocked.
    blocked: f64,
    naive_us_per_walk: f64,
    /// Naive time over time.
    ratio: f64,
}

pub(super) fn run(request: &Request, json: bool) -> Result<(), CliError> {
    let answer = pool(request.threads)?.install(|| measure(request))?;
    output::answer(json, &answer, || table(&answer))
}

/// Measures two sizes, with as many slabs as walkers.
pub(super) fn rows() -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    for walkers in [1_000, 10_000] {
        let request =
            Request { walkers, slabs: walkers, moving: 1.0, distance: DISTANCE, threads: None };
        let Answer { us_per_walk, naive_us_per_walk, .. } = measure(&request)?;
        let ns = [us_per_walk, naive_us_per_walk].map(|us| us * 1e3);
        rows.push(Row::new("walk", "slide", walkers as u32, ns));
    }
    Ok(rows)
}

/// Formats the answer as a text table.
fn table(answer: &Answer<'_>) -> String {
    let Answer { machine, threads, .. } = answer;
    let Request { walkers, slabs, moving, distance, .. } = answer.request;
    let Answer { us_per_walk, tick_ms, update_ms, blocked, naive_us_per_walk, ratio, .. } = answer;
    let all = answer.move_all_over_loop;
    format!(
        "{machine}, {threads} threads\n\
         {walkers} walkers among {slabs} slabs: {}% walk {distance} px a tick, {:.0}% of these are blocked\n\
         {:>12} {:>10} {:>10} {:>18} {:>9} {:>16}\n\
         {us_per_walk:>12.3} {tick_ms:>10.3} {update_ms:>10.3} {naive_us_per_walk:>18.3} {ratio:>9.1} {all:>16.3}\n",
        moving * 100.0,
        blocked * 100.0,
        "us per walk",
        "tick ms",
        "update ms",
        "naive us per walk",
        "speedup",
        "move_all / loop",
    )
}

fn measure(request: &Request) -> Result<Answer<'_>, CliError> {
    let &Request { walkers, slabs, moving, distance, .. } = request;
    let mut scene = Walkers::new(WalkPlan::new(walkers, slabs))?;
    let count = ((walkers as f64 * moving).round() as usize).clamp(1, walkers);
    let ticks = (WALKS / count).clamp(RUNS, 201) | 1;
    let (mut naive_us, mut blocked) = (Vec::new(), 0);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    // Moves in turn with the scene, by `move_all`.
    let mut twin = scene.clone();
    for tick in 0..WARM_UP + ticks as u32 {
        if tick + 1 == WARM_UP {
            let mut naive = NaiveWalks::new(&scene.world);
            naive_us = (0..RUNS).map(|_| naive_time(&scene, &naive, (count, distance))).collect();
            if !scene.walk_compared((count, distance), COMPARED, &mut naive)? {
                return Err(disagree(format!("a walk among {}", walkers + slabs)));
            }
            scene.world.update();
            twin.clone_from(&scene);
            continue;
        }
        let begin = Instant::now();
        let stopped = scene.walk(count, distance)?;
        let walked = begin.elapsed();
        scene.world.update();
        let ticked = begin.elapsed();
        let begin = Instant::now();
        if twin.walk_all(count, distance)? != stopped {
            return Err(disagree("the walks of move_all"));
        }
        let at_once = begin.elapsed();
        twin.world.update();
        let over = at_once.as_secs_f64() / walked.as_secs_f64();
        let [ticked, updated] = [ticked, ticked - walked].map(|time| time.as_secs_f64() * 1e3);
        let ms = [ticked, updated, over];
        if tick >= WARM_UP {
            blocked += stopped;
            times.iter_mut().zip(ms).for_each(|(times, ms)| times.push(ms));
        }
    }
    // Walkers that overlap nothing at the start never do.
    if !scene.world.touching().is_empty() {
        return Err(disagree("a walker that ends in an obstacle"));
    }
    if let Some(difference) = scene.world.first_difference(&twin.world) {
        return Err(disagree(format!("a world walked by move_all: {difference}")));
    }
    let [tick_ms, update_ms, move_all_over_loop] = times.map(median);
    let us_per_walk = tick_ms * 1e3 / count as f64;
    let naive_us_per_walk = median(naive_us);
    Ok(Answer {
        machine: machine(),
        request,
        threads: rayon::current_num_threads(),
        us_per_walk,
        move_all_over_loop,
        tick_ms,
        update_ms,
        blocked: blocked as f64 / (count * ticks) as f64,
        naive_us_per_walk,
        ratio: naive_us_per_walk / us_per_walk,
    })
}

/// Returns the naive time in us per walk, over some walkers at the places of the last tick.
fn naive_time(scene: &Walkers, naive: &NaiveWalks, (moving, distance): (usize, f32)) -> f64 {
    let some = (0..moving).step_by(moving.div_ceil(COMPARED));
    let walk = |i: usize| {
        let motion = scene.plan.motion(i, scene.tick, distance);
        std::hint::black_box(naive.slide(&scene.world, scene.ids[i], motion));
    };
    time(some.len(), || some.for_each(walk)) / 1e3
}
