//! A pair of ids as one number: the smaller id in its upper half, so that numbers are in the order of
//! pairs.

/// The key of two ids, of which either may be the smaller.
#[inline(always)]
pub(crate) fn key_of(a: u32, b: u32) -> u64 {
    let key = u64::from(a) << 32 | u64::from(b);
    // Less to do than to find the smaller and the greater id.
    key.min(key.rotate_left(32))
}

/// The ids of a key, the smaller first.
#[inline(always)]
pub(crate) const fn ids_of(key: u64) -> [u32; 2] {
    [(key >> 32) as u32, key as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_order_of_pairs_whichever_id_comes_first() {
        let pairs = [[0, 1], [0, u32::MAX], [1, 2], [1, u32::MAX - 1], [u32::MAX - 1, u32::MAX]];
        let keys = pairs.map(|[a, b]| key_of(a, b));
        assert!(keys.is_sorted());
        assert_eq!(keys.map(ids_of), pairs);
        assert_eq!(pairs.map(|[a, b]| key_of(b, a)), keys);
    }
}
