//! The naive side: the same pairs of boxes, tested pixel by pixel.
//!
//! The pairs whose boxes overlap come from a second world at the accuracy of boxes, outside of the
//! measured time. So the naive time leaves out the search for pairs, to its advantage.

use crate::scene::Scene;
use hitmask::reference::Canvas;
use hitmask::{Accuracy, CallError, World};
use hitmask_scenes::StageSides;
use std::fmt;

/// A way to test pairs without hitmask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NaiveMode {
    /// Images of all poses are drawn beforehand and compared byte by byte.
    Prepared,
    /// Both images are drawn from their sources for each pair.
    Redrawn,
}

impl fmt::Display for NaiveMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prepared => "drawn beforehand",
            Self::Redrawn => "redrawn",
        })
    }
}

/// Tests the pairs of a scene naively.
#[derive(Debug)]
pub(crate) struct Naive<'s> {
    sides: StageSides<'s>,
    canvas: Canvas,
    boxes: World,
}

impl<'s> Naive<'s> {
    /// Prepares the images of all poses of a scene.
    pub(crate) fn new(scene: &Scene<'s>) -> Self {
        let mut boxes = scene.world().clone();
        boxes.set_accuracy(Accuracy::Box);
        Self { sides: StageSides::new(scene.stage()), canvas: Canvas::default(), boxes }
    }

    /// Finds the pairs whose boxes overlap now, and returns their number.
    pub(crate) fn find_pairs(&mut self, scene: &Scene<'_>) -> Result<usize, CallError> {
        self.boxes.set_placements(&scene.ids, &scene.places)?;
        self.boxes.update();
        Ok(self.boxes.touching().len())
    }

    /// Tests the pairs found last, and returns how many touch.
    pub(crate) fn count_touching(&mut self, mode: NaiveMode) -> usize {
        let Self { sides, canvas, boxes } = self;
        let pairs = boxes.touching().iter();
        match mode {
            NaiveMode::Prepared => pairs.filter(|pair| sides.prepared_touches(boxes, pair)).count(),
            NaiveMode::Redrawn => {
                pairs.filter(|pair| sides.drawn_touches(canvas, boxes, pair)).count()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Crowd, Pace, stage};
    use crate::scene::Show;

    #[test]
    fn both_naive_sides_agree_with_the_world_in_every_frame() {
        let stage = stage();
        let mut crowd = Crowd::new(&stage, 700, [900.0, 700.0], Pace::Live).unwrap();
        let mut naive = Naive::new(crowd.scene());
        for time in (0..4).map(|i| i << 25) {
            crowd.advance(time);
            crowd.update().unwrap();
            let touching = crowd.scene().world().touching().len();
            let boxes = naive.find_pairs(crowd.scene()).unwrap();
            assert!(touching > 100 && boxes > touching, "{touching} of {boxes}");
            for mode in [NaiveMode::Prepared, NaiveMode::Redrawn] {
                assert_eq!(naive.count_touching(mode), touching, "{mode}");
            }
        }
    }
}
