//! Memory for what JavaScript passes: arrays, texts and out parameters.
//!
//! Invariants: a buffer is aligned to 8 bytes, as all structs of the C interface are. It stays where
//! it is until it is freed by its address.

#![expect(unsafe_code, reason = "the exports have names that JavaScript knows")]

use std::sync::{Mutex, PoisonError};

static BUFFERS: Mutex<Vec<Vec<u64>>> = Mutex::new(Vec::new());

/// Allocates a buffer of at least `bytes` bytes of zeros, and returns its address. Returns null if
/// the memory is exhausted.
#[unsafe(no_mangle)]
pub extern "C" fn hm_web_allocate(bytes: usize) -> *mut u64 {
    let words = bytes.div_ceil(8).max(1);
    let mut buffer = Vec::new();
    let mut buffers = BUFFERS.lock().unwrap_or_else(PoisonError::into_inner);
    if buffer.try_reserve_exact(words).is_err() || buffers.try_reserve(1).is_err() {
        return std::ptr::null_mut();
    }
    buffer.resize(words, 0);
    let pointer = buffer.as_mut_ptr();
    buffers.push(buffer);
    pointer
}

/// Frees the buffer at an address. Returns whether there was one.
#[unsafe(no_mangle)]
pub extern "C" fn hm_web_free(pointer: *const u64) -> bool {
    let mut buffers = BUFFERS.lock().unwrap_or_else(PoisonError::into_inner);
    let at = buffers.iter().position(|buffer| buffer.as_ptr() == pointer);
    at.map(|at| buffers.swap_remove(at)).is_some()
}
