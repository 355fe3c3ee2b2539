//! `hitmask bench open`: opening an atlas, against posing every sprite at start-up.

use super::{Row, disagree, in_turn};
use crate::CliError;
use hitmask::reference::Drawing;
use hitmask::{Atlas, Flip, Pivot, Pose, PoseError, Posed, Sampling};
use hitmask_scenes::{Stage, included};

/// Measures one row: the time to open the atlas of all sprites.
pub(super) fn rows() -> Result<Vec<Row>, CliError> {
    let stage = Stage::new(..);
    let bytes = included(stage.atlas.as_bytes());
    let pose = |step| Pose { step, scale: 0 };
    // A game without an atlas poses every sprite pixel by pixel when it starts.
    let naive = || {
        let mut posed: Vec<Posed> = Vec::new();
        for source in &stage.sources {
            for step in 0..stage.poses.angles() {
                let sampling = Sampling::Nearest;
                let drawing =
                    Drawing::new(source, Pivot::Center, sampling, &stage.poses, pose(step))?;
                posed.push(drawing.posed());
            }
        }
        Ok::<_, PoseError>(posed)
    };
    let truth = naive()
        .map_err(|e| CliError::new(e.to_string(), "this is a bug in hitmask: please report it"))?;
    let atlas = Atlas::from_static(bytes)?;
    let baked = atlas.sprites().flat_map(|sprite| {
        (0..stage.poses.angles()).filter_map(move |step| sprite.posed(0, pose(step), Flip::NONE))
    });
    if !baked.eq(truth.iter().map(Posed::as_ref)) {
        return Err(disagree("poses of the atlas"));
    }
    let times = in_turn((1, || Atlas::from_static(bytes)), (1, naive));
    Ok(vec![Row::new("open", "open", truth.len() as u32, times)])
}
