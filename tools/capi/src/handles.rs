//! The tables of handles: which pointers name an object, such as an atlas or a world.
//!
//! ```text
//! pointer value = magic (64-bit targets) | generation | slot | type
//! ```
//!
//! Used by all exports. A handle is a number in the form of a pointer. It is looked up in a global
//! table of its type and never dereferenced, so null, stale, foreign and forged handles are errors.
//! The modules of the objects implement [`Handle`], which names the object of a pointer.
//!
//! Invariants: the low 4 bits of a handle are its type, an odd number, so no aligned pointer is one.
//! On targets of 64 bits the upper 16 bits are a constant that no pointer has. The generation of a
//! slot grows when its object is destroyed. Slots are reused in the order in which they were freed,
//! so that on targets of 32 bits a generation repeats after 256 uses of a slot, the slots being
//! used in turn.

use crate::pointers::{answer, maybe};
use crate::status::{Answer, Failure, call, hm_status};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError, RwLock, TryLockError};

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

/// The outlines of a mask for a physics engine. One thread at a time. Create with hm_atlas_shape(),
/// hm_mask_shape() or hm_world_mask_shape(), destroy with hm_shape_destroy().
pub struct hm_shape {
    _opaque: (),
}

/// The shapes of a large mask in cells, of which an edit traces few again. One thread at a time. Create
/// with hm_shape_grid_create() or hm_world_shape_grid(), destroy with hm_shape_grid_destroy().
pub struct hm_shape_grid {
    _opaque: (),
}

/// The colliders of a map in a world, by which hm_world_update_map() brings them up to date. One thread
/// at a time. Create with hm_world_insert_map(), destroy with hm_placed_map_destroy(); the colliders stay.
pub struct hm_placed_map {
    _opaque: (),
}

const TYPE_BITS: u32 = 4;
const SLOT_BITS: u32 = 20;
/// Most objects of one type at a time.
const MAX_SLOTS: usize = 1 << SLOT_BITS;
/// Bits above the generation, and their value: "HM", which no address begins with.
const MAGIC_BITS: u32 = if usize::BITS == 64 { 16 } else { 0 };
const MAGIC: usize = 0x484d;
const GENERATION_BITS: u32 = usize::BITS - MAGIC_BITS - SLOT_BITS - TYPE_BITS;

/// A type of pointers of C: [`hm_atlas`] and the others.
pub(crate) trait Handle: Sized + 'static {
    /// The object that such a pointer names.
    type State: Send + Sync + 'static;
    const KIND: Kind;
    /// True if no call changes such an object. It can be destroyed while another thread uses it.
    const IS_IMMUTABLE: bool = false;
    /// True if a panic in a call may leave such an object in any state. Only its destruction is
    /// allowed from then on.
    const ENDS_BY_PANIC: bool = false;

    fn table() -> &'static Table<Self::State>;
}

/// The type of an object, as it stands in a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Atlas = 1,
    Mask = 3,
    World = 5,
    Baker = 7,
    Batch = 9,
    Shape = 11,
    ShapeGrid = 13,
    PlacedMap = 15,
}

/// The types, in the order of their numbers, with their names in messages.
const KINDS: [(Kind, &str); 8] = [
    (Kind::Atlas, "an atlas"),
    (Kind::Mask, "a mask"),
    (Kind::World, "a world"),
    (Kind::Baker, "a baker"),
    (Kind::Batch, "a batch"),
    (Kind::Shape, "a shape"),
    (Kind::ShapeGrid, "a shape grid"),
    (Kind::PlacedMap, "a placed map"),
];

impl Kind {
    const fn name(self) -> &'static str {
        KINDS[self as usize / 2].1
    }
}

/// Makes a type of pointers name the objects of a type, with the flags of [`Handle`] that are true.
macro_rules! handle {
    ($name:ident of $state:ty, $kind:ident $(, $flag:ident)*) => {
        impl $crate::handles::Handle for $name {
            type State = $state;
            const KIND: $crate::handles::Kind = $crate::handles::Kind::$kind;
            $(const $flag: bool = true;)*

            fn table() -> &'static $crate::handles::Table<$state> {
                static TABLE: $crate::handles::Table<$state> = $crate::handles::Table::new();
                &TABLE
            }
        }
    };
}
pub(crate) use handle;

