//! Descriptions that say one thing twice, or say what is not known: a reader that guesses would make
//! up pixels.

use super::folder::{Folder, bake, baked, fails, pictures, png, rows};
use crate::encode::sheets::{self, Packed, entry, starling, texture};
use hitmask_bake::BakeFault;

/// Writes a page of 8 x 2 pixels. Columns 4 and 5 are solid.
fn page(folder: &Folder) {
    folder.write("s.png", png(&["....##..", "....##.."]));
}

#[test]
fn frames_without_an_image_beside_others_are_refused() {
    let folder = Folder::new("without-image");
    page(&folder);
    let frame = |name: &str| entry(name, [4, 0, 2, 2], "");
    let (a, b) = (frame("a"), frame("b"));
    let textures = format!(r#""textures": [{{"image": "s.png", "frames": {{{b}}}}}]"#);
    let with_image = format!(r#"{{"frames": {{{a}}}, {textures}, "meta": {{"image": "s.png"}}}}"#);
    assert_eq!(baked(bake(folder.write("s.json", with_image)).unwrap()).len(), 2);
    let timed = a.replacen("{\"frame\"", "{\"duration\": 100, \"frame\"", 1);
    let pack =
        |frames: &str, meta: &str| format!(r#"{{"frames": {{{frames}}}, "meta": {{{meta}}}}}"#);
    folder.write("other.json", pack(&b, ""));
    let related = r#""image": "s.png", "related_multi_packs": ["other.json"]"#;
    for (text, file) in [
        (format!(r#"{{"frames": {{{a}}}, {textures}}}"#), "s.json"),
        (format!(r#"{{"frames": {{{a}}}, {textures}, "meta": {{"app": "x"}}}}"#), "s.json"),
        (format!(r#"{{"frames": {{{timed}}}, {textures}}}"#), "s.json"),
        (pack(&a, related), "other.json"),
    ] {
        let error = fails(&folder, bake(folder.write("s.json", &text)));
        let is_named = error.fault == BakeFault::Unsupported
            && error.place.path.as_ref().unwrap().ends_with(file);
        assert!(is_named && error.to_string().contains("no image"), "{text}: {error}");
    }
    // Frames of Aseprite, with an image, beside pages in the style of Phaser.
    let both = format!(r#"{{"frames": {{{timed}}}, {textures}, "meta": {{"image": "s.png"}}}}"#);
    let error = fails(&folder, bake(folder.write("s.json", both)));
    let is_unsupported = error.fault == BakeFault::Unsupported;
    assert!(is_unsupported && error.to_string().contains("textures"), "{error}");
}

#[test]
fn a_description_that_names_no_image_has_the_one_of_its_name() {
    let folder = Folder::new("own-image");
    page(&folder);
    let json = r#"{"frames": {"a": {"frame": {"x":4,"y":0,"w":2,"h":2}}}, "meta": {}}"#;
    let timed = json.replace("{\"frame\"", "{\"duration\": 100, \"frame\"");
    let frame = Packed { name: "a".into(), x: 4, w: 2, h: 2, size: [2, 2], ..Packed::default() };
    let plist = sheets::plist(2, "", &[frame], "");
    let xml = starling("", &[texture("a", [4, 0, 2, 2], "")]);
    for (ending, text) in [("json", json), ("json", &timed), ("plist", &plist), ("xml", &xml)] {
        let own = folder.write(&format!("s.{ending}"), text);
        assert_eq!(pictures(bake(own).unwrap()), [rows(&["##", "##"])], "{text}");
        let error = fails(&folder, bake(folder.write(&format!("t.{ending}"), text)));
        let is_named = error.fault == BakeFault::NotFound && error.help().contains("image");
        let text = error.to_string();
        assert!(is_named && text.contains("names no image, and there is no "), "{error}");
        assert!(text.ends_with("t.png"), "{error}");
    }
    let empty = fails(&folder, bake(folder.write("t.json", r#"{"frames": {}}"#)));
    assert!(empty.to_string().ends_with("describes no frames"), "{empty}");
}

#[test]
fn an_embedded_image_is_refused_without_its_bytes() {
    let folder = Folder::new("embedded-image");
    let data = "iVBORw0KGgo".repeat(1000);
    let json = format!(
        r#"{{"frames": {{"a": {{"frame": {{"x":0,"y":0,"w":2,"h":2}}}}}},
        "meta": {{"image": "data:image/png;base64,{data}"}}}}"#
    );
    let error = fails(&folder, bake(folder.write("s.json", json)));
    let is_named = error.fault == BakeFault::Unsupported && error.help().contains("beside");
    assert!(is_named && error.to_string().ends_with("the image is embedded, which is not read"));
}
