//! The boxes that a tree is built from, and its leaves: boxes in tree order, each with its id and
//! the payload of its owner.
//!
//! Boxes are moved in the layout of their owner and split into edges only where they are written to
//! the leaves. Memory traffic dominates the build of very many boxes.
//!
//! Invariants: a position without a box holds the id [`NO_ID`] and a box that overlaps nothing. It
//! is [`NO_BOX`](aabb_soa::NO_BOX), except where a box was removed. A removed box keeps its left
//! edge, so that the row stays sorted, and gets the least right edge.

use crate::broad::aabb_soa::{self, BLOCK_BOXES, BoxEdges, Edges, EdgesMut};
use crate::broad::pair_order::key_of;
use crate::geom::Rect;
use crate::memory::clone_fields::clone_fields;
use crate::memory::{prefetch, vec_growth};
use wide::{i32x4, u32x4};

/// One number of each of four items.
pub(crate) type I32x4 = i32x4;

#[inline(always)]
pub(crate) fn transpose(rows: [[i32; 4]; 4]) -> [I32x4; 4] {
    u32x4::transpose(rows.map(bytemuck::cast)).map(bytemuck::cast)
}

pub(crate) trait Item: Copy + Default + Send + Sync {
    /// The data stored beside the box in the leaves.
    type Payload: Copy + Default + Send + Sync;

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

    pub(super) fn reserve(&mut self, count: usize) {
        vec_growth::reserve(&mut self.boxes, count);
        vec_growth::reserve(&mut self.ids, count);
    }

    pub(super) fn push(&mut self, item: I, id: u32) {
        vec_growth::push(&mut self.boxes, item);
        vec_growth::push(&mut self.ids, id);
    }

    pub(super) fn heap(&self) -> usize {
        self.boxes.capacity() * size_of::<I>() + self.ids.capacity() * 4
    }
}

/// The id at a position without a box.
pub(super) const NO_ID: u32 = u32::MAX;

/// The leaves of a tree, borrowed. All slices have one length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaves<'t, P> {
    pub(crate) x0: &'t [i32],
    pub(crate) y0: &'t [i32],
    pub(crate) x1: &'t [i32],
    pub(crate) y1: &'t [i32],
    /// Ids: the indices of the boxes among those packed.
    pub(crate) ids: &'t [u32],
    pub(crate) payload: &'t [P],
}

impl<P> Leaves<'_, P> {
    pub(crate) fn rect(&self, at: usize) -> Rect {
        Rect::new(self.x0[at], self.y0[at], self.x1[at], self.y1[at])
    }
}

/// Returns the [keys](key_of) of pairs of positions, one position in each of two trees.
#[inline(always)]
pub(crate) fn keys_of_pairs<'t, P>(
    [one, other]: [Leaves<'t, P>; 2],
    (first, second): (&'t [u32], &'t [u32]),
) -> impl Iterator<Item = u64> {
    first.iter().zip(second).map(move |(&a, &b)| key_of(one.ids[a as usize], other.ids[b as usize]))
}

#[derive(Debug, Default)]
pub(super) struct LeafStore<P> {
    pub(super) bounds: BoxEdges,
    pub(super) ids: Vec<u32>,
    pub(super) payload: Vec<P>,
}

clone_fields!([P: Clone] LeafStore<P> { bounds, ids, payload });

impl<P: Copy + Default> LeafStore<P> {
    pub(super) fn leaves(&self) -> Leaves<'_, P> {
        let BoxEdges { x0, y0, x1, y1 } = &self.bounds;
        Leaves { x0, y0, x1, y1, ids: &self.ids, payload: &self.payload }
    }

    pub(super) fn resize(&mut self, len: usize) {
        self.bounds.resize(len);
        vec_growth::resize(&mut self.ids, len, NO_ID);
        vec_growth::resize(&mut self.payload, len, P::default());
    }

    pub(super) fn remove(&mut self, at: usize) {
        (self.bounds.x1[at], self.bounds.y1[at]) = (aabb_soa::NO_BOX.x1, aabb_soa::NO_BOX.y1);
        self.ids[at] = NO_ID;
    }

    /// Prefetches what [`remove`](Self::remove) writes.
    pub(super) fn prefetch_removal(&self, at: usize) {
        prefetch::item(&self.ids, at);
        prefetch::item(&self.bounds.x1, at);
        prefetch::item(&self.bounds.y1, at);
    }

    pub(super) fn from(&mut self, start: usize) -> LeafSlice<'_, P> {
        let [x0, y0, x1, y1] = self.bounds.edges_mut(start..self.ids.len());
        let (ids, payload) = (&mut self.ids[start..], &mut self.payload[start..]);
        LeafSlice { x0, y0, x1, y1, ids, payload }
    }
}

