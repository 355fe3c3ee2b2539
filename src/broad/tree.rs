//! The packed tree as the world uses it: boxes with a payload, built together, removed one by one,
//! swept by many workers, and queried.
//!
//! Invariant: `rows`, `leaves` and `nodes` describe the same boxes.

use crate::broad::hit_buffer::Sink;
use crate::broad::leaves::{Giants, Item, ItemSource};
use crate::broad::leaves::{LeafStore, Leaves, NO_ID};
use crate::broad::nodes::Nodes;
use crate::broad::pack::{self, Packer, Row};
use crate::broad::sweep::JoinInput;
use crate::broad::sweep::{SweepBuffers, SweepInput};
use crate::broad::swept_rect::SweptRect;
use crate::geom::{Point, Rect};
use crate::memory::clone_fields::clone_fields;
use crate::memory::parallel;
use crate::simd;
use fearless_simd::Level;
use std::ops::{ControlFlow, Range};

/// A tree of items with boxes.
///
/// A box has two names: its id, the index among the packed items, and its position in tree order.
/// Boxes that are close in the plane are close in tree order.
///
/// Memory: at most 64 bytes a box plus twice its payload, and about 40 KB and a row for each
/// thread.
#[derive(Debug, Default)]
pub(crate) struct Tree<I: Item> {
    pub(super) leaves: LeafStore<I::Payload>,
    pub(super) nodes: Nodes,
    pub(super) rows: Vec<Row>,
    /// The rows of each size class, the smallest sizes first.
    pub(super) classes: Vec<Range<usize>>,
    /// Number of packed boxes that were not removed, empty ones included.
    len: usize,
    packer: Packer,
    giants: [Giants<I>; 2],
    scratch: Vec<SweepBuffers>,
}

clone_fields!(
    [I: Item] Tree<I> { leaves, nodes, rows, classes, len } scratch { packer, giants, scratch }
);

impl<I: Item> Tree<I> {
    /// Replaces the contents by `boxes`. Empty ones overlap nothing. Uses as many threads as
    /// [repay](pack::workers) their cost.
    ///
    /// # Panics
    /// If there are 2^31 boxes or more.
    pub(crate) fn pack(&mut self, boxes: &[I]) {
        self.pack_with(pack::workers(boxes.len()), boxes);
    }

    pub(super) fn pack_with(&mut self, workers: usize, boxes: &[I]) {
        assert!(boxes.len() < 1 << 31, "a tree holds fewer than 2^31 boxes");
        self.clear(boxes.len());
        let Self { leaves, nodes, rows, packer, classes, giants: [_, giants], .. } = self;
        let all = ItemSource { boxes, id: |at| at as u32 };
        packer.pack(workers, all, (leaves, nodes), rows, giants);
        classes.push(0..rows.len());
        // One worker is enough for at most 1/8 of the boxes.
        self.pack_giants(1);
        self.finish();
    }

    /// As [`pack`](Self::pack), for items with ids of their own. There are fewer than 2^31.
    pub(crate) fn pack_some(&mut self, boxes: impl Iterator<Item = (u32, I)>) {
        self.gather(boxes);
        self.pack_giants(pack::workers(self.len));
        self.finish();
    }

    /// Returns a tree as [`pack`](Self::pack) builds it, packed by the calling thread alone.
    pub(crate) fn of(boxes: &[I]) -> Self {
        let mut tree = Self::default();
        tree.pack_with(1, boxes);
        tree.without_buffers()
    }

    /// Returns a tree as [`pack_some`](Self::pack_some) builds it, packed by the calling thread alone.
    pub(crate) fn of_some(boxes: impl Iterator<Item = (u32, I)>) -> Self {
        let mut tree = Self::default();
        tree.gather(boxes);
        tree.pack_giants(1);
        tree.finish();
        tree.without_buffers()
    }

    /// Frees what only packing needs.
    fn without_buffers(self) -> Self {
        Self { packer: Packer::default(), giants: Default::default(), ..self }
    }

    fn gather(&mut self, boxes: impl Iterator<Item = (u32, I)>) {
        self.clear(0);
        self.giants[1].reserve(boxes.size_hint().1.unwrap_or(0));
        for (id, item) in boxes {
            self.giants[1].push(item, id);
            self.len += 1;
        }
    }

    /// As [`pack_some`](Self::pack_some). `gather` writes the items of a run of the ids.
    pub(crate) fn pack_gathered(&mut self, ids: &[u32], gather: impl Fn(&[u32], &mut [I]) + Sync) {
        self.clear(ids.len());
        let workers = pack::workers(ids.len());
        let giants = &mut self.giants[1];
        giants.reserve(ids.len());
        giants.ids.extend_from_slice(ids);
        giants.boxes.resize(ids.len(), I::default());
        let split = |(ids, boxes), left: &[()], right: &[()]| {
            let (ids, boxes): (&[u32], &mut [I]) = (ids, boxes);
            let (ids, later_ids) =
                ids.split_at(ids.len() * left.len() / (left.len() + right.len()));
            let (boxes, later_boxes) = boxes.split_at_mut(ids.len());
            ((ids, boxes), (later_ids, later_boxes))
        };
        let none = &mut [(); parallel::MAX_THREADS][..workers];
        parallel::share(none, (ids, &mut giants.boxes[..]), &split, &|(), (ids, boxes)| {
            gather(ids, boxes);
        });
        self.pack_giants(workers);
        self.finish();
    }

