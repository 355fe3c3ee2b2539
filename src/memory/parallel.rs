//! Parallel loops: the only module that knows whether threads exist. With the feature `rayon` work
//! is spread over its pool; without it the same calls run in sequence. Results are in order either
//! way.
//!
//! Used by `broad`, `scene`, `update`, `motion` and the builder. [`join`] is the only place that calls rayon for work. All
//! other functions go through [`for_each_index`], which takes a function by reference: rayon's
//! recursion is compiled once for the crate, not once per caller.
//!
//! Invariant: no result depends on the number of threads.

use std::ops::Range;
#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Upper bound on threads: beyond it, synchronisation costs more than it saves.
pub(crate) const MAX_THREADS: usize = 16;

/// Parts that [`share`] hands out in one batch, kept on the stack.
const PARTS_PER_BATCH: usize = 64;

/// Pieces of a [`map`] per thread. More pieces balance uneven items better, but each takes a lock.
const MAP_PIECES_PER_THREAD: usize = 16;

/// Returns the number of threads, and starts rayon's global pool outside of a pool.
#[cfg(feature = "rayon")]
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "rayon"))]
pub(crate) const fn threads() -> usize {
    1
}

/// Returns the number of threads to use for `items`, given how many items repay waking one more
/// thread. Starts no pool where the calling thread is enough.
pub(crate) fn threads_for(items: usize, each: usize) -> usize {
    #[cfg(test)]
    if USES_ALL_THREADS.get() {
        return threads().min(MAX_THREADS);
    }
    match (items / each).min(MAX_THREADS) {
        0 | 1 => 1,
        wanted => wanted.min(threads()),
    }
}

#[cfg(test)]
thread_local! {
    /// Set by tests of small inputs: on this thread all work repays every thread.
    pub(crate) static USES_ALL_THREADS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Returns `f` of each item, in order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() <= 1 {
        return items.iter().map(f).collect();
    }
    let size = items.len().div_ceil(MAP_PIECES_PER_THREAD * threads()).max(1);
    let pieces: Vec<(&[T], Mutex<Vec<R>>)> =
        items.chunks(size).map(|piece| (piece, Mutex::default())).collect();
    for_each_index(0..pieces.len(), &|at| {
        let (items, mapped) = &pieces[at];
        // Computed before the lock: a thread that holds a lock must not wait for other work.
        let answers = items.iter().map(&f).collect();
        *mapped.lock().unwrap_or_else(PoisonError::into_inner) = answers;
    });
    let mut all = Vec::with_capacity(items.len());
    for (_, mapped) in pieces {
        all.append(&mut mapped.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    all
}

/// Gives each of `workers` a part of `whole`, in order. `split` divides a part between two groups
/// of workers; `run` processes the part of one worker. Allocates nothing.
pub(crate) fn share<T: Send, W: Send>(
    workers: &mut [W],
    whole: T,
    split: &impl Fn(T, &[W], &[W]) -> (T, T),
    run: &(impl Fn(&mut W, T) + Sync),
) {
    match workers {
        [] => {}
        [worker] => run(worker, whole),
        _ if workers.len() > PARTS_PER_BATCH => {
            let (left, right) = workers.split_at_mut(workers.len() / 2);
            let (first, second) = split(whole, left, right);
            share(left, first, split, run);
            share(right, second, split, run);
        }
        _ => {
            let mut parts = [const { WorkerPart(Mutex::new(None)) }; PARTS_PER_BATCH];
            let parts = &mut parts[..workers.len()];
            split_parts(workers, whole, split, parts);
            let parts = &*parts;
            for_each_index(0..parts.len(), &|at| {
                if let Some((worker, part)) = parts[at].take() {
                    run(worker, part);
                }
            });
        }
    }
}

/// A worker and its part, taken by the thread that runs it.
struct WorkerPart<'w, W, T>(Mutex<Option<(&'w mut W, T)>>);

