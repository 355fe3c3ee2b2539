//! Reads a file of Tiled to its root element.
//!
//! Called by `mod` for a tileset and by `object` for templates.

use super::element::Element;
use super::{json, xml};
use crate::BakeError;
use crate::text::Text;
use std::path::Path;

/// Returns the text of the file at `path` and its root element. The format follows the first
/// character, because a tileset of one format may use templates of the other.
pub(super) fn read(path: &Path) -> Result<(Text, Element), BakeError> {
    let source = Text::read(path)?;
    let is_json = source.text.trim_start().starts_with(['{', '[']);
    let root = if is_json { json::parse(&source) } else { xml::parse(&source) }?;
    Ok((source, root))
}
