//! Prefetching: hints that an item will be read or written soon, for orders that the machine does not foresee.
//!
//! Into the second cache, not the first, which has room for far fewer lines that are on their way: with hints
//! into the first, building a million boxes takes as long as without. On machines other than x86-64
//! there are no hints, and the answers are the same.

/// Items of so many bytes in all are in the second cache anyhow: hints take longer than they save.
const NEAR: usize = 1 << 20;

/// How far ahead to prefetch items that take `bytes` in all: `far`, or beyond all of them.
pub(super) const fn ahead(far: usize, bytes: usize) -> usize {
    if bytes > NEAR { far } else { usize::MAX / 2 }
}

/// Prefetches the item at `at`, if there is one.
#[inline(always)]
pub(super) fn item<T>(items: &[T], at: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    if let Some(item) = items.get(at) {
        safe_arch::prefetch_t2(item);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = (items, at);
}
