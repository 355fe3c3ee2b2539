//! The broad phase of queries and motions: colliders near a region, and long paths searched in parts.
//!
//! [`Search::visit_near`] searches the index of the last update, and what has left it since.
//!
//! A query that stops at the first hit would waste the search behind the hit. The bounding box of a
//! long slanted path is mostly empty. Therefore [`along`] splits a path into parts, and a slanted
//! part is searched along its line.
//!
//! Invariants: the candidates always include every collider whose box overlaps the region. Their
//! order depends only on the calls made. Answers are in order of indices or sorted, so they do not
//! depend on the order of candidates. All numbers here are in mask pixels.

use crate::broad::{Item, Tree, until_break};
use crate::geom::{PixelPath, Point, Rect};
use crate::ids::ColliderId;
use crate::query::filter::Filter;
use crate::scene::changes::{Changes, Members};
use crate::scene::{PlacedMask, Scene};
use crate::update::box_index::BoxIndex;
use std::ops::ControlFlow;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'w> {
    pub(crate) scene: &'w Scene,
    pub(crate) index: &'w BoxIndex,
}

/// Receives slots until it breaks.
type Visit<'v> = dyn FnMut(u32) -> ControlFlow<()> + 'v;

impl Search<'_> {
    /// Calls `visit` with the slot of every collider whose current tight box overlaps a region,
    /// until `visit` breaks.
    ///
    /// The order has no meaning, but depends only on the calls made. For a path, some colliders
    /// beside the path are visited too.
    ///
    /// Costs one search of the index, and one of each run of colliders that moved far since the last
    /// update. The first search after many changes packs them.
    pub(crate) fn visit_near<B>(
        &self,
        region: impl Into<Region>,
        visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let region = region.into();
        until_break(visit, |visit| self.visit(region, visit))
    }

    fn visit(&self, region: Region, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let slots = &self.scene.placed.slots;
        let Changes { dirty, displaced, .. } = &self.scene.changes;
        let moving = |slot: u32| slots.moving[slot as usize];
        let Some(homes) = displaced.homes(dirty, self.index.has_all_fixed(), moving) else {
            // The index holds the current box of each collider that is not in the dirty set.
            let drift_of = |slot| (!dirty.contains(slot)).then_some(0);
            for tree in self.index.trees() {
                self.search(tree, (&drift_of, 0), region, visit)?;
            }
            return self.test(dirty.slots().unwrap_or_default(), region, visit);
        };
        let (drift_of, drift) = (|slot| homes.drift_in(0, slot), homes.base_drift());
        if let Some([moving, fixed]) = homes.base(&slots.moving, &slots.fixed, self.index.fixed()) {
            self.search(moving, (&drift_of, drift), region, visit)?;
            self.search(fixed, (&drift_of, 0), region, visit)?;
        } else {
            for (tree, drift) in self.index.trees().into_iter().zip([drift, 0, drift, drift]) {
                self.search(tree, (&drift_of, drift), region, visit)?;
            }
        }
        for (number, members, drift) in homes.runs(|slot| slots.placed(slot as usize)) {
            let drift_of = |slot| homes.drift_in(number, slot);
            match members {
                Members::Tree(tree) => self.search(tree, (&drift_of, drift), region, visit)?,
                Members::List(list) => self.test(list, region, visit)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the slots of a list whose box overlaps a region.
    fn test(&self, list: &[u32], region: Region, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let bounds = region.bounds();
        let rect = |slot: u32| self.scene.placed.slots.rect(slot as usize);
        let mut near = list.iter().filter(|&&slot| rect(slot).intersection(bounds).is_some());
        near.try_for_each(|&slot| visit(slot))
    }

    /// Visits the slots of a tree whose box overlaps a region. `drift_of` returns how far a box may be
    /// from that in the tree, at most `most` pixels, and `None` for a slot to ignore.
    fn search(
        &self,
        tree: &Tree<PlacedMask>,
        (drift_of, most): (&impl Fn(u32) -> Option<u8>, u32),
        region: Region,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        if tree.len() == 0 {
            return ControlFlow::Continue(());
        }
        let (slots, leaves, bounds) = (&self.scene.placed.slots, tree.leaves(), region.bounds());
        region.grown(most).search(tree, |at| {
            let slot = leaves.ids[at];
            let is_near = match drift_of(slot) {
                None => false,
                Some(_) if most == 0 => true,
                Some(0) => leaves.rect(at).intersection(bounds).is_some(),
                Some(_) => slots.moving[slot as usize].rect().intersection(bounds).is_some(),
            };
            if is_near { visit(slot) } else { ControlFlow::Continue(()) }
        })
    }

    /// As [`visit_near`](Self::visit_near), until the end.
    pub(crate) fn each_near(&self, region: impl Into<Region>, mut visit: impl FnMut(ColliderId)) {
        let _: ControlFlow<()> = self.visit_near(region, |slot| {
            visit(self.scene.placed.slots.id(slot));
            ControlFlow::Continue(())
        });
    }

    /// Calls `visit` with the colliders whose box overlaps a region and that pass the filter.
    pub(crate) fn visit_filtered(
        &self,
        region: impl Into<Region>,
        filter: Filter<'_>,
        mut visit: impl FnMut(ColliderId),
    ) {
        let region = region.into();
        if region.bounds().is_empty() {
            return;
        }
        self.each_near(region, |id| {
            if self.is_wanted(id, filter) {
                visit(id);
            }
        });
    }

    pub(crate) fn is_wanted(&self, id: ColliderId, filter: Filter<'_>) -> bool {
        let appearance = self.scene.placed.appearance(id.slot());
        appearance.enabled
            && appearance.layers & filter.layers != 0
            && (filter.sensors || !appearance.sensor)
            && filter.except != Some(id)
            && filter.keep.is_none_or(|keep| keep(id))
    }
}

/// Steps of the first part of a path. Each part has twice as many steps as the one before, so an
/// endless path takes few parts. A larger value finds more colliders behind the first hit; a
/// smaller one searches the index more often.
const FIRST_PART_STEPS: u32 = 256;
/// Maximum extent across the main axis, in pixels, of a part that is searched as a rectangle. Up to
/// it, that search is faster than one along the line.
const MAX_RECT_EXTENT_PX: u32 = 48;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPart {
    start: Rect,
    /// Motion of the part.
    by: Point,
    /// Last step of the part, counted along the whole path.
    pub(crate) last: u32,
}

impl PathPart {
    pub(crate) fn whole(start: Rect, path: PixelPath) -> Self {
        Self { start, by: path.motion(), last: path.steps() }
    }

    fn bounds(&self) -> Rect {
        let (a, b) = (self.start, self.start.translated(self.by));
        Rect::new(a.x0.min(b.x0), a.y0.min(b.y0), a.x1.max(b.x1), a.y1.max(b.y1))
    }
}

/// Splits the path of a box into parts and calls `ask` with each, until `ask` returns an answer.
pub(crate) fn along<R>(
    start: Rect,
    path: PixelPath,
    mut ask: impl FnMut(&PathPart) -> Option<R>,
) -> Option<R> {
    let steps = path.steps();
    let (mut first, mut length) = (0_u32, FIRST_PART_STEPS);
    loop {
        let last = first.saturating_add(length).min(steps);
        let from = path.at(first);
        let part = PathPart { start: start.translated(from), by: path.at(last) - from, last };
        if let Some(answer) = ask(&part) {
            return Some(answer);
        }
        if last == steps {
            return None;
        }
        (first, length) = (last, length.saturating_mul(2));
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Region {
    Rect(Rect),
    /// The path of a rectangle whose top-left pixel goes in a straight line, limited to `bounds`.
    Path {
        from: Point,
        size: [u32; 2],
        to: Point,
        bounds: Rect,
    },
}

impl Region {
    fn search<B>(
        self,
        tree: &Tree<PlacedMask>,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::Rect(rect) => tree.query_rect(rect, visit),
            Self::Path { from, size, to, .. } => tree.cast((from, size, to), visit),
        }
    }

    /// Returns the region grown by a number of pixels on each side. An empty one stays empty.
    fn grown(self, pixels: u32) -> Self {
        match self {
            Self::Rect(rect) if rect.is_empty() => self,
            Self::Rect(rect) => Self::Rect(rect.grown(pixels)),
            Self::Path { from, size: [width, height], to, bounds } => {
                let back = Point::new(pixels as i32, pixels as i32);
                let size = [width + 2 * pixels, height + 2 * pixels];
                Self::Path { from: from - back, size, to: to - back, bounds }
            }
        }
    }

    pub(crate) const fn bounds(&self) -> Rect {
        match *self {
            Self::Rect(rect) | Self::Path { bounds: rect, .. } => rect,
        }
    }
}

impl From<Rect> for Region {
    fn from(rect: Rect) -> Self {
        Self::Rect(rect)
    }
}

impl From<&PathPart> for Region {
    fn from(part: &PathPart) -> Self {
        let bounds = part.bounds();
        if part.by.x.unsigned_abs().min(part.by.y.unsigned_abs()) <= MAX_RECT_EXTENT_PX {
            return Self::Rect(bounds);
        }
        // Grown by 1 px, because the index takes the straight line as exact. A path's pixels and
        // the ends of a part lie up to half a pixel off that line.
        let around = part.start.grown(1);
        let from = Point::new(around.x0, around.y0);
        Self::Path { from, size: [around.width(), around.height()], to: from + part.by, bounds }
    }
}
