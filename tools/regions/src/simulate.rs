//! [`simulate`]: the ghosts and messages of a plane that is too large for the machines at hand.

use crate::error::Error;
use crate::ids::PlaneId;
use crate::mesh::Beside;
use crate::message::{Message, pack};
use crate::options::Options;
use crate::partition::RegionId;
use hitmask::{Collider, Rect, SpriteId};

/// Rounds of a tick with the processes that are near: edits, colliders, and sights of pairs.
const ROUNDS: u64 = 3;
/// Bound on the boxes of sprites of 80 px at any angle, as a plane computes it.
const LARGEST_BOX: i32 = 128;

/// What [`simulate`] counts of a process in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Simulated {
    /// Colliders whose home is there.
    pub colliders: u64,
    /// Ghosts of colliders of other regions, of the same process too.
    pub ghosts: u64,
    /// Colliders that move to another process.
    pub handed_over: u64,
    /// Parcels to other processes: in each of 3 rounds one to each process that is near, and those of the tree.
    pub parcels: u64,
    /// Processes that this one waits for, near and in the tree.
    pub peers: u64,
    /// Parcels on the longest way through the tree and back, one after the other.
    pub depth: u64,
    /// Messages that go through the tree, because their process is not near.
    pub far: u64,
    /// Messages to other processes.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
}

/// Counts the ghosts and the messages of one tick of a plane, for each process, by the partition and the rules of a
/// plane, but without worlds. `moved` gives the boxes of each collider at one tick and at the next, in mask pixels. It
/// gives them one by one, so that they need not fit into memory.
///
/// # Errors
/// Returns [`ErrorKind::Options`](crate::ErrorKind::Options) for options that a plane refuses.
pub fn simulate(
    options: &Options,
    processes: usize,
    moved: impl IntoIterator<Item = [Rect; 2]>,
) -> Result<Vec<Simulated>, Error> {
    let partition = options.partition(processes)?;
    let mut counts = vec![Simulated::default(); processes];
    let mut near = vec![Vec::new(); processes];
    let mut depths = vec![0; processes];
    for process in 0..processes {
        near[process] = partition.near(None, process as u16, 2 * options.halo as i32 + LARGEST_BOX);
        let beside = Beside::new(process, processes);
        depths[process] = beside.parent.map_or(0, |parent| depths[parent] + 1);
        let count = &mut counts[process];
        let tree = beside.places().count() as u64;
        count.parcels = ROUNDS * near[process].len() as u64 + tree;
        count.peers = near[process].len() as u64 + tree;
    }
    let depth = 2 * depths.into_iter().max().unwrap_or_default();
    counts.iter_mut().for_each(|count| count.depth = depth);
    let [home_bytes, ghost_bytes, leave_bytes] = sizes(processes)?;
    for boxes in moved {
        let [before, now] = boxes.map(|bounds| partition.places(bounds, options.halo as i32));
        let from = before.0.process;
        let sender = &mut counts[usize::from(from)];
        let near = &near[usize::from(from)];
        let mut send = |to: u16, bytes| {
            sender.messages += 1;
            sender.bytes += bytes;
            sender.far += u64::from(near.binary_search(&to).is_err());
        };
        for ghost in now.1.iter().filter(|ghost| ghost.process != from) {
            send(ghost.process, ghost_bytes);
        }
        let is_gone =
            |old: RegionId| old != now.0.region && now.1.iter().all(|ghost| ghost.region != old);
        for old in before.1.iter().filter(|old| old.process != from && is_gone(old.region)) {
            send(old.process, leave_bytes);
        }
        if now.0.process != from {
            send(now.0.process, home_bytes);
            sender.handed_over += 1;
        }
        counts[usize::from(now.0.process)].colliders += 1;
        for ghost in &now.1 {
            counts[usize::from(ghost.process)].ghosts += 1;
        }
    }
    Ok(counts)
}

/// Returns the bytes of the messages that hand a collider over, show it, and end a ghost. Those of other colliders
/// differ by some bytes.
fn sizes(processes: usize) -> Result<[u64; 3], Error> {
    let collider = Collider::new(SpriteId::new(9)).at([1e5, 2e5]).turned(0.3);
    let (id, region) = (PlaneId::new(processes as u16, 1 << 22), 1 << 10);
    let size = |message: Message<[f32; 3]>| -> Result<u64, Error> {
        Ok(pack(&(region, message))?.len() as u64)
    };
    Ok([
        size(Message::Home { id, collider, data: [1.0; 3], ghosts: vec![region] })?,
        size(Message::Ghost { id, collider, home: region })?,
        size(Message::Leave { id, removed: false })?,
    ])
}
