//! `hitmask demo`: a scene of moving sprites, timed and checked against the per-pixel reference.
//!
//! An output that ends in `.gif` runs `animation` instead, which writes an animated GIF.

mod animation;

use crate::{CliError, output};
use hitmask::reference::Canvas;
use hitmask::{Accuracy, ColliderId, Pair, Rect, World};
use hitmask_scenes::{Crowd, Picture, Stage};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Move and turn thousands of sprites, and find all pixel-perfect contacts.
///
/// Bakes sprites drawn by code and checks a sample of the results against a per-pixel reference.
/// Then compares the speed with the naive raster approach, and writes a picture of the last frame.
///
/// If the output ends in .gif, writes an animation of 40 sprites instead. Touching pairs are
/// orange and their overlap is white. Pairs that overlap by box but not by pixel have thin boxes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of colliders. Default: 20000, or 40 for a GIF.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=4_000_000))]
    colliders: Option<u32>,
    /// Duration of the run in seconds. Default: 4. Not for a GIF.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// File to write: a PNG of the last frame, or an animation if it ends in .gif.
    #[arg(long, value_name = "PNG|GIF", default_value = "hitmask-demo.png")]
    output: PathBuf,
    /// Number of frames of a GIF, which loops. Default: 60.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    frames: Option<u32>,
    /// Width and height of a GIF in sprite pixels, each drawn as 2 x 2 pixels. Default: 416x234.
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
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

/// Default number of colliders of a timed run.
const COLLIDERS: u32 = 20_000;
/// Default duration of a timed run in seconds.
const SECONDS: f64 = 4.0;
/// Side in pixels of the average square per collider. It is about the width of the sprites, so that
/// each overlaps one or two others.
const SPACING: f32 = 90.0;
/// Number of pairs checked against the per-pixel reference.
const CHECKED_PAIRS: usize = 2_000;
/// Number of colliders tested against all others by brute force.
const CHECKED_COLLIDERS: usize = 40;
/// Size of the picture in pixels.
const VIEW: [i32; 2] = [1200, 800];

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    output::check_target(&args.output, &[])?;
    if args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
        if args.seconds.is_some() {
            return Err(CliError::new(
                "--seconds does not apply to a GIF",
                "remove it, or set the length with --frames",
            ));
        }
        output::check_kind(&args.output, "a GIF", |head| head.starts_with(b"GIF8"))?;
        return animation::run(args);
    }
    if args.frames.is_some() || args.size.is_some() {
        return Err(CliError::new(
            format!(
                "--frames and --size apply only to a GIF, but the output is {}",
                args.output.display()
            ),
            "remove them, or give an --output that ends in .gif",
        ));
    }
    output::check_kind(&args.output, "a PNG", |head| head.starts_with(b"\x89PNG"))?;
    let colliders = args.colliders.unwrap_or(COLLIDERS);
    let seconds = args.seconds.unwrap_or(SECONDS);
    let say = |text: String| if args.json { Ok(()) } else { output::print(&text) };
    let start = Instant::now();
    // Leaves out sprites larger than 130 px.
    let stage = Stage::new(..=130);
    let (sprites, angles) = (stage.pictures.len(), stage.poses.angles());
    let (bytes, bake_seconds) = (stage.atlas.as_bytes().len(), start.elapsed().as_secs_f64());
    say(format!(
        "baked {sprites} sprites at {angles} angles, {}, in {:.0} ms\n",
        output::size(bytes as u64),
        bake_seconds * 1e3
    ))?;

    let mut crowd = Crowd::new(&stage, colliders as usize, SPACING)?;
    let (mut updates, mut spent) = (0_u32, Duration::ZERO);
    let start = Instant::now();
    while updates == 0 || start.elapsed().as_secs_f64() < seconds {
        crowd.step()?;
        let begin = Instant::now();
        crowd.world.update();
        spent += begin.elapsed();
        updates += 1;
    }
    let updates_per_second = f64::from(updates) / spent.as_secs_f64();
    let touching = crowd.world.touching().len();
    say(format!(
        "{colliders} colliders, all moving and turning: {updates_per_second:.0} updates per second, \
         {touching} touching pairs\n"
    ))?;

    let checked = check(&stage, &crowd.world)?;
    say(format!(
        "checked against the per-pixel reference: {} pairs, and {} colliders against all others; all agree\n",
        checked.pairs, checked.colliders
    ))?;
    let Checked { candidates, per_pair, boxes, .. } = checked;
    let naive_updates_per_second = 1.0 / (boxes.as_secs_f64() + per_pair * candidates as f64);
    say(format!(
        "naive: drawing each of the {candidates} pairs with overlapping boxes: \
         {naive_updates_per_second:.2} updates per second; hitmask is {:.0}x as fast\n",
        updates_per_second / naive_updates_per_second
    ))?;
    draw(&stage, &crowd, args)?;
    let output = args.output.display().to_string();
    say(format!("wrote the last frame to {output}\n"))?;
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
        naive_updates_per_second,
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

    let mut canvas = Canvas::default();
    let touching: std::collections::HashSet<&Pair> = world.touching().iter().collect();
    let sample: Vec<&Pair> =
        candidates.iter().step_by(candidates.len() / CHECKED_PAIRS + 1).collect();
    let mut per_pair = 0.0;
    for pair in &sample {
        let naive = stage.naive_area(&mut canvas, world, pair);
        let answer = world.contact(pair).map(|contact| contact.area);
        if naive != answer || touching.contains(*pair) != naive.is_some() {
            return Err(wrong(pair));
        }
    }
    // Timed separately, with the cheapest naive test, which stops at the first shared pixel.
    let begin = Instant::now();
    for pair in &sample {
        std::hint::black_box(stage.naive_touches(&mut canvas, world, pair));
    }
    if !sample.is_empty() {
        per_pair = begin.elapsed().as_secs_f64() / sample.len() as f64;
    }

    let all: Vec<ColliderId> = world.ids().collect();
    let searched: Vec<_> = all.iter().step_by(all.len().div_ceil(CHECKED_COLLIDERS)).collect();
    for &&a in &searched {
        for &b in &all {
            let pair = if a.index() < b.index() { Pair { a, b } } else { Pair { a: b, b: a } };
            let naive = a != b && stage.naive_area(&mut canvas, world, &pair).is_some();
            if naive != touching.contains(&pair) {
                return Err(wrong(&pair));
            }
        }
    }
    Ok(Checked {
        pairs: sample.len(),
        colliders: searched.len(),
        candidates: candidates.len(),
        per_pair,
        boxes: time,
    })
}

