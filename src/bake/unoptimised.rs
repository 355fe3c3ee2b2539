//! Whether this library was compiled without optimisation, as the dependencies of build scripts
//! are unless told otherwise. Nothing but the speed of the code can tell it so.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Bytes looked at each time: some 30 microseconds' work for the standard library.
const BYTES: usize = 1 << 15;
/// Rounds, of which the fastest counts.
const ROUNDS: usize = 7;
/// Times the standard library's time, which comes compiled with optimisation, that the same kind of
/// work takes here at most: a twentieth with optimisation, a half with a little, ten without.
const SLOWEST: u32 = 3;

/// True where code compiled with this crate is as slow as without optimisation.
pub(super) fn is_unoptimised() -> bool {
    let text = "\u{e9}".repeat(BYTES / 2).into_bytes();
    let there = fastest(|| std::str::from_utf8(black_box(&text)).is_ok());
    let here = fastest(|| black_box(&text).iter().filter(|byte| **byte > 127).count() > 0);
    here > there * SLOWEST
}

fn fastest(work: impl Fn() -> bool) -> Duration {
    let times = (0..ROUNDS).map(|_| {
        let begin = Instant::now();
        black_box(work());
        begin.elapsed()
    });
    times.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    // That code without optimisation is told apart is tested where there is some: the crate
    // tools/game builds a copy of itself.
    #[test]
    fn these_tests_are_compiled_with_some_optimisation() {
        assert!(!super::is_unoptimised());
    }
}
