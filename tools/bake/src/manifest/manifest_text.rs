//! The text of a manifest, and the errors that point into it.
//!
//! Used by all files of this folder that read keys.

use super::keys::Manifest;
use super::values::Many;
use crate::error::{BakeError, BakeFault};
use crate::text::Text;
use hitmask::baking::alike;
use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use toml::Spanned;

/// Remedy of a malformed manifest.
const HELP: &str = "correct the manifest at that position";

/// The text of a manifest, for errors that point into it.
pub(super) struct ManifestText(Text);

impl ManifestText {
    /// Reads the file at `path`.
    pub(super) fn read(path: &Path) -> Result<Self, BakeError> {
        Text::read(path).map(Self).map_err(|error| match error.fault {
            BakeFault::Malformed => error.with_help(HELP),
            _ => error,
        })
    }

    /// Parses the text.
    pub(super) fn parse(&self) -> Result<Manifest, BakeError> {
        toml::from_str(&self.0.text).map_err(|error| self.parse_error(&error))
    }

    pub(super) fn error(&self, span: &Range<usize>, cause: impl Display) -> BakeError {
        self.0.error(BakeFault::Malformed, span.start, cause, HELP)
    }

    /// Checks that a pattern of a list has no part that leads upwards, because names are paths from the
    /// root.
    pub(super) fn check_is_below_root(
        &self,
        list: &Spanned<Many<String>>,
        pattern: &str,
    ) -> Result<(), BakeError> {
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if Path::new(pattern).components().all(is_below) {
            return Ok(());
        }
        let cause = format!(
            "{pattern:?} is not a path below the root: write it without .., or set root to a higher folder"
        );
        Err(self.error(&self.within(list, pattern), cause))
    }

    /// Checks that the root is an existing folder.
    pub(super) fn existing(
        &self,
        root: &Spanned<String>,
        folder: PathBuf,
    ) -> Result<PathBuf, BakeError> {
        // The empty path is the current folder.
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(folder);
        }
        let cause = format!("the root {:?} is not an existing folder", root.get_ref());
        Err(self.error(&root.span(), cause))
    }

    /// Returns the position of a string in a list.
    pub(super) fn within(&self, list: &Spanned<Many<String>>, string: &str) -> Range<usize> {
        let span = list.span();
        let written = self.0.text.get(span.clone()).unwrap_or_default();
        let at = written.find(&format!("{string:?}")).unwrap_or(0);
        span.start + at..span.end
    }

    fn parse_error(&self, error: &toml::de::Error) -> BakeError {
        let span = error.span().unwrap_or(0..0);
        let message = error.message();
        // The format of serde's message: unknown field `angels`, expected one of `angles`,
        // `scales`.
        let mut quoted = message.split('`').skip(1).step_by(2);
        if let (true, Some(key)) = (message.starts_with("unknown field"), quoted.next()) {
            let help: Cow<'static, str> = match alike(key, quoted) {
                Some(nearest) => format!("did you mean {nearest:?}?").into(),
                None => "run hitmask init, which writes a manifest with every key".into(),
            };
            let cause = format!("unknown key {key:?}");
            return self.0.error(BakeFault::Malformed, span.start, cause, help);
        }
        self.error(&span, message.replace('\n', " "))
    }
}
