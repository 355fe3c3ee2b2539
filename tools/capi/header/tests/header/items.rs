//! Reads the declarations of the header for its translations.
//!
//! The header has the regular form in which cbindgen writes: a comment before each declaration and each member.

use std::mem::take;

/// A declaration of the header with the lines of its comment, or a member of one.
#[derive(Default)]
pub(crate) struct Item {
    pub(crate) comment: Vec<String>,
    pub(crate) text: String,
    pub(crate) members: Vec<Item>,
}

/// Reads declarations up to the end of the lines, or up to the brace that ends a list of members.
pub(crate) fn items<'a>(lines: &mut impl Iterator<Item = &'a str>) -> (Vec<Item>, &'a str) {
    let (mut found, mut item) = (Vec::new(), Item::default());
    while let Some(line) = lines.next() {
        let text = line.trim();
        if text.starts_with("} ") {
            return (found, text);
        } else if text == "/**" {
            let comment = lines.take_while(|line| line.trim() != "*/");
            item.comment = comment.map(|line| line.trim_matches([' ', '*']).into()).collect();
            continue;
        } else if item.comment.is_empty() {
            // An include, or a condition of the preprocessor.
            continue;
        }
        item.text = format!("{} {text}", item.text).trim().into();
        if text.ends_with('{') {
            let end;
            (item.members, end) = items(lines);
            item.text += end;
        }
        let is_open = item.text.matches('(').count() > item.text.matches(')').count();
        if !is_open && (item.text.ends_with([';', ',']) || text.starts_with('#')) {
            found.push(take(&mut item));
        }
    }
    (found, "")
}
