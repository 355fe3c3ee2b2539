//! `hitmask export`: writes the shapes of sprites for physics engines and editors.
//!
//! ```text
//! art --hitmask_bake--> source masks --frame--> polygons and pieces --one file per format--> text
//! ```

mod data;
mod frame;
mod godot;
mod physics_editor;
mod svg;
mod terrain;
mod tiled;

use crate::art_args::ArtArgs;
use crate::cli_error::{Label, say};
use crate::sprites::{in_plane, suggested};
use crate::{CliError, output, units};
use clap::ValueEnum;
pub(crate) use frame::corner_count;
use frame::{Frame, Origin, Source};
use hitmask::{AtlasOptions, Fit, Mask, ShapeOptions};
use hitmask_bake::Bake;
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};
use terrain::Terrain;

/// Export polygons and convex pieces of sprites for physics engines and editors.
///
/// Takes the art that 'hitmask bake' takes, and writes one file. Its shapes are those of the frames as
/// drawn, neither turned nor scaled. Convex pieces do not overlap, and together are the shape. A sprite
/// without a solid pixel has none, and gives a warning.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Kind of file to write. Default: by the ending of the file, json, lua, svg, tscn (godot) or tsx (tiled).
    #[arg(short, long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
    /// File to write. A failed export leaves an existing file unchanged. A non-empty file of another kind
    /// is never replaced.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Map to export, by its name: the path of a level without the extension. Each of its terrains has one
    /// shape, without a seam between two tiles, in pixels of the map from its top-left corner.
    #[arg(long, value_name = "NAME")]
    map: Option<String>,
    /// Sprite to export, by its name. Repeatable. Default: all sprites, or all terrains of the map.
    #[arg(long, value_name = "NAME")]
    sprite: Vec<String>,
    /// Plane to export, such as body. Default: the first plane.
    #[arg(long, value_name = "NAME")]
    plane: Option<String>,
    /// Greatest distance between the border of the pixels and that of the shape, in pixels, either way:
    /// 0.1 to 32767. It does not follow the size of a sprite: at 1, a disc of 8 pixels becomes a square. Take
    /// about 1/16 of the size of the smallest round sprite, which is 0.5 for 8 pixels.
    #[arg(long, value_name = "PX", default_value_t = 1.0, value_parser = units::pixels::<f32>, allow_negative_numbers = true)]
    max_error: f32,
    /// Side of the pixels' border on which the shape may be.
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = Side::Nearest)]
    fit: Side,
    /// Leave out islands and holes that enclose fewer pixels.
    #[arg(long, value_name = "PX", default_value_t = 0, allow_negative_numbers = true)]
    min_area: u32,
    /// Most corners of a convex piece, from 3. Box2D takes 8.
    #[arg(long, value_name = "N", default_value_t = 8, allow_negative_numbers = true)]
    max_corners: u32,
    /// Leave out convex pieces thinner than this, in units of the file. A frame keeps its pieces if all are
    /// thinner, with a warning.
    #[arg(long, value_name = "WIDTH", default_value_t = ShapeOptions::DEFAULT.min_width, allow_negative_numbers = true)]
    min_width: f32,
    /// Units per pixel: 0.03125 for 32 pixels a metre. Not for tiled and svg, which are in pixels.
    #[arg(long, value_name = "UNITS", default_value_t = 1.0, allow_negative_numbers = true)]
    scale: f32,
    /// Let y run up. Not for tiled and svg.
    #[arg(long)]
    y_up: bool,
    #[command(flatten)]
    art: ArtArgs,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Kinds of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Polygons with holes, convex pieces and mass, about the pivot.
    Json,
    /// A tileset of Tiled, .tsx: convex pieces as collision objects of the tiles.
    Tiled,
    /// JSON of PhysicsEditor, as Phaser 3 reads it for matter.js.
    Physicseditor,
    /// A scene of Godot 3 and 4, .tscn: a body per frame with its convex pieces, about the pivot.
    Godot,
    /// What json has, as a table that a Lua chunk returns, such as for love.physics.
    Lua,
    /// A picture of pixels, polygons and pieces.
    Svg,
}

/// Values of --fit.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    /// Either side: the fewest corners.
    Nearest,
    /// The shape covers every solid pixel.
    Outside,
    /// The shape covers no clear pixel.
    Inside,
}

