//! Random placements of sprites in a square.

use crate::Random;
use hitmask::Flip;

/// Placement of one sprite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Index of the sprite.
    pub sprite: usize,
    /// Position in pixels, with a fraction.
    pub at: [f32; 2],
    /// Angle in radians, several turns in either direction.
    pub angle: f32,
    /// Mirroring before rotation.
    pub flip: Flip,
}

/// Returns `count` random placements of `sprites` sprites, uniform in a square with a side of
/// `side` pixels.
#[must_use]
pub fn scene(seed: u64, count: usize, sprites: usize, side: f32) -> Vec<Placed> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| Placed {
            sprite: random.below(sprites as u32) as usize,
            at: [random.unit() * side, random.unit() * side],
            angle: random.unit() * 20.0 - 10.0,
            flip: Flip { x: random.below(4) == 0, y: random.below(4) == 0 },
        })
        .collect()
}
