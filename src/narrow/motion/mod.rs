//! Motion queries on masks: the shortest push-out, the nearest contact, and the first contact on a
//! path.
//!
//! Invariant: every answer is exact to the pixel. No search tests all translations one by one: both
//! masks are split into runs (`row_runs.rs`), and runs that face each other give ranges of
//! translations.
//!
//! | query | file |
//! |---|---|
//! | shortest push-out, push-out along a direction | `push_out.rs`, `row_bits.rs` |
//! | first contact on a path | `cast.rs`, `reachable_windows.rs` |
//! | shortest translation to a contact | `nearest.rs`, `reachable_windows.rs` |
//! | distance from a point | `nearest.rs` |

pub(crate) mod cast;
mod motion_api;
pub(crate) mod nearest;
mod normal;
mod overlap;
pub(crate) mod push_out;
mod reachable_windows;
mod row_bits;
mod row_runs;
mod search_order;
mod shape_queries;

pub use motion_api::Impact;
pub use normal::{Normal, Side};
pub use overlap::{LocalContact, LocalOverlap, Overlap};
pub(super) use search_order::Candidate;
pub use shape_queries::LineHit;
