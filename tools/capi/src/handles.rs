//! The table of handles: which pointers name an atlas, a mask, a world, a baker or a batch.
//!
//! ```text
//! pointer value = magic (64-bit targets) | generation | slot | type
//! ```
//!
//! Used by all exports. A handle is a number in the form of a pointer. It is looked up in a global
//! table and never dereferenced, so null, stale, foreign and forged handles are errors.
//!
//! Invariants: the low 3 bits of a handle are its type, from 1 to 5, so no aligned pointer is one.
//! On targets of 64 bits the upper 16 bits are a constant that no pointer has. The generation of a
//! slot grows when its object is destroyed. Slots are reused in the order in which they were freed,
//! so that on targets of 32 bits a generation repeats after 512 uses of a slot, the slots being
//! used in turn.

use crate::atlas::AtlasState;
#[cfg(feature = "bake")]
use crate::baker::BakerState;
use crate::batch::BatchState;
use crate::mask::MaskState;
use crate::status::{Answer, Failure, hm_status};
use crate::world::WorldState;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};

/// An opened atlas: the masks of all sprites. It is immutable, and all threads can use it at once.
/// Create with hm_atlas_...(), destroy with hm_atlas_destroy().
pub struct hm_atlas {
    _opaque: (),
}

/// A mask of 1 bit per pixel, for edits and for questions without a world. Several threads can ask
/// at once; an edit fails with HM_BUSY while another thread is inside a call with the mask.
/// Create with hm_mask_...(), destroy with hm_mask_destroy().
pub struct hm_mask {
    _opaque: (),
}

/// Colliders on the plane, and the pairs of them that touch. One thread at a time: a second one
/// gets HM_BUSY. Different worlds are independent. Create with hm_world_create(), destroy with
/// hm_world_destroy().
pub struct hm_world {
    _opaque: (),
}

/// Collects sprites and bakes an atlas of them in memory. One thread at a time. Create with
/// hm_baker_create(), destroy with hm_baker_destroy().
pub struct hm_baker {
    _opaque: (),
}

/// Answers questions about many pairs of poses of one atlas at once. One thread at a time. Create with
/// hm_batch_create(), destroy with hm_batch_destroy().
pub struct hm_batch {
    _opaque: (),
}

const TYPE_BITS: u32 = 3;
const SLOT_BITS: u32 = 20;
/// Most objects at a time.
const MAX_SLOTS: usize = 1 << SLOT_BITS;
/// Bits above the generation, and their value: "HM", which no address begins with.
const MAGIC_BITS: u32 = if usize::BITS == 64 { 16 } else { 0 };
const MAGIC: usize = 0x484d;
const GENERATION_BITS: u32 = usize::BITS - MAGIC_BITS - SLOT_BITS - TYPE_BITS;

/// An object in the table.
#[derive(Clone)]
pub(crate) enum Entry {
    Vacant,
    Atlas(Arc<AtlasState>),
    Mask(Arc<RwLock<MaskState>>),
    World(Arc<Mutex<WorldState>>),
    #[cfg(feature = "bake")]
    Baker(Arc<Mutex<BakerState>>),
    Batch(Arc<Mutex<BatchState>>),
}

impl Entry {
    const fn kind(&self) -> Kind {
        match self {
            Self::Vacant => Kind::Vacant,
            Self::Atlas(_) => Kind::Atlas,
            Self::Mask(_) => Kind::Mask,
            Self::World(_) => Kind::World,
            #[cfg(feature = "bake")]
            Self::Baker(_) => Kind::Baker,
            Self::Batch(_) => Kind::Batch,
        }
    }
}

/// The type of an object, as it stands in a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Vacant,
    Atlas,
    Mask,
    World,
    Baker,
    Batch,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Vacant => "nothing",
            Self::Atlas => "an atlas",
            Self::Mask => "a mask",
            Self::World => "a world",
            Self::Baker => "a baker",
            Self::Batch => "a batch",
        }
    }
}

