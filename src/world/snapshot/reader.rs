//! Cursor over the bytes of a snapshot.
//!
//! Used by `head` and `read`. Invariants: no call panics. A count is checked against the remaining
//! bytes before memory is allocated for it.

use crate::narrow::Accuracy;
use crate::world::id::MAX_GENERATION;
use crate::world::snapshot::SnapshotError;

/// Cursor over the bytes of a snapshot; `at` is the offset of the next unread byte.
pub(super) struct Reader<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) at: usize,
}

/// All accuracies, by their number in a snapshot.
pub(super) const ACCURACIES: [Accuracy; 3] = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact];

pub(super) type Result<T> = std::result::Result<T, SnapshotError>;

impl<'b> Reader<'b> {
    /// Returns the error for the field at the current offset.
    pub(super) fn corrupt<T>(&self, field: &'static str) -> Result<T> {
        Err(SnapshotError::Corrupt { field, offset: self.at })
    }

    /// Reads `len` bytes.
    pub(super) fn take(&mut self, len: usize, field: &'static str) -> Result<&'b [u8]> {
        match self.bytes[self.at..].get(..len) {
            Some(bytes) => {
                // At most the length of the snapshot.
                self.at = self.at.saturating_add(len);
                Ok(bytes)
            }
            None => self.corrupt(field),
        }
    }

    /// Reads a 32-bit number.
    pub(super) fn get(&mut self, field: &'static str) -> Result<u32> {
        let bytes = self.take(4, field)?;
        Ok(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    /// Reads a number below `end`.
    pub(super) fn below(&mut self, end: usize, field: &'static str) -> Result<u32> {
        let number = self.get(field)?;
        if (number as usize) < end { Ok(number) } else { self.corrupt_number(field) }
    }

    /// Reads a generation that an id can have.
    pub(super) fn generation(&mut self, field: &'static str) -> Result<u32> {
        let number = self.get(field)?;
        if number <= MAX_GENERATION { Ok(number) } else { self.corrupt_number(field) }
    }

    /// Returns the error for the 4-byte number that was just read.
    pub(super) fn corrupt_number<T>(&self, field: &'static str) -> Result<T> {
        Err(SnapshotError::Corrupt { field, offset: self.at.saturating_sub(4) })
    }

    /// Reads a number of items, each of which takes at least `least` bytes.
    pub(super) fn count(&mut self, least: usize, field: &'static str) -> Result<usize> {
        debug_assert_ne!(least, 0, "an item takes no bytes");
        let left = self.bytes.len().saturating_sub(self.at);
        let most = left.checked_div(least).unwrap_or_default();
        Ok(self.below(most.saturating_add(1), field)? as usize)
    }

    /// Reads a Boolean: 0 or 1.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool> {
        Ok(self.below(2, field)? == 1)
    }

    /// Reads the free places: every place whose `taken` is false, each once, in file order.
    pub(super) fn free(&mut self, taken: &[bool], field: &'static str) -> Result<Vec<u32>> {
        let mut taken = taken.to_vec();
        let wanted = taken.iter().filter(|&&taken| !taken).count();
        if self.get(field)? as usize != wanted {
            return self.corrupt_number(field);
        }
        let mut free = Vec::with_capacity(wanted);
        for _ in 0..wanted {
            let place = self.below(taken.len(), field)?;
            if std::mem::replace(&mut taken[place as usize], true) {
                return self.corrupt_number(field);
            }
            free.push(place);
        }
        Ok(free)
    }
}
