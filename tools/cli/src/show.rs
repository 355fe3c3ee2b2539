use crate::{Failure, output};
use hitmask::{Atlas, MAX_SCALE, MIN_SCALE, PosedRef, Sprite};
use serde::Serialize;
use std::path::PathBuf;

/// Show one mask: a sprite at a pose, as text, JSON or a picture.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas.
    file: PathBuf,
    /// The sprite's name.
    sprite: String,
    /// The frame, from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    frame: u32,
    /// Angle in radians, clockwise on screen; the nearest baked step is shown.
    #[arg(long, value_name = "RAD", default_value_t = 0.0, value_parser = angle, allow_negative_numbers = true)]
    angle: f32,
    /// Scale; the nearest baked one is shown.
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = scale, allow_negative_numbers = true)]
    scale: f32,
    /// Mirror left to right, before turning.
    #[arg(long)]
    flip_x: bool,
    /// Mirror top to bottom, before turning.
    #[arg(long)]
    flip_y: bool,
    /// Answer in JSON: the rows, and where the first pixel lies from the lattice origin.
    #[arg(long, conflicts_with = "png")]
    json: bool,
    /// Write a picture instead, white on black, one pixel each.
    #[arg(long, value_name = "OUT")]
    png: Option<PathBuf>,
}

#[derive(Serialize)]
struct Shown {
    x0: i32,
    y0: i32,
    w: u32,
    h: u32,
    rows: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let atlas = output::open(&args.file)?;
    let sprite = find(&atlas, &args.sprite)?;
    let pose = sprite.nearest(args.angle, args.scale).ok_or_else(|| {
        Failure::new("the angle or the scale is not a number", "give finite numbers")
    })?;
    let posed = sprite.posed(args.frame, pose, args.flip_x, args.flip_y).ok_or_else(|| {
        Failure::new(
            format!("sprite {:?} has no frame {}", args.sprite, args.frame),
            format!("give a frame below {}: they count from 0", sprite.frame_count()),
        )
    })?;
    if let Some(path) = &args.png {
        return write_picture(path, posed);
    }
    if args.json {
        let rows = posed.mask.to_string().lines().map(str::to_owned).collect();
        let (w, h) = (posed.mask.width(), posed.mask.height());
        return output::print_json(&Shown { x0: posed.origin.x, y0: posed.origin.y, w, h, rows });
    }
    // The picture alone goes to standard output; what it is goes beside it.
    eprintln!(
        "{}, frame {}: step {} of {}, scale {}; {} x {} pixels at ({}, {}) from the lattice origin",
        args.sprite,
        args.frame,
        pose.step,
        sprite.angles(),
        sprite.scales()[pose.scale as usize],
        posed.mask.width(),
        posed.mask.height(),
        posed.origin.x,
        posed.origin.y
    );
    output::print(&posed.mask.to_string())
}

/// The sprite of this name.
pub(crate) fn find<'a>(atlas: &'a Atlas, name: &str) -> Result<Sprite<'a>, Failure> {
    atlas.sprite(name).and_then(|id| atlas.get(id)).ok_or_else(|| {
        let last = name.rsplit('/').next().unwrap_or(name).to_lowercase();
        let alike = atlas.sprites().map(Sprite::name).find(|n| n.to_lowercase().contains(&last));
        let help = match alike {
            Some(other) => format!("did you mean {other:?}? `hitmask info FILE` lists all names"),
            None => "`hitmask info FILE` lists all names".to_owned(),
        };
        Failure::new(format!("the atlas has no sprite {name:?}"), help)
    })
}

fn write_picture(path: &std::path::Path, posed: PosedRef<'_>) -> Result<(), Failure> {
    let (w, h) = (posed.mask.width(), posed.mask.height());
    if w == 0 {
        return Err(Failure::new(
            "the mask has no pixel, and a picture needs one",
            "show it as text or JSON, or bake it with a lower --alpha",
        ));
    }
    let pixels = (0..h as i32).flat_map(|y| (0..w as i32).map(move |x| (x, y)));
    let rgb: Vec<u8> =
        pixels.flat_map(|(x, y)| [if posed.mask.get(x, y) { 255 } else { 0 }; 3]).collect();
    output::write_png(path, w, h, &rgb)
}

fn angle(text: &str) -> Result<f32, String> {
    let angle: f32 = text.parse().map_err(|_| "not a number")?;
    if angle.is_finite() { Ok(angle) } else { Err("give finite radians".into()) }
}

fn scale(text: &str) -> Result<f32, String> {
    let scale: f32 = text.parse().map_err(|_| "not a number")?;
    if scale.is_finite() && scale > 0.0 {
        Ok(scale)
    } else {
        Err(format!("give a positive number; sprites are baked from {MIN_SCALE} to {MAX_SCALE}"))
    }
}
