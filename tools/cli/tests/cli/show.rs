//! Tests of `show`.

use crate::folder::Folder;
use serde_json::json;

#[test]
fn a_mask_is_shown_as_text_json_and_picture() {
    let folder = Folder::new("show");
    folder.ok("bake art -o a.hitmask --angles 4 --pivot 0,0");
    assert_eq!(folder.ok("show a.hitmask arrow"), "..##\n####\n..##\n");
    assert_eq!(
        folder.json("show a.hitmask arrow --json"),
        json!({"x0": 0, "y0": 0, "w": 4, "h": 3, "rows": ["..##", "####", "..##"]})
    );
    // A quarter turn about the top-left corner maps row y to column -1 - y.
    assert_eq!(
        folder.json("show a.hitmask arrow --angle 1.57 --json"),
        json!({"x0": -3, "y0": 0, "w": 3, "h": 4, "rows": [".#.", ".#.", "###", "###"]})
    );
    assert_eq!(
        folder.json("show a.hitmask arrow --flip-x --json"),
        json!({"x0": -4, "y0": 0, "w": 4, "h": 3, "rows": ["##..", "####", "##.."]})
    );
    assert_eq!(
        folder.json("show a.hitmask arrow --angle -1.57 --flip-x --flip-y --json"),
        json!({"x0": -3, "y0": 0, "w": 3, "h": 4, "rows": [".#.", ".#.", "###", "###"]})
    );
    folder.ok("show a.hitmask arrow --png arrow-out.png");
    let picture = image::open(folder.0.join("arrow-out.png")).unwrap().to_luma8();
    assert_eq!(picture.dimensions(), (4, 3));
    let rows: Vec<String> = picture
        .rows()
        .map(|row| row.map(|p| if p.0[0] == 255 { '#' } else { '.' }).collect())
        .collect();
    assert_eq!(rows, ["..##", "####", "..##"]);
}

#[test]
fn unknown_sprites_and_frames_are_refused_with_a_suggestion() {
    let folder = Folder::new("unknown");
    folder.ok("bake art -o a --angles 4");
    folder.refuses("show a dot", "\"dot\"", "small/dot");
    for misspelt in ["arow", "Arrow", "arrwo", "weapons/arrow"] {
        folder.refuses(&format!("show a {misspelt}"), "", "did you mean \"arrow\"?");
    }
    folder.refuses("show a smal/dto", "", "did you mean \"small/dot\"?");
    let (_, help) = folder.fails("show a zebra");
    assert!(!help.contains("did you mean"), "{help}");
    assert!(help.contains("hitmask info"), "{help}");
    folder.refuses(
        "show a arrow --frame 1",
        "frame 1",
        "leave out --frame: the sprite has one frame",
    );
}

#[test]
fn a_mask_is_drawn_with_half_blocks() {
    let folder = Folder::new("blocks");
    folder.ok("bake art -o a --angles 4");
    assert_eq!(folder.ok("show a arrow --blocks"), "▄▄██\n  ▀▀\n");
    folder.misuses("show a arrow --blocks --json", "--json");
}

#[test]
fn a_sheet_shows_every_pose_with_its_pivot() {
    let folder = Folder::new("sheet");
    // The pivot is outside of the mask, so that its cross hides no mask pixel.
    let pivot = "--angles 4 --scales 1,2 --pivot -2,-2";
    folder.ok(&format!("bake art -o a {pivot}"));
    let count = |args: &str| {
        let all = &format!("show a arrow --sheet sheet.png {args}");
        assert!(folder.ok(all).contains("poses of arrow"));
        let sheet = image::open(folder.0.join("sheet.png")).unwrap().to_rgb8();
        [[232, 230, 221], [255, 77, 77]].map(|c| sheet.pixels().filter(|p| p.0 == c).count())
    };
    // The mask has 8 pixels, and 32 at scale 2; a cross has 13. The bands are 12 and 24 px wide,
    // magnified 6x and 3x.
    assert_eq!(count("--scale 1"), [4 * 8 * 36, 4 * 13]);
    assert_eq!(count("--scale 2"), [4 * 32 * 9, 4 * 13]);
    assert_eq!(count(""), [4 * (8 * 36 + 32 * 9), 8 * 13]);
    assert_eq!(count("--frame 0 --scale 1 --flip-x"), [4 * 8 * 36, 4 * 13]);
    folder.refuses("show a arrow --sheet no/sheet.png", "no/sheet.png", "");
    folder.refuses("show a arrow --sheet s.png --frame 1", "", "one frame");
}

#[test]
fn a_sheet_above_the_size_limit_is_refused() {
    let folder = Folder::new("sheets");
    folder.ok("bake art/small -o a --angles 65536");
    folder.refuses("show a dot --sheet sheet.png", "16384", "--frame");
    assert!(!folder.0.join("sheet.png").exists());
}