/// The objects of one type.
pub(crate) struct Table<T>(RwLock<Slots<T>>);

struct Slots<T> {
    slots: Vec<(usize, Option<Object<T>>)>,
    /// Slots without an object, the first freed in front.
    free: VecDeque<usize>,
}

/// An object, which several calls may read or one may change.
type Object<T> = Arc<RwLock<T>>;

impl<T> Table<T> {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(Slots { slots: Vec::new(), free: VecDeque::new() }))
    }
}

pub(crate) fn store<H: Handle>(state: H::State) -> Answer<*mut H> {
    let mut table = H::table().0.write().unwrap_or_else(PoisonError::into_inner);
    let slot = match table.free.pop_front() {
        Some(slot) => slot,
        None if table.slots.len() == MAX_SLOTS => {
            let message =
                format!("{MAX_SLOTS} objects of one type exist; destroy those that are not needed");
            return Err(Failure::new(hm_status::HM_FULL, message));
        }
        None => {
            table.slots.push((0, None));
            table.slots.len() - 1
        }
    };
    let place = &mut table.slots[slot];
    place.1 = Some(Arc::new(RwLock::new(state)));
    Ok(std::ptr::without_provenance_mut(key(place.0, slot, H::KIND)))
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
    let mut kinds = KINDS.iter().map(|&(kind, _)| kind);
    let found = kinds.find(|&kind| key(generation, slot, kind) == handle);
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

/// Returns the object of a slot. Refuses a slot that has another generation or no object.
#[inline]
fn present<T>(
    table: &Slots<T>,
    (slot, generation): (usize, usize),
    kind: Kind,
) -> Answer<&Object<T>> {
    match table.slots.get(slot) {
        Some((now, Some(object))) if *now == generation => Ok(object),
        Some((now, _)) if generation <= *now => {
            let message = format!("the handle of {} was destroyed; create another", kind.name());
            Err(Failure::new(hm_status::HM_STALE_HANDLE, message))
        }
        _ => {
            let message = "a handle was never given out; pass the one of its creation";
            Err(Failure::new(hm_status::HM_BAD_HANDLE, message))
        }
    }
}

#[inline]
fn find<H: Handle>(handle: *const H) -> Answer<Object<H::State>> {
    let parts = parts(handle.addr(), H::KIND)?;
    let table = H::table().0.read().unwrap_or_else(PoisonError::into_inner);
    present(&table, parts, H::KIND).cloned()
}

/// Destroys the object of a handle. A null handle is allowed, as for `free`. Fails if another
/// thread is inside a call with the object.
pub(crate) fn destroy<H: Handle>(handle: *mut H) -> Answer<()> {
    if handle.is_null() {
        return Ok(());
    }
    let parts = parts(handle.addr(), H::KIND)?;
    let mut table = H::table().0.write().unwrap_or_else(PoisonError::into_inner);
    let object = present(&table, parts, H::KIND)?;
    if !H::IS_IMMUTABLE && matches!(object.try_write(), Err(TryLockError::WouldBlock)) {
        return Err(busy(H::KIND));
    }
    let place = &mut table.slots[parts.0];
    let generation = (place.0 + 1) & ((1 << GENERATION_BITS) - 1);
    let object = std::mem::replace(place, (generation, None));
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

/// Returns the guard of an object that no other call uses.
fn locked<H: Handle, G>(guard: Result<G, TryLockError<G>>) -> Answer<G> {
    match guard {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(_)) if H::ENDS_BY_PANIC => {
            let name = H::KIND.name();
            let message = format!("an earlier call on {name} had an internal error; destroy it");
            Err(Failure::new(hm_status::HM_POISONED, message))
        }
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(busy(H::KIND)),
    }
}

/// Runs `work` on the object of a handle, which other threads may read.
pub(crate) fn with<H: Handle, R>(
    handle: *const H,
    work: impl FnOnce(&H::State) -> Answer<R>,
) -> Answer<R> {
    let object = find(handle)?;
    let guard = locked::<H, _>(object.try_read())?;
    work(&guard)
}

/// Runs `work` on the object of a handle, which no other thread uses.
pub(crate) fn with_mut<H: Handle, R>(
    handle: *const H,
    work: impl FnOnce(&mut H::State) -> Answer<R>,
) -> Answer<R> {
    let object = find(handle)?;
    let mut guard = locked::<H, _>(object.try_write())?;
    work(&mut guard)
}

/// Runs a call that writes one value of an object to `out`.
pub(crate) fn answer_with<H: Handle, T: Default>(
    out: *mut T,
    handle: *const H,
    work: impl FnOnce(&H::State) -> Answer<T>,
) -> hm_status {
    answer(out, || with(handle, work))
}

/// As [`answer_with`], for an object that no other thread uses.
pub(crate) fn answer_with_mut<H: Handle, T: Default>(
    out: *mut T,
    handle: *const H,
    work: impl FnOnce(&mut H::State) -> Answer<T>,
) -> hm_status {
    answer(out, || with_mut(handle, work))
}

/// Runs a call that writes one value of an object to `out`, or has none.
pub(crate) fn maybe_with<H: Handle, T: Default>(
    out: *mut T,
    handle: *const H,
    work: impl FnOnce(&H::State) -> Answer<Option<T>>,
) -> hm_status {
    maybe(out, || with(handle, work))
}

/// As [`maybe_with`], for an object that no other thread uses.
pub(crate) fn maybe_with_mut<H: Handle, T: Default>(
    out: *mut T,
    handle: *const H,
    work: impl FnOnce(&mut H::State) -> Answer<Option<T>>,
) -> hm_status {
    maybe(out, || with_mut(handle, work))
}

/// Runs a call that changes an object and writes nothing.
pub(crate) fn call_with_mut<H: Handle, R>(
    handle: *const H,
    work: impl FnOnce(&mut H::State) -> Answer<R>,
) -> hm_status {
    call(|| with_mut(handle, work))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::MaskState;
    use crate::status::hm_status::*;
    use crate::world::WorldState;
    use hitmask::Mask;

    fn status<T>(answer: Answer<T>) -> hm_status {
        answer.map_or_else(|failure| failure.status, |_| HM_OK)
    }

    /// Loses a call to a panic, and returns the status of the next one and of the destruction.
    fn after_a_panic<H: Handle>(handle: *mut H) -> [hm_status; 2] {
        let lost = crate::status::call(|| with_mut(handle, |_| -> Answer<()> { panic!("lost") }));
        assert_eq!(lost, HM_PANIC);
        [status(with(handle, |_| Ok(()))), crate::status::call(|| destroy(handle))]
    }

    #[test]
    fn objects_of_every_type_are_destroyed_after_a_panic() {
        let mask = Mask::disc(2).unwrap();
        let bake = hitmask::AtlasBuilder::new().mask("a", mask.clone());
        let atlas = hitmask::Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        assert_eq!(after_a_panic(MaskState::store(mask).unwrap()), [HM_OK, HM_OK]);
        let world = WorldState::store(hitmask::World::new(atlas.clone())).unwrap();
        assert_eq!(after_a_panic(world), [HM_POISONED, HM_OK]);
        let atlas = crate::atlas::AtlasState::store(atlas).unwrap();
        let (created, batch) =
            crate::pointers::called(|out| crate::batch::hm_batch_create(atlas, out));
        assert_eq!((created, after_a_panic(batch)), (HM_OK, [HM_OK, HM_OK]));
        assert_eq!(after_a_panic(atlas), [HM_OK, HM_OK]);
        #[cfg(feature = "bake")]
        {
            let (created, baker) =
                crate::pointers::called(|out| crate::baker::hm_baker_create(out));
            assert_eq!((created, after_a_panic(baker)), (HM_OK, [HM_POISONED, HM_OK]));
        }
    }
}
