//! What of a level is left out with a warning, and what is refused.

use super::tiled::{TILESET, layer, map, rule, write_tiles, written};
use super::{baked, with_warnings};
use base64::Engine;
use hitmask_bake::{Bake, BakeFault, MapRule};
use hitmask_scenes::{Folder, map_pixels};

fn count(folder: &Folder, level: &str) -> u64 {
    let atlas = baked(&folder.path(level), Vec::new());
    map_pixels(&atlas, &atlas.maps()[0].name, [64; 2], [8; 2]).count()
}

#[test]
fn what_cannot_be_drawn_is_left_out_with_a_warning() {
    let ground = layer("ground", [2, 1], "1,0");
    let set = |more: &str| format!("<tileset firstgid=\"50\" {more}");
    let lost_image = "tilewidth=\"8\" tileheight=\"8\" name=\"lost\"><image source=\"lost.png\" width=\"8\" \
                      height=\"8\"/></tileset>";
    let collection = "name=\"c\" tilewidth=\"8\" tileheight=\"8\"><tile id=\"0\"><image source=\"gone.png\" \
                      width=\"8\" height=\"8\"/></tile><tile id=\"1\"><image source=\"tiles.png\" width=\"32\" \
                      height=\"8\"/></tile></tileset>";
    let object =
        |more: &str| format!("<objectgroup name=\"o\"><object id=\"3\" {more}</objectgroup>");
    for (content, parts) in [
        (layer("ground", [2, 1], "1,99"), &["1 tiles are left out", "tile 98 of tileset"][..]),
        (layer("ground", [2, 1], "1,5"), &["1 tiles are left out", "tile 4 of tileset \"tiles\""]),
        (
            set("source=\"no/lost.tsx\"/>") + &ground,
            &["no tileset \"no/lost.tsx\"", "no drawn tile"],
        ),
        (set(lost_image) + &ground, &["no image \"lost.png\"", "no drawn tile needs it"]),
        (set(collection) + &ground, &["no image \"gone.png\"", "no drawn tile needs it"]),
        (object("speed=\"4\"/>") + &ground, &["1 objects have content that is not read", "speed"]),
        (object("gid=\"77\" x=\"1\" y=\"1\"/>") + &ground, &["tile 76 of tileset \"tiles\""]),
        (
            object("template=\"no.tx\"/>") + &ground,
            &["no template \"no.tx\"", "object o/3 is left out"],
        ),
        (object("x=\"one\"/>") + &ground, &["x is not a number", "object o/3 is left out"]),
        (
            object("x=\"1e9\" width=\"4\" height=\"4\"/>") + &ground,
            &["object \"o/3\" lies at 1000000000, over 16777216 pixels from the corner"],
        ),
        (object("gid=\"1\" x=\"-1e9\"/>") + &ground, &["object \"o/3\" lies at -1000000000"]),
        (
            object("width=\"70000\" height=\"4\"/>") + &ground,
            &["object \"o/3\" has 70000 x 4 pixels, over 32767 a side"],
        ),
    ] {
        let folder = written("left-out", [2, 1], &content);
        let (atlas, warnings) = with_warnings(&folder, "yard.tmx", 1);
        let [said] = &warnings[..] else { panic!("{content}: {warnings:?}") };
        assert!(parts.iter().all(|part| said.contains(part)), "{content}: {said}");
        let area = map_pixels(&atlas, "yard", [64; 2], [8; 2]).count();
        assert_eq!(area, 64, "{content}");
    }
}

