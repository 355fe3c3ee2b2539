//! The constructors of [`Atlas`], with the default limits or with others.
//!
//! Part of the public API. Invariant: no pose of a compact atlas is drawn before its cost has been
//! compared with all limits.

use super::aligned_bytes::Bytes;
use super::error::AtlasError;
use super::options::AtlasOptions;
use super::{Atlas, UndrawnAtlas};
use std::path::Path;

impl Atlas {
    /// Opens the atlas in a file.
    ///
    /// # Errors
    /// [`AtlasError`] if the file cannot be read, is not an atlas, has another version, or has
    /// damaged records. [`AtlasError::OverLimit`] if it is compact and its poses may exceed a
    /// default limit of [`AtlasOptions`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, AtlasError> {
        AtlasOptions::new().open(path)
    }

    /// Opens bytes that live as long as the program, such as those of
    /// [`include_atlas!`](crate::include_atlas). Bytes at a multiple of 64 are used in place, as
    /// those of `include_atlas!` are. Other bytes are copied once.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_static(bytes: &'static [u8]) -> Result<Self, AtlasError> {
        AtlasOptions::new().from_static(bytes)
    }

    /// Opens bytes and takes ownership of them. Bytes at a multiple of 64 are used in place. Other
    /// bytes are copied once to an aligned buffer.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Self, AtlasError> {
        AtlasOptions::new().from_vec(bytes)
    }

    /// Opens a copy of `bytes`.
    ///
    /// # Errors
    /// As [`open`](Self::open), except for reading.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, AtlasError> {
        AtlasOptions::new().from_bytes(bytes)
    }
}

impl AtlasOptions {
    /// Opens the atlas in a file, as [`Atlas::open`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::open`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<Atlas, AtlasError> {
        UndrawnAtlas::checked(Bytes::read(path.as_ref())?, self)?.draw()
    }

    /// Opens static bytes, as [`Atlas::from_static`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_static`].
    pub fn from_static(self, bytes: &'static [u8]) -> Result<Atlas, AtlasError> {
        UndrawnAtlas::checked(Bytes::from_static(bytes), self)?.draw()
    }

    /// Opens owned bytes, as [`Atlas::from_vec`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_vec`].
    pub fn from_vec(self, bytes: Vec<u8>) -> Result<Atlas, AtlasError> {
        UndrawnAtlas::checked(Bytes::from_vec(bytes), self)?.draw()
    }

    /// Opens a copy of `bytes`, as [`Atlas::from_bytes`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_bytes`].
    pub fn from_bytes(self, bytes: &[u8]) -> Result<Atlas, AtlasError> {
        UndrawnAtlas::checked(Bytes::copied(bytes), self)?.draw()
    }

    /// Opens the atlas in a file without drawing the poses of a compact one.
    ///
    /// # Errors
    /// As [`Atlas::open`]. The limits apply to the size of the source masks only.
    pub fn open_undrawn(self, path: impl AsRef<Path>) -> Result<UndrawnAtlas, AtlasError> {
        UndrawnAtlas::checked(Bytes::read(path.as_ref())?, self)
    }
}