struct Table {
    slots: Vec<(usize, Entry)>,
    /// Slots without an object, the first freed in front.
    free: VecDeque<usize>,
}

static TABLE: RwLock<Table> = RwLock::new(Table { slots: Vec::new(), free: VecDeque::new() });

/// Stores an object and returns its handle.
pub(crate) fn store<T>(entry: Entry) -> Answer<*mut T> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let slot = match table.free.pop_front() {
        Some(slot) => slot,
        None if table.slots.len() == MAX_SLOTS => {
            let message = format!("{MAX_SLOTS} objects exist; destroy those that are not needed");
            return Err(Failure::new(hm_status::HM_FULL, message));
        }
        None => {
            table.slots.push((0, Entry::Vacant));
            table.slots.len() - 1
        }
    };
    let place = &mut table.slots[slot];
    let key = key(place.0, slot, entry.kind());
    place.1 = entry;
    Ok(std::ptr::without_provenance_mut(key))
}

fn key(generation: usize, slot: usize, kind: Kind) -> usize {
    let magic = if MAGIC_BITS == 0 { 0 } else { MAGIC << (usize::BITS - 16) };
    magic | generation << (SLOT_BITS + TYPE_BITS) | slot << TYPE_BITS | kind as usize
}

/// Returns the slot and the generation of a handle.
fn parts(handle: usize, kind: Kind) -> Answer<(usize, usize)> {
    let name = kind.name();
    if handle == 0 {
        let message = format!(
            "a handle is null where {name} is expected; check that the call that creates it returned HM_OK"
        );
        return Err(Failure::new(hm_status::HM_NULL_HANDLE, message));
    }
    let slot = handle >> TYPE_BITS & (MAX_SLOTS - 1);
    let generation = handle >> (SLOT_BITS + TYPE_BITS) & ((1 << GENERATION_BITS) - 1);
    let kinds = [Kind::Atlas, Kind::Mask, Kind::World, Kind::Baker, Kind::Batch];
    let found = kinds.into_iter().find(|&kind| key(generation, slot, kind) == handle);
    let Some(found) = found else {
        let message = format!("{handle:#x} is no handle of hitmask; pass the one of its creation");
        return Err(Failure::new(hm_status::HM_BAD_HANDLE, message));
    };
    if found != kind {
        let message = format!(
            "the handle is of {}, and {name} is expected; check the arguments",
            found.name()
        );
        return Err(Failure::new(hm_status::HM_WRONG_HANDLE, message));
    }
    Ok((slot, generation))
}

/// Refuses a handle whose slot has another generation or another object.
#[inline]
fn check_present(table: &Table, (slot, generation): (usize, usize), kind: Kind) -> Answer<()> {
    match table.slots.get(slot) {
        None => {
            let message = "a handle was never given out; pass the one of its creation";
            Err(Failure::new(hm_status::HM_BAD_HANDLE, message))
        }
        Some((now, entry)) if *now == generation && entry.kind() == kind => Ok(()),
        Some((now, entry))
            if generation > *now || (generation == *now && entry.kind() != Kind::Vacant) =>
        {
            let message = "a handle was never given out; pass the one of its creation";
            Err(Failure::new(hm_status::HM_BAD_HANDLE, message))
        }
        Some(_) => {
            let message = format!("the handle of {} was destroyed; create another", kind.name());
            Err(Failure::new(hm_status::HM_STALE_HANDLE, message))
        }
    }
}

#[inline]
fn find(handle: usize, kind: Kind) -> Answer<Entry> {
    let parts = parts(handle, kind)?;
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    check_present(&table, parts, kind)?;
    Ok(table.slots[parts.0].1.clone())
}

