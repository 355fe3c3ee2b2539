//! A plane of colliders that is divided into regions over several processes.

mod ask;
mod error;
mod exchange;
pub mod game;
mod ids;
mod launch;
mod message;
mod network;
mod options;
mod partition;
mod plane;
mod region;
mod save;
mod simulate;

pub use ask::{Answer, Question, Shape};
pub use error::{Error, ErrorKind};
pub use ids::{PlaneId, PlanePair};
pub use launch::{launch, local_hosts};
pub use message::Traffic;
pub use options::Options;
pub use plane::{Data, Plane, Stats};
pub use simulate::{Moved, Simulated, simulate};
