use crate::Random;

/// One sprite of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Which of the scene's sprites, from 0.
    pub sprite: usize,
    /// Position in pixels, with a fraction.
    pub at: [f32; 2],
    /// Radians, several turns to either side.
    pub angle: f32,
    /// Mirrored left to right before turning.
    pub flip_x: bool,
    /// Mirrored top to bottom before turning.
    pub flip_y: bool,
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
            flip_x: random.below(4) == 0,
            flip_y: random.below(4) == 0,
        })
        .collect()
}
