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
        self.error(&span, plain_type_error(message).replace('\n', " "))
    }
}

/// Returns the message of a parser about a value of another type, in plain words. Other messages stay.
fn plain_type_error(message: &str) -> String {
    let stated =
        ["invalid type: ", "invalid value: "].iter().find_map(|it| message.strip_prefix(it));
    let Some((found, expected)) = stated.and_then(|it| it.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "u32" | "usize" | "u64" => "a whole number of at least 0",
        "a nonzero u32" => "a whole number of at least 1",
        "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "a text in quotes",
        "a sequence" => "a list in [ ]",
        "a map" => "a table in { }",
        other if other.starts_with("struct ") => "a table in { }",
        other => other,
    };
    let quoted = found.strip_prefix("string \"").and_then(|text| text.strip_suffix('"'));
    let is_quoted = |text: &&str| text.parse::<f64>().is_ok() || ["true", "false"].contains(text);
    if let Some(text) = quoted.filter(is_quoted) {
        return format!("found {text:?} in quotes, expected {expected}: write {text}");
    }
    let found = match found {
        "sequence" => "a list".to_owned(),
        "map" => "a table".to_owned(),
        other => {
            let value = other.split_once('`').and_then(|(_, value)| value.strip_suffix('`'));
            value.or(other.strip_prefix("string ")).unwrap_or(other).to_owned()
        }
    };
    format!("found {found}, expected {expected}")
}
