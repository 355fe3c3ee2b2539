//! Prefetching: hints that an item will be read or written soon, for orders that the machine does not foresee.
//!
//! Into the second cache, not the first, which has room for far fewer lines that are on their way: with hints
//! into the first, building a million boxes takes as long as without. On machines other than x86-64
//! there are no hints, and the answers are the same.

/// Items of so many bytes in all are in the second cache anyhow: hints take longer than they save.
const NEAR: usize = 1 << 20;

/// Bytes of a line of memory.
const LINE: usize = 64;

/// True where hints save more than they take, of items that take `bytes` in all.
pub(crate) const fn pays(bytes: usize) -> bool {
    bytes > NEAR
}

/// How far ahead to prefetch items that take `bytes` in all: `far`, or beyond all of them.
pub(crate) const fn ahead(far: usize, bytes: usize) -> usize {
    if pays(bytes) { far } else { usize::MAX / 2 }
}

/// Prefetches the item at `at`, if there is one.
#[inline(always)]
pub(crate) fn item<T>(items: &[T], at: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    if let Some(item) = items.get(at) {
        safe_arch::prefetch_t2(item);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = (items, at);
}

/// Prefetches the `count` items at `start` and after it, as far as there are any: once for each line of memory.
#[inline(always)]
pub(crate) fn items<T>(all: &[T], start: usize, count: usize) {
    let of_a_line = const { LINE / if size_of::<T>() == 0 { LINE } else { size_of::<T>() } };
    (start..start + count).step_by(of_a_line).for_each(|at| item(all, at));
}
