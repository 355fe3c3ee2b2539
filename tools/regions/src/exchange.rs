//! [`Exchange`]: rounds of messages between the processes of a plane.

use crate::error::Error;

/// Bytes for one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parcel {
    /// The other process: the receiver before an exchange, the sender after it.
    pub(crate) process: usize,
    pub(crate) bytes: Vec<u8>,
}

/// The processes of a plane, as one of them sees the others.
pub(crate) trait Exchange {
    /// Returns the index of this process.
    fn process(&self) -> usize;

    /// Returns the number of processes.
    fn processes(&self) -> usize;

    /// Sends `parcels`, at most one per process, and returns those that were sent here in this round, in order
    /// of their senders. Every process takes part in every round, with or without parcels.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Lost`](crate::ErrorKind::Lost) if a process does not answer in time.
    fn exchange(&mut self, parcels: Vec<Parcel>) -> Result<Vec<Parcel>, Error>;
}

/// The only process of a plane.
pub(crate) struct Alone;

impl Exchange for Alone {
    fn process(&self) -> usize {
        0
    }

    fn processes(&self) -> usize {
        1
    }

    fn exchange(&mut self, parcels: Vec<Parcel>) -> Result<Vec<Parcel>, Error> {
        Ok(parcels)
    }
}
