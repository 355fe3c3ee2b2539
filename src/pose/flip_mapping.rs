//! The mapping from a flipped sprite to a stored pose, since an atlas stores unflipped poses only.
//!
//! Invariant: the mapped pose, upside down or not, equals the flipped sprite bit for bit.

use crate::geom::Flip;

/// Returns the number of angle steps that an atlas stores for a sprite of `angles` steps. A sprite
/// that never turns is also stored at a half turn, because that pose upside down is the sprite
/// mirrored left to right. 0 stands for a sprite that is not mirrored either.
pub(crate) const fn stored_steps(angles: u32) -> u32 {
    match angles {
        0 => 1,
        1 => 2,
        angles => angles,
    }
}

/// The mapping from the steps of a flipped sprite to stored, unflipped steps.
///
/// A sprite flipped on one axis and rotated to step k is the flip of pose -k. Pose k plus a half
/// turn is pose k flipped on both axes, bit for bit. Each case is therefore a stored pose, as it is
/// or upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlipMapping {
    /// Number of stored steps.
    pub(crate) stored: u32,
    /// The stored step that maps to step 0, possibly plus one turn; below two turns.
    start: u32,
    /// All ones where steps are counted backwards, else 0.
    back: u32,
}

impl FlipMapping {
    /// Returns the mapping for a number of stored steps. A single one has no flip.
    pub(crate) const fn new(stored: u32, flip: Flip) -> Self {
        let start = match (flip.x, flip.y) {
            (false, false) => 0,
            (true, true) => stored / 2,
            (false, true) => stored,
            (true, false) => stored + stored / 2,
        };
        Self { stored, start, back: if flip.x != flip.y { u32::MAX } else { 0 } }
    }

    /// Tests whether the stored pose is used upside down.
    #[inline(always)]
    pub(crate) const fn flip_y(self) -> bool {
        self.back != 0
    }

    /// Returns the stored step for a step of the sprite.
    #[inline(always)]
    pub(crate) fn step(self, step: u32) -> u32 {
        // x ^ back - back is x or -x. The sum is in 0..2 turns. Subtracting a turn gives the step,
        // or wraps to a large number that `min` rejects.
        let step = self.start.wrapping_add((step ^ self.back).wrapping_sub(self.back));
        step.min(step.wrapping_sub(self.stored))
    }
}
