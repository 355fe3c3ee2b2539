/// How closely a pair is looked at. Each level reports every pair that a finer one would. Coarser
/// is less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Accuracy {
    /// The tight boxes of the posed masks overlap.
    Box,
    /// The boxes overlap and the coarse boards do not rule a touch out: cells of 8 x 8 pixels
    /// meet. Reported pairs may lie up to 14 pixels apart on an axis. Masks without boards count as boxes:
    /// those of at most 16 pixels a side, and those made at run time, of any size.
    Coarse,
    /// A pixel is set in both.
    #[default]
    Exact,
}

/// An answer from the coarse boards, which is never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// No pixel is set in both.
    No,
    /// The boards cannot tell.
    Maybe,
    /// A pixel is set in both.
    Yes,
}
