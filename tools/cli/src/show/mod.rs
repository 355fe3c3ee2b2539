mod sheet;

use crate::picture::Picture;
use crate::{Failure, describe, output};
use hitmask::{Atlas, Flip, MAX_SCALE, MIN_SCALE, MaskRef, Point, PosedRef, Sprite};
use serde::Serialize;
use std::path::PathBuf;

/// Show a mask: a sprite at a pose, as text, JSON or a picture; or all its poses on one sheet.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas.
    file: PathBuf,
    /// The sprite's name.
    sprite: String,
    /// The frame, from 0; a sheet shows all unless one is named.
    #[arg(long, value_name = "N")]
    frame: Option<u32>,
    /// The plane, by its name, such as body; else the first. A sheet shows all unless one is named.
    #[arg(long, value_name = "NAME")]
    plane: Option<String>,
    /// Angle in radians, clockwise on screen, 0 unless given; the nearest baked step is shown.
    #[arg(long, value_name = "RAD", value_parser = angle, allow_negative_numbers = true)]
    angle: Option<f32>,
    /// Scale, 1 unless given; the nearest baked one is shown. A sheet shows all unless one is named.
    #[arg(long, value_name = "S", value_parser = scale, allow_negative_numbers = true)]
    scale: Option<f32>,
    /// Mirror left to right, before turning.
    #[arg(long)]
    flip_x: bool,
    /// Mirror top to bottom, before turning.
    #[arg(long)]
    flip_y: bool,
    /// Answer in JSON: the rows, and where the first pixel lies from the lattice origin.
    #[arg(long)]
    json: bool,
    /// Draw with half blocks, two rows in each line, for terminals.
    #[arg(long, conflicts_with = "json")]
    blocks: bool,
    /// Write a picture instead, white on black, one pixel each.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "blocks"])]
    png: Option<PathBuf>,
    /// Write a picture of all poses instead, each with its angle, its box and its pivot.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "blocks", "png", "angle"])]
    sheet: Option<PathBuf>,
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
    for path in args.png.iter().chain(&args.sheet) {
        output::check_target(path, &[&args.file])?;
    }
    let atlas = output::open(&args.file)?;
    let sprite = find(&atlas, &args.sprite)?;
    let sprite = in_plane(sprite, args.plane.as_deref())?;
    let frame = args.frame.unwrap_or(0);
    let pose = sprite.nearest(args.angle.unwrap_or(0.0), args.scale.unwrap_or(1.0));
    let pose = pose.ok_or_else(|| {
        Failure::new("the angle or the scale is not a number", "give finite numbers")
    })?;
    let flip = Flip { x: args.flip_x, y: args.flip_y };
    let posed = sprite.posed(frame, pose, flip).ok_or_else(|| {
        Failure::new(
            format!("sprite {:?} has no frame {frame}", args.sprite),
            format!("give a frame below {}: they count from 0", sprite.frame_count()),
        )
    })?;
    if let Some(path) = &args.sheet {
        let scale = args.scale.map(|_| pose.scale);
        let choice =
            sheet::Choice { frame: args.frame, scale, all_planes: args.plane.is_none(), flip };
        let poses = sheet::write(sprite, &choice, path)?;
        return output::print(&format!("{}: {poses} poses of {}\n", path.display(), args.sprite));
    }
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
        frame,
        pose.step,
        sprite.angles(),
        sprite.scales()[pose.scale as usize],
        posed.mask.width(),
        posed.mask.height(),
        posed.origin.x,
        posed.origin.y
    );
    let text = if args.blocks { blocks(posed.mask) } else { posed.mask.to_string() };
    output::print(&text)
}

/// The sprite of this name.
pub(crate) fn find<'a>(atlas: &'a Atlas, name: &str) -> Result<Sprite<'a>, Failure> {
    atlas.sprite_id(name).and_then(|id| atlas.sprite(id)).ok_or_else(|| {
        let help = match alike(atlas, name) {
            Some(other) => format!("did you mean {other:?}? `hitmask info FILE` lists all names"),
            None => "`hitmask info FILE` lists all names".to_owned(),
        };
        Failure::new(format!("the atlas has no sprite {name:?}"), help)
    })
}

/// The sprite in the plane of this name, or in its first.
fn in_plane<'a>(sprite: Sprite<'a>, plane: Option<&str>) -> Result<Sprite<'a>, Failure> {
    let Some(name) = plane else { return Ok(sprite) };
    sprite.plane(name).and_then(|plane| sprite.in_plane(plane)).ok_or_else(|| {
        let cause = format!("sprite {:?} has no plane {name:?}", sprite.name());
        Failure::new(cause, format!("its planes are: {}", describe::planes(sprite)))
    })
}

/// The sprite's name that is most like `name`: another folder, other capitals, a letter wrong.
fn alike<'a>(atlas: &'a Atlas, name: &str) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let likeness = |other: &str| {
        let other = other.to_lowercase();
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let whole = strsim::jaro_winkler(&wanted, &other);
        let file = strsim::jaro_winkler(&last(&wanted), &last(&other));
        // The right file of the wrong folder is a likelier slip than the right folder's wrong file.
        let part = if other.contains(&last(&wanted)) { 0.9 } else { 0.0 };
        whole.max(0.95 * file).max(part)
    };
    let scored = atlas.sprites().map(|sprite| (likeness(sprite.name()), sprite.name()));
    let best = scored.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)));
    best.filter(|(likeness, _)| *likeness > 0.8).map(|(_, name)| name)
}

fn write_picture(path: &std::path::Path, posed: PosedRef<'_>) -> Result<(), Failure> {
    let (w, h) = (posed.mask.width(), posed.mask.height());
    if w == 0 {
        return Err(Failure::new(
            "the mask has no pixel, and a picture needs one",
            "show it as text or JSON, or bake it with a lower --alpha",
        ));
    }
    let mut picture = Picture::new([w as i32, h as i32], [0; 3]);
    picture.mask(posed.mask, Point::default(), 1, [255; 3]);
    picture.write(path)
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

/// A mask as a picture of half blocks: two rows of pixels in each line of a terminal.
fn blocks(mask: MaskRef<'_>) -> String {
    let (w, h) = (mask.width() as i32, mask.height() as i32);
    let mut text = String::new();
    for y in (0..h).step_by(2) {
        let line = (0..w).map(|x| match (mask.get(x, y), mask.get(x, y + 1)) {
            (true, true) => '\u{2588}',
            (true, false) => '\u{2580}',
            (false, true) => '\u{2584}',
            (false, false) => ' ',
        });
        text += line.collect::<String>().trim_end();
        text.push('\n');
    }
    text
}
