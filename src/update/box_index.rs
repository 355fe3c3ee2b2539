//! The index of all boxes: a base of colliders at rest, and a delta of those that moved.
//!
//! ```text
//! base      moving colliders, as of the last full build       fixed     the same for fixed ones
//! settled   changed since that build, and at rest again       moved     changed since the last update
//! ```
//!
//! A box is in one of the four trees. The update tests the pairs of `moved` alone: with itself, and
//! with the other three. The tree `moved` is packed anew at every update. A box that it no longer
//! holds joins `settled`, which is packed anew whenever a box joins. A box that changes leaves the
//! base in place, without a build.
//!
//! The base is built again when as many boxes were packed into `settled` as a build costs, or when
//! very many colliders changed. All pairs are then swept in one tree.
//!
//! Invariant: after an update, each collider with a pixel is in one tree, with its current box.

use crate::broad::Tree;
use crate::memory::clone_fields::clone_fields;
use crate::memory::{prefetch, vec_growth};
use crate::scene::PlacedMask;
use crate::scene::changes::DirtySet;
use crate::scene::placed::Slots;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Marks a slot that is in none of the trees with positions.
const NO_POSITION: u32 = u32::MAX;

/// Slots prefetched ahead of the one read. Changed slots may be scattered over memory.
const PREFETCH_AHEAD: usize = 16;

/// Boxes removed together. Their leaves are prefetched, because they lie anywhere in memory.
const REMOVAL_BLOCK: usize = 64;

type PlacedTree = Tree<PlacedMask>;

/// The index of all boxes. Kept between updates for its memory and for queries.
#[derive(Debug, Default)]
pub(crate) struct BoxIndex {
    base: PlacedTree,
    /// Shared by clones of the world until one of them changes a fixed collider.
    fixed: Arc<PlacedTree>,
    settled: PlacedTree,
    moved: PlacedTree,
    /// The position of each slot in its tree; it may be missing for `moved`.
    positions: Vec<u32>,
    /// True if `positions` describes the trees. It is not filled while all colliders move.
    has_positions: bool,
    settling: Vec<u32>,
    /// Number of boxes packed into `settled` since the base was built.
    settled_count: usize,
    /// True if `fixed` holds every fixed collider.
    fixed_is_packed: bool,
    pub(crate) is_delta: bool,
    /// True if a fixed collider is in `moved`.
    pub(crate) has_moved_fixed: bool,
}

clone_fields!(
    [] BoxIndex {
        base, fixed, settled, moved, positions, has_positions, settled_count, fixed_is_packed, is_delta,
        has_moved_fixed
    } scratch { settling }
);

impl BoxIndex {
    pub(crate) fn trees(&self) -> [&PlacedTree; 4] {
        [&self.base, &self.fixed, &self.settled, &self.moved]
    }

    pub(crate) fn fixed(&self) -> &PlacedTree {
        &self.fixed
    }

    /// Returns true if the tree of fixed colliders had all of them at the last update.
    pub(crate) const fn has_all_fixed(&self) -> bool {
        self.fixed_is_packed
    }

    /// Returns the tree to sweep, and the trees to join it with. The pairs are those of the changed
    /// colliders, or all of them after a full build.
    pub(crate) fn pair_trees(&mut self) -> (&mut PlacedTree, [&PlacedTree; 3]) {
        let Self { base, fixed, settled, moved, .. } = self;
        if self.is_delta {
            (moved, [base, fixed, settled])
        } else {
            // The other two are empty.
            (base, [fixed, settled, moved])
        }
    }

    /// Calls `visit` with each slot of `changed`, and each slot whose box overlapped its box at the
    /// last update. The index is that of the last update, which had at most `count` slots.
    pub(crate) fn visit_old_neighbours(
        &mut self,
        changed: &[u32],
        count: usize,
        mut visit: impl FnMut(u32, u32),
    ) {
        self.find_positions(count);
        let Self { moved, positions, .. } = self;
        // Found here, because an update of many changes does not need them.
        moved.each_id(|at, slot| positions[slot as usize] = at);
        for &slot in changed {
            let at = self.positions[slot as usize];
            let rect = self.trees().into_iter().find_map(|tree| tree.rect_of(at, slot));
            for tree in self.trees() {
                let ids = tree.leaves().ids;
                let _: ControlFlow<()> = tree.query_rect(rect.unwrap_or_default(), |at| {
                    visit(slot, ids[at]);
                    ControlFlow::Continue(())
                });
            }
        }
    }

    /// Brings the index up to date after the changes in `dirty`.
    pub(crate) fn pack(&mut self, slots: &Slots, dirty: &DirtySet) {
        self.fixed_is_packed &= !dirty.any_fixed;
        match dirty.few_slots(slots.len()) {
            Some(changed) => self.pack_delta(slots, dirty, changed),
            None => self.pack_all(slots),
        }
    }

