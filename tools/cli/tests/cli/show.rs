//! Tests of the pictures of `show`. `answers.txt` has its text.

use crate::folder::Folder;

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
}

#[test]
fn planes_are_shown_one_by_one_and_combined() {
    let folder = Folder::new("planes");
    folder.planes("a", "....\n..#.");
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
    let wide = image::RgbaImage::from_pixel(300, 1, image::Rgba([255; 4]));
    wide.save(folder.0.join("wide.png")).unwrap();
    folder.ok("bake wide.png -o w --angles 1");
    folder.ok("show w wide --png w.png --zoom 54");
}
