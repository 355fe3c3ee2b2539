//! Files as real programs write them, where the format leaves room: other encodings, and slices.

use super::folder::{Folder, bake, baked, fails, pictures, png, rows};
use crate::encode::sheets::{self, Packed, json, starling, texture};
use hitmask_bake::{Bake, BakeFault};

/// A page whose texels (x, y) are solid where a pattern without symmetry says so.
const PAGE: [&str; 6] = [
    "#.##.#.#", //
    "##.#..##", "#..###.#", ".##.#.##", "###..#.#", "#.#.##.#",
];

fn page(folder: &Folder) {
    folder.write("page.png", png(&PAGE));
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

/// Returns a sheet with one frame.
fn sheet(frame: &str, meta: &str) -> String {
    json(&[format!(r#""a 0.aseprite": {{{frame}}}"#)], "page.png", meta)
}

fn rect(x: i32, y: i32, w: i32, h: i32) -> String {
    sheets::rect([x, y, w, h])
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
