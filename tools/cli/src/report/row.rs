//! Data of one sprite in the report: statistics, pictures, warnings and hints.
//!
//! `report::run` calls `row` for each sprite in parallel; `page` formats the rows.

use super::outline::Outlines;
use crate::art;
use crate::describe;
use crate::sprite_stats::SpriteStats;
use hitmask::{AlphaRule, Flip, Mask, Pose, Sprite};
use image::RgbaImage;
use std::collections::BTreeMap;
use std::path::Path;

/// Gives a hint if this many times as many texels are visible (alpha of at least 1) as are solid.
const MAX_SOFTNESS: f64 = 1.1;

/// The warnings and the hints of a bake by sprite.
pub(super) type Findings<'a> = BTreeMap<&'a str, [Vec<String>; 2]>;

/// One row of the report's table.
pub(super) struct Row<'a> {
    pub(super) sprite: Sprite<'a>,
    pub(super) frames: Vec<Frame>,
    /// Number of solid pixels of the first frame, at the scale nearest to 1.
    pub(super) solid: u64,
    /// `solid` divided by the number of pixels of the image.
    pub(super) share: f64,
    /// Number of convex pieces of the first frame, and of corners of its polygons.
    pub(super) pieces: usize,
    pub(super) corners: usize,
    pub(super) stats: SpriteStats<'a>,
    pub(super) warnings: Vec<String>,
    /// Findings that are rarely mistakes.
    pub(super) hints: Vec<String>,
    /// True if an image of its name was found, whatever its size.
    pub(super) has_image: bool,
}

/// One frame with what is drawn of it.
pub(super) struct Frame {
    pub(super) size: [u32; 2],
    /// Pivot in texels from the image's top-left corner.
    pub(super) pivot: [f64; 2],
    /// Outlines of the planes; the default plane is first.
    pub(super) outlines: Vec<Outline>,
    /// The source image as a data URI.
    pub(super) art: Option<String>,
}

/// Outline of one plane.
pub(super) struct Outline {
    pub(super) plane: String,
    /// SVG path data in mask pixels.
    pub(super) path: String,
    /// SVG path data of the convex pieces in mask pixels.
    pub(super) pieces: String,
    /// SVG transform from mask pixels to image texels.
    pub(super) transform: String,
}

/// Collects the data of one sprite. `resolution` is the number of mask pixels per pixel side, `baked` has the
/// findings of the bake. Without them, the atlas and the art are looked at.
pub(super) fn row<'a>(
    sprite: Sprite<'a>,
    stats: SpriteStats<'a>,
    drawn: &Outlines,
    resolution: f64,
    folder: Option<&Path>,
    baked: Option<&Findings<'_>>,
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
        pivot: describe::pivot(sprite, frame),
        outlines: outlines(sprite, drawn, frame, pose, scale),
        art: art.get(frame as usize).filter(|_| fits).and_then(art::uri),
    });
    let frames: Vec<Frame> = each.collect();
    let first = sprite.posed(0, pose, Flip::NONE);
    let first = first.map(|posed| drawn.get(posed.mask));
    let solid = first.map_or(0, |drawn| drawn.solid);
    let (pieces, corners) = first.map_or((0, 0), |drawn| (drawn.piece_count, drawn.corner_count));
    let [w, h] = sprite.frame_size(0).unwrap_or_default().map(f64::from);
    let share = solid as f64 / (w * h * scale * scale).max(1.0);
    let (mut warnings, mut hints) = (Vec::new(), Vec::new());
    if let Some(baked) = baked {
        // The row has the name already.
        let text = |text: &String| {
            let rest = text.strip_prefix(sprite.name()).unwrap_or(text);
            rest.trim_start_matches([',', ':', ' ']).to_owned()
        };
        let found = baked.get(sprite.name()).into_iter().flatten();
        let mut found = found.map(|all| all.iter().map(text).collect());
        warnings = found.next().unwrap_or_default();
        hints = found.next().unwrap_or_default();
    } else {
        let empty = |f: &Frame| f.outlines.iter().all(|o| o.path.is_empty());
        let empty = frames.iter().enumerate().filter(|(_, frame)| empty(frame));
        warnings.extend(
            empty.map(|(i, _)| format!("frame {i} has no solid pixel: it touches nothing")),
        );
    }
    if fits {
        let soft = look_at_texels(sprite, resolution, &art, &mut warnings);
        hints.extend(soft.filter(|_| baked.is_none()));
    } else {
        warnings.extend(misfit(sprite, &art));
    }
    Row {
        sprite,
        frames,
        solid,
        share,
        pieces,
        corners,
        stats,
        warnings,
        hints,
        has_image: !art.is_empty(),
    }
}

