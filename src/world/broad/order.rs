//! Pairs in the order in which they leave: by the smaller id, then by the greater.
//!
//! Two counting sorts, by the greater id and then by the smaller: ids are small and dense, which a
//! comparing sort does not know, and no branch depends on a pair.

/// Sorts `pairs`, the smaller id first in each and all of them below `ids`. The other two are kept
/// for their memory.
pub(super) fn by_ids(
    pairs: &mut [[u32; 2]],
    ids: usize,
    next: &mut Vec<u32>,
    other: &mut Vec<[u32; 2]>,
) {
    if u32::try_from(pairs.len()).is_err() {
        // More than can be counted in 32 bits: rare, and slow anyhow.
        pairs.sort_unstable();
        return;
    }
    other.resize(pairs.len(), [0; 2]);
    counting_sort(pairs, other, ids, next, 1);
    counting_sort(other, pairs, ids, next, 0);
}

/// Stably sorts `from` into `to`, of the same length, by one of its ids.
fn counting_sort(
    from: &[[u32; 2]],
    to: &mut [[u32; 2]],
    ids: usize,
    next: &mut Vec<u32>,
    by: usize,
) {
    next.clear();
    next.resize(ids, 0);
    let next = &mut next[..];
    for pair in from {
        next[pair[by] as usize] += 1;
    }
    let mut start = 0;
    for next in &mut *next {
        start += std::mem::replace(next, start);
    }
    for &pair in from {
        let next = &mut next[pair[by] as usize];
        to[*next as usize] = pair;
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pairs_come_in_the_order_of_a_plain_sort(
            pairs in prop::collection::vec((0_u32..14, 14_u32..90), 0..400)
        ) {
            let mut pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            let mut truth = pairs.clone();
            truth.sort_unstable();
                by_ids(&mut pairs, 90, &mut vec![7], &mut vec![[9, 9]]);
            prop_assert_eq!(pairs, truth);
        }
    }
}
