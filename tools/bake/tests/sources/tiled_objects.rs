//! Objects of Tiled tilesets: templates, capsules, isometric grids, and what is refused.

use super::folder::{Folder, bake, fails, pictures, rows};
use hitmask_bake::BakeFault;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Returns a tileset of one tile of `side` x `side` pixels. The objects begin on line 4.
fn set(side: u32, objects: &str) -> String {
    format!(
        "<tileset tilewidth=\"{side}\" tileheight=\"{side}\" tilecount=\"1\">\n\
         <image source=\"t.png\"/>\n<tile id=\"0\"><objectgroup>\n{objects}\n\
         </objectgroup></tile></tileset>"
    )
}

fn drawn(folder: &Folder, side: u32, objects: &str) -> String {
    pictures(bake(folder.write("t.tsx", set(side, objects))).unwrap()).remove(0)
}

fn refused(folder: &Folder, text: &str, at_line: usize) -> String {
    let error = fails(folder, bake(folder.write("t.tsx", text)));
    assert!(error.fault == BakeFault::Unsupported && error.place.line == Some(at_line), "{error}");
    assert!(!error.help().is_empty());
    error.to_string()
}

/// Returns the picture of the pixels whose centres lie inside.
fn truth(side: u32, is_inside: impl Fn(f64, f64) -> bool) -> String {
    let pixel = |x: u32, y| is_inside(f64::from(x) + 0.5, f64::from(y) + 0.5);
    let row = |y| (0..side).map(|x| if pixel(x, y) { '#' } else { '.' }).chain(['\n']).collect();
    (0..side).map(|y| -> String { row(y) }).collect()
}

