//! The constructors of [`Atlas`], with the default limits or with others.
//!
//! Part of the public API. Invariant: opening draws no pose.

#![deny(clippy::arithmetic_side_effects)]

use super::Atlas;
use super::aligned_bytes::Bytes;
use super::error::AtlasError;
use super::options::AtlasOptions;
use std::path::Path;

impl Atlas {
    /// Opens the atlas in a file. A compact atlas stays [undrawn](Self#undrawn-atlases).
    ///
    /// # Errors
    /// [`AtlasError`] if the file cannot be read, is not an atlas, has another version, or has
    /// damaged records. [`AtlasError::OverLimit`] if it is compact and its source masks exceed
    /// [`AtlasOptions::DEFAULT_MAX_BYTES`], or if it has more than 2^31 poses.
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
        Atlas::checked(Bytes::read(path.as_ref())?, self)
    }

    /// Opens static bytes, as [`Atlas::from_static`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_static`].
    pub fn from_static(self, bytes: &'static [u8]) -> Result<Atlas, AtlasError> {
        Atlas::checked(Bytes::from_static(bytes), self)
    }

    /// Opens owned bytes, as [`Atlas::from_vec`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_vec`].
    pub fn from_vec(self, bytes: Vec<u8>) -> Result<Atlas, AtlasError> {
        Atlas::checked(Bytes::from_vec(bytes), self)
    }

    /// Opens a copy of `bytes`, as [`Atlas::from_bytes`] with these limits.
    ///
    /// # Errors
    /// As [`Atlas::from_bytes`].
    pub fn from_bytes(self, bytes: &[u8]) -> Result<Atlas, AtlasError> {
        Atlas::checked(Bytes::copied(bytes), self)
    }
}
