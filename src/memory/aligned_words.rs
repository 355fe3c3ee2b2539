//! A growing list of words whose first one starts a cache line.
//!
//! A `Vec` of aligned lines would be copied at every growth. A system can move an allocation without
//! a copy, but only one of default alignment. So up to seven words at the start are skipped.
//!
//! Invariant: the first word is on a cache line, or kernels would read two lines for one.

/// Words per cache line.
pub(crate) const LINE_WORDS: usize = 8;

/// The words, behind those that are skipped.
#[derive(Debug, Default)]
pub(crate) struct AlignedWords {
    words: Vec<u64>,
    skipped: usize,
}

impl AlignedWords {
    pub(crate) fn zeroed(len: usize) -> Self {
        let mut words = Self::default();
        words.resize(len);
        words
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.words[self.skipped..]
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [u64] {
        &mut self.words[self.skipped..]
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len() - self.skipped
    }

    pub(crate) fn capacity(&self) -> usize {
        self.words.capacity().saturating_sub(LINE_WORDS)
    }

    /// Grows the capacity to `capacity` words and no further, if it is smaller.
    pub(crate) fn reserve_exact(&mut self, capacity: usize) {
        let more = (capacity + LINE_WORDS).saturating_sub(self.words.len());
        self.words.reserve_exact(more);
        self.align();
    }

    /// Changes the length; new words are zero.
    pub(crate) fn resize(&mut self, len: usize) {
        self.reserve_exact(len);
        self.words.resize(self.skipped + len, 0);
    }

    pub(crate) fn extend_from_slice(&mut self, more: &[u64]) {
        self.reserve_exact(self.len() + more.len());
        self.words.extend_from_slice(more);
    }

    /// Moves the words to the first cache line of an allocation that has changed.
    fn align(&mut self) {
        let skipped = self.words.as_ptr().align_offset(size_of::<[u64; LINE_WORDS]>());
        if skipped == self.skipped {
            return;
        }
        let (before, len) = (self.skipped, self.len());
        self.words.resize(before.max(skipped) + len, 0);
        self.words.copy_within(before..before + len, skipped);
        self.words.truncate(skipped + len);
        self.skipped = skipped;
    }
}

impl Clone for AlignedWords {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.extend_from_slice(self.as_slice());
        clone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_aligned(words: &AlignedWords) {
        let place = words.as_slice().as_ptr().align_offset(size_of::<[u64; LINE_WORDS]>());
        assert!(words.len() == 0 || place == 0);
    }

    #[test]
    fn words_keep_their_values_and_start_a_cache_line_as_they_grow() {
        let (mut words, mut truth) = (AlignedWords::default(), Vec::new());
        // Allocations between the growths vary the addresses.
        let mut others = Vec::new();
        for i in 0..200_usize {
            match i % 3 {
                0 => {
                    words.resize(truth.len() + i);
                    truth.resize(truth.len() + i, 0);
                }
                1 => {
                    words.extend_from_slice(&[i as u64; 13]);
                    truth.extend_from_slice(&[i as u64; 13]);
                }
                _ => words.reserve_exact(truth.len() + 5 * i),
            }
            if let Some(last) = words.as_mut_slice().last_mut() {
                (*last, *truth.last_mut().unwrap()) = (i as u64, i as u64);
            }
            others.push(vec![0_u64; i]);
            assert_aligned(&words);
            assert_eq!(words.as_slice(), truth);
            let clone = words.clone();
            assert_aligned(&clone);
            assert_eq!(clone.as_slice(), truth);
        }
        assert!(words.capacity() >= words.len());
        assert_eq!(AlignedWords::zeroed(9).as_slice(), [0; 9]);
    }
}
