//! `hitmask bench walk`: ticks of walkers that call `World::move_and_slide`, one after the other, and the
//! same ticks by `World::move_all`.

use super::measure::{RUNS, Row, disagree, machine, median, pool, share, time};
use crate::{CliError, output};
use hitmask_bench::{NaiveWalks, WalkPlan, Walkers};
use serde::Serialize;
use std::time::Instant;

/// Number of walkers that the naive side moves.
const COMPARED: usize = 200;
/// Total number of walks, so that small worlds are timed more often.
const WALKS: usize = 400_000;
/// Ticks before the timed ones. They allocate memory. The naive side compares the second one.
const WARM_UP: u32 = 2;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of walkers, each of which moves by itself. Default: one row for 1,000 and one for 10,000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) walkers: Option<u32>,
    /// Number of fixed slabs among them. Default: as many as walkers.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    slabs: Option<u32>,
    /// Share of the walkers that move, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share, allow_negative_numbers = true)]
    moving: f64,
    /// Distance of a walk in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 1.8, value_parser = distance, allow_negative_numbers = true)]
    distance: f32,
    /// Number of threads. Default: the number of cores.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Parses the distance of a walk in pixels.
fn distance(text: &str) -> Result<f32, String> {
    const EXAMPLES: &str = "give pixels from 0 to 1000, such as 1.8";
    let distance: f32 = text.trim().parse().map_err(|_| format!("not a number: {EXAMPLES}"))?;
    if (0.0..=1000.0).contains(&distance) { Ok(distance) } else { Err(EXAMPLES.to_owned()) }
}

/// Result of the bench, printed as JSON. Times are medians.
#[derive(Serialize)]
struct Answer {
    machine: String,
    walkers: u32,
    slabs: u32,
    /// Share of the walkers.
    moving: f64,
    /// In pixels.
    distance: f32,
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

pub(super) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    let walkers = args.walkers.unwrap_or(0);
    let answer = pool(args.threads)?.install(|| measure(args, walkers))?;
    output::answer(json, &answer, || table(&answer))
}

/// Measures two sizes.
pub(super) fn rows(args: &Args) -> Result<Vec<Row>, CliError> {
    let pool = pool(args.threads)?;
    let row = |walkers| {
        let Answer { us_per_walk, naive_us_per_walk, .. } =
            pool.install(|| measure(args, walkers))?;
        let ns = [us_per_walk, naive_us_per_walk].map(|us| us * 1e3);
        Ok(Row::new("walk", "slide", walkers, ns))
    };
    [1_000, 10_000].into_iter().map(row).collect()
}

/// Formats the answer as a text table.
fn table(answer: &Answer) -> String {
    let Answer { machine, threads, walkers, slabs, moving, distance, .. } = answer;
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

fn measure(args: &Args, walkers: u32) -> Result<Answer, CliError> {
    let (&Args { moving, distance, .. }, slabs) = (args, args.slabs.unwrap_or(walkers));
    let mut scene = Walkers::new(WalkPlan::new(walkers as usize, slabs as usize))?;
    let count = ((f64::from(walkers) * moving).round() as usize).clamp(1, walkers as usize);
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
        walkers,
        slabs,
        moving,
        distance,
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