#[test]
fn a_level_is_refused_if_its_ground_is_not_known() {
    let set = "<tileset firstgid=\"50\" source=\"lost.tsx\"/>";
    let refused = |text: &str, rules: Vec<MapRule>| {
        let folder = Folder::new("ground-lost");
        write_tiles(&folder);
        let path = folder.write("yard.tmx", text);
        let settings = hitmask_bake::SourceSettings { map: rules, ..Default::default() };
        let baked = Bake::new().sprites_with(path, settings).and_then(|bake| bake.to_bytes());
        baked.err().map(|error| format!("{error}; {}", error.help())).unwrap_or_default()
    };
    let text = map([1, 1], &(set.to_owned() + &layer("ground", [1, 1], "50")));
    let error = refused(&text, Vec::new());
    assert!(error.contains("there is no tileset \"lost.tsx\""), "{error}");
    // Decoration may be lost.
    let decoration = MapRule { becomes: Some(String::new()), ..rule(Some("ground"), None, None) };
    assert_eq!(refused(&text, vec![decoration]), "");
    for (from, to, part) in [
        ("orientation=\"orthogonal\" ", "", "the map has no orientation"),
        ("orthogonal", "round", "unknown orientation \"round\""),
    ] {
        let error = refused(&text.replace(from, to), Vec::new());
        assert!(error.contains(part), "{error}");
    }
    let error = refused("<map/>", Vec::new());
    assert!(error.contains("the map has no orientation"), "{error}");
    // A huge layer.
    let huge = "<layer name=\"sky\" width=\"2000000000\" height=\"2000000000\"><data encoding=\"csv\">1</data></layer>";
    let error = refused(&map([1, 1], huge), Vec::new());
    assert!(error.contains("layer \"sky\" has 2000000000 x 2000000000 cells"), "{error}");
    assert!(!error.contains(&u64::MAX.to_string()), "{error}");
    // A tileset that names another one.
    let folder = written(
        "set-of-set",
        [1, 1],
        &layer("a", [1, 1], "50").replace("<layer", &(set.to_owned() + "<layer")),
    );
    folder.write("lost.tsx", "<tileset firstgid=\"1\" source=\"other.tsx\"/>");
    let error = Bake::new().sprites(folder.path("yard.tmx")).map(|_| ()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("the file has no tiles, and only names another one: \"other.tsx\""),
        "{error}"
    );
}

#[test]
fn data_with_a_wrong_or_missing_checksum_is_refused() {
    let numbers = [1_u32; 16];
    let bytes: Vec<u8> = numbers.iter().flat_map(|it| it.to_le_bytes()).collect();
    let zlib = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6);
    let mut gzip = vec![31, 139, 8, 0, 0, 0, 0, 0, 0, 3];
    gzip.extend(miniz_oxide::deflate::compress_to_vec(&bytes, 6));
    gzip.extend(crc32fast::hash(&bytes).to_le_bytes());
    gzip.extend((bytes.len() as u32).to_le_bytes());
    for (kind, whole, sum) in [("zlib", zlib, 4), ("gzip", gzip, 8)] {
        let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut packed = whole.clone();
            change(&mut packed);
            let data = base64::engine::general_purpose::STANDARD.encode(packed);
            let text = format!(
                "<layer name=\"a\" width=\"4\" height=\"4\"><data encoding=\"base64\" compression=\"{kind}\">{data}</data></layer>"
            );
            let folder = written("checksum", [4, 4], &text);
            let error = Bake::new().sprites(folder.path("yard.tmx")).err();
            error.map(|error| error.to_string()).unwrap_or_default()
        };
        let len = whole.len();
        assert_eq!(damaged(&|_| {}), "");
        for error in [
            damaged(&|packed| packed[len - 1] ^= 1),
            damaged(&|packed| packed[len - sum] ^= 1),
            damaged(&|packed| packed.truncate(len - sum)),
            damaged(&|packed| packed.truncate(len - 1)),
        ] {
            assert!(error.contains("checksum"), "{kind}: {error}");
        }
    }
}

#[test]
fn lists_and_classes_are_properties_in_xml_and_in_json() {
    let expected = [
        ("drops", "[\"gold\",3,[true],{\"kind\":\"a \\\"b\\\"\"}]"),
        ("empty", "[]"),
        ("loot.kind", "gem"),
        ("loot.of.worth", "7"),
        ("loot.parts", "[1,\"x\"]"),
    ];
    let xml = "<properties>\
        <property name=\"drops\" type=\"list\"><item value=\"gold\"/><item type=\"int\" value=\"3\"/>\
        <item type=\"list\"><item type=\"bool\" value=\"true\"/></item><item type=\"class\" propertytype=\"Loot\">\
        <properties><property name=\"kind\" value=\"a &quot;b&quot;\"/></properties></item></property>\
        <property name=\"empty\" type=\"list\"/>\
        <property name=\"loot\" type=\"class\"><properties><property name=\"kind\" value=\"gem\"/>\
        <property name=\"of\" type=\"class\"><properties><property name=\"worth\" type=\"int\" value=\"7\"/>\
        </properties></property><property name=\"parts\" type=\"list\"><item type=\"int\" value=\"1\"/>\
        <item value=\"x\"/></property></properties></property></properties>";
    let json = r#""properties":[{"name":"drops","type":"list","value":[{"type":"string","value":"gold"},
        {"type":"int","value":3},{"type":"list","value":[{"type":"bool","value":true}]},
        {"type":"class","propertytype":"Loot","value":{"kind":"a \"b\""}}]},
        {"name":"empty","type":"list","value":[]},
        {"name":"loot","type":"class","value":{"kind":"gem","of":{"worth":7},
        "parts":[{"type":"int","value":1},{"type":"string","value":"x"}]}}]"#;
    let folder = written(
        "lists",
        [1, 1],
        &format!("<objectgroup><object id=\"1\">{xml}</object></objectgroup>"),
    );
    folder.write(
        "yard.tmj",
        format!(
            "{{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":1,\"height\":1,\"tilewidth\":8,\
             \"tileheight\":8,\"tilesets\":[],\"layers\":[{{\"type\":\"objectgroup\",\"objects\":[{{\"id\":1,\
             \"x\":0,\"y\":0,{json}}}]}}]}}"
        ),
    );
    for level in ["yard.tmx", "yard.tmj"] {
        let map = baked(&folder.path(level), Vec::new()).map("yard").unwrap();
        let mut found = map.items[0].properties.clone();
        found.sort();
        let found: Vec<_> = found.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert_eq!(found, expected, "{level}");
    }
}

