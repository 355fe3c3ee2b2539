//! Parts of sprites as text, and the rotation error of a sprite.
//!
//! Called by `info`, `report` and `sprite_stats`, so that all verbs use the same words.

use hitmask::{AlphaRule, Flip, MaskKey, MaskRef, Point, Pose, Sampling, Sprite};
use std::collections::HashMap;

pub(crate) fn size([w, h]: [u32; 2]) -> String {
    format!("{w}x{h}")
}

/// Returns the pivot of a frame in texels.
pub(crate) fn pivot(sprite: Sprite<'_>, frame: u32) -> [f64; 2] {
    sprite.pivot(frame).unwrap_or_default().map(|half_texels| f64::from(half_texels) / 2.0)
}

pub(crate) fn planes(sprite: Sprite<'_>) -> String {
    sprite.planes().collect::<Vec<_>>().join(", ")
}

pub(crate) fn scales(scales: &[f32]) -> String {
    scales.iter().map(f32::to_string).collect::<Vec<_>>().join(", ")
}

pub(crate) fn alpha(rule: AlphaRule) -> String {
    match rule {
        AlphaRule::AtLeast(t) => format!("at least {t}"),
        AlphaRule::Above(t) => format!("above {t}"),
        AlphaRule::Bits(m) => format!("bits {m:#04x}"),
    }
}

pub(crate) const fn sampling(sampling: Sampling) -> &'static str {
    match sampling {
        Sampling::Nearest => "nearest",
        Sampling::Coverage25 => "coverage",
    }
}

/// Returns the largest rotation error in screen pixels, or `None` for a sprite with 1 angle.
///
/// The error is the distance of a solid pixel from its position under exact rotation, at the
/// largest scale, in the first plane. A point at distance r from the pivot is at most half a step
/// away from its nearest pose: 2 r sin(pi / 2N).
pub(crate) fn error(sprite: Sprite<'_>, resolution: f64) -> Option<f64> {
    if sprite.angles() == 1 {
        return None;
    }
    let largest = Pose { step: 0, scale: sprite.scales().len() as u32 - 1 };
    // Frames that share a mask and a pivot are measured once.
    let mut known: HashMap<(MaskKey, Point, [i32; 2]), f64> = HashMap::new();
    let mut reach = |mask: MaskRef<'_>, origin, pivot2| {
        *known.entry((mask.key(), origin, pivot2)).or_insert_with(|| reach(mask, origin, pivot2))
    };
    let of_frame = |frame| match sprite.posed(frame, largest, Flip::NONE) {
        Some(posed) => Some(reach(posed.mask, posed.origin, posed.pivot2) / resolution),
        // A compact atlas has the source, in texels.
        None => {
            let (mask, corner) = sprite.source(frame)?;
            let scale = f64::from(*sprite.scales().last()?);
            Some(reach(mask, corner, sprite.pivot(frame)?) * scale)
        }
    };
    let reach = (0..sprite.frame_count()).filter_map(of_frame).fold(0.0, f64::max);
    Some(2.0 * reach * (std::f64::consts::PI / f64::from(2 * sprite.angles())).sin())
}

/// Returns the distance from the pivot to the farthest corner of a set pixel, in pixels of the
/// mask. The pivot is given in half-pixels.
fn reach(mask: MaskRef<'_>, origin: Point, pivot2: [i32; 2]) -> f64 {
    let [half_x, half_y] = pivot2.map(|half| f64::from(half) / 2.0);
    let (w, h) = (mask.width() as i32, mask.height() as i32);
    let far = |at: i32, half: f64| {
        let from = f64::from(at) - half;
        from.abs().max((from + 1.0).abs())
    };
    let rows = (0..h).filter_map(|y| {
        let first = (0..w).find(|&x| mask.get(x, y))?;
        let last = (0..w).rfind(|&x| mask.get(x, y))?;
        let dx = far(origin.x + first, half_x).max(far(origin.x + last, half_x));
        Some(dx.hypot(far(origin.y + y, half_y)))
    });
    rows.fold(0.0, f64::max)
}
