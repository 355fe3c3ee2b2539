//! The queries of a tree: the boxes that overlap a rectangle, or one on its way, and the nearest box.
//!
//! Called by `world::query`, `world::motion` and [`BoxTree`](super::BoxTree).

use crate::broad::item::Item;
use crate::broad::kernels::with_kernels;
use crate::broad::leaves::LeafStore;
use crate::broad::nodes::Visit;
use crate::broad::swept_rect::SweptRect;
use crate::broad::tree::Tree;
use crate::geom::{Point, Rect};
use crate::simd;
use fearless_simd::Level;
use std::ops::ControlFlow;

impl<I: Item> Tree<I> {
    /// Calls `visit` with the position of each box that overlaps `rect`, in ascending order, until
    /// it breaks.
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

    /// Returns the sweep of a rectangle; `None` if it overlaps nothing.
    pub(super) fn swept_rect(&self, from: Point, size: [u32; 2], to: Point) -> Option<SweptRect> {
        if size.contains(&0) || self.strips.is_empty() {
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

    /// Returns the position of the nearest content to the pixel `point`, and its squared distance.
    /// Ties go to the smallest id.
    ///
    /// Calls `visit` with positions of boxes, mostly nearer ones first. `visit` returns the squared
    /// distance of the content of a box, or `None` without content. That distance is no less than
    /// the distance of the box, from pixel to pixel. Boxes and content beyond `limit`, a squared
    /// distance, are ignored.
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
}

/// Runs a query and returns the value that the visitor breaks with. The query takes the visitor by
/// reference, so its kernels are compiled once for each level and not for each visitor. The call
/// costs about 1 ns a box.
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
