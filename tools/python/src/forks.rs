//! Forked processes. Bakes and updates share the threads of rayon's pool, and a child has none of them.
//!
//! Invariants: in a child, each thread does all work of its calls itself, as the only thread of a pool of its
//! own. A bake that another thread runs while the process forks leaves locks behind, so the child bakes no more.

use crate::errors::{Kind, raise};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Whether this process was forked since the package was imported.
static IS_FORKED: AtomicBool = AtomicBool::new(false);
/// The number of bakes that run.
static BAKES: AtomicUsize = AtomicUsize::new(0);
/// Whether a bake ran while this process was forked.
static LOST_BAKE: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread has a pool of its own.
    static WORKS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Has Python call this module in each child of a fork, where the system has forks.
pub(crate) fn register(py: Python<'_>) -> PyResult<()> {
    let Ok(register) = py.import("os")?.getattr("register_at_fork") else { return Ok(()) };
    let in_child = PyCFunction::new_closure(py, None, None, |_, _| {
        IS_FORKED.store(true, Ordering::Relaxed);
        LOST_BAKE.fetch_or(BAKES.load(Ordering::Relaxed) > 0, Ordering::Relaxed);
    })?;
    let arguments = PyDict::new(py);
    arguments.set_item("after_in_child", in_child)?;
    register.call((), Some(&arguments)).map(|_| ())
}

/// Prepares the calling thread for work that may use the pool. Each call that may do so begins with this.
#[inline]
pub(crate) fn prepare() -> PyResult<()> {
    if IS_FORKED.load(Ordering::Relaxed) { work_alone() } else { Ok(()) }
}

/// Returns whether this process was forked.
pub(crate) fn is_child() -> bool {
    IS_FORKED.load(Ordering::Relaxed)
}

#[cold]
fn work_alone() -> PyResult<()> {
    if WORKS_ALONE.get() {
        return Ok(());
    }
    // The pool of a thread is never freed: some KB for each thread of a child that calls hitmask.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.map(|pool| {
        std::mem::forget(pool);
        WORKS_ALONE.set(true);
    })
    .map_err(|_| {
        let help = "fork outside of a function that hitmask calls back, or start processes by the method \"spawn\"";
        raise(Kind::State, "the process was forked inside a bake, whose threads the child lacks", help)
    })
}

/// A bake that runs.
pub(crate) struct RunningBake(());

impl RunningBake {
    /// Refuses a bake in a child that may wait for ever for a lock.
    pub(crate) fn begin() -> PyResult<Self> {
        if LOST_BAKE.load(Ordering::Relaxed) {
            let help = "fork while no thread bakes, or start processes by the method \"spawn\"";
            return Err(raise(
                Kind::State,
                "the process was forked while another thread baked, and the locks of that bake stay closed",
                help,
            ));
        }
        prepare()?;
        BAKES.fetch_add(1, Ordering::Relaxed);
        Ok(Self(()))
    }
}

impl Drop for RunningBake {
    fn drop(&mut self) {
        BAKES.fetch_sub(1, Ordering::Relaxed);
    }
}
