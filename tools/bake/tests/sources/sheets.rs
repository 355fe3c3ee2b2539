//! Packed sheets: JSON of TexturePacker and Aseprite, and `.atlas` of libGDX and Spine.

use super::folder::{Folder, bake, baked, fails, png, rows};
use hitmask_bake::BakeFault;
use hitmask_scenes::sample;
use std::path::PathBuf;

/// The packed image: an L at (1, 1) in an untrimmed frame of 5 x 4.
const L: [&str; 3] = ["#.", "#.", "##"];
const WHOLE: [&str; 4] = [".....", ".#...", ".#...", ".##.."];

/// A page of 8 x 8 with the L upright at (0, 0), rotated clockwise at (3, 0) and counter-clockwise
/// at (3, 4).
const PAGE: [&str; 8] = [
    "#..###..", //
    "#..#....", "##......", "........", "......#.", "......#.", "........", "........",
];

fn page(folder: &Folder, name: &str) -> PathBuf {
    let mut page = PAGE.map(str::to_owned);
    // Rotated counter-clockwise, the foot of the L points up on the right.
    page[4] = ".....#..".to_owned();
    page[5] = "...###..".to_owned();
    let page: Vec<&str> = page.iter().map(String::as_str).collect();
    folder.write(name, png(&page))
}

const HASH: &str = r#"{
  "frames": {
    "upright.png": {
      "frame": {"x":0,"y":0,"w":2,"h":3}, "rotated": false, "trimmed": true,
      "spriteSourceSize": {"x":1,"y":1,"w":2,"h":3}, "sourceSize": {"w":5,"h":4},
      "pivot": {"x":0.5,"y":1.0}
    },
    "turned/a.png": {
      "frame": {"x":3,"y":0,"w":2,"h":3}, "rotated": true, "trimmed": true,
      "spriteSourceSize": {"x":1,"y":1,"w":2,"h":3}, "sourceSize": {"w":5,"h":4}
    }
  },
  "meta": {"app": "https://www.codeandweb.com/texturepacker", "image": "page.png", "scale": "1"}
}"#;

#[test]
fn texture_packer_frames_are_restored_to_their_untrimmed_size() {
    let folder = Folder::new("hash");
    page(&folder, "page.png");
    let sprites = baked(bake(folder.write("ui.json", HASH)).unwrap());
    let whole = rows(&WHOLE);
    assert_eq!(
        sprites,
        [
            // The centre (2.5, 2).
            ("ui/turned/a".to_owned(), vec![(whole.clone(), [5, 4])]),
            ("ui/upright".to_owned(), vec![(whole.clone(), [5, 8])]),
        ]
    );
    // The same frames in an array, on several pages, and with animations.
    let array = r#"{"textures": [
      {"image": "page.png", "frames": [
        {"filename": "l 1", "frame": {"x":0,"y":0,"w":2,"h":3}},
        {"filename": "l 2", "frame": {"x":3,"y":0,"w":3,"h":2}, "rotated": true,
         "spriteSourceSize": {"x":0,"y":0,"w":2,"h":3}, "sourceSize": {"w":2,"h":3}}]},
      {"image": "./sub\\page.png", "frames": [
        {"filename": "dot", "frame": {"x":1.0,"y":2,"w":1,"h":1}}]}],
      "animations": {"walk": ["l 2", "l 1", "l 2"]}}"#;
    page(&folder, "sub/page.png");
    let sprites = baked(bake(folder.write("all.json", array)).unwrap());
    let l = (rows(&L), [2, 3]);
    assert_eq!(sprites[0], ("all/dot".to_owned(), vec![("#\n".to_owned(), [1, 1])]));
    assert_eq!(sprites[1].0, "all/walk");
    let pictures: Vec<_> = sprites[1].1.iter().map(|(picture, _)| picture.as_str()).collect();
    assert_eq!(pictures, [l.0.as_str(); 3]);
}

