//! Scenes of boxes for the broad phase: benches and tests use the same three distributions.

use hitmask::Rect;
use hitmask_scenes::Random;

/// Distribution of the positions and sizes of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boxes {
    /// Evenly spread, sides of 30 to 80 px, 1.2 overlapping pairs per box.
    Uniform,
    /// In clusters of 1,000 boxes, 10 overlapping pairs per box: each box overlaps 20 others.
    Clustered,
    /// 90% with sides of 8 to 32 px, 10% of up to 400 px; 1.4 overlapping pairs per box.
    Mixed,
}

impl Boxes {
    /// All distributions.
    pub const ALL: [Self; 3] = [Self::Uniform, Self::Clustered, Self::Mixed];

    /// Returns the name in lower case, for tables.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Returns `count` boxes. The result is the same on every machine.
    #[must_use]
    pub fn draw(self, seed: u64, count: usize) -> Vec<Rect> {
        let mut random = Random::new(seed);
        let side = |spacing: f64| (count as f64).sqrt() * spacing;
        match self {
            Self::Uniform => {
                let side = side(71.0) as i32 + 1;
                (0..count).map(|_| placed(&mut random, [side, side], 30..81)).collect()
            }
            Self::Clustered => {
                let far = side(100.4) as i32 + 1;
                let near = 777;
                let mut centre = [0; 2];
                (0..count)
                    .map(|i| {
                        if i % 1000 == 0 {
                            centre = [random.within(0, far), random.within(0, far)];
                        }
                        let rect = placed(&mut random, [near, near], 30..81);
                        rect.translated(centre)
                    })
                    .collect()
            }
            Self::Mixed => {
                let side = side(68.0) as i32 + 1;
                let mut one = || {
                    let sides = if random.below(10) == 0 { 32..401 } else { 8..33 };
                    placed(&mut random, [side, side], sides)
                };
                (0..count).map(|_| one()).collect()
            }
        }
    }
}

/// Returns a box with its corner inside `area`, and width and height from `sides`.
fn placed(random: &mut Random, area: [i32; 2], sides: std::ops::Range<i32>) -> Rect {
    let [x, y] = area.map(|side| random.within(0, side));
    let w = random.within(sides.start, sides.end);
    let h = random.within(sides.start, sides.end);
    Rect::new(x, y, x + w, y + h)
}