/// Destroys the object of a handle. A null handle is allowed, as for `free`. Fails if another
/// thread is inside a call with the object.
pub(crate) fn destroy(handle: usize, kind: Kind) -> Answer<()> {
    if handle == 0 {
        return Ok(());
    }
    let parts = parts(handle, kind)?;
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    check_present(&table, parts, kind)?;
    let place = &mut table.slots[parts.0];
    let is_free = match &place.1 {
        Entry::World(world) => world.try_lock().is_ok(),
        #[cfg(feature = "bake")]
        Entry::Baker(baker) => baker.try_lock().is_ok(),
        Entry::Batch(batch) => batch.try_lock().is_ok(),
        Entry::Mask(mask) => mask.try_write().is_ok(),
        Entry::Atlas(_) | Entry::Vacant => true,
    };
    if !is_free {
        return Err(busy(kind));
    }
    let generation = (place.0 + 1) & ((1 << GENERATION_BITS) - 1);
    let object = std::mem::replace(place, (generation, Entry::Vacant));
    table.free.push_back(parts.0);
    drop(table);
    // Without the lock, because the last use of a large object takes a while.
    drop(object);
    Ok(())
}

#[cold]
fn busy(kind: Kind) -> Failure {
    let message = format!(
        "{} is in use by another thread, or by the call that runs this callback; call again when that call \
         has returned",
        kind.name()
    );
    Failure::new(hm_status::HM_BUSY, message)
}

/// Returns the guard of an object that no other call uses. A panic of an earlier call is no obstacle.
fn locked<G>(kind: Kind, guard: Result<G, TryLockError<G>>) -> Answer<G> {
    match guard {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(busy(kind)),
    }
}

/// Runs `work` on the atlas of a handle.
pub(crate) fn with_atlas<R>(
    handle: *const hm_atlas,
    work: impl FnOnce(&AtlasState) -> Answer<R>,
) -> Answer<R> {
    match find(handle.addr(), Kind::Atlas)? {
        Entry::Atlas(atlas) => work(&atlas),
        _ => Err(busy(Kind::Atlas)),
    }
}

/// Returns the atlas of a handle, which stays after the end of the handle.
pub(crate) fn share_atlas(handle: *const hm_atlas) -> Answer<Arc<AtlasState>> {
    match find(handle.addr(), Kind::Atlas)? {
        Entry::Atlas(atlas) => Ok(atlas),
        _ => Err(busy(Kind::Atlas)),
    }
}

/// Runs `work` on the mask of a handle, which other threads may read.
pub(crate) fn with_mask<R>(
    handle: *const hm_mask,
    work: impl FnOnce(&MaskState) -> Answer<R>,
) -> Answer<R> {
    let Entry::Mask(mask) = find(handle.addr(), Kind::Mask)? else { return Err(busy(Kind::Mask)) };
    let guard = locked(Kind::Mask, mask.try_read())?;
    work(&guard)
}

/// Runs `work` on the mask of a handle, which no other thread uses.
pub(crate) fn with_mask_mut<R>(
    handle: *const hm_mask,
    work: impl FnOnce(&mut MaskState) -> Answer<R>,
) -> Answer<R> {
    let Entry::Mask(mask) = find(handle.addr(), Kind::Mask)? else { return Err(busy(Kind::Mask)) };
    let mut guard = locked(Kind::Mask, mask.try_write())?;
    work(&mut guard)
}

/// Runs `work` on the baker of a handle.
#[cfg(feature = "bake")]
pub(crate) fn with_baker<R>(
    handle: *const hm_baker,
    work: impl FnOnce(&mut BakerState) -> Answer<R>,
) -> Answer<R> {
    let entry = find(handle.addr(), Kind::Baker)?;
    let Entry::Baker(baker) = entry else { return Err(busy(Kind::Baker)) };
    let mut guard = locked(Kind::Baker, baker.try_lock())?;
    work(&mut guard)
}

/// Runs `work` on the batch of a handle.
pub(crate) fn with_batch<R>(
    handle: *const hm_batch,
    work: impl FnOnce(&mut BatchState) -> Answer<R>,
) -> Answer<R> {
    let entry = find(handle.addr(), Kind::Batch)?;
    let Entry::Batch(batch) = entry else { return Err(busy(Kind::Batch)) };
    let mut guard = locked(Kind::Batch, batch.try_lock())?;
    work(&mut guard)
}