#[test]
fn planes_are_shown_one_by_one_and_combined() {
    let folder = Folder::new("planes");
    folder.planes("a", "....\n..#.");
    assert_eq!(folder.ok("show a cyclops"), ".###\n####\n");
    assert_eq!(folder.ok("show a cyclops --plane eye"), "#\n");
    folder.refuses("show a cyclops --plane ear", "no plane \"ear\"", "body, eye");
    let count = |args: &str| {
        folder.ok(&format!("show a cyclops --sheet sheet.png {args}"));
        let sheet = image::open(folder.0.join("sheet.png")).unwrap().to_rgb8();
        // Skips the title, whose words have the colours of the planes.
        let cells = sheet.enumerate_pixels().filter(|(_, y, _)| *y > 40).map(|(_, _, p)| p.0);
        let cells: Vec<[u8; 3]> = cells.collect();
        [[232, 230, 221], [255, 176, 0]].map(|c| cells.iter().filter(|p| **p == c).count())
    };
    // 4 poses, magnified 7x: the mask reaches 5 px from the pivot on either side.
    assert_eq!(count(""), [4 * 6 * 49, 4 * 49], "the eye covers a pixel of the body");
    assert_eq!(count("--plane body"), [4 * 7 * 49, 0]);
}

#[test]
fn angles_have_units_and_a_large_bare_one_gives_a_warning() {
    let folder = Folder::new("show-angle");
    folder.ok("bake art -o a --angles 8");
    let shown = |angle: &str| folder.exits(["show", "a", "arrow", "--angle", angle], 0);
    let eighth = shown("45deg");
    for angle in ["0.785", "0.785rad", "405deg", " 45 deg"] {
        assert_eq!(shown(angle), eighth, "{angle}");
    }
    assert_eq!(shown("-90deg"), shown("-1.57"));
    let (_, said) = shown("45");
    assert!(said.starts_with("warning: 45 is taken as radians, 7.16 turns; 45deg is degrees"));
    for angle in ["deg", "x", "nandeg", "inf"] {
        folder.misused(&format!("show a arrow --angle {angle}"));
    }
}

#[test]
fn a_picture_replaces_pictures_of_hitmask_and_never_art() {
    let folder = Folder::new("show-art");
    folder.ok("bake art -o a --angles 4");
    let art = folder.read("art/arrow.png");
    for args in ["show a arrow --png", "show a arrow --sheet", "demo --seconds 0 --output"] {
        folder.refuses(
            &format!("{args} art/arrow.png"),
            "art/arrow.png exists and is not a hitmask PNG",
            "choose another path",
        );
        assert_eq!(folder.read("art/arrow.png"), art);
        // `demo` takes seconds.
        for _ in 0..if args.starts_with("demo") { 0 } else { 2 } {
            folder.ok(&format!("{args} own.png"));
        }
    }
}

#[test]
fn a_picture_is_magnified_by_whole_pixels() {
    let folder = Folder::new("show-zoom");
    folder.ok("bake art -o a --angles 4");
    for zoom in [1, 7, 64] {
        folder.ok(&format!("show a arrow --png a.png --zoom {zoom}"));
        let picture = image::open(folder.0.join("a.png")).unwrap().to_luma8();
        assert_eq!(picture.dimensions(), (4 * zoom, 3 * zoom));
        let rows = ["..##", "####", "..##"].map(str::as_bytes);
        for (x, y, pixel) in picture.enumerate_pixels() {
            let is_set = rows[(y / zoom) as usize][(x / zoom) as usize] == b'#';
            assert_eq!(pixel.0[0] == 255, is_set, "{x}, {y} at zoom {zoom}");
        }
    }
    for zoom in ["0", "65", "x"] {
        folder.misused(&format!("show a arrow --png a.png --zoom {zoom}"));
    }
    folder.misuses("show a arrow --zoom 2", "--png");
    folder.image("wide.png", ["#"; 1]);
    image::RgbaImage::from_pixel(300, 1, image::Rgba([255; 4]))
        .save(folder.0.join("wide.png"))
        .unwrap();
    folder.ok("bake wide.png -o w --angles 1");
    folder.refuses("show w wide --png w.png --zoom 64", "19200 x 64", "give --zoom 54 or less");
    folder.ok("show w wide --png w.png --zoom 54");
}

#[test]
fn a_plane_that_a_sprite_lacks_gets_a_similar_one() {
    let folder = Folder::new("show-plane");
    folder.planes("a", "....\n..#.");
    let (_, help) = folder.fails("show a cyclops --plane bodi");
    assert_eq!(help, "did you mean \"body\"? its planes are: body, eye");
}