    fn clear(&mut self, len: usize) {
        self.len = len;
        self.rows.clear();
        self.nodes.clear();
        self.classes.clear();
        self.giants[1].clear();
    }

    fn pack_giants(&mut self, mut workers: usize) {
        let Self { leaves, nodes, rows, packer, classes, giants: [these, giants], .. } = self;
        while !giants.boxes.is_empty() {
            let first = rows.len();
            std::mem::swap(these, giants);
            giants.clear();
            let rest = ItemSource { boxes: &these.boxes, id: |at| these.ids[at] };
            packer.pack(workers, rest, (leaves, nodes), rows, giants);
            classes.push(first..rows.len());
            workers = 1;
        }
        // The first class has the most giants: keep the larger buffer for them.
        if these.heap() > giants.heap() {
            std::mem::swap(these, giants);
        }
    }

    fn finish(&mut self) {
        self.classes.retain(|class| !class.is_empty());
        // Positions are written before they are read, so nothing needs clearing.
        self.leaves.resize(self.rows.last().map_or(0, Row::padded));
        self.nodes.build();
    }

    /// Returns the workers of a sweep: one for a small tree, else four per thread.
    pub(crate) fn workers(&self) -> usize {
        match pack::workers(self.len) {
            1 => 1,
            threads => 4 * threads,
        }
    }

    /// Passes all pairs of overlapping boxes, each once, to the workers, as positions in tree
    /// order. Batches have about 1,000 pairs. Each worker takes whole rows, the first worker the
    /// first ones.
    ///
    /// The concatenated output of all workers does not depend on their number, nor does the order
    /// within a pair.
    pub(crate) fn sweep_parts<W: Send>(
        &mut self,
        workers: &mut [W],
        take: impl Fn(&mut W, Leaves<'_, I::Payload>, &[u32], &[u32]) + Sync,
    ) {
        let Self { leaves, nodes, rows, classes, scratch, .. } = self;
        let swept = SweepInput::new(leaves, nodes, (rows, classes));
        let leaves = leaves.leaves();
        share_sweep(swept, workers, scratch, |worker, units, scratch| {
            let sink: &mut Sink<'_> = &mut |first, second| take(worker, leaves, first, second);
            swept.run_on(simd::preferred(), units, scratch, sink);
        });
    }

    /// Passes the ids of all pairs to `take`, as [`sweep_parts`](Self::sweep_parts).
    pub(super) fn sweep_ids(&mut self, mut take: impl FnMut(&[u32], &[u32])) {
        let mut scratch = self.scratch.pop().unwrap_or_default();
        let swept = self.swept();
        swept.run_ids_on(simd::preferred(), 0..swept.units(), &mut scratch, &mut take);
        self.scratch.push(scratch);
    }

    /// Passes all pairs of a box of this tree and an overlapping box of `other` to the workers,
    /// each once, as positions in both trees. The work is split as in
    /// [`sweep_parts`](Self::sweep_parts).
    ///
    /// The larger tree (often the static one) should be `other`.
    pub(crate) fn join_parts<Q: Item, W: Send>(
        &mut self,
        other: &Tree<Q>,
        workers: &mut [W],
        take: impl Fn(&mut W, Leaves<'_, I::Payload>, Leaves<'_, Q::Payload>, &[u32], &[u32]) + Sync,
    ) {
        let Self { leaves, nodes, rows, classes, scratch, .. } = self;
        let upper = SweepInput::new(leaves, nodes, (rows, classes));
        let join = JoinInput { upper, lower: other.swept() };
        let leaves = leaves.leaves();
        if scratch.len() < workers.len() {
            scratch.resize_with(workers.len(), SweepBuffers::default);
        }
        let split = |(rows, scratch), left: &[W], right: &[W]| {
            let (rows, rest) = upper.cut(rows, left.len(), right.len());
            let (scratch, others) = <[SweepBuffers]>::split_at_mut(scratch, left.len());
            ((rows, scratch), (rest, others))
        };
        let whole = (0..upper.rows.len(), &mut scratch[..workers.len()]);
        parallel::share(workers, whole, &split, &|worker, (rows, scratch)| {
            let sink: &mut Sink<'_> =
                &mut |first, second| take(worker, leaves, other.leaves(), first, second);
            join.run_on(simd::preferred(), rows, &mut scratch[0], sink);
        });
    }

    pub(crate) fn remove_all(&mut self) {
        if !self.rows.is_empty() {
            self.clear(0);
            self.finish();
        }
    }

    /// Removes the box with this id if it is at this position. Returns true if it was.
    pub(crate) fn remove(&mut self, at: u32, id: u32) -> bool {
        let is_there = self.holds(at, id);
        if is_there {
            self.leaves.remove(at as usize);
            self.len -= 1;
        }
        is_there
    }

    pub(crate) fn holds(&self, at: u32, id: u32) -> bool {
        self.leaves.ids.get(at as usize) == Some(&id)
    }

    /// Prefetches what [`remove`](Self::remove) reads and writes.
    pub(crate) fn prefetch_removal(&self, at: u32) {
        self.leaves.prefetch_removal(at as usize);
    }

    /// Returns the box with this id if it is at this position.
    pub(crate) fn rect_of(&self, at: u32, id: u32) -> Option<Rect> {
        self.holds(at, id).then(|| self.leaves.leaves().rect(at as usize))
    }

    /// Returns the ids of all boxes that were not removed, in tree order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u32> {
        self.leaves.ids.iter().copied().filter(|&id| id != NO_ID)
    }

