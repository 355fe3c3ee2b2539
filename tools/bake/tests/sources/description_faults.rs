//! Descriptions that say one thing twice, or say what is not known: a reader that guesses would make
//! up pixels.

use super::folder::{Folder, bake, fails, manifest};
use hitmask_bake::BakeFault;

#[test]
fn deep_nesting_and_bytes_that_are_no_text_are_refused_with_their_line() {
    let folder = Folder::new("deep");
    let deep = "[".repeat(100_000);
    let nested = format!("{deep}{}", "]".repeat(100_000));
    for (name, text) in [
        ("hitmask.toml", format!("a = {deep}")),
        ("ui.json", nested.clone()),
        ("ui.json", format!("{{\"meta\": {nested}}}")),
        ("ui.json", format!("{{\"other\": {deep}")),
        ("t.tsx", "<a>".repeat(100_000)),
        ("t.tsj", format!("{}1{}", "{\"tileset\":".repeat(100_000), "}".repeat(100_000))),
    ] {
        let opened = match name {
            "hitmask.toml" => manifest(&folder, text),
            _ => bake(folder.write(name, text)),
        };
        let error = fails(&folder, opened);
        let is_refused = matches!(error.fault, BakeFault::Malformed | BakeFault::Unsupported);
        assert!(is_refused && error.place.line.is_some(), "{name}: {error}");
    }
    let error = fails(&folder, bake(folder.write("ui.json", b"{\n \"a\": \xFF")));
    let at = (&error.fault, error.place.line, error.place.column);
    assert_eq!(at, (&BakeFault::Malformed, Some(2), Some(7)), "{error}");
}
