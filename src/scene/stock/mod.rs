//! What colliders can show: atlases, the poses drawn from them, and run-time masks.

mod atlas_list;
mod runtime_masks;
mod shown_poses;
#[expect(clippy::module_inception, reason = "the file holds the type `Stock`")]
mod stock;

pub(crate) use atlas_list::{AtlasList, EarlierVersion, Member};
pub(crate) use runtime_masks::{MaskStore, RasterSource, RuntimeMask};
pub(crate) use shown_poses::{DrawnPiece, MissingPose, PoseArena, ShownPoses, draw_missing};
pub(crate) use stock::{MaskSource, PlaceContext, Stock};
