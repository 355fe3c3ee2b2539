//! Collision shapes of Tiled tilesets.

use super::folder::{Folder, bake, baked, fails, rows};
use hitmask_bake::BakeFault;

const SET: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="tiles" tilewidth="4" tileheight="4" tilecount="5" columns="3">
 <image source="../elsewhere/tiles.png" width="12" height="8"/>
 <tile id="1" type="wall">
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="2" width="4" height="2"/>
   <object id="2" x="1" y="1"><point/></object>
  </objectgroup>
 </tile>
 <tile id="2">
  <objectgroup>
   <object id="1" x="4" y="4"><polygon points="0,0 -4,0 0,-4"/></object>
   <object id="3" x="0" y="0"><polyline points="0,0 4,4"/></object>
  </objectgroup>
 </tile>
 <tile id="4">
  <objectgroup>
   <object id="1" x="0" y="0" width="4" height="4"><ellipse/></object>
   <object id="2" x="1" y="0" width="4" height="1" rotation="90"/>
  </objectgroup>
 </tile>
</tileset>"#;

#[test]
fn a_frame_has_the_shapes_of_its_tile() {
    let folder = Folder::new("tsx");
    let sprites = baked(bake(folder.write("tiles.tsx", SET)).unwrap());
    let tiles = [
        ["....", "....", "....", "...."],
        ["....", "....", "####", "####"],
        // The longest side passes through the pixel centres of the diagonal. Those to its left are
        // outside.
        ["...#", "..##", ".###", "####"],
        ["....", "....", "....", "...."],
        ["###.", "####", "####", "###."],
    ];
    let frames: Vec<_> = tiles.iter().map(|tile| (rows(tile), [4, 4])).collect();
    assert_eq!(sprites, [("tiles".to_owned(), frames)]);
    // A collection of images: each tile has its own size.
    let collection =
        SET.replace("<tile id=\"4\">", "<tile id=\"4\"><image width=\"5\" height=\"4\"/>");
    let sprites = baked(bake(folder.write("tiles.tsx", collection)).unwrap());
    assert_eq!(sprites[0].1[4], (rows(&["###..", "####.", "####.", "###.."]), [5, 4]));
}

#[test]
fn deep_nesting_and_a_truncated_tileset_are_rejected_by_name() {
    let folder = Folder::new("tsx-bad");
    let error = fails(&folder, bake(folder.write("tiles.tsx", "<a>".repeat(100_000))));
    assert!(error.fault == BakeFault::Malformed && error.place.line.is_some(), "{error}");
    for len in 0..SET.len() {
        let error = fails(&folder, bake(folder.write("tiles.tsx", &SET[..len])));
        assert!(error.to_string().contains("tiles.tsx"), "cut to {len}: {error}");
    }
}
