//! Tests of the text of the page that `report` writes. `tests/browser.rs` tests its behaviour in a
//! browser.

use crate::folder::Folder;
use serde_json::{Value, json};
use std::fs;

fn page(folder: &Folder, more: &str) -> String {
    folder.ok(&format!("report a -o page.html {more}"));
    folder.text("page.html")
}

/// Draws a sprite with soft edges.
fn soft(folder: &Folder) {
    let pixel = |x, _| image::Rgba([9, 9, 9, 40 + 20 * x as u8]);
    image::RgbaImage::from_fn(10, 1, pixel).save(folder.0.join("art/soft.png")).unwrap();
}

/// The answer of a report over the images of `art`.
fn answer(folder: &Folder) -> Value {
    folder.json("report a --art art -o page.html --json")
}

#[test]
fn every_sprite_is_drawn_over_its_image() {
    let folder = Folder::new("report");
    folder.ok("bake art -o a --angles 8 --scales 1,2");
    let answer = answer(&folder);
    assert_eq!((&answer["sprites"], &answer["with_art"]), (&json!(2), &json!(2)));
    assert_eq!(answer["warnings"], json!([]));
    let page = page(&folder, "--art art");
    assert_eq!(page.matches("<tr id=").count(), 2);
    assert_eq!(page.matches("data:image/png;base64,iVBORw0KGgo").count(), 2);
    // The outline of the arrow starts at the corner of its box, which is the corner of the image.
    assert!(page.contains("d=\"M2 0h2v3h-2v-1h-2v-1h2z\""), "{page}");
    assert!(page.contains("translate(0 0) scale(1)"), "{page}");
    // Within 1 px of the arrow is one piece of 4 corners.
    assert!(page.contains("class=\"pieces\" d=\"M2 0L4 0L4 3L0 1z\""), "{page}");
    assert!(page.contains("data-pieces=\"1\"") && page.contains("1<br>4 corners"), "{page}");
    // Without --art the page has masks only.
    assert!(!crate::report::page(&folder, "").contains("data:image"));
}

