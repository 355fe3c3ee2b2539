//! What a build script leaves for the game: the atlas, and Rust source that names its sprites.

use super::{BakeError, file};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Writes `name`.hitmask and `name`.rs into `folder`. `names` are the sprites' in ascending order,
/// which is the order of their ids.
pub(super) fn write(
    folder: &Path,
    name: &str,
    bytes: &[u8],
    names: &[&str],
) -> Result<(), BakeError> {
    let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !is_identifier {
        return Err(BakeError::NotAnIdentifier { name: name.to_owned() });
    }
    let source = source(name, names)?;
    file::replace(&folder.join(format!("{name}.hitmask")), bytes)?;
    file::replace(&folder.join(format!("{name}.rs")), source.as_bytes())
}

fn source(name: &str, names: &[&str]) -> Result<String, BakeError> {
    let mut source = format!(
        "const FILE: &::hitmask::Aligned<[u8]> = &::hitmask::Aligned(*include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.hitmask\")));\n\
         /// The atlas, where it can be read in place.\n\
         pub static BYTES: &[u8] = &FILE.0;\n"
    );
    let mut taken = BTreeMap::new();
    for (index, &sprite) in names.iter().enumerate() {
        let identifier = identifier(sprite);
        let line = format!(
            "/// The sprite {sprite:?}.\npub const {identifier}: ::hitmask::SpriteId = ::hitmask::SpriteId::new({index});"
        );
        let _ = writeln!(source, "{line}");
        if let Some(first) = taken.insert(identifier.clone(), sprite) {
            let (first, second) = (first.to_owned(), sprite.to_owned());
            return Err(BakeError::SameIdentifier { identifier, first, second });
        }
    }
    Ok(source)
}

/// A sprite's name as a constant's: capitals, digits and `_`.
fn identifier(name: &str) -> String {
    let upper =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
    let identifier: String = upper.collect();
    // `_` alone is no name; `BYTES` and `FILE` are the module's own.
    if identifier.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{identifier}")
    } else if ["BYTES", "FILE", "_"].contains(&identifier.as_str()) {
        format!("{identifier}_")
    } else {
        identifier
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_constants() {
        for (name, constant) in [
            ("ship", "SHIP"),
            ("enemies/ship-1", "ENEMIES_SHIP_1"),
            ("2fast", "_2FAST"),
            ("bytes", "BYTES_"),
            ("-", "__"),
            ("schön", "SCH_N"),
        ] {
            assert_eq!(identifier(name), constant);
        }
    }

    #[test]
    fn two_names_of_one_constant_are_refused_by_both_names() {
        let clash = source("sprites", &["a-b", "a_b"]);
        assert!(matches!(clash, Err(BakeError::SameIdentifier { identifier, first, second })
            if identifier == "A_B" && first == "a-b" && second == "a_b"));
        let folder = std::env::temp_dir();
        assert!(matches!(
            write(&folder, "no/name", b"", &[]),
            Err(BakeError::NotAnIdentifier { .. })
        ));
    }
}