pub(super) struct LeafSlice<'t, P> {
    x0: &'t mut [i32],
    y0: &'t mut [i32],
    x1: &'t mut [i32],
    y1: &'t mut [i32],
    ids: &'t mut [u32],
    payload: &'t mut [P],
}

impl<'t, P: Copy + Default> LeafSlice<'t, P> {
    #[inline(always)]
    pub(super) fn split(self, len: usize) -> (Self, Self) {
        let (edges, edges_rest) = aabb_soa::split([self.x0, self.y0, self.x1, self.y1], len);
        let (ids, ids_rest) = self.ids.split_at_mut(len);
        let (payload, payload_rest) = self.payload.split_at_mut(len);
        let slice =
            |[x0, y0, x1, y1]: EdgesMut<'t>, ids, payload| Self { x0, y0, x1, y1, ids, payload };
        (slice(edges, ids, payload), slice(edges_rest, ids_rest, payload_rest))
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    #[inline(always)]
    pub(super) fn reborrow(&mut self) -> LeafSlice<'_, P> {
        let LeafSlice { x0, y0, x1, y1, ids, payload } = self;
        LeafSlice { x0, y0, x1, y1, ids, payload }
    }

    #[inline(always)]
    pub(super) fn edges(&self) -> Edges<'_> {
        let LeafSlice { x0, y0, x1, y1, .. } = self;
        Edges { x0, y0, x1, y1 }
    }

    /// Prefetches the block of positions from `at` on.
    #[inline(always)]
    pub(super) fn prefetch(&self, at: usize) {
        prefetch::items(self.x0, at, BLOCK_BOXES);
        prefetch::items(self.y0, at, BLOCK_BOXES);
        prefetch::items(self.x1, at, BLOCK_BOXES);
        prefetch::items(self.y1, at, BLOCK_BOXES);
        prefetch::items(self.ids, at, BLOCK_BOXES);
        prefetch::items(self.payload, at, BLOCK_BOXES);
    }

    /// Writes the boxes at `indices` of `source` to the first positions, four at a time.
    #[inline(always)]
    pub(super) fn write<I: Item<Payload = P>>(
        &mut self,
        indices: &[u32],
        source: &ItemSource<'_, I, impl Fn(usize) -> u32>,
    ) {
        const N: usize = 4;
        let ItemSource { boxes, id } = source;
        for (to, &index) in self.ids.iter_mut().zip(indices) {
            *to = id(index as usize);
        }
        let LeafSlice { x0, y0, x1, y1, payload, .. } = self;
        let (x0, x0_rest) = x0.as_chunks_mut::<N>();
        let (y0, y0_rest) = y0.as_chunks_mut::<N>();
        let (x1, x1_rest) = x1.as_chunks_mut::<N>();
        let (y1, y1_rest) = y1.as_chunks_mut::<N>();
        let (payload, payload_rest) = payload.as_chunks_mut::<N>();
        let (indices, rest) = indices.as_chunks::<N>();
        let to = x0.iter_mut().zip(y0).zip(x1.iter_mut().zip(y1)).zip(payload);
        for ((((x0, y0), (x1, y1)), payload), indices) in to.zip(indices) {
            let four = indices.map(
                #[inline(always)]
                |index| boxes[index as usize],
            );
            [*x0, *y0, *x1, *y1] = I::edges(four).map(
                #[inline(always)]
                |edges| edges.to_array(),
            );
            *payload = four.map(
                #[inline(always)]
                |item| item.payload(),
            );
        }
        for (i, &index) in rest.iter().enumerate() {
            let item = boxes[index as usize];
            let Rect { x0, y0, x1, y1 } = item.rect();
            (x0_rest[i], y0_rest[i], x1_rest[i], y1_rest[i]) = (x0, y0, x1, y1);
            payload_rest[i] = item.payload();
        }
    }

    pub(super) fn clear(&mut self) {
        let LeafSlice { x0, y0, x1, y1, .. } = self;
        aabb_soa::clear([x0, y0, x1, y1]);
        self.ids.fill(NO_ID);
        self.payload.fill(P::default());
    }
}
