//! Snapshots of a world, and the check of its invariants.

use crate::atlas::Atlas;
use crate::atlas::FileError;
use crate::save::{self, InvariantViolation};
use crate::update::Updater;
use crate::world::World;

/// # Snapshots
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
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
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
        save::snapshot(&self.scene, &self.updater.pairs)
    }

    /// Returns a 64-bit hash of the world's state, for lockstep games to compare on each tick.
    ///
    /// Equal states give equal hashes with any number of threads, any instruction set and on every
    /// machine. Different states almost never do. A later version of hitmask may give another value, so
    /// compare machines of one version, and store no hash. The value is the XXH3 hash of the snapshot's
    /// bytes before the CRC-32, with 8 bytes for the pixels of each run-time mask.
    ///
    /// Costs about 15 ns per collider. The pixels of a run-time mask are hashed again only after an edit.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        save::state_hash(&self.scene, &self.updater.pairs)
    }

    /// Returns what differs first between two states, for games whose machines disagree. Returns `None` if
    /// their snapshots are equal.
    ///
    /// The text names the part and its two values, that of `self` first: `collider 17: position.x 3.0 / 3.5`,
    /// `mask 0, row 12` or `began: pair (3, 9) only here`. A collider or a mask is named by its index. Make
    /// worlds [of two snapshots](Self::from_snapshot) to compare these.
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, World};
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// let mut world = World::new(atlas);
    /// let id = world.insert(a.at([3.0, 0.0]))?;
    /// let saved = world.clone();
    /// world.move_to(id, [3.5, 0.0])?;
    /// let difference = saved.first_difference(&world);
    /// assert_eq!(difference.as_deref(), Some("collider 0: position.x 3.0 / 3.5"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let pairs = [&self.updater.pairs, &other.updater.pairs];
        save::first_difference([&self.scene, &other.scene], pairs)
    }

    /// Restores the state of a snapshot that was taken with the same atlases, drawn or not. Ids from
    /// the time of the snapshot are valid again. The [budget](crate::AtlasesMut::set_pose_budget) of poses stays.
    /// Up to twice the budget is in memory until the call returns.
    ///
    /// # Errors
    /// Returns [`FileError`] if the bytes are not a valid snapshot for these atlases. The world
    /// is left unchanged.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), FileError> {
        save::restore(&mut self.scene, &mut self.updater, snapshot)
    }

    /// Creates the world of a snapshot that was taken with these atlases, drawn or not, in the order
    /// of [`atlases`](Self::atlases).
    ///
    /// # Errors
    /// Returns [`FileError`] if the bytes are not a valid snapshot for these atlases.
    pub fn from_snapshot(
        atlases: impl IntoIterator<Item = Atlas>,
        snapshot: &[u8],
    ) -> Result<Self, FileError> {
        let atlases: Vec<Atlas> = atlases.into_iter().collect();
        let (scene, pairs) = save::from_snapshot(&atlases, snapshot)?;
        Ok(Self { scene, updater: Updater::after(pairs) })
    }

    /// Checks every invariant of the world, for tests and for hunting defects. Costs as much as
    /// placing every collider again.
    ///
    /// # Errors
    /// Returns the first [`InvariantViolation`] found, which is a defect of this library.
    pub fn validate(&self) -> Result<(), InvariantViolation> {
        save::validate(&self.scene, &self.updater)
    }
}
