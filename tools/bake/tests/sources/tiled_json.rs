//! Tiled tilesets in JSON: equal to the same tileset in XML.

use super::folder::{Folder, bake, baked, fails, pictures, rows};

const XML: &str = r#"<tileset version="1.10" name="tiles" tilewidth="6" tileheight="6" tilecount="6">
 <grid orientation="isometric" width="8" height="4"/>
 <tile id="1"><objectgroup><object id="1" x="0" y="2" width="4" height="2" rotation="12"/>
  <object x="1" y="1"><point/></object><object><text>a</text></object></objectgroup></tile>
 <tile id="2"><objectgroup><object x="4" y="4"><polygon points="0,0 -4,0.5 0,-4"/></object>
  <object><polyline points="0,0 4,4"/></object></objectgroup></tile>
 <tile id="3"><objectgroup><object width="4" height="3"><ellipse/></object></objectgroup></tile>
 <tile id="4"><objectgroup><object width="3" height="4"><capsule/></object></objectgroup></tile>
 <tile id="5" x="1" y="1" width="3" height="2"><image source="a.png" width="5" height="4"/>
  <objectgroup><object x="1" y="4" width="2" height="1"/></objectgroup></tile></tileset>"#;

const JSON: &str = r##"{ "columns":0, "type":"tileset", "version":"1.10", "name":"tilés", "spacing":0,
 "grid":{"orientation":"isometric", "width":8, "height":4}, "properties":[{"name":"a", "value":1}],
 "tilecount":6, "tilewidth":6, "tileheight":6, "transparentcolor":"#ff00ff", "wangsets":[],
 "tiles":[
  {"id":1, "objectgroup":{"draworder":"index", "name":"", "opacity":1, "type":"objectgroup",
   "visible":true, "x":0, "y":0, "objects":[{"id":1, "name":"\u00e9", "type":"", "visible":true,
    "x":0, "y":2, "width":4, "height":2, "rotation":12}, {"x":1, "y":1, "point":true},
    {"text":{"text":"a"}}]}},
  {"id":2, "objectgroup":{"objects":[
    {"x":4, "y":4, "polygon":[{"x":0, "y":0}, {"x":-4, "y":0.5}, {"x":0, "y":-4}]},
    {"polyline":[{"x":0, "y":0}, {"x":4, "y":4}]}]}},
  {"id":3, "objectgroup":{"objects":[{"width":4, "height":3, "ellipse":true, "point":false}]}},
  {"id":4, "objectgroup":{"objects":[{"width":3, "height":4, "capsule":true}]}},
  {"id":5, "image":"a.png", "imagewidth":5, "imageheight":4, "x":1, "y":1, "width":3, "height":2,
   "animation":[{"duration":1, "tileid":0}], "objectgroup":{"objects":[{"x":1, "y":4, "width":2, "height":1}]}}
 ]}"##;

#[test]
fn a_tileset_in_json_equals_the_one_in_xml() {
    let folder = Folder::new("tsj");
    let expected = baked(bake(folder.write("tiles.tsx", XML)).unwrap());
    assert!((1..6).all(|tile| expected[0].1[tile].0.contains('#')), "{expected:?}");
    for name in ["tiles.tsj", "tiles.json"] {
        assert_eq!(baked(bake(folder.write(name, JSON)).unwrap()), expected, "{name}");
    }
    // Templates of either format, and tiles by number as in Tiled 1.0.
    folder.write("bar.tx", "<template><object width=\"2\" height=\"1\"/></template>");
    let old = r#"{"tilewidth":3, "tileheight":2, "image":"a.png", "imagewidth":9, "tiles":{"1":
        {"objectgroup":{"objects":[{"template":"bar.tx", "x":1, "gid":null}]}}}}"#;
    let old = pictures(bake(folder.write("old.json", old)).unwrap());
    assert_eq!(old, [rows(&["...", "..."]), rows(&[".##", "..."])]);
}

#[test]
fn deep_nesting_and_a_truncated_json_tileset_are_rejected_by_name() {
    let folder = Folder::new("tsj-bad");
    for len in (0..JSON.len()).filter(|&len| JSON.is_char_boundary(len)) {
        let error = fails(&folder, bake(folder.write("t.tsj", &JSON[..len])));
        assert!(error.to_string().contains("t.tsj"), "cut to {len}: {error}");
    }
    let nested = format!("{}1{}", "{\"tileset\":".repeat(100_000), "}".repeat(100_000));
    let error = fails(&folder, bake(folder.write("t.tsj", nested)));
    assert!(error.to_string().contains("line 1"), "{error}");
}
