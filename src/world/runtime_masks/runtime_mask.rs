use crate::geom::{Affine, Point, Rect};
use crate::mask::Mask;
use crate::raster::Raster;
use std::sync::Arc;

/// A mask and its pivot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Made {
    /// Shared by clones of the world until one of them edits it.
    pub(crate) mask: Arc<Mask>,
    /// In half-texels, both even or both odd.
    pub(crate) pivot: [i32; 2],
    /// The tight box within the mask; empty where no pixel is set.
    pub(crate) bounds: Rect,
    /// What it is drawn from, where it is.
    pub(crate) drawn: Option<Arc<Drawn>>,
}

impl Made {
    pub(crate) fn new(mask: Arc<Mask>, pivot: [i32; 2]) -> Self {
        let bounds = mask.bounds().unwrap_or_default();
        Self { mask, pivot, bounds, drawn: None }
    }

    /// Where the mask's top-left pixel lies from the lattice origin.
    pub(crate) const fn origin(&self) -> Point {
        // A pivot in the middle of a texel lies in the middle of the lattice's pixel.
        Point::new(-(self.pivot[0] >> 1), -(self.pivot[1] >> 1))
    }

    /// The tight box, relative to the lattice origin.
    pub(crate) fn rect(&self) -> Rect {
        if self.bounds.is_empty() { self.bounds } else { self.bounds.translated(self.origin()) }
    }
}

/// What a mask is drawn from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) raster: Arc<Raster>,
    /// What it is drawn under, in mask pixels, without the whole pixels of its translation.
    pub(crate) transform: Affine,
    /// Those whole pixels.
    pub(crate) whole: Point,
}
