//! [`Options`]: how a plane is divided.

use crate::error::{Error, ErrorKind};
use crate::network::{Hello, Purpose};
use crate::partition::Partition;
use hitmask::{Rect, World};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// How a plane is divided. All processes of a run begin with equal options.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Name of the run. Processes and snapshots of another run are refused.
    pub run: u64,
    /// Where most colliders are expected, in mask pixels. It is divided evenly at the beginning. Colliders may be
    /// anywhere, and regions follow them.
    pub bounds: Rect,
    /// How far regions see beyond their sides, in mask pixels, for motions. A motion that would leave it is
    /// refused. Each pixel costs ghosts: see README.md.
    pub halo: u32,
    /// Regions per process. More of them divide the load more evenly, and have more ghosts.
    pub regions: u16,
    /// Ticks from one comparison of the loads to the next; 0 for none.
    pub rebalance: u32,
    /// Number of hosts at the end of the list whose processes do not take part at the beginning. They may come by
    /// `Plane::rejoin`.
    pub spare: u16,
    /// Whether a run survives the loss of a process. Each process then keeps what it has sent since the last snapshot.
    pub recovers: bool,
    /// Longest time that a process waits for another one.
    pub limit: Duration,
}

impl Options {
    /// Returns the options for a plane with most colliders in `bounds`, in mask pixels: a halo of 64 px, 2 regions
    /// per process, loads compared every 64 ticks, and a limit of 30 s.
    #[must_use]
    pub const fn new(bounds: Rect) -> Self {
        let limit = Duration::from_secs(30);
        let (spare, recovers) = (0, false);
        Self { run: 0, bounds, halo: 64, regions: 2, rebalance: 64, spare, recovers, limit }
    }

    /// Returns the number of processes at the beginning.
    pub(crate) fn members(&self, hosts: usize) -> Result<usize, Error> {
        hosts.checked_sub(self.spare.into()).filter(|&members| members > 0).ok_or_else(|| {
            let cause = format!("{hosts} hosts of which {} are spare", self.spare);
            Error::new(ErrorKind::Options, cause, "give more hosts, or fewer spare ones")
        })
    }

    /// Returns the partition at the beginning.
    pub(crate) fn partition(&self, processes: usize) -> Result<Partition, Error> {
        let refused = |cause, help| Err(Error::new(ErrorKind::Options, cause, help));
        if processes == 0 || processes > 4096 || self.regions == 0 || self.regions > 1024 {
            let cause = format!("{processes} processes of {} regions each", self.regions);
            return refused(cause, "use 1 to 4096 processes and 1 to 1024 regions per process");
        }
        if self.halo > 1 << 20 {
            let cause = format!("a halo of {} px", self.halo);
            return refused(cause, "use a halo of at most 1048576 px");
        }
        let partition = Partition::new(self.bounds, processes as u16, self.regions);
        let regions = partition.leaves().count();
        if regions < processes * usize::from(self.regions) {
            let cause = format!(
                "bounds of {} x {} px for {processes} processes",
                self.bounds.width(),
                self.bounds.height()
            );
            return refused(cause, "give bounds with as many pixels as there are regions");
        }
        Ok(partition)
    }

    /// Returns what a process tells those that it connects to.
    pub(crate) fn hello(&self, template: &World, purpose: Purpose) -> Hello {
        let [atlas, options] = self.hashes(template);
        Hello { run: self.run, atlas, options, purpose }
    }

    /// Returns what differs between processes that cannot work together: a hash of the world that all begin with,
    /// and one of the options.
    pub(crate) fn hashes(&self, template: &World) -> [u64; 2] {
        let mut bytes = template.snapshot();
        for atlas in template.atlases() {
            bytes.extend(xxh3_64(atlas.as_bytes()).to_le_bytes());
        }
        let Self { run, bounds, halo, regions, rebalance, spare, recovers, limit: _ } = self;
        let options = format!("{run} {bounds:?} {halo} {regions} {rebalance} {spare} {recovers}");
        [xxh3_64(&bytes), xxh3_64(options.as_bytes())]
    }
}
