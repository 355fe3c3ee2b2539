//! Files as real programs write them, where the format leaves room: polygons and blanks in property
//! lists, padding and left-out frames of Aseprite, offsets without meaning, scales, other encodings,
//! headers.

use super::folder::{
    Folder, Shown, assert_refused, bake, baked, fails, pictures, png, rows, source,
};
use crate::encode::sheets::{self, Packed, json, starling, tags, texture};
use hitmask::Warning;
use hitmask_bake::{Bake, BakeError, BakeFault};

/// A page whose texels (x, y) are solid where a pattern without symmetry says so.
const PAGE: [&str; 6] = [
    "#.##.#.#", //
    "##.#..##", "#..###.#", ".##.#.##", "###..#.#", "#.#.##.#",
];

fn page(folder: &Folder) {
    page_at(folder, "page.png");
}

fn page_at(folder: &Folder, name: &str) {
    folder.write(name, png(&PAGE));
}

/// Returns the texels of the page in a rectangle.
fn part(x: usize, y: usize, width: usize, height: usize) -> Vec<String> {
    PAGE[y..y + height].iter().map(|row| row[x..x + width].to_owned()).collect()
}

/// Returns a picture of `size` with these rows at a corner.
fn placed(image: &[String], [x, y]: [usize; 2], [width, height]: [usize; 2]) -> String {
    let row = |at: usize| {
        let mut row = ".".repeat(width);
        if let Some(image) = at.checked_sub(y).and_then(|at| image.get(at)) {
            row.replace_range(x..x + image.len(), image);
        }
        row + "\n"
    };
    (0..height).map(row).collect()
}

fn only(bake: Bake) -> Shown {
    let mut sprites = baked(bake);
    assert_eq!(sprites.len(), 1);
    sprites.remove(0).1.remove(0)
}

/// Returns a Starling sheet of one texture. `attributes` are those of the atlas.
fn texture_atlas(attributes: &str) -> String {
    starling(attributes, &[texture("a", [1, 1, 3, 2], "")])
}

fn plist(rotated: bool, more: &str) -> String {
    let (turns, name, size) = (usize::from(rotated), "a".to_owned(), [7, 8]);
    let frame = Packed { name, page: 0, x: 1, y: 2, w: 3, h: 4, left: 3, top: 2, size, turns };
    sheets::plist(3, "page.png", &[frame], more)
}