    /// Calls `take` with the position and the id of each box, in tree order.
    pub(crate) fn each_id(&self, mut take: impl FnMut(u32, u32)) {
        (0..)
            .zip(&self.leaves.ids)
            .filter(|(_, id)| **id != NO_ID)
            .for_each(|(at, &id)| take(at, id));
    }

    /// Returns the leaves, in tree order.
    pub(crate) fn leaves(&self) -> Leaves<'_, I::Payload> {
        self.leaves.leaves()
    }

    /// Returns the number of boxes that were not removed, empty ones included.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn swept(&self) -> SweepInput<'_> {
        let Self { leaves, nodes, rows, classes, .. } = self;
        SweepInput::new(leaves, nodes, (rows, classes))
    }
}

/// Runs the sweep of each worker: `run` gets its work units and its buffers.
fn share_sweep<W: Send>(
    swept: SweepInput<'_>,
    workers: &mut [W],
    scratch: &mut Vec<SweepBuffers>,
    run: impl Fn(&mut W, Range<usize>, &mut SweepBuffers) + Sync,
) {
    if scratch.len() < workers.len() {
        scratch.resize_with(workers.len(), SweepBuffers::default);
    }
    let split = |(units, scratch), left: &[W], right: &[W]| {
        let (units, rest) = swept.cut(units, left.len(), right.len());
        let (scratch, others) = <[SweepBuffers]>::split_at_mut(scratch, left.len());
        ((units, scratch), (rest, others))
    };
    let whole = (0..swept.units(), &mut scratch[..workers.len()]);
    parallel::share(workers, whole, &split, &|worker, (units, scratch)| {
        run(worker, units, &mut scratch[0]);
    });
}

impl<I: Item> Tree<I> {
    /// Calls `visit` with each box that overlaps `rect`, in ascending order, until it breaks.
    pub(crate) fn query_rect<B>(
        &self,
        rect: Rect,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.query_rect_with(simd::preferred(), rect, visit)
    }

    pub(super) fn query_rect_with<B>(
        &self,
        level: Level,
        rect: Rect,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if rect.is_empty() || self.rows.is_empty() {
            return ControlFlow::Continue(());
        }
        let leaves = self.leaves.bounds.edges();
        until_break(visit, |visit| self.nodes.query_on(level, rect, leaves, visit))
    }

    /// Returns the sweep of a rectangle; `None` if it overlaps nothing.
    pub(super) fn swept_rect(&self, from: Point, size: [u32; 2], to: Point) -> Option<SweptRect> {
        if size.contains(&0) || self.rows.is_empty() {
            return None;
        }
        SweptRect::new(from, size, to, self.nodes.root())
    }

    /// Calls `visit` with the position of each box that a rectangle overlaps on its way, until it
    /// breaks. Its first pixel moves straight from `from` to `to`.
    pub(crate) fn cast<B>(
        &self,
        (from, size, to): (Point, [u32; 2], Point),
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.swept_rect(from, size, to) {
            Some(swept_rect) => self.cast_with(simd::preferred(), &swept_rect, visit),
            None => ControlFlow::Continue(()),
        }
    }

    /// Calls `visit` with the position of each box that `swept_rect` overlaps on its way, in
    /// ascending order.
    ///
    /// The first pixel moves straight from the centre of one pixel to the centre of another. At any
    /// time it is the pixel whose half-open square contains the moving point. Size 1 x 1 is a ray.
    pub(super) fn cast_with<B>(
        &self,
        level: Level,
        swept_rect: &SweptRect,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let leaves = self.leaves.bounds.edges();
        until_break(visit, |visit| self.nodes.cast_on(level, swept_rect, leaves, visit))
    }
}

/// Runs a query and returns the value that the visitor breaks with. The query takes the visitor by
/// reference, so it is compiled once and not for each visitor. The call costs about 1 ns a box.
pub(crate) fn until_break<T, B>(
    mut visit: impl FnMut(T) -> ControlFlow<B>,
    run: impl FnOnce(&mut dyn FnMut(T) -> ControlFlow<()>) -> ControlFlow<()>,
) -> ControlFlow<B> {
    let mut answer = None;
    let _: ControlFlow<()> = run(&mut |at| match visit(at) {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(broken) => {
            answer = Some(broken);
            ControlFlow::Break(())
        }
    });
    answer.map_or(ControlFlow::Continue(()), ControlFlow::Break)
}
