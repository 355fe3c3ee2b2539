//! The memory that all threads together use to decode images.
//!
//! Called by the decoders before they allocate. A thread waits until its image fits. Decoding calls
//! no parallel work, so a thread that holds memory never waits for one that needs it.

use std::sync::{Condvar, Mutex, PoisonError};

/// Bytes that are reserved at a time. A single image may exceed the limit while no other is decoded.
const MAX_BYTES: u64 = 128 << 20;

static RESERVED: Mutex<u64> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// Memory for one image, given back when dropped.
#[must_use = "the memory is given back when this is dropped"]
pub(super) struct Reservation(u64);

/// Waits until `bytes` are available, and reserves them.
pub(super) fn reserve(bytes: u64) -> Reservation {
    let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    while *reserved > 0 && reserved.saturating_add(bytes) > MAX_BYTES {
        reserved = FREED.wait(reserved).unwrap_or_else(PoisonError::into_inner);
    }
    *reserved = reserved.saturating_add(bytes);
    Reservation(bytes)
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
        *reserved = reserved.saturating_sub(self.0);
        FREED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn threads_together_stay_within_the_limit_and_one_alone_may_exceed_it() {
        let held = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for i in 1..=8 {
                let held = &held;
                scope.spawn(move || {
                    for _ in 0..50 {
                        let bytes = i * MAX_BYTES / 5;
                        let reservation = reserve(bytes);
                        let all = held.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        assert!(all <= MAX_BYTES || all == bytes, "{all} bytes are held");
                        held.fetch_sub(bytes, Ordering::SeqCst);
                        drop(reservation);
                    }
                });
            }
        });
        assert_eq!(held.load(Ordering::SeqCst), 0);
    }
}
