//! A box as its owner keeps it, and what the owner wants beside it among the leaves.
//!
//! Boxes are moved about as they are kept, and taken apart where they arrive: bytes are what a build
//! of very many boxes waits for.

use crate::geom::Rect;

pub(crate) trait Item: Copy + Default + Send + Sync {
    /// What goes with the box.
    type Payload: Copy + Default + Send + Sync;

    /// The box; an empty one meets nothing.
    fn rect(&self) -> Rect;

    fn payload(&self) -> Self::Payload;
}

impl Item for Rect {
    type Payload = ();

    #[inline(always)]
    fn rect(&self) -> Rect {
        *self
    }

    #[inline(always)]
    fn payload(&self) {}
}
