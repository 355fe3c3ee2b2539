//! [`simulate`]: the ghosts and messages of a plane that is too large for the machines at hand.

use crate::error::{Error, ErrorKind};
use crate::ids::PlaneId;
use crate::message::Message;
use crate::options::Options;
use crate::partition::RegionId;
use crate::region::{grown, holds};
use hitmask::{Collider, Point, Rect};

/// A collider that the simulation asks for: its state, and its boxes at one tick and at the next.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// The collider at the next tick.
    pub collider: Collider,
    /// Its boxes, in mask pixels.
    pub boxes: [Rect; 2],
}

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
    /// Messages to other processes.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
}

/// Counts the ghosts and the messages of one tick of a plane, for each process, by the partition and the rules of a
/// plane, but without worlds. `moved` gives the colliders one by one, so that they need not fit into memory.
///
/// # Errors
/// Returns [`ErrorKind::Options`] for options that a plane refuses.
pub fn simulate(
    options: &Options,
    processes: usize,
    moved: impl IntoIterator<Item = Moved>,
) -> Result<Vec<Simulated>, Error> {
    let partition = options.partition(processes)?;
    let mut counts = vec![Simulated::default(); processes];
    let halo = options.halo as i32;
    let size = |message: &(RegionId, Message<[f32; 3]>)| {
        postcard::to_stdvec(message).map(|bytes| bytes.len() as u64)
    };
    let mut sizes = None;
    for Moved { collider, boxes } in moved {
        let [before, now] = boxes.map(|bounds| {
            let home = partition.at(Point::new(bounds.x0, bounds.y0));
            let mut ghosts = Vec::new();
            let near = grown(bounds, halo);
            if !holds(home.rect, near) {
                partition.overlapping(near, |leaf| {
                    if leaf.region != home.region {
                        ghosts.push(leaf);
                    }
                });
            }
            (home, ghosts)
        });
        let sender = &mut counts[usize::from(before.0.process)];
        // All moving colliders of a simulation have messages of nearly one size.
        let [home_bytes, ghost_bytes, leave_bytes] = match sizes {
            Some(sizes) => sizes,
            None => {
                let id = PlaneId::new(processes as u16, 1 << 22);
                let region = now.0.region.max(1 << 10);
                let packed = |error: postcard::Error| {
                    Error::new(
                        ErrorKind::Call,
                        error.to_string(),
                        "report this error, which is a defect",
                    )
                };
                let home = Message::Home { id, collider, data: [1.0; 3], ghosts: vec![region] };
                let three = [
                    size(&(region, home)).map_err(packed)?,
                    size(&(region, Message::Ghost { id, collider, home: region }))
                        .map_err(packed)?,
                    size(&(region, Message::Leave { id, removed: false })).map_err(packed)?,
                ];
                *sizes.insert(three)
            }
        };
        let from = before.0.process;
        let mut send = |bytes| {
            sender.messages += 1;
            sender.bytes += bytes;
        };
        for _ in now.1.iter().filter(|ghost| ghost.process != from) {
            send(ghost_bytes);
        }
        let is_gone =
            |old: RegionId| old != now.0.region && now.1.iter().all(|ghost| ghost.region != old);
        for _ in before.1.iter().filter(|old| old.process != from && is_gone(old.region)) {
            send(leave_bytes);
        }
        if now.0.process != from {
            send(home_bytes);
            sender.handed_over += 1;
        }
        counts[usize::from(now.0.process)].colliders += 1;
        for ghost in &now.1 {
            counts[usize::from(ghost.process)].ghosts += 1;
        }
    }
    Ok(counts)
}
