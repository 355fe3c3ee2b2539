//! Descriptions that say one thing twice, or say what is not known: a reader that guesses would make
//! up pixels.

use super::folder::{Folder, bake, baked, fails, pictures, png, rows};
use hitmask_bake::BakeFault;

/// Writes a page of 8 x 2 pixels. Columns 4 and 5 are solid.
fn page(folder: &Folder) {
    folder.write("s.png", png(&["....##..", "....##.."]));
}

/// Asserts that a description is refused at `line`, with `cause`.
fn assert_refused(folder: &Folder, name: &str, text: &str, line: usize, cause: &str) {
    let error = fails(folder, bake(folder.write(name, text)));
    let is_there = error.fault == BakeFault::Malformed && error.place.line == Some(line);
    assert!(is_there && error.to_string().contains(cause), "{cause} in line {line}: {error}");
}

#[test]
fn a_key_that_a_tiled_file_repeats_is_refused() {
    let folder = Folder::new("repeat-tiled");
    let text = r#"{"type":"tileset", "tilewidth":2, "tileheight":1,
        "grid":{"orientation":"orthogonal", "width":2, "height":1},
        "tilecount":1, "tiles":[
        {"id":0, "objectgroup":{
        "objects":[
        {"x":0, "y":0, "width":1, "height":1}]}}]}"#;
    assert_eq!(pictures(bake(folder.write("t.tsj", text)).unwrap()), [rows(&["#."])]);
    for (key, value, line) in [
        ("\"tilewidth\":2", "\"tilewidth\":4", 1),
        ("\"type\":\"tileset\"", "\"type\":\"tileset\"", 1),
        ("\"width\":2", "\"width\":2", 2),
        ("\"id\":0", "\"id\":1", 4),
        ("\"objects\":[", "\"objects\":[]", 5),
        ("\"x\":0", "\"x\":1", 6),
        ("\"height\":1}]", "\"height\":0", 6),
    ] {
        let (name, _) = key.split_once(':').unwrap();
        let repeated = format!("{value}, {key}");
        let name = name.trim_matches('"');
        let cause = format!("duplicate key `{name}`");
        assert_refused(&folder, "t.tsj", &text.replacen(key, &repeated, 1), line, &cause);
        let json = text.replacen(key, &repeated, 1);
        assert_refused(&folder, "t.json", &json, line, &cause);
    }
    // Tiled 1.0 lists tiles by their number.
    let old = |id: &str| {
        format!(
            r#"{{"tilewidth":1, "tileheight":1, "tilecount":2, "tiles":{{"1":{{{id}
            "objectgroup":{{"objects":[{{"width":1, "height":1}}]}}}}}}}}"#
        )
    };
    let found = pictures(bake(folder.write("t.tsj", old(""))).unwrap());
    assert_eq!(found, [rows(&["."]), rows(&["#"])]);
    assert_refused(&folder, "t.tsj", &old("\"id\":0,"), 1, "the tile 1 has the id 0");
    let twice = old("").replace("{\"1\":", "{\"1\":{}, \"1\":");
    assert_refused(&folder, "t.tsj", &twice, 1, "duplicate key `1`");
}

#[test]
fn a_key_that_a_property_list_repeats_is_refused() {
    let folder = Folder::new("repeat-plist");
    page(&folder);
    let text = "<plist><dict><key>frames</key><dict><key>a.png</key><dict>
        <key>frame</key><string>{{4,0},{2,2}}</string>
        <key>offset</key><string>{0,0}</string><key>sourceSize</key><string>{2,2}</string>
        </dict></dict>
        <key>metadata</key><dict><key>format</key><integer>2</integer>
        <key>textureFileName</key><string>s.png</string></dict></dict></plist>";
    assert_eq!(pictures(bake(folder.write("s.plist", text)).unwrap()), [rows(&["##", "##"])]);
    for (from, key, value, line) in [
        ("<key>offset", "frame", "<string>{{0,0},{2,2}}</string>", 3),
        ("<key>offset", "rotated", "<false/><key>rotated</key><true/>", 3),
        ("<key>textureF", "format", "<integer>3</integer>", 6),
        ("<key>metadata", "frames", "<dict/>", 5),
        ("</dict></dict>\n", "a.png", "<dict/>", 4),
    ] {
        let entry = format!("<key>{key}</key>{value}");
        let entry = if key == "a.png" { format!("</dict>{entry}</dict>\n") } else { entry + from };
        let cause = format!("the key {key:?} is there twice");
        assert_refused(&folder, "s.plist", &text.replacen(from, &entry, 1), line, &cause);
    }
    let two = text.replace("</plist>", "\n<dict/></plist>");
    assert_refused(&folder, "s.plist", &two, 7, "a second value");
}

