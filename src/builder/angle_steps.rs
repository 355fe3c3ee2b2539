//! Chooses the angle steps of each sprite: as few as an error limit allows, and fewer if the atlas
//! would exceed a size limit.
//!
//! With N steps in a full turn, an angle is off by up to pi / N. That moves a pixel at distance r
//! from the pivot by r pi / N. The largest such displacement is the error of a sprite.

use crate::atlas::{BuildError, BuildFault, Image, SourceSprite};
use crate::mask::{LEVEL_SIDE, LevelShape, words_of};
use crate::memory::parallel;
use crate::pose::{PoseSet, stored_steps};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

/// Largest number of chosen steps. The bytes of a large sprite grow with its steps, so that more are
/// baked only if the caller names their number.
pub(super) const MAX_CHOSEN_STEPS: u32 = 128;

const STEP_RANGE: std::ops::RangeInclusive<u32> = 8..=MAX_CHOSEN_STEPS;

/// Bytes of a pose besides its mask and levels.
const RECORD_BYTES: u64 = 28;

/// Returns the largest distance of a set corner from the pivot at the largest scale, in pixels.
pub(super) fn radius(sprite: &SourceSprite) -> f64 {
    let scale = sprite.poses.scales().last().copied().unwrap_or(1.0);
    sprite.images.iter().map(image_radius).fold(0.0, f64::max) * f64::from(scale)
}

fn image_radius(image: &Image) -> f64 {
    corners(image).into_iter().map(|[x, y]| x.hypot(y)).fold(0.0, f64::max)
}

/// Returns points, in texels from the pivot, whose convex hull has all set pixels.
fn corners(image: &Image) -> Vec<[f64; 2]> {
    let mask = image.tight.as_ref();
    let mut corners = Vec::with_capacity(4 * mask.height() as usize);
    for y in 0..mask.height() {
        let words = || (0..mask.strips()).map(|s| (s * 64, mask.word(s, y)));
        let first = words().find(|(_, w)| *w != 0).map(|(x, w)| x + w.trailing_zeros());
        let last = words().rfind(|(_, w)| *w != 0).map(|(x, w)| x + 64 - w.leading_zeros());
        for x in first.into_iter().chain(last) {
            for y in [y, y + 1] {
                let x = f64::from(image.corner.x) + f64::from(x) - f64::from(image.pivot[0]) / 2.0;
                let y = f64::from(image.corner.y) + f64::from(y) - f64::from(image.pivot[1]) / 2.0;
                corners.push([x, y]);
            }
        }
    }
    corners
}

/// Returns the error in pixels of a sprite of this radius; 0 if it does not turn.
pub(super) fn error(radius: f64, steps: u32) -> f64 {
    if steps == 1 { 0.0 } else { radius * PI / f64::from(steps) }
}

/// Returns the fewest steps that keep the error: a multiple of 4 in [`STEP_RANGE`].
fn steps(radius: f64, error: f64) -> u32 {
    let quarters = (PI * radius / (4.0 * error)).ceil();
    // The cast saturates, and the largest `u32` is far above the largest step count.
    (4 * (quarters as u32).min(STEP_RANGE.end() / 4)).clamp(*STEP_RANGE.start(), *STEP_RANGE.end())
}

/// Returns the fewest steps that keep an error of `limit` pixels, a multiple of 4, for a sprite that
/// has `error` pixels at `steps` steps.
pub(super) fn needed_steps(error: f32, steps: u32, limit: f32) -> u32 {
    // Rounded up, because the error is a rounded number.
    let quarters = f64::from(error) * f64::from(steps) / (4.0 * f64::from(limit)) * (1.0 + 1e-7);
    // The cast saturates.
    (quarters.ceil() as u32).saturating_mul(4)
}

/// Gives a turning sprite the fewest steps that keep its error to `limit`, or the most.
pub(super) fn choose_steps(sprite: &mut SourceSprite, limit: f32) {
    if sprite.poses.angles() > 1 {
        set_steps(sprite, steps(radius(sprite), limit.into()));
    }
}

fn set_steps(sprite: &mut SourceSprite, steps: u32) {
    let poses = PoseSet::new(steps, sprite.poses.scales())
        .and_then(|poses| poses.at_resolution(sprite.poses.resolution()));
    // Cannot fail: scales and resolution were validated before, and `steps` is a multiple of 4.
    if let Ok(poses) = poses {
        sprite.poses = poses;
    }
}

