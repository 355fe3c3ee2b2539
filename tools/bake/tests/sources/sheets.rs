//! Packed sheets: JSON of TexturePacker and Aseprite, and `.atlas` of libGDX and Spine.

use super::folder::{Folder, bake, baked, fails, png, rows};
use hitmask_bake::BakeFault;
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
fn deep_nesting_and_bytes_that_are_no_text_are_refused_with_their_line() {
    let folder = Folder::new("text");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [&deep, &format!("{{\"meta\": {deep}}}"), &format!("{{\"other\": {deep}")] {
        let error = fails(&folder, bake(folder.write("ui.json", text)));
        assert!(error.fault == BakeFault::Malformed && error.place.line.is_some(), "{error}");
    }
    let error = fails(&folder, bake(folder.write("ui.json", b"{\n \"a\": \xFF")));
    let at = (&error.fault, error.place.line, error.place.column);
    assert_eq!(at, (&BakeFault::Malformed, Some(2), Some(7)), "{error}");
}
