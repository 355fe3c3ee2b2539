//! The files that a bake cannot read under `Bake::keep_going`.
//!
//! Called wherever a fault of one file is found: `inputs`, `manifest` and `image` when a source is
//! added, and `pipeline` when it is baked.

use crate::error::BakeError;
use crate::names;
use std::path::{Path, PathBuf};

/// The faulty files so far, each with its fault.
#[derive(Clone, Default)]
pub(super) struct Failures {
    /// If false, the first fault ends the bake.
    pub(super) keep_going: bool,
    files: Vec<(PathBuf, BakeError)>,
    /// The files and folders that could not be opened, so that the names of their sprites are not known.
    unopened: Vec<Unopened>,
}

/// A file or folder that could not be opened.
#[derive(Clone)]
pub(super) struct Unopened {
    /// The name that its sprite has, or the names of its sprites begin with before a `/`. Empty for the
    /// folder of all sprites.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) error: BakeError,
}

impl Unopened {
    pub(super) fn new(name: &str, path: &Path, error: BakeError) -> Self {
        Self { name: names::composed(name).into_owned(), path: path.to_owned(), error }
    }

    /// Returns true if the sprite of this name may come from the file or folder.
    pub(super) fn may_have(&self, sprite: &str) -> bool {
        may_have(&self.name, sprite)
    }
}

/// Returns true if a sprite has the name of a file, or lies below it.
pub(super) fn may_have(file: &str, sprite: &str) -> bool {
    let rest = sprite.strip_prefix(file);
    file.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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

    /// Does the same for a file or folder of one or more sprites. Their names are `name`, or begin with it.
    pub(super) fn skip_sprites<T>(
        &mut self,
        name: &str,
        path: &Path,
        result: Result<T, BakeError>,
    ) -> Result<Option<T>, BakeError> {
        let error = result.as_ref().err().cloned();
        let value = self.skip(path, result)?;
        if let Some(error) = error {
            self.lose(name, path, error);
        }
        Ok(value)
    }

    /// Records that the sprites of a faulty file are `name`, or begin with it.
    pub(super) fn lose(&mut self, name: &str, path: &Path, error: BakeError) {
        self.unopened.push(Unopened::new(name, path, error));
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

    /// Returns the files and folders that could not be opened.
    pub(super) fn unopened(&self) -> &[Unopened] {
        &self.unopened
    }

    /// Returns the first fault as an error, for callers that need all files.
    pub(super) fn none_yet(&self) -> Result<(), BakeError> {
        self.files.first().map_or(Ok(()), |(_, error)| Err(error.clone()))
    }

    /// Returns the faulty files, in the order in which their faults were found.
    pub(super) fn into_files(self) -> Vec<(PathBuf, BakeError)> {
        self.files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unopened_file_may_have_the_sprite_of_its_name_and_those_below() {
        let has = |name: &str, sprite: &str| {
            let error = BakeError::not_a_file(Path::new("art"));
            Unopened::new(name, Path::new("art"), error).may_have(sprite)
        };
        for (name, sprite, expected) in [
            ("ui", "ui", true),
            ("ui", "ui/button", true),
            ("ui", "ui/deep/button", true),
            ("ui", "ui2", false),
            ("ui", "uj/button", false),
            ("ui/button", "ui", false),
            ("scho\u{308}n", "sch\u{f6}n", true),
            // The folder of all sprites.
            ("", "ui/button", true),
        ] {
            assert_eq!(has(name, sprite), expected, "{name:?} {sprite:?}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_read_may_have_all_sprites_below_it() {
        let mut failures = Failures { keep_going: true, ..Failures::default() };
        let error = || BakeError::read(Path::new("art/enemies"), std::io::Error::other("no"));
        let listed: Result<(), _> = Err(error());
        assert_eq!(
            failures.skip_sprites("enemies", Path::new("art/enemies"), listed).unwrap(),
            None
        );
        let [unopened] = failures.unopened() else { panic!() };
        assert!(unopened.may_have("enemies/ship") && !unopened.may_have("ship"));
        failures.keep_going = false;
        let listed: Result<(), _> = Err(error());
        assert!(failures.skip_sprites("enemies", Path::new("art/enemies"), listed).is_err());
    }
}
