#![doc = include_str!("../README.md")]

mod atlas;
mod bake;
mod geom;
mod mask;
mod narrow;
mod parallel;
mod pose;
mod raster;
mod world;

pub use atlas::{
    Aligned, Atlas, AtlasError, Batch, Fidelity, PoseId, PosePair, Section, Sprite, SpriteId,
    file_format,
};
pub use bake::{
    Bake, BakeError, Baked, Channel, Check, ColorRange, FrameFault, LayerPlane, MergeError, Merged,
    Note, OutputFault, Report, Settings, Warning, merge, replace_file, shards,
};
#[cfg(feature = "image")]
pub use bake::{Grid, manifest_format};
pub use geom::{Affine, Line, MAX_POSITION, Path, Point, Rect, Similarity, Snap, Zone, ZoneError};
pub use mask::{
    AlphaRule, Component, Components, Connectivity, MAX_SIDE, Mask, MaskError, MaskRef, Outline,
    Polygon, Reach,
};
pub use narrow::{
    Accuracy, Certainty, Contact, First, Graze, Impact, LineHit, Normal, OverlapMasks, Pixels,
    Side, Simd, Touch,
};
pub use pose::{
    Angle, MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE, Pose, PoseError,
    PoseSet,
};
pub use raster::{Fit, MAX_PIVOT, Pivot, Posed, PosedRef, Raster, Sampling};
#[cfg(feature = "rstar")]
pub use world::ColliderBox;
pub use world::{
    BoxTree, Broken, Collider, ColliderId, Decision, Explained, Explanation, Filter, Hit,
    MAX_COLLIDERS, MaskId, MoveRules, Moved, Pair, Place, PlaceError, PlaceManyError, Shape,
    SnapshotError, UpdateParts, World,
};

#[doc = include_str!("tour.md")]
pub mod tour {}

/// The pixel rules and the classic approach, pixel by pixel: the truth of the tests and the
/// baseline of the benchmarks. Slow on purpose.
pub mod naive {
    pub use crate::narrow::naive::{Canvas, cast, contact, nearest, push_out};
    pub use crate::raster::naive::Drawing;
}

/// Brings the atlas `name` that a build script baked with
/// [`Bake::write_out_dir`](Bake::write_out_dir) into the program, as a module of that name:
/// `name::BYTES` for [`Atlas::from_static`], where it needs no copy, and a [`SpriteId`] for each
/// sprite.
///
/// ```ignore
/// hitmask::include_atlas!(sprites);
/// let atlas = hitmask::Atlas::from_static(sprites::BYTES)?;
/// let ship = hitmask::Collider::new(sprites::SHIP);
/// ```
#[macro_export]
macro_rules! include_atlas {
    ($visibility:vis $name:ident) => {
        /// The atlas that the build script baked, and its sprites.
        #[allow(dead_code, unreachable_pub)]
        $visibility mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".rs"));
        }
    };
}
