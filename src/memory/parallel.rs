//! The one module that knows whether there are threads. With the feature `rayon` work is spread over
//! its pool; without it the same calls run one after the other. Results come in order either way, so
//! no answer depends on it.
//!
//! [`join`] is the only place that calls rayon. Everything else goes through [`at_once`], which takes a
//! function by reference: rayon's recursion is compiled once for the crate and not once a caller.

use std::ops::Range;
#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Upper bound on threads: beyond it, synchronisation costs more than it saves.
pub(crate) const MOST: usize = 16;

/// Parts that [`share`] hands out together. They lie on the stack.
const PARTS: usize = 64;

/// Pieces of a [`map`] for each thread. More balance uneven items better; each takes a lock.
const PIECES: usize = 16;

/// Number of threads that work may be spread over.
#[cfg(feature = "rayon")]
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Number of threads that work may be spread over.
#[cfg(not(feature = "rayon"))]
pub(crate) const fn threads() -> usize {
    1
}

/// Returns the number of threads to use for `items`, given how many items repay waking one more
/// thread.
pub(crate) fn threads_for(items: usize, each: usize) -> usize {
    threads().min(MOST).min(items / each).max(1)
}

/// Returns `f` of each item, in order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let size = items.len().div_ceil(PIECES * threads()).max(1);
    let pieces: Vec<(&[T], Mutex<Vec<R>>)> =
        items.chunks(size).map(|piece| (piece, Mutex::default())).collect();
    at_once(0..pieces.len(), &|at| {
        let (items, mapped) = &pieces[at];
        // Before the lock: a thread that holds one must not wait for other work.
        let answers = items.iter().map(&f).collect();
        *mapped.lock().unwrap_or_else(PoisonError::into_inner) = answers;
    });
    let mut all = Vec::with_capacity(items.len());
    for (_, mapped) in pieces {
        all.append(&mut mapped.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    all
}

/// Gives each of `workers` a part of `whole`, in order. `split` divides what two runs of workers
/// share between them; `run` does the part of one worker. Allocates nothing.
pub(crate) fn share<T: Send, W: Send>(
    workers: &mut [W],
    whole: T,
    split: &impl Fn(T, &[W], &[W]) -> (T, T),
    run: &(impl Fn(&mut W, T) + Sync),
) {
    match workers {
        [] => {}
        [worker] => run(worker, whole),
        _ if workers.len() > PARTS => {
            let (left, right) = workers.split_at_mut(workers.len() / 2);
            let (first, second) = split(whole, left, right);
            share(left, first, split, run);
            share(right, second, split, run);
        }
        _ => {
            let mut parts = [const { Part(Mutex::new(None)) }; PARTS];
            let parts = &mut parts[..workers.len()];
            cut(workers, whole, split, parts);
            let parts = &*parts;
            at_once(0..parts.len(), &|at| {
                if let Some((worker, part)) = parts[at].take() {
                    run(worker, part);
                }
            });
        }
    }
}

/// A worker and its part, taken by whichever thread runs it.
struct Part<'w, W, T>(Mutex<Option<(&'w mut W, T)>>);

impl<'w, W, T> Part<'w, W, T> {
    fn take(&self) -> Option<(&'w mut W, T)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Divides `whole` among the workers, of which there is at least one and as many as `parts`.
fn cut<'w, T, W>(
    workers: &'w mut [W],
    whole: T,
    split: &impl Fn(T, &[W], &[W]) -> (T, T),
    parts: &mut [Part<'w, W, T>],
) {
    if let [worker] = workers {
        parts[0] = Part(Mutex::new(Some((worker, whole))));
        return;
    }
    let (left, right) = workers.split_at_mut(workers.len() / 2);
    let (first, second) = split(whole, left, right);
    let (parts, others) = parts.split_at_mut(left.len());
    cut(left, first, split, parts);
    cut(right, second, split, others);
}

/// Runs each of `workers`. Allocates nothing.
pub(crate) fn each<W: Send>(workers: &mut [W], run: &(impl Fn(&mut W) + Sync)) {
    share(workers, (), &|(), _, _| ((), ()), &|worker, ()| run(worker));
}

/// Calls `run` with each number of the range, on as many threads as are free.
fn at_once(numbers: Range<usize>, run: &(dyn Fn(usize) + Sync)) {
    match numbers.len() {
        0 => {}
        1 => run(numbers.start),
        len => {
            let middle = numbers.start + len / 2;
            let (first, second) = (numbers.start..middle, middle..numbers.end);
            join(|| at_once(first, run), || at_once(second, run));
        }
    }
}

/// Runs both, at the same time where a thread is free.
#[cfg(feature = "rayon")]
pub(crate) fn join(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    OFFERED.fetch_add(1, Ordering::Relaxed);
    // Begun in any case, even if `first` panics.
    let second = || {
        OFFERED.fetch_sub(1, Ordering::Relaxed);
        second();
    };
    rayon::join(first, second);
}

/// Runs both.
#[cfg(not(feature = "rayon"))]
pub(crate) fn join(first: impl FnOnce(), second: impl FnOnce()) {
    first();
    second();
}

/// Runs `f` on a thread of the pool, so that each [`share`] inside starts without waking a thread and
/// waiting for another.
///
/// With more than 1 thread, a second one stays awake meanwhile and takes what `f` offers. Waking a
/// thread takes about 50 microseconds, and between two pieces of work it would go to sleep.
#[cfg(feature = "rayon")]
pub(crate) fn within<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    if threads <= 1 {
        return f();
    }
    let (mut f, mut answer) = (Some(f), None);
    run_within(&mut || answer = f.take().map(|f| f()));
    answer.expect("the function was run")
}

/// The same for a function that keeps its answer: compiled once.
#[cfg(feature = "rayon")]
fn run_within(f: &mut (dyn FnMut() + Send)) {
    /// Ends the waiting of the second thread, however `f` ends.
    struct Ends<'d>(&'d AtomicBool);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    let done = AtomicBool::new(false);
    let run = || {
        let _ends = Ends(&done);
        f();
    };
    rayon::join(run, || stay_awake(&done, &OFFERED));
}

