use crate::geom::{Point, Rect};

/// What the kernels ask of a block, in pixels from `middle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// What a box must overlap, being grown.
    pub(super) near: Rect,
    /// The part of the line that matters, as a box.
    pub(super) clip: Rect,
    /// Its first corner, before growing.
    pub(super) first: Point,
    pub(super) middle: Point,
    /// The middle, before growing.
    pub(super) grown_middle: Point,
    /// Of length 1, or 0 for a point.
    pub(super) direction: [f32; 2],
    /// Where the line lies: direction x (a point of the line).
    pub(super) offset: f32,
    /// Pixels that rounding may be wrong by.
    pub(super) slack: f32,
    /// Pixels on both sides of the line from which a box is crossed for certain; infinity where no box
    /// is.
    pub(super) margin: f32,
}
