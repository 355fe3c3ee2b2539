use super::{Row, disagree, in_turn};
use crate::CliError;
use hitmask::reference::Drawing;
use hitmask::{Pivot, Pose, PoseSet, Raster, Sampling};

const ANGLES: u32 = 64;

pub(super) fn rows() -> Result<Vec<Row>, CliError> {
    let mut rows = Vec::new();
    for (query, sampling) in [("nearest", Sampling::Nearest), ("coverage", Sampling::Coverage25)] {
        for name in ["hull", "frame", "whale"] {
            let picture = hitmask_scenes::named(name);
            let broken = |e: &dyn std::fmt::Display| {
                CliError::new(format!("{name} cannot be posed: {e}"), "report it: this is a defect")
            };
            let mask = picture.mask();
            let poses = PoseSet::new(ANGLES, [1.0]).map_err(|e| broken(&e))?;
            let fast = || {
                // As a bake does it.
                Raster::new(&mask, Pivot::Center, sampling)?.poses(&poses)
            };
            // Every eighth step: the naive side is slow, and all steps cost it the same.
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
                return Err(disagree(&format!("{name} posed by {query}")));
            }
            let times = in_turn((ANGLES as usize, fast), (some().count(), naive));
            rows.push(Row::new("raster", query, picture.width, times));
        }
    }
    Ok(rows)
}