impl<'w, W, T> WorkerPart<'w, W, T> {
    fn take(&self) -> Option<(&'w mut W, T)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Divides `whole` among the workers, one entry of `parts` each.
fn split_parts<'w, T, W>(
    workers: &'w mut [W],
    whole: T,
    split: &impl Fn(T, &[W], &[W]) -> (T, T),
    parts: &mut [WorkerPart<'w, W, T>],
) {
    if let [worker] = workers {
        parts[0] = WorkerPart(Mutex::new(Some((worker, whole))));
        return;
    }
    let (left, right) = workers.split_at_mut(workers.len() / 2);
    let (first, second) = split(whole, left, right);
    let (parts, others) = parts.split_at_mut(left.len());
    split_parts(left, first, split, parts);
    split_parts(right, second, split, others);
}

/// Calls `run` with each of `workers`. Allocates nothing.
pub(crate) fn each<W: Send>(workers: &mut [W], run: &(impl Fn(&mut W) + Sync)) {
    share(workers, (), &|(), _, _| ((), ()), &|worker, ()| run(worker));
}

/// Calls `run` with each number of the range, on the threads that are free.
fn for_each_index(numbers: Range<usize>, run: &(dyn Fn(usize) + Sync)) {
    match numbers.len() {
        0 => {}
        1 => run(numbers.start),
        len => {
            let middle = numbers.start + len / 2;
            let (first, second) = (numbers.start..middle, middle..numbers.end);
            join(|| for_each_index(first, run), || for_each_index(second, run));
        }
    }
}

#[cfg(feature = "rayon")]
pub(crate) fn join(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    PENDING.fetch_add(1, Ordering::Relaxed);
    // rayon runs this even if `first` panics, so the counter stays balanced.
    let second = || {
        PENDING.fetch_sub(1, Ordering::Relaxed);
        second();
    };
    rayon::join(first, second);
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}

/// Runs `f` on a thread of the pool, so that each [`share`] inside starts without waking a thread
/// and waiting for it.
///
/// With more than 1 thread, a second thread stays awake meanwhile and runs the work that `f`
/// offers. Waking a thread takes about 50 microseconds, and a thread would otherwise sleep between
/// two pieces of work.
#[cfg(feature = "rayon")]
pub(crate) fn within<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    if threads <= 1 {
        return f();
    }
    let (mut f, mut answer) = (Some(f), None);
    run_within(&mut || answer = f.take().map(|f| f()));
    answer.expect("the function was run")
}

/// As [`within`], for a function that stores its result itself; compiled once.
#[cfg(feature = "rayon")]
fn run_within(f: &mut (dyn FnMut() + Send)) {
    /// Stops the second thread when dropped, also where `f` panics.
    struct SignalDone<'d>(&'d AtomicBool);
    impl Drop for SignalDone<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    let done = AtomicBool::new(false);
    let run = || {
        let _signal = SignalDone(&done);
        f();
    };
    rayon::join(run, || stay_awake(&done, &PENDING));
}

/// Runs offered work until `done`, or until nothing was offered for about 0.1 ms.
///
/// This function must not wait for `done` alone. A thread that waits for work runs any other work,
/// this function included. If `done` then depended on work that began earlier on this thread,
/// neither would continue.
///
/// Work that this module did not offer is left alone: the program's own work may take long, and `f`
/// would wait for it.
#[cfg(feature = "rayon")]
fn stay_awake(done: &AtomicBool, offered: &AtomicUsize) {
    let mut idle = 0;
    while idle < MAX_IDLE_YIELDS && !done.load(Ordering::Acquire) {
        let any = offered.load(Ordering::Relaxed) > 0;
        if any && rayon::yield_now() == Some(rayon::Yield::Executed) {
            idle = 0;
        } else {
            idle += 1;
            std::thread::yield_now();
        }
    }
}

/// Number of idle yields before the thread may sleep: about 0.1 ms.
#[cfg(feature = "rayon")]
const MAX_IDLE_YIELDS: u32 = 300;

/// Number of offered pieces of work that no thread has begun.
#[cfg(feature = "rayon")]
static PENDING: AtomicUsize = AtomicUsize::new(0);

#[cfg(not(feature = "rayon"))]
pub(crate) fn within<R>(_: usize, f: impl FnOnce() -> R) -> R {
    f()
}

