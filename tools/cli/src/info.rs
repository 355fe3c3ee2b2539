//! `hitmask info`: lists the sprites of an atlas, or describes one of them in full.

use crate::cli_error::one_line;
use crate::sprite_stats::SpriteStats;
use crate::{CliError, describe, output, show};
use hitmask::{Atlas, Flip, Pose, Sprite};
use serde::Serialize;
use std::path::PathBuf;

/// List the sprites of an atlas, or describe one sprite.
///
/// Verifies the checksums first. If masks are damaged, prints a warning and describes the rest of
/// the atlas; 'hitmask verify' fails instead.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas file.
    file: PathBuf,
    /// Sprite to describe in full. Default: list all sprites, one per line.
    sprite: Option<String>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info<'a> {
    /// Error of the mask checksums; null for an intact atlas.
    damage: Option<String>,
    bytes: usize,
    frames: u32,
    /// Number of stored pose records. A shared record counts once, and records that exist only for
    /// flipped sprites count too.
    poses: u32,
    sprites: Vec<SpriteInfo<'a>>,
}

#[derive(Serialize)]
struct SpriteInfo<'a> {
    name: &'a str,
    frames: u32,
    /// Width and height of the first frame's image in pixels, before trimming.
    size: [u32; 2],
    /// The first frame's pivot in texels from the image's top-left corner.
    pivot: [f32; 2],
    angles: u32,
    scales: &'a [f32],
    alpha: String,
    sampling: &'static str,
    mask_bytes: u64,
}

/// Everything about one sprite.
#[derive(Serialize)]
struct Details<'a> {
    /// Error of the mask checksums of the atlas; null for an intact atlas.
    damage: Option<String>,
    name: &'a str,
    /// Index of the sprite in the order of names; the number in a `SpriteId`.
    id: u32,
    planes: Vec<&'a str>,
    scales: &'a [f32],
    /// Mask pixels per pixel side, the same for the whole atlas.
    resolution: f32,
    alpha: String,
    sampling: &'static str,
    #[serde(flatten)]
    stats: SpriteStats<'a>,
    frames: Vec<FrameInfo>,
}

#[derive(Serialize)]
struct FrameInfo {
    /// Width and height of the frame's image in pixels, before trimming.
    size: [u32; 2],
    /// Pivot in texels from the image's top-left corner.
    pivot: [f32; 2],
    /// One mask for each plane.
    masks: Vec<MaskInfo>,
}

/// The unrotated mask of a frame at the scale nearest to 1.
#[derive(Serialize)]
struct MaskInfo {
    /// Bounds in mask pixels, relative to the pixel that a position snaps to: x0, y0, x1, y1,
    /// half-open.
    rect: [i32; 4],
    /// Number of set pixels.
    area: u64,
}

pub(crate) fn run(args: &Args) -> Result<(), CliError> {
    let atlas = output::open(&args.file)?;
    // Sprite settings have a checksum of their own and can be intact while masks are damaged, so
    // damage is only a warning here.
    let damage = atlas.verify().err().map(|error| one_line(&error, error.help()));
    if let Some(damage) = &damage {
        eprintln!("warning: {}: {damage}", args.file.display());
    }
    if let Some(name) = &args.sprite {
        let details = details(show::find(&atlas, name)?, atlas.resolution(), damage);
        return if args.json {
            output::print_json(&details)
        } else {
            output::print(&in_words(&details))
        };
    }
    let info = Info {
        damage,
        bytes: atlas.as_bytes().len(),
        frames: atlas.frame_count(),
        poses: atlas.pose_count(),
        sprites: atlas.sprites().map(of).collect(),
    };
    if args.json { output::print_json(&info) } else { output::print(&table(&info, &atlas)) }
}

