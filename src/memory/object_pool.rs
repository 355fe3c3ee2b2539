//! Working memory that is lent to whoever runs just now: there is one for each thread in the end,
//! which is fewer than there are pieces of work.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Those that nobody uses just now. A clone starts without, and makes its own.
pub(crate) struct Lent<T>(Mutex<Vec<T>>);

impl<T> Lent<T> {
    /// Lends one, made where there is none. Costs two turns of a lock.
    pub(crate) fn lend<R>(&self, make: impl FnOnce() -> T, run: impl FnOnce(&mut T) -> R) -> R {
        let lent = self.free(Vec::pop);
        let mut lent = lent.unwrap_or_else(make);
        let answer = run(&mut lent);
        self.free(|free| free.push(lent));
        answer
    }

    fn free<R>(&self, run: impl FnOnce(&mut Vec<T>) -> R) -> R {
        run(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Default for Lent<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Clone for Lent<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> fmt::Debug for Lent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to lend", self.free(|free| free.len()))
    }
}