#[test]
fn an_animation_that_a_sheet_repeats_is_refused() {
    let folder = Folder::new("repeat-animation");
    page(&folder);
    let frame = |x| format!(r#"{{"frame": {{"x":{x},"y":0,"w":2,"h":2}}}}"#);
    let sheet = |animations: &str| {
        format!(
            "{{\"frames\": {{\"a\": {}, \"b\": {}}}, \"meta\": {{\"image\": \"s.png\"}},\n\
             \"animations\": {{{animations}}}}}",
            frame(4),
            frame(2)
        )
    };
    let walk = "\"walk\": [\"a\", \"b\"]";
    assert_eq!(pictures(bake(folder.write("s.json", sheet(walk))).unwrap()).len(), 2);
    let twice = sheet(&format!("{walk},\n\"walk\": [\"a\"]"));
    assert_refused(&folder, "s.json", &twice, 3, "duplicate key `walk`");
}

#[test]
fn a_libgdx_region_that_contradicts_itself_is_refused() {
    let folder = Folder::new("contradict-libgdx");
    page(&folder);
    let atlas = |entries: &str| format!("s.png\nsize: 8,2\na\n{entries}\n");
    for entries in [
        "bounds: 4,0,2,2",
        "bounds: 4,0,2,2\nxy: 4, 0\nsize: 2,2\nindex: 3",
        "xy: 4,0\nsize: 2,2\noffset: 0,0\norig: 2,2\noffsets: 0,0,2,2\nindex: -1",
    ] {
        let found = pictures(bake(folder.write("p.atlas", atlas(entries))).unwrap());
        assert_eq!(found, [rows(&["##", "##"])], "{entries}");
    }
    for (entries, line, cause) in [
        ("bounds: 4,0,2,2\nindex: 1.5", 5, "index is \"1.5\", not a whole number"),
        ("bounds: 4,0,2,2\nindex: 1e3", 5, "index is \"1e3\", not a whole number"),
        ("bounds: 4,0,2,2\nindex: 9999999999999999999", 5, "not a whole number"),
        ("bounds: 4,0,2,2\nxy: 2,0", 5, "xy disagrees with bounds"),
        ("bounds: 4,0,2,2\nsize: 2,1", 5, "size disagrees with bounds"),
        ("xy: 4,0\nsize: 2,2\nbounds: 3,0,2,2", 6, "bounds disagrees with xy"),
        ("size: 2,2\nbounds: 4,0,2,1", 5, "bounds disagrees with size"),
        ("bounds: 4,0,2,2\norig: 2,2\noffsets: 0,0,3,2", 6, "offsets disagrees with orig"),
        ("bounds: 4,0,2,2\noffsets: 0,0,3,2\noffset: 1,0", 6, "offset disagrees with offsets"),
        ("xy: 4,0", 3, "\"a\" has no size"),
        ("size: 2,2", 3, "\"a\" has no xy"),
    ] {
        assert_refused(&folder, "p.atlas", &atlas(entries), line, cause);
    }
}

#[test]
fn an_unknown_entry_of_a_libgdx_page_is_refused() {
    let folder = Folder::new("unknown-libgdx");
    page(&folder);
    let region = "a\nbounds: 4,0,2,2\n";
    let known = "size: 8,2\nformat: RGBA8888\nfilter: Nearest,Nearest\nrepeat: none\npma: false\nscale: 1\n";
    let found = bake(folder.write("p.atlas", format!("s.png\n{known}{region}"))).unwrap();
    assert_eq!(pictures(found), [rows(&["##", "##"])]);
    for (entry, key) in [("flip: true", "flip"), ("origin: 1, 2", "origin"), ("Size: 8,2", "Size")]
    {
        let cause = format!("the page has the unknown entry {key:?}");
        let first = format!("s.png\n{entry}\n{known}{region}");
        assert_refused(&folder, "p.atlas", &first, 2, &cause);
        let last = format!("s.png\n{known}{entry}\n{region}");
        assert_refused(&folder, "p.atlas", &last, 8, &cause);
        let second = format!("s.png\n{region}\ns.png\n{entry}\nb\nbounds: 2,0,2,2\n");
        assert_refused(&folder, "p.atlas", &second, 6, &cause);
    }
}

#[test]
fn an_unknown_attribute_of_a_starling_atlas_is_refused() {
    let folder = Folder::new("unknown-starling");
    page(&folder);
    let xml = |attributes: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<TextureAtlas imagePath=\"s.png\" {attributes}>\n\
             <SubTexture name=\"a\" x=\"4\" y=\"0\" width=\"2\" height=\"2\"/></TextureAtlas>"
        )
    };
    for attributes in [
        "",
        "scale=\"1\"",
        "scale=\" 1.0 \" width=\"8\" height=\"2\" name=\"s\" format=\"RGBA8888\"",
        "xmlns:own=\"urn:own\" own:scale=\"2\"",
    ] {
        let found = pictures(bake(folder.write("s.xml", xml(attributes))).unwrap());
        assert_eq!(found, [rows(&["##", "##"])], "{attributes}");
    }
    for (attributes, cause) in [
        ("scale=\"-2\"", "the TextureAtlas has the scale \"-2\""),
        ("scale=\"half\"", "the TextureAtlas has the scale \"half\""),
        ("scale=\"\"", "the TextureAtlas has the scale \"\""),
        ("Scale=\"1\"", "the TextureAtlas has the unknown attribute \"Scale\""),
        ("rotated=\"true\"", "the TextureAtlas has the unknown attribute \"rotated\""),
    ] {
        assert_refused(&folder, "s.xml", &xml(attributes), 2, cause);
    }
}

