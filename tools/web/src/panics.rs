//! The text of the panic that ended the module.

#![expect(unsafe_code, reason = "the exports have names that JavaScript knows")]

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

static TEXT: OnceLock<CString> = OnceLock::new();

/// Keeps the text of a panic from now on. Call it once, before any other function.
#[unsafe(no_mangle)]
pub extern "C" fn hm_web_start() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\0', "");
        // The first panic counts.
        let _ = TEXT.set(CString::new(text).unwrap_or_default());
    }));
    crate::warnings::collect();
}

/// Returns the text of the panic that ended the module, or null if there was none. It is valid
/// forever.
#[unsafe(no_mangle)]
pub extern "C" fn hm_web_panic_text() -> *const c_char {
    TEXT.get().map_or(std::ptr::null(), |text| text.as_ptr())
}
