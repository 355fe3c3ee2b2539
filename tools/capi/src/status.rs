//! [`hm_status`], the message of the last error, the zeros of out parameters, and the guard around
//! every call.
//!
//! Used by all exports. Every error of the library becomes a [`Failure`]: a status, and a text that
//! says what is wrong and how to fix it.
//!
//! Invariants: no panic leaves an export. An out parameter is written on every return, with zeros if
//! the call fails, unless its pointer is null.

use hitmask::{CallError, FileError, InvariantViolation, Section};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The version of this interface. It grows when a function or a struct changes so that old callers
/// would break. Compare it with hm_abi_version() of the library that was loaded.
pub const HM_ABI_VERSION: u32 = 1;

/// The result of a call. HM_OK is 0. HM_NONE is an answer and no error: there is no such thing.
/// All others are errors: the call has changed nothing, and hm_last_error() says why.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum hm_status {
    /// The call succeeded.
    HM_OK = 0,
    /// The call succeeded, and the answer is that there is none: no hit, no contact, no such name.
    /// The out parameter holds zeros.
    HM_NONE = 1,
    /// A pointer that must not be null is null.
    HM_NULL_POINTER = 2,
    /// A pointer is not aligned to the type that it points to.
    HM_BAD_POINTER = 3,
    /// A length is larger than any memory, or does not fit the other arguments.
    HM_BAD_LENGTH = 4,
    /// The caller's buffer is too small. It was left as it was.
    HM_BUFFER_TOO_SMALL = 5,
    /// A text has no NUL among its first 4096 bytes, or is not UTF-8.
    HM_BAD_TEXT = 6,
    /// A handle is null.
    HM_NULL_HANDLE = 7,
    /// A pointer is no handle of this library.
    HM_BAD_HANDLE = 8,
    /// A handle was destroyed.
    HM_STALE_HANDLE = 9,
    /// A handle is of another type, as a mask where a world is expected.
    HM_WRONG_HANDLE = 10,
    /// Another thread is inside a call with this object, or the call comes from a callback that
    /// runs inside such a call.
    HM_BUSY = 11,
    /// The library had an internal error. It is a bug of hitmask: please report the message.
    HM_PANIC = 12,
    /// An earlier call on this world or baker returned HM_PANIC. Only its destruction is allowed.
    HM_POISONED = 13,
    /// A struct was not filled by its hm_default_...() function.
    HM_UNINITIALISED = 14,
    /// An argument has a value that the function does not know, such as accuracy 9.
    HM_BAD_VALUE = 15,
    /// A position, radius, angle, direction or scale is not finite or out of range.
    HM_BAD_NUMBER = 16,
    /// The id of a collider or of a run-time mask is 0 or stale.
    HM_STALE_ID = 17,
    /// The atlas has no such sprite, frame, plane or map.
    HM_UNKNOWN_SPRITE = 18,
    /// The sprite is not baked near this scale.
    HM_UNBAKED_SCALE = 19,
    /// No collider has this owner.
    HM_UNKNOWN_OWNER = 20,
    /// A run-time mask is shown with a frame, an angle, a scale or a flip; or is in use; or has no
    /// source to be drawn from.
    HM_MASK_USE = 21,
    /// The world, or the table of handles, is full.
    HM_FULL = 22,
    /// A file cannot be read.
    HM_IO = 23,
    /// The bytes are no atlas, or one of another version.
    HM_NOT_AN_ATLAS = 24,
    /// The atlas or the snapshot is damaged.
    HM_DAMAGED = 25,
    /// The atlas would take more memory or time to draw than the limits allow.
    HM_OVER_LIMIT = 26,
    /// The snapshot is no snapshot, or belongs to another atlas or version.
    HM_NOT_A_SNAPSHOT = 27,
    /// A mask is too large, or its text or pixels are malformed.
    HM_BAD_MASK = 28,
    /// The bake failed.
    HM_BAKE = 29,
    /// The world breaks one of its invariants. It is a bug of hitmask.
    HM_INVALID_WORLD = 30,
    /// This build of the library leaves the function out, as files in a browser.
    HM_UNSUPPORTED = 31,
    /// The world has colliders and was never updated, so no pair is known yet.
    HM_NOT_UPDATED = 32,
    /// The world has no atlas with this id.
    HM_UNKNOWN_ATLAS = 33,
    /// The atlas cannot be added, dropped or replaced: it is in use, the only one, of another
    /// resolution, or its id is taken.
    HM_ATLAS_USE = 34,
}

use hm_status::{
    HM_ATLAS_USE, HM_BAD_MASK, HM_BAD_NUMBER, HM_BAD_VALUE, HM_DAMAGED, HM_FULL, HM_INVALID_WORLD,
    HM_IO, HM_MASK_USE, HM_NOT_A_SNAPSHOT, HM_NOT_AN_ATLAS, HM_NULL_POINTER, HM_OK, HM_OVER_LIMIT,
    HM_PANIC, HM_STALE_ID, HM_UNBAKED_SCALE, HM_UNINITIALISED, HM_UNKNOWN_ATLAS, HM_UNKNOWN_OWNER,
    HM_UNKNOWN_SPRITE,
};

