//! A plane of colliders that is divided into regions over several processes.

mod error;
mod exchange;
mod launch;
mod network;

pub use error::{Error, ErrorKind};
pub use launch::{launch, local_hosts};
