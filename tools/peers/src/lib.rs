//! Nothing but benches: `cargo bench -p hitmask-peers`. The other crates stay out of the library.
