//! A world as bytes: to save it, to send it, to go back to it and play on from there.
//!
//! ```text
//! head      magic, version, the atlas's checksum, accuracy
//! masks     made at run time: generation, pivot, size, bits, and what they are drawn from: the
//!           same of the sprite, how it is sampled, the transform; then the free places
//! looks     appearances in use, in the order in which slots first show them
//! slots     generation, appearance, position, angle, scale; then the free slots
//! pairs     touching, began, ended
//! foot      CRC-32 of all before
//! ```
//!
//! All numbers are little-endian, 32 bits unless said otherwise. What is kept true: equal states
//! are equal bytes, however they came about; restored bytes give the world they came from, but for
//! its index, which the next update makes; bytes that are not such are refused, and nothing
//! changes.

mod error;
mod read;
mod write;

pub use error::SnapshotError;

use crate::atlas::Atlas;
use crate::world::World;
use xxhash_rust::xxh3::Xxh3Default;

/// What a snapshot begins with.
const MAGIC: [u8; 8] = *b"HITWORLD";
/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

impl World {
    /// All that the world is, as bytes: colliders and their ids, masks made at run time, what
    /// touched, began and ended at the last update. Worlds of equal state give equal bytes, on
    /// every machine. About 30 bytes a collider.
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

    /// A number that two worlds share if they are in the same state, and hardly ever otherwise:
    /// what lockstep games compare from tick to tick. The same at any number of threads, with any
    /// instruction set, on every machine. It is the XXH3 hash of the snapshot's bytes.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3Default::new();
        write::world(self, &mut |part| hash.update(part));
        hash.digest()
    }

    /// Goes back to the state of a snapshot taken with the same atlas. Ids are then those of that
    /// time.
    ///
    /// # Errors
    /// [`SnapshotError`] where the bytes are not such a snapshot; the world is then as it was.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        let mut restored = Self::from_snapshot(self.atlas.clone(), snapshot)?;
        // For its memory: what it holds is made anew at the update.
        restored.finder = std::mem::take(&mut self.finder);
        restored.finder.mark_fixed_dirty();
        *self = restored;
        Ok(())
    }

    /// The world of a snapshot taken with the same atlas.
    ///
    /// # Errors
    /// [`SnapshotError`] where the bytes are not such a snapshot.
    pub fn from_snapshot(atlas: Atlas, snapshot: &[u8]) -> Result<Self, SnapshotError> {
        read::world(atlas, snapshot)
    }
}