/// What a call could not do.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: hm_status,
    pub(crate) message: String,
}

/// The result of the inside of a call.
pub(crate) type Answer<T> = Result<T, Failure>;

impl Failure {
    #[cold]
    pub(crate) fn new(status: hm_status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// Returns the failure of a list whose item `index`, counted from 0, has this fault.
    #[cold]
    pub(crate) fn of_item(self, index: usize) -> Self {
        Self { message: format!("item {index}: {}", self.message), ..self }
    }

    #[cold]
    pub(crate) fn null(name: &str) -> Self {
        let message = format!("{name} is a null pointer; pass the address of a value");
        Self::new(HM_NULL_POINTER, message)
    }

    /// Returns the failure of a struct whose `cookie` is not that of its `hm_default_...()`.
    #[cold]
    pub(crate) fn uninitialised(name: &str, cookie: u32) -> Self {
        let default = name.replacen("hm_", "hm_default_", 1);
        let message = format!(
            "the cookie of an {name} is {cookie:#x}; start from the struct that {default}() returns"
        );
        Self::new(HM_UNINITIALISED, message)
    }

    /// Refuses a number that is none of the allowed ones.
    #[cold]
    pub(crate) fn value<T>(name: &str, value: impl Into<u32>, allowed: &str) -> Answer<T> {
        let message = format!("{name} cannot be {}; {allowed}", value.into());
        Err(Self::new(HM_BAD_VALUE, message))
    }

    #[cold]
    pub(crate) fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Self::new(HM_PANIC, format!("internal error: {}", text.unwrap_or("no message")))
    }
}

/// Names and remedies of the library, and those of this interface.
const NAMES: [(&str, &str); 15] = [
    ("add a sprite", "call hm_baker_add_rgba or hm_baker_add_masks first"),
    ("Atlas::sprite_id", "hm_atlas_sprite"),
    ("Sprite::plane", "hm_atlas_plane"),
    ("AtlasBuilder::resolution", "hm_baker_set_resolution"),
    ("AtlasBuilder::scales", "hm_bake_settings.scales"),
    ("Collider::owned_by", "hm_collider.owner"),
    ("ScalePolicy::Nearest", "infinity"),
    ("AtlasOptions::", "hm_atlas_limits."),
    ("give AtlasesMut::drop InUse::Remove", "call hm_world_drop_atlas_and_colliders"),
    ("MasksMut::insert_drawn", "hm_world_insert_transformed"),
    ("MasksMut::insert", "hm_world_insert_mask"),
    ("AtlasesMut::replace", "hm_world_replace_atlas"),
    ("AtlasesMut::", "hm_world_"),
    ("World::", "hm_world_"),
    ("Atlas::", "hm_atlas_"),
];

/// Returns a message of the library in the names of this interface.
fn in_c_names(message: String) -> String {
    NAMES.iter().fold(message, |text, (ours, theirs)| match text.contains(ours) {
        true => text.replace(ours, theirs),
        false => text,
    })
}

/// Returns the failure of an error with a remedy.
macro_rules! failure_of {
    ($error:ty, $this:ident => $status:expr) => {
        impl From<$error> for Failure {
            #[cold]
            fn from($this: $error) -> Self {
                let status = $status;
                Self::new(status, in_c_names(format!("{}; {}", $this, $this.help())))
            }
        }
    };
}

failure_of!(CallError, error => call_status(&error));
#[cfg(feature = "bake")]
failure_of!(hitmask::BuildError, _error => hm_status::HM_BAKE);
failure_of!(InvariantViolation, _error => HM_INVALID_WORLD);
failure_of!(FileError, error => match &error {
    FileError::Io { .. } => HM_IO,
    FileError::NotASnapshot
    | FileError::Version { section: Section::Snapshot, .. }
    | FileError::OtherAtlas { .. }
    | FileError::AtlasCount { .. } => HM_NOT_A_SNAPSHOT,
    FileError::NotAnAtlas { .. } | FileError::Shard | FileError::Version { .. } => HM_NOT_AN_ATLAS,
    FileError::OverLimit { .. } => HM_OVER_LIMIT,
    // Colliders come from the bytes; the atlases come from the caller.
    FileError::Refused(
        CallError::Collider { .. } | CallError::PoseBudget { .. } | CallError::Full,
    ) => HM_DAMAGED,
    FileError::Refused(_) => HM_NOT_A_SNAPSHOT,
    _ => HM_DAMAGED,
});

