//! The WebAssembly module of the npm package `hitmask`: the exports of the C interface, and the
//! functions that only JavaScript needs, whose names begin with `hm_web_`.
//!
//! ```text
//! index.js -> exports of hitmask-capi, with buffers of this crate's `buffers`
//!          -> panics, warnings: texts that the C interface gives to callbacks
//! ```
//!
//! The module has no imports. Invariants: a panic ends the module, because WebAssembly cannot unwind:
//! its text is kept for `hm_web_panic_text()`, and `index.js` refuses all later calls.

mod buffers;
mod panics;
mod warnings;

pub use buffers::*;
pub use hitmask_capi::*;
pub use panics::*;
pub use warnings::*;
