//! `hitmask demo`: a scene of moving sprites, timed and checked against the per-pixel reference.
//!
//! Scene and drawing are those of the live window, the package `hitmask-demo`.

use crate::{CliError, output};
use hitmask::reference::Canvas;
use hitmask::{Accuracy, ColliderId, Pair, World};
use hitmask_demo::headless::{self, DemoError};
use hitmask_demo::{Crowd, Pace, Show};
use hitmask_scenes::Stage;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Move and turn thousands of sprites, and find all pixel-perfect contacts.
///
/// Bakes sprites drawn by code and checks a sample of the results against a per-pixel reference.
/// Then compares the speed with the naive raster approach, and writes a picture of the last frame:
/// sprites that touch are orange, and shared pixels white.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of colliders.
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u32).range(2..=4_000_000))]
    colliders: u32,
    /// Duration of the run in seconds.
    #[arg(long, value_name = "S", default_value = "4", value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// File to write: a PNG of the last frame.
    #[arg(long, value_name = "PNG", default_value = "hitmask-demo.png")]
    output: PathBuf,
    /// Print the result as JSON at the end.
    #[arg(long)]
    json: bool,
}

/// Result of the demo, printed as JSON.
#[derive(Serialize)]
struct Answer {
    sprites: usize,
    /// Angle steps in a full turn.
    angles: u32,
    /// Size of the atlas in bytes.
    bytes: usize,
    bake_seconds: f64,
    colliders: u32,
    updates_per_second: f64,
    /// Number of touching pairs after the last update.
    touching: usize,
    checked: Checked,
    naive_updates_per_second: f64,
    /// Path of the picture of the last frame.
    output: String,
}

/// Extent of the check against the per-pixel reference. A mismatch is an error.
#[derive(Serialize)]
struct Checked {
    /// Number of pairs drawn, out of those with overlapping boxes.
    pairs: usize,
    /// Number of colliders compared with all others.
    colliders: usize,
    /// Number of pairs with overlapping boxes.
    candidates: usize,
    /// Seconds to draw one pair.
    #[serde(skip)]
    per_pair: f64,
    /// Time to find the pairs with overlapping boxes.
    #[serde(skip)]
    boxes: Duration,
}

/// Number of pairs that the naive side is timed on.
const TIMED_PAIRS: usize = 2_000;
/// Number of colliders tested against all others by brute force.
const CHECKED_COLLIDERS: usize = 40;
/// Size of the picture in pixels.
const VIEW: [i32; 2] = [1280, 720];
/// Time between two updates, in 2^-32 of the loop of the scene: 1/60 s.
const TICK: u32 = (u32::MAX as f64 / (60.0 * Pace::SECONDS)) as u32;

/// What to try after the demo.
const NEXT: &str = "\
next: hitmask bake FOLDER --output sprites.hitmask        masks of your own images
      hitmask report sprites.hitmask --output page.html   a page that shows them
