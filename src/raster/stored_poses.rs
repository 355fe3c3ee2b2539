//! Draws all poses of a source, or a part of them, in the order of an atlas.
//!
//! Called by the atlas builder and by `Raster::poses`.
//!
//! Invariant: each pose equals the one that `Raster::pose` gives.

use super::posed::PoseBuffer;
use super::rasterizer::{DrawBuffers, Raster};
use crate::pose::{PoseError, PoseSet, stored_steps};
use std::ops::Range;

impl Raster {
    /// Appends the poses that an atlas stores: those of a full turn. For a sprite that never turns
    /// these are the upright pose and its half turn.
    pub(crate) fn stored(&self, poses: &PoseSet, all: &mut PoseBuffer) -> Result<(), PoseError> {
        self.steps(poses, stored_steps(poses.angles()), all)
    }

    /// Appends those of the [`stored`](Self::stored) poses whose numbers are in `part`. Draws each of
    /// them, so that a part takes up to 4 times as long as its share of all.
    pub(crate) fn stored_part(
        &self,
        poses: &PoseSet,
        part: Range<u32>,
        all: &mut PoseBuffer,
    ) -> Result<(), PoseError> {
        let (steps, mut buffers) = (stored_steps(poses.angles()), DrawBuffers::default());
        for number in part {
            let scale = poses.scales()[(number / steps) as usize];
            self.draw((number % steps, steps), scale, poses.lattice(), &mut buffers, all)?;
        }
        Ok(())
    }

    /// Appends all poses at `steps` steps in a full turn.
    pub(super) fn steps(
        &self,
        poses: &PoseSet,
        steps: u32,
        all: &mut PoseBuffer,
    ) -> Result<(), PoseError> {
        let [fx, fy] = self.pivot2(poses.lattice());
        // Steps from one pose to the next that is drawn by rotating it.
        let quarters = steps >= 4 && (fx ^ fy) & 1 == 0;
        let drawn = (if quarters { steps / 4 } else { steps / 2 }).max(1);
        let mut buffers = DrawBuffers::default();
        for &scale in poses.scales() {
            let first = all.len();
            for step in 0..drawn {
                self.draw((step, steps), scale, poses.lattice(), &mut buffers, all)?;
            }
            for step in drawn..steps {
                let before = first + (step - drawn) as usize;
                if quarters { all.add_quarter_turned(before) } else { all.add_half_turned(before) }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Pivot, Sampling};
    use super::*;
    use crate::mask::dotted;

    #[test]
    fn parts_of_the_stored_poses_equal_all_of_them() {
        for (angles, pivot) in [(1, [3, 4]), (4, [3, 4]), (12, [2, 2]), (12, [-3, 8])] {
            let poses = PoseSet::new(angles, [0.5, 1.5]).unwrap();
            let pivot = Pivot::HalfTexels(pivot[0], pivot[1]);
            let raster = Raster::new(&dotted(37, 21), pivot, Sampling::Nearest).unwrap();
            let (mut all, mut parts) = (PoseBuffer::default(), PoseBuffer::default());
            raster.stored(&poses, &mut all).unwrap();
            let count = all.len() as u32;
            assert_eq!(count, 2 * stored_steps(angles));
            for start in (0..count).step_by(5) {
                raster.stored_part(&poses, start..count.min(start + 5), &mut parts).unwrap();
            }
            assert_eq!(all.to_posed(), parts.to_posed(), "{angles} angles");
        }
    }
}
