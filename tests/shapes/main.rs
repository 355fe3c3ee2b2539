//! Outlines, convex pieces and cells of masks, against checks that compare all pairs.

mod check;
mod grid;
mod outlines;
mod pieces;
mod sprites;

use hitmask::Mask;
use hitmask_scenes::cases;
use proptest::prelude::*;

/// Returns the number of cases of each property: `HITMASK_SHAPES`, or a fast default.
pub(crate) fn config() -> ProptestConfig {
    let named = std::env::var("HITMASK_SHAPES").ok();
    let count = named.map_or(cases(300, 1500), |count| count.parse().expect("a number of cases"));
    ProptestConfig::with_cases(count)
}

/// Returns masks of every kind, of up to `side` pixels a side.
pub(crate) fn masks(side: u32) -> impl Strategy<Value = Mask> {
    (0..7_u32, 1..=side, 1..=side, any::<u64>())
        .prop_map(|(kind, w, h, seed)| check::mask(kind, w, h, seed))
}