/// Takes up what is offered until `done`, or until nothing was offered for a while.
///
/// It must not wait for `done` alone. A thread that waits for a piece of work takes up any other,
/// also this one; if what `done` reports waits for something that began on this thread before, neither
/// would go on. It does not look for work that is not offered here either: the program's own work may
/// take long, and `f` would wait for it.
#[cfg(feature = "rayon")]
fn stay_awake(done: &AtomicBool, offered: &AtomicUsize) {
    let mut idle = 0;
    while idle < PATIENCE && !done.load(Ordering::Acquire) {
        let any = offered.load(Ordering::Relaxed) > 0;
        if any && rayon::yield_now() == Some(rayon::Yield::Executed) {
            idle = 0;
        } else {
            idle += 1;
            std::thread::yield_now();
        }
    }
}

/// Times that a thread yields while nothing is offered before it may sleep: about 0.1 ms.
#[cfg(feature = "rayon")]
const PATIENCE: u32 = 300;

/// Number of pieces of work that no thread has begun yet.
#[cfg(feature = "rayon")]
static OFFERED: AtomicUsize = AtomicUsize::new(0);

/// Runs `f`.
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
    fn work_within_is_done_from_inside_the_pool_and_from_outside() {
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
            // By the pool of all, and one within another.
            assert_eq!(work(), 2000);
            assert_eq!(pool.install(|| within(threads, work)), 3000);
        }
    }

    #[test]
    fn work_side_by_side_comes_to_an_end_on_any_number_of_threads() {
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
    fn who_stays_awake_gives_up_where_nothing_is_offered_or_nothing_found() {
        let (ended, awaited) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for offered in [0, 1] {
                let (done, offered) = (AtomicBool::new(false), AtomicUsize::new(offered));
                pool(1).install(|| stay_awake(&done, &offered));
            }
            ended.send(())
        });
        awaited.recv_timeout(Duration::from_secs(60)).expect("still awake");
    }

    #[test]
    fn who_stays_awake_leaves_the_programs_own_work_unless_something_is_offered() {
        for offered in [0, 1] {
            let (done, offers) = (AtomicBool::new(false), AtomicUsize::new(offered));
            let begun = Arc::new(AtomicUsize::new(0));
            let seen = pool(1).install(|| {
                let begins = begun.clone();
                rayon::spawn(move || _ = begins.fetch_add(1, Ordering::Relaxed));
                stay_awake(&done, &offers);
                begun.load(Ordering::Relaxed)
            });
            assert_eq!(seen, offered);
        }
    }

    #[test]
    fn a_panic_within_reaches_who_asked() {
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
        for count in [0, 1, 2, 7, PARTS, PARTS + 1, 300] {
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
    fn few_items_are_for_one_thread_and_many_for_all() {
        pool(4).install(|| {
            let wanted =
                [0, 99, 100, 199, 200, 399, 400, 9000].map(|items| threads_for(items, 100));
            assert_eq!(wanted, [1, 1, 1, 1, 2, 3, 4, 4]);
        });
        pool(40).install(|| assert_eq!(threads_for(9000, 100), MOST));
    }
}
