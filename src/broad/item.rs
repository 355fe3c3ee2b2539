//! A box as its owner keeps it, and what the owner wants beside it among the leaves.
//!
//! Boxes are moved about as they are kept, and taken apart where they arrive: bytes are what a build
//! of very many boxes waits for.

use crate::geom::Rect;
use crate::memory::vec_growth;
use wide::{i32x4, u32x4};

/// One number of each of four items.
pub(crate) type I32x4 = i32x4;

/// Transposes four rows of four numbers.
#[inline(always)]
pub(crate) fn transpose(rows: [[i32; 4]; 4]) -> [I32x4; 4] {
    u32x4::transpose(rows.map(bytemuck::cast)).map(bytemuck::cast)
}

pub(crate) trait Item: Copy + Default + Send + Sync {
    /// What goes with the box.
    type Payload: Copy + Default + Send + Sync;

    /// The box; an empty one meets nothing.
    fn rect(&self) -> Rect;

    fn payload(&self) -> Self::Payload;

    /// The edges x0, y0, x1 and y1 of four, worked out together.
    #[inline(always)]
    fn edges(four: [Self; 4]) -> [I32x4; 4] {
        transpose(four.map(
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

/// Boxes of one class of sizes, and the id of each. Ids ascend, so that a range of the boxes is a
/// range of the ids too. The first class takes every box, each later one the giants before it.
#[derive(Clone, Copy)]
pub(super) struct ItemSource<'b, I, F> {
    pub(super) boxes: &'b [I],
    /// From the place among `boxes`.
    pub(super) id: F,
}

/// Giants, on their way to the next class. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Giants<I> {
    pub(super) boxes: Vec<I>,
    pub(super) ids: Vec<u32>,
}

impl<I> Giants<I> {
    pub(super) fn clear(&mut self) {
        self.boxes.clear();
        self.ids.clear();
    }

    pub(super) fn push(&mut self, item: I, id: u32) {
        vec_growth::push(&mut self.boxes, item);
        vec_growth::push(&mut self.ids, id);
    }

    /// Bytes held.
    pub(super) fn heap(&self) -> usize {
        self.boxes.capacity() * size_of::<I>() + self.ids.capacity() * 4
    }
}
