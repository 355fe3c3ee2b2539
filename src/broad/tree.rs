//! The tree as the world uses it: boxes that carry something, packed anew, swept in parts.

use crate::broad::hit_buffer::Sink;
use crate::broad::item::{Giants, Item, ItemSource};
use crate::broad::kernels::with_kernels;
use crate::broad::leaves::{LeafStore, Leaves};
use crate::broad::nodes::{Nodes, Visit};
use crate::broad::pack::{self, Packer, Strip};
use crate::broad::sweep::{Scratch, SweepInput};
use crate::broad::swept_rect::SweptRect;
use crate::broad::tree_join::JoinInput;
use crate::geom::{Point, Rect};
use crate::memory::parallel;
use crate::simd;
use fearless_simd::Level;
use std::ops::{ControlFlow, Range};

/// Boxes on the plane, as their owners keep them, and all pairs that overlap.
///
/// A box is named by its index among those given (its id), and by its position in tree order,
/// where what belongs to neighbours lies together.
///
/// Memory: at most 64 bytes a box and twice its payload, and for each thread some 40 kilobytes
/// and a strip.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree<I: Item> {
    pub(super) leaves: LeafStore<I::Payload>,
    pub(super) nodes: Nodes,
    pub(super) strips: Vec<Strip>,
    /// The strips of each class of sizes, the smallest sizes first.
    pub(super) classes: Vec<Range<usize>>,
    /// Boxes given, empty ones counted.
    len: usize,
    packer: Packer,
    giants: [Giants<I>; 2],
    /// One for each worker.
    scratch: Vec<Scratch>,
}

impl<I: Item> Tree<I> {
    /// Forgets the boxes there were and takes these. Empty ones meet nothing. Uses as many threads as
    /// [pay](pack::workers).
    ///
    /// # Panics
    /// Where there are 2^31 boxes or more.
    pub(crate) fn pack(&mut self, boxes: &[I]) {
        self.pack_with(pack::workers(boxes.len()), boxes);
    }

    pub(super) fn pack_with(&mut self, workers: usize, boxes: &[I]) {
        assert!(boxes.len() < 1 << 31, "a tree holds fewer than 2^31 boxes");
        self.clear(boxes.len());
        let Self { leaves, nodes, strips, packer, classes, giants: [_, giants], .. } = self;
        let all = ItemSource { boxes, id: |at| at as u32 };
        packer.pack(workers, all, (leaves, nodes), strips, giants);
        classes.push(0..strips.len());
        // At most an eighth of the boxes: one worker has them soon.
        self.pack_giants(1);
        self.finish();
    }

    /// The same of some boxes only, with their ids, which ascend. There are fewer than 2^31.
    pub(crate) fn pack_some(&mut self, boxes: impl Iterator<Item = (u32, I)>) {
        self.clear(0);
        for (id, item) in boxes {
            self.giants[1].push(item, id);
            self.len += 1;
        }
        self.pack_giants(pack::workers(self.len));
        self.finish();
    }

    fn clear(&mut self, len: usize) {
        self.len = len;
        self.strips.clear();
        self.nodes.clear();
        self.classes.clear();
        self.giants[1].clear();
    }

    /// Packs what is left over, class by class.
    fn pack_giants(&mut self, mut workers: usize) {
        let Self { leaves, nodes, strips, packer, classes, giants: [these, giants], .. } = self;
        while !giants.boxes.is_empty() {
            let first = strips.len();
            std::mem::swap(these, giants);
            giants.clear();
            let rest = ItemSource { boxes: &these.boxes, id: |at| these.ids[at] };
            packer.pack(workers, rest, (leaves, nodes), strips, giants);
            classes.push(first..strips.len());
            workers = 1;
        }
        // The first class has the most giants: the larger memory is for them, at every update.
        if these.heap() > giants.heap() {
            std::mem::swap(these, giants);
        }
    }

    fn finish(&mut self) {
        self.classes.retain(|class| !class.is_empty());
        // Places are written before they are read, so nothing needs to be cleared.
        self.leaves.resize(self.strips.last().map_or(0, Strip::padded));
        self.nodes.build();
    }

