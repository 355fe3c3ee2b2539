//! Pairs in the order in which they leave: by the smaller id, then by the greater.
//!
//! A counting sort by the smaller id, and then the few pairs of each id by the greater: ids are
//! small and dense, which a comparing sort does not know.

/// Pairs of one id that are put in order one by one. From some 20 on a sort is quicker.
const FEW: usize = 16;

/// Puts `pairs`, the smaller id first in each and all of them below `ids`, into `ordered`.
pub(super) fn by_ids(
    pairs: &[[u32; 2]],
    ids: usize,
    next: &mut Vec<u32>,
    ordered: &mut Vec<[u32; 2]>,
) {
    ordered.clear();
    if u32::try_from(pairs.len()).is_err() {
        // More than can be counted in 32 bits: rare, and slow anyhow.
        ordered.extend_from_slice(pairs);
        ordered.sort_unstable();
        return;
    }
    next.clear();
    next.resize(ids + 1, 0);
    for &[a, _] in pairs {
        next[a as usize] += 1;
    }
    let mut start = 0;
    for next in &mut *next {
        start += std::mem::replace(next, start);
    }
    ordered.resize(pairs.len(), [0; 2]);
    for &[a, b] in pairs {
        let next = &mut next[a as usize];
        ordered[*next as usize] = [a, b];
        *next += 1;
    }
    // Where an id's pairs went, its place is now their end.
    let mut start = 0;
    for &end in &*next {
        let these = &mut ordered[start..end as usize];
        start = end as usize;
        // None or one as a rule; and for a few a call costs more than their order.
        if these.len() > FEW {
            these.sort_unstable_by_key(|&[_, b]| b);
        } else {
            for i in 1..these.len() {
                let mut j = i;
                while j > 0 && these[j - 1] > these[j] {
                    these.swap(j - 1, j);
                    j -= 1;
                }
            }
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
            pairs in prop::collection::vec((0_u32..14, 14_u32..90), 0..400)
        ) {
            let pairs: Vec<[u32; 2]> = pairs.into_iter().map(|(a, b)| [a, b]).collect();
            let mut ordered = vec![[9, 9]];
            by_ids(&pairs, 90, &mut vec![7], &mut ordered);
            let mut truth = pairs;
            truth.sort_unstable();
            prop_assert_eq!(ordered, truth);
        }
    }
}
