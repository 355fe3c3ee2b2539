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

/// Runs `f` on a thread of the pool, so that what it shares needs no way into the pool and back for
/// each piece of work: from outside every [`share`] wakes a thread and waits for another.
#[cfg(feature = "rayon")]
pub(crate) fn within<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    if threads() == 1 || rayon::current_thread_index().is_some() {
        f()
    } else {
        rayon::join(f, || ()).0
    }
}

/// Runs `f`.
#[cfg(not(feature = "rayon"))]
pub(crate) fn within<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Gives each of `workers` a part of `whole`, in order. `split` parts what two runs of workers
/// share between them; `run` does a worker's part. Allocates nothing.
pub(crate) fn share<T: Send, W: Send>(
    workers: &mut [W],
    whole: T,
    split: &(impl Fn(T, &[W], &[W]) -> (T, T) + Sync),
    run: &(impl Fn(&mut W, T) + Sync),
) {
    match workers {
        [] => {}
        [worker] => run(worker, whole),
        _ => {
            let (left, right) = workers.split_at_mut(workers.len() / 2);
            let (first, second) = split(whole, left, right);
            join(|| share(left, first, split, run), || share(right, second, split, run));
        }
    }
}

/// Runs each of `workers`. Allocates nothing.
pub(crate) fn each<W: Send>(workers: &mut [W], run: &(impl Fn(&mut W) + Sync)) {
    share(workers, (), &|(), _, _| ((), ()), &|worker, ()| run(worker));
}

/// Runs both, at the same time where a thread is free.
#[cfg(feature = "rayon")]
pub(crate) fn join(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    rayon::join(first, second);
}

/// Runs both.
#[cfg(not(feature = "rayon"))]
pub(crate) fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}
