//! Nothing but benches: `cargo bench -p hitmask-comparisons`. The other crates stay out of the library.
