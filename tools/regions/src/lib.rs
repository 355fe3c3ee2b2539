//! A plane of colliders that is divided into regions over several processes.

mod error;
mod exchange;

pub use error::{Error, ErrorKind};
