//! What the processes of a plane tell each other, and its bytes.

use crate::error::{Error, ErrorKind};
use crate::exchange::{Exchange, Parcel};
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

/// A pair near a border, for the process that compares what the regions saw of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Sight {
    pub(crate) pair: PlanePair,
    /// The region that saw it.
    pub(crate) region: RegionId,
    /// Whether it touches now; else it touched at the last update.
    pub(crate) now: bool,
    /// Whether the region would report that it began or ended.
    pub(crate) reported: bool,
}

/// Returns the bytes of a value that may hold data of the game.
pub(crate) fn pack(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(value).map_err(|error| {
        let cause = format!("data cannot be packed: {error}");
        Error::new(ErrorKind::Call, cause, "use data that serde can write")
    })
}

/// Sends values to processes and returns those that came, in order of their senders. The values that a process
/// sends to itself are not packed.
///
/// # Errors
/// Returns the errors of the exchange, and [`ErrorKind::Garbage`] for bytes that are no list of such values.
pub(crate) fn swap<T: Serialize + DeserializeOwned>(
    exchange: &mut dyn Exchange,
    values: Vec<(u16, T)>,
    sent: &mut Traffic,
) -> Result<Vec<T>, Error> {
    let here = exchange.process();
    let mut own = Vec::new();
    let mut others: Vec<Vec<T>> = Vec::new();
    others.resize_with(exchange.processes(), Vec::new);
    for (process, value) in values {
        if usize::from(process) == here {
            own.push(value)
        } else {
            others[usize::from(process)].push(value)
        }
    }
    let mut parcels = Vec::new();
    for (process, values) in others.into_iter().enumerate().filter(|(_, values)| !values.is_empty())
    {
        let bytes = pack(&values)?;
        sent.messages += values.len() as u64;
        sent.bytes += bytes.len() as u64;
        parcels.push(Parcel { process, bytes });
    }
    sent.rounds += 1;
    let mut came = Vec::new();
    let mut own = Some(own);
    for parcel in exchange.exchange(parcels)? {
        if parcel.process > here {
            came.append(&mut own.take().unwrap_or_default());
        }
        let values: Vec<T> = postcard::from_bytes(&parcel.bytes).map_err(|error| {
            let cause =
                format!("{} bytes are no messages of this plane: {error}", parcel.bytes.len());
            Error::new(ErrorKind::Garbage, cause, "run the same program on all processes")
                .of_process(parcel.process)
        })?;
        came.extend(values);
    }
    came.append(&mut own.unwrap_or_default());
    Ok(came)
}

/// What a process has sent to others since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Number of rounds, in each of which every process waits for every other one.
    pub rounds: u64,
    /// Number of messages.
    pub messages: u64,
    /// Bytes of the messages.
    pub bytes: u64,
}
