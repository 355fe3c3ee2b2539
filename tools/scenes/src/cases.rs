/// Returns the number of cases that a test goes through: `heavy` where the environment variable
/// `HITMASK_HEAVY` is set, `usual` otherwise.
#[must_use]
pub fn cases(usual: u32, heavy: u32) -> u32 {
    if is_heavy() { heavy } else { usual }
}

/// Returns every case of `all` where the environment variable `HITMASK_HEAVY` is set, and every
/// `step`-th otherwise.
pub fn sample<T>(all: impl Iterator<Item = T>, step: usize) -> impl Iterator<Item = T> {
    all.step_by(if is_heavy() { 1 } else { step })
}

fn is_heavy() -> bool {
    std::env::var_os("HITMASK_HEAVY").is_some_and(|value| !value.is_empty())
}