In the repository, \"cargo run --release --\" stands for \"hitmask\". There, \"cargo run --release -p hitmask-demo\"
opens a window with 100,000 sprites.
";

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    output::check_target(&args.output, &[])?;
    if args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
        let path = args.output.display();
        return Err(CliError::new(
            format!("{path} would be a GIF, and this verb writes a PNG"),
            format!("run the package hitmask-demo with --headless 45 --gif {path}"),
        ));
    }
    output::check_picture(&args.output)?;
    let &Args { colliders, seconds, .. } = args;
    // Each line begins before its step, and ends after it.
    let say = |text: String| if args.json { Ok(()) } else { output::print(&text) };
    say("baking sprites drawn by code: ".into())?;
    let start = Instant::now();
    let stage = hitmask_demo::stage();
    let (sprites, angles) = (stage.pictures.len(), stage.poses.angles());
    let (bytes, bake_seconds) = (stage.atlas.as_bytes().len(), start.elapsed().as_secs_f64());
    say(format!(
        "{sprites} sprites at {angles} angles, {}, in {:.0} ms\n",
        output::size(bytes as u64),
        bake_seconds * 1e3
    ))?;

    let count = colliders as usize;
    say(format!("moving and turning {}: ", output::count(count, "collider")))?;
    let mut crowd = Crowd::new(&stage, count, Crowd::size_for(count), Pace::Live)?;
    // The first update allocates and builds everything, and is not timed.
    crowd.advance(TICK.wrapping_neg());
    crowd.update()?;
    let (mut updates, mut spent) = (0_u32, Duration::ZERO);
    let start = Instant::now();
    while updates == 0 || start.elapsed().as_secs_f64() < seconds {
        crowd.advance(updates.wrapping_mul(TICK));
        let begin = Instant::now();
        crowd.update()?;
        spent += begin.elapsed();
        updates += 1;
    }
    let updates_per_second = f64::from(updates) / spent.as_secs_f64();
    let touching = crowd.scene().world().touching().len();
    say(format!(
        "{updates_per_second:.0} updates per second, {}\n",
        output::count(touching, "touching pair")
    ))?;

    say("checking against the per-pixel reference: ".into())?;
    let checked = check(&stage, crowd.scene().world())?;
    say(format!(
        "{} pairs, and {} colliders against all others; all agree\n",
        checked.pairs, checked.colliders
    ))?;
    let Checked { candidates, per_pair, boxes, .. } = checked;
    let naive = 1.0 / (boxes.as_secs_f64() + per_pair * candidates as f64);
    say(format!(
        "naive: drawing each of the {candidates} pairs with overlapping boxes: \
         {naive:.2} updates per second; hitmask is {:.0}x as fast\n",
        updates_per_second / naive
    ))?;
    let picture = headless::still(crowd.scene(), VIEW);
    headless::write_png(&args.output, &picture)?;
    let output = args.output.display().to_string();
    say(format!("wrote the last frame to {output}\n{NEXT}"))?;
    if !args.json {
        return Ok(());
    }
    output::print_json(&Answer {
        sprites,
        angles,
        bytes,
        bake_seconds,
        colliders,
        updates_per_second,
        touching,
        checked,
        naive_updates_per_second: naive,
        output,
    })
}

/// Checks the last update against the per-pixel reference: a sample of the pairs with overlapping
/// boxes, and a few colliders against all others.
fn check(stage: &Stage, world: &World) -> Result<Checked, CliError> {
    let mut boxes = world.clone();
    boxes.set_accuracy(Accuracy::Box);
    let begin = Instant::now();
    boxes.update();
    let time = begin.elapsed();
    let candidates = boxes.touching();

    let pairs = headless::check_pairs(stage, world, candidates)?;

    // Timed separately, with the cheapest naive test, which stops at the first shared pixel.
    let sample = candidates.iter().step_by(candidates.len() / TIMED_PAIRS + 1);
    let (begin, mut canvas) = (Instant::now(), Canvas::default());
    for pair in sample.clone() {
        std::hint::black_box(stage.naive_touches(&mut canvas, world, pair));
    }
    let per_pair = begin.elapsed().as_secs_f64() / sample.len().max(1) as f64;

    let touching: std::collections::HashSet<&Pair> = world.touching().iter().collect();
    let all: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    let searched: Vec<_> = all.iter().step_by(all.len().div_ceil(CHECKED_COLLIDERS)).collect();
    for &&a in &searched {
        for &b in &all {
            let pair = if a.index() < b.index() { Pair { a, b } } else { Pair { a: b, b: a } };
            let naive = a != b && stage.naive_area(&mut canvas, world, &pair).is_some();
            if naive != touching.contains(&pair) {
                return Err(DemoError::mismatch(pair).into());
            }
        }
    }
    Ok(Checked {
        pairs,
        colliders: searched.len(),
        candidates: candidates.len(),
        per_pair,
        boxes: time,
    })
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number")?;
    if (0.0..=3600.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("give a number of seconds from 0 to 3600".into())
    }
}
