//! A pool of scratch objects that threads share.
//!
//! Used by `broad::pack` and by the pair finder of `world`. The pool holds at most one object per
//! thread that ran at the same time, fewer than the pieces of work.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The objects that are not in use. A clone starts with an empty pool.
pub(crate) struct ObjectPool<T>(Mutex<Vec<T>>);

impl<T> ObjectPool<T> {
    /// Runs `run` with a pooled object, or with a new one from `make`.
    pub(crate) fn with<R>(&self, make: impl FnOnce() -> T, run: impl FnOnce(&mut T) -> R) -> R {
        let free = self.locked(Vec::pop);
        let mut object = free.unwrap_or_else(make);
        let result = run(&mut object);
        self.locked(|free| free.push(object));
        result
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