/// Returns the outline of each plane of a frame. Lattice pixel u starts (u - fx/2) / scale
/// texels right of the pivot, where fx is the x of `pivot2`.
fn outlines(
    sprite: Sprite<'_>,
    drawn: &Outlines,
    frame: u32,
    pose: Pose,
    scale: f64,
) -> Vec<Outline> {
    let planes = (0..).zip(sprite.planes()).filter_map(|(plane, name)| {
        let posed = sprite.in_plane(plane)?.posed(frame, pose, Flip::NONE)?;
        let [x, y] = describe::pivot(sprite, frame);
        let [fx, fy] = posed.pivot2.map(|half_pixels| f64::from(half_pixels) / 2.0);
        let x = x + (f64::from(posed.origin.x) - fx) / scale;
        let y = y + (f64::from(posed.origin.y) - fy) / scale;
        Some(Outline {
            plane: name.to_owned(),
            path: drawn.get(posed.mask).outline.clone(),
            pieces: drawn.get(posed.mask).pieces.clone(),
            transform: format!("translate({x} {y}) scale({})", 1.0 / scale),
        })
    });
    planes.collect()
}

impl Row<'_> {
    /// Returns the number of angles that would keep the error within `budget`, if it is larger.
    pub(super) fn wanted_angles(&self, budget: f64) -> Option<u32> {
        // As the table shows it, so that no 1.00 counts as more than 1.
        let shown = |error: f64| (100.0 * error).round() / 100.0;
        let error = self.stats.error.filter(|error| shown(*error) > budget)?;
        // The error is proportional to the step, because sin(x) is near x for small x.
        let wanted = f64::from(self.sprite.angles()) * error / budget;
        Some(4 * (wanted / 4.0).ceil() as u32)
    }
}

/// Returns a warning if the art's frames differ in number or size from the baked ones. A single
/// image for several frames may be a sheet and gives no warning.
fn misfit(sprite: Sprite<'_>, art: &[RgbaImage]) -> Option<String> {
    let frames = sprite.frame_count();
    match art {
        [] => None,
        [image] if frames == 1 => Some(format!(
            "its image is {} but was {} when it was baked; bake again",
            describe::size(image.dimensions().into()),
            describe::size(sprite.frame_size(0)?)
        )),
        [_] => None,
        images => Some(format!(
            "its image has {} frames, or other sizes, but had {frames} frames when it was baked; bake again",
            images.len()
        )),
    }
}

/// Compares the texels of the art with the masks. Warns of changed art, and returns a hint about soft edges.
fn look_at_texels(
    sprite: Sprite<'_>,
    resolution: f64,
    art: &[RgbaImage],
    warnings: &mut Vec<String>,
) -> Option<String> {
    let mask = |image: &RgbaImage, rule| {
        Mask::from_rgba(image.width(), image.height(), image.as_raw(), rule).ok()
    };
    let (mut solid, mut visible, mut differ) = (0, 0, 0);
    for (frame, image) in (0..).zip(art) {
        let rules = [sprite.alpha_rule(), AlphaRule::AtLeast(1)];
        // An image of the size of a baked frame is never too large for a mask.
        let [Some(baked), Some(shown)] = rules.map(|rule| mask(image, rule)) else { continue };
        solid += baked.count();
        visible += shown.count();
        // Only at resolution 1 does a mask pixel correspond to a texel.
        if resolution == 1.0 {
            differ += changed(sprite, frame, &baked).unwrap_or(0);
        }
    }
    if differ > 0 {
        warnings.push(format!(
            "its image and its mask differ in {differ} texels; bake again if the image has changed"
        ));
    }
    let softness = visible as f64 / solid.max(1) as f64;
    (solid > 0 && softness > MAX_SOFTNESS).then(|| {
        format!(
            "its edges are soft: {:.0}% more texels are visible than solid with alpha {}",
            100.0 * (softness - 1.0),
            describe::alpha(sprite.alpha_rule())
        )
    })
}

/// Returns the number of texels that differ between the art and the mask. Returns `None` if scale 1
/// was not baked, because only there a mask pixel corresponds to a texel.
fn changed(sprite: Sprite<'_>, frame: u32, art: &Mask) -> Option<u64> {
    let scale = sprite.scales().iter().position(|scale| *scale == 1.0)? as u32;
    let posed = sprite.posed(frame, Pose { step: 0, scale }, Flip::NONE)?;
    let (pivot, [fx, fy]) = (sprite.pivot(frame)?, posed.pivot2);
    let at = [posed.origin.x + (pivot[0] - fx) / 2, posed.origin.y + (pivot[1] - fy) / 2];
    let both = art.overlap_area(posed.mask, at);
    Some(art.count() + posed.mask.count() - 2 * both)
}
