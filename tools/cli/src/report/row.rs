//! What the report says of one sprite: its figures, its pictures, and what is odd about it.

use super::art;
use super::outline::outline;
use crate::describe;
use crate::sprite_stats::Figures;
use hitmask::{AlphaRule, Flip, Mask, Pose, Sprite};
use image::RgbaImage;
use std::path::Path;

/// Solid texels at the lowest threshold, over those at the sprite's own, that call for a warning.
const SENSITIVE: f64 = 1.1;

pub(super) struct Row<'a> {
    pub(super) sprite: Sprite<'a>,
    pub(super) frames: Vec<Frame>,
    /// Solid pixels of the first frame, at the scale nearest to 1.
    pub(super) solid: u64,
    /// Their share of the image's box.
    pub(super) share: f64,
    pub(super) figures: Figures<'a>,
    pub(super) warnings: Vec<String>,
}

/// One frame as it is drawn.
pub(super) struct Frame {
    pub(super) size: [u32; 2],
    /// Texels.
    pub(super) pivot: [f64; 2],
    /// The plane that collides unless told otherwise, then the others.
    pub(super) outlines: Vec<Outline>,
    /// A data URI.
    pub(super) art: Option<String>,
}

/// The outline of one plane.
pub(super) struct Outline {
    pub(super) plane: String,
    /// SVG path, in pixels of the mask.
    pub(super) path: String,
    /// SVG transform that lays the path over the image.
    pub(super) transform: String,
}

/// `resolution` is that of the atlas: mask pixels along the side of a pixel.
pub(super) fn row<'a>(
    sprite: Sprite<'a>,
    figures: Figures<'a>,
    resolution: f64,
    folder: Option<&Path>,
) -> Row<'a> {
    let art = folder.map_or_else(Vec::new, |folder| art::find(folder, sprite));
    let fits = art.len() == sprite.frame_count() as usize
        && (0..)
            .zip(&art)
            .all(|(i, image)| sprite.frame_size(i) == Some(image.dimensions().into()));
    let pose = sprite.nearest(0.0, 1.0).unwrap_or_default();
    let scale = resolution * f64::from(sprite.scales()[pose.scale as usize]);
    let each = (0..sprite.frame_count()).map(|frame| Frame {
        size: sprite.frame_size(frame).unwrap_or_default(),
        pivot: pivot(sprite, frame),
        outlines: outlines(sprite, frame, pose, scale),
        art: art.get(frame as usize).filter(|_| fits).and_then(art::uri),
    });
    let frames: Vec<Frame> = each.collect();
    let first = sprite.posed(0, pose, Flip::NONE);
    let solid = first.map_or(0, |posed| posed.mask.count());
    let [w, h] = sprite.frame_size(0).unwrap_or_default().map(f64::from);
    let share = solid as f64 / (w * h * scale * scale).max(1.0);
    let empty =
        frames.iter().enumerate().filter(|(_, f)| f.outlines.iter().all(|o| o.path.is_empty()));
    let mut warnings: Vec<String> =
        empty.map(|(i, _)| format!("frame {i} has no solid pixel: it touches nothing")).collect();
    if fits {
        warn_of_texels(sprite, resolution, &art, &mut warnings);
    } else {
        warnings.extend(misfit(sprite, &art));
    }
    Row { sprite, frames, solid, share, figures, warnings }
}

/// Lays each plane over the image: lattice pixel u covers texels from (u - f/2) / scale on, counted
/// from the pivot.
fn outlines(sprite: Sprite<'_>, frame: u32, pose: Pose, scale: f64) -> Vec<Outline> {
    let planes = (0..).zip(sprite.planes()).filter_map(|(plane, name)| {
        let posed = sprite.in_plane(plane)?.posed(frame, pose, Flip::NONE)?;
        let [x, y] = pivot(sprite, frame);
        let from = |at: i32| (f64::from(at) - f64::from(posed.pivot2) / 2.0) / scale;
        let (x, y) = (x + from(posed.origin.x), y + from(posed.origin.y));
        Some(Outline {
            plane: name.to_owned(),
            path: outline(posed.mask),
            transform: format!("translate({x} {y}) scale({})", 1.0 / scale),
        })
    });
    planes.collect()
}

/// Of a frame, in texels.
fn pivot(sprite: Sprite<'_>, frame: u32) -> [f64; 2] {
    sprite.pivot(frame).unwrap_or_default().map(|half_texels| f64::from(half_texels) / 2.0)
}

impl Row<'_> {
    /// The angles that would keep the error within `budget`, where it is larger.
    pub(super) fn wanted_angles(&self, budget: f64) -> Option<u32> {
        let error = self.figures.error.filter(|error| *error > budget)?;
        // The sine of so small an angle is the angle.
        let wanted = f64::from(self.sprite.angles()) * error / budget;
        Some(4 * (wanted / 4.0).ceil() as u32)
    }
}

/// Why art of other frames is not that which was baked, unless it may well be a sheet of them.
fn misfit(sprite: Sprite<'_>, art: &[RgbaImage]) -> Option<String> {
    let frames = sprite.frame_count();
    match art {
        [] => None,
        [image] if frames == 1 => Some(format!(
            "its art is {} now and was {} when it was baked; bake again",
            describe::size(image.dimensions().into()),
            describe::size(sprite.frame_size(0)?)
        )),
        [_] => None,
        images => Some(format!(
            "its art has {} frames now, or of other sizes, and had {frames} when it was baked; bake again",
            images.len()
        )),
    }
}

/// Compares the texels of the art with the masks.
fn warn_of_texels(
    sprite: Sprite<'_>,
    resolution: f64,
    art: &[RgbaImage],
    warnings: &mut Vec<String>,
) {
    let mask = |image: &RgbaImage, rule| {
        Mask::from_rgba(image.width(), image.height(), image.as_raw(), rule).ok()
    };
    let (mut solid, mut visible, mut differ) = (0, 0, 0);
    for (frame, image) in (0..).zip(art) {
        let rules = [sprite.alpha_rule(), AlphaRule::AtLeast(1)];
        // Images of a baked frame's size are never too large for a mask.
        let [Some(baked), Some(seen)] = rules.map(|rule| mask(image, rule)) else { continue };
        solid += baked.count();
        visible += seen.count();
        // At another resolution masks are not the art's texel by texel.
        if resolution == 1.0 {
            differ += changed(sprite, frame, &baked).unwrap_or(0);
        }
    }
    if differ > 0 {
        warnings.push(format!(
            "its art and its mask differ in {differ} texels; bake again if the art has changed"
        ));
    }
    let grown = visible as f64 / solid.max(1) as f64;
    if solid > 0 && grown > SENSITIVE {
        warnings.push(format!(
            "its edges are soft: {:.0}% more texels are visible than are solid with alpha {}",
            100.0 * (grown - 1.0),
            describe::alpha(sprite.alpha_rule())
        ));
    }
}

/// Texels that are solid in the art as it is now and not in the mask, or the other way round;
/// `None` where source size was not baked, for other masks are not the art's texel by texel.
fn changed(sprite: Sprite<'_>, frame: u32, art: &Mask) -> Option<u64> {
    let scale = sprite.scales().iter().position(|scale| *scale == 1.0)? as u32;
    let posed = sprite.posed(frame, Pose { step: 0, scale }, Flip::NONE)?;
    let half = posed.pivot2;
    let [x, y] = sprite.pivot(frame)?.map(|half_texels| (half_texels - half) / 2);
    let at = [posed.origin.x + x, posed.origin.y + y];
    let both = art.overlap_area(posed.mask, at);
    Some(art.count() + posed.mask.count() - 2 * both)
}
