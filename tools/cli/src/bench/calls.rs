//! `hitmask bench calls`: each public call of a world, among few colliders and among many, right after
//! an update and after changes.
//!
//! A cost that grows with a list shows as a ratio above 1.

use super::measure::{disagree, machine, median};
use crate::{CliError, output};
use hitmask::World;
use hitmask_bench::{CALLS, Call, CallScene, Dirt, Scope};
use serde::Serialize;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of colliders of the larger world.
    #[arg(long, default_value_t = 64_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    entities: u32,
}

/// Number of colliders of the smaller world.
const FEW: u32 = 1_000;
/// Number of calls of a run, or the number of colliders if that is less.
const CALLS_PER_RUN: u32 = 1_000;
/// Time after which a run ends early.
const RUN_TIME: Duration = Duration::from_millis(20);
/// Number of runs, of which the fastest counts. Each begins with a world of its own.
const RUNS: usize = 5;
/// Number of calls whose answers are compared with those of an updated world.
const COMPARED: u32 = 40;

/// Result of the bench, printed as JSON.
#[derive(Serialize)]
struct Answer {
    machine: String,
    colliders: [u32; 2],
    states: Vec<String>,
    rows: Vec<Row>,
}

/// Times of one call in us.
#[derive(Serialize)]
struct Row {
    call: &'static str,
    /// Whether the call may cost as much as the whole world. It is then called once per run.
    whole_world: bool,
    /// In the order of `states`, each among few colliders and among many. `None` if the call needs an
    /// update.
    us: Vec<Option<[f64; 2]>>,
    /// Time among many over that among few, right after an update.
    growth: f64,
    /// Time in each state over that in the first one, among many.
    dirty: Vec<Option<f64>>,
}

pub(super) fn run(&Args { entities: many }: &Args, json: bool) -> Result<(), CliError> {
    let scenes = [FEW.min(many), many].map(|count| CallScene::new(count as usize));
    let mut us: Vec<Vec<Option<[f64; 2]>>> = vec![Vec::new(); CALLS.len()];
    let bar = output::progress(Dirt::ALL.len() as u64, "states of a world");
    for dirt in Dirt::ALL {
        let worlds = scenes.each_ref().map(|(never, scene)| scene.world(never, dirt));
        for (call, us) in CALLS.iter().zip(&mut us) {
            if dirt == Dirt::Never && call.scope == Scope::Updated {
                us.push(None);
                continue;
            }
            let mut sides = [0.0; 2];
            for ((world, (_, scene)), side) in worlds.iter().zip(&scenes).zip(&mut sides) {
                // Calls about the last update, or about the whole world, have other answers after one.
                if call.scope == Scope::Near && !scene.agrees(call, world, COMPARED) {
                    return Err(disagree(format!("{}, {}", call.name, dirt.name())));
                }
                *side = (0..RUNS).map(|_| time(call, world, scene)).fold(f64::INFINITY, f64::min);
            }
            us.push(Some(sides));
        }
        output::measured(&bar, &dirt.name());
    }
    bar.finish_and_clear();
    let row = |(call, us): (&Call, Vec<Option<[f64; 2]>>)| {
        let [few, many] = us.first().copied().flatten().unwrap_or_default();
        let dirty = us.iter().map(|us| us.map(|[_, dirty]| dirty / many)).collect();
        let whole_world = call.scope == Scope::World;
        Row { call: call.name, whole_world, us, growth: many / few, dirty }
    };
    let answer = Answer {
        machine: machine(),
        colliders: [FEW.min(many), many],
        states: Dirt::ALL.map(Dirt::name).to_vec(),
        rows: CALLS.iter().zip(us).map(row).collect(),
    };
    output::answer(json, &answer, || table(&answer))
}

/// Returns the mean time of a call in us.
fn time(call: &Call, world: &World, scene: &CallScene) -> f64 {
    let (most, batch) = match call.scope {
        Scope::World => (1, 1),
        _ => {
            let count = world.len() as u32;
            // Few enough that calls which change a world leave it as it was for the most part.
            (CALLS_PER_RUN.min(count), (count / 50).clamp(10, CALLS_PER_RUN))
        }
    };
    let (mut spent, mut calls) = (Duration::ZERO, 0);
    while calls < most && spent < RUN_TIME {
        let (mut world, mut scene) = (world.clone(), scene.clone());
        let (begin, end) = (Instant::now(), calls + batch);
        while calls < end && begin.elapsed() < RUN_TIME {
            // The clock takes longer than the fastest calls.
            for _ in 0..batch.min(10) {
                std::hint::black_box((call.run)(&mut world, &mut scene));
                calls += 1;
            }
        }
        spent += begin.elapsed();
    }
    spent.as_secs_f64() * 1e6 / f64::from(calls)
}

/// Formats the answer as a text table. Ratios above 3 are marked, unless the call may cost as much as the
/// whole world.
fn table(answer: &Answer) -> String {
    let Answer { machine, colliders: [few, many], states, rows } = answer;
    let mut text = format!(
        "{machine}\nus per call among {few} and {many} colliders right after an update, their ratio, \
         and the time after changes over that right after an update, among {many}\n\
         {:28} {:>10} {:>10} {:>8}",
        "call", few, many, "growth"
    );
    for state in &states[1..] {
        text += &format!(" {state:>9}");
    }
    text += "\n";
    for Row { call, whole_world, us, growth, dirty } in rows {
        let ratio = |ratio: f64| {
            let mark = if ratio > 3.0 && !whole_world { "!" } else { "" };
            format!("{mark}{ratio:.2}")
        };
        let [few, many] = us.first().copied().flatten().unwrap_or_default();
        text += &format!("{call:28} {few:>10.3} {many:>10.3} {:>8}", ratio(*growth));
        for dirty in &dirty[1..] {
            text += &format!(" {:>9}", dirty.map_or_else(|| "-".to_owned(), ratio));
        }
        text += "\n";
    }
    let medians: Vec<String> = (1..states.len())
        .map(|state| {
            let near = rows.iter().filter(|row| !row.whole_world);
            let ratios = near.filter_map(|row| row.dirty[state]).collect();
            format!(" {:>9.2}", median(ratios))
        })
        .collect();
    text + &format!("{:28} {:>10} {:>10} {:>8}{}\n", "median", "", "", "", medians.concat())
}
