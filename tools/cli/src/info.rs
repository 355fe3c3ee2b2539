use crate::{Failure, describe, output};
use hitmask::{Atlas, Sprite};
use serde::Serialize;
use std::path::PathBuf;

/// Say what is in an atlas.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The atlas.
    file: PathBuf,
    /// Answer in JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info<'a> {
    bytes: usize,
    frames: u32,
    /// Pose records stored: shared ones once, those that serve flips alone included.
    poses: u32,
    sprites: Vec<SpriteInfo<'a>>,
}

#[derive(Serialize)]
struct SpriteInfo<'a> {
    name: &'a str,
    frames: u32,
    /// Width and height of the first frame's image, untrimmed.
    size: [u32; 2],
    /// The first frame's pivot in texels from the image's top-left corner.
    pivot: [f32; 2],
    angles: u32,
    scales: &'a [f32],
    alpha: String,
    sampling: &'static str,
    mask_bytes: u64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let atlas = output::open(&args.file)?;
    let info = Info {
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
