//! `hitmask bench raster`: posing a mask at every angle step, as a bake does.

use super::{Row, disagree, in_turn};
use crate::CliError;
use hitmask::reference::Drawing;
use hitmask::{Pivot, Pose, PoseSet, Raster, Sampling};

/// Angle steps in a full turn.
const ANGLES: u32 = 64;

/// Measures three sprites with both sampling rules.
pub(super) fn rows() -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    for (query, sampling) in [("nearest", Sampling::Nearest), ("coverage", Sampling::Coverage25)] {
        for name in ["hull", "frame", "whale"] {
            let picture = hitmask_scenes::named(name);
            let broken = |e: &dyn std::fmt::Display| {
                CliError::new(
                    format!("{name} cannot be posed: {e}"),
                    "this is a bug in hitmask: please report it",
                )
            };
            let mask = picture.mask();
            let poses = PoseSet::new(ANGLES, [1.0]).map_err(|e| broken(&e))?;
            // The same calls as in a bake.
            let fast = || Raster::new(&mask, Pivot::Center, sampling)?.poses(&poses);
            // The naive side is slow and takes the same time at each step, so it runs every 8th
            // step.
            let some = || (0..ANGLES).step_by(8);
            let naive = || {
                some()
                    .map(|step| {
                        let pose = Pose { step, scale: 0 };
                        Drawing::new(&mask, Pivot::Center, sampling, &poses, pose)
                            .map(|d| d.posed())
                    })
                    .collect::<Result<Vec<_>, _>>()
            };
            let (posed, truth) =
                (fast().map_err(|e| broken(&e))?, naive().map_err(|e| broken(&e))?);
            if !some().zip(truth).all(|(step, truth)| posed[step as usize] == truth) {
                return Err(disagree(&format!("poses of {name} with sampling {query}")));
            }
            let times = in_turn((ANGLES as usize, fast), (some().count(), naive));
            rows.push(Row::new("raster", query, picture.width, times));
        }
    }
    Ok(rows)
}
