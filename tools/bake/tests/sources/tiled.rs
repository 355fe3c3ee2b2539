//! Collision shapes of Tiled tilesets.

use super::folder::{Folder, bake, baked, fails, quantity, rows};
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
fn a_malformed_tileset_is_rejected_with_its_line() {
    let folder = Folder::new("tsx-bad");
    let error = |from: &str, to: &str| {
        assert!(SET.contains(from));
        fails(&folder, bake(folder.write("tiles.tsx", SET.replacen(from, to, 1))))
    };
    for (from, to, line) in [
        ("</tileset>", "", 1),
        ("</objectgroup>", "", 9),
        ("id=\"1\" type", "id=\"-1\" type", 4),
        ("id=\"1\" type", "id=\"99999999\" type", 4),
        ("id=\"1\" type", "id=\"1.5\" type", 4),
        ("tilecount=\"5\"", "tilecount=\"4000000000\"", 2),
        ("tilewidth=\"4\"", "tilewidth=\"NaN\"", 2),
        ("x=\"0\" y=\"2\"", "x=\"inf\" y=\"2\"", 6),
        ("0,0 -4,0 0,-4", "0,0 -4", 12),
        ("0,0 -4,0 0,-4", "0,0 NaN,4", 12),
    ] {
        let error = error(from, to);
        let found = (&error.fault, error.place.line);
        assert_eq!(found, (&BakeFault::Malformed, Some(line)), "{to}: {error}");
    }
    for (to, expected) in [
        ("tilewidth=\"-4\"", "has a negative position or size"),
        ("tilewidth=\"99999\"", "has a position or size above 32767"),
        ("tilewidth=\"4.5\"", "has a position or size that is not a whole number"),
    ] {
        let error = error("tilewidth=\"4\"", to);
        assert!(
            error.fault == BakeFault::Malformed
                && error.place.frame.is_some()
                && error.to_string().ends_with(expected),
            "{error}"
        );
    }
    let huge =
        SET.replace("width=\"4\" t", "width=\"16384\" t").replace("\"5\" col", "\"60000\" col");
    let huge = huge.replace("tileheight=\"4\"", "tileheight=\"16384\"");
    let error = fails(&folder, bake(folder.write("tiles.tsx", huge)));
    assert!(quantity(&error) == "texels in all images", "{error}");
    // Exponential entity expansion, and very deep nesting.
    let laughs = "<!DOCTYPE t [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
        <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&d;\">]><tileset>&d;</tileset>";
    for text in [laughs, &"<a>".repeat(100_000), "<map/>", ""] {
        let error = fails(&folder, bake(folder.write("tiles.tsx", text)));
        let is_typed = matches!(error.fault, BakeFault::Malformed | BakeFault::Unsupported)
            && error.place.line.is_some();
        assert!(is_typed, "{error}");
    }
    for len in 0..SET.len() {
        let error = fails(&folder, bake(folder.write("tiles.tsx", &SET[..len])));
        assert!(error.to_string().contains("tiles.tsx"), "cut to {len}: {error}");
    }
}
