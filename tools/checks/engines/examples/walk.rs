//! Times ticks of walkers among as many slabs, by hitmask, by Rapier's character controller and by Box2D's
//! character mover: `walk [WALKERS]...`. Run it with `--release`.

use hitmask_bench::{WalkPlan, Walkers};
use hitmask_engines::box2d::Box2dWalk;
use hitmask_engines::rapier::RapierWalk;
use hitmask_engines::walk::{Walk, way};
use std::time::Instant;

/// Pixels of a walk.
const DISTANCE: f32 = 1.8;
/// Number of ticks before the timed ones.
const WARM_UP: u32 = 32;
/// Number of timed ticks: the engines take turns. Odd, for the median.
const TICKS: usize = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counts: Vec<usize> =
        std::env::args().skip(1).map(|n| n.parse()).collect::<Result<_, _>>()?;
    let counts = if counts.is_empty() { vec![1_000, 4_000, 16_000, 64_000] } else { counts };
    println!(
        "us per walk of {DISTANCE} px, with its share of the engine's update; ratio to hitmask; px moved"
    );
    for count in counts {
        let plan = WalkPlan::new(count, count);
        let mut hitmask = Walkers::new(plan.clone())?;
        let mut rapier = <RapierWalk as Walk>::new(plan.clone());
        let mut box2d = <Box2dWalk as Walk>::new(plan);
        // As many are blocked afterwards as in any later tick. The ways show that all do the same work.
        let ways = [
            way(&mut hitmask, WARM_UP, DISTANCE),
            way(&mut rapier, WARM_UP, DISTANCE),
            way(&mut box2d, WARM_UP, DISTANCE),
        ];
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..TICKS {
            times[0].push(tick(&mut hitmask, count));
            times[1].push(tick(&mut rapier, count));
            times[2].push(tick(&mut box2d, count));
        }
        let us = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[TICKS / 2]
        });
        print!("{count:>7} walkers");
        let names = [Walkers::NAME, RapierWalk::NAME, Box2dWalk::NAME];
        for ((name, us_of), way) in names.into_iter().zip(us).zip(ways) {
            print!("  {name} {us_of:.3} us {:.2}x {way:.3} px", us_of / us[0]);
        }
        println!();
    }
    Ok(())
}

/// Returns the time of a tick in us per walk.
fn tick<W: Walk>(walkers: &mut W, count: usize) -> f64 {
    let begin = Instant::now();
    walkers.walk(DISTANCE);
    begin.elapsed().as_secs_f64() * 1e6 / count as f64
}
