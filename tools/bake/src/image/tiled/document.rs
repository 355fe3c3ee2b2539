//! Reads a file of Tiled, in XML or in JSON.
//!
//! Called by `mod` for tilesets and by `object` for templates.

use super::source::{Element, Source};
use super::{json, xml};
use crate::BakeError;
use crate::image::read_text;
use std::path::Path;

/// Returns the text of the file at `path` and its root element. The format follows the first
/// character, because a tileset of one format may use templates of the other.
pub(super) fn read(path: &Path) -> Result<(Source, Element), BakeError> {
    let source = Source { path: path.to_owned(), text: read_text(path)? };
    let is_json = source.text.trim_start().starts_with(['{', '[']);
    let root = if is_json { json::parse(&source) } else { xml::parse(&source) }?;
    Ok((source, root))
}