/// Reduces angle steps until the atlas fits into `limit` bytes. Finds the smallest error limit that
/// is sufficient for all sprites together. No sprite gets more steps than before. Large sprites
/// lose most steps, and no sprite gets a larger error limit than another.
///
/// # Errors
/// [`BuildFault::OverBudget`] if 8 steps per sprite exceed the limit.
pub fn fit(sprites: &mut [SourceSprite], limit: u64) -> Result<(), BuildError> {
    let turning: Vec<usize> =
        (0..sprites.len()).filter(|&i| sprites[i].poses.angles() > 1).collect();
    let costs = parallel::map(&turning, |&i| Cost::of(&sprites[i]));
    let unturned = sprites.iter().filter(|sprite| sprite.poses.angles() == 1);
    let fixed: u64 = unturned.map(|sprite| bytes_at(sprite, &hulls(sprite), 1)).sum::<u64>()
        + sprites
            .iter()
            .map(|s| 64 + s.name.len() as u64 + 32 * s.images.len() as u64)
            .sum::<u64>()
        + 4096;
    let total = |error: f64| fixed + costs.iter().map(|cost| cost.bytes(error)).sum::<u64>();
    // With the steps as they are, which may exceed what is chosen below.
    if fixed + costs.iter().flat_map(|cost| cost.bytes.last()).sum::<u64>() <= limit {
        return Ok(());
    }
    let (mut low, mut high) = (1e-3_f64, 1e6_f64);
    if total(high) > limit {
        let bytes = total(high);
        let cause = format!(
            "the atlas takes up to {bytes} bytes at the fewest angle steps, but the limit is {limit}"
        );
        let help = "raise the limit, or bake fewer scales or sprites";
        return Err(BuildError::new(BuildFault::OverBudget { bytes, limit }, cause, help));
    }
    if total(low) > limit {
        // Bisects the logarithm of the error, because the range spans 9 orders of magnitude.
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if total(middle) > limit { low = middle } else { high = middle }
        }
    } else {
        high = low;
    }
    for (&i, cost) in turning.iter().zip(&costs) {
        set_steps(&mut sprites[i], cost.steps(high));
    }
    Ok(())
}

/// The size of a turning sprite at each permitted number of steps.
struct Cost {
    radius: f64,
    max_steps: u32,
    /// Bytes at 4, 8, 12... steps, up to `max_steps`.
    bytes: Vec<u64>,
}

impl Cost {
    fn of(sprite: &SourceSprite) -> Self {
        let (max_steps, hulls) = (sprite.poses.angles(), hulls(sprite));
        let bytes =
            (1..=max_steps / 4).map(|quarter| bytes_at(sprite, &hulls, 4 * quarter)).collect();
        Self { radius: radius(sprite), max_steps, bytes }
    }

    fn steps(&self, error: f64) -> u32 {
        steps(self.radius, error).min(self.max_steps)
    }

    fn bytes(&self, error: f64) -> u64 {
        self.bytes[(self.steps(error) / 4 - 1) as usize]
    }
}

/// Returns the outer corners of each image of a sprite. Equal images are listed once.
fn hulls(sprite: &SourceSprite) -> Vec<Vec<[f64; 2]>> {
    let mut seen = BTreeSet::new();
    let mut hulls = Vec::new();
    for image in &sprite.images {
        let corners = corners(image);
        let bits: Vec<[u64; 2]> = corners.iter().map(|c| c.map(f64::to_bits)).collect();
        if seen.insert(bits) {
            hulls.push(corners);
        }
    }
    hulls
}

/// Returns an upper bound for the bytes of a sprite's poses at `steps` steps.
fn bytes_at(sprite: &SourceSprite, hulls: &[Vec<[f64; 2]>], steps: u32) -> u64 {
    let steps = stored_steps(steps);
    let mut bytes = 0;
    for hull in hulls {
        for &scale in sprite.poses.scales() {
            let scale = f64::from(scale * sprite.poses.resolution());
            // Opposite steps have equal sizes, and steps a quarter turn apart have swapped sides.
            for step in 0..steps.div_ceil(4) {
                let (sin, cos) = (TAU * f64::from(step) / f64::from(steps)).sin_cos();
                let side = |along: fn(f64, f64, f64, f64) -> f64| {
                    let places = hull.iter().map(|[x, y]| along(*x, *y, cos, sin) * scale);
                    let (low, high) = places
                        .fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p), high.max(p)));
                    // One more pixel on each side, for pixels whose centre is just inside.
                    (high - low).max(0.0).ceil() as u32 + 2
                };
                let w = side(|x, y, cos, sin| cos * x - sin * y);
                let h = side(|x, y, cos, sin| sin * x + cos * y);
                let [one, other] = [mask_bytes(w, h), mask_bytes(h, w)];
                bytes += match steps {
                    2 => 2 * one,
                    _ => 2 * (one + other),
                };
            }
        }
    }
    bytes
        + sprite.images.len() as u64
            * RECORD_BYTES
            * u64::from(steps)
            * sprite.poses.scales().len() as u64
}

fn mask_bytes(width: u32, height: u32) -> u64 {
    let levels = LevelShape::words_before(width, height, LEVEL_SIDE);
    8 * (u64::from(words_of(width, height)) + u64::from(levels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_fewest_multiples_of_four_that_keep_the_error() {
        for radius in [3.0, 10.0, 32.0, 40.0] {
            for limit in [0.5, 1.0, 2.0] {
                let n = steps(radius, limit);
                assert!(n.is_multiple_of(4) && STEP_RANGE.contains(&n));
                if n < 128 {
                    assert!(error(radius, n) <= limit, "{radius} {limit} {n}");
                }
                if n > 8 {
                    assert!(error(radius, n - 4) > limit, "{radius} {limit} {n}");
                }
            }
        }
        assert_eq!((steps(1e9, 1.0), steps(0.0, 1.0)), (128, 8));
        assert_eq!(error(32.0, 1), 0.0);
    }
}
