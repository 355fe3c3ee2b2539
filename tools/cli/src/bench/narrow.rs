//! `hitmask bench narrow`: the queries of the narrow phase over pairs of posed sprites.
//!
//! Each row compares a batch with single calls, a scalar loop, and two naive approaches. All give
//! the same results, or the bench fails.

use super::measure::{Precision, in_turn};
use crate::{CliError, output};
use hitmask::Simd;
use hitmask_bench::{COARSE_QUERY, Loop, Mix, PAIR_QUERIES, PairBench, PairQuery, PairScene};
use serde::Serialize;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Longer sides of the sprites, in pixels. Default: ten sizes and mixtures from 16 to 512, which
    /// take minutes.
    #[arg(long, value_name = "PIXELS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(8..=1024))]
    sizes: Vec<u32>,
    /// Number of pairs per size. The branch predictor learns the results of a few thousand pairs or
    /// less, which makes code with branches look faster.
    #[arg(long, value_name = "N", default_value_t = 24_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// `coarse` times the coarse levels alone, beside exact batches. Masks have levels from 240 px on.
    #[arg(long, value_enum, default_value_t = Precision::Exact)]
    accuracy: Precision,
}

/// Number of runs of each side, in turns. Odd, for the median.
const RUNS: usize = 9;

/// Times of one query in ns per pair.
#[derive(Serialize)]
pub(super) struct Row {
    query: &'static str,
    /// Longer side of the sprites in pixels; that of the largest in a mix of sizes.
    size: u32,
    /// "natural": about 70% hits. "miss": no hits. "mixed": natural, with sizes from 16 to 128 px.
    mix: &'static str,
    /// Instruction set.
    level: &'static str,
    ns: f64,
    single_ns: f64,
    scalar_ns: f64,
    naive_ns: f64,
    prepared_ns: f64,
    /// For a coarse query: an exact batch of the same pairs, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_ns: Option<f64>,
}

/// Duration of the warm-up and of the timed run. The warm-up fills the caches, and gives Intel CPUs
/// the 0.5 ms that they need to reach full speed with 512-bit vectors.
const WARM: Duration = Duration::from_millis(1);

/// Returns the time in ns per item, over repeated runs after a warm-up.
fn time_warm(each: &mut Loop<'_>) -> f64 {
    let mut repeat = || {
        let (begin, mut runs) = (Instant::now(), 0);
        while runs == 0 || begin.elapsed() < WARM {
            each.run();
            runs += 1;
        }
        begin.elapsed().as_secs_f64() * 1e9 / (runs * each.items) as f64
    };
    repeat();
    repeat()
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, CliError> {
    let pairs = args.pairs as usize;
    let queries: &[PairQuery] = match args.accuracy {
        Precision::Exact => &PAIR_QUERIES,
        Precision::Coarse => std::slice::from_ref(&COARSE_QUERY),
    };
    let mut rows = Vec::new();
    let sizes: Vec<(u32, u32)> = match args.sizes[..] {
        [] => PairScene::SIZES.to_vec(),
        _ => args.sizes.iter().map(|&size| (size, size)).collect(),
    };
    let bar = output::progress(sizes.len() as u64, "sizes");
    for size in sizes {
        let mix = if size.0 == size.1 { "natural" } else { "mixed" };
        let scene = PairScene::new(size, Mix::Natural, pairs);
        for query in queries {
            add(&mut rows, &scene, (size.1, mix), query)?;
        }
        if mix == "natural" {
            let scene = PairScene::new(size, Mix::Miss, pairs);
            add(&mut rows, &scene, (size.1, "miss"), &queries[0])?;
        }
        output::measured(&bar, &format!("{} px", size.1));
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// Measures one query on one scene with each instruction set.
fn add(
    rows: &mut Vec<Row>,
    scene: &PairScene,
    (size, mix): (u32, &'static str),
    query: &PairQuery,
) -> Result<(), CliError> {
    let bench = PairBench::new(scene, query)?;
    let is_coarse = query.name == COARSE_QUERY.name;
    let exact = is_coarse.then(|| PairBench::new(scene, &PAIR_QUERIES[0])).transpose()?;
    for simd in Simd::available() {
        let (mut batch, mut others) = (bench.batch(simd)?, bench.others());
        let [single, scalar, prepared, naive] = &mut others;
        let (times, exact_ns) = match &exact {
            None => {
                let loops = [&mut batch, single, scalar, naive, prepared];
                (in_turn(RUNS, loops, time_warm), None)
            }
            Some(exact) => {
                let mut exact = exact.batch(simd)?;
                let loops = [&mut batch, single, scalar, naive, prepared, &mut exact];
                let [a, b, c, d, e, exact_ns] = in_turn(RUNS, loops, time_warm);
                ([a, b, c, d, e], Some(exact_ns))
            }
        };
        let [ns, single_ns, scalar_ns, naive_ns, prepared_ns] = times;
        let (query, level) = (query.name, simd.name());
        rows.push(Row {
            query,
            size,
            mix,
            level,
            ns,
            single_ns,
            scalar_ns,
            naive_ns,
            prepared_ns,
            exact_ns,
        });
    }
    Ok(())
}

/// Formats the rows as a text table. Coarse rows have a column more.
pub(super) fn table(rows: &[Row]) -> String {
    let exact = |ns: Option<&str>| ns.map_or_else(String::new, |ns| format!(" {ns:>10}"));
    let title = rows.iter().any(|row| row.exact_ns.is_some()).then_some("exact ns");
    let mut text = format!(
        "{:8} {:>7} {:8} {:8} {:>10}{} {:>10} {:>10} {:>12} {:>12} {:>9}\n",
        "query",
        "size",
        "mix",
        "level",
        "hitmask ns",
        exact(title),
        "single ns",
        "scalar ns",
        "naive ns",
        "prepared ns",
        "speedup"
    );
    for row in rows {
        let Row {
            query, size, mix, level, ns, single_ns, scalar_ns, naive_ns, prepared_ns, ..
        } = row;
        let exact_ns = exact(row.exact_ns.map(|ns| format!("{ns:.1}")).as_deref());
        text += &format!(
            "{query:8} {size:>7} {mix:8} {level:8} {ns:>10.1}{exact_ns} {single_ns:>10.1} {scalar_ns:>10.1} \
             {naive_ns:>12.1} {prepared_ns:>12.1} {:>9.0}\n",
            naive_ns / ns
        );
    }
    text
}
