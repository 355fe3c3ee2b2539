//! Large masks of terrain, drawn by code.

use crate::Random;
use hitmask::{Mask, Rect};

/// The kinds of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    /// Hills of solid ground under an empty sky, with a round hole per 256 x 256 px.
    Hills,
    /// An empty sky with a round island of 16 to 96 px radius per 512 x 512 px.
    Islands,
    /// Every second pixel at random, 1 px each: the most runs per row.
    Noise,
}

impl Terrain {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Hills, Self::Islands, Self::Noise];

    /// Draws a terrain of `side` x `side` pixels.
    ///
    /// # Panics
    /// If `side` exceeds the largest side of a mask.
    #[must_use]
    pub fn mask(self, side: u32) -> Mask {
        let mut mask = Mask::new(side, side).expect("a legal side");
        let mut random = Random::new(7);
        let end = side as i32;
        match self {
            Self::Hills => {
                // Heights of the ground every 256 px, with straight slopes between them.
                let heights: Vec<i32> =
                    (0..=side / 256 + 1).map(|_| random.within(end / 4, end / 2)).collect();
                for x in 0..end {
                    let (i, part) = ((x / 256) as usize, x % 256);
                    let top = (heights[i] * (256 - part) + heights[i + 1] * part) / 256;
                    mask.fill_rect(Rect::new(x, top, x + 1, end), true);
                }
                for _ in 0..(side / 256).pow(2) {
                    let hole = Mask::disc(10 + random.below(50)).expect("a legal radius");
                    mask.erase(&hole, [random.within(0, end), random.within(0, end)]);
                }
            }
            Self::Islands => {
                for y in (0..end).step_by(512) {
                    for x in (0..end).step_by(512) {
                        let island = Mask::disc(16 + random.below(81)).expect("a legal radius");
                        mask.draw(&island, [x + random.within(0, 320), y + random.within(0, 320)]);
                    }
                }
            }
            Self::Noise => {
                for y in 0..end {
                    for x in (0..end).step_by(64) {
                        let bits = random.bits();
                        for i in (0..64.min(end - x)).filter(|i| bits >> i & 1 == 1) {
                            mask.set(x + i, y, true);
                        }
                    }
                }
            }
        }
        mask
    }
}
