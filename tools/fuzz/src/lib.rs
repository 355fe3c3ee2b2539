//! What the fuzz targets do with their bytes, and the seeds that they start from. Without the
//! fuzzer, so that the tests of this package run every target on every seed.

pub mod art;
pub mod atlas;
pub mod seal;
pub mod seeds;
pub mod snapshot;
pub mod text;
mod tour;
pub mod world;
