//! The boxes that one class of strips is made of: at first all that are given, then the giants
//! that the class before left over.
//!
//! Called by the build only. What it keeps true: ids ascend, so that a piece of the boxes is one
//! of the ids too.

use crate::memory::vec_growth;

/// Boxes, and the id of each.
#[derive(Clone, Copy)]
pub(super) struct Source<'b, I, F> {
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
