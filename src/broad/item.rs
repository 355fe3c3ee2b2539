//! A box as its owner keeps it, and what the owner wants beside it among the leaves.
//!
//! Boxes are moved about as they are kept, and taken apart where they arrive: bytes are what a build
//! of very many boxes waits for.

use crate::broad::kernels::{Four, columns};
use crate::geom::Rect;

pub(crate) trait Item: Copy + Default + Send + Sync {
    /// What goes with the box.
    type Payload: Copy + Default + Send + Sync;

    /// The box; an empty one meets nothing.
    fn rect(&self) -> Rect;

    fn payload(&self) -> Self::Payload;

    /// The edges x0, y0, x1 and y1 of four, worked out together.
    #[inline(always)]
    fn edges(four: [Self; 4]) -> [Four; 4] {
        columns(four.map(
            #[inline(always)]
            |item| {
                let Rect { x0, y0, x1, y1 } = item.rect();
                [x0, y0, x1, y1]
            },
        ))
    }
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