fn of(sprite: Sprite<'_>) -> SpriteInfo<'_> {
    SpriteInfo {
        name: sprite.name(),
        frames: sprite.frame_count(),
        size: sprite.frame_size(0).unwrap_or_default(),
        pivot: sprite.pivot(0).unwrap_or_default().map(|half_texels| half_texels as f32 / 2.0),
        angles: sprite.angles(),
        scales: sprite.scales(),
        alpha: describe::alpha(sprite.alpha_rule()),
        sampling: describe::sampling(sprite.sampling()),
        mask_bytes: sprite.mask_bytes(),
    }
}

fn table(info: &Info<'_>, atlas: &Atlas) -> String {
    let mut text = format!(
        "{} in {} sprites, {} frames, {} poses stored\n\n",
        output::size(info.bytes as u64),
        info.sprites.len(),
        info.frames,
        info.poses
    );
    let width = atlas.sprites().map(|s| s.name().chars().count()).max().unwrap_or(0).clamp(4, 60);
    text += &format!(
        "{:width$}  {:>9}  {:>6}  {:>6}  {:>11}  scales\n",
        "name", "size", "frames", "angles", "mask bytes"
    );
    for sprite in &info.sprites {
        text += &format!(
            "{:width$}  {:>9}  {:>6}  {:>6}  {:>11}  {}\n",
            sprite.name,
            describe::size(sprite.size),
            sprite.frames,
            sprite.angles,
            sprite.mask_bytes,
            describe::scales(sprite.scales)
        );
    }
    text
}

fn details(sprite: Sprite<'_>, resolution: f32, damage: Option<String>) -> Details<'_> {
    let pose = sprite.nearest(0.0, 1.0).unwrap_or_default();
    Details {
        damage,
        name: sprite.name(),
        id: sprite.id().index(),
        planes: sprite.planes().collect(),
        scales: sprite.scales(),
        resolution,
        alpha: describe::alpha(sprite.alpha_rule()),
        sampling: describe::sampling(sprite.sampling()),
        stats: SpriteStats::of(sprite, resolution),
        frames: (0..sprite.frame_count()).map(|frame| of_frame(sprite, frame, pose)).collect(),
    }
}

fn of_frame(sprite: Sprite<'_>, frame: u32, pose: Pose) -> FrameInfo {
    let masks = (0..sprite.plane_count()).filter_map(|plane| {
        let posed = sprite.in_plane(plane)?.posed(frame, pose, Flip::NONE)?;
        let rect = posed.rect();
        let rect = [rect.x0, rect.y0, rect.x1, rect.y1];
        Some(MaskInfo { rect, area: posed.mask.count() })
    });
    FrameInfo {
        size: sprite.frame_size(frame).unwrap_or_default(),
        pivot: sprite.pivot(frame).unwrap_or_default().map(|half_texels| half_texels as f32 / 2.0),
        masks: masks.collect(),
    }
}

fn in_words(details: &Details<'_>) -> String {
    let Details { name, id, planes, scales, resolution, alpha, sampling, stats, frames, .. } =
        details;
    let mut text = format!("{name}\n");
    for (what, figure) in [
        ("id", id.to_string()),
        ("planes", planes.join(", ")),
        ("angles", stats.angles.to_string()),
        ("scales", describe::scales(scales)),
        ("resolution", resolution.to_string()),
        ("alpha", alpha.clone()),
        ("sampling", (*sampling).to_owned()),
        ("mask bytes", stats.mask_bytes.to_string()),
        ("error", stats.error_in_words()),
        ("differs", stats.fidelity_in_words()),
    ] {
        text += &format!("  {what:10}  {figure}\n");
    }
    for (i, FrameInfo { size, pivot: [x, y], masks }) in frames.iter().enumerate() {
        text += &format!("  frame {i:<4}  {}, pivot {x},{y}", describe::size(*size));
        for (plane, MaskInfo { rect: [x0, y0, x1, y1], area }) in planes.iter().zip(masks) {
            text += &format!("; {plane} {area} px in {x0},{y0} .. {x1},{y1}");
        }
        text += "\n";
    }
    text
}