const ASEPRITE: &str = r#"{ "frames": [
   {"filename": "hero 0.ase", "frame": {"x":0,"y":0,"w":2,"h":3}, "rotated": false,
    "spriteSourceSize": {"x":1,"y":1,"w":2,"h":3}, "sourceSize": {"w":5,"h":4}, "duration": 100},
   {"filename": "hero 1.ase", "frame": {"x":3,"y":0,"w":3,"h":1}, "duration": 100},
   {"filename": "hero 2.ase", "frame": {"x":0,"y":2,"w":2,"h":1}, "duration": 100}],
 "meta": { "app": "https://www.aseprite.org/", "image": "page.png", "frameTags": [TAGS],
  "slices": [{"name": "s", "keys": [
    {"frame": 0, "bounds": {"x":1,"y":1,"w":1,"h":1}, "pivot": {"x":2,"y":2}},
    {"frame": 2, "bounds": {"x":0,"y":0,"w":1,"h":1}, "pivot": {"x":1,"y":0}}]}] } }"#;

#[test]
fn aseprite_frames_are_one_sprite_or_one_per_tag() {
    let folder = Folder::new("aseprite-json");
    page(&folder, "page.png");
    let frames =
        [(rows(&WHOLE), [6, 6]), ("###\n".to_owned(), [6, 6]), ("##\n".to_owned(), [2, 0])];
    let whole = folder.write("hero.json", ASEPRITE.replace("TAGS", ""));
    assert_eq!(baked(bake(whole).unwrap()), [("hero".to_owned(), frames.to_vec())]);
    let tags = r#"{"name": "walk", "from": 1, "to": 2, "direction": "pingpong"},
        {"name": "idle", "from": 0, "to": 0, "direction": "forward"}"#;
    let tagged = folder.write("hero.json", ASEPRITE.replace("TAGS", tags));
    assert_eq!(
        baked(bake(&tagged).unwrap()),
        [
            ("hero/idle".to_owned(), frames[..1].to_vec()),
            ("hero/walk".to_owned(), frames[1..].to_vec())
        ]
    );
    for (from, to) in [(1, 3), (2, 1), (usize::MAX, usize::MAX)] {
        let tag = format!(r#"{{"name": "bad", "from": {from}, "to": {to}}}"#);
        let path = folder.write("hero.json", ASEPRITE.replace("TAGS", &tag));
        let error = fails(&folder, bake(path));
        assert_eq!(error.fault, BakeFault::Malformed, "{error}");
        let said = format!("tag \"bad\" has frames {from} to {to} of ");
        assert!(error.to_string().contains(&said), "{error}");
    }
}

/// Old and new keys, two pages, every rotation, indices out of order.
const ATLAS: &str = "
page.png
size: 8,8
format: RGBA8888
filter: Nearest,Nearest
repeat: none
l
  rotate: false
  xy: 0, 0
  size: 2, 3
  orig: 5, 4
  offset: 1, 0
  index: -1
walk
  rotate: true
  xy: 3, 4
  size: 2, 3
  orig: 5, 4
  offset: 1, 0
  index: 2

sub/page.png
scale: 0.5
walk
bounds: 0, 0, 2, 3
offsets: 1, 0, 5, 4
index: 1
own: 1, 2
walk
index: 3
rotate: 270
bounds: 3, 0, 2, 3
";

#[test]
fn libgdx_regions_are_frames_in_order_of_their_index() {
    let folder = Folder::new("atlas");
    page(&folder, "page.png");
    page(&folder, "sub/page.png");
    let sprites = baked(bake(folder.write("pack.atlas", ATLAS)).unwrap());
    let whole = (rows(&WHOLE), [5, 4]);
    assert_eq!(
        sprites,
        [
            ("pack/l".to_owned(), vec![whole.clone()]),
            ("pack/walk".to_owned(), vec![whole.clone(), whole, (rows(&L), [2, 3])]),
        ]
    );
}

#[test]
fn an_invalid_frame_is_reported_by_name() {
    let folder = Folder::new("faults");
    page(&folder, "page.png");
    let fault = |from: &str, to: &str| {
        assert!(HASH.contains(from));
        let path = folder.write("ui.json", HASH.replacen(from, to, 1));
        let error = fails(&folder, bake(&path));
        assert_eq!(error.fault, BakeFault::Malformed, "{error}");
        let frame = error.place.frame.as_deref();
        assert_eq!((error.place.path.as_ref(), frame), (Some(&path), Some("upright.png")));
        error.to_string()
    };
    for (from, to, expected) in [
        (r#""x":0,"y":0,"w":2"#, r#""x":-1,"y":0,"w":2"#, "has a negative position or size"),
        (r#""x":0,"y":0,"w":2"#, r#""x":7,"y":0,"w":2"#, "exceeds its page of 8 x 8 texels"),
        (r#""x":0,"y":0,"w":2"#, r#""x":0,"y":16384,"w":2"#, "exceeds its page of 8 x 8 texels"),
        (r#""x":0,"y":0,"w":2"#, r#""x":1e300,"y":0,"w":2"#, "has a position or size above 32767"),
        (
            r#""x":0,"y":0,"w":2"#,
            r#""x":0.5,"y":0,"w":2"#,
            "has a position or size that is not a whole number",
        ),
        (r#"{"x":1,"y":1"#, r#"{"x":-1,"y":1"#, "has a negative position or size"),
        (r#"{"x":1,"y":1"#, r#"{"x":4,"y":1"#, "exceeds the size that it had before trimming"),
        (r#""w":5,"h":4"#, r#""w":5,"h":3"#, "exceeds the size that it had before trimming"),
        (r#""w":5,"h":4"#, r#""w":5,"h":99999"#, "has a position or size above 32767"),
        (
            r#""x":0.5,"y":1.0"#,
            r#""x":1e9,"y":1.0"#,
            "has a pivot that is not a number or is too far away",
        ),
        (r#""x":0,"y":0,"w":2"#, r#""x":0,"y":0,"w":-2"#, "has a negative position or size"),
        (
            r#""x":0.5,"y":1.0"#,
            r#""x":0.5,"y":-1e300"#,
            "has a pivot that is not a number or is too far away",
        ),
    ] {
        assert!(fault(from, to).ends_with(expected), "{to}");
    }
    // Numbers in .atlas files may be NaN or infinite.
    let atlas = |from: &str, to: &str| {
        assert!(ATLAS.contains(from));
        fails(&folder, bake(folder.write("pack.atlas", ATLAS.replacen(from, to, 1))))
    };
    page(&folder, "sub/page.png");
    for (to, expected) in [
        ("offset: -1, 0", "has a negative position or size"),
        ("offset: 1, 2", "has a negative position or size"),
        ("offset: 4, 0", "exceeds the size that it had before trimming"),
        ("offset: NaN, 0", "has a position or size that is not a whole number"),
        ("offset: inf, 0", "has a position or size that is not a whole number"),
    ] {
        let error = atlas("offset: 1, 0", to);
        assert!(
            error.fault == BakeFault::Malformed
                && error.place.frame.is_some()
                && error.to_string().ends_with(expected),
            "{error}"
        );
    }
    for (from, to) in [("xy: 0, 0", "xy: 0"), ("xy: 0, 0", "xy: a, b"), ("270", "45")] {
        let error = atlas(from, to);
        let named = error.to_string().contains("pack.atlas, line ");
        assert!(
            (error.fault == BakeFault::Malformed && error.place.line.is_some()) && named,
            "{error}"
        );
    }
}

#[test]
fn a_page_that_is_missing_or_outside_the_folder_is_rejected() {
    let folder = Folder::new("pages");
    folder.write("art/keep.txt", "");
    page(&folder, "page.png");
    let json = |page: &str| folder.write("art/ui.json", HASH.replace("page.png", page));
    let error = fails(&folder, bake(json("gone.png")));
    assert_eq!(error.fault, BakeFault::NotFound);
    let said = " names the file \"gone.png\", which does not exist";
    assert!(error.to_string().ends_with(said), "{error}");
    for page in ["../page.png", "/etc/passwd", "a/../../page.png", "..\\\\page.png", "C:/page.png"]
    {
        let error = fails(&folder, bake(json(page)));
        assert!(
            (error.fault == BakeFault::Malformed
                && error.to_string().ends_with("outside its own folder")),
            "{page}: {error}"
        );
    }
    let error = fails(&folder, bake(folder.write("art/p.atlas", ATLAS.replace("page", "../page"))));
    assert!(
        (error.fault == BakeFault::Malformed
            && error.to_string().ends_with("outside its own folder")),
        "{error}"
    );
    // The page exists but is not an image.
    folder.write("art/text.png", "no image");
    let error = fails(&folder, bake(json("text.png")));
    assert!(error.fault == BakeFault::NotAnImage, "{error}");
}

#[test]
fn malformed_text_is_reported_by_line_and_column() {
    let folder = Folder::new("text");
    page(&folder, "page.png");
    page(&folder, "sub/page.png");
    let error = fails(&folder, bake(folder.write("ui.json", HASH.replacen("true", "maybe", 1))));
    assert!(
        error.fault == BakeFault::Malformed
            && (error.place.line, error.place.column) == (Some(4), Some(72)),
        "{error:?}"
    );
    assert!(error.to_string().contains("ui.json, line 4, column 72"), "{error}");
    // JSON has no NaN, and none is accepted.
    let error = fails(&folder, bake(folder.write("ui.json", HASH.replacen("0.5", "NaN", 1))));
    assert!(error.fault == BakeFault::Malformed && error.place.line == Some(6), "{error:?}");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [
        "",
        "{\"frames\": 3}",
        "{\"frames\": [{}]}",
        &deep,
        &format!("{{\"meta\": {deep}}}"),
        &format!("{{\"other\": {deep}"),
    ] {
        let error = fails(&folder, bake(folder.write("ui.json", text)));
        assert!((error.fault == BakeFault::Malformed && error.place.line.is_some()), "{error}");
    }
    let error = fails(&folder, bake(folder.write("ui.json", b"{\n \"a\": \xFF")));
    assert!(
        error.fault == BakeFault::Malformed
            && (error.place.line, error.place.column) == (Some(2), Some(7)),
        "{error:?}"
    );
    for text in ["[]", "{}", "{\"frames\": {}, \"meta\": {\"image\": \"page.png\"}}"] {
        let error = fails(&folder, bake(folder.write("ui.json", text)));
        assert!(
            (error.fault == BakeFault::Malformed
                && error.to_string().ends_with("describes no frames")),
            "{error}"
        );
    }
    let error = fails(&folder, bake(folder.write("a.atlas", "\n\npage.png\nsize: 8,8\n")));
    assert!(
        (error.fault == BakeFault::Malformed && error.to_string().ends_with("describes no frames")),
        "{error}"
    );
    let animation = HASH.replacen("\"meta\"", "\"animations\": {\"a\": [\"b\"]}, \"meta\"", 1);
    let error = fails(&folder, bake(folder.write("ui.json", animation)));
    assert_eq!(error.fault, BakeFault::NotFound);
    let said = ": animation \"a\" names the frame \"b\", which does not exist";
    assert!(error.to_string().ends_with(said), "{error}");
}

#[test]
fn a_truncated_description_bakes_or_is_rejected_by_name() {
    let folder = Folder::new("cut-text");
    page(&folder, "page.png");
    page(&folder, "sub/page.png");
    let aseprite = ASEPRITE.replace("TAGS", r#"{"name": "walk", "from": 1, "to": 2}"#);
    for (name, text) in [("a.json", HASH), ("b.json", &aseprite), ("c.atlas", ATLAS)] {
        for len in 0..text.len() {
            let path = folder.write(name, &text[..len]);
            if let Err(error) = bake(&path).and_then(|bake| bake.angles(1).to_bytes()) {
                assert!(error.to_string().contains(name), "{name} cut to {len}: {error}");
            } else {
                assert!(name == "c.atlas", "{name} cut to {len} still bakes");
            }
        }
        for len in sample(0..text.len(), 5) {
            // One byte is replaced.
            for byte in [b'9', b'-', b'"', b'\n'] {
                let mut bytes = text.as_bytes().to_vec();
                bytes[len] = byte;
                let path = folder.write(name, bytes);
                let _ = bake(&path).and_then(|bake| bake.angles(1).to_bytes());
            }
        }
    }
}
