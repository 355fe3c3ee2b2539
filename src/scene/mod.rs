//! The scene: what is placed on the plane, and the masks that it shows.
//!
//! ```text
//! edits             the calls that change more than one room
//! pair_rule         which pairs may touch, and by what
//! view              one collider as the kernels take it
//! scene             the three rooms together
//! bulk              the placing of many colliders in one call
//! stock             room: atlases, drawn poses, run-time masks
//! placed            room: colliders by slot, and their appearances
//! changes           room: what has changed since the last update
//! placement         where a mask lies
//! collider          plain data that users give and get
//! ```
//!
//! No room names a file inside another one.

mod bulk;
pub(crate) mod changes;
pub(crate) mod collider;
mod edits;
pub(crate) mod pair_rule;
pub(crate) mod placed;
pub(crate) mod placement;
#[expect(clippy::module_inception, reason = "the file holds the type `Scene`")]
mod scene;
pub(crate) mod stock;
pub(crate) mod view;

pub use collider::{Collider, ColliderShape, MinOverlap, Pair, Placement};
pub use edits::{InUse, MapReport, PlacedMap, PoseStats, ReloadReport, SpriteChange};
pub use pair_rule::DecidedBy;

pub(crate) use placement::PlacedMask;
pub(crate) use scene::Scene;
pub(crate) use view::SceneView;
