//! Prefetch hints for items that are read or written soon, in an order that the hardware does not
//! predict.
//!
//! Hints target the L2 cache. The L1 cache has room for far fewer lines in flight: with hints into
//! L1, building a million boxes takes as long as without hints. Targets other than x86-64 have no
//! hints; results are the same.

use super::aligned_words::LINE_WORDS;

/// Arrays up to this many bytes stay in the L2 cache, where hints cost more than they save.
const L2_BYTES: usize = 1 << 20;

const LINE_BYTES: usize = size_of::<[u64; LINE_WORDS]>();

/// Tests whether hints save time for items of `bytes` in total.
pub(crate) const fn pays(bytes: usize) -> bool {
    bytes > L2_BYTES
}

/// Returns `far`, or a distance beyond all items where prefetching `bytes` does not pay.
pub(crate) const fn ahead(far: usize, bytes: usize) -> usize {
    if pays(bytes) { far } else { usize::MAX / 2 }
}

/// Prefetches the item at `at`, if it exists.
#[inline(always)]
pub(crate) fn item<T>(items: &[T], at: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    if let Some(item) = items.get(at) {
        safe_arch::prefetch_t2(item);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = (items, at);
}

/// Prefetches up to `count` items from `start` on, with one hint per cache line.
#[inline(always)]
pub(crate) fn items<T>(all: &[T], start: usize, count: usize) {
    let per_line =
        const { LINE_BYTES / if size_of::<T>() == 0 { LINE_BYTES } else { size_of::<T>() } };
    (start..start + count).step_by(per_line).for_each(|at| item(all, at));
}
