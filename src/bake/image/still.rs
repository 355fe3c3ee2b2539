use crate::bake::frame::Frame;
use crate::mask::{MAX_SIDE, Mask};
use crate::raster::Pivot;

/// One image of a file.
pub(in crate::bake) struct Still {
    /// Its masks by name, the body first.
    pub(super) planes: Vec<(String, Mask)>,
    /// The texels that show at all.
    pub(super) seen: Mask,
    pub(super) pivot: Option<Pivot>,
}

impl Still {
    /// Width and height in texels.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.seen.width(), self.seen.height()]
    }

    /// The image as a frame, whole.
    pub(super) fn frame(&self) -> Frame {
        Frame { planes: self.planes.clone(), pivot: self.pivot, seen: Some(self.seen.count()) }
    }
}

/// Texels of all images of one file together: four of the largest size there may be. A small file
/// can claim many thousand images of that size, and would fill any memory.
pub(super) const MOST_TEXELS: u64 = 4 * (MAX_SIDE as u64) * (MAX_SIDE as u64);
