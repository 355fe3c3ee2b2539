//! Number of test cases: a fast default, and all cases if `HITMASK_HEAVY` is set.

/// Returns the number of cases of a test: `heavy` if the environment variable `HITMASK_HEAVY` is
/// set, else `usual`.
#[must_use]
pub fn cases(usual: u32, heavy: u32) -> u32 {
    if is_heavy() { heavy } else { usual }
}

/// Returns every case of `all` if the environment variable `HITMASK_HEAVY` is set, else every
/// `step`-th.
pub fn sample<T>(all: impl Iterator<Item = T>, step: usize) -> impl Iterator<Item = T> {
    all.step_by(if is_heavy() { 1 } else { step })
}

fn is_heavy() -> bool {
    std::env::var_os("HITMASK_HEAVY").is_some_and(|value| !value.is_empty())
}
