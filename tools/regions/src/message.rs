//! What the processes of a plane tell each other, and its bytes.

use crate::error::{Error, ErrorKind};
use crate::ids::{PlaneId, PlanePair};
use crate::partition::RegionId;
use hitmask::Collider;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A message to a region. A region that is not there any more does not need it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Message<D> {
    /// Changes a collider at its home.
    Set(PlaneId, Collider),
    /// Removes a collider at its home.
    Remove(PlaneId),
    /// Makes the region the home of a collider, which has ghosts in other regions.
    Home { id: PlaneId, collider: Collider, data: D, ghosts: Vec<RegionId> },
    /// Shows a collider whose home is elsewhere.
    Ghost { id: PlaneId, collider: Collider, home: RegionId },
    /// Ends a ghost.
    Leave { id: PlaneId, removed: bool },
}

/// What a region saw of a pair near a border, which another region may have seen otherwise.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Sight {
    pub(crate) pair: PlanePair,
    /// Whether it touches now; else it touched at the last update.
    pub(crate) now: bool,
}

/// Returns the bytes of a value that may hold data of the game.
pub(crate) fn pack(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(value).map_err(|error| {
        let cause = format!("data cannot be packed: {error}");
        Error::new(ErrorKind::Call, cause, "use data that serde can write")
    })
}

/// Reads what a process has packed.
///
/// # Errors
/// Returns [`ErrorKind::Garbage`] for other bytes.
pub(crate) fn unpack<T: DeserializeOwned>(process: usize, bytes: &[u8]) -> Result<T, Error> {
    postcard::from_bytes(bytes).map_err(|error| {
        let cause = format!("{} bytes are no messages of this plane: {error}", bytes.len());
        Error::new(ErrorKind::Garbage, cause, "run the same program on all processes")
            .of_process(process)
    })
}

/// What a process has sent to others since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Number of rounds. In each of them a process waits for those whose regions are near its own, or for those beside
    /// it in the tree.
    pub rounds: u64,
    /// Number of parcels: one to each process in a round.
    pub parcels: u64,
    /// Number of messages in the parcels.
    pub messages: u64,
    /// Bytes of the messages.
    pub bytes: u64,
}
