//! Pointers that a C caller passes with a length or up to a NUL: the only file with `unsafe` blocks.
//!
//! What can be checked is checked: null, alignment, and lengths that no allocation can have. That
//! the memory is as large as the caller says is the caller's promise, as for every C function.
//!
//! Invariants: a returned slice is used only within the call that got the pointer, except for
//! [`lent_forever`]. Slices hold types for which every pattern of bits is a value.

use crate::status::{Answer, Failure, guard, hm_status};
use crate::types::{
    hm_color_range, hm_placement_turn, hm_point, hm_pose_pair, hm_texel_rule, hm_vec2,
};
use hitmask::{Atlas, Batch, ColliderId, Placement};
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// Most bytes of a text that is given as a pointer to a NUL-terminated string.
pub(crate) const MAX_TEXT: usize = 4096;

/// Most bytes of a list. No processor addresses more than 2^56 bytes, and Rust no more than half of
/// all addresses.
const MAX_BYTES: usize =
    if usize::BITS == 64 { 1 << (usize::BITS - 8) } else { isize::MAX as usize };

/// A type for which every pattern of bits is a value.
///
/// # Safety
/// Every pattern of bits of the type is a value of it.
pub(crate) unsafe trait AnyBits: Copy {}

/// Marks types that consist of numbers, of addresses that are checked before they are dereferenced,
/// and of bytes that are never read.
macro_rules! any_bits {
    ($($name:ty)*) => {
        // SAFETY: every pattern of bits is a number or an address. Ids of no collider are stale.
        $(unsafe impl $crate::pointers::AnyBits for $name {})*
    };
}
pub(crate) use any_bits;
any_bits! { u8 u32 f32 hm_point hm_vec2 hm_color_range hm_texel_rule hm_pose_pair }
any_bits! { Placement hm_placement_turn ColliderId }
// SAFETY: an address as a number, which is checked before it is dereferenced.
unsafe impl<T> AnyBits for *const T {}

/// Items that are lent to the caller, who may use them in any thread.
pub(crate) struct Lent<T: AnyBits>(pub(crate) Vec<T>);
// SAFETY: the items are numbers and addresses, and this library dereferences no address of them.
unsafe impl<T: AnyBits> Send for Lent<T> {}
// SAFETY: as above.
unsafe impl<T: AnyBits> Sync for Lent<T> {}

/// Returns the `count` items at `items`. A null pointer is an empty slice if `count` is 0.
pub(crate) fn slice<'a, T: AnyBits>(items: *const T, count: usize, name: &str) -> Answer<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check(items, count, name)?;
    // SAFETY: not null, aligned and not too long, as just checked; every pattern of bits is a value.
    // The caller promises that the memory holds `count` items and does not change during the call.
    Ok(unsafe { std::slice::from_raw_parts(items, count) })
}

/// Returns bytes that the caller lends for as long as the process runs, or until everything that
/// uses them is destroyed.
pub(crate) fn lent_forever(bytes: *const u8, count: usize) -> Answer<&'static [u8]> {
    slice(bytes, count, "bytes")
}

/// A batch that keeps the atlas whose masks it reads.
pub(crate) struct OwnedBatch {
    // Dropped before the atlas.
    batch: Batch<'static>,
    _atlas: Arc<Atlas>,
}

impl OwnedBatch {
    pub(crate) fn new(atlas: Atlas) -> Self {
        let atlas = Arc::new(atlas);
        // SAFETY: the count of references keeps the atlas at its address, unchanged, until `_atlas` is
        // dropped, which is after `batch`. No reference of this lifetime leaves `Self`.
        let lent: &'static Atlas = unsafe { &*Arc::as_ptr(&atlas) };
        Self { batch: lent.batch(), _atlas: atlas }
    }

