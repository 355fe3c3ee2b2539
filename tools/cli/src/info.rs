//! `hitmask info`: lists the sprites and maps of an atlas, or describes one sprite in full.

use crate::cli_error::{Label, one_line, say};
use crate::sprite_stats::SpriteStats;
use crate::{CliError, describe, maps, output, sprites};
use hitmask::{Flip, Map, MapItem, MaskKey, MaskRef, Point, Pose, Sprite};
use serde::Serialize;
use std::collections::HashMap;
use std::path::PathBuf;

/// List the sprites and maps of an atlas, or describe one of them.
///
/// Verifies the checksums first. If masks are damaged, prints a warning and describes the rest of
/// the atlas; 'hitmask verify' fails instead. The poses of a compact atlas are not drawn, so it
/// prints the source masks of its frames.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Atlas file.
    file: PathBuf,
    /// Sprite or map to describe in full. Default: list all of them, one per line.
    sprite: Option<String>,
    #[command(flatten)]
    limit: output::Limit,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info<'a> {
    /// Error of the mask checksums; null for an intact atlas.
    damage: Option<String>,
    /// The id of the atlas, 8 hexadecimal digits: that of a bake of the same art is the same.
    id: String,
    /// Size of the atlas with all poses; null if it states a size that no atlas can have.
    bytes: Option<u64>,
    /// True if the file stores source masks instead of poses.
    compact: bool,
    frames: u32,
    /// Number of stored pose records. A shared record counts once, and records that exist only for
    /// flipped sprites count too. Null for a compact atlas.
    poses: Option<u32>,
    sprites: Vec<SpriteInfo<'a>>,
    maps: Vec<MapInfo<'a>>,
}

#[derive(Serialize)]
struct SpriteInfo<'a> {
    name: &'a str,
    frames: u32,
    /// Width and height of the first frame's image in pixels, before trimming.
    size: [u32; 2],
    /// The first frame's pivot in texels from the image's top-left corner.
    pivot: [f64; 2],
    angles: u32,
    scales: &'a [f32],
    alpha: String,
    sampling: &'static str,
    /// Bytes of the stored masks: of all poses, or of the source masks of a compact atlas.
    mask_bytes: u64,
}

#[derive(Serialize)]
struct MapInfo<'a> {
    name: &'a str,
    /// Width and height in pixels.
    size: [f32; 2],
    /// Number of chunks of terrain, objects and points.
    items: usize,
    /// Names of the terrains.
    terrains: Vec<&'a str>,
}

/// Everything about one map.
#[derive(Serialize)]
struct MapDetails<'a> {
    damage: Option<String>,
    name: &'a str,
    size: [f32; 2],
    properties: &'a [(String, String)],
    items: Vec<ItemInfo<'a>>,
}

#[derive(Serialize)]
struct ItemInfo<'a> {
    /// What tells the item from all others, also in later versions of the level.
    id: &'a str,
    name: &'a str,
    class: &'a str,
    position: [f32; 2],
    size: [f32; 2],
    /// The sprite of its collider; null for a point.
    sprite: Option<&'a str>,
    frame: Option<u32>,
    sensor: bool,
    properties: &'a [(String, String)],
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
    pivot: [f64; 2],
    /// One mask for each plane. Empty for a compact atlas.
    masks: Vec<MaskInfo>,
    /// The source mask of each plane of a compact atlas, before any pose: bounds in texels from the
    /// image's top-left corner.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<MaskInfo>,
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
    let atlas = output::open(&args.file, &args.limit)?;
    // Sprite settings have a checksum of their own and can be intact while masks are damaged, so
    // damage is only a warning here.
    let damage = atlas.verify().err().map(|error| one_line(&error, error.help()));
    if let Some(damage) = &damage {
        say(Label::Warning, format_args!("{}: {damage}", args.file.display()));
    }
    let resolution = atlas.resolution();
    if let Some(name) = &args.sprite {
        let is_sprite = atlas.sprite_id(name).is_some();
        if let Some(map) = atlas.map(name).filter(|_| !is_sprite) {
            let details = map_details(&map, damage);
            return output::answer(args.json, &details, || map_in_words(&details));
        }
        let details = details(sprites::find(atlas.sprites(), name)?, resolution, damage);
        return output::answer(args.json, &details, || in_words(&details));
    }
    let maps = atlas.maps();
    let info = Info {
        damage,
        id: atlas.id().to_string(),
        bytes: output::drawn_bytes(&atlas),
        compact: !atlas.is_drawn(),
        frames: atlas.frame_count(),
        poses: atlas.is_drawn().then(|| atlas.pose_count()),
        sprites: atlas.sprites().map(of).collect(),
        maps: maps.iter().map(of_map).collect(),
    };
    output::answer(args.json, &info, || table(&info))
}

