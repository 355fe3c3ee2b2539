//! Loops over every core. In a browser, which has no threads here, the same loops run in sequence.

/// Runs work on every core or on one.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    #[cfg(not(target_family = "wasm"))]
    one: Option<rayon::ThreadPool>,
}

#[cfg(not(target_family = "wasm"))]
impl Threads {
    /// Switches between every core and one. Stays at every core if no thread can be started.
    pub(crate) fn toggle(&mut self) {
        self.one = match self.one {
            Some(_) => None,
            None => rayon::ThreadPoolBuilder::new().num_threads(1).build().ok(),
        };
    }

    /// Returns the number of threads in use.
    pub(crate) fn count(&self) -> usize {
        self.one.as_ref().map_or_else(rayon::current_num_threads, |_| 1)
    }

    /// Runs `work` so that its loops use the chosen number of threads.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.one {
            Some(one) => one.install(work),
            None => work(),
        }
    }
}

#[cfg(target_family = "wasm")]
impl Threads {
    /// Does nothing: there is one thread.
    pub(crate) fn toggle(&mut self) {}

    /// Returns 1.
    pub(crate) fn count(&self) -> usize {
        1
    }

    /// Runs `work`.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}

/// Calls `work` for each item with its index, on every thread of the current pool.
pub(crate) fn for_each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    #[cfg(not(target_family = "wasm"))]
    {
        use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
        items.par_iter_mut().enumerate().for_each(|(i, item)| work(i, item));
    }
    #[cfg(target_family = "wasm")]
    items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
}

/// Returns the number of pieces that balance work over the threads of the current pool.
pub(crate) fn pieces() -> usize {
    #[cfg(not(target_family = "wasm"))]
    return 4 * rayon::current_num_threads();
    #[cfg(target_family = "wasm")]
    return 1;
}
