//! Narrow.

fn main() {}