/// Returns a sheet with one frame.
fn sheet(frame: &str, meta: &str) -> String {
    json(&[format!(r#""a 0.aseprite": {{{frame}}}"#)], "page.png", meta)
}

fn rect(x: i32, y: i32, w: i32, h: i32) -> String {
    sheets::rect([x, y, w, h])
}

/// Returns the bake of a sheet of one frame: its rectangle on the page, that of the trimmed image and the size before
/// trimming, and more keys of the frame and of `meta`, each behind a comma.
fn framed(
    folder: &Folder,
    [on_page, trimmed]: [[i32; 4]; 2],
    [width, height]: [i32; 2],
    [keys, meta]: [&str; 2],
) -> Result<Bake, BakeError> {
    let [on_page, trimmed] = [on_page, trimmed].map(sheets::rect);
    let frame = format!(
        r#""frame": {on_page}, "spriteSourceSize": {trimmed},
        "sourceSize": {{"w":{width},"h":{height}}}{keys}"#
    );
    bake(folder.write("s.json", sheet(&frame, meta)))
}

const TRIMMED: &str = r#", "trimmed": true"#;
const UNTRIMMED: &str = r#", "trimmed": false"#;

#[test]
fn a_page_of_another_size_than_the_sheet_states_gives_one_warning() {
    let folder = Folder::new("dialect-page-size");
    page(&folder);
    page_at(&folder, "hero@2x.png");
    page_at(&folder, "hero-hd.png");
    let two = [0, 4].map(|x| format!(r#""a{x}": {{"frame": {}}}"#, rect(x, 1, 3, 2))).join(",");
    let json = |image: &str, size: &str, more: &str| {
        let meta = format!(r#"{{"image": "{image}", "size": {size}{more}}}"#);
        ("s.json", format!(r#"{{"frames": {{{two}}}, "meta": {meta}}}"#))
    };
    let textures = |[w, h]: [u32; 2]| {
        let texture =
            format!(r#"{{"image": "page.png", "size": {{"w":{w},"h":{h}}}, "frames": {{{two}}}}}"#);
        ("s.json", format!(r#"{{"textures": [{texture}]}}"#))
    };
    let timed = |[w, h]: [u32; 2]| {
        let meta = format!(r#", "size": {{"w":{w},"h":{h}}}"#);
        ("s.json", aseprite(&["h 0", "h 1"], &meta))
    };
    let atlas = |size: &str, more: &str| {
        let regions = "a\nbounds: 1, 1, 3, 2\nb\nbounds: 1, 2, 3, 2\n";
        ("s.atlas", format!("page.png\nsize: {size}\n{more}{regions}"))
    };
    let xml = |more: &str| ("s.xml", texture_atlas(&format!("imagePath=\"page.png\" {more}")));
    let list = |image: &str, size: &str| {
        let size = format!("<key>size</key><string>{size}</string><key>format</key>");
        ("s.plist", plist(false, "").replace("<key>format</key>", &size).replace("page.png", image))
    };
    folder.write("padded.png", png(&["########"; 8]));
    let sizes = |(name, text): (&str, String)| {
        let bake = bake(folder.write(name, text)).unwrap().angles(1);
        let report = bake.write(folder.path("a.hitmask")).unwrap();
        let found = report.warnings.into_iter().filter_map(|warning| match warning {
            Warning::PageSize { sprite, path, stated, size } => {
                assert!(sprite == "s" && path.ends_with("page.png"), "{sprite}");
                Some([stated, size])
            }
            _ => None,
        });
        found.collect::<Vec<_>>()
    };
    for stale in [
        json("page.png", r#"{"w":4,"h":3}"#, ""),
        textures([4, 3]),
        timed([4, 3]),
        atlas("4, 3", ""),
        xml("width=\"4\" height=\"3\""),
        list("page.png", "{4,3}"),
    ] {
        let text = stale.1.clone();
        assert_eq!(sizes(stale), [[[4, 3], [8, 6]]], "{text}");
    }
    for same in [
        json("page.png", r#"{"w":8,"h":6}"#, ""),
        json("page.png", "\"8x6\"", ""),
        // The size before or after the scale, and the marks of sheets for screens of more pixels.
        json("page.png", r#"{"w":4,"h":3}"#, r#", "scale": "2""#),
        json("page.png", r#"{"w":16,"h":12}"#, r#", "scale": 2"#),
        json("hero@2x.png", r#"{"w":4,"h":3}"#, ""),
        // Padded to powers of 2, and off by a texel.
        json("padded.png", r#"{"w":5,"h":6}"#, ""),
        json("page.png", r#"{"w":8,"h":5}"#, ""),
        textures([8, 6]),
        timed([8, 6]),
        atlas("8,6", ""),
        atlas("4,3", "scale: 2\n"),
        xml("width=\"8\" height=\"6\""),
        list("page.png", "{8,6}"),
        list("hero-hd.png", "{4, 3}"),
    ] {
        let text = same.1.clone();
        assert_eq!(sizes(same), [[[0; 2]; 2]; 0], "{text}");
    }
}

#[test]
fn text_may_be_utf_16_in_both_byte_orders_and_bad_units_have_a_position() {
    let folder = Folder::new("dialect-utf16");
    page(&folder);
    let named = texture("\u{fc}\u{1f680}", [1, 1, 3, 2], "");
    let atlas = starling("imagePath=\"page.png\"", &[named]);
    let text = format!("<?xml version=\"1.0\" encoding=\"utf-16\"?>\n{}", atlas.trim_end());
    let units = |mark: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{mark}{text}").encode_utf16().flat_map(order).collect()
    };
    for bytes in [
        units("\u{feff}", u16::to_le_bytes),
        units("\u{feff}", u16::to_be_bytes),
        // XML can be recognised without a mark.
        units("", u16::to_le_bytes),
        units("", u16::to_be_bytes),
    ] {
        let sprites = baked(bake(folder.write("s.xml", &bytes)).unwrap());
        assert_eq!(sprites[0].0, "s/\u{fc}\u{1f680}");
        assert_eq!(sprites[0].1[0].0, placed(&part(1, 1, 3, 2), [0, 0], [3, 2]));
        let cut = fails(&folder, bake(folder.write("s.xml", &bytes[..bytes.len() - 1])));
        assert!(cut.to_string().contains("line 4, column ") && cut.to_string().contains("UTF-16"));
    }
    let mut lone = units("\u{feff}", u16::to_le_bytes);
    lone[4..6].copy_from_slice(&0xDC00_u16.to_le_bytes());
    let error = fails(&folder, bake(folder.write("s.xml", lone)));
    assert_eq!((error.place.line, error.place.column), (Some(1), Some(2)), "{error}");
    let json = sheet(&format!(r#""frame": {}"#, rect(1, 1, 3, 2)), "");
    let json: Vec<u8> =
        format!("\u{feff}{json}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(pictures(bake(folder.write("s.json", json)).unwrap()).len(), 1);
}

/// Returns an Aseprite sheet of frames of 2 x 2 texels with these names.
fn aseprite(names: &[&str], meta: &str) -> String {
    let frame = |i| {
        let (x, size) = (2 * (i % 4), [4, 3]);
        Packed { x, w: 2, h: 2, left: 1, top: 1, size, ..Packed::default() }
    };
    sheets::aseprite("page.png", names, meta, frame)
}

/// The names of the frames, more entries for `meta`, and the frames of each sprite.
type Case<'a> = (&'a [&'a str], &'a str, &'a [(&'a str, &'a [usize])]);

#[test]
fn frames_that_an_aseprite_sheet_left_out_are_empty_frames() {
    let folder = Folder::new("dialect-left-out");
    page(&folder);
    let shown = |i: usize| placed(&part(2 * i, 0, 2, 2), [1, 1], [4, 3]);
    let blank = placed(&[], [0, 0], [4, 3]);
    let layers = r#", "layers": [{"name": "body"}, {"name": "glow"}]"#;
    let two = tags(&[("idle", 0, 2), ("walk", 3, 4)]);
    let layered = format!("{layers}{}", tags(&[("walk", 0, 1)]));
    // The index of each frame on the page, or 9 for one that was left out.
    let cases: [Case<'_>; 7] = [
        (&["h 0", "h 2", "h 3"], &tags(&[("t", 0, 3)]), &[("s/t", &[0, 9, 1, 2])]),
        (&["h 1", "h 2", "h 3", "h 4"], &two, &[("s/idle", &[9, 0, 1]), ("s/walk", &[2, 3])]),
        // The last frame of the last tag.
        (&["h 0", "h 2", "h 3"], &two, &[("s/idle", &[0, 9, 1]), ("s/walk", &[2, 9])]),
        (&["h 0", "h 2"], "", &[("s", &[0, 9, 1])]),
        // Numbers that count from each tag, and those of the file.
        (
            &["h #idle 0", "h #idle 2", "h #walk 1"],
            &two,
            &[("s/idle", &[0, 9, 1]), ("s/walk", &[9, 2])],
        ),
        (
            &["h #idle 0", "h #idle 2", "h #walk 4"],
            &two,
            &[("s/idle", &[0, 9, 1]), ("s/walk", &[9, 2])],
        ),
        (
            &["h (body) 0", "h (body) 1", "h (glow) 1"],
            &layered,
            &[("s/body/walk", &[0, 1]), ("s/glow/walk", &[9, 2])],
        ),
    ];
    for (names, meta, expected) in cases {
        let sprites = baked(bake(folder.write("s.json", aseprite(names, meta))).unwrap());
        let found: Vec<(&str, Vec<String>)> = sprites
            .iter()
            .map(|(name, frames)| (name.as_str(), frames.iter().map(|f| f.0.clone()).collect()))
            .collect();
        let frame = |&i: &usize| if i == 9 { blank.clone() } else { shown(i) };
        let expected: Vec<(&str, Vec<String>)> =
            expected.iter().map(|(name, of)| (*name, of.iter().map(frame).collect())).collect();
        assert_eq!(found, expected, "{names:?}");
    }
    // The bake tells which frame is empty.
    let path = folder.write("s.json", aseprite(&["h 0", "h 2"], &tags(&[("t", 0, 2)])));
    let report = bake(path).unwrap().write(folder.path("a.hitmask")).unwrap();
    assert_eq!(report.warnings, [Warning::Empty { sprite: "s/t".to_owned(), frame: 1 }]);
    // A forged number makes no frames.
    let path = folder.write("s.json", aseprite(&["h 0", "h 4000000000"], ""));
    assert_eq!(pictures(bake(path).unwrap()), [shown(0), shown(1)]);
}

#[test]
fn slices_of_a_sheet_are_planes_that_change_over_frames() {
    let folder = Folder::new("dialect-slices");
    page(&folder);
    let slices = r#", "slices": [{"name": "hit", "keys": [
        {"frame": 1, "bounds": {"x":1,"y":1,"w":1,"h":2}},
        {"frame": 2, "bounds": {"x":0,"y":2,"w":9,"h":9}},
        {"frame": 3, "bounds": {"x":0,"y":0,"w":0,"h":0}}]}]"#;
    let path = folder.write("s.json", aseprite(&["h 0", "h 1", "h 2", "h 4"], slices));
    let settings = |slices: &[&str]| hitmask_bake::SourceSettings {
        slices: slices.iter().map(|&slice| slice.to_owned()).collect(),
        ..hitmask::Settings { angles: 1, thresholds: vec![9], ..Default::default() }.into()
    };
    let bake = |slices: &[&str]| Bake::new().sprites_with(&path, settings(slices));
    let atlas = hitmask::Atlas::from_vec(bake(&["hit"]).unwrap().to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    assert_eq!(sprite.planes().collect::<Vec<_>>(), ["body", "hit", "alpha9"]);
    let plane = sprite.in_plane(1).unwrap();
    let counts: Vec<u64> = (0..sprite.frame_count())
        .map(|frame| plane.posed(frame, hitmask::Pose::default(), hitmask::Flip::NONE).unwrap())
        .map(|posed| posed.mask.count())
        .collect();
    // Frame 3 was left out, and is there.
    assert_eq!(counts, [0, 2, 4, 0, 0]);
    let error = fails(&folder, bake(&["other"]));
    assert_eq!(
        (&error.fault, &*error.help()),
        (&BakeFault::NotFound, "choose one of its slices: hit")
    );
    let path = folder.write("s.json", aseprite(&["h", "h"], slices));
    let unclear = Bake::new().sprites_with(path, settings(&["hit"]));
    assert!(fails(&folder, unclear).to_string().contains("frames of \"hit\" are unclear"));
}

#[test]
fn an_animation_of_0_frames_is_the_still_image() {
    let folder = Folder::new("dialect-apng");
    let still = png(&["#.#", ".##"]);
    let mut bytes = still[..33].to_vec();
    bytes.extend(crate::encode::png::chunk(b"acTL", &[0; 8]));
    bytes.extend(&still[33..]);
    let shown = pictures(bake(folder.write("a.png", bytes)).unwrap());
    assert_eq!(shown, [rows(&["#.#", ".##"])]);
}

#[test]
fn the_scale_of_every_page_and_of_every_file_of_a_sheet_gives_a_warning_with_the_scale_to_bake() {
    let folder = Folder::new("dialect-scales");
    for name in ["page.png", "more.png"] {
        page_at(&folder, name);
    }
    let frame = |name: &str| format!(r#""{name}": {{"frame": {}}}"#, rect(1, 1, 3, 2));
    let texture = |image: &str, name: &str, scale: &str| {
        format!(r#"{{"image": "{image}", "scale": {scale}, "frames": {{{}}}}}"#, frame(name))
    };
    let textures = |[a, b]: [&str; 2]| {
        let pages = [texture("page.png", "a", a), texture("more.png", "b", b)];
        format!(r#"{{"textures": [{}]}}"#, pages.join(","))
    };
    let pack = |image: &str, name: &str, scale: &str, more: &str| {
        json(&[frame(name)], image, &format!(r#", "scale": {scale}{more}"#))
    };
    let packs = |[a, b]: [&str; 2]| {
        folder.write("later.json", pack("more.png", "b", b, ""));
        pack("page.png", "a", a, r#", "related_multi_packs": ["later.json"]"#)
    };
    let atlas = |scales: [&str; 2]| {
        let page = |(image, name, scale): (&str, &str, &str)| {
            let scale = scale.replace('"', "");
            format!("{image}\nscale: {scale}\n{name}\nbounds: 1, 1, 3, 2\n")
        };
        let [a, b] = scales;
        [("page.png", "a", a), ("more.png", "b", b)].map(page).join("\n")
    };
    let xml = |scale: &str| texture_atlas(&format!("imagePath=\"page.png\" scale=\"{scale}\""));
    let scales = |name: &str, text: String| {
        let bake = bake(folder.write(name, text)).unwrap().angles(1);
        let warnings = bake.write(folder.path("a.hitmask")).unwrap().warnings;
        let scale = |warning: Warning| match warning {
            Warning::Scaled { sprite, scale } if sprite == "s" => scale,
            other => panic!("{other:?}"),
        };
        warnings.into_iter().map(scale).collect::<Vec<f32>>()
    };
    for (stated, expected) in [
        (["1", "1"], &[][..]),
        (["1", "0.5"], &[0.5]),
        (["\"0.5\"", "1"], &[0.5]),
        (["0.5", "0.5"], &[0.5]),
        (["2", "\"0.25\""], &[0.25, 2.0]),
        (["0", "-1"], &[]),
    ] {
        assert_eq!(scales("s.json", textures(stated)), expected, "textures {stated:?}");
        assert_eq!(scales("s.json", packs(stated)), expected, "packs {stated:?}");
        assert_eq!(scales("s.atlas", atlas(stated)), expected, "atlas {stated:?}");
    }
    for scale in ["\"1\"", "1.0", "\"@2x\"", "null", "[]"] {
        assert!(scales("s.json", pack("page.png", "a", scale, "")).is_empty(), "{scale}");
    }
    assert_eq!((scales("s.xml", xml("1.0")), scales("s.xml", xml(" 0.5 "))), (vec![], vec![0.5]));
    let half = Warning::Scaled { sprite: "s".to_owned(), scale: 0.5 };
    assert!(half.help().contains("scale 2 "), "{}", half.help());
    // A manifest warns too.
    folder.write("s.json", pack("page.png", "a", "0.25", ""));
    let bake = source(&folder, "s.json", "").unwrap().angles(1);
    let summary = bake.write(folder.path("a.hitmask")).unwrap().summary().concat();
    assert!(summary.contains("s: the sheet has frames at 0.25 times"), "{summary}");
}

#[test]
fn an_untrimmed_frame_of_another_size_than_its_source_is_a_contradiction() {
    let folder = Folder::new("dialect-contradiction");
    page(&folder);
    let of = |trimmed: &str, rotated: bool, [x, y]: [i32; 2], size: [i32; 2]| {
        let [width, height] = if rotated { [2, 3] } else { [3, 2] };
        let keys = format!(r#"{trimmed}, "rotated": {rotated}"#);
        framed(&folder, [[1, 1, width, height], [x, y, 3, 2]], size, [&keys, ""])
    };
    for rotated in [false, true] {
        for (at, size) in [([1, 1], [9, 8]), ([0, 0], [9, 8]), ([0, 0], [3, 8]), ([2, 0], [9, 2])] {
            let said = "is not trimmed, but sourceSize differs from its size on the page";
            assert_refused(&folder, of(UNTRIMMED, rotated, at, size), "Malformed", said);
            // A frame that is trimmed, or states nothing, has its place.
            for trimmed in [TRIMMED, ""] {
                let (picture, _) = only(of(trimmed, rotated, at, size).unwrap());
                let lines: Vec<&str> = picture.lines().collect();
                assert_eq!([lines[0].len() as i32, lines.len() as i32], size);
            }
        }
        assert!(of(UNTRIMMED, rotated, [0, 0], [3, 2]).unwrap().to_bytes().is_ok());
    }
}

#[test]
fn a_sheet_finds_its_image_beside_it_if_it_names_none_or_one_that_is_gone() {
    let expected = placed(&part(1, 1, 3, 2), [0, 0], [3, 2]);
    let xml = |named: &str| texture_atlas(named);
    let frame = format!(r#"{{"a.png": {{"frame": {}}}}}"#, rect(1, 1, 3, 2));
    let json = |named: &str| format!(r#"{{"frames": {frame}, "meta": {{{named}}}}}"#);
    for (image, others) in [
        ("ships.png", &["other.png"][..]),
        ("ships.PNG", &[]),
        ("ships.webp", &[]),
        ("only.png", &[]),
    ] {
        let folder = Folder::new("dialect-beside");
        folder.write(image, png(&PAGE));
        others.iter().for_each(|name| drop(folder.write(name, "not an image")));
        let is_own = image.starts_with("ships");
        let gone: &[(&str, String)] = &[
            ("ships.xml", xml(" imagePath=\"sprites.png\"")),
            ("ships.json", json(r#""image": "sprites.png""#)),
        ];
        let unnamed = [
            ("ships.xml", xml("")),
            ("ships.xml", xml(" imagePath=\"\"")),
            ("ships.json", json("")),
        ];
        for (name, text) in unnamed.iter().chain(gone.iter().filter(|_| is_own)) {
            assert_eq!(only(bake(folder.write(name, text)).unwrap()).0, expected, "{name} {image}");
        }
        if !is_own {
            // A name that is wrong is not guessed, and neither is one of several images.
            for (name, text) in gone {
                assert_refused(&folder, bake(folder.write(name, text)), "NotFound", "");
            }
            folder.write("second.png", png(&PAGE));
            let error = fails(&folder, bake(folder.write("ships.xml", xml(""))));
            assert!(error.to_string().contains("names no image"), "{error}");
        }
    }
}
