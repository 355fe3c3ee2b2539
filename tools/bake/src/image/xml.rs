//! Parses XML, and states faults with their line and column.
//!
//! Called by the readers of Tiled, Starling and cocos2d. Invariant: a file has at most
//! [`MAX_NODES`] nodes.

use crate::BakeError;
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;

/// Limit on elements, attributes and texts of a file. Bounds the memory of the parser.
const MAX_NODES: u32 = 4_000_000;

/// Parses the text of the file at `path`. A document type is an error unless `allow_dtd` is set.
pub(super) fn parse<'t>(
    path: &Path,
    text: &'t str,
    allow_dtd: bool,
) -> Result<Document<'t>, BakeError> {
    let options = ParsingOptions { nodes_limit: MAX_NODES, allow_dtd, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|e| {
        let at = e.pos();
        let cause = e.to_string();
        // The parser appends the position, which the error states in its own fields.
        let cause = cause.rsplit_once(" at ").map_or(cause.as_str(), |(cause, _)| cause);
        BakeError::Text {
            path: path.to_owned(),
            line: at.row as usize,
            column: at.col as usize,
            cause: cause.to_owned(),
        }
    })
}

/// Returns the error for a fault at the start of `node`.
pub(super) fn fault(path: &Path, node: Node<'_, '_>, cause: String) -> BakeError {
    let at = node.document().text_pos_at(node.range().start);
    let (line, column) = (at.row as usize, at.col as usize);
    BakeError::Text { path: path.to_owned(), line, column, cause }
}