    fn pack_all(&mut self, slots: &Slots) {
        self.build_base(slots);
        self.moved.remove_all();
        (self.is_delta, self.has_moved_fixed) = (false, false);
    }

    /// Moves the changed colliders to `moved`, and those that it held before to `settled`.
    fn pack_delta(&mut self, slots: &Slots, dirty: &DirtySet, changed: &[u32]) {
        self.find_positions(slots.len());
        let Self { settled, moved, settling, .. } = self;
        settling.clear();
        settling.extend(moved.ids().filter(|&slot| !dirty.contains(slot)));
        if !settling.is_empty() {
            let at_rest = settled.ids().filter(|&slot| !dirty.contains(slot));
            settling.extend(at_rest);
            self.settled_count += self.settling.len();
        }
        if self.settled_count > slots.len().saturating_mul(dirty.limits.packed_per_slot) {
            self.build_base(slots);
            self.find_positions(slots.len());
            // The base holds its boxes too, maybe at the same positions.
            self.moved.remove_all();
        } else if !self.settling.is_empty() {
            self.pack_settled(slots);
        }
        self.remove(changed);
        if self.settled.len() == 0 {
            self.settled.remove_all();
        }
        self.has_moved_fixed = pack_slots(&mut self.moved, slots, changed);
        self.fixed_is_packed &= !self.has_moved_fixed;
        self.is_delta = true;
    }

    /// Builds the base and the fixed tree from all colliders. Empties `settled`.
    fn build_base(&mut self, slots: &Slots) {
        let Self { base, fixed, settled, .. } = self;
        if !self.fixed_is_packed {
            if Arc::get_mut(fixed).is_none() {
                // Nothing of a shared tree is needed, so it is not copied.
                *fixed = Arc::default();
            }
            Arc::make_mut(fixed).pack_some(slots.fixed.iter().copied());
            self.fixed_is_packed = true;
        }
        base.pack(&slots.moving);
        settled.remove_all();
        self.settled_count = 0;
        self.has_positions = false;
    }

    fn pack_settled(&mut self, slots: &Slots) {
        let Self { settled, positions, settling, .. } = self;
        pack_slots(settled, slots, settling);
        settled.each_id(|at, slot| positions[slot as usize] = at);
    }

    /// Fills `positions`, which has one entry for each of `count` slots.
    fn find_positions(&mut self, count: usize) {
        let Self { base, fixed, positions, has_positions, .. } = self;
        if !*has_positions {
            positions.clear();
        }
        if positions.len() != count {
            vec_growth::resize(positions, count, NO_POSITION);
        }
        if !*has_positions {
            for tree in [&*base, &**fixed] {
                tree.each_id(|at, slot| positions[slot as usize] = at);
            }
            *has_positions = true;
        }
    }

    fn remove(&mut self, changed: &[u32]) {
        let Self { base, fixed, settled, moved, positions, .. } = self;
        let mut listed = [[0; 2]; REMOVAL_BLOCK];
        for (i, block) in changed.chunks(REMOVAL_BLOCK).enumerate() {
            let mut count = 0;
            for (j, &slot) in block.iter().enumerate() {
                if let Some(&later) = changed.get(i * REMOVAL_BLOCK + j + PREFETCH_AHEAD) {
                    prefetch::item(positions, later as usize);
                }
                let at = std::mem::replace(&mut positions[slot as usize], NO_POSITION);
                // The tree `moved` is packed anew.
                if at != NO_POSITION && !moved.holds(at, slot) {
                    base.prefetch_removal(at);
                    listed[count] = [at, slot];
                    count += 1;
                }
            }
            for &[at, slot] in &listed[..count] {
                if !base.remove(at, slot) && !settled.remove(at, slot) && fixed.holds(at, slot) {
                    self.fixed_is_packed = false;
                    Arc::make_mut(fixed).remove(at, slot);
                }
            }
        }
    }
}

/// Packs the colliders of `list`. Returns true if one is fixed and has a pixel.
fn pack_slots(tree: &mut PlacedTree, slots: &Slots, list: &[u32]) -> bool {
    let any_fixed = AtomicBool::new(false);
    tree.pack_gathered(list, |list, boxes| {
        for (i, (&slot, to)) in list.iter().zip(boxes).enumerate() {
            if let Some(&later) = list.get(i + PREFETCH_AHEAD) {
                prefetch::item(&slots.moving, later as usize);
            }
            *to = slots.moving[slot as usize];
            if to.is_empty() {
                *to = slots.placed(slot as usize);
                any_fixed.fetch_or(!to.is_empty(), Ordering::Relaxed);
            }
        }
    });
    any_fixed.into_inner()
}
