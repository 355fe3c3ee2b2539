//! `hitmask bench raster`: posing a mask at every angle step, as a bake does. `hitmask bench open`: opening an
//! atlas, against posing every sprite at start-up.

use super::measure::{RUNS, Row, in_turn, once};
use crate::CliError;
use hitmask::Sampling;
use hitmask_bench::{full_turn, openings};
use hitmask_scenes::{Stage, named};

/// Measures three sprites with both sampling rules.
pub(super) fn raster() -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    for (query, sampling) in [("nearest", Sampling::Nearest), ("coverage", Sampling::Coverage25)] {
        for name in ["hull", "frame", "whale"] {
            let [mut fast, mut naive] = full_turn(name, sampling)?;
            let times = in_turn(RUNS, [&mut fast, &mut naive], once);
            rows.push(Row::new("raster", query, named(name).width, times));
        }
    }
    Ok(rows)
}

/// Measures one row: the time to open the atlas of all sprites.
pub(super) fn open() -> Result<Vec<Row>, CliError> {
    let [mut in_place, mut naive] = openings()?;
    let times = in_turn(RUNS, [&mut in_place, &mut naive], once);
    let poses = Stage::new(..).atlas.pose_count();
    Ok(vec![Row::new("open", "open", poses, times)])
}