#[test]
fn the_page_loads_nothing_from_outside() {
    let folder = Folder::new("report-alone");
    folder.ok("bake art -o a --angles 4");
    let page = page(&folder, "--art art");
    assert!(page.contains("default-src 'none'"));
    for outside in ["http:", "https:", "src=\"", "@import", "url(", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn sprite_names_are_escaped() {
    let folder = Folder::new("report-names");
    let name = "art/<img src=x onerror=alert(1)> & \"q'.png";
    folder.image(name, ["#"]);
    folder.ok("bake art -o a --angles 4");
    let page = page(&folder, "--art art");
    assert!(!page.contains("<img"));
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt; &amp; &quot;q&#39;"));
}

#[test]
fn empty_sprites_changed_images_and_soft_edges_give_warnings() {
    let folder = Folder::new("report-odd");
    folder.image("art/empty.png", ["...", "..."]);
    folder.image("art/long.png", ["################################"]);
    soft(&folder);
    folder.ok("bake art -o a --angles 8 --pivot 0,0 --no-cache");
    folder.image("art/arrow.png", ["..##", "####", "..#."]);
    folder.image("art/small/dot.png", ["##"]);
    let answer = answer(&folder);
    let warnings = answer["warnings"].as_array().unwrap();
    let said = |sprite: &str| {
        let mut of = warnings.iter().filter(|warning| warning["sprite"] == sprite);
        let one = of.next().map(|warning| warning["warning"].as_str().unwrap());
        assert!(of.next().is_none(), "{warnings:?}");
        one.unwrap_or_default()
    };
    assert!(said("empty").contains("no solid pixel"), "{warnings:?}");
    assert!(said("arrow").contains("differ in 1 texels"), "{warnings:?}");
    assert!(said("small/dot").contains("2x1 but was 1x1"), "{warnings:?}");
    assert_eq!((said("soft"), said("long")), ("", ""));
    let hint = &answer["hints"][0];
    let text = hint["warning"].as_str().unwrap();
    assert!(hint["sprite"] == "soft" && text.contains("100% more texels"), "{hint}");
    // The farthest corner is 32.02 px from the pivot. With 8 angles the error is
    // 2 * 32.02 * sin(pi / 16) = 12.49 px, and an error of 1 px needs 100 angles.
    assert_eq!(answer["over_error"], 3, "all but the dot and the empty one");
    let page = page(&folder, "");
    assert!(page.contains("<span class=\"over\">12.49<br>100 angles</span>"), "{page}");
    assert!(!crate::report::page(&folder, "--max-error 20").contains("class=\"over\""));
}

#[test]
fn the_page_has_the_warnings_and_hints_of_the_bake() {
    let folder = Folder::new("report-baked");
    folder.image("art/empty.png", ["...", "..."]);
    folder.image("art/twin.png", ["..##", "####", "..##"]);
    folder.write("art/swatches.ase", "ASEF and so on");
    soft(&folder);
    let baked = folder.json("bake art -o a --max-error 0.001 --json");
    let count = |answer: &serde_json::Value, of: &str| answer[of].as_array().unwrap().len();
    assert!(count(&baked, "warnings") > 3 && count(&baked, "hints") == 2, "{baked}");
    let report = || answer(&folder);
    let answer = report();
    for of in ["warnings", "hints"] {
        assert_eq!(count(&answer, of), count(&baked, of), "{answer}\n{baked}");
    }
    let page = folder.text("page.html");
    let fact = |of: &str| format!("<dt>{of}</dt><dd>{}</dd>", count(&baked, of));
    assert!(page.contains(&fact("warnings")) && page.contains(&fact("hints")), "{page}");
    assert!(page.contains("is no Aseprite file and was passed over"), "{page}");
    // An incremental bake keeps them.
    folder.ok("bake art -o a --max-error 0.001");
    assert_eq!(count(&report(), "warnings"), count(&baked, "warnings"));
    // A cache by another name.
    fs::rename(folder.0.join("a.cache"), folder.0.join("b.cache")).unwrap();
    let named = "report a --cache b.cache -o page.html --json";
    assert_eq!(count(&folder.json(named), "hints"), 2);
}

#[test]
fn every_frame_of_an_animation_is_drawn_over_its_own_image() {
    let folder = Folder::new("report-frames");
    let frame = |x: u32| {
        let solid = |at, y| if at == x && y == 0 { [9, 9, 9, 255] } else { [0; 4] };
        image::Frame::new(image::RgbaImage::from_fn(4, 2, |at, y| image::Rgba(solid(at, y))))
    };
    let write = |frames: u32| {
        let file = fs::File::create(folder.0.join("art/walk.gif")).unwrap();
        let mut gif = image::codecs::gif::GifEncoder::new(file);
        gif.encode_frames((0..frames).map(frame)).unwrap();
    };
    write(3);
    folder.ok("bake art -o a --angles 4");
    let page = page(&folder, "--art art");
    assert!(page.contains("2 more frames"), "{page}");
    assert_eq!(page.matches("data:image/png").count(), 2 + 3);
    for x in 0..3 {
        assert!(page.contains(&format!("translate({x} 0) scale(1)")), "{page}");
    }
    write(2);
    let answer = answer(&folder);
    let warning = answer["warnings"][0]["warning"].as_str().unwrap();
    assert!(warning.contains("has 2 frames"), "{warning}");
    assert_eq!(answer["with_art"], 2);
}

#[test]
fn art_is_found_by_names_in_any_unicode_form_and_in_older_formats() {
    let folder = Folder::new("report-forms");
    fs::create_dir(folder.0.join("art/cafe\u{301}")).unwrap();
    folder.image("art/cafe\u{301}/e\u{301}toile.png", ["#.", "##"]);
    folder.image("art/caf\u{e9}.png", ["##", "##"]);
    let image = image::RgbaImage::from_pixel(3, 2, image::Rgba([9, 9, 9, 255]));
    image.save(folder.0.join("art/old.bmp")).unwrap();
    image.save(folder.0.join("art/older.tga")).unwrap();
    folder.ok("bake art -o a --angles 4");
    let answer = answer(&folder);
    assert_eq!((&answer["sprites"], &answer["with_art"]), (&json!(6), &json!(6)));
}

#[test]
fn an_error_is_marked_only_if_the_figure_shown_exceeds_the_limit() {
    let folder = Folder::new("report-mark");
    image::RgbaImage::from_pixel(37, 5, image::Rgba([9, 9, 9, 255]))
        .save(folder.0.join("bar.png"))
        .unwrap();
    // The first number of angles whose error is rounded down.
    let error = |angles: u32| {
        folder.ok(&format!("bake bar.png -o a --no-cache --angles {angles}"));
        folder.json("info a bar --json")["fidelity"].as_object().unwrap();
        let said = folder.json("report a -o page.html --json");
        said["each"][0]["error"].as_f64().unwrap()
    };
    let rounded = |error: f64| (100.0 * error).round() / 100.0;
    let angles = (8..100).step_by(4).find(|&angles| error(angles) > rounded(error(angles)));
    let limit = rounded(error(angles.unwrap()));
    let marks = |limit: f64| {
        page(&folder, &format!("--max-error {limit:.2}")).matches("class=\"over\"").count()
    };
    assert_eq!((marks(limit), marks(limit - 0.01)), (0, 1), "{limit}");
}
