//! What the benches share: they time sides over lists of inputs, after a comparison of the answers.
#![allow(dead_code, reason = "each bench uses some of it")]

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Throughput};
use hitmask_bench::Loop;
use std::fmt::Debug;
use std::hint::black_box;

pub(crate) type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// Times loops, each named after its side. The throughput gives the time per item.
pub(crate) fn loops<'a>(
    group: &mut Group<'_>,
    name: &str,
    loops: impl IntoIterator<Item = Loop<'a>>,
) {
    for mut each in loops {
        group.throughput(Throughput::Elements(each.items as u64));
        let id = if name.is_empty() {
            BenchmarkId::from_parameter(each.name)
        } else {
            BenchmarkId::new(name, each.name)
        };
        group.bench_function(id, |bench| bench.iter(|| each.run()));
    }
}

/// Times one side. Each iteration takes the next input, so that the branch predictor learns none.
pub(crate) fn time<I, A>(
    group: &mut Group<'_>,
    [side, name]: [&str; 2],
    inputs: &[I],
    mut ask: impl FnMut(&I) -> A,
) {
    let mut inputs = inputs.iter().cycle();
    group.bench_function(BenchmarkId::new(side, name), |bench| {
        bench.iter(|| ask(black_box(inputs.next().expect("inputs"))));
    });
}

/// Times both sides, after a comparison of their answers to the first `compared` inputs.
pub(crate) fn compare<I, A: PartialEq + Debug>(
    group: &mut Group<'_>,
    (name, compared): (&str, usize),
    inputs: &[I],
    mut hitmask: impl FnMut(&I) -> A,
    mut naive: impl FnMut(&I) -> A,
) {
    for input in inputs.iter().take(compared) {
        assert_eq!(hitmask(input), naive(input), "{name}");
    }
    time(group, ["hitmask", name], inputs, hitmask);
    time(group, ["naive", name], inputs, naive);
}
