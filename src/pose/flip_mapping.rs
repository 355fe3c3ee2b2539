use crate::geom::Flip;

/// Angle steps that an atlas stores for a sprite of `angles` steps. A sprite that never turns
/// is stored at a half turn besides, since that is its mirror image with the rows walked upwards.
pub(crate) const fn stored_steps(angles: u32) -> u32 {
    if angles == 1 { 2 } else { angles }
}

/// How a flipped sprite is shown by poses that are stored unflipped.
///
/// A sprite flipped in one axis and turned to step k shows the flip of pose -k. Pose k at a half
/// turn more is pose k flipped in both axes, bit for bit, so each case is a stored pose as it is
/// or upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shown {
    /// Number of stored steps.
    pub(crate) stored: u32,
    /// The stored step that shows step 0, or that and a turn: less than two turns.
    start: u32,
    /// All ones where steps are counted backwards, else 0.
    back: u32,
}

impl Shown {
    pub(crate) const fn new(angles: u32, flip: Flip) -> Self {
        let stored = stored_steps(angles);
        let start = match (flip.x, flip.y) {
            (false, false) => 0,
            (true, true) => stored / 2,
            (false, true) => stored,
            (true, false) => stored + stored / 2,
        };
        Self { stored, start, back: if flip.x != flip.y { u32::MAX } else { 0 } }
    }

    /// True where rows are walked upwards.
    #[inline(always)]
    pub(crate) const fn flip_y(self) -> bool {
        self.back != 0
    }

    /// The stored step that shows a step of the sprite.
    #[inline(always)]
    pub(crate) fn step(self, step: u32) -> u32 {
        // x ^ back - back is x or -x. Less than two turns and not less than none: a turn less is
        // the step, or wraps to a great number.
        let step = self.start.wrapping_add((step ^ self.back).wrapping_sub(self.back));
        step.min(step.wrapping_sub(self.stored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_are_stored_steps_as_they_are_or_upside_down() {
        for angles in [1, 4, 12, 64, 65_536] {
            let n = stored_steps(angles);
            for step in (0..angles).step_by(1 + angles as usize / 40) {
                let cases = [
                    (Flip::NONE, step),
                    (Flip::XY, (step + n / 2) % n),
                    (Flip::Y, (n - step) % n),
                    (Flip::X, (n + n / 2 - step) % n),
                ];
                for (flip, stored) in cases {
                    let shown = Shown::new(angles, flip);
                    assert_eq!(shown.step(step), stored, "{step} of {angles}, {flip:?}");
                    assert_eq!(shown.flip_y(), flip.x != flip.y);
                }
            }
        }
    }
}
