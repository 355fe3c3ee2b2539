//! Unicode in the names of sprites: one form for equal text, and constants in generated source.
//!
//! Called by `inputs`, `manifest`, `image` and `build_script`.

use std::borrow::Cow;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Returns the composed form, NFC, in which equal text has equal bytes. Some systems name files in
/// the decomposed form: `e` and an accent are then two characters.
pub(super) fn composed(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// Converts a sprite name to the name of a constant: capitals, digits, `_`, and the letters of
/// other scripts that Rust allows.
pub(super) fn constant(name: &str) -> String {
    let is_allowed = |c: char| c == '_' || unicode_ident::is_xid_continue(c);
    let upper = composed(name).chars().flat_map(char::to_uppercase).collect::<String>();
    // Capitals may need composition again.
    let upper = composed(&upper);
    let constant: String = upper.chars().map(|c| if is_allowed(c) { c } else { '_' }).collect();
    // `_` is not an identifier. The others are used by the generated module.
    if constant.starts_with(|c: char| c != '_' && !unicode_ident::is_xid_start(c)) {
        format!("_{constant}")
    } else if ["ATLAS_ID", "BYTES", "FILE", "_"].contains(&constant.as_str()) {
        format!("{constant}_")
    } else {
        constant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sprite_names_become_constant_names() {
        for (name, expected) in [
            ("ship", "SHIP"),
            ("enemies/ship-1", "ENEMIES_SHIP_1"),
            ("2fast", "_2FAST"),
            ("bytes", "BYTES_"),
            ("atlas/id", "ATLAS_ID_"),
            ("-", "__"),
            ("sch\u{f6}n", "SCH\u{d6}N"),
            ("scho\u{308}n", "SCH\u{d6}N"),
            ("stra\u{df}e", "STRASSE"),
            ("\u{6575}/\u{8239} 1", "\u{6575}_\u{8239}_1"),
            ("\u{43a}\u{43e}\u{442}", "\u{41a}\u{41e}\u{422}"),
            // Superscripts and emoji are not allowed in identifiers.
            ("x\u{b2}", "X_"),
            ("\u{1f680}!", "__"),
            ("\u{660}", "_\u{660}"),
        ] {
            assert_eq!(constant(name), expected, "{name}");
        }
    }
}