#[test]
fn frames_without_an_image_beside_others_are_refused() {
    let folder = Folder::new("without-image");
    page(&folder);
    let frame = |name: &str| format!(r#""{name}": {{"frame": {{"x":4,"y":0,"w":2,"h":2}}}}"#);
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
    let plist = "<plist><dict><key>frames</key><dict><key>a.png</key><dict>
        <key>frame</key><string>{{4,0},{2,2}}</string><key>offset</key><string>{0,0}</string>
        <key>sourceSize</key><string>{2,2}</string></dict></dict><key>metadata</key><dict>
        <key>format</key><integer>2</integer></dict></dict></plist>";
    let xml = "<TextureAtlas><SubTexture name=\"a\" x=\"4\" y=\"0\" width=\"2\" height=\"2\"/></TextureAtlas>";
    for (ending, text) in [("json", json), ("json", &timed), ("plist", plist), ("xml", xml)] {
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

#[test]
fn descriptions_of_other_formats_say_what_to_export() {
    let folder = Folder::new("other-formats");
    page(&folder);
    let generic = "<TextureAtlas imagePath=\"s.png\"><sprite n=\"a\" x=\"0\" y=\"0\" w=\"2\" h=\"2\"/>\
        </TextureAtlas>";
    let egret = r#"{"file": "s.png", "frames": {"a": {"x":4, "y":0, "w":2, "h":2, "offX":0,
        "offY":0, "sourceW":2, "sourceH":2}}}"#;
    let format_0 = "<plist><dict><key>frames</key><dict/><key>metadata</key><dict>
        <key>format</key><integer>0</integer></dict></dict></plist>";
    for (name, text, cause, help) in [
        ("s.xml", generic, "unknown element sprite", "export the sheet for Starling"),
        ("s.xml", "<Sprites/>", "not a TextureAtlas", "export the sheet for Starling"),
        (
            "s.json",
            egret,
            "missing field `frame`",
            "correct the file at that position, or export the sheet as JSON",
        ),
        ("s.plist", format_0, "the format is \"0\"", "export the sheet for cocos2d in format 3"),
        (
            "s.tsx",
            "<tileset tilewidth=\"4\" tileheight=\"4\"/>",
            "the tileset has neither tiles nor a tilecount",
            "save the tileset again in Tiled",
        ),
    ] {
        let error = fails(&folder, bake(folder.write(name, text)));
        let is_named = error.to_string().contains(cause) && error.to_string().contains(name);
        assert!(error.fault == BakeFault::Malformed && is_named, "{name}: {error}");
        assert!(error.help().starts_with(help), "{name}: {}", error.help());
    }
}
