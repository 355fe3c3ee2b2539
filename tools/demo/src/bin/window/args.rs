//! The command line.

use crate::window;
use clap::Parser;
use hitmask::Atlas;
use hitmask_demo::headless::{self, DemoError, Job};
use hitmask_demo::{Action, AtlasFile, Command, Layers, Options, Walk, Zoom};
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A live window of moving, turning sprites. Sprites that touch are lit, and shared pixels are
/// white.
///
/// Keys are listed in the window. --headless draws the same without a window.
#[derive(Parser)]
#[command(name = "hitmask-demo", version)]
struct Args {
    /// Show a horde of walkers that follows a hero round obstacles, each by a move of its own. Walkers that
    /// are blocked are orange. A press calls the hero.
    #[arg(long)]
    horde: bool,
    /// Walk on the first map of an atlas, with the arrows and the space bar, or from above by --top-down.
    /// Colliders on layer bit 1 are ledges to jump through, sensors of the class coin are collected. The level is
    /// brought up to date when the file changes: `hitmask bake --watch` writes it. With --headless or --frames the
    /// hero walks by itself.
    #[arg(long, value_name = "ATLAS", conflicts_with_all = ["horde", "gif", "count", "zoom", "plain"])]
    map: Option<PathBuf>,
    /// With --map: the folder that was baked, whose tiles are drawn below the masks. Default: that of the atlas, if the
    /// level is in it.
    #[arg(long, value_name = "FOLDER", requires = "map")]
    art: Option<PathBuf>,
    /// With --map: the map is seen from above. Nothing falls, and the hero walks in all directions.
    #[arg(long, requires = "map")]
    top_down: bool,
    /// Number of sprites, or of walkers. Default: 100000, or 40 for a GIF; of walkers 20000, or 2000 for a GIF.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Width and height of the window or picture in pixels. Default: 1280x720, or 832x468 for a
    /// GIF, or 400x240 for one of a horde.
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[i32; 2]>,
    /// Window pixels per world pixel: 1/64 to 1/2, 1, 2, 3, 4, 6, 8, 12, 16, or all for the whole
    /// area. Default: 1, or 2 for a GIF of sprites. At 1 and above, the view of a horde follows the hero.
    #[arg(long, value_name = "Z", value_parser = zoom)]
    zoom: Option<Shown>,
    /// Keys to press at the start, such as nb for normals and boxes. With --map 1, 2 and 3: masks, sensors, shapes.
    #[arg(long, value_name = "KEYS", default_value = "", hide_default_value = true)]
    keys: String,
    /// Close the window after this number of frames, and print the median times. Each frame moves
    /// the scene by 1/60 s.
    #[arg(long, value_name = "N", conflicts_with = "headless")]
    frames: Option<u32>,
    /// Write what the window shows in its last frame.
    #[arg(long, value_name = "PNG", requires = "frames")]
    screenshot: Option<PathBuf>,
    /// Show no panels.
    #[arg(long)]
    plain: bool,
    /// Draw this number of frames without a window, and check their pairs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    headless: Option<u32>,
    /// Write the last frame of --headless.
    #[arg(long, value_name = "PNG", requires = "headless")]
    png: Option<PathBuf>,
    /// Write the frames of --headless as an animation. Its last frame leads to the first, except for a horde.
    #[arg(long, value_name = "GIF", requires = "headless")]
    gif: Option<PathBuf>,
}

/// Remedy where no window opens.
const WITHOUT_WINDOW: &str =
    "give --headless 1 --png demo.png, or run it under xvfb-run, or set DISPLAY";

/// Width and height of the window.
const WINDOW: [i32; 2] = [1280, 720];

/// Number of walkers of a horde.
const WALKERS: usize = 20_000;

/// A zoom, or the whole area.
#[derive(Clone, Copy, Debug)]
struct Shown(Option<Zoom>);

/// Runs what the command line asks for.
pub(crate) fn run() -> Result<(), DemoError> {
    let args = Args::parse();
    if args.headless.is_some() {
        return run_headless(&args);
    }
    if std::env::consts::OS == "linux"
        && ["DISPLAY", "WAYLAND_DISPLAY"].iter().all(|name| std::env::var_os(name).is_none())
    {
        let cause = "no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
        return Err(DemoError::new(cause, WITHOUT_WINDOW));
    }
    let window = args.size.unwrap_or(WINDOW);
    if let Some(map) = &args.map {
        let (file, atlas) = AtlasFile::open(map)?;
        let walk = walk(&args, map, atlas)?;
        let program = window::walk(walk, file, args.frames, args.screenshot.clone());
        return in_window(window, program);
    }
    let defaults = Options::default();
    let count = if args.horde { WALKERS } else { defaults.count };
    let options = Options {
        count: args.count.map_or(count, |count| count as usize),
        window,
        zoom: args.zoom.map_or(defaults.zoom, |Shown(zoom)| zoom),
        panels: !args.plain,
        horde: args.horde,
    };
    let settings = window::Settings {
        options,
        keys: commands(&args.keys)?.into_iter().map(Action::Command).collect(),
        frames: args.frames,
        screenshot: args.screenshot,
    };
    in_window(window, window::run(settings))
}

