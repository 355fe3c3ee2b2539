//! The text of a file, in JSON, XML or another format, and the errors at a position in it.
//!
//! Used by the manifest and by the readers of sheet descriptions and Tiled files. Invariant: an error
//! has the line and the column in the whole text, both from 1.

use super::{BakeError, BakeFault, image};
use roxmltree::{Document, ParsingOptions};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Limit on elements, attributes and texts of an XML file. Bounds the memory of the parser.
const MAX_NODES: u32 = 4_000_000;

/// The text of one file, without a byte order mark.
pub(super) struct Text {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl Text {
    /// Reads the file at `path`.
    pub(super) fn read(path: &Path) -> Result<Self, BakeError> {
        let text = String::from_utf8(image::read(path)?).map_err(|e| {
            let before = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]);
            let at = position(&before, before.len());
            BakeError::malformed(path, at, "the file is not UTF-8 text")
        })?;
        let text = match text.strip_prefix('\u{FEFF}') {
            Some(text) => text.to_owned(),
            None => text,
        };
        Ok(Self { path: path.to_owned(), text })
    }

    /// Returns the error at a byte of the text.
    pub(super) fn error(
        &self,
        fault: BakeFault,
        at: usize,
        cause: impl Display,
        help: impl Into<Cow<'static, str>>,
    ) -> BakeError {
        BakeError::at(fault, &self.path, position(&self.text, at), cause, help)
    }

    /// Returns the error of malformed text at a byte.
    pub(super) fn malformed(&self, at: usize, cause: impl Display) -> BakeError {
        BakeError::malformed(&self.path, position(&self.text, at), cause)
    }

    /// Returns the error of content whose pixels are not known.
    pub(super) fn refused(&self, at: usize, cause: impl Display, help: &'static str) -> BakeError {
        self.error(BakeFault::Unsupported, at, cause, help)
    }

    /// Returns the position of a part of the text, in bytes.
    pub(super) fn offset(&self, part: &str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    /// Parses a part of the text as JSON.
    pub(super) fn json<'t, T: Deserialize<'t>>(&self, part: &'t str) -> Result<T, BakeError> {
        serde_json::from_str(part).map_err(|e| {
            let [line, column] = position(&self.text, self.offset(part));
            let at = match e.line() {
                0 | 1 => [line, column.saturating_add(e.column().saturating_sub(1))],
                later => [line.saturating_add(later.saturating_sub(1)), e.column()],
            };
            BakeError::malformed(&self.path, at, without_position(&e.to_string(), " at line "))
        })
    }

    /// Parses `text`, which has the positions of this text, as XML. A document type is an error unless
    /// `allow_dtd` is set.
    pub(super) fn xml<'t>(
        &self,
        text: &'t str,
        allow_dtd: bool,
    ) -> Result<Document<'t>, BakeError> {
        let options =
            ParsingOptions { nodes_limit: MAX_NODES, allow_dtd, ..ParsingOptions::default() };
        Document::parse_with_options(text, options).map_err(|e| {
            let at = [e.pos().row as usize, e.pos().col as usize];
            BakeError::malformed(&self.path, at, without_position(&e.to_string(), " at "))
        })
    }
}

/// Returns line and column of a byte, from 1. Columns count characters.
fn position(text: &str, at: usize) -> [usize; 2] {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
    [line.saturating_add(1), column.saturating_add(1)]
}

/// Returns a parser's message without its position, which the error states in its own fields.
fn without_position<'m>(message: &'m str, before_position: &str) -> &'m str {
    message.rsplit_once(before_position).map_or(message, |(cause, _)| cause)
}

/// The values of a JSON object by key. A key that is there twice is an error, because a map of
/// the standard library would keep the last value without a word.
pub(super) struct UniqueMap<T>(pub(super) BTreeMap<String, T>);

impl<T> Default for UniqueMap<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for UniqueMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = UniqueMap<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    match entries.entry(key) {
                        Entry::Vacant(entry) => entry.insert(map.next_value()?),
                        Entry::Occupied(entry) => {
                            let key = entry.key();
                            return Err(A::Error::custom(format!("duplicate key `{key}`")));
                        }
                    };
                }
                Ok(UniqueMap(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}
