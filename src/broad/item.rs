//! The boxes that a tree is built from, and the payload stored beside each leaf.
//!
//! Boxes are moved in the layout of their owner and split into edges only where they are written to
//! the leaves. Memory traffic dominates the build of very many boxes. Used by the build;
//! implemented by the world and for [`Rect`].

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
    /// The data stored beside the box in the leaves.
    type Payload: Copy + Default + Send + Sync;

    /// Returns the box; an empty one overlaps nothing.
    fn rect(&self) -> Rect;

    fn payload(&self) -> Self::Payload;

    /// Returns the edges x0, y0, x1 and y1 of four items, computed together.
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

/// The boxes of one size class, and a function from their index to their id. The first class takes
/// every box, each later class the giants of the one before.
#[derive(Clone, Copy)]
pub(super) struct ItemSource<'b, I, F> {
    pub(super) boxes: &'b [I],
    /// Id of the box at an index of `boxes`.
    pub(super) id: F,
}

/// Giants on their way to the next size class. Kept between updates for its memory.
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

    /// Reserves room for `count` items in total.
    pub(super) fn reserve(&mut self, count: usize) {
        vec_growth::reserve(&mut self.boxes, count);
        vec_growth::reserve(&mut self.ids, count);
    }

    pub(super) fn push(&mut self, item: I, id: u32) {
        vec_growth::push(&mut self.boxes, item);
        vec_growth::push(&mut self.ids, id);
    }

    /// Returns the number of bytes allocated.
    pub(super) fn heap(&self) -> usize {
        self.boxes.capacity() * size_of::<I>() + self.ids.capacity() * 4
    }
}
