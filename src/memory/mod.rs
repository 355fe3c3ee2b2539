//! Memory and threads: how vectors grow, scratch objects that threads share, prefetch hints and the
//! rayon stand-in. Below every floor that allocates or runs in parallel; knows nothing of masks.

pub(crate) mod object_pool;
pub(crate) mod parallel;
pub(crate) mod prefetch;
pub(crate) mod vec_growth;
