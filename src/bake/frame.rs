use crate::atlas::DEFAULT_PLANE;
use crate::mask::Mask;
use crate::raster::Pivot;

/// The name of the plane that every frame of a file has, its first.
pub(super) const BODY: &str = DEFAULT_PLANE;

/// One image of a sprite, decoded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    /// Its masks by name: the first is the default one, the others are in the order they were asked
    /// for.
    /// All are of one size, that of the untrimmed frame, from which the pivot is counted.
    pub(super) planes: Vec<(String, Mask)>,
    /// The pivot that the file gives this frame; else that of the settings counts.
    pub(super) pivot: Option<Pivot>,
    /// Texels of the body that show at all, where that is known: their alpha is 1 or more.
    pub(super) seen: Option<u64>,
}

impl Frame {
    /// A frame of one mask.
    pub(super) fn of(mask: Mask) -> Self {
        Self { planes: vec![(BODY.to_owned(), mask)], pivot: None, seen: None }
    }
}
