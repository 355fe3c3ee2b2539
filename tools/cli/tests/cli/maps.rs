//! Tests of maps in `report` and `show`. `answers.txt` has those of `export` and `info`.

use crate::folder::{Folder, assert_parts};

/// Returns the page of a report over the map of [`Folder::level`].
fn page(folder: &Folder) -> String {
    folder.ok("bake");
    assert_eq!(folder.json("report a -o page.html --json")["maps"], 1);
    folder.text("page.html")
}

/// Decodes the first picture of a page behind a text.
fn picture_behind(page: &str, mark: &str) -> image::RgbaImage {
    let after = page.split_once(mark).unwrap().1;
    let after = after.split_once("href=\"data:image/png;base64,").unwrap().1;
    let text = after.split_once('"').unwrap().0;
    let png = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, text).unwrap();
    image::load_from_memory(&png).unwrap().into_rgba8()
}

/// Decodes the picture of the first map of a page.
fn picture(page: &str) -> image::RgbaImage {
    picture_behind(page, "<image class=\"colliders")
}

#[test]
fn a_report_draws_the_colliders_of_a_map_and_lists_its_objects() {
    let folder = Folder::new("maps-report");
    folder.level();
    let text = page(&folder);
    let parts = [
        "<h2>Map levels/yard</h2>",
        "640 x 32 px, 5 items",
        "<div class=\"labels\" style=\"width:640px\"><svg viewBox=\"0 0 640 32\"",
        "<path class=\"point\" d=\"M20.5 16h0\"/>",
        "<span style=\"left:3.20%;top:50.00%\">&lt;spawn&gt;</span>",
        "<span class=\"above\" style=\"left:95.00%;top:0.00%\">exit</span>",
        "<tr><td>&lt;spawn&gt;</td><td>start</td><td>20.5, 16</td><td>hp = 3</td></tr>",
        "<tr><td>exit</td><td></td><td>600, 0</td><td></td></tr>",
    ];
    assert_parts(&text, &parts);
    // In narrow windows only sprites are cards: the table of objects keeps its header in one row.
    let narrow = text.split_once("@media (max-width: 63.99rem) {").unwrap().1;
    let narrow = narrow.split_once("\n}").unwrap().0;
    let is_of_sprites = |rule: &str| !rule.contains("tbody t") || rule.contains(".sprites tbody t");
    assert!(
        narrow.contains(".sprites, .sprites thead,") && narrow.lines().all(is_of_sprites),
        "{narrow}"
    );
    let picture = picture(&text);
    assert_eq!(picture.dimensions(), (640, 32));
    let count = |color: [u8; 4]| picture.pixels().filter(|pixel| pixel.0 == color).count();
    let at = |x, y| picture.get_pixel(x, y).0;
    // The terrain across two chunks, the spikes, the object, and nothing.
    let colors = [at(511, 30), at(244, 22), at(605, 5), at(100, 10)];
    assert_eq!((at(512, 30), colors[3]), (colors[0], [0; 4]));
    assert_eq!(colors.map(count), [640 * 8 + 36, 8 * 4, 16 * 24, 640 * 32 - 5156 - 32 - 384]);
}

#[test]
fn a_report_draws_a_map_over_the_tiles_of_its_level() {
    let folder = Folder::new("maps-report-art");
    folder.level();
    folder.ok("bake");
    let level = "levels/yard.tmx";
    let text = folder.text(level);
    // An object shows the slope at twice its size.
    let object = r#"<object gid="2" x="300" y="32" width="16" height="16"/></objectgroup>"#;
    let text = text.replace("</objectgroup>", object);
    folder.write(level, &text.replace("<map ", "<map backgroundcolor=\"#80204060\" "));
    folder.ok("bake");
    folder.ok("report a --art . -o page.html");
    let page = folder.text("page.html");
    assert_parts(&page, &["<image class=\"colliders over\""]);
    let tiles = picture_behind(&page, "<image ");
    let source = image::open(folder.0.join("levels/tiles.png")).unwrap().into_rgba8();
    assert_eq!(tiles.dimensions(), (640, 32));
    for (x, y, of) in [(3, 30, (3, 6)), (247, 22, (23, 6)), (315, 31, (15, 7))] {
        assert_eq!(tiles.get_pixel(x, y), source.get_pixel(of.0, of.1), "{x}, {y}");
    }
    assert_eq!(tiles.get_pixel(100, 10).0, [0x20, 0x40, 0x60, 255], "the background");
    folder.ok("report a -o page.html");
    assert!(!folder.text("page.html").contains("colliders over"));
}

#[test]
fn a_map_without_its_sprites_gives_a_warning_in_the_report() {
    let folder = Folder::new("maps-report-broken");
    let shape = hitmask::MapShape { sprite: "gone".to_owned(), ..Default::default() };
    let item = hitmask::MapItem { shape: Some(shape), ..Default::default() };
    let map = hitmask::Map { name: "yard".to_owned(), items: vec![item], ..Default::default() };
    let atlas = hitmask::AtlasBuilder::new().mask("dot", "#".parse().unwrap()).map(map);
    std::fs::write(folder.0.join("a"), atlas.to_bytes().unwrap()).unwrap();
    let said = folder.json("report a -o page.html --json");
    let warning = said["warnings"][0]["warning"].as_str().unwrap();
    assert!(warning.starts_with("map \"yard\": ") && warning.contains("gone"), "{said}");
    assert!(!folder.text("page.html").contains("<section"));
}

#[test]
fn a_large_map_is_shown_smaller_with_its_thin_parts() {
    let folder = Folder::new("maps-report-large");
    folder.level();
    let level = folder.text("levels/yard.tmx");
    // At a resolution of 2, 2 mask pixels are one of the picture and one of the map.
    let manifest = folder.text("hitmask.toml");
    folder.write("hitmask.toml", &format!("resolution = 2\n{manifest}"));
    let text = page(&folder);
    let half = picture(&text);
    assert_eq!((half.dimensions(), half.get_pixel(244, 22).0[3]), ((640, 32), 255));
    assert_parts(&text, &["style=\"width:640px\"><svg viewBox=\"0 0 640 32\"", "M20.5 16h0"]);
    folder.write("hitmask.toml", &manifest);
    // The same tiles in another shape: 2,560 px wide and 8 px high, with empty ground below its slope.
    let tall = level.replace("width=\"80\" height=\"4\"", "width=\"320\" height=\"1\"");
    folder.write("levels/yard.tmx", &tall);
    let picture = picture(&page(&folder));
    // The object below the map counts for the size, and a pixel is 3 px.
    assert_eq!(picture.dimensions(), (854, 8));
    assert_eq!([506, 507].map(|x| picture.get_pixel(x, 2).0[3]), [255, 255], "the spikes");
    assert_eq!(picture.get_pixel(505, 2).0[3], 0);
}

#[test]
fn a_map_is_shown_as_a_picture_of_its_colliders() {
    let folder = Folder::new("maps-show");
    folder.level();
    folder.ok("bake");
    folder.ok("show a levels/yard --png yard.png --zoom 2");
    let shown = image::open(folder.0.join("yard.png")).unwrap().into_rgb8();
    assert_eq!(shown.dimensions(), (1280, 64));
    let drawn = picture(&page(&folder));
    for (x, y, pixel) in drawn.enumerate_pixels() {
        let [r, g, b, _] = pixel.0;
        assert_eq!(shown.get_pixel(2 * x + 1, 2 * y).0, [r, g, b], "{x}, {y}");
    }
}
