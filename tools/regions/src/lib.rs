//! A plane of colliders that is divided into regions over several processes.
//!
//! Every process runs the same program. [`Plane::join`] connects it to the others; [`Plane::alone`] is for one
//! process, as here:
//!
//! ```
//! use hitmask::{Atlas, AtlasBuilder, Collider, Mask, Rect, World};
//! use hitmask_regions::{Options, Plane};
//!
//! let atlas = Atlas::from_vec(AtlasBuilder::new().mask("coin", Mask::disc(4)?).to_bytes()?)?;
//! let coin = Collider::new(atlas.sprite_id("coin").unwrap());
//! let mut plane = Plane::alone(World::new(atlas), Options::new(Rect::new(0, 0, 1000, 1000)))?;
//!
//! // The data of a collider are its velocity here.
//! let still = plane.insert(coin.at([500.0, 40.0]), 0.0_f32)?;
//! let fast = plane.insert(coin.at([480.0, 40.0]), 15.0)?;
//! plane.drive(|_, place, velocity| place.position[0] += *velocity)?;
//! plane.tick()?;
//! assert_eq!(plane.began(), [[still, fast].into()]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Limits, rules and costs are in README.md and SCALE.md.

mod ask;
mod error;
pub mod game;
mod ids;
mod launch;
mod mesh;
mod message;
mod network;
mod options;
mod partition;
mod plane;
mod region;
mod save;
mod simulate;
mod watch;

pub use ask::{Answer, Question, Shape};
pub use error::{Error, ErrorKind};
pub use ids::{PlaneId, PlanePair};
pub use launch::{launch, launch_again, local_hosts};
pub use message::Traffic;
pub use options::Options;
pub use plane::{Data, Plane, Stats};
pub use save::Restored;
pub use simulate::{Simulated, simulate};
pub use watch::View;
