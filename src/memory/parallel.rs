//! The one place that knows whether there are threads: with the feature `rayon` work is spread
//! over its pool, without it the same calls run one after the other. Results come in order either
//! way, so that no answer depends on it.

#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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

/// Number of threads that so many items are worth, where `each` of them take a thread as long as it takes to
/// have another at work.
pub(crate) fn threads_for(items: usize, each: usize) -> usize {
    threads().min(MOST).min(items / each).max(1)
}

/// Threads that items are spread over at most: more are not worth what they wait for each other.
pub(crate) const MOST: usize = 16;

/// Runs `f` on a thread of the pool, so that what it shares needs no way into the pool and back for
/// each piece of work: from outside every [`share`] wakes a thread and waits for another.
///
/// Where `threads` are more than one, another stays awake meanwhile and takes up what `f` offers: waking one
/// takes some 50 microseconds, and between one piece of work and the next it would go to sleep.
#[cfg(feature = "rayon")]
pub(crate) fn within<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    /// However `f` ends.
    struct Ends<'d>(&'d AtomicBool);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Release);
        }
    }
    if threads <= 1 {
        return f();
    }
    let done = AtomicBool::new(false);
    let run = || {
        let _ends = Ends(&done);
        f()
    };
    rayon::join(run, || stay_awake(&done, &OFFERED)).0
}

/// Takes up what is offered until `done`, or until for some while nothing was.
///
/// It must not wait for `done` alone. A thread that waits for a piece of work takes up whatever there is, so also
/// this; if what `done` tells of in turn waits for something begun on this thread before, neither would ever go on.
/// Nor does it look for work that is not offered here: the program's own may take long, and `f` would wait for it.
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

/// Times that a thread yields while nothing is offered, before it may go to sleep: about a tenth of a millisecond.
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
    fn few_items_are_for_one_thread_and_many_for_all() {
        pool(4).install(|| {
            let wanted =
                [0, 99, 100, 199, 200, 399, 400, 9000].map(|items| threads_for(items, 100));
            assert_eq!(wanted, [1, 1, 1, 1, 2, 3, 4, 4]);
        });
        pool(40).install(|| assert_eq!(threads_for(9000, 100), MOST));
    }
}