/// Result of the export, printed as JSON.
#[derive(Serialize)]
struct Answer {
    output: String,
    format: Format,
    /// Size of the file in bytes.
    bytes: usize,
    sprites: usize,
    frames: usize,
    /// Number of corners of all polygons, with those of their holes.
    corners: usize,
    /// Number of convex pieces.
    pieces: usize,
    /// Number of islands and of holes below --min-area, and of pieces below --min-width.
    left_out: LeftOut,
    warnings: Vec<String>,
}

/// Numbers of what is left out of a shape.
#[derive(Clone, Copy, Default, Serialize)]
struct LeftOut {
    islands: u32,
    holes: u32,
    pieces: u32,
}

pub(crate) fn run(mut args: Args) -> Result<(), CliError> {
    args.art.find_manifest()?;
    let args = &args;
    let format = args.format.or_else(|| Format::of(&args.output)).ok_or_else(|| {
        let cause = format!("the ending of {} is that of no format", args.output.display());
        let help = "give --format json, tiled, physicseditor, godot, lua or svg";
        CliError::new(cause, help).with_code(2)
    })?;
    let options = options(args, format).map_err(|error| error.with_code(2))?;
    let bake = args.art.add_to(Bake::new().angles(1))?.resolution(1.0).compact(true);
    let read = bake.watched();
    output::check_target(&args.output, &read.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let (_, kind, mark, origin) = format.files();
    output::check_kind(&args.output, kind, |head| {
        head.windows(mark.len()).any(|part| part == mark.as_bytes())
    })?;
    let (bar, bake) = output::baking(bake);
    let bytes = bake.to_bytes();
    bar.finish_and_clear();
    // The atlas of this bake opens without a limit.
    let atlas = AtlasOptions::UNLIMITED.from_vec(bytes?)?;
    let plane = args.plane.as_deref();
    let terrains = match &args.map {
        Some(map) => Terrain::all(&atlas, map, plane)?,
        None => Vec::new(),
    };
    let mut sources: Vec<Source<'_>> = terrains.iter().map(Terrain::source).collect();
    if args.map.is_none() {
        for sprite in atlas.sprites() {
            // A plane is one of the chosen sprites'.
            let is_chosen =
                args.sprite.is_empty() || args.sprite.iter().any(|s| s == sprite.name());
            let sprite = in_plane(sprite, plane.filter(|_| is_chosen))?;
            sources.extend((0..sprite.frame_count()).filter_map(|frame| Source::of(sprite, frame)));
        }
    }
    let sources = chosen(sources, &args.sprite)?;
    let frames = sources.into_par_iter().map(|source| Frame::of(source, options, origin));
    let mut frames: Vec<Frame<'_>> = frames.collect::<Result<_, _>>()?;
    let solid = || frames.iter().filter(|frame| !frame.polygons.is_empty());
    if solid().next().is_none() {
        let is_clear = frames.iter().all(|frame| frame.source.mask.count() == 0);
        let cause = if is_clear {
            "none of these sprites has a solid pixel, so there is no shape to export"
        } else {
            "none of these sprites has a solid pixel left by --min-area, --fit and --max-error"
        };
        return Err(CliError::new(cause, "check the art, or lower --alpha or --min-area"));
    }
    let mut warnings: Vec<String> =
        frames.iter().filter_map(|frame| remark(frame, &options)).collect();
    let text = match format {
        Format::Json => data::json(&frames, &options),
        Format::Lua => data::lua(&frames, &options),
        Format::Physicseditor => physics_editor::text(&frames, options.scale)?,
        Format::Godot => godot::text(&frames),
        Format::Tiled => {
            frames = tiled::shown(frames, &bake, &mut warnings)?;
            tiled::text(&frames, &bake, &args.output)?
        }
        Format::Svg => svg::text(&frames),
    };
    output::write(&args.output, text.as_bytes())?;
    let sum = |of: fn(&Frame<'_>) -> u32| frames.iter().map(of).sum();
    let answer = Answer {
        output: args.output.display().to_string(),
        format,
        bytes: text.len(),
        sprites: data::by_sprite(&frames).count(),
        frames: frames.len(),
        corners: frames.iter().map(Frame::corner_count).sum(),
        pieces: frames.iter().map(|frame| frame.pieces.pieces.len()).sum(),
        left_out: LeftOut {
            islands: sum(|frame| frame.left_out[0]),
            holes: sum(|frame| frame.left_out[1]),
            pieces: sum(|frame| frame.pieces.left_out),
        },
        warnings,
    };
    if !args.json {
        answer.warnings.iter().for_each(|warning| say(Label::Warning, warning));
    }
    output::answer(args.json, &answer, || {
        let Answer { output, sprites, frames, corners, pieces, bytes, .. } = &answer;
        let LeftOut { islands, holes, pieces: thin } = answer.left_out;
        let size = output::size(*bytes as u64);
        format!(
            "{output}\n  sprites   {sprites}\n  frames    {frames}\n  corners   {corners}\n  pieces    {pieces}\n  \
             left out  {islands} islands, {holes} holes, {thin} pieces\n  size      {size}\n"
        )
    })
}

/// Returns the warning about a frame that has no shape, or only thin pieces.
fn remark(frame: &Frame<'_>, options: &ShapeOptions) -> Option<String> {
    let Source { name, index, .. } = frame.source;
    let frame_of = format!("{name:?}, frame {index},");
    if frame.is_thin {
        let width = options.min_width;
        return Some(format!(
            "{frame_of} has no piece of --min-width {width}: its thinner pieces stay; raise --scale, or lower --min-width"
        ));
    }
    let reason = match frame.polygons.is_empty().then(|| frame.source.mask.count())? {
        0 => "no solid pixel",
        _ if frame.left_out[0] > 0 => "no island of --min-area",
        _ => "no pixel inside its border by --fit and --max-error",
    };
    Some(format!("{frame_of} has {reason}: it has no shape"))
}

/// Returns the options of the shapes. Refuses those that are out of range, before art is read.
fn options(args: &Args, format: Format) -> Result<ShapeOptions, CliError> {
    if matches!(format, Format::Tiled | Format::Svg) && (args.scale != 1.0 || args.y_up) {
        let cause = "the formats tiled and svg are in pixels, with y down";
        return Err(CliError::new(cause, "omit --scale and --y-up, or choose another --format"));
    }
    let fit = match args.fit {
        Side::Nearest => Fit::Nearest,
        Side::Outside => Fit::Outside,
        Side::Inside => Fit::Inside,
    };
    let options = ShapeOptions {
        max_error: args.max_error,
        fit,
        min_area: args.min_area,
        max_corners: args.max_corners,
        min_width: args.min_width,
        scale: args.scale,
        y_up: args.y_up,
        ..ShapeOptions::DEFAULT
    };
    Mask::new(1, 1)?.shape(options)?;
    Ok(options)
}

/// Returns the frames of the sprites of these names, or all of them.
fn chosen<'a>(mut sources: Vec<Source<'a>>, names: &[String]) -> Result<Vec<Source<'a>>, CliError> {
    for name in names {
        if !sources.iter().any(|source| source.name == name) {
            let help = "give its path below the named folder, without the extension";
            let help = suggested(sources.iter().map(|source| source.name), name, help);
            return Err(CliError::new(format!("the art has no sprite {name:?}"), help));
        }
    }
    sources.retain(|source| names.is_empty() || names.iter().any(|name| source.name == name));
    Ok(sources)
}

impl Format {
    /// Returns the ending of its files, their kind in messages, a text near their start, and the origin of
    /// coordinates that loaders expect. Files of PhysicsEditor end like all JSON.
    const fn files(self) -> (Option<&'static str>, &'static str, &'static str, Origin) {
        use Origin::{Pivot, TopLeft};
        match self {
            Self::Json => (Some("json"), "a hitmask JSON", data::JSON_MARK, Pivot),
            Self::Lua => (Some("lua"), "a hitmask Lua", data::LUA_MARK, Pivot),
            Self::Physicseditor => (None, "a PhysicsEditor JSON", physics_editor::MARK, TopLeft),
            Self::Godot => (Some("tscn"), "a Godot scene", godot::MARK, Pivot),
            Self::Tiled => (Some("tsx"), "a Tiled tileset", "<tileset", TopLeft),
            Self::Svg => (Some("svg"), "an SVG", "<svg", TopLeft),
        }
    }

    /// Returns the format whose files have the ending of a path.
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::value_variants().iter().copied().find(|it| it.files().0 == Some(&ending))
    }
}
