#![doc = include_str!("../README.md")]
// Without all features, the documentation links to items that are not there.
#![cfg_attr(
    not(all(feature = "image", feature = "runtime")),
    allow(rustdoc::broken_intra_doc_links)
)]
// A build script bakes, and leaves the kernels and the world out: parts that only these use are dead.
#![cfg_attr(not(feature = "runtime"), allow(dead_code, unused_imports))]

mod atlas;
#[cfg(feature = "bake")]
mod bake;
#[cfg(feature = "runtime")]
mod broad;
mod geom;
mod mask;
mod memory;
#[cfg(feature = "runtime")]
mod narrow;
mod pose;
mod raster;
mod simd;
#[cfg(feature = "runtime")]
mod world;

pub use atlas::{Aligned, Atlas, AtlasError, PoseId, Section, Sprite, SpriteId, file_format};
#[cfg(feature = "runtime")]
pub use atlas::{Batch, Fidelity, PosePair};
#[cfg(feature = "bake")]
pub use bake::{
    Bake, BakeError, Baked, Channel, Check, ColorRange, FrameFault, LayerPlane, MergeError, Merged,
    Note, OutputFault, Report, Settings, Warning, merge, replace_file, shards,
};
#[cfg(feature = "image")]
pub use bake::{Grid, manifest_format};
#[cfg(feature = "runtime")]
pub use broad::BoxTree;
pub use geom::{Affine, Line, MAX_POSITION, Path, Point, Rect, Similarity, Snap, Zone, ZoneError};
pub use mask::{
    AlphaRule, Component, Components, Connectivity, MAX_SIDE, Mask, MaskError, MaskRef, Outline,
    Polygon, Reach,
};
#[cfg(feature = "runtime")]
pub use narrow::{
    Accuracy, Certainty, Contact, First, Graze, Impact, LineHit, Normal, OverlapMasks, Pixels,
    Side, Touch,
};
pub use pose::{
    Angle, MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE, Pose, PoseError,
    PoseSet,
};
pub use raster::{Fit, MAX_PIVOT, Pivot, Posed, PosedRef, Raster, Sampling};
pub use simd::Simd;
#[cfg(all(feature = "rstar", feature = "runtime"))]
pub use world::ColliderBox;
#[cfg(feature = "runtime")]
pub use world::{
    Broken, Collider, ColliderId, Decision, Explained, Explanation, Filter, Hit, MAX_COLLIDERS,
    MaskId, MoveRules, Moved, Pair, Place, PlaceError, PlaceManyError, Shape, SnapshotError,
    UpdateParts, World,
};

#[doc = include_str!("tour.md")]
pub mod tour {}

/// The pixel rules and the classic approach, pixel by pixel: the truth of the tests and the
/// baseline of the benchmarks. Slow on purpose.
pub mod reference {
    #[cfg(feature = "runtime")]
    pub use crate::narrow::reference::{Canvas, PreparedImage, cast, contact, nearest, push_out};
    pub use crate::raster::reference::Drawing;
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
