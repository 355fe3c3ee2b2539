//! `hitmask show`: prints or draws one posed mask, or all poses of a sprite as a contact sheet.

mod sheet;

use crate::cli_error::{Label, one_line, say};
use crate::sprites::{find, in_plane};
use crate::{CliError, output};
use hitmask::{Atlas, Flip, MAX_SCALE, MIN_SCALE, Map, MaskRef, Point, Posed, World};
use hitmask_demo::{MapPicture, Picture, headless, open_art};
use serde::Serialize;
use std::f32::consts::TAU;
use std::path::PathBuf;

/// Show the mask of a sprite at a pose, as text, JSON or a picture, or all poses on one sheet.
///
/// A map is a picture of its colliders, by --png, over its tiles with --art.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas file.
    file: PathBuf,
    /// Name of the sprite, or of a map.
    sprite: String,
    /// Frame, counted from 0. Default: 0; a sheet shows all frames.
    #[arg(long, value_name = "N")]
    frame: Option<u32>,
    /// Plane by name, such as body. Default: the first plane; a sheet shows all planes.
    #[arg(long, value_name = "NAME")]
    plane: Option<String>,
    /// Angle, clockwise on screen: in degrees as 45deg, or in radians as 0.785rad or 0.785. Default: 0.
    /// The nearest baked step is shown.
    #[arg(long, value_name = "ANGLE", value_parser = angle, allow_hyphen_values = true)]
    angle: Option<Angle>,
    /// Scale. Default: 1; a sheet shows all scales. The nearest baked scale is shown.
    #[arg(long, value_name = "S", value_parser = scale, allow_negative_numbers = true)]
    scale: Option<f32>,
    /// Mirror left to right before rotation.
    #[arg(long)]
    flip_x: bool,
    /// Mirror top to bottom before rotation.
    #[arg(long)]
    flip_y: bool,
    #[command(flatten)]
    limit: output::Limit,
    /// Print JSON: the rows, and the offset of the top-left pixel from the lattice origin.
    #[arg(long)]
    json: bool,
    /// Draw with half-block characters, two rows of pixels per line.
    #[arg(long, conflicts_with = "json")]
    blocks: bool,
    /// Write a PNG instead, white on black, 1 x 1 picture pixel per mask pixel.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "blocks"])]
    png: Option<PathBuf>,
    /// Side of a mask pixel in the picture of --png, in picture pixels: 1 to 64.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "png", value_parser = clap::value_parser!(u32).range(1..=64))]
    zoom: u32,
    /// Folder that was baked: draws a map over its tiles.
    #[arg(long, value_name = "FOLDER", requires = "png")]
    art: Option<PathBuf>,
    /// Write a PNG of all poses instead, each with its angle, bounding box and pivot.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "blocks", "png", "angle"])]
    sheet: Option<PathBuf>,
}

/// Longest side of a magnified picture.
const MAX_MAGNIFIED: u32 = 16_384;