    /// Runs `work` on the batch. For any lifetime, so that no reference to the atlas leaves the call.
    pub(crate) fn ask<R>(&mut self, work: impl FnOnce(&mut Batch<'_>) -> R) -> R {
        work(&mut self.batch)
    }
}

/// Returns the memory of an out parameter; `None` if it is null.
pub(crate) fn out<'a, T>(out: *mut T) -> Answer<Option<&'a mut MaybeUninit<T>>> {
    if out.is_null() {
        return Ok(None);
    }
    check(out, 1, "the out parameter")?;
    // SAFETY: not null and aligned, as just checked. The caller promises memory for one value, which
    // nothing else uses during the call. It is written before anything reads it.
    Ok(Some(unsafe { &mut *out.cast() }))
}

/// Runs a call that writes one value to `out`.
pub(crate) fn answer<T: Default>(out: *mut T, work: impl FnOnce() -> Answer<T>) -> hm_status {
    maybe(out, || work().map(Some))
}

/// Runs a call that writes one value to `out`, or has none.
pub(crate) fn maybe<T: Default>(
    out: *mut T,
    work: impl FnOnce() -> Answer<Option<T>>,
) -> hm_status {
    guard(|| {
        let out = self::out(out)?.ok_or_else(|| Failure::null("the out parameter"))?;
        out.write(T::default());
        Ok(match work()? {
            Some(value) => {
                out.write(value);
                hm_status::HM_OK
            }
            None => hm_status::HM_NONE,
        })
    })
}

/// Runs a call that writes one value to `out` and one to `beside`, whose pointer may be null, or has none.
pub(crate) fn maybe_two<T: Default, U: Default>(
    out: *mut T,
    beside: *mut U,
    work: impl FnOnce() -> Answer<Option<(T, U)>>,
) -> hm_status {
    let beside = self::out(beside).map(|mut beside| {
        if let Some(beside) = &mut beside {
            beside.write(U::default());
        }
        beside
    });
    maybe(out, || {
        // Refused before the call changes anything.
        let beside = beside?;
        Ok(work()?.map(|(first, second)| {
            if let Some(beside) = beside {
                beside.write(second);
            }
            first
        }))
    })
}

/// Runs a call that writes one value to `out` and one to `beside`, whose pointer may be null.
pub(crate) fn answer_two<T: Default, U: Default>(
    out: *mut T,
    beside: *mut U,
    work: impl FnOnce() -> Answer<(T, U)>,
) -> hm_status {
    maybe_two(out, beside, || work().map(Some))
}

/// Returns a struct of the caller; `None` if the pointer is null.
pub(crate) fn maybe_given<'a, T: AnyBits>(value: *const T, name: &str) -> Answer<Option<&'a T>> {
    if value.is_null() {
        return Ok(None);
    }
    Ok(slice(value, 1, name)?.first())
}

/// Returns a struct that the caller must give.
pub(crate) fn given<'a, T: AnyBits>(value: *const T, name: &str) -> Answer<&'a T> {
    maybe_given(value, name)?.ok_or_else(|| Failure::null(name))
}

/// Copies items to the caller's memory, which has room for `capacity` of them.
pub(crate) fn copy_to<T: AnyBits>(
    items: &[T],
    buffer: *mut T,
    capacity: usize,
    name: &str,
) -> Answer<()> {
    if capacity > 0 {
        check(buffer, capacity, name)?;
    }
    if items.len() > capacity {
        return Err(Failure::new(
            hm_status::HM_BUFFER_TOO_SMALL,
            format!(
                "{name} has room for {capacity} items, and {} are needed; pass a larger one",
                items.len()
            ),
        ));
    }
    if items.is_empty() {
        return Ok(());
    }
    // SAFETY: `buffer` is not null and aligned, as just checked. The caller promises that it has room
    // for `capacity` items, which is enough. It does not overlap with memory of the library that is
    // borrowed here.
    unsafe { std::ptr::copy_nonoverlapping(items.as_ptr(), buffer, items.len()) };
    Ok(())
}

/// Returns the text at `text`, which ends at a NUL.
pub(crate) fn text<'a>(text: *const c_char, name: &str) -> Answer<&'a str> {
    if text.is_null() {
        return Err(Failure::null(name));
    }
    let bytes: *const u8 = text.cast();
    // SAFETY: the caller promises memory that is readable up to its NUL. No byte after the first NUL
    // and none after the limit is read.
    let length = (0..MAX_TEXT).find(|&at| unsafe { *bytes.add(at) } == 0);
    let Some(length) = length else {
        return Err(Failure::new(
            hm_status::HM_BAD_TEXT,
            format!("{name} has no NUL among its first {MAX_TEXT} bytes; end it with one"),
        ));
    };
    // SAFETY: these bytes were just read. The caller promises not to change them during the call.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, length) };
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Failure::new(
            hm_status::HM_BAD_TEXT,
            format!("{name} is not UTF-8 at byte {at}; convert it to UTF-8"),
        )
    })
}

/// Calls an export from Rust and returns its status with the value that it wrote, or zeros. For
/// tests, benchmarks and fuzzing.
pub fn called<T: Default>(export: impl FnOnce(*mut T) -> hm_status) -> (hm_status, T) {
    let mut value = T::default();
    let status = export(&mut value);
    (status, value)
}

/// Refuses a pointer that cannot be that of `count` items.
fn check<T>(items: *const T, count: usize, name: &str) -> Answer<()> {
    if items.is_null() {
        let message = format!("{name} is a null pointer; pass the address of its items ({count})");
        return Err(Failure::new(hm_status::HM_NULL_POINTER, message));
    }
    if !items.is_aligned() {
        let align = align_of::<T>();
        return Err(Failure::new(
            hm_status::HM_BAD_POINTER,
            format!("{name} is not aligned to {align} bytes; pass a pointer to its own type"),
        ));
    }
    let bytes = count.checked_mul(size_of::<T>());
    let end = bytes.and_then(|bytes| items.addr().checked_add(bytes));
    if end.is_none() || bytes.is_none_or(|bytes| bytes > MAX_BYTES) {
        return Err(Failure::new(
            hm_status::HM_BAD_LENGTH,
            format!("{name} cannot have {count} items; pass their number, which no memory exceeds"),
        ));
    }
    Ok(())
}
