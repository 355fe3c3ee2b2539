//! The counting sort of keys by one digit, for radix sorts.

use crate::memory::vec_growth;

/// Upper bound on bits of a digit.
pub(super) const MAX_DIGIT_BITS: u32 = 11;

/// Sorts the keys of the pieces of `from` into `to` by `bits` bits from bit `low` up. Stable. `to`
/// is as long as all pieces together.
pub(super) fn counting_sort<'p>(
    from: impl Iterator<Item = &'p [u64]> + Clone,
    to: &mut [u64],
    counts: &mut Vec<u32>,
    [low, bits]: [u32; 2],
) {
    let mask = (1_usize << bits) - 1;
    let digit = |key: u64| (key >> low) as usize & mask;
    counts.clear();
    vec_growth::resize(counts, mask + 1, 0);
    let counts = &mut counts[..=mask];
    // Piece by piece: a flattened iterator tests for the end of its piece at each key.
    for piece in from.clone() {
        piece.iter().for_each(|&key| counts[digit(key)] += 1);
    }
    let mut start = 0;
    for count in &mut *counts {
        start += std::mem::replace(count, start);
    }
    for piece in from {
        for &key in piece {
            let next = &mut counts[digit(key)];
            to[*next as usize] = key;
            *next += 1;
        }
    }
}
