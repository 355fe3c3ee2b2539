//! The warnings that the library logs, kept until JavaScript reads them.
//!
//! Invariants: at most [`MAX_WARNINGS`] are kept, the first ones.

#![expect(unsafe_code, reason = "reads a text of the C interface, and exports have fixed names")]

use hitmask_capi::{hm_log_level, hm_set_log};
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Mutex, PoisonError};

/// Most warnings that are kept.
const MAX_WARNINGS: usize = 1000;

/// The warnings that were not read yet, and the one that was lent last.
static WARNINGS: Mutex<(Vec<CString>, Option<CString>)> = Mutex::new((Vec::new(), None));

extern "C" fn keep(_user: *mut c_void, _level: hm_log_level, message: *const c_char) {
    // SAFETY: the log gives a text with a NUL at its end, which is valid during this call.
    let message = unsafe { CStr::from_ptr(message) };
    let mut warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if warnings.0.len() < MAX_WARNINGS {
        warnings.0.push(message.to_owned());
    }
}

/// Keeps all warnings from now on.
pub(crate) fn collect() {
    hm_set_log(Some(keep), std::ptr::null_mut());
}

/// Returns the oldest warning and forgets it, or null if there is none. It is lent until the next
/// call of this function.
#[unsafe(no_mangle)]
pub extern "C" fn hm_web_next_warning() -> *const c_char {
    let mut warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let next = (!warnings.0.is_empty()).then(|| warnings.0.remove(0));
    warnings.1 = next;
    warnings.1.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}
