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
