//! `hitmask demo`: the library's own sprites in motion, timed and checked, or as an animated GIF.

mod animation;

use crate::{Failure, output};
use hitmask::reference::Canvas;
use hitmask::{Accuracy, ColliderId, Pair, Rect, World};
use hitmask_scenes::{Crowd, Picture, Stage};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Move and turn thousands of sprites, and find every pixel-perfect touch.
///
/// Bakes sprites drawn by code, checks a sample of its answers against the naive truth, compares
/// its speed with the naive raster approach, and writes a picture of the last frame.
///
/// An output that ends in .gif is an animation of 40 sprites instead. Pairs that touch are orange,
/// and their overlap is white. Pairs whose boxes overlap and whose pixels do not have thin boxes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of colliders. Default 20000, and 40 in a GIF.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=4_000_000))]
    colliders: Option<u32>,
    /// How long to run, in seconds. Default 4. Not for a GIF.
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// File of the picture of the last frame, or of the animation if it ends in .gif.
    #[arg(long, value_name = "PNG|GIF", default_value = "hitmask-demo.png")]
    output: PathBuf,
    /// Frames of a GIF, which is a loop. Default 60.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    frames: Option<u32>,
    /// Width and height of a GIF in pixels of the sprites, each drawn as 2 x 2. Default 416x234.
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Answer in JSON, at the end.
    #[arg(long)]
    json: bool,
}

/// What the demo found, for programs.
#[derive(Serialize)]
struct Answer {
    sprites: usize,
    /// Angle steps in a full turn.
    angles: u32,
    /// Size of the atlas.
    bytes: usize,
    bake_seconds: f64,
    colliders: u32,
    updates_per_second: f64,
    /// Pairs that touch after the last update.
    touching: usize,
    checked: Checked,
    naive_updates_per_second: f64,
    /// The picture of the last frame.
    output: String,
}

/// What was checked against the naive truth; it all agrees, or the demo fails.
#[derive(Serialize)]
struct Checked {
    /// Pairs that were drawn, of those whose boxes overlap.
    pairs: usize,
    /// Colliders that were compared with all others.
    colliders: usize,
    /// Pairs whose boxes overlap.
    candidates: usize,
    /// Seconds to draw a pair.
    #[serde(skip)]
    per_pair: f64,
    /// Time to find the pairs whose boxes overlap.
    #[serde(skip)]
    boxes: Duration,
}

/// Colliders of a timed run, unless the options name another number.
const COLLIDERS: u32 = 20_000;
/// Length of a timed run, unless the options name another.
const SECONDS: f64 = 4.0;
/// Width of the square that each collider has to itself on average, in pixels: about as wide as
/// the sprites, so that each meets one or two others.
const SPACING: f32 = 90.0;
/// Pairs whose answers are checked against the naive truth.
const CHECKED: usize = 2_000;
/// Colliders whose every touch is looked for by brute force.
const SEARCHED: usize = 40;
/// Size of the picture in pixels.
const VIEW: [i32; 2] = [1200, 800];

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    output::check_target(&args.output, &[])?;
    if args.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
        if args.seconds.is_some() {
            return Err(Failure::new(
                "--seconds is the time of a run, and a GIF has no such time",
                "leave it out, or give --frames",
            ));
        }
        output::check_kind(&args.output, "GIF", |head| head.starts_with(b"GIF8"))?;
        return animation::run(args);
    }
    if args.frames.is_some() || args.size.is_some() {
        return Err(Failure::new(
            format!("--frames and --size are of a GIF, and {} is none", args.output.display()),
            "leave them out, or give an --output that ends in .gif",
        ));
    }
    output::check_kind(&args.output, "PNG", |head| head.starts_with(b"\x89PNG"))?;
    let colliders = args.colliders.unwrap_or(COLLIDERS);
    let seconds = args.seconds.unwrap_or(SECONDS);
    let say = |text: String| if args.json { Ok(()) } else { output::print(&text) };
    let start = Instant::now();
    // The largest sprites would dwarf the scene.
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
        "checked against the naive truth: {} pairs, and {} colliders against all others; all agree\n",
        checked.pairs, checked.colliders
    ))?;
    let Checked { candidates, per_pair, boxes, .. } = checked;
    let naive_updates_per_second = 1.0 / (boxes.as_secs_f64() + per_pair * candidates as f64);
    say(format!(
        "the same by drawing every pair whose boxes overlap ({candidates}): \
         {naive_updates_per_second:.2} updates per second; hitmask is {:.0} times as fast\n",
        updates_per_second / naive_updates_per_second
    ))?;
    draw(&stage, &crowd, args)?;
    let output = args.output.display().to_string();
    say(format!("the last frame is in {output}\n"))?;
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

/// Checks the last update against the naive truth: a sample of the pairs whose boxes overlap by
/// drawing them, and a few colliders against all others.
fn check(stage: &Stage, world: &World) -> Result<Checked, Failure> {
    let mut boxes = world.clone();
    boxes.set_accuracy(Accuracy::Box);
    let begin = Instant::now();
    boxes.update();
    let time = begin.elapsed();
    let candidates = boxes.touching();

    let mut canvas = Canvas::default();
    let touching: std::collections::HashSet<&Pair> = world.touching().iter().collect();
    let sample: Vec<&Pair> = candidates.iter().step_by(candidates.len() / CHECKED + 1).collect();
    let mut per_pair = 0.0;
    for pair in &sample {
        let naive = stage.naive_area(&mut canvas, world, pair);
        let answer = world.contact(pair).map(|contact| contact.area);
        if naive != answer || touching.contains(*pair) != naive.is_some() {
            return Err(wrong(pair));
        }
    }
    // Timed apart, and only as far as yes or no, which is the least that could be asked of it.
    let begin = Instant::now();
    for pair in &sample {
        std::hint::black_box(stage.naive_touches(&mut canvas, world, pair));
    }
    if !sample.is_empty() {
        per_pair = begin.elapsed().as_secs_f64() / sample.len() as f64;
    }

    let all: Vec<ColliderId> = world.ids().collect();
    let searched: Vec<_> = all.iter().step_by(all.len().div_ceil(SEARCHED)).collect();
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

fn wrong(pair: &Pair) -> Failure {
    Failure::new(
        format!(
            "colliders {} and {}: the answer is not the naive one",
            pair.a.index(),
            pair.b.index()
        ),
        "report it with this line: this is a defect",
    )
}

/// Draws the middle of the world: sprites in their colours, dimmed, those that touch bright, and
/// pixels in two of them white.
fn draw(stage: &Stage, crowd: &Crowd, args: &Args) -> Result<(), Failure> {
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
        let Some(seen) = rect.intersection(view) else { continue };
        let Some(sprite) = collider.shape.sprite() else { continue };
        let colour = colour(&stage.pictures[sprite.index() as usize]);
        let bright = touching.contains(&id);
        for y in seen.y0..seen.y1 {
            for x in seen.x0..seen.x1 {
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

/// The colour of a sprite's first visible texel.
fn colour(picture: &Picture) -> [u8; 3] {
    let visible = picture.rgba.chunks_exact(4).find(|texel| texel[3] > 0);
    visible.map_or([255; 3], |texel| [texel[0], texel[1], texel[2]])
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number")?;
    if (0.0..=3600.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("give 0 to 3600 seconds".into())
    }
}

/// Parses the size of a GIF.
fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (32..=2_048).contains(side));
    let sides = text.split_once('x').and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| "give two numbers from 32 to 2048, such as 480x270".into())
}
