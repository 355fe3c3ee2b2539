//! What a manifest may do to frames after they are decoded: mirror them, and name a point of theirs
//! as the pivot.

use crate::bake::frame::Frame;
use crate::raster::Pivot;

/// Whether the art is mirrored before it is baked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::bake) struct Flip {
    pub(in crate::bake) x: bool,
    pub(in crate::bake) y: bool,
}

/// A corner of a frame, the middle of a side, or its centre: how many halves of the width and of
/// the height it lies from the top-left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::bake) struct Anchor {
    pub(in crate::bake) halves: [u8; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::bake) struct Arrangement {
    flip: Flip,
    anchor: Option<Anchor>,
}

impl Arrangement {
    /// `None` where nothing would change.
    pub(super) fn new(flip: Flip, anchor: Option<Anchor>) -> Option<Self> {
        (flip != Flip::default() || anchor.is_some()).then_some(Self { flip, anchor })
    }

    /// Mirrors the frame and the pivot that its file gave it; then sets the pivot, if it has none.
    pub(super) fn apply(&self, frame: &mut Frame) {
        let size = frame.planes.first().map_or([0, 0], |(_, mask)| [mask.width(), mask.height()]);
        let [width, height] = size.map(|side| side as i32);
        for (_, mask) in &mut frame.planes {
            if self.flip.x {
                *mask = mask.flip_x();
            }
            if self.flip.y {
                *mask = mask.flip_y();
            }
        }
        if let Some(Pivot::HalfTexels(x, y)) = &mut frame.pivot {
            *x = if self.flip.x { 2 * width - *x } else { *x };
            *y = if self.flip.y { 2 * height - *y } else { *y };
        }
        let anchored = self.anchor.map(|Anchor { halves: [x, y] }| {
            // Half a side in texels is the whole side in half-texels.
            Pivot::HalfTexels(width * i32::from(x), height * i32::from(y))
        });
        frame.pivot = frame.pivot.or(anchored);
    }
}
