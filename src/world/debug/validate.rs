//! What is always true of a world, in a form that tests can ask for.

use crate::world::state::placement::{PlaceContext, PlacedMask};
use crate::world::state::slots::{NO_COLLIDER, Slots};
use crate::world::{Pair, World};
use std::borrow::Cow;
use std::fmt;

/// Something that is always true of a world, and was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvariantViolation {
    /// Each slot has a collider or is free, not both, and there is no state of another.
    Slots,
    /// A collider's look, pose and box are those that its state gives.
    Placement {
        /// The collider's slot.
        slot: u32,
    },
    /// Pairs are in order, each once.
    Order,
    /// Each touching pair began or stayed, and none that ended still touches.
    Events,
    /// What the index says of colliders that have not changed is so.
    Index {
        /// The collider's slot.
        slot: u32,
    },
}

impl fmt::Display for InvariantViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slots => {
                write!(f, "a slot is free and taken, or neither, or lacks part of its state")
            }
            Self::Placement { slot } => write!(f, "slot {slot} is not placed as its state says"),
            Self::Order => write!(f, "pairs are out of order"),
            Self::Events => write!(f, "events do not match what touches"),
            Self::Index { slot } => write!(f, "the index has slot {slot} in another place"),
        }
    }
}

impl InvariantViolation {
    /// Returns what to do about the fault that `Display` tells of.
    #[must_use]
    pub fn help(&self) -> Cow<'static, str> {
        "report it: this is a defect".into()
    }
}

impl std::error::Error for InvariantViolation {}

impl World {
    /// Checks all that is always true of a world: for tests and for hunting defects. Takes as long
    /// as placing every collider anew.
    ///
    /// # Errors
    /// [`InvariantViolation`], the first thing found: a defect of this library.
    pub fn validate(&self) -> Result<(), InvariantViolation> {
        let slots = &self.slots;
        let Slots { generations, positions, angles, scales, moving, fixed, .. } = slots;
        let lengths =
            [generations.len(), positions.len(), angles.len(), scales.len(), moving.len()];
        let last = fixed.last_key_value().map_or(0, |(&slot, _)| slot as usize + 1);
        if lengths != [slots.len(); 5] || last > slots.len() {
            return Err(InvariantViolation::Slots);
        }
        let mut free = vec![false; slots.len()];
        for &slot in &slots.free {
            let seen = free.get_mut(slot as usize).map(|free| std::mem::replace(free, true));
            if seen != Some(false) {
                return Err(InvariantViolation::Slots);
            }
        }
        let context = PlaceContext::new(&self.atlas, &self.masks);
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
            let pose = (slots.positions[at], slots.angles[at].into(), slots.scales[at]);
            let placed = PlacedMask::find(&context, self.appearances.source(appearance), pose);
            let is_fixed = self.appearances.get(appearance).fixed;
            let right = placed.is_ok_and(|placed| {
                let same =
                    placed == slots.placed(at) || placed.is_empty() && slots.placed(at).is_empty();
                same && stored[usize::from(!is_fixed)].is_empty()
            });
            if !right {
                return Err(InvariantViolation::Placement { slot });
            }
        }
        self.validate_pairs()?;
        self.validate_index()
    }

    /// Pairs and events among themselves.
    pub(crate) fn validate_pairs(&self) -> Result<(), InvariantViolation> {
        let key = |pair: &Pair| [pair.a.index(), pair.b.index()];
        for pairs in [&self.touching, &self.began, &self.ended] {
            let ordered = pairs.windows(2).all(|two| key(&two[0]) < key(&two[1]));
            if !ordered || pairs.iter().any(|pair| pair.a.index() >= pair.b.index()) {
                return Err(InvariantViolation::Order);
            }
        }
        let touches = |pair: &Pair| {
            let found = self.touching.binary_search_by_key(&key(pair), key);
            found.is_ok_and(|at| self.touching[at] == *pair)
        };
        let stayed = self.stayed().count();
        if stayed + self.began.len() != self.touching.len()
            || !self.began.iter().all(touches)
            || self.ended.iter().any(touches)
        {
            return Err(InvariantViolation::Events);
        }
        Ok(())
    }

    /// The index against the boxes of those that have not changed since.
    fn validate_index(&self) -> Result<(), InvariantViolation> {
        if self.dirty.slots().is_none() {
            return Ok(());
        }
        let mut indexed = vec![false; self.slots.len()];
        for tree in [&self.finder.moving, &self.finder.fixed] {
            let leaves = tree.leaves();
            for (at, &slot) in leaves.ids.iter().enumerate().filter(|(_, slot)| **slot != u32::MAX)
            {
                if self.dirty.contains(slot) {
                    continue;
                }
                let rect = self.slots.rect(slot as usize);
                let there = [leaves.x0[at], leaves.y0[at], leaves.x1[at], leaves.y1[at]];
                if [rect.x0, rect.y0, rect.x1, rect.y1] != there {
                    return Err(InvariantViolation::Index { slot });
                }
                indexed[slot as usize] = true;
            }
        }
        for (slot, indexed) in (0..).zip(indexed) {
            let missing = !indexed && !self.dirty.contains(slot);
            if missing && !self.slots.rect(slot as usize).is_empty() {
                return Err(InvariantViolation::Index { slot });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
