//! Sprite settings as text, and the rotation error of a sprite.
//!
//! Called by `info`, `diff`, `report` and `sprite_stats`, so that all verbs use the same words.

use hitmask::{AlphaRule, Flip, Pose, PosedRef, Sampling, Sprite};

/// Returns the settings of a sprite and the size of its frames, as pairs of name and value.
pub(crate) fn settings(sprite: Sprite<'_>) -> Vec<(&'static str, String)> {
    vec![
        ("frames", sprite.frame_count().to_string()),
        ("size", of_frames(sprite, |frame| size(sprite.frame_size(frame).unwrap_or_default()))),
        ("pivot", of_frames(sprite, |frame| pivot(sprite.pivot(frame).unwrap_or_default()))),
        ("planes", planes(sprite)),
        ("angles", sprite.angles().to_string()),
        ("scales", scales(sprite.scales())),
        ("alpha", alpha(sprite.alpha_rule())),
        ("sampling", sampling(sprite.sampling()).to_owned()),
    ]
}

/// Returns one value if it is the same for all frames, else the values of all frames.
fn of_frames(sprite: Sprite<'_>, what: impl Fn(u32) -> String) -> String {
    let mut each: Vec<String> = (0..sprite.frame_count()).map(what).collect();
    if each.iter().all(|one| *one == each[0]) {
        each.truncate(1);
    }
    each.join("; ")
}

pub(crate) fn size([w, h]: [u32; 2]) -> String {
    format!("{w}x{h}")
}

/// Formats a pivot in texels, given in half-texels.
pub(crate) fn pivot(half_texels: [i32; 2]) -> String {
    let [x, y] = half_texels.map(|half| f64::from(half) / 2.0);
    format!("{x},{y}")
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
    let posed =
        (0..sprite.frame_count()).filter_map(|frame| sprite.posed(frame, largest, Flip::NONE));
    let reach = posed.map(reach).fold(0.0, f64::max);
    Some(2.0 * reach / resolution * (std::f64::consts::PI / f64::from(2 * sprite.angles())).sin())
}

/// Returns the distance from the pivot to the farthest corner of a set pixel, in mask pixels.
fn reach(posed: PosedRef<'_>) -> f64 {
    let [half_x, half_y] = posed.pivot2.map(|half_pixels| f64::from(half_pixels) / 2.0);
    let (w, h) = (posed.mask.width() as i32, posed.mask.height() as i32);
    let far = |at: i32, half: f64| {
        let from = f64::from(at) - half;
        from.abs().max((from + 1.0).abs())
    };
    let rows = (0..h).filter_map(|y| {
        let first = (0..w).find(|&x| posed.mask.get(x, y))?;
        let last = (0..w).rfind(|&x| posed.mask.get(x, y))?;
        let dx = far(posed.origin.x + first, half_x).max(far(posed.origin.x + last, half_x));
        Some(dx.hypot(far(posed.origin.y + y, half_y)))
    });
    rows.fold(0.0, f64::max)
}
