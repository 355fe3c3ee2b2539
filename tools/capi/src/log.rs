//! The callback that receives warnings: findings that are no errors, as of a bake.

use crate::status::{c_string, call, hm_status};
use std::ffi::{c_char, c_void};
use std::sync::{PoisonError, RwLock};

/// The kind of a message of the log.
pub type hm_log_level = u32;

/// A probable mistake, such as a sprite without pixels.
pub const HM_LOG_WARNING: hm_log_level = 1;
/// A finding that needs no action as a rule, such as two equal sprites.
pub const HM_LOG_HINT: hm_log_level = 2;

/// Receives a message of the log. The text is valid during the call. The callback runs on the thread
/// whose call found something. It must return: no exception and no longjmp.
pub type hm_log_callback =
    Option<extern "C" fn(user: *mut c_void, level: hm_log_level, message: *const c_char)>;

/// The callback and the address of its data.
static LOG: RwLock<(hm_log_callback, usize)> = RwLock::new((None, 0));

/// Sets the callback that receives the warnings of all threads; null for none, as at the start.
/// `user` is passed to it.
#[unsafe(no_mangle)]
pub extern "C" fn hm_set_log(callback: hm_log_callback, user: *mut c_void) -> hm_status {
    call(|| {
        let user = user.expose_provenance();
        *LOG.write().unwrap_or_else(PoisonError::into_inner) = (callback, user);
        Ok(())
    })
}

/// Gives a message to the callback, if there is one.
#[cfg_attr(not(feature = "bake"), expect(dead_code, reason = "only bakes have warnings"))]
pub(crate) fn log(level: hm_log_level, message: &str) {
    // Copied, so that the callback may set another one.
    let (callback, user) = *LOG.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(callback) = callback {
        callback(std::ptr::with_exposed_provenance_mut(user), level, c_string(message).as_ptr());
    }
}