#[test]
fn a_template_gives_what_its_object_leaves_out() {
    let folder = Folder::new("tsx-template");
    let ramp = "<template><object name=\"ramp\" x=\"9\" width=\"2\" height=\"1\" rotation=\"90\">\
         <polygon points=\"0,0 4,0 4,-4\"/></object></template>";
    folder.write("ramp.tx", ramp);
    let bar = "<template><tileset firstgid=\"1\" source=\"s.tsx\"/><object width=\"2\" \
               height=\"1\" rotation=\"90\"/></template>";
    folder.write("shapes/bar.tx", bar);
    // A chain: the path is relative to the template that names it.
    folder.write("shapes/turned.tx", "<template><object template=\"bar.tx\"/></template>");
    folder.write(
        "up.tx",
        "<template><object template=\"shapes/turned.tx\" rotation=\"0\"/></template>",
    );
    folder
        .write("bar.tj", r#"{"type":"template","object":{"width":2,"height":1,"ellipse":false}}"#);
    // The diagonal is a right side, so its pixels are outside.
    let ramp = rows(&["....", "#...", "##..", "###."]);
    let cases = [
        ("<object template=\"ramp.tx\"/>", ramp.clone()),
        ("<object template=\"ramp.tx\" rotation=\"90\"/>", ramp),
        (
            "<object template=\"ramp.tx\" y=\"4\" rotation=\"0\"/>",
            rows(&["...#", "..##", ".###", "####"]),
        ),
        ("<object template=\"shapes/bar.tx\" x=\"2\"/>", rows(&[".#..", ".#..", "....", "...."])),
        (
            "<object template=\"shapes\\turned.tx\" x=\"2\"/>",
            rows(&[".#..", ".#..", "....", "...."]),
        ),
        ("<object template=\"up.tx\" x=\"2\"/>", rows(&["..##", "....", "....", "...."])),
        (
            "<object template=\"up.tx\" width=\"1\" height=\"3\"/>",
            rows(&["#...", "#...", "#...", "...."]),
        ),
        ("<object template=\"up.tx\"><point/></object>", rows(&["....", "....", "....", "...."])),
        ("<object template=\"bar.tj\" y=\"1\"/>", rows(&["....", "##..", "....", "...."])),
    ];
    for (object, expected) in cases {
        let object = &object.replace("shapes/bar.tx\" x", "./shapes/../shapes/bar.tx\" x");
        assert_eq!(drawn(&folder, 4, object), expected, "{object}");
    }
    // A change of a template makes a new bake necessary.
    let bake = bake(folder.write("t.tsx", set(4, "<object template=\"up.tx\"/>"))).unwrap();
    for name in ["t.tsx", "up.tx", "shapes/turned.tx", "shapes/bar.tx"] {
        assert!(bake.watched().contains(&folder.path(name)), "{name}");
    }
}

#[test]
fn a_template_that_cannot_be_used_is_named_with_its_line() {
    let folder = Folder::new("tsx-no-template");
    folder.write("folder.tx/x", "");
    let absolute = folder.write("abs.tx", "<template><object/></template>");
    for named in ["nowhere.tx", "../nowhere.tx", "folder.tx", &absolute.display().to_string()] {
        let object = format!("<object/>\n<object template=\"{named}\"/>");
        let error = fails(&folder, bake(folder.write("t.tsx", set(4, &object))));
        assert_eq!((&error.fault, error.place.line), (&BakeFault::NotFound, Some(5)), "{error}");
        assert!(error.place.path.as_ref().unwrap().ends_with("t.tsx"), "{error}");
        let said = format!(": there is no template {named:?}");
        assert!(error.to_string().ends_with(&said), "{named}: {error}");
    }
    let uses = |template: &str| {
        folder.write("odd.tx", template);
        fails(&folder, bake(folder.write("t.tsx", set(4, "<object template=\"odd.tx\"/>"))))
    };
    for (template, part) in [
        ("<template><object template=\"odd.tx\"/></template>", "chain of over 16"),
        ("<template><object template=\"lost.tx\"/></template>", "no template \"lost.tx\""),
        (
            "<template>\n<object gid=\"3\"/></template>",
            "odd.tx, line 2, column 1: the template shows a tile, but names no tileset",
        ),
        (
            "<template><tileset firstgid=\"1\" source=\"a.tsx\"/><object gid=\"3\"/></template>",
            "t.tsx, line 4, column 1: an object is a tile",
        ),
        ("<template>\n<object><blob/></object></template>", "odd.tx, line 2"),
        ("<template/>", "no object"),
        ("<tileset/>", "not a template"),
        ("<template><object/><object/></template>", "second object"),
        ("{\"object\": 3}", "odd.tx, line 1"),
    ] {
        let error = uses(template).to_string();
        assert!(error.contains(part), "{template}: {error}");
    }
    for size in ["width=\"2\"", "height=\"2\"", "width=\"0\" height=\"0\""] {
        refused(&folder, &set(4, &format!("<object template=\"abs.tx\" {size}/>")), 4);
    }
}

#[test]
fn a_capsule_is_two_half_discs_joined_by_a_rectangle() {
    let folder = Folder::new("tsx-capsule");
    let capsule =
        |attributes: &str| drawn(&folder, 12, &format!("<object {attributes}><capsule/></object>"));
    // Distance from a segment below the radius.
    let near = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2], radius: f64| {
        truth(12, move |x, y| {
            let (dx, dy) = (bx - ax, by - ay);
            let len = (dx * dx + dy * dy).max(1e-9);
            let t = (((x - ax) * dx + (y - ay) * dy) / len).clamp(0.0, 1.0);
            (x - ax - t * dx).hypot(y - ay - t * dy) < radius
        })
    };
    let tall = near([3.0, 3.0], [3.0, 9.0], 3.0);
    assert!(tall.starts_with(".####.......\n######"), "{tall}");
    assert_eq!(capsule("width=\"6\" height=\"12\""), tall);
    let wide = near([3.1, 4.0], [9.1, 4.0], 2.0);
    assert_eq!(capsule("x=\"1.1\" y=\"2\" width=\"10\" height=\"4\""), wide);
    assert_eq!(
        capsule("x=\"6\" width=\"10\" height=\"4\" rotation=\"90\""),
        near([4.0, 2.0], [4.0, 8.0], 2.0)
    );
    assert_eq!(capsule("width=\"8\" height=\"8\""), near([4.0, 4.0], [4.0, 4.0], 4.0));
    assert_eq!(capsule("width=\"8\" height=\"0\""), truth(12, |_, _| false));
    let [cos, sin] = [30_f64.to_radians().cos(), 30_f64.to_radians().sin()];
    let turned = |u: f64, v: f64| [4.0 + u * cos - v * sin, 0.3 + u * sin + v * cos];
    let tilted = near(turned(2.0, 2.0), turned(6.0, 2.0), 2.0);
    assert_eq!(capsule("x=\"4\" y=\"0.3\" width=\"8\" height=\"4\" rotation=\"30\""), tilted);
}

#[test]
fn a_rotated_ellipse_equals_its_equation_at_every_pixel() {
    let folder = Folder::new("tsx-ellipse");
    for (degrees, width, height) in [(0.0, 9.0, 5.0), (30.0, 21.5, 3.0), (200.0, 0.8, 14.0)] {
        let [cos, sin] = [f64::to_radians(degrees).cos(), f64::to_radians(degrees).sin()];
        let expected = truth(24, |x, y| {
            let (dx, dy) = (x - 11.2, y - 10.3);
            let (u, v) = (dx * cos + dy * sin, dy * cos - dx * sin);
            (2.0 * u / width - 1.0).hypot(2.0 * v / height - 1.0) < 1.0
        });
        let ellipse = format!(
            "<object x=\"11.2\" y=\"10.3\" width=\"{width}\" height=\"{height}\" \
             rotation=\"{degrees}\"><ellipse/></object>"
        );
        assert_eq!(drawn(&folder, 24, &ellipse), expected, "{degrees}");
    }
}

