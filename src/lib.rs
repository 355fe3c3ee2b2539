//! Pixel-perfect 2D sprite collisions at any rotation and scale, for very many sprites.
//!
//! An [`AtlasBuilder`] turns sprites into 1-bit [masks](Mask) at every rotation and scale that a game shows, and
//! packs them into an [`Atlas`]. The crate `hitmask-bake` does so from image files. A [`World`] places the
//! sprites and finds the pairs whose boxes overlap with an R-tree. It decides each pair by an AND of shifted rows
//! of bits, exact to the pixel.
//!
//! ```
//! use hitmask::{Atlas, AtlasBuilder, Collider, World};
//!
//! // As a rule a build script bakes image files with hitmask-bake; see `include_atlas!`.
//! let star = ".#.\n###\n.#.".parse()?;
//! let atlas = Atlas::from_vec(AtlasBuilder::new().angles(64).mask("star", star).to_bytes()?)?;
//! let star = atlas.sprite_id("star").ok_or("the atlas has no star")?;
//!
//! let mut world = World::new(atlas);
//! let a = world.insert(Collider::new(star).at([10.0, 10.0]))?;
//! let b = world.insert(Collider::new(star).at([30.0, 10.0]))?;
//! world.update();
//! assert!(world.touching().is_empty());
//!
//! world.move_to(b, [12.0, 10.0])?;
//! world.update(); // once per tick
//! let pair = world.began().first().ok_or("the stars touch")?;
//! let contact = world.contact(pair).ok_or("a touching pair has a contact")?;
//! assert_eq!((pair.a, pair.b, contact.area), (a, b, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # First steps
//! - The guide in `tools/guide` of the repository: a short chapter for each question of a game. The folder
//!   `examples` has longer programs.
//! - [`World`]: colliders, updates, events, queries, motions. [`Batch`]: many pairs without a world.
//! - [`Mask`] and [`MaskRef`]: two masks at an offset, editing, outlines, polygons.
//! - [`AtlasBuilder`]: masks and pixels in memory to an atlas. [`include_atlas!`] brings an atlas that a build
//!   script baked into a program. [`mod@baking`] has what bakers of files need besides.
//! - [`Raster`]: the pixel rules for angles, scales, pivots and transforms. [`mod@file_format`] specifies the file.
//! - [`mod@reference`]: the per-pixel truth that every kernel is tested against.
//!
//! # Units
//! Positions, distances and radii in `f32` are pixels, x right and y down. Whole-number coordinates are mask
//! pixels, which are pixels unless the atlas has another [resolution](Atlas::resolution). Angles are in
//! radians, clockwise on screen, or exact 65,536ths of a turn ([`Angle`]).
//!
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `runtime` | yes | the kernels, [`Batch`], [`BoxTree`] and [`World`] |
//! | `rayon` | yes | every core for bakes and updates; answers are the same without it |
//! | `serde` | no | `Serialize` and `Deserialize` for plain data types |
//! | `shapes` | no | outlines, convex pieces and terrain for physics engines: [`Mask::shape`], [`ShapeGrid`] |
//!
//! A build script takes `hitmask-bake`, which leaves out `runtime`.
//!
//! # Errors
//! A refused call leaves the world, and a failed bake the old atlas, as it was. Each error says what is wrong in
//! its `Display`, and how to fix it in its method `help`. Its `Debug`, which `main` and `unwrap` print, says both.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without all features, some links of the documentation name missing items.
#![cfg_attr(
    not(all(feature = "runtime", feature = "shapes")),
    allow(rustdoc::broken_intra_doc_links)
)]
// A build script leaves out the kernels and the world. Code that only these use is dead there.
#![cfg_attr(not(feature = "runtime"), allow(dead_code, unused_imports))]

/// Prints an error and its remedy, because a program that returns the error from `main` prints this.
macro_rules! debug_with_help {
    ($error:ident) => {
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{self}; {}", self.help())
            }
        }
    };
}

mod atlas;
#[cfg(feature = "runtime")]
mod broad;
mod builder;
mod error;
mod geom;
mod ids;
mod mask;
mod memory;
#[cfg(feature = "runtime")]
mod motion;
#[cfg(feature = "runtime")]
mod narrow;
mod pose;
#[cfg(feature = "runtime")]
mod query;
mod raster;
#[cfg(feature = "runtime")]
mod save;
#[cfg(feature = "runtime")]
mod scene;
#[cfg(feature = "shapes")]
mod shape;
mod simd;
#[cfg(feature = "runtime")]
mod update;
#[cfg(feature = "runtime")]
mod world;

