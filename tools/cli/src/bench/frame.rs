//! `hitmask bench world --entities N`: times whole frames, and the stages of a frame.
//!
//! If not all colliders move, the same colliders all moving are timed in the same run, in turn.

use super::measure::{Precision, disagree, median, once, pool, share};
use crate::{CliError, output};
use hitmask::{Accuracy, World};
use hitmask_bench::rstar_join;
use hitmask_scenes::{Crowd, Stage};
use serde::Serialize;
use std::time::Instant;

/// Side in pixels of the average square per collider of up to 64 px: 1.2 overlapping pairs of boxes
/// per collider. It grows with the sprites.
pub(super) const SPACING: f32 = 56.4;
/// Least number of timed frames.
const FRAMES: usize = 9;
/// Total number of placements, so that small worlds are timed more often.
const PLACED: usize = 4_000_000;
/// Turns of each side before the timed ones. They allocate memory.
const WARM_UP: usize = 2;

#[derive(clap::Args, Serialize)]
pub(super) struct Args {
    /// Time whole frames with this number of colliders, instead of updates of three sizes beside the
    /// naive approach.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(super) entities: Option<u32>,
    /// With `--entities`: number of threads. Default: the number of cores.
    #[arg(long, requires = "entities", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[serde(skip)]
    threads: Option<u16>,
    /// With `--entities`: share of the colliders that move and turn in each frame, from 0 to 1. Below
    /// 1, the same world with all of them moving is timed in the same run.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, requires = "entities", value_parser = share, allow_negative_numbers = true)]
    moving: f64,
    /// With `--entities`: share of the colliders that are fixed. At most the share that does not
    /// move.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "entities", value_parser = share, allow_negative_numbers = true)]
    fixed: f64,
    /// With `--entities`: accuracy of the world. Masks have coarse levels from 240 px on.
    #[arg(long, value_enum, default_value_t = Precision::Exact, requires = "entities")]
    accuracy: Precision,
    /// With `--entities`: longer side of the largest sprites in pixels. The smallest are half as large.
    #[arg(long, value_name = "PIXELS", default_value_t = 64, requires = "entities", value_parser = clap::value_parser!(u32).range(8..=1024))]
    size: u32,
    /// With `--entities`: omit the comparison with rstar's build and join.
    #[arg(long, requires = "entities")]
    #[serde(skip)]
    no_peers: bool,
}

/// Result of the bench, printed as JSON. Times are medians in ms.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    args: &'a Args,
    threads: usize,
    #[serde(flatten)]
    frame: Frame,
    /// The same colliders, all moving and none fixed. `None` if all move anyway.
    #[serde(skip_serializing_if = "Option::is_none")]
    all_moving: Option<Frame>,
    /// Time of a frame over that of `all_moving`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rstar_ms: Option<f64>,
}

/// Median times of a frame and of its stages, in ms. The frame is timed without the clocks of the
/// stages, so it takes less than their sum.
#[derive(Serialize)]
struct Frame {
    frame_ms: f64,
    parts: Parts,
    /// Pairs of boxes that were tested.
    pairs: usize,
    touching: usize,
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

pub(super) fn run(args: &Args, json: bool) -> Result<(), CliError> {
    let &Args { moving, fixed, threads, .. } = args;
    if moving + fixed > 1.0 {
        return Err(CliError::new(
            format!("--moving {moving} and --fixed {fixed} are more than all colliders"),
            "give shares that add up to at most 1: a fixed collider does not move",
        ));
    }
    let answer = pool(threads)?.install(|| measure(args))?;
    output::answer(json, &answer, || table(&answer))
}

/// Formats the answer as a text table.
fn table(answer: &Answer<'_>) -> String {
    let threads = answer.threads;
    let Args { size, accuracy, moving, fixed, .. } = answer.args;
    let entities = answer.args.entities.unwrap_or(0);
    let mut text = format!(
        "{entities} colliders of up to {size} px, {}, {threads} threads: {}% move and turn, {}% are fixed\n\
         {:10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n",
        accuracy.name(),
        moving * 100.0,
        fixed * 100.0,
        "moving",
        "frame ms",
        "place",
        "build",
        "join",
        "narrow",
        "events",
        "pairs",
        "touching",
    );
    let mut row = |name: &str, frame: &Frame| {
        let Frame { frame_ms, parts, pairs, touching } = frame;
        let Parts { place, build, join, narrow, events } = parts;
        text += &format!(
            "{name:10} {frame_ms:>10.4} {place:>10.4} {build:>10.4} {join:>10.4} {narrow:>10.4} \
             {events:>10.4} {pairs:>10} {touching:>10}\n"
        );
    };
    row(&format!("{}%", moving * 100.0), &answer.frame);
    if let Some(all) = &answer.all_moving {
        row("100%", all);
    }
    if let Some(ratio) = answer.ratio {
        text += &format!("{}% moving over 100%: {ratio:.4}\n", moving * 100.0);
    }
    if let Some(rstar) = answer.rstar_ms {
        let Parts { build, join, .. } = answer.all_moving.as_ref().unwrap_or(&answer.frame).parts;
        let times = rstar / (build + join);
        text += &format!("rstar, build and join: {rstar:.1} ms, {times:.0}x the time\n");
    }
    text
}

/// A crowd and its times.
struct Side {
    crowd: Crowd,
    whole: Vec<f64>,
    parts: [Vec<f64>; 5],
    pairs: usize,
}

impl Side {
    const fn new(crowd: Crowd) -> Self {
        Self { crowd, whole: Vec::new(), parts: [const { Vec::new() }; 5], pairs: 0 }
    }