fn call_status(error: &CallError) -> hm_status {
    match error.cause() {
        CallError::UnknownSprite { .. }
        | CallError::OtherAtlas { .. }
        | CallError::NoSprite(_)
        | CallError::Vanished { .. }
        | CallError::UnknownFrame { .. }
        | CallError::UnknownPlane { .. } => HM_UNKNOWN_SPRITE,
        CallError::UnbakedScale { .. } => HM_UNBAKED_SCALE,
        CallError::NeverMirrored { .. } => HM_BAD_VALUE,
        CallError::Stale(_) | CallError::UnknownMask(_) => HM_STALE_ID,
        CallError::UnknownOwner(_) => HM_UNKNOWN_OWNER,
        CallError::UnknownAtlas(_) => HM_UNKNOWN_ATLAS,
        CallError::SameAtlas(_)
        | CallError::OtherResolution { .. }
        | CallError::AtlasInUse { .. }
        | CallError::OnlyAtlas(_) => HM_ATLAS_USE,
        CallError::PosedMask(_) | CallError::MaskInUse(_) | CallError::UndrawnMask(_) => {
            HM_MASK_USE
        }
        CallError::Full => HM_FULL,
        CallError::PoseBudget { .. } | CallError::AtlasesTooLarge => HM_OVER_LIMIT,
        CallError::TooLarge { .. }
        | CallError::WrongLength { .. }
        | CallError::BadCharacter { .. }
        | CallError::RaggedRow { .. }
        | CallError::BadColor { .. } => HM_BAD_MASK,
        CallError::SizeChanged { .. } => hm_status::HM_BAD_LENGTH,
        _ => HM_BAD_NUMBER,
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

/// Returns the text as a C string, up to its first NUL.
pub(crate) fn c_string(text: &str) -> CString {
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

#[cold]
fn remember(failure: &Failure) -> hm_status {
    // At the end of a thread there may be no place left for the message.
    let _ = LAST_ERROR.try_with(|last| last.replace(c_string(&failure.message)));
    failure.status
}

/// Runs the inside of a call and returns its status.
pub(crate) fn guard(work: impl FnOnce() -> Answer<hm_status>) -> hm_status {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => remember(&failure),
        Err(payload) => remember(&Failure::panic(&*payload)),
    }
}

/// Runs a call that writes nothing.
pub(crate) fn call<R>(work: impl FnOnce() -> Answer<R>) -> hm_status {
    guard(|| work().map(|_| HM_OK))
}

/// Returns the version of the interface that this library has: HM_ABI_VERSION of its header.
#[unsafe(no_mangle)]
pub extern "C" fn hm_abi_version() -> u32 {
    HM_ABI_VERSION
}

/// Returns the version of the library as a text, such as "0.1.0". It is valid forever.
#[unsafe(no_mangle)]
pub extern "C" fn hm_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns a short text for a status, such as "stale id". It is valid forever. Any number is
/// allowed; unknown ones give "unknown status".
#[unsafe(no_mangle)]
pub extern "C" fn hm_status_text(status: i32) -> *const c_char {
    /// By status.
    const TEXTS: [&CStr; hm_status::HM_ATLAS_USE as usize + 1] = [
        c"ok",
        c"none",
        c"null pointer",
        c"misaligned pointer",
        c"bad length",
        c"buffer too small",
        c"bad text",
        c"null handle",
        c"not a handle",
        c"stale handle",
        c"handle of another type",
        c"busy",
        c"internal error",
        c"poisoned by an internal error",
        c"uninitialised struct",
        c"unknown value",
        c"number not finite or out of range",
        c"stale id",
        c"unknown sprite, frame, plane or map",
        c"scale not baked",
        c"unknown owner",
        c"run-time mask cannot be used so",
        c"full",
        c"file cannot be read",
        c"not an atlas",
        c"damaged data",
        c"over the limit",
        c"not a snapshot of this atlas",
        c"bad mask",
        c"bake failed",
        c"invalid world",
        c"not supported by this build",
        c"never updated",
        c"unknown atlas",
        c"atlas cannot be used so",
    ];
    let text = usize::try_from(status).ok().and_then(|status| TEXTS.get(status));
    text.unwrap_or(&c"unknown status").as_ptr()
}

/// Returns the message of the last failed call of this thread: what is wrong, the value, and how
/// to fix it. It is an empty text if no call has failed. The text is lent until the next call that
/// fails on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn hm_last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_functions_of_c() {
        let atlas = hitmask::AtlasId::new(7);
        let failure = Failure::from(CallError::UnknownAtlas(atlas));
        assert_eq!(failure.status, HM_UNKNOWN_ATLAS);
        let expected = "give the id of an atlas that hm_world_atlases lists";
        assert!(failure.message.ends_with(expected), "{}", failure.message);
        let failure = Failure::from(CallError::OtherResolution { atlas: 2.0, world: 0.5 });
        assert!(failure.message.ends_with("bake the atlas with hm_baker_set_resolution(0.5)"));
        let failure =
            Failure::from(hitmask::AtlasBuilder::new().to_bytes().expect_err("no sources"));
        assert!(failure.message.contains("hm_baker_add_"), "{}", failure.message);
    }

    #[test]
    fn a_panic_becomes_a_status_and_a_message() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        assert_eq!(call(|| -> Answer<()> { panic!("lost {}", 7) }), HM_PANIC);
        std::panic::set_hook(hook);
        LAST_ERROR.with(|last| {
            let text: &CStr = &last.borrow();
            assert_eq!(text, c"internal error: lost 7");
        });
    }
}