fn of(sprite: Sprite<'_>) -> SpriteInfo<'_> {
    SpriteInfo {
        name: sprite.name(),
        frames: sprite.frame_count(),
        size: sprite.frame_size(0).unwrap_or_default(),
        pivot: describe::pivot(sprite, 0),
        angles: sprite.angles(),
        scales: sprite.scales(),
        alpha: describe::alpha(sprite.alpha_rule()),
        sampling: describe::sampling(sprite.sampling()),
        mask_bytes: sprite.mask_bytes(),
    }
}

fn of_map(map: &Map) -> MapInfo<'_> {
    let Map { name, size, items, .. } = map;
    MapInfo { name, size: *size, items: items.len(), terrains: maps::terrains(map) }
}

fn map_details(map: &Map, damage: Option<String>) -> MapDetails<'_> {
    let Map { name, size, properties, items, .. } = map;
    let items = items.iter().map(item_info).collect();
    MapDetails { damage, name, size: *size, properties, items }
}

fn item_info(item: &MapItem) -> ItemInfo<'_> {
    let MapItem { id, name, class, properties, shape, .. } = item;
    let (position, size) = (item.position, item.size);
    let sprite = shape.as_ref().map(|shape| &*shape.sprite);
    let frame = shape.as_ref().map(|shape| shape.frame);
    let sensor = shape.as_ref().is_some_and(|shape| shape.sensor);
    ItemInfo { id, name, class, position, size, sprite, frame, sensor, properties }
}

fn map_in_words(details: &MapDetails<'_>) -> String {
    let MapDetails { name, size: [w, h], properties, items, .. } = details;
    let listed = |properties: &[(String, String)]| -> String {
        properties.iter().map(|(key, value)| format!("; {key} = {value:?}")).collect()
    };
    let mut text = format!("map {name}: {w}x{h}, {} items{}\n", items.len(), listed(properties));
    for item in items {
        let ItemInfo { id, name, class, position: [x, y], size: [w, h], properties, .. } = item;
        text += &format!("  {id}: {name:?}, class {class:?}, {w}x{h} at {x},{y}");
        if let (Some(sprite), Some(frame)) = (item.sprite, item.frame) {
            let kind = if item.sensor { ", sensor" } else { "" };
            text += &format!("; {sprite}, frame {frame}{kind}");
        }
        text += &format!("{}\n", listed(properties));
    }
    text
}

fn table(info: &Info<'_>) -> String {
    let poses = match info.poses {
        Some(poses) => format!("{poses} poses stored"),
        None => "compact: poses are drawn when shown".to_owned(),
    };
    let mut text = format!(
        "atlas {}: {} in {} sprites, {} frames, {poses}\n\n",
        info.id,
        output::drawn_size(info.bytes),
        info.sprites.len(),
        info.frames,
    );
    let width = info.sprites.iter().map(|s| s.name.chars().count()).max().unwrap_or(0).clamp(4, 60);
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
    if info.maps.is_empty() {
        return text;
    }
    let width =
        info.maps.iter().map(|map| map.name.chars().count()).max().unwrap_or(0).clamp(4, 60);
    text += &format!("\n{:width$}  {:>11}  {:>6}  terrains\n", "map", "size", "items");
    for MapInfo { name, size: [w, h], items, terrains } in &info.maps {
        let (size, terrains) = (format!("{w}x{h}"), terrains.join(", "));
        text += &format!("{name:width$}  {size:>11}  {items:>6}  {terrains}\n");
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
        frames: frames(sprite, pose),
    }
}

fn frames(sprite: Sprite<'_>, pose: Pose) -> Vec<FrameInfo> {
    // Frames that share a mask count its pixels once.
    let mut areas: HashMap<MaskKey, u64> = HashMap::new();
    let mut info = |mask: MaskRef<'_>, Point { x, y }: Point| MaskInfo {
        rect: [x, y, x + mask.width() as i32, y + mask.height() as i32],
        area: *areas.entry(mask.key()).or_insert_with(|| mask.count()),
    };
    let planes = || (0..sprite.plane_count()).filter_map(|plane| sprite.in_plane(plane));
    let frame = |frame| {
        let posed = planes().filter_map(|plane| plane.posed(frame, pose, Flip::NONE));
        let masks = posed.map(|posed| info(posed.mask, posed.origin)).collect();
        let sources = planes().filter_map(|plane| plane.source(frame));
        FrameInfo {
            size: sprite.frame_size(frame).unwrap_or_default(),
            pivot: describe::pivot(sprite, frame),
            masks,
            sources: sources.map(|(mask, corner)| info(mask, corner)).collect(),
        }
    };
    (0..sprite.frame_count()).map(frame).collect()
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
    for (i, FrameInfo { size, pivot: [x, y], masks, sources }) in frames.iter().enumerate() {
        text += &format!("  frame {i:<4}  {}, pivot {x},{y}", describe::size(*size));
        for (plane, MaskInfo { rect: [x0, y0, x1, y1], area }) in planes.iter().zip(masks) {
            text += &format!("; {plane} {area} px in {x0},{y0} .. {x1},{y1}");
        }
        for (plane, MaskInfo { rect: [x0, y0, x1, y1], area }) in planes.iter().zip(sources) {
            text += &format!("; {plane} {area} texels in {x0},{y0} .. {x1},{y1} of the image");
        }
        text += "\n";
    }
    text
}
