//! `hitmask bench rollback`: frames of a game that goes back 8 ticks in each frame: 1 load, 9 ticks, and 8 saves with a
//! hash of each. All colliders move in each tick. A tick that is played again has the hash that it had before.

use super::frame::SPACING;
use super::measure::{disagree, machine, median};
use crate::{CliError, output};
use hitmask::{Angle, Collider, ColliderId, Placement, World};
use hitmask_scenes::{Crowd, Random, Stage};
use serde::Serialize;
use std::time::Instant;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of colliders.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    entities: u32,
}

/// Ticks that are played again in each frame.
const DEPTH: usize = 8;
const PARTS: [&str; 5] = ["game", "update", "hash", "saves", "load"];
/// Number of updates of colliders in all frames, so that small worlds are timed more often.
const UPDATED: usize = 200_000;

/// Result of the bench, printed as JSON. Times are medians in us per frame.
#[derive(Serialize)]
struct Answer {
    machine: String,
    colliders: usize,
    parts: Vec<(&'static str, f64)>,
}

/// The game: a world, and where its colliders are in each tick.
struct Game {
    world: World,
    ids: Vec<ColliderId>,
    starts: Vec<Collider>,
    motions: Vec<[f32; 2]>,
    places: Vec<Placement>,
    side: f32,
}

impl Game {
    fn new(count: usize) -> Result<Self, CliError> {
        let Crowd { world, side, .. } = Crowd::new(&Stage::new(30..=64), count, SPACING)
            .map_err(|cause| CliError::new(cause.to_string(), cause.help()))?;
        let (ids, starts): (Vec<_>, Vec<_>) = world.iter().unzip();
        let mut random = Random::new(5);
        let motion = |_: &ColliderId| [0; 2].map(|_| random.unit() * 6.0 - 3.0);
        let motions = ids.iter().map(motion).collect();
        let places = vec![Placement::default(); ids.len()];
        Ok(Self { world, ids, starts, motions, places, side })
    }

    fn place(&mut self, tick: usize) {
        let placed = self.places.iter_mut().zip(&self.starts).zip(&self.motions);
        for ((place, start), motion) in placed {
            let at = |axis: usize| start.position[axis] + motion[axis] * tick as f32;
            place.position = [0, 1].map(|axis| at(axis).rem_euclid(self.side));
            place.angle = Angle::radians(start.angle.to_radians() + 0.03 * tick as f32);
        }
        // Every position is inside the square.
        let _ = self.world.set_placements(&self.ids, &self.places);
    }
}

pub(super) fn run(&Args { entities: count }: &Args, json: bool) -> Result<(), CliError> {
    let mut game = Game::new(count as usize)?;
    // By tick: the state after it, and its hash.
    let mut saves = vec![(game.world.clone(), 0); 2 * DEPTH];
    let mut times = [const { Vec::new() }; PARTS.len()];
    let frames = (UPDATED / (count as usize * DEPTH)).clamp(21, 500);
    for frame in 0..DEPTH + frames {
        let is_replay = frame > DEPTH;
        let mut us = [0.0; PARTS.len()];
        let mut timed =
            |part: usize, begin: Instant| us[part] += begin.elapsed().as_secs_f64() * 1e6;
        let first = if is_replay { frame - DEPTH } else { frame };
        if is_replay {
            let begin = Instant::now();
            game.world.clone_from(&saves[(first - 1) % saves.len()].0);
            timed(4, begin);
        }
        for tick in first..=frame {
            let begin = Instant::now();
            game.place(tick);
            timed(0, begin);
            let begin = Instant::now();
            game.world.update();
            timed(1, begin);
            // As in a session, which saves the tick before the last one.
            if tick == frame && is_replay {
                break;
            }
            let begin = Instant::now();
            let hash = game.world.state_hash();
            timed(2, begin);
            let at = tick % saves.len();
            let (save, before) = &mut saves[at];
            if is_replay && tick + 1 < frame && *before != hash {
                return Err(disagree(format!("tick {tick} played again in frame {frame}")));
            }
            let begin = Instant::now();
            save.clone_from(&game.world);
            *before = hash;
            timed(3, begin);
        }
        if is_replay {
            times.iter_mut().zip(us).for_each(|(times, us)| times.push(us));
        }
    }
    let parts = PARTS.into_iter().zip(times.map(median)).collect();
    let answer = Answer { machine: machine(), colliders: game.ids.len(), parts };
    output::answer(json, &answer, || table(&answer))
}

/// Formats the answer as a text table.
fn table(Answer { machine, colliders, parts }: &Answer) -> String {
    let mut text =
        format!("{machine}\n{colliders} colliders, us per frame that goes back {DEPTH} ticks\n");
    let sum = parts.iter().map(|(_, us)| us).sum();
    for (part, us) in parts.iter().chain([&("frame", sum)]) {
        text += &format!("{part:8} {us:>10.1}\n");
    }
    text
}