pub use atlas::{
    Aligned, Atlas, AtlasOptions, BuildError, BuildFault, DrawingCost, FileError, IoCause, Map,
    MapItem, MapShape, PoseId, Section, Sprite, file_format,
};
#[cfg(feature = "runtime")]
pub use atlas::{Batch, Fidelity, PosePair};
#[cfg(feature = "runtime")]
pub use broad::BoxTree;
pub use builder::{AtlasBuilder, BuildReport, Settings, SpriteReport, Warning};
pub use error::CallError;
pub use geom::{Affine, Flip, Line, MAX_POSITION, PixelPath, Point, Rect, Similarity, Snap, Zone};
pub use ids::{AtlasId, ColliderId, MAX_COLLIDERS, MaskId, SpriteId};
pub use mask::{
    AlphaRule, Channel, ColorRange, Component, Components, Connectivity, GrowShape, MAX_FRAME_SIDE,
    MAX_SIDE, Mask, MaskKey, MaskRef, Polygon, TexelRule,
};
#[cfg(feature = "runtime")]
pub use motion::{BodyHit, Hit, MoveResult, MoveRules};
#[cfg(feature = "runtime")]
pub use narrow::{
    Accuracy, Certainty, Contact, Graze, Impact, LineHit, LocalContact, LocalOverlap, Normal,
    Overlap, ScanOrder, Side,
};
pub use pose::{
    Angle, MAX_ANGLES, MAX_RESOLUTION, MAX_SCALE, MIN_RESOLUTION, MIN_SCALE, Pose, PoseSet,
    ScalePolicy,
};
#[cfg(feature = "runtime")]
pub use query::{Bodies, Body, BodyPair, ContactAt, Filter, MoveContact, PairRef, Probe};
pub use raster::{MAX_PIVOT, Pivot, Posed, PosedRef, Raster, Sampling};
#[cfg(feature = "runtime")]
pub use save::{ExplainedCollider, Explanation, InvariantViolation};
#[cfg(feature = "runtime")]
pub use scene::{
    Collider, ColliderShape, DecidedBy, InUse, MapReport, MinOverlap, Pair, PlacedMap, Placement,
    PoseStats, ReloadReport, SpriteChange,
};
#[cfg(feature = "shapes")]
pub use shape::{
    Fit, Mass, Pieces, Shape, ShapeCell, ShapeChain, ShapeGrid, ShapeOptions, ShapePolygon,
};
pub use simd::Simd;
#[cfg(feature = "runtime")]
pub use update::UpdateTimings;
#[cfg(feature = "runtime")]
pub use world::{AtlasesMut, MasksMut, World};

/// What a baker needs besides [`AtlasBuilder`], which does these steps at once. Frames are loaded when they
/// are needed, sprites are copied from an earlier atlas, and an atlas grows in a file.
///
/// Games need none of it. The crate `hitmask-bake` uses it to read art from disk.
pub mod baking {
    pub use crate::atlas::{
        Assembler, AtlasFile, DEFAULT_PLANE, Entry, Finished, Kept, MAGIC, SHARD_MAGIC, Scratch,
        SourceSprite, alike, digest,
    };
    pub use crate::builder::{Frame, SpriteInfo, TexelMasks, fit, frame_mask, summary};
}

/// The pixel rules and the classic raster approach, pixel by pixel: the truth of the tests and the baseline
/// of the benchmarks. Slow on purpose.
pub mod reference {
    #[cfg(feature = "runtime")]
    pub use crate::narrow::reference::{Canvas, cast, contact, nearest, push_out};
    pub use crate::raster::reference::Drawing;
}

/// Includes the atlas `name`, which a build script baked with `hitmask_bake::Bake::write_out_dir`, as a module.
///
/// The module holds `BYTES` for [`Atlas::from_static`], which opens them in place, one [`SpriteId`] for each
/// sprite, and the [`AtlasId`] as `ATLAS_ID`.
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
            include!(concat!(
                env!(
                    "OUT_DIR",
                    "include_atlas! needs a build.rs that calls hitmask_bake::Bake::write_out_dir"
                ),
                "/",
                stringify!($name),
                ".rs"
            ));
        }
    };
}