    /// How many workers a sweep of this tree pays for: some to each thread, so that none waits
    /// long for the last, or one where there is little to do.
    pub(crate) fn workers(&self) -> usize {
        match pack::workers(self.len) {
            1 => 1,
            threads => 4 * threads,
        }
    }

    /// Hands all pairs of boxes that overlap, each once, to the workers: positions in tree order,
    /// about a thousand at a time. Each worker takes whole strips, the first worker the first
    /// ones. What all workers are given, one after the other, does not depend on their number,
    /// nor does which box of a pair is the first.
    pub(crate) fn sweep_parts<W: Send>(
        &mut self,
        workers: &mut [W],
        take: impl Fn(&mut W, Leaves<'_, I::Payload>, &[u32], &[u32]) + Sync,
    ) {
        let Self { leaves, nodes, strips, classes, scratch, .. } = self;
        let swept = SweepInput { bounds: leaves.bounds.edges(), nodes, strips, classes };
        let leaves = leaves.leaves();
        if scratch.len() < workers.len() {
            scratch.resize_with(workers.len(), Scratch::default);
        }
        let split = |(units, scratch), left: &[W], right: &[W]| {
            let (units, rest) = swept.cut(units, left.len(), right.len());
            let (scratch, others) = <[Scratch]>::split_at_mut(scratch, left.len());
            ((units, scratch), (rest, others))
        };
        let whole = (0..swept.units(), &mut scratch[..workers.len()]);
        parallel::share(workers, whole, &split, &|worker, (units, scratch)| {
            let sink: &mut Sink<'_> = &mut |first, second| take(worker, leaves, first, second);
            swept.run_on(simd::preferred(), units, &mut scratch[0], sink);
        });
    }

    /// Hands all pairs of boxes that overlap to `take`, in the same order.
    pub(super) fn sweep(&mut self, mut take: impl FnMut(Leaves<'_, I::Payload>, &[u32], &[u32])) {
        let mut scratch = self.scratch.pop().unwrap_or_default();
        let (leaves, swept) = (self.leaves(), self.swept());
        let sink: &mut Sink<'_> = &mut |first, second| take(leaves, first, second);
        swept.run_on(simd::preferred(), 0..swept.units(), &mut scratch, sink);
        self.scratch.push(scratch);
    }

    /// Hands all pairs of a box of this tree and one of `other` that overlap, each once, to the
    /// workers: positions in this tree and in the other. Parted like
    /// [`sweep_parts`](Self::sweep_parts). The larger tree, which may be the one that never
    /// changes, is best the other.
    pub(crate) fn join_parts<Q: Item, W: Send>(
        &mut self,
        other: &Tree<Q>,
        workers: &mut [W],
        take: impl Fn(&mut W, Leaves<'_, I::Payload>, Leaves<'_, Q::Payload>, &[u32], &[u32]) + Sync,
    ) {
        let Self { leaves, nodes, strips, classes, scratch, .. } = self;
        let upper = SweepInput { bounds: leaves.bounds.edges(), nodes, strips, classes };
        let join = JoinInput { upper, lower: other.swept() };
        let leaves = leaves.leaves();
        if scratch.len() < workers.len() {
            scratch.resize_with(workers.len(), Scratch::default);
        }
        let split = |(strips, scratch), left: &[W], right: &[W]| {
            let (strips, rest) = upper.cut(strips, left.len(), right.len());
            let (scratch, others) = <[Scratch]>::split_at_mut(scratch, left.len());
            ((strips, scratch), (rest, others))
        };
        let whole = (0..upper.strips.len(), &mut scratch[..workers.len()]);
        parallel::share(workers, whole, &split, &|worker, (strips, scratch)| {
            let sink: &mut Sink<'_> =
                &mut |first, second| take(worker, leaves, other.leaves(), first, second);
            join.run_on(simd::preferred(), strips, &mut scratch[0], sink);
        });
    }

    /// Hands all pairs of a box of this tree and one of `other` that overlap to `take`, in the
    /// same order.
    pub(super) fn join<Q: Item>(
        &mut self,
        other: &Tree<Q>,
        mut take: impl FnMut(Leaves<'_, I::Payload>, Leaves<'_, Q::Payload>, &[u32], &[u32]),
    ) {
        let mut scratch = self.scratch.pop().unwrap_or_default();
        let (leaves, others) = (self.leaves(), other.leaves());
        let join = JoinInput { upper: self.swept(), lower: other.swept() };
        let sink: &mut Sink<'_> = &mut |first, second| take(leaves, others, first, second);
        join.run_on(simd::preferred(), 0..self.strips.len(), &mut scratch, sink);
        self.scratch.push(scratch);
    }

    /// The leaves, in tree order.
    pub(crate) fn leaves(&self) -> Leaves<'_, I::Payload> {
        self.leaves.leaves()
    }

    /// Number of boxes, empty ones counted.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Calls `visit` with the position, in tree order, of each box that overlaps `rect`, in
    /// ascending order, until it breaks.
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
        if rect.is_empty() || self.strips.is_empty() {
            return ControlFlow::Continue(());
        }
        let leaves = self.leaves.bounds.edges();
        until_break(visit, |visit| self.nodes.query_on(level, rect, leaves, visit))
    }

