//! Snapshots, the hash of a state, and the check of invariants.

use crate::handles::{answer_with, answer_with_mut, call_with_mut, hm_atlas, hm_world};
use crate::lists::{hm_bytes, keep};
use crate::pointers::{copy_to, out, slice};
use crate::status::hm_status::HM_BUFFER_TOO_SMALL;
use crate::status::{Failure, hm_status};
use crate::world::WorldState;
use hitmask::World;

/// Lends the whole state of a world as bytes, until the next call of this function or of
/// hm_world_snapshot_to() with the same world: for replays and saved games. User data is included. The same
/// state gives the same bytes on every machine. For rollback, hm_world_assign() is faster.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_snapshot(world: *mut hm_world, bytes: *mut hm_bytes) -> hm_status {
    answer_with_mut(bytes, world, |state| keep(&mut state.lent.snapshot, state.world.snapshot()))
}

/// Writes the whole state of a world to the caller's buffer, and the number of its bytes to `size`.
/// If the buffer is too small, `size` is the number of bytes that are needed. A null pointer with the
/// capacity 0 asks for that number.
///
/// Errors: HM_BUFFER_TOO_SMALL, HM_NULL_POINTER, HM_BAD_LENGTH for a capacity beyond any memory.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_snapshot_to(
    world: *mut hm_world,
    buffer: *mut u8,
    capacity: usize,
    size: *mut usize,
) -> hm_status {
    call_with_mut(world, |state| {
        let size = out(size)?.ok_or_else(|| Failure::null("size"))?;
        size.write(0);
        state.lent.snapshot = state.world.snapshot();
        let copied = copy_to(&state.lent.snapshot, buffer, capacity, "buffer");
        if copied.as_ref().err().is_none_or(|failure| failure.status == HM_BUFFER_TOO_SMALL) {
            size.write(state.lent.snapshot.len());
        }
        copied
    })
}

/// Restores the state of a snapshot of a world over the same atlas. Ids that were valid then are
/// valid again. The lists of events are those of the snapshot; older lent ones become invalid.
///
/// Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED. The world is left as it was.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_restore(
    world: *mut hm_world,
    bytes: *const u8,
    count: usize,
) -> hm_status {
    call_with_mut(world, |state| state.restore(slice(bytes, count, "bytes")?))
}

/// Creates a world from a snapshot over the same atlas.
///
/// Errors: HM_NOT_A_SNAPSHOT, HM_DAMAGED, HM_FULL.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_from_snapshot(
    atlas: *const hm_atlas,
    bytes: *const u8,
    count: usize,
    world: *mut *mut hm_world,
) -> hm_status {
    answer_with(world, atlas, |state| {
        let bytes = slice(bytes, count, "bytes")?;
        WorldState::store(World::from_snapshot([state.atlas.clone()], bytes)?)
    })
}

/// Writes a hash of the state that snapshots hold: equal states give equal hashes on every machine,
/// in every language. User data is included. A later version of the library may give another value.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_state_hash(world: *const hm_world, hash: *mut u64) -> hm_status {
    answer_with_mut(hash, world, |state| Ok(state.world.state_hash()))
}

/// Checks the invariants of a world, for bug reports. It takes a while.
///
/// Errors: HM_INVALID_WORLD.
#[unsafe(no_mangle)]
pub extern "C" fn hm_world_validate(world: *const hm_world) -> hm_status {
    call_with_mut(world, |state| Ok(state.world.validate()?))
}