#[test]
fn objects_on_an_isometric_grid_are_projected() {
    let folder = Folder::new("tsx-isometric");
    let grid = |orientation: &str| {
        let objects = "<object x=\"2\" width=\"4\" height=\"4\"/>";
        let grid = format!("<grid orientation=\"{orientation}\" width=\"16\" height=\"8\"/>");
        set(16, objects).replace("<image source=\"t.png\"/>", &grid)
    };
    // The cell of 16 x 8 lies at the bottom. Its top corner is (8, 8).
    let expected = truth(16, |x, y| {
        let (across, down) = ((x - 8.0) / 2.0, y - 8.0);
        let (u, v) = (down + across, down - across);
        (2.0..6.0).contains(&u) && (0.0..4.0).contains(&v)
    });
    let isometric = bake(folder.write("t.tsx", grid("isometric"))).unwrap();
    assert_eq!(pictures(isometric)[0], expected);
    let orthogonal = bake(folder.write("t.tsx", grid("orthogonal"))).unwrap();
    assert_eq!(pictures(orthogonal)[0], truth(16, |x, y| (2.0..6.0).contains(&x) && y < 4.0));
}

#[test]
fn hidden_objects_are_shapes_and_alignment_of_images_moves_none() {
    let folder = Folder::new("tsx-hidden");
    let objects = "<object width=\"2\" height=\"1\" visible=\"0\" opacity=\"0\" gid=\"0\"/>";
    let expected = rows(&["##..", "....", "....", "...."]);
    assert_eq!(drawn(&folder, 4, objects), expected);
    let text = set(4, objects)
        .replace(
            "tilecount",
            "objectalignment=\"center\" fillmode=\"preserve-aspect-fit\" tilecount",
        )
        .replace("<image", "<tileoffset x=\"2\" y=\"3\"/><image")
        .replace("<objectgroup>", "<objectgroup visible=\"0\" offsetx=\"0\">");
    assert_eq!(pictures(bake(folder.write("t.tsx", text)).unwrap()), [expected]);
}

#[test]
fn a_tile_of_a_collection_has_the_size_of_its_rectangle() {
    let folder = Folder::new("tsx-rectangle");
    let tile = |attributes: &str| {
        let text = format!(
            "<tileset tilewidth=\"9\" tileheight=\"9\" tilecount=\"1\"><tile id=\"0\" {attributes}>\
             <image source=\"big.png\" width=\"5\" height=\"4\"/><objectgroup>\
             <object width=\"2\" height=\"1\"/></objectgroup></tile></tileset>"
        );
        bake(folder.write("t.tsx", text))
    };
    let whole = rows(&["##...", ".....", ".....", "....."]);
    for (attributes, expected) in [
        ("", whole.clone()),
        ("x=\"0\" y=\"0\" width=\"0\" height=\"0\"", whole),
        ("x=\"2\" y=\"2\" width=\"3\" height=\"2\"", rows(&["##.", "..."])),
        ("y=\"3\" height=\"1\"", rows(&["##..."])),
    ] {
        assert_eq!(pictures(tile(attributes).unwrap()), [expected], "{attributes}");
    }
}

#[test]
fn a_document_type_is_read() {
    let folder = Folder::new("tsx-doctype");
    let body = set(4, "<object width=\"4\" height=\"1\"/>");
    for doctype in [
        "<!DOCTYPE tileset SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\">",
        "<!-- <!DOCTYPE a [<!ENTITY b 'c'>]> -->\n<?a <!ENTITY?>\n<!DOCTYPE tileset>",
        "<!DOCTYPE tileset [ <!-- é <!ENTITY > ] ' --> <!ELEMENT tileset ANY> <?a '?>\
         <!ATTLIST tile id CDATA #REQUIRED> ] >",
        "<!DOCTYPE tileset PUBLIC '[<!ENTITY' \"]>\">",
    ] {
        let text = format!("<?xml version=\"1.0\"?>\n{doctype}\n{body}");
        let picture = pictures(bake(folder.write("t.tsx", text)).unwrap());
        assert_eq!(picture, [rows(&["####", "....", "....", "...."])], "{doctype}");
    }
}

#[test]
fn a_polygon_of_100_000_points_is_drawn_or_refused_in_seconds() {
    let folder = Folder::new("tsx-points");
    let comb = |side: u32| {
        let mut points = String::new();
        for i in 0..50_000 {
            let x = f64::from(i) * f64::from(side) / 50_000.0;
            write!(points, "{x},0 {x},{side} ").unwrap();
        }
        folder
            .write("t.tsx", set(side, &format!("<object><polygon points=\"{points}\"/></object>")))
    };
    let start = Instant::now();
    bake(comb(1_024)).unwrap();
    let error = fails(&folder, bake(comb(16_000)));
    assert!(error.fault == BakeFault::Unsupported && error.place.line == Some(4), "{error}");
    // About 1 s on a quiet machine. The quadratic way took minutes.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    let objects = "<object width=\"16000\" height=\"16000\"><ellipse/></object>".repeat(200);
    refused(&folder, &set(16_000, &objects), 4);
}
