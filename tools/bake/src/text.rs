//! The text of a file, in JSON, XML or another format, and the errors at a position in it.
//!
//! Used by the manifest and by the readers of sheet descriptions and Tiled files. Invariant: an error
//! has the line and the column in the whole text, both from 1.

use crate::error::{BakeError, BakeFault};
use crate::read_file;
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

/// First bytes of a binary property list.
const BINARY_PLIST: &[u8] = b"bplist";

/// The text of one file, without a byte order mark.
pub(super) struct Text {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl Text {
    /// Reads the file at `path`, in UTF-8 or UTF-16. An XML declaration behind comments or blanks, which
    /// some packers write, is replaced by blanks.
    pub(super) fn read(path: &Path) -> Result<Self, BakeError> {
        let bytes = read_file::read(path)?;
        if bytes.starts_with(BINARY_PLIST) {
            let cause = "the file is a binary property list, which is not read";
            let help = "convert it to XML: plutil -convert xml1 FILE, or export it as XML";
            return Err(BakeError::unsupported(path, cause, help));
        }
        let text = match utf_16(&bytes) {
            Some(units) => utf_16_text(path, units)?,
            None => String::from_utf8(bytes).map_err(|e| {
                let before = String::from_utf8_lossy(&e.as_bytes()[..e.utf8_error().valid_up_to()]);
                let at = position(&before, before.len());
                BakeError::malformed(path, at, "the file is neither UTF-8 nor UTF-16 text")
            })?,
        };
        let text = text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text);
        Ok(Self { path: path.to_owned(), text: without_late_declaration(text) })
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

/// Returns the units of a text in UTF-16, and whether a byte is left over. A text has a byte order mark,
/// or is XML and begins with `<`.
fn utf_16(bytes: &[u8]) -> Option<(Vec<u16>, bool)> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().copied().map(unit).skip_while(|&unit| unit == 0xFEFF);
    Some((units.collect(), !rest.is_empty()))
}

/// Converts a text in UTF-16.
fn utf_16_text(path: &Path, (units, has_rest): (Vec<u16>, bool)) -> Result<String, BakeError> {
    let mut text = String::with_capacity(units.len());
    for unit in char::decode_utf16(units) {
        match unit {
            Ok(letter) => text.push(letter),
            Err(_) => {
                let at = position(&text, text.len());
                return Err(BakeError::malformed(path, at, "half a character in UTF-16"));
            }
        }
    }
    if has_rest {
        let at = position(&text, text.len());
        return Err(BakeError::malformed(path, at, "half a unit of UTF-16 at the end"));
    }
    Ok(text)
}

/// Returns an XML text with blanks in place of a declaration behind comments or blanks, so that
/// positions stay. XML allows a declaration at the very beginning only.
fn without_late_declaration(mut text: String) -> String {
    let mut start = 0_usize;
    loop {
        let rest = text[start..].trim_start();
        start = text.len().saturating_sub(rest.len());
        let Some(comment) = rest.strip_prefix("<!--") else { break };
        let Some(end) = comment.find("-->") else { return text };
        // The mark of the beginning has 4 bytes, that of the end has 3.
        start = start.saturating_add(4).saturating_add(end).saturating_add(3);
    }
    let is_declaration = |rest: &str| {
        let after = rest.strip_prefix("<?xml");
        after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_whitespace()))
    };
    let end = text[start..].find("?>").filter(|_| start > 0 && is_declaration(&text[start..]));
    if let Some(end) = end {
        let range = start..start.saturating_add(end).saturating_add(2);
        let blank = |c: char| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) };
        let blanks: String = text[range.clone()].chars().map(blank).collect();
        text.replace_range(range, &blanks);
    }
    text
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
