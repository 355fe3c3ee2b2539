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
//! slots     generation, appearance, position, kind of angle and what follows, angle,
//!           owner if any, user data if any, scale; then the free slots
//! pairs     touching, began, ended
//! owners    owners at the last update and at the one before, of colliders whose owner has changed
//!           since; absent without such colliders
//! foot      CRC-32 of all bytes before it
//! ```
//!
//! All numbers are little-endian and 32 bits wide unless stated otherwise. `write` produces the
//! bytes, `read` checks and parses them.
//!
//! Invariants: equal states give equal bytes, whatever calls led to them. Restored bytes give the
//! world that wrote them, except for the broad-phase index, which the next update rebuilds. Invalid
//! bytes are refused, and nothing changes.

use crate::atlas::Atlas;
use crate::atlas::FileError;
use crate::save::write::PixelForm;
use crate::save::{read, write};
use crate::scene::Scene;
use crate::scene::stock::{AtlasList, ShownPoses, Stock};
use crate::update::{PairLists, Updater};
use xxhash_rust::xxh3::Xxh3Default;

/// Returns the state of a scene and of the pairs of its last update as bytes.
pub(crate) fn snapshot(scene: &Scene, pairs: &PairLists) -> Vec<u8> {
    let mut bytes = Vec::new();
    let take = &mut |part: &[u8]| bytes.extend_from_slice(part);
    write::state((scene, pairs), PixelForm::Bits, take);
    let crc = crc32fast::hash(&bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}

/// Returns the XXH3 hash of the bytes of [`snapshot`] before the CRC-32, with a digest for the bits of each
/// mask.
pub(crate) fn state_hash(scene: &Scene, pairs: &PairLists) -> u64 {
    let mut hash = Xxh3Default::new();
    write::state((scene, pairs), PixelForm::Digest, &mut |part| hash.update(part));
    hash.digest()
}

/// Restores a state that was saved with the same atlases. An error changes nothing.
pub(crate) fn restore(
    scene: &mut Scene,
    updater: &mut Updater,
    snapshot: &[u8],
) -> Result<(), FileError> {
    let mut list = scene.stock.atlases.clone();
    let head = read::head(snapshot, |ids| {
        list = scene.stock.atlases.ordered(ids);
        list.listed(ids.len())
    })?;
    let list = list.with_newest(&head.newest).map_err(FileError::Refused)?;
    // The poses that are drawn stay drawn.
    let mut poses = std::mem::take(&mut scene.stock.poses);
    let budget = poses.budget.take();
    poses.set_filling(budget);
    let mut restored = Scene::over(Stock::new(list, scene.stock.atlas.clone(), poses));
    let filled = read::fill(&mut restored, &head, snapshot).and_then(|pairs| {
        restored.stock.poses.set_filling(None);
        restored.set_pose_budget(budget).map_err(FileError::Refused)?;
        Ok(pairs)
    });
    match filled {
        Ok(pairs) => {
            *scene = restored;
            // Keeps the allocations of the pair finder; the next update rebuilds its contents.
            updater.pairs = pairs;
            Ok(())
        }
        Err(error) => {
            scene.stock.poses = std::mem::take(&mut restored.stock.poses);
            scene.stock.poses.set_filling(None);
            // Cannot fail: what this scene shows fitted before.
            let _ = scene.set_pose_budget(budget);
            Err(error)
        }
    }
}

/// Returns the scene of a snapshot that was taken with these atlases, and its pairs.
pub(crate) fn from_snapshot(
    atlases: &[Atlas],
    snapshot: &[u8],
) -> Result<(Scene, PairLists), FileError> {
    let head = read::head(snapshot, |_| atlases.to_vec())?;
    let (list, atlas) =
        AtlasList::of_snapshot(atlases, &head.newest).map_err(FileError::Refused)?;
    let poses = ShownPoses::new(&atlas);
    let mut scene = Scene::over(Stock::new(list, atlas, poses));
    let pairs = read::fill(&mut scene, &head, snapshot)?;
    Ok((scene, pairs))
}
