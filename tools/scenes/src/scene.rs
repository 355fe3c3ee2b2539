use crate::Random;
use hitmask::Flip;

/// One sprite of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Which of the scene's sprites, from 0.
    pub sprite: usize,
    /// Position in pixels, with a fraction.
    pub at: [f32; 2],
    /// Radians, several turns to either side.
    pub angle: f32,
    /// Mirror images, taken before turning.
    pub flip: Flip,
}

/// `count` placements of `sprites` sprites, spread evenly over a square of `side` pixels.
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
