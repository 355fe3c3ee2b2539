//! Snapshots: the state of a world as bytes, to save it, to send it, or to roll back to it.
//!
//! ```text
//! head      magic, version, id of the first atlas, accuracy and whether the world was never
//!           updated, factor of the scale policy if it is not the default; with several atlases
//!           their number, and for each its id and the place of its newest version
//! masks     runtime masks: generation, pivot, size, bits; for a drawn mask also its source
//!           (pivot, size, bits), sampling and transform; then the free places
//! looks     distinct appearances in use, in the order in which slots first show them; a sprite
//!           is its index and the place of its atlas
//! slots     generation, appearance, position, kind of angle and whether an owner follows, angle,
//!           owner if any, scale; then the free slots
//! pairs     touching, began, ended
//! owners    owners at the last update and at the one before, of colliders whose owner has changed
//!           since; absent without such colliders
//! foot      CRC-32 of all bytes before it
//! ```
//!
//! All numbers are little-endian and 32 bits wide unless stated otherwise. `write` produces the
//! bytes, `head` and `read` check and parse them.
//!
//! Invariants: equal states give equal bytes, whatever calls led to them. Restored bytes give the
//! world that wrote them, except for the broad-phase index, which the next update rebuilds. Invalid
//! bytes are refused, and no world changes.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

mod error;
mod head;
mod read;
mod reader;
mod write;

pub use error::SnapshotError;

use crate::atlas::Atlas;
use crate::world::World;
use crate::world::atlases::atlas_list::AtlasList;
use crate::world::poses::shown_poses::ShownPoses;
use xxhash_rust::xxh3::Xxh3Default;

/// Magic bytes at the start of a snapshot.
const MAGIC: [u8; 8] = *b"HITWORLD";
/// Format version: written by `write`, and the only one that `read` accepts.
const VERSION: u32 = 1;

impl World {
    /// Returns the state of the world as bytes.
    ///
    /// The state is the colliders with their ids, the runtime masks, and the pairs that touched,
    /// began and ended at the last update. The accuracy and the scale policy are part of it, and so
    /// is whether the world was ever updated.
    ///
    /// Worlds of equal state give equal bytes on every machine. Size: about 30 bytes per collider.
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, World};
    /// # let atlas = Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// let mut world = World::new(atlas);
    /// let id = world.insert(a)?;
    /// let saved = world.snapshot();
    /// let before = world.state_hash();
    /// world.set(id, a.at([5.0, 5.0]))?;
    /// world.restore(&saved)?;
    /// assert_eq!(world.state_hash(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write::world(self, &mut |part| bytes.extend_from_slice(part));
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    /// Returns a 64-bit hash of the world's state, for lockstep games to compare on each tick.
    ///
    /// Equal states give equal hashes with any number of threads, any instruction set and on every
    /// machine. Different states almost never do. The value is the XXH3 hash of the snapshot's
    /// bytes before the CRC-32.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3Default::new();
        write::world(self, &mut |part| hash.update(part));
        hash.digest()
    }

    /// Restores the state of a snapshot that was taken with the same atlases, drawn or not. Ids from
    /// the time of the snapshot are valid again. The [budget](Self::set_pose_budget) of poses stays.
    /// Up to twice the budget is in memory until the call returns.
    ///
    /// # Errors
    /// Returns [`SnapshotError`] if the bytes are not a valid snapshot for these atlases. The world
    /// is left unchanged.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        let atlases: Vec<Atlas> = self.atlases().cloned().collect();
        let head = head::head(&atlases, snapshot)?;
        let list = self.atlases.with_newest(&head.newest).map_err(SnapshotError::Atlases)?;
        // The poses that are drawn stay drawn.
        let mut poses = std::mem::take(&mut self.poses);
        let budget = poses.budget.take();
        poses.set_filling(budget);
        let mut restored = Self::over(list, self.atlas.clone(), poses);
        let filled = read::fill(&mut restored, &head, snapshot).and_then(|()| {
            restored.poses.set_filling(None);
            let slot = restored.slots.len().saturating_sub(1) as u32;
            let placed = restored.set_pose_budget(budget);
            placed.map_err(|cause| SnapshotError::Placement { slot, cause })
        });
        if let Err(error) = filled {
            self.poses = std::mem::take(&mut restored.poses);
            self.poses.set_filling(None);
            // Cannot fail: what this world shows fitted before.
            let _ = self.set_pose_budget(budget);
            return Err(error);
        }
        // Keeps the allocations of the pair finder; the next update rebuilds its contents.
        restored.finder = std::mem::take(&mut self.finder);
        restored.finder.index.mark_fixed_dirty();
        *self = restored;
        Ok(())
    }

    /// Creates the world of a snapshot that was taken with the same atlas, drawn or not.
    ///
    /// ```
    /// # use hitmask::{Atlas, Bake, Collider, World};
    /// # let atlas = Atlas::from_vec(Bake::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// let mut world = World::new(atlas.clone());
    /// world.insert(a)?;
    /// let copy = World::from_snapshot(atlas, &world.snapshot())?;
    /// assert_eq!(copy.state_hash(), world.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`SnapshotError`] if the bytes are not a valid snapshot for this atlas.
    pub fn from_snapshot(atlas: Atlas, snapshot: &[u8]) -> Result<Self, SnapshotError> {
        Self::from_snapshot_with([atlas], snapshot)
    }

    /// Creates the world of a snapshot that was taken with these atlases, in the order of
    /// [`atlases`](Self::atlases).
    ///
    /// # Errors
    /// Returns [`SnapshotError`] if the bytes are not a valid snapshot for these atlases.
    pub fn from_snapshot_with(
        atlases: impl IntoIterator<Item = Atlas>,
        snapshot: &[u8],
    ) -> Result<Self, SnapshotError> {
        let atlases: Vec<Atlas> = atlases.into_iter().collect();
        let head = head::head(&atlases, snapshot)?;
        let (list, atlas) =
            AtlasList::of_snapshot(&atlases, &head.newest).map_err(SnapshotError::Atlases)?;
        let poses = ShownPoses::new(&atlas);
        let mut world = Self::over(list, atlas, poses);
        read::fill(&mut world, &head, snapshot)?;
        Ok(world)
    }
}
