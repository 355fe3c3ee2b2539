//! A random number generator with a fixed algorithm, independent of any library's version.

/// A SplitMix64 generator (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns an integer from 0 to `end`, exclusive. `end` must not be 0.
    pub const fn below(&mut self, end: u32) -> u32 {
        (((self.bits() >> 32) * end as u64) >> 32) as u32
    }

    /// Returns an integer from `start` to `end`, exclusive.
    pub const fn within(&mut self, start: i32, end: i32) -> i32 {
        start + self.below((end - start) as u32) as i32
    }

    /// Returns a number from 0 to 1, exclusive.
    pub const fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }
}
