//! Who changed since the last update: the index does not know where they are now.
//!
//! Told by every change of the world, asked by queries, cleared by the update.

/// Colliders that changed since the last update, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unsettled {
    slots: Vec<u32>,
    /// One bit for each slot that is in the list.
    listed: Vec<u64>,
    /// True where so many changed that they are not listed: all count as changed.
    all: bool,
}

impl Unsettled {
    /// `slot` changed.
    pub(crate) fn add(&mut self, slot: usize) {
        if self.all {
            return;
        }
        let word = slot / 64;
        if self.listed.len() <= word {
            self.listed.resize(word + 1, 0);
        }
        // More than one in eight: a list would be no shorter way than to look at all.
        if self.slots.len() > self.listed.len() * 8 + 64 {
            return self.add_all();
        }
        let bit = 1 << (slot % 64);
        if self.listed[word] & bit == 0 {
            self.listed[word] |= bit;
            self.slots.push(slot as u32);
        }
    }

    /// Very many changed.
    pub(crate) fn add_all(&mut self) {
        self.clear();
        self.all = true;
    }

    /// True where `slot` changed.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        let word = self.listed.get(slot as usize / 64).copied().unwrap_or(0);
        self.all || word >> (slot % 64) & 1 == 1
    }

    /// Those that changed; `None` where all count as changed.
    pub(crate) fn slots(&self) -> Option<&[u32]> {
        (!self.all).then_some(&self.slots)
    }

    /// Everything is where the index says.
    pub(crate) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.listed[slot as usize / 64] = 0;
        }
        self.all = false;
    }
}
