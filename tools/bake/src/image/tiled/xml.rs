//! Reads Tiled's XML to elements.
//!
//! Called by `object`. A document type is skipped, because a parser without it expands nothing.

use super::element::{Element, TEXT};
use crate::error::BakeError;
use crate::text::Text;
use roxmltree::Node;
use std::borrow::Cow;
use std::ops::Range;

/// Elements whose children are read. The children of other elements change no pixel.
const PARENTS: [&str; 14] = [
    "map",
    "group",
    "layer",
    "data",
    "chunk",
    "tileset",
    "tile",
    "objectgroup",
    "object",
    "template",
    "animation",
    "properties",
    "property",
    "item",
];

/// Elements whose text is read.
const TEXTS: [&str; 4] = ["data", "chunk", "property", "item"];

/// Largest depth of elements that are read: a tileset's object has depth 4, and groups of a map nest.
const MAX_DEPTH: usize = 64;

/// Returns the root element.
pub(super) fn parse(source: &Text) -> Result<Element, BakeError> {
    let text = without_document_type(source)?;
    let document = source.xml(&text, false)?;
    Ok(element(document.root_element(), 0))
}

fn element(node: Node<'_, '_>, depth: usize) -> Element {
    let name = node.tag_name().name();
    let mut element = Element::leaf(name, node.range().start);
    // Attributes of other namespaces belong to other programs.
    let own = node.attributes().filter(|attribute| attribute.namespace().is_none());
    element.attributes = own.map(|it| (it.name().to_owned(), it.value().to_owned())).collect();
    if let Some(text) = node.text().filter(|_| TEXTS.contains(&name)) {
        element.attributes.push((TEXT.to_owned(), text.to_owned()));
    }
    if PARENTS.contains(&name) && depth < MAX_DEPTH {
        let children = node.children().filter(Node::is_element);
        element.children =
            children.map(|child| self::element(child, depth.saturating_add(1))).collect();
    }
    element
}

/// Returns the text with blanks in place of the document type, so that positions stay.
///
/// # Errors
/// Refuses definitions of entities, which can expand without end, and default values of attributes.
fn without_document_type(source: &Text) -> Result<Cow<'_, str>, BakeError> {
    let text = source.text.as_str();
    let Some(range) = document_type(source)? else { return Ok(text.into()) };
    let blank = |c: char| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) };
    let blanks: String = text[range.clone()].chars().map(blank).collect();
    Ok(format!("{}{blanks}{}", &text[..range.start], &text[range.end..]).into())
}

/// Returns the range of the document type. `None` if there is none or it does not end; then the
/// parser reports the fault.
fn document_type(source: &Text) -> Result<Option<Range<usize>>, BakeError> {
    const REMEDY: &str = "remove the document type, which Tiled does not need";
    let text = source.text.as_str();
    // The place behind `end`, from the place `skipped` bytes behind `at` on. It is in the text.
    let after = |at: usize, skipped: usize, end: &str| {
        let from = at.saturating_add(skipped);
        let before = text.get(from..)?.find(end)?;
        Some(from.saturating_add(before).saturating_add(end.len()))
    };
    let mut start = 0_usize;
    let mut at = loop {
        let rest = text[start..].trim_start();
        start = text.len().saturating_sub(rest.len());
        let end = match rest {
            _ if rest.starts_with("<!DOCTYPE") => {
                break start.saturating_add("<!DOCTYPE".len());
            }
            _ if rest.starts_with("<!--") => after(start, 4, "-->"),
            _ if rest.starts_with("<?") => after(start, 0, "?>"),
            _ => None,
        };
        let Some(end) = end else { return Ok(None) };
        start = end;
    };
    let (mut is_subset, mut is_attribute_list) = (false, false);
    loop {
        let Some(rest) = text.as_bytes().get(at..) else { return Ok(None) };
        let end = match rest {
            [] => None,
            [b'<', b'!', b'-', b'-', ..] => after(at, 4, "-->"),
            [b'<', b'?', ..] => after(at, 0, "?>"),
            _ if rest.starts_with(b"<!ENTITY") => {
                let cause = "the document type defines an entity".to_owned();
                return Err(source.refused(at, cause, REMEDY));
            }
            [b'"' | b'\'', ..] if is_attribute_list => {
                let cause = "the document type sets the value of an attribute".to_owned();
                return Err(source.refused(at, cause, REMEDY));
            }
            [b'"', ..] => after(at, 1, "\""),
            [b'\'', ..] => after(at, 1, "'"),
            [b'>', ..] if !is_subset => return Ok(Some(start..at.saturating_add(1))),
            [first, ..] => {
                match first {
                    b'[' => is_subset = true,
                    b']' => is_subset = false,
                    b'>' => is_attribute_list = false,
                    _ => is_attribute_list |= rest.starts_with(b"<!ATTLIST"),
                }
                Some(at.saturating_add(1))
            }
        };
        let Some(end) = end else { return Ok(None) };
        at = end;
    }
}
