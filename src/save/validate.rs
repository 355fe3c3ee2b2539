//! Check of a world's invariants, for tests and for hunting defects.
//!
//! The tests call [`validate`] after each operation. The reader of snapshots calls
//! [`validate_pairs`].
//!
//! Invariants: the check changes nothing. Each variant of [`InvariantViolation`] stands for
//! one invariant.

use crate::query::Search;
use crate::scene::changes::Changes;
use crate::scene::placed::{NO_COLLIDER, Placed, Slots};
use crate::scene::{ColliderShape, Pair, PlacedMask, Scene};
use crate::update::box_index::BoxIndex;
use crate::update::{PairLists, Updater};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;

/// A broken invariant of a world: a defect of this library, never of its caller.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, World};
/// use hitmask::InvariantViolation;
/// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
/// assert_eq!(World::new(atlas).validate(), Ok(()));
/// assert_eq!(InvariantViolation::Order.help(), "report it: this is a defect of hitmask");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvariantViolation {
    /// Each slot holds a collider or is free, never both, and the arrays of per-slot state have
    /// equal lengths. The indices of owners and of run-time masks match them.
    Slots,
    /// A collider's cached pose and box match its state.
    Placement {
        /// The collider's slot.
        slot: u32,
    },
    /// The lists of pairs are sorted, without duplicates, with the lower slot first.
    Order,
    /// Each touching pair began or stayed, and no ended pair still touches.
    Events,
    /// The broad-phase index holds the current box of each collider that has not changed since the
    /// last update. Queries look for such a collider nowhere else, and find each collider once.
    Index {
        /// The collider's slot.
        slot: u32,
    },
}

debug_with_help!(InvariantViolation);

impl fmt::Display for InvariantViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slots => {
                write!(f, "a slot is both free and taken, or neither, or lacks part of its state")
            }
            Self::Placement { slot } => {
                write!(f, "the pose or box of slot {slot} does not match its state")
            }
            Self::Order => write!(f, "a list of pairs is not sorted"),
            Self::Events => write!(f, "the events do not match the touching pairs"),
            Self::Index { slot } => write!(f, "the index holds a wrong box for slot {slot}"),
        }
    }
}

impl InvariantViolation {
    /// Returns the remedy for the fault that `Display` describes.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        "report it: this is a defect of hitmask".into()
    }
}

impl std::error::Error for InvariantViolation {}

/// Checks every invariant, at the cost of placing every collider again.
pub(crate) fn validate(scene: &Scene, updater: &Updater) -> Result<(), InvariantViolation> {
    validate_slots(&scene.placed)?;
    validate_placement(scene)?;
    validate_pairs(&updater.pairs)?;
    validate_index(scene, &updater.index)?;
    if let Some(slot) = scene.changes.wrong_home() {
        return Err(InvariantViolation::Index { slot });
    }
    validate_search(Search { scene, index: &updater.index }, scene.placed.slots.occupied())
}

/// Checks the lengths of all columns, which slots are free, and the indices of fixed colliders and
/// owners.
fn validate_slots(placed: &Placed) -> Result<(), InvariantViolation> {
    let slots = &placed.slots;
    let Slots { generations, positions, angles, scales, moving, fixed, .. } = slots;
    let lengths = [generations.len(), positions.len(), angles.len(), scales.len(), moving.len()];
    let last = fixed.iter().map(|&(slot, _)| slot as usize + 1).max().unwrap_or(0);
    if lengths != [slots.len(); 5] || last > slots.len() || slots.owners.len() > slots.len() {
        return Err(InvariantViolation::Slots);
    }
    for (number, &(slot, _)) in (0_u32..).zip(&**fixed) {
        if moving[slot as usize] != PlacedMask::with_number(number) {
            return Err(InvariantViolation::Placement { slot });
        }
    }
    let mut free = vec![false; slots.len()];
    for &slot in &slots.free {
        let seen = free.get_mut(slot as usize).map(|free| std::mem::replace(free, true));
        if seen != Some(false) {
            return Err(InvariantViolation::Slots);
        }
    }
    let owned = (0_u32..).zip(&slots.owners).filter(|(_, owner)| **owner != 0);
    let parts: BTreeSet<(u32, u32)> = owned.map(|(slot, &owner)| (owner, slot)).collect();
    let is_free = slots.appearances.iter().map(|&appearance| appearance == NO_COLLIDER);
    if parts != slots.parts || !is_free.eq(free) {
        return Err(InvariantViolation::Slots);
    }
    Ok(())
}

