//! The fuzz targets and their seeds, as a library without the fuzzer.
//!
//! `fuzz_targets` calls `run` of each module; `tests/seeds.rs` runs every target on its seeds.

pub mod art;
pub mod atlas;
pub mod capi;
mod files;
pub mod image;
pub mod seal;
pub mod seeds;
pub mod shapes;
pub mod snapshot;
pub mod text;
mod tour;
pub mod views;
pub mod world;