/// Runs `work` on the world of a handle. A panic poisons the world.
pub(crate) fn with_world<R>(
    handle: *const hm_world,
    work: impl FnOnce(&mut WorldState) -> Answer<R>,
) -> Answer<R> {
    let entry = find(handle.addr(), Kind::World)?;
    let Entry::World(world) = entry else { return Err(busy(Kind::World)) };
    let mut guard = locked(Kind::World, world.try_lock())?;
    if guard.is_poisoned {
        let message = "an earlier call on this world had an internal error; destroy the world";
        return Err(Failure::new(hm_status::HM_POISONED, message));
    }
    match catch_unwind(AssertUnwindSafe(|| work(&mut guard))) {
        Ok(answer) => answer,
        Err(payload) => {
            guard.is_poisoned = true;
            drop(guard);
            resume_unwind(payload)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::hm_mask_destroy;
    use crate::status::hm_status::*;
    use hitmask::Mask;

    fn a_mask() -> *mut hm_mask {
        MaskState::store(Mask::disc(3).unwrap()).unwrap()
    }

    fn status<T>(answer: Answer<T>) -> hm_status {
        answer.map_or_else(|failure| failure.status, |_| HM_OK)
    }

    fn asked(handle: usize) -> hm_status {
        status(with_mask(std::ptr::without_provenance(handle), |_| Ok(())))
    }

    #[test]
    fn null_stale_foreign_and_forged_handles_are_refused() {
        let mask = a_mask();
        assert_eq!(asked(mask.addr()), HM_OK);
        assert_eq!(asked(0), HM_NULL_HANDLE);
        let local = 7u64;
        assert_eq!(asked((&raw const local).addr()), HM_BAD_HANDLE);
        assert_eq!(asked(usize::MAX), HM_BAD_HANDLE);
        // Each bit of a handle counts.
        for bit in 0..usize::BITS {
            assert_ne!(asked(mask.addr() ^ 1 << bit), HM_OK, "bit {bit}");
        }
        let world = with_world(mask.cast_const().cast(), |_| Ok(()));
        assert_eq!(status(world), HM_WRONG_HANDLE);
        assert_eq!(hm_mask_destroy(mask), HM_OK);
        assert_eq!(asked(mask.addr()), HM_STALE_HANDLE);
        assert_eq!(hm_mask_destroy(mask), HM_STALE_HANDLE);
        let next = a_mask();
        assert_ne!(next, mask);
        assert_eq!(asked(mask.addr()), HM_STALE_HANDLE);
        assert_eq!(hm_mask_destroy(next), HM_OK);
    }

    #[test]
    fn a_mask_is_read_by_several_calls_and_edited_by_one() {
        let mask = a_mask();
        let nested = with_mask(mask, |_| {
            assert_eq!(status(with_mask(mask, |_| Ok(()))), HM_OK);
            assert_eq!(hm_mask_destroy(mask), HM_BUSY);
            with_mask_mut(mask, |_| Ok(()))
        });
        assert_eq!(status(nested), HM_BUSY);
        assert_eq!(hm_mask_destroy(mask), HM_OK);
    }

    #[test]
    fn a_panic_poisons_its_world() {
        let world = WorldState::store(hitmask::World::new(
            hitmask::Atlas::from_vec(
                hitmask::AtlasBuilder::new().mask("a", Mask::disc(2).unwrap()).to_bytes().unwrap(),
            )
            .unwrap(),
        ))
        .unwrap();
        let broken =
            crate::status::call(|| with_world(world, |_| -> Answer<()> { panic!("lost") }));
        assert_eq!(broken, HM_PANIC);
        assert_eq!(crate::events::hm_world_update(world), HM_POISONED);
        assert_eq!(crate::world::hm_world_destroy(world), HM_OK);
    }
}
