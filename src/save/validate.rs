//! Check of a world's invariants, for tests and for hunting defects.
//!
//! The tests call [`validate`] after each operation. The reader of snapshots calls
//! [`validate_pairs`].
//!
//! Invariants: the check changes nothing. Each variant of [`InvariantViolation`] stands for
//! one invariant.

use crate::scene::slots::{NO_COLLIDER, Slots};
use crate::scene::{ColliderShape, Pair, PlaceContext, PlacedMask, Scene};
use crate::update::box_index::BoxIndex;
use crate::update::{PairLists, Updater};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

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
    /// equal lengths. The indices of owners and of shown masks match them.
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
    /// last update.
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
    let slots = &scene.slots;
    let Slots { generations, positions, angles, scales, moving, fixed, .. } = slots;
    let lengths = [generations.len(), positions.len(), angles.len(), scales.len(), moving.len()];
    let last = fixed.last_key_value().map_or(0, |(&slot, _)| slot as usize + 1);
    if lengths != [slots.len(); 5] || last > slots.len() {
        return Err(InvariantViolation::Slots);
    }
    let owned = (0_u32..).zip(&slots.owners).filter(|(_, owner)| **owner != 0);
    if slots.owners.len() > slots.len()
        || !owned.map(|(slot, &owner)| (owner, slot)).collect::<BTreeSet<_>>().eq(&slots.parts)
    {
        return Err(InvariantViolation::Slots);
    }
    let mut free = vec![false; slots.len()];
    for &slot in &slots.free {
        let seen = free.get_mut(slot as usize).map(|free| std::mem::replace(free, true));
        if seen != Some(false) {
            return Err(InvariantViolation::Slots);
        }
    }
    let context = PlaceContext::new(&scene.atlas, &scene.poses, &scene.masks);
    for (slot, free) in (0_u32..).zip(free) {
        let at = slot as usize;
        let appearance = slots.appearances[at];
        if free != (appearance == NO_COLLIDER) {
            return Err(InvariantViolation::Slots);
        }
        let fixed = slots.fixed.get(&slot).copied().unwrap_or_default();
        let stored = [slots.moving[at], fixed];
        if free {
            if stored.iter().any(|placed| !placed.is_empty()) {
                return Err(InvariantViolation::Placement { slot });
            }
            continue;
        }
        let pose = (slots.positions[at], slots.angles[at], slots.scales[at]);
        let placed = PlacedMask::find(&context, scene.appearances.source(appearance), pose);
        let is_fixed = scene.appearances.get(appearance).fixed;
        let right = placed.is_ok_and(|placed| {
            let same =
                placed == slots.placed(at) || placed.is_empty() && slots.placed(at).is_empty();
            same && stored[usize::from(!is_fixed)].is_empty()
        });
        if !right {
            return Err(InvariantViolation::Placement { slot });
        }
    }
    let masked = slots.occupied().filter_map(|slot| {
        let appearance = scene.appearances.get(slots.appearances[slot as usize]);
        let ColliderShape::Mask(mask) = appearance.shape else { return None };
        Some((mask.index(), slot))
    });
    if !masked.collect::<BTreeSet<_>>().eq(&scene.masks.shown) {
        return Err(InvariantViolation::Slots);
    }
    validate_pairs(&updater.pairs)?;
    validate_index(scene, &updater.finder.index)
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
    if scene.dirty.slots().is_none() {
        return Ok(());
    }
    let mut indexed = vec![false; scene.slots.len()];
    for tree in index.trees() {
        let leaves = tree.leaves();
        for (at, &slot) in leaves.ids.iter().enumerate().filter(|(_, slot)| **slot != u32::MAX) {
            if scene.dirty.contains(slot) {
                continue;
            }
            let rect = scene.slots.rect(slot as usize);
            let there = [leaves.x0[at], leaves.y0[at], leaves.x1[at], leaves.y1[at]];
            if [rect.x0, rect.y0, rect.x1, rect.y1] != there {
                return Err(InvariantViolation::Index { slot });
            }
            indexed[slot as usize] = true;
        }
    }
    for (slot, indexed) in (0..).zip(indexed) {
        let missing = !indexed && !scene.dirty.contains(slot);
        if missing && !scene.slots.rect(slot as usize).is_empty() {
            return Err(InvariantViolation::Index { slot });
        }
    }
    Ok(())
}