    /// The way of a cast; `None` where it meets nothing.
    pub(super) fn swept_rect(&self, from: Point, size: [u32; 2], to: Point) -> Option<SweptRect> {
        if size.contains(&0) || self.strips.is_empty() {
            return None;
        }
        SweptRect::new(from, size, to, self.nodes.root())
    }

    /// Calls `visit` with the position of each box that a rectangle of this size overlaps while its
    /// first pixel goes straight from one to another, until it breaks.
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

    /// Calls `visit` with the position, in tree order, of each box that a rectangle overlaps
    /// somewhere on its way, in ascending order. At size 1 x 1 that is a ray; at size 0 nothing is
    /// met.
    ///
    /// Its first pixel goes straight from the middle of `from` to the middle of `to`, and is, at
    /// any time, the one in whose half-open square it is.
    pub(super) fn cast_with<B>(
        &self,
        level: Level,
        swept_rect: &SweptRect,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let leaves = self.leaves.bounds.edges();
        until_break(visit, |visit| self.nodes.cast_on(level, swept_rect, leaves, visit))
    }

    /// What is nearest to the pixel `point`: its position in tree order, and its distance, squared.
    ///
    /// `visit` is called with positions of boxes, with nearer ones mostly first, and gives the
    /// distance, squared, of what is inside: no less than that of the box, which is from pixel to
    /// pixel and straight; `None` where nothing is. Boxes farther than `limit`, squared, are not
    /// visited, nor counts what is. Of several equally near the one of smallest id is it.
    pub(crate) fn nearest(
        &self,
        point: Point,
        limit: u64,
        visit: impl FnMut(usize) -> Option<u64>,
    ) -> Option<(usize, u64)> {
        self.nearest_with(simd::preferred(), point, limit, visit)
    }

    pub(super) fn nearest_with(
        &self,
        level: Level,
        point: Point,
        limit: u64,
        visit: impl FnMut(usize) -> Option<u64>,
    ) -> Option<(usize, u64)> {
        if self.strips.is_empty() {
            return None;
        }
        let LeafStore { bounds, ids, .. } = &self.leaves;
        let (leaves, before) = (bounds.edges(), |a: usize, b: usize| ids[a] < ids[b]);
        with_kernels!(level, kernels => self.nodes.nearest(kernels, point, leaves, limit, before, visit))
    }

    pub(super) fn swept(&self) -> SweepInput<'_> {
        let Self { leaves, nodes, strips, classes, .. } = self;
        SweepInput { bounds: leaves.bounds.edges(), nodes, strips, classes }
    }
}

/// Runs a query with a visitor that keeps what it breaks with. The kernels of a query are compiled once
/// for each level, and not once more for each visitor: a call by reference costs about 1 ns a box.
fn until_break<B>(
    mut visit: impl FnMut(usize) -> ControlFlow<B>,
    run: impl FnOnce(&mut Visit<'_>) -> ControlFlow<()>,
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
