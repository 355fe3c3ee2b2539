//! Pairs in the order in which they leave: by the smaller id, then by the greater.
//!
//! Two counting sorts, by the greater id and then by the smaller: ids are small and dense, which a
//! comparing sort does not know, and no branch depends on a pair.

use crate::world::room;

/// What ordering needs besides. Kept between updates, for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    next: Vec<u32>,
    other: Vec<[u32; 2]>,
}

impl Order {
    /// Replaces the contents of `pairs` by those of `parts`, in order of ids. In each pair the
    /// smaller id comes first; all are below `ids`.
    pub(crate) fn by_ids<'p>(
        &mut self,
        parts: impl Iterator<Item = &'p [[u32; 2]]> + Clone,
        ids: usize,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        pairs.clear();
        room::resize(pairs, parts.clone().map(<[_]>::len).sum(), [0; 2]);
        if u32::try_from(pairs.len()).is_err() {
            // More than can be counted in 32 bits: rare, and slow anyhow.
            let all = parts.flatten().copied();
            pairs.iter_mut().zip(all).for_each(|(pair, one)| *pair = one);
            return pairs.sort_unstable();
        }
        let Self { next, other } = self;
        room::resize(other, pairs.len(), [0; 2]);
        counting_sort(parts, other, ids, next, 1);
        counting_sort(std::iter::once(&other[..]), pairs, ids, next, 0);
    }

    /// Puts `pairs` in order of ids, likewise.
    pub(super) fn sort(&mut self, ids: usize, pairs: &mut [[u32; 2]]) {
        if u32::try_from(pairs.len()).is_err() {
            return pairs.sort_unstable();
        }
        let Self { next, other } = self;
        room::resize(other, pairs.len(), [0; 2]);
        counting_sort(std::iter::once(&*pairs), other, ids, next, 1);
        counting_sort(std::iter::once(&other[..]), pairs, ids, next, 0);
    }

    #[cfg(test)]
    pub(super) fn heap(&self) -> usize {
        self.next.capacity() * 4 + self.other.capacity() * 8
    }
}

/// Stably sorts what is in `from` into `to`, of the same length, by one of its ids.
fn counting_sort<'p>(
    from: impl Iterator<Item = &'p [[u32; 2]]> + Clone,
    to: &mut [[u32; 2]],
    ids: usize,
    next: &mut Vec<u32>,
    by: usize,
) {
    next.clear();
    room::resize(next, ids, 0);
    let next = &mut next[..];
    for part in from.clone() {
        for pair in part {
            next[pair[by] as usize] += 1;
        }
    }
    let mut start = 0;
    for next in &mut *next {
        start += std::mem::replace(next, start);
    }
    for part in from {
        for &pair in part {
            let next = &mut next[pair[by] as usize];
            to[*next as usize] = pair;
            *next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_come_in_the_order_of_a_plain_sort(
            pairs in prop::collection::vec((0_u32..14, 14_u32..90), 0..400),
            part in 1_usize..50,
        ) {
            let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            let mut truth = pairs.clone();
            truth.sort_unstable();
            let mut order = Order { next: vec![7], other: vec![[9, 9]] };
            let mut ordered = vec![[5, 5]];
            order.by_ids(pairs.chunks(part), 90, &mut ordered);
            prop_assert_eq!(ordered, truth);
        }
    }
}
