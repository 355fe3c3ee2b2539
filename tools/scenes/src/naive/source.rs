//! Numbers from a seed, or from the bytes of a fuzzer.

use crate::Random;

/// A source of numbers: endless from a seed, or as long as some bytes are.
#[derive(Clone, Debug)]
pub enum Source<'a> {
    /// The numbers of a generator.
    Seed(Random),
    /// Each number takes the bytes that its range needs. After the last one all numbers are 0.
    Bytes(&'a [u8]),
}

impl Source<'_> {
    /// Returns true if all bytes are used up.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        matches!(self, Self::Bytes([]))
    }

    /// Returns 32 bits.
    pub fn bits(&mut self) -> u32 {
        match self {
            Self::Seed(random) => random.bits() as u32,
            Self::Bytes(_) => self.bytes(4),
        }
    }

    fn bytes(&mut self, count: usize) -> u32 {
        let Self::Bytes(bytes) = self else { return 0 };
        let (taken, rest) = bytes.split_at(count.min(bytes.len()));
        *bytes = rest;
        taken.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
    }

    /// Returns an integer from 0 to `end`, exclusive. `end` must not be 0.
    pub fn below(&mut self, end: u32) -> u32 {
        match self {
            Self::Seed(random) => random.below(end),
            Self::Bytes(_) => self.bytes(if end <= 1 << 8 { 1 } else { 2 }) % end,
        }
    }

    /// Returns an integer from `start` to `end`, exclusive.
    pub fn within(&mut self, start: i32, end: i32) -> i32 {
        start + self.below((end - start) as u32) as i32
    }

    /// Returns true once in `count` calls, on average.
    pub fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == count - 1
    }

    /// Returns one of several values, or `None` if there are none.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() {
            return None;
        }
        Some(all[self.below(all.len() as u32) as usize])
    }
}
