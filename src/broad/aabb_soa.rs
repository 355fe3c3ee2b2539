//! Boxes as four arrays, in blocks of sixteen: the shape in which every level of the tree is read.
//!
//! Only the broad phase uses it. What it keeps true: the four arrays are of one length, a whole
//! number of blocks, and a place without a box holds [`NO_BOX`], which meets nothing.

use crate::geom::Rect;
use crate::memory::vec_growth;
use std::ops::{Deref, DerefMut, Range};

/// Boxes that are tested together, and children of a node. 16 fills one AVX-512 vector; with 8 the
/// sweep goes round its loop twice as often and mispredicts, with 32 it tests boxes in vain.
pub(super) const BLOCK: usize = 16;

/// The box of a place without one: it starts after every end and ends before every start.
pub(super) const NO_BOX: Rect = Rect::new(i32::MAX, i32::MAX, i32::MIN, i32::MIN);

/// Edges of boxes, half-open like every [`Rect`]: two boxes meet where each starts before the
/// other ends, four compares without a complement, which SSE2 does not have.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub(super) x0: EdgeLines,
    pub(super) y0: EdgeLines,
    pub(super) x1: EdgeLines,
    pub(super) y1: EdgeLines,
}

/// Edges, whole blocks of them, of which each is a line of memory: as lists of numbers are allocated, every
/// block would be on two.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeLines(Vec<CacheLine>);

#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct CacheLine([i32; BLOCK]);

impl EdgeLines {
    /// As many as `len`, which is a whole number of blocks. Those that were there stay, as long as they fit.
    fn resize(&mut self, len: usize, edge: i32) {
        vec_growth::resize(&mut self.0, len / BLOCK, CacheLine([edge; BLOCK]));
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

/// The same, ready to be read: the kernels would otherwise fetch four pointers at every block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges<'b> {
    pub(super) x0: &'b [i32],
    pub(super) y0: &'b [i32],
    pub(super) x1: &'b [i32],
    pub(super) y1: &'b [i32],
}

/// The same, to be written: x0, y0, x1 and y1.
pub(super) type EdgesMut<'b> = [&'b mut [i32]; 4];

/// Those of the first `len` boxes, and of the others.
#[inline(always)]
pub(super) fn split(edges: EdgesMut<'_>, len: usize) -> (EdgesMut<'_>, EdgesMut<'_>) {
    let [x0, y0, x1, y1] = edges.map(
        #[inline(always)]
        |edges| edges.split_at_mut(len),
    );
    ([x0.0, y0.0, x1.0, y1.0], [x0.1, y0.1, x1.1, y1.1])
}

/// Leaves all places without a box.
pub(super) fn clear([x0, y0, x1, y1]: EdgesMut<'_>) {
    x0.fill(NO_BOX.x0);
    y0.fill(NO_BOX.y0);
    x1.fill(NO_BOX.x1);
    y1.fill(NO_BOX.y1);
}

/// Those of one block: of slices each vector of each edge would be asked whether it is inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'b> {
    pub(super) x0: &'b [i32; BLOCK],
    pub(super) y0: &'b [i32; BLOCK],
    pub(super) x1: &'b [i32; BLOCK],
    pub(super) y1: &'b [i32; BLOCK],
}

impl Block<'_> {
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> Rect {
        Rect::new(self.x0[i], self.y0[i], self.x1[i], self.y1[i])
    }
}

impl<'b> Edges<'b> {
    /// The same, cut to one length where the compiler sees it: one check then stands for four.
    #[inline(always)]
    pub(super) fn even(self) -> Self {
        let len = self.x0.len();
        let Self { x0, y0, x1, y1 } = self;
        Self { x0: &x0[..len], y0: &y0[..len], x1: &x1[..len], y1: &y1[..len] }
    }

    /// The block that starts at a position.
    #[inline(always)]
    pub(super) fn block(self, at: usize) -> Block<'b> {
        let Self { x0, y0, x1, y1 } = self;
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(
            #[inline(always)]
            |edges| &edges.as_chunks().0[at / BLOCK],
        );
        Block { x0, y0, x1, y1 }
    }

    #[inline(always)]
    pub(super) fn get(&self, at: usize) -> Rect {
        Rect::new(self.x0[at], self.y0[at], self.x1[at], self.y1[at])
    }
}

impl Bounds {
    /// All boxes.
    #[inline(always)]
    pub(super) fn edges(&self) -> Edges<'_> {
        Edges { x0: &self.x0, y0: &self.y0, x1: &self.x1, y1: &self.y1 }
    }

    /// Boxes of `range`, to be written.
    pub(super) fn edges_mut(&mut self, range: Range<usize>) -> EdgesMut<'_> {
        let Self { x0, y0, x1, y1 } = self;
        [x0, y0, x1, y1].map(|edges| &mut edges[range.clone()])
    }

    pub(super) fn len(&self) -> usize {
        self.x0.len()
    }

    /// Makes room for `len` boxes. Those that were there stay, as long as they fit.
    pub(super) fn resize(&mut self, len: usize) {
        self.x0.resize(len, NO_BOX.x0);
        self.y0.resize(len, NO_BOX.y0);
        self.x1.resize(len, NO_BOX.x1);
        self.y1.resize(len, NO_BOX.y1);
    }

    /// Leaves the places of `range` without a box.
    pub(super) fn clear(&mut self, range: Range<usize>) {
        clear(self.edges_mut(range));
    }
}
