//! A fast hash of numbers, for maps whose keys come from the program itself.
//!
//! Used by `scene`. The hash is a product, which spreads adjacent numbers over all buckets.

use std::hash::{BuildHasherDefault, Hasher};

/// A map by numbers of 32 bits.
pub(crate) type NumberMap<V> = std::collections::HashMap<u32, V, BuildHasherDefault<NumberHasher>>;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        let product = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The map takes buckets from the low bits and tags from the highest ones.
        self.0 = product ^ product >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
