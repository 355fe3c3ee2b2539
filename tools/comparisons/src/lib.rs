//! Only benches, which compare hitmask with other crates: `cargo bench -p hitmask-comparisons`.
