//! One naive world: random calls, and a slow model by pixels that answers each of them.
//!
//! ```text
//! seed or bytes --Source--> calls of a Play --> the worlds in lockstep
//!                                           --> the model, whose answers must be the same
//!                                           --> a trace of the calls and answers, for other languages
//! ```
//!
//! Tests of worlds, the soak and the fuzz target drive it. [`Options`] choose atlases, counts and kinds
//! of calls.

mod art;
mod asks;
mod changes;
mod model;
mod play;
mod source;
mod ticks;
mod trace;
mod truth;

pub use art::{all_kinds, forms};
pub use asks::ask_all;
pub use model::Art;
pub use play::{Form, Group, Options, Play, Tally, rebuilt};
pub use source::Source;
pub use trace::{hash_of_plays, write_traces};
pub use truth::{Naive, Shown, parts};
