//! Boxes (AABBs) as a struct of four arrays, in blocks of 16. Every level of the tree uses this
//! layout.
//!
//! Used by the broad phase only. Invariants: the four arrays have one length, a whole number of
//! blocks. A position without a box holds [`NO_BOX`], which overlaps nothing.

use crate::geom::Rect;
use crate::memory::clone_fields::clone_fields;
use crate::memory::vec_growth;
use std::ops::{Deref, DerefMut, Range};

/// Boxes that are tested together, and children of a node. 16 boxes fill one AVX-512 vector. With 8
/// the sweep loops twice as often and mispredicts more; with 32 it tests more boxes in vain.
pub(super) const BLOCK_BOXES: usize = 16;

/// The box of an unused position. It starts after every end and ends before every start.
pub(super) const NO_BOX: Rect = Rect::new(i32::MAX, i32::MAX, i32::MIN, i32::MIN);

/// Edges of boxes, half-open like every [`Rect`]. Two boxes overlap if each starts before the other
/// ends. That takes four compares and no complement, which SSE2 lacks.
#[derive(Debug, Default)]
pub(super) struct BoxEdges {
    pub(super) x0: EdgeLines,
    pub(super) y0: EdgeLines,
    pub(super) x1: EdgeLines,
    pub(super) y1: EdgeLines,
}

clone_fields!([] BoxEdges { x0, y0, x1, y1 });

/// One edge of many boxes, in whole blocks. Each block is one cache line. A `Vec<i32>` would be
/// misaligned, and each block would span two lines.
#[derive(Debug, Default)]
pub(super) struct EdgeLines(Vec<CacheLine>);

clone_fields!([] EdgeLines { 0 });

#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct CacheLine([i32; BLOCK_BOXES]);

impl EdgeLines {
    /// Resizes to `len` edges, a whole number of blocks. Keeps existing blocks as far as they fit.
    fn resize(&mut self, len: usize, edge: i32) {
        vec_growth::resize(&mut self.0, len / BLOCK_BOXES, CacheLine([edge; BLOCK_BOXES]));
    }
}

impl Deref for EdgeLines {
    type Target = [i32];

    #[inline(always)]
    fn deref(&self) -> &[i32] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for EdgeLines {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [i32] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Borrowed edges for reading. Holds the slices themselves, because the kernels would otherwise
/// load four vector headers at every block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges<'b> {
    pub(super) x0: &'b [i32],
    pub(super) y0: &'b [i32],
    pub(super) x1: &'b [i32],
    pub(super) y1: &'b [i32],
}

/// Borrowed edges for writing: x0, y0, x1 and y1.
pub(super) type EdgesMut<'b> = [&'b mut [i32]; 4];

#[inline(always)]
pub(super) fn split(edges: EdgesMut<'_>, len: usize) -> (EdgesMut<'_>, EdgesMut<'_>) {
    let [x0, y0, x1, y1] = edges.map(
        #[inline(always)]
        |edges| edges.split_at_mut(len),
    );
    ([x0.0, y0.0, x1.0, y1.0], [x0.1, y0.1, x1.1, y1.1])
}

pub(super) fn clear([x0, y0, x1, y1]: EdgesMut<'_>) {
    x0.fill(NO_BOX.x0);
    y0.fill(NO_BOX.y0);
    x1.fill(NO_BOX.x1);
    y1.fill(NO_BOX.y1);
}

/// The edges of one block, as arrays: slices would need a bounds check for each vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxBlock<'b> {
    pub(super) x0: &'b [i32; BLOCK_BOXES],
    pub(super) y0: &'b [i32; BLOCK_BOXES],
    pub(super) x1: &'b [i32; BLOCK_BOXES],
    pub(super) y1: &'b [i32; BLOCK_BOXES],
}

impl BoxBlock<'_> {
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> Rect {
        Rect::new(self.x0[i], self.y0[i], self.x1[i], self.y1[i])
    }
}

impl<'b> Edges<'b> {
    /// Returns the same edges cut to one length, so that one bounds check replaces four.
    #[inline(always)]
    pub(super) fn even(self) -> Self {
        let len = self.x0.len();
        let Self { x0, y0, x1, y1 } = self;
        Self { x0: &x0[..len], y0: &y0[..len], x1: &x1[..len], y1: &y1[..len] }
    }

    #[inline(always)]
    pub(super) fn block(self, at: usize) -> BoxBlock<'b> {
        let Self { x0, y0, x1, y1 } = self;
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(
            #[inline(always)]
            |edges| &edges.as_chunks().0[at / BLOCK_BOXES],
        );
        BoxBlock { x0, y0, x1, y1 }
    }

    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Rect {
        Rect::new(self.x0[at], self.y0[at], self.x1[at], self.y1[at])
    }
}

impl BoxEdges {
    #[inline(always)]
    pub(super) fn edges(&self) -> Edges<'_> {
        Edges { x0: &self.x0, y0: &self.y0, x1: &self.x1, y1: &self.y1 }
    }

    pub(super) fn edges_mut(&mut self, range: Range<usize>) -> EdgesMut<'_> {
        let Self { x0, y0, x1, y1 } = self;
        [x0, y0, x1, y1].map(|edges| &mut edges[range.clone()])
    }

    pub(super) fn len(&self) -> usize {
        self.x0.len()
    }

    /// Resizes to `len` boxes. Keeps existing boxes as far as they fit.
    pub(super) fn resize(&mut self, len: usize) {
        self.x0.resize(len, NO_BOX.x0);
        self.y0.resize(len, NO_BOX.y0);
        self.x1.resize(len, NO_BOX.x1);
        self.y1.resize(len, NO_BOX.y1);
    }

    pub(super) fn clear(&mut self, range: Range<usize>) {
        clear(self.edges_mut(range));
    }
}