#[cfg(all(test, feature = "rayon"))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::time::Duration;

    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    #[test]
    fn within_runs_all_work_from_inside_and_outside_the_pool() {
        for threads in [1, 2, 3, 40] {
            let pool = pool(threads);
            let counted = AtomicUsize::new(0);
            let work = || {
                within(threads, || {
                    for _ in 0..20 {
                        each(&mut [1; 50], &|one| {
                            counted.fetch_add(*one, Ordering::Relaxed);
                        });
                    }
                    counted.load(Ordering::Relaxed)
                })
            };
            assert_eq!(pool.install(work), 1000);
            // From outside the pool, which uses the global pool, and from one pool within another.
            assert_eq!(work(), 2000);
            assert_eq!(pool.install(|| within(threads, work)), 3000);
        }
    }

    #[test]
    fn parallel_calls_of_within_finish_on_any_number_of_threads() {
        for threads in [2, 3, 5, 16, 33] {
            let counted = AtomicUsize::new(0);
            let pieces = || {
                each(&mut [1; 40], &|one| {
                    std::thread::yield_now();
                    counted.fetch_add(*one, Ordering::Relaxed);
                });
            };
            let rounds = || within(threads, || (0..10).for_each(|_| pieces()));
            pool(threads).install(|| {
                for _ in 0..20 {
                    rayon::join(rounds, || rayon::join(rounds, rounds));
                }
            });
            assert_eq!(counted.load(Ordering::Relaxed), 20 * 3 * 10 * 40);
        }
    }

    #[test]
    fn the_waiting_thread_gives_up_where_nothing_is_offered_or_found() {
        let (ended, awaited) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for offered in [0, 1] {
                let (done, offered) = (AtomicBool::new(false), AtomicUsize::new(offered));
                pool(1).install(|| stay_awake(&done, &offered));
            }
            ended.send(())
        });
        awaited.recv_timeout(Duration::from_secs(60)).expect("the thread never stopped waiting");
    }

    #[test]
    fn the_waiting_thread_runs_other_work_only_while_something_is_offered() {
        for offered in [0, 1] {
            let (done, offers) = (AtomicBool::new(false), AtomicUsize::new(offered));
            let begun = Arc::new(AtomicUsize::new(0));
            let executed = pool(1).install(|| {
                let begins = begun.clone();
                rayon::spawn(move || _ = begins.fetch_add(1, Ordering::Relaxed));
                stay_awake(&done, &offers);
                begun.load(Ordering::Relaxed)
            });
            assert_eq!(executed, offered);
        }
    }

    #[test]
    fn a_panic_within_reaches_the_caller() {
        let fails = || catch_unwind(AssertUnwindSafe(|| within(3, || panic!("on purpose"))));
        assert!(pool(3).install(fails).is_err());
        assert!(pool(1).install(fails).is_err());
    }

    #[test]
    fn items_are_mapped_in_order_however_many_there_are() {
        for threads in [1, 3] {
            for count in [0, 1, 2, 47, 48, 1000] {
                let items: Vec<usize> = (0..count).collect();
                let doubled = pool(threads).install(|| map(&items, |item| item * 2));
                assert_eq!(doubled, items.iter().map(|item| item * 2).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn every_worker_gets_its_part_in_order_however_many_there_are() {
        for count in [0, 1, 2, 7, PARTS_PER_BATCH, PARTS_PER_BATCH + 1, 300] {
            let mut workers = vec![0..0; count];
            let split = |whole: Range<usize>, left: &[Range<usize>], _: &[Range<usize>]| {
                let middle = whole.start + 3 * left.len();
                (whole.start..middle, middle..whole.end)
            };
            share(&mut workers, 0..3 * count, &split, &|worker, part| *worker = part);
            let parts: Vec<Range<usize>> = (0..count).map(|at| 3 * at..3 * at + 3).collect();
            assert_eq!(workers, parts);
        }
    }

    #[test]
    fn few_items_get_one_thread_and_many_get_all() {
        pool(4).install(|| {
            let wanted =
                [0, 99, 100, 199, 200, 399, 400, 9000].map(|items| threads_for(items, 100));
            assert_eq!(wanted, [1, 1, 1, 1, 2, 3, 4, 4]);
        });
        pool(40).install(|| assert_eq!(threads_for(9000, 100), MAX_THREADS));
    }
}
