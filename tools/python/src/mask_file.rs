//! The mask of an image file, read by the baker.

use crate::errors::{OrRaise, invalid};
use crate::forks::RunningBake;
use hitmask::{AtlasOptions, Mask, Settings, TexelRule};
use hitmask_bake::{Bake, SourceSettings};
use pyo3::prelude::*;
use std::path::Path;

/// Returns the mask of a frame of an image file.
pub(crate) fn mask_of_file(
    py: Python<'_>,
    path: &Path,
    frame: u32,
    rule: TexelRule,
) -> PyResult<Mask> {
    let _running = RunningBake::begin()?;
    let TexelRule { alpha, channel, exclude_color, only_color } = rule;
    let sprite =
        Settings { angles: 1, alpha, channel, exclude_color, only_color, ..Settings::default() };
    let settings = SourceSettings { sprite, ..SourceSettings::default() };
    if !path.is_file() && path.exists() {
        let help = "name an image file; Bake.add takes folders";
        return Err(invalid(format!("{} is no file", path.display()), help));
    }
    // A compact atlas holds the masks as they are in the file.
    let bake = |bake: Bake| bake.sprites_with(path, settings)?.to_bytes();
    let bytes = py.detach(|| bake(Bake::new().compact(true))).or_raise()?;
    let atlas = AtlasOptions::UNLIMITED.from_vec(bytes).or_raise()?;
    let mut sprites = atlas.sprites();
    let (Some(sprite), None) = (sprites.next(), sprites.next()) else {
        let count = atlas.sprites().len();
        let message = format!("{} holds {count} sprites", path.display());
        return Err(invalid(message, "bake it: Bake().add(path).atlas()"));
    };
    let count = sprite.frame_count();
    let (Some(size), Some((mask, at))) = (sprite.frame_size(frame), sprite.source(frame)) else {
        let message = format!("frame {frame} is none of {count}");
        return Err(invalid(message, format!("use 0 to {}", count - 1)));
    };
    let [width, height] = size;
    let mut whole = Mask::new(width, height).or_raise()?;
    whole.draw(&mask.to_mask(), at);
    Ok(whole)
}
