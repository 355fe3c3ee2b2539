//! Who is near: the one way in which queries find colliders.

use crate::geom::Rect;
use crate::world::query::ray_segments::Region;
use crate::world::{ColliderId, World};
use std::ops::ControlFlow;

impl World {
    /// Replaces the contents of `found` by every collider whose tight box overlaps `rect`, in
    /// order of their indices: boxes alone, the first half of a query of your own.
    ///
    /// Takes about the time of a search in the index for what was there at the last
    /// [`update`](Self::update); colliders that changed since are looked at one by one.
    pub fn near(&self, rect: Rect, found: &mut Vec<ColliderId>) {
        found.clear();
        let _: ControlFlow<()> = self.visit_near(rect, |slot| {
            found.push(self.slots.id(slot));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
    }

    /// Calls `visit` with the slot of every collider whose tight box overlaps a region, as they are
    /// placed now, until it breaks: in no order that means anything, but one that depends on the
    /// calls made alone. Of a way, some who are merely near are visited too.
    ///
    /// Quick for what was there at the last update; colliders that changed since are looked at one
    /// by one, and after a change of very many at once all are.
    pub(crate) fn visit_near<B>(
        &self,
        region: impl Into<Region>,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let region = region.into();
        let bounds = region.bounds();
        let Some(changed) = self.unsettled.slots() else {
            return self.slots.occupied().try_for_each(|slot| self.meet(slot, bounds, &mut visit));
        };
        for tree in [&self.finder.moving, &self.finder.fixed] {
            let ids = tree.leaves().ids;
            // The index has the box of whoever has not changed since.
            let visit = |at| match ids[at] {
                slot if self.unsettled.contains(slot) => ControlFlow::Continue(()),
                slot => visit(slot),
            };
            match region {
                Region::Rect(rect) => tree.meet(rect, visit)?,
                Region::Way { from, size, to, .. } => tree.cast((from, size, to), visit)?,
            }
        }
        changed.iter().try_for_each(|&slot| self.meet(slot, bounds, &mut visit))
    }

    fn meet<B>(
        &self,
        slot: u32,
        rect: Rect,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.slots.rect(slot as usize).intersection(rect) {
            Some(_) => visit(slot),
            None => ControlFlow::Continue(()),
        }
    }
}
