//! A pool of scratch objects that threads share.
//!
//! Used by `broad`, `update` and `scene`. The pool holds at most one object per
//! thread that ran at the same time, fewer than the pieces of work.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The objects that are not in use. A clone starts with an empty pool.
pub(crate) struct ObjectPool<T>(Mutex<Vec<T>>);

impl<T> ObjectPool<T> {
    /// Runs `run` with a pooled object, or with a new one from `make`.
    pub(crate) fn with<R>(&self, make: impl FnOnce() -> T, run: impl FnOnce(&mut T) -> R) -> R {
        let mut object = self.take().unwrap_or_else(make);
        let result = run(&mut object);
        self.put(object);
        result
    }

    /// Takes an object out of the pool, if there is one.
    pub(crate) fn take(&self) -> Option<T> {
        self.locked(Vec::pop)
    }

    pub(crate) fn put(&self, object: T) {
        self.locked(|free| free.push(object));
    }

    fn locked<R>(&self, run: impl FnOnce(&mut Vec<T>) -> R) -> R {
        run(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Default for ObjectPool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Clone for ObjectPool<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> fmt::Debug for ObjectPool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} free objects", self.locked(|free| free.len()))
    }
}