/// Compares each placed mask with the state of its slot, and the index of run-time masks with the shapes.
fn validate_placement(scene: &Scene) -> Result<(), InvariantViolation> {
    let (placed, context) = (&scene.placed, scene.stock.context());
    let Slots { positions, angles, scales, moving, appearances, .. } = &placed.slots;
    for (slot, &appearance) in appearances.iter().enumerate() {
        let here = placed.slots.placed(slot);
        let is_right = if appearance == NO_COLLIDER {
            here.is_empty()
        } else {
            let pose = (positions[slot], angles[slot], scales[slot]);
            let found = context.find(placed.appearances.source(appearance), pose);
            let is_fixed = placed.appearances.get(appearance).fixed;
            found.is_ok_and(|found| found == here || found.is_empty() && here.is_empty())
                && if is_fixed { moving[slot].is_empty() } else { moving[slot] == here }
        };
        if !is_right {
            return Err(InvariantViolation::Placement { slot: slot as u32 });
        }
    }
    let shows = |slot: u32| match placed.appearances.get(appearances[slot as usize]).shape {
        ColliderShape::Mask(mask) => Some((mask, slot)),
        ColliderShape::Sprite(_) => None,
    };
    let masks: BTreeSet<_> = placed.slots.occupied().filter_map(shows).collect();
    if masks == placed.slots.shown_masks { Ok(()) } else { Err(InvariantViolation::Slots) }
}

/// Checks the order of the pair lists, and the events against the touching pairs.
pub(super) fn validate_pairs(lists: &PairLists) -> Result<(), InvariantViolation> {
    let key = |pair: &Pair| [pair.a.index(), pair.b.index()];
    for pairs in [&lists.touching, &lists.began, &lists.ended] {
        let ordered = pairs.windows(2).all(|two| key(&two[0]) < key(&two[1]));
        if !ordered || pairs.iter().any(|pair| pair.a.index() >= pair.b.index()) {
            return Err(InvariantViolation::Order);
        }
    }
    let touches = |pair: &Pair| {
        let found = lists.touching.binary_search_by_key(&key(pair), key);
        found.is_ok_and(|at| lists.touching[at] == *pair)
    };
    let stayed = lists.stayed().count();
    if stayed + lists.began.len() != lists.touching.len()
        || !lists.began.iter().all(touches)
        || lists.ended.iter().any(touches)
    {
        return Err(InvariantViolation::Events);
    }
    Ok(())
}

/// Compares the index with the boxes of unchanged colliders.
fn validate_index(scene: &Scene, index: &BoxIndex) -> Result<(), InvariantViolation> {
    if scene.changes.dirty.slots().is_none() {
        return Ok(());
    }
    let mut indexed = vec![false; scene.placed.slots.len()];
    for tree in index.trees() {
        let leaves = tree.leaves();
        for (at, &slot) in leaves.ids.iter().enumerate().filter(|(_, slot)| **slot != u32::MAX) {
            if scene.changes.dirty.contains(slot) {
                continue;
            }
            let rect = scene.placed.slots.rect(slot as usize);
            let there = [leaves.x0[at], leaves.y0[at], leaves.x1[at], leaves.y1[at]];
            if [rect.x0, rect.y0, rect.x1, rect.y1] != there {
                return Err(InvariantViolation::Index { slot });
            }
            indexed[slot as usize] = true;
        }
    }
    for (slot, indexed) in (0..).zip(indexed) {
        let missing = !indexed && !scene.changes.dirty.contains(slot);
        if missing && !scene.placed.slots.rect(slot as usize).is_empty() {
            return Err(InvariantViolation::Index { slot });
        }
    }
    Ok(())
}

/// Colliders that each update of a debug build searches for. More find a defect sooner, and cost more.
const SEARCHED: usize = 8;

/// Searches for a few colliders as [`validate`] does for all: others in each tick. Costs nothing as long
/// as no query has packed what changed since the last update.
pub(crate) fn validate_some(search: Search<'_>) -> Result<(), InvariantViolation> {
    let Changes { dirty, displaced, .. } = &search.scene.changes;
    let slots = &search.scene.placed.slots;
    if !displaced.are_found() || slots.len() == 0 {
        return Ok(());
    }
    let first = dirty.slots().map_or(0, <[u32]>::len);
    let chosen = (0..SEARCHED).map(|i| (first + i * slots.len() / SEARCHED) % slots.len());
    let taken = chosen.filter(|&slot| slots.appearances[slot] != NO_COLLIDER);
    validate_search(search, taken.map(|slot| slot as u32))
}

/// Searches for the colliders in these slots, each in its box.
fn validate_search(
    search: Search<'_>,
    slots: impl Iterator<Item = u32>,
) -> Result<(), InvariantViolation> {
    for slot in slots {
        let rect = search.scene.placed.slots.rect(slot as usize);
        let mut visits = 0;
        let _: ControlFlow<()> = search.visit_near(rect, |found| {
            visits += u32::from(found == slot);
            ControlFlow::Continue(())
        });
        if visits != u32::from(!rect.is_empty()) {
            return Err(InvariantViolation::Index { slot });
        }
    }
    Ok(())
}