fn wrong(pair: &Pair) -> CliError {
    CliError::new(
        format!(
            "colliders {} and {}: the result differs from the per-pixel reference",
            pair.a.index(),
            pair.b.index()
        ),
        "this is a bug in hitmask: please report it with this line",
    )
}

/// Draws the centre of the world: touching sprites bright, others dimmed, shared pixels white.
fn draw(stage: &Stage, crowd: &Crowd, args: &Args) -> Result<(), CliError> {
    let (world, middle) = (&crowd.world, (crowd.side / 2.0) as i32);
    let [w, h] = VIEW;
    let (x0, y0) = (middle - w / 2, middle - h / 2);
    let view = Rect::new(x0, y0, x0 + w, y0 + h);
    let mut rgb = vec![16_u8; (3 * w * h) as usize];
    let mut covered = vec![false; (w * h) as usize];
    let touching: std::collections::HashSet<ColliderId> =
        world.touching().iter().flat_map(|pair| [pair.a, pair.b]).collect();
    for (id, collider) in world.iter() {
        let (Some(rect), Some(posed)) = (world.rect(id), world.posed(id)) else { continue };
        let Some(clipped) = rect.intersection(view) else { continue };
        let Some(sprite) = collider.shape.sprite() else { continue };
        let colour = colour(&stage.pictures[sprite.index() as usize]);
        let bright = touching.contains(&id);
        for y in clipped.y0..clipped.y1 {
            for x in clipped.x0..clipped.x1 {
                if posed.mask.get(x - rect.x0, y - rect.y0) {
                    let at = ((y - y0) * w + x - x0) as usize;
                    let drawn = match (covered[at], bright) {
                        (true, _) => [255; 3],
                        (false, true) => colour,
                        (false, false) => colour.map(|c| c / 4 + 12),
                    };
                    rgb[3 * at..3 * at + 3].copy_from_slice(&drawn);
                    covered[at] = true;
                }
            }
        }
    }
    output::write_png(&args.output, w as u32, h as u32, &rgb)
}

/// Returns the colour of the first visible texel of a sprite.
fn colour(picture: &Picture) -> [u8; 3] {
    let visible = picture.rgba.chunks_exact(4).find(|texel| texel[3] > 0);
    visible.map_or([255; 3], |texel| [texel[0], texel[1], texel[2]])
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number")?;
    if (0.0..=3600.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("give a number of seconds from 0 to 3600".into())
    }
}

/// Parses the size of a GIF, such as `480x270`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (32..=2_048).contains(side));
    let sides = text.split_once('x').and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| "give WxH with numbers from 32 to 2048, such as 480x270".into())
}
