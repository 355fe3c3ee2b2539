/// Angle steps that an atlas stores for a sprite of `angles` steps. A sprite that never turns
/// is stored at a half turn besides, since that is its mirror image with the rows walked upwards.
pub(crate) const fn stored_steps(angles: u32) -> u32 {
    if angles == 1 { 2 } else { angles }
}

/// The stored pose that shows a turned and flipped sprite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Index among the stored steps.
    pub(crate) step: u32,
    /// True where its rows are walked upwards.
    pub(crate) flip_y: bool,
}

impl Shown {
    /// A sprite flipped in one axis and turned to step k shows the flip of pose -k. Pose k at a
    /// half turn more is pose k flipped in both axes, bit for bit, so each case is a stored pose
    /// as it is or upside down.
    #[inline(always)]
    pub(crate) const fn new(angles: u32, step: u32, flip_x: bool, flip_y: bool) -> Self {
        let n = stored_steps(angles);
        let half = n / 2;
        let step = match (flip_x, flip_y) {
            (false, false) => step,
            (true, true) => step + half,
            (false, true) => n - step,
            (true, false) => n - step + half,
        };
        // Less than two turns: a compare, where a remainder would divide.
        let step = if step >= n { step - n } else { step };
        Self { step, flip_y: flip_x != flip_y }
    }
}