/// Opens a window of a size in pixels and runs `program` in it. The window library panics, or returns,
/// where it cannot open one.
fn in_window(
    size: [i32; 2],
    program: impl Future<Output = Result<(), DemoError>> + 'static,
) -> Result<(), DemoError> {
    static IS_OPEN: AtomicBool = AtomicBool::new(false);
    let result = Rc::new(RefCell::new(Ok(())));
    let of_window = Rc::clone(&result);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_OPEN.load(Ordering::Relaxed) {
            hook(info);
        }
    }));
    let opened = panic::catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(window::configuration(size), async move {
            IS_OPEN.store(true, Ordering::Relaxed);
            *of_window.borrow_mut() = program.await;
        });
    }));
    match opened {
        Ok(()) if IS_OPEN.load(Ordering::Relaxed) => result.replace(Ok(())),
        Err(panic) if IS_OPEN.load(Ordering::Relaxed) => panic::resume_unwind(panic),
        opened => {
            let payload = opened.err();
            let text = payload.as_ref().and_then(|payload| {
                let text = payload.downcast_ref::<&str>().copied();
                text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            });
            let cause = text.unwrap_or("it has no driver");
            Err(DemoError::new(format!("the display opens no window: {cause}"), WITHOUT_WINDOW))
        }
    }
}

fn run_headless(args: &Args) -> Result<(), DemoError> {
    if let Some(map) = &args.map {
        let mut walk = walk(args, map, Atlas::open(map)?)?;
        for tick in 0..args.headless.unwrap_or(1) {
            walk.tick(walk.automatic(tick))?;
        }
        let [has, all] = walk.coins();
        println!("{has} of {all} coins");
        if !args.top_down {
            eprintln!(
                "note: the hero walks and falls; give --top-down for a level that is seen from above"
            );
        }
        let Some(path) = &args.png else { return Ok(()) };
        return headless::write_png(path, &walk.picture(args.size.unwrap_or(WINDOW)));
    }
    let looped = args.gif.is_some() && !args.horde;
    let (count, size, zoom) = match (args.horde, args.gif.is_some()) {
        (false, true) => (40, [832, 468], 2),
        (false, false) => (100_000, WINDOW, 1),
        (true, true) => (2_000, [400, 240], 1),
        (true, false) => (WALKERS, WINDOW, 1),
    };
    let keys = commands(&args.keys)?;
    let pressed = |command| keys.contains(&command);
    let layers = Layers {
        normals: pressed(Command::Normals),
        boxes: looped || pressed(Command::Boxes),
        hover: None,
    };
    let job = Job {
        count: args.count.map_or(count, |count| count as usize),
        frames: args.headless.unwrap_or(1),
        window: args.size.unwrap_or(size),
        zoom: args.zoom.map_or(Some(Zoom::In(zoom)), |Shown(zoom)| zoom),
        looped,
        horde: args.horde,
        layers,
        caption: !args.plain,
    };
    let stage = if args.horde { hitmask_demo::horde_stage() } else { hitmask_demo::stage() };
    let mut frames = headless::run(&stage, &job, args.gif.is_some())?;
    if let Some(path) = &args.png {
        headless::write_png(path, &frames.last)?;
    }
    if let (Some(path), Some(gif)) = (&args.gif, &frames.gif) {
        headless::write(path, gif)?;
    }
    let touching: usize = frames.counts.iter().map(|counts| counts.touching).sum();
    let checked: usize = frames.counts.iter().map(|counts| counts.checked).sum();
    if args.horde {
        frames.ticks.sort_unstable();
        let tick = frames.ticks[frames.ticks.len() / 2].as_secs_f64() * 1e3;
        println!("a tick of {} walkers takes {tick:.2} ms, their update included", job.count);
    }
    println!(
        "{} frames of {} sprites, {touching} touching pairs in all\n\
         checked {checked} pairs with overlapping boxes against the per-pixel reference: all agree",
        job.frames, job.count
    );
    Ok(())
}

/// Parses a size, such as `1280x720`.
fn size(text: &str) -> Result<[i32; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| (64..=8_192).contains(side));
    let sides = text.split_once('x').and_then(|(w, h)| Some([side(w)?, side(h)?]));
    sides.ok_or_else(|| "give WxH with numbers from 64 to 8192, such as 1280x720".into())
}

fn zoom(text: &str) -> Result<Shown, String> {
    match text {
        "all" => Ok(Shown(None)),
        _ => text.parse().map(|zoom| Shown(Some(zoom))).map_err(|help| help + ", or all"),
    }
}

/// Returns the commands of keys.
fn commands(keys: &str) -> Result<Vec<Command>, DemoError> {
    let command = |key: char| Command::of_key(key.to_ascii_lowercase()).ok_or_else(|| no_key(key));
    keys.chars().map(command).collect()
}

fn no_key(key: char) -> DemoError {
    DemoError::new(format!("{key:?} is no key of the demo"), "press one that the window lists")
}

/// Returns the walk on the map of an atlas, over its tiles and with what the keys leave of the colliders.
fn walk(args: &Args, file: &Path, atlas: Atlas) -> Result<Walk, DemoError> {
    let mut walk = Walk::new(atlas)?.top_down(args.top_down);
    if let Some(key) = args.keys.chars().find(|&key| !walk.overlays().toggle(key)) {
        return Err(no_key(key));
    }
    let beside = file.parent().unwrap_or(Path::new(""));
    let has_art = walk.show_art(args.art.as_deref().unwrap_or(beside));
    if let (Some(folder), false) = (&args.art, has_art) {
        let cause = format!("{} has no level of the map", folder.display());
        return Err(DemoError::new(cause, "give the folder that was baked, or omit --art"));
    }
    Ok(walk)
}
