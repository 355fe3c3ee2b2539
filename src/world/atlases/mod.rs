//! The atlases of a world, and which sprite an id names.
//!
//! ```text
//! atlas_list   the atlases, their earlier versions, and the combined atlas of all
//! versions     ids of replaced atlases, by name
//! change       add, drop and replace an atlas: a world over other atlases
//! reload       what differs between two versions of an atlas
//! ```
//!
//! A world of one atlas reads its poses in place. Several atlases are combined to one: the sprites
//! of all in one list. So appearances, placement and updates know one atlas only.
//!
//! Invariants: no two atlases of a world have one id. A sprite id of an appearance belongs to an
//! atlas of the list. A change of atlases either succeeds or leaves the world as it was.

pub(crate) mod atlas_list;
mod change;
mod error;
mod reload;
mod versions;

pub use error::AtlasChangeError;
pub use reload::{ReloadReport, SpriteChange};