#[derive(Serialize)]
struct Shown {
    x0: i32,
    y0: i32,
    w: u32,
    h: u32,
    rows: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    for path in args.png.iter().chain(&args.sheet) {
        output::check_target(path, &[&args.file])?;
        output::check_picture(path)?;
    }
    let atlas = output::open(&args.file, &args.limit)?;
    if let Some(map) = atlas.map(&args.sprite) {
        return write_map(args, &atlas, &map);
    }
    let sprite = find(atlas.sprites(), &args.sprite)?;
    let sprite = in_plane(sprite, args.plane.as_deref())?;
    let frame = args.frame.unwrap_or(0);
    if let Some(Angle { radians, is_bare: true }) = args.angle.filter(|a| a.radians.abs() > TAU) {
        let turns = radians / TAU;
        let text =
            format!("{radians} is taken as radians, {turns:.2} turns; {radians}deg is degrees");
        say(Label::Warning, text);
    }
    let radians = args.angle.map_or(0.0, |angle| angle.radians);
    let pose = sprite.nearest(radians, args.scale.unwrap_or(1.0));
    let pose = pose.ok_or_else(|| {
        CliError::new("the angle or the scale is not a finite number", "give finite numbers")
    })?;
    let flip = Flip { x: args.flip_x, y: args.flip_y };
    let posed = sprite.draw(frame, pose, flip).ok_or_else(|| {
        CliError::new(
            format!("sprite {:?} has no frame {frame}", args.sprite),
            match sprite.frame_count() {
                1 => "leave out --frame: the sprite has one frame".to_owned(),
                frames => format!("give a frame from 0 to {}", frames - 1),
            },
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
        return write_picture(path, &posed, args.zoom);
    }
    if args.json {
        let rows = posed.mask.to_string().lines().map(str::to_owned).collect();
        let (w, h) = (posed.mask.width(), posed.mask.height());
        return output::print_json(&Shown { x0: posed.origin.x, y0: posed.origin.y, w, h, rows });
    }
    // Standard output gets the mask alone, so that it can be redirected.
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
    let text = if args.blocks { blocks(posed.mask.as_ref()) } else { posed.mask.to_string() };
    output::print(&text)
}

/// Writes the colliders of a map, over its tiles if these are there.
fn write_map(args: &Args, atlas: &Atlas, map: &Map) -> Result<(), CliError> {
    let Some(path) = &args.png else {
        let cause = format!("{:?} is a map, which is shown as a picture", map.name);
        return Err(CliError::new(cause, "give --png OUT; `hitmask info` lists its objects"));
    };
    let mut world = World::new(atlas.clone());
    let placed = world.insert_map(map, [0.0; 2]);
    let placed = placed
        .map_err(|error| CliError::new(one_line(&error, error.help()), "bake the level again"))?;
    let mut level = args.art.as_ref().and_then(|folder| open_art(folder, map));
    if let (Some(folder), None) = (&args.art, &level) {
        let cause = format!("{} has no level of the map {:?}", folder.display(), map.name);
        return Err(CliError::new(cause, "give the folder that was baked, or omit --art"));
    }
    let drawn = MapPicture::of(&world, map, &placed.ids, level.as_mut()).over_tiles();
    Ok(headless::write_png(path, &drawn.zoomed(args.zoom as i32))?)
}

fn write_picture(path: &std::path::Path, posed: &Posed, zoom: u32) -> Result<(), CliError> {
    let (w, h) = (posed.mask.width(), posed.mask.height());
    if w == 0 {
        return Err(CliError::new(
            "the mask has no set pixel, so there is nothing to draw",
            "show it as text or JSON, or bake it with a lower --alpha",
        ));
    }
    let sides = [w, h].map(|side| side * zoom);
    if zoom > 1 && sides.iter().any(|&side| side > MAX_MAGNIFIED) {
        let [width, height] = sides;
        let cause = format!(
            "the picture would have {width} x {height} pixels, and {MAX_MAGNIFIED} a side are possible"
        );
        return Err(CliError::new(
            cause,
            format!("give --zoom {} or less", (MAX_MAGNIFIED / w.max(h)).max(1)),
        ));
    }
    let mut picture = Picture::new(sides.map(|side| side as i32), [0, 0, 0, 255]);
    picture.mask(posed.mask.as_ref(), Point::default(), zoom as i32, [255; 4]);
    Ok(headless::write_png(path, &picture)?)
}

/// An angle as given.
#[derive(Clone, Copy)]
struct Angle {
    radians: f32,
    /// True if no unit was given.
    is_bare: bool,
}

fn angle(text: &str) -> Result<Angle, String> {
    let (degrees, radians) = (text.strip_suffix("deg"), text.strip_suffix("rad"));
    let number = degrees.or(radians).unwrap_or(text).trim();
    let number: f32 =
        number.parse().map_err(|_| "not an angle: give 45deg, or radians as 0.785")?;
    if !number.is_finite() {
        return Err("give a finite angle".into());
    }
    let radians_given = if degrees.is_some() { number.to_radians() } else { number };
    Ok(Angle { radians: radians_given, is_bare: degrees.is_none() && radians.is_none() })
}

fn scale(text: &str) -> Result<f32, String> {
    let scale: f32 = text.parse().map_err(|_| "not a number")?;
    if scale.is_finite() && scale > 0.0 {
        Ok(scale)
    } else {
        Err(format!("give a positive number; baked scales range from {MIN_SCALE} to {MAX_SCALE}"))
    }
}

/// Formats a mask with half-block characters: two rows of pixels per line.
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