#[test]
fn a_json_map_of_tiled_0_has_no_type() {
    let folder = Folder::new("untyped");
    write_tiles(&folder);
    folder.write(
        "yard.json",
        "{\"version\":1,\"orientation\":\"orthogonal\",\"width\":2,\"height\":1,\"tilewidth\":8,\"tileheight\":8,\
         \"tilesets\":[{\"firstgid\":1,\"name\":\"tiles\",\"tilewidth\":8,\"tileheight\":8,\"image\":\"tiles.png\",\
         \"imagewidth\":32,\"imageheight\":8}],\"layers\":[{\"type\":\"tilelayer\",\"name\":\"a\",\"width\":2,\
         \"height\":1,\"data\":[1,4]}]}",
    );
    assert_eq!(count(&folder, "yard.json"), 96);
}

#[test]
fn the_first_frame_of_an_animated_tileset_counts_and_a_jpeg_is_solid() {
    let gif = |folder: &Folder| {
        use image::codecs::gif::GifEncoder;
        let frame = |solid: u32| {
            image::Frame::new(image::RgbaImage::from_fn(32, 8, |x, _| {
                image::Rgba([9, 9, 9, if x < solid { 255 } else { 0 }])
            }))
        };
        let mut bytes = Vec::new();
        GifEncoder::new(&mut bytes).encode_frames([frame(5), frame(8)]).unwrap();
        folder.write("tiles.gif", bytes)
    };
    let folder = written("animated-set", [1, 1], "");
    gif(&folder);
    let mut jpeg = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(32, 8).write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    folder.write("tiles.jpg", jpeg.into_inner());
    for (name, area) in [("tiles.gif", 40), ("tiles.jpg", 64)] {
        let set = TILESET.replace("tiles.png", name);
        let text = map([1, 1], &layer("a", [1, 1], "1")).replace(TILESET, &set);
        folder.write("yard.tmx", text);
        assert_eq!(count(&folder, "yard.tmx"), area, "{name}");
    }
    let report = Bake::new().sprites(folder.path("tiles.jpg")).unwrap();
    let report = report.write(folder.path("out.hitmask")).unwrap();
    assert!(report.hints[0].to_string().contains("every texel is solid"), "{:?}", report.hints);
    let bytes = std::fs::read(folder.path("tiles.jpg")).unwrap();
    folder.write("cut.jpg", &bytes[..bytes.len() - 9]);
    let fault = Bake::new().sprites(folder.path("cut.jpg")).unwrap().to_bytes().unwrap_err().fault;
    assert_eq!(fault, BakeFault::Damaged);
}

#[test]
fn the_levels_in_a_folder_are_named() {
    let folder = written("levels-in-folder", [1, 1], &layer("a", [1, 1], "1"));
    folder.write("deep/more.ldtk", "{}");
    let report = Bake::new().sprites(folder.path("")).unwrap();
    let report = report.write(folder.path("out.hitmask")).unwrap();
    let said: Vec<String> = report.warnings.iter().map(|it| it.to_string()).collect();
    assert!(said[0].contains("more.ldtk: the level is not baked"), "{said:?}");
    assert!(said[1].contains("yard.tmx: the level is not baked"), "{said:?}");
    std::fs::remove_file(folder.path("tiles.png")).unwrap();
    let error = Bake::new().sprites(folder.path("")).err().unwrap();
    assert_eq!(error.help(), "name the levels in it: a folder gives its images only");
}
