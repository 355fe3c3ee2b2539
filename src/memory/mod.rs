//! Memory and threads: vector growth, pooled scratch objects, prefetch hints and the rayon
//! stand-in.
//!
//! Invariant: no result depends on the number of threads or on prefetch hints.

pub(crate) mod aligned_words;
#[cfg(feature = "runtime")]
pub(crate) mod clone_fields;
pub(crate) mod number_hash;
pub(crate) mod object_pool;
pub(crate) mod parallel;
pub(crate) mod prefetch;
pub(crate) mod vec_growth;
