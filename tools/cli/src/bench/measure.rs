//! What the parts of `hitmask bench` share: rows, medians of loops in turn, and refusals.

use crate::CliError;
use hitmask::Accuracy;
use hitmask_bench::{Disagreement, Loop};
use serde::Serialize;
use std::time::Instant;

/// Number of runs of each side. Odd, for the median.
pub(super) const RUNS: usize = 7;

/// Accuracy of the tests that are timed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Precision {
    /// The coarse levels of masks that have them, and pixels of the others.
    Coarse,
    /// Pixels.
    Exact,
}

/// Parses a share of all colliders.
pub(super) fn share(text: &str) -> Result<f64, String> {
    const EXAMPLES: &str = "give a share from 0 to 1, such as 0.01";
    let share: f64 = text.trim().parse().map_err(|_| format!("not a number: {EXAMPLES}"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(EXAMPLES.to_owned()) }
}

impl Precision {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Coarse => "coarse",
            Self::Exact => "exact",
        }
    }

    pub(super) const fn accuracy(self) -> Accuracy {
        match self {
            Self::Coarse => Accuracy::Coarse,
            Self::Exact => Accuracy::Exact,
        }
    }
}

/// One measurement.
#[derive(Serialize)]
pub(super) struct Row {
    part: &'static str,
    query: &'static str,
    /// Size of the sprites in pixels, number of colliders, or number of poses, depending on the
    /// part.
    size: u32,
    ns: f64,
    naive_ns: f64,
    /// Time of the naive approach with images drawn beforehand, one byte per pixel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prepared_ns: Option<f64>,
    ratio: f64,
}

impl Row {
    pub(super) fn new(
        part: &'static str,
        query: &'static str,
        size: u32,
        [ns, naive_ns]: [f64; 2],
    ) -> Self {
        Self { part, query, size, ns, naive_ns, prepared_ns: None, ratio: naive_ns / ns }
    }

    /// Formats rows as a text table.
    pub(super) fn table(rows: &[Self]) -> String {
        let mut text = format!(
            "{:8} {:8} {:>7}  {:>14}  {:>14}  {:>14}  {:>9}\n",
            "part", "query", "size", "hitmask ns", "naive ns", "prepared ns", "speedup"
        );
        for Self { part, query, size, ns, naive_ns, prepared_ns, ratio } in rows {
            let prepared = prepared_ns.map_or_else(|| "-".to_owned(), |ns| format!("{ns:.1}"));
            text += &format!(
                "{part:8} {query:8} {size:>7}  {ns:>14.1}  {naive_ns:>14.1}  {prepared:>14}  {ratio:>9.1}\n"
            );
        }
        text
    }
}

/// Returns the median times of loops in ns per item. They take turns, so that changes of the machine's speed affect
/// all of them.
pub(super) fn in_turn<const N: usize>(
    runs: usize,
    mut loops: [&mut Loop<'_>; N],
    time: fn(&mut Loop<'_>) -> f64,
) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..runs {
        for (times, each) in times.iter_mut().zip(&mut loops) {
            times.push(time(each));
        }
    }
    times.map(median)
}

/// Returns the time of one run in ns per item.
pub(super) fn once(each: &mut Loop<'_>) -> f64 {
    time(each.items, || each.run())
}

/// Returns the time in ns per item of one run over `items` items.
pub(super) fn time<A>(items: usize, run: impl FnOnce() -> A) -> f64 {
    let begin = Instant::now();
    std::hint::black_box(run());
    begin.elapsed().as_secs_f64() * 1e9 / items as f64
}

/// Returns the median of an odd number of times, or 0 if there are none.
pub(super) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Starts a number of threads, by default as many as there are cores.
pub(super) fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).build();
    pool.map_err(|cause| {
        CliError::new(format!("cannot start the threads: {cause}"), "give a smaller --threads")
    })
}

/// Returns the name of the processor where the system tells it, and the instruction set in use.
pub(super) fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("{name}, {}", hitmask::Simd::preferred().name())
}

impl From<Disagreement> for CliError {
    fn from(Disagreement(what): Disagreement) -> Self {
        Self::new(
            format!("{what}: the result differs from the reference"),
            "this is a bug in hitmask: please report it with this line",
        )
    }
}

/// Returns the error for results that differ from the reference.
pub(super) fn disagree(what: impl Into<String>) -> CliError {
    Disagreement(what.into()).into()
}