    /// Times a frame as a whole, and another one stage by stage. The frame before them is not timed:
    /// it refills the caches after the turn of the other side.
    fn step(&mut self) -> Result<(), CliError> {
        let Self { crowd, whole, parts, pairs } = self;
        crowd.step()?;
        crowd.world.update();
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
        *pairs = each.pairs;
        for (part, time) in
            parts.iter_mut().zip([place, each.build, each.join, each.narrow, each.events])
        {
            part.push(time.as_secs_f64() * 1e3);
        }
        Ok(())
    }

    /// Compares the touching pairs with those of a new world of the same colliders, and returns the
    /// medians.
    fn frame(self) -> Result<Frame, CliError> {
        let Self { crowd, whole, parts, pairs } = self;
        let world = &crowd.world;
        let mut again = World::new(world.atlas().clone());
        again.set_accuracy(world.accuracy());
        for (_, collider) in world.iter() {
            again.insert(collider)?;
        }
        again.update();
        let is_same = again.touching() == world.touching();
        again.set_accuracy(Accuracy::Exact);
        again.update();
        let touching = world.touching();
        // A coarser accuracy finds every exact pair.
        if !is_same || !again.touching().iter().all(|pair| touching.binary_search(pair).is_ok()) {
            return Err(disagree("a timed update"));
        }
        let [place, build, join, narrow, events] = parts.map(median);
        Ok(Frame {
            frame_ms: median(whole),
            parts: Parts { place, build, join, narrow, events },
            pairs,
            touching: touching.len(),
        })
    }
}

fn measure(args: &Args) -> Result<Answer<'_>, CliError> {
    let &Args { moving, fixed, accuracy, size, no_peers, .. } = args;
    let entities = args.entities.unwrap_or(0) as usize;
    let stage = Stage::forty_up_to(size);
    let mut all = Crowd::new(&stage, entities, SPACING * size as f32 / 64.0)?;
    all.world.set_accuracy(accuracy.accuracy());
    let mut some = (moving < 1.0).then(|| all.clone());
    if let Some(some) = &mut some {
        some.stop(moving, fixed)?;
    }
    let mut sides: Vec<Side> = some.into_iter().chain([all]).map(Side::new).collect();
    let frames = (PLACED / entities).clamp(FRAMES, 201) | 1;
    // The sides take turns, so that changes of the machine's speed affect both.
    for frame in 0..WARM_UP + frames {
        for side in &mut sides {
            side.step()?;
            if frame < WARM_UP {
                side.whole.clear();
                side.parts.iter_mut().for_each(Vec::clear);
            }
        }
    }
    let rstar_ms = match sides.last() {
        Some(side) if !no_peers => {
            let mut rstar = rstar_join(&side.crowd.world)?;
            Some(median((0..3).map(|_| once(&mut rstar) / 1e6).collect()))
        }
        _ => None,
    };
    let mut frames = sides.into_iter().map(Side::frame).collect::<Result<Vec<_>, _>>()?;
    let all_moving = if frames.len() > 1 { frames.pop() } else { None };
    let frame = frames.remove(0);
    Ok(Answer {
        args,
        threads: rayon::current_num_threads(),
        ratio: all_moving.as_ref().map(|all| frame.frame_ms / all.frame_ms),
        frame,
        all_moving,
        rstar_ms,
    })
}
