//! The files that a bake leaves out under `Bake::keep_going`.
//!
//! Called wherever a fault of one file is found: `inputs`, `manifest` and `image` when a source is
//! added, and `pipeline` when it is baked.

use super::BakeError;
use std::path::{Path, PathBuf};

/// The files left out so far, each with its fault.
#[derive(Clone, Default)]
pub(super) struct Failures {
    /// If false, the first fault ends the bake.
    pub(super) keep_going: bool,
    files: Vec<(PathBuf, BakeError)>,
}

impl Failures {
    /// Returns the value. If it is an error and the bake keeps going, records the error for `path`
    /// and returns `None`.
    pub(super) fn skip<T>(
        &mut self,
        path: &Path,
        result: Result<T, BakeError>,
    ) -> Result<Option<T>, BakeError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if self.keep_going => {
                // Many sprites of one sheet can have the same fault.
                let path = error.place.path.as_deref().unwrap_or(path).to_owned();
                let failure = (path, error);
                if !self.files.contains(&failure) {
                    self.files.push(failure);
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Does the same for a sprite from the file `place`. A fault of a sprite without a file ends
    /// the bake, because the caller made its masks.
    pub(super) fn skip_sprite<T>(
        &mut self,
        place: Option<PathBuf>,
        result: Result<T, BakeError>,
    ) -> Result<Option<T>, BakeError> {
        match place {
            Some(path) => self.skip(&path, result),
            None => result.map(Some),
        }
    }

    /// Returns the first fault as an error, for callers that need all files.
    pub(super) fn none_yet(&self) -> Result<(), BakeError> {
        self.files.first().map_or(Ok(()), |(_, error)| Err(error.clone()))
    }

    /// Returns the files left out, in the order in which their faults were found.
    pub(super) fn into_files(self) -> Vec<(PathBuf, BakeError)> {
        self.files
    }
}
