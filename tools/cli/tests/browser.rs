//! Tests of the page of `report` in a real browser: sorting, search, themes and drawing.
//!
//! Needs Chromium: `apt-get install chromium` on Debian, or its path in `CHROMIUM`. A plain
//! `cargo test` omits these tests. Run them with `cargo test -p hitmask-cli --test browser`.

#[path = "cli/folder.rs"]
#[expect(dead_code, reason = "shared with the tests of the verbs")]
mod folder;

use folder::{Folder, texts};
use std::process::Command;

/// Runs Chromium on the page with the URL fragment `view`. Returns its standard output.
fn browse(folder: &Folder, view: &str, what: &str) -> String {
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
    let url = format!("file://{}/page.html#{view}", folder.0.display());
    let profile = format!("--user-data-dir={}", folder.0.join("profile").display());
    let output = Command::new("timeout")
        .args(["60", &chromium, "--headless=new", "--no-sandbox", "--disable-gpu"])
        .args([&profile, "--hide-scrollbars", "--window-size=1200,900"])
        .args(["--virtual-time-budget=5000", what, &url])
        .current_dir(&folder.0)
        .output()
        .expect("this test needs the command timeout");
    let (out, err) = texts(&output);
    assert!(
        output.status.success(),
        "this test needs Chromium: apt-get install chromium, or name one in CHROMIUM\n{err}"
    );
    out
}

/// Returns the names of the visible rows, from top to bottom.
fn names(dom: &str) -> Vec<&str> {
    let rows = dom.split("<tr id=\"s-").skip(1);
    let visible = rows.filter(|row| !row.split('>').next().unwrap_or_default().contains("hidden"));
    visible.filter_map(|row| row.split("data-name=\"").nth(1)?.split('"').next()).collect()
}

fn reported(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.image("art/bar.png", ["################"]);
    folder.image("art/empty.png", ["...."]);
    folder.ok("bake art -o a --angles 16");
    folder.ok("report a --art art -o page.html");
    folder
}

#[test]
fn rows_can_be_sorted_and_searched() {
    let folder = reported("browser-rows");
    let dom = |view| browse(&folder, view, "--dump-dom");
    let plain = dom("");
    assert_eq!(names(&plain), ["arrow", "bar", "empty", "small/dot"]);
    assert!(plain.contains("4 of 4 sprites"), "{plain}");
    let by_size = dom("sort=-size");
    assert_eq!(names(&by_size), ["bar", "arrow", "empty", "small/dot"]);
    assert!(by_size.contains("data-key=\"size\" aria-sort=\"descending\""), "{by_size}");
    assert!(by_size.contains("data-key=\"name\" aria-sort=\"none\""), "{by_size}");
    let found = dom("q=AR&sort=-name");
    assert_eq!(names(&found), ["bar", "arrow"]);
    assert!(found.contains("2 of 4 sprites"), "{found}");
    assert_eq!(names(&dom("odd=1")), ["empty"]);
    assert_eq!(names(&dom("q=touches+nothing")), ["empty"], "warnings are searched too");
    let none = dom("q=zebra");
    assert!(names(&none).is_empty() && !none.contains("id=\"none\" hidden"), "{none}");
}

#[test]
fn rows_are_drawn_when_they_come_into_view() {
    let folder = Folder::new("browser-many");
    std::fs::create_dir(folder.0.join("art/many")).unwrap();
    for i in 0..300 {
        folder.image(&format!("art/many/{i:03}.png"), ["##", "#."]);
    }
    folder.ok("bake art -o a --angles 4");
    folder.ok("report a --art art -o page.html");
    let top = browse(&folder, "", "--dump-dom");
    assert!(top.contains("302 of 302 sprites"), "{top}");
    let drawn = names(&top).len();
    assert!((20..150).contains(&drawn), "{drawn} rows are drawn");
    // A search looks at all rows, and a link draws the rows before its own.
    assert_eq!(names(&browse(&folder, "q=many/29", "--dump-dom")).len(), 10);
    let linked = browse(&folder, "s-290", "--dump-dom");
    assert!(names(&linked).len() > 290, "{}", names(&linked).len());
}

#[test]
fn outlines_art_and_both_colour_schemes_are_drawn() {
    let folder = reported("browser-look");
    let shot = |view: &str| {
        browse(&folder, view, "--screenshot=shot.png");
        image::open(folder.0.join("shot.png")).unwrap().to_rgb8()
    };
    let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 24);
    for (theme, paper) in [("light", [251, 250, 247]), ("dark", [21, 23, 28])] {
        // Pieces tint the art below them.
        let picture = shot(&format!("theme={theme}&hide=pieces"));
        assert_eq!(picture.get_pixel(2, 2).0, paper);
        let count = |colour| picture.pixels().filter(|p| near(p.0, colour)).count();
        let (edge, art, pivot) = ([255, 45, 120], [200, 100, 50], [0, 179, 164]);
        assert!(count(edge) > 200, "{theme}: no outlines");
        assert!(count(art) > 1000, "{theme}: no art");
        assert!(count(pivot) > 40, "{theme}: no pivots");
    }
    // The pieces of the arrow alone, in the light theme.
    let blue =
        |picture: &image::RgbImage| picture.pixels().filter(|p| near(p.0, [11, 92, 173])).count();
    let pieces = blue(&shot("theme=light&q=arrow&hide=art+mask+pivot"));
    let none = blue(&shot("theme=light&q=arrow&hide=art+mask+pieces+pivot"));
    assert!(pieces > none + 80, "{pieces} pixels of pieces and text, {none} of text alone");
    let bare = shot("hide=art+mask");
    assert!(!bare.pixels().any(|p| near(p.0, [255, 45, 120]) || near(p.0, [200, 100, 50])));
}
