//! The one place that knows whether there are threads: with the feature `rayon` work is spread
//! over its pool, without it the same calls run one after the other. Results come in order either
//! way, so that no answer depends on it.

/// `f` of each item, in order.
#[cfg(feature = "rayon")]
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map(f).collect()
}

/// `f` of each item, in order.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map<T, R>(items: &[T], f: impl Fn(&T) -> R) -> Vec<R> {
    items.iter().map(f).collect()
}

/// Number of threads that work is spread over.
#[cfg(feature = "rayon")]
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Number of threads that work is spread over.
#[cfg(not(feature = "rayon"))]
pub(crate) const fn threads() -> usize {
    1
}

/// Cuts `items` into as many parts as there are `workers`, in order, and gives each its part;
/// answers come in order.
#[cfg(feature = "rayon")]
pub(crate) fn map_parts<T: Sync, W: Send, R: Send>(
    items: &[T],
    workers: &mut [W],
    f: impl Fn(&mut W, &[T]) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    if let [worker] = workers {
        return vec![f(worker, items)];
    }
    let part = items.len().div_ceil(workers.len()).max(1);
    workers.par_iter_mut().zip(items.par_chunks(part)).map(|(w, items)| f(w, items)).collect()
}

/// Gives all `items` to the one worker there is.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map_parts<T, W, R>(
    items: &[T],
    workers: &mut [W],
    f: impl Fn(&mut W, &[T]) -> R,
) -> Vec<R> {
    workers.iter_mut().take(1).map(|worker| f(worker, items)).collect()
}
