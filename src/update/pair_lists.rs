//! The lists of touching pairs, and of those that began and ended.

use crate::memory::clone_fields::clone_fields;
use crate::scene::Pair;
use crate::scene::placed::Slots;

/// The pairs of the last update. Each list is in order of slots.
#[derive(Debug, Default)]
pub(crate) struct PairLists {
    pub(crate) touching: Vec<Pair>,
    /// The touching pairs of the update before, during an update of all pairs or with a filter.
    pub(crate) before: Vec<Pair>,
    pub(crate) began: Vec<Pair>,
    pub(crate) ended: Vec<Pair>,
    pub(crate) is_updated: bool,
}

clone_fields!([] PairLists { touching, began, ended, is_updated } scratch { before });

impl PairLists {
    /// Returns the pairs that touched at both of the last two updates, in order.
    pub(crate) fn stayed(&self) -> impl Iterator<Item = &Pair> {
        let mut began = self.began.iter().peekable();
        self.touching.iter().filter(move |pair| began.next_if_eq(pair).is_none())
    }

    pub(super) fn keep_before(&mut self) {
        self.before.clone_from(&self.touching);
    }

    /// Returns to the pairs of the last update.
    pub(super) fn take_back(&mut self) {
        std::mem::swap(&mut self.touching, &mut self.before);
        self.clear_events();
    }

    pub(super) fn clear_events(&mut self) {
        self.began.clear();
        self.ended.clear();
    }

    /// Returns true if pairs touch, or ended at the last update.
    pub(crate) const fn has_pairs(&self) -> bool {
        !(self.touching.is_empty() && self.ended.is_empty())
    }
}

/// Returns the sort key of a pair. It is unique: two pairs never have the same slots at one time.
#[inline(always)]
pub(crate) fn key(pair: &Pair) -> u64 {
    u64::from(pair.a.index()) << 32 | u64::from(pair.b.index())
}

/// Returns the pair of the present colliders in two slots, the lower first.
#[inline(always)]
pub(crate) fn pair_of(slots: &Slots, [a, b]: [u32; 2]) -> Pair {
    Pair { a: slots.id(a), b: slots.id(b) }
}
