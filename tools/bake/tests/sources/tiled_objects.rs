//! Objects of Tiled tilesets: templates, capsules, isometric grids, and what is refused.

use super::folder::{Folder, bake, fails, pictures};
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
fn a_change_of_a_template_makes_a_new_bake_necessary() {
    let folder = Folder::new("tsx-template");
    folder.write("shapes/bar.tx", "<template><object width=\"2\" height=\"1\"/></template>");
    folder.write("up.tx", "<template><object template=\"shapes/bar.tx\"/></template>");
    let map = "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">\
        <objectgroup><object id=\"1\" template=\"up.tx\"/></objectgroup></map>";
    let set = set(4, "<object template=\"up.tx\"/>");
    for (name, text) in [("t.tsx", &*set), ("yard.tmx", map)] {
        let watched = bake(folder.write(name, text)).unwrap().watched();
        for name in [name, "up.tx", "shapes/bar.tx"] {
            assert!(watched.contains(&folder.path(name)), "{name}");
        }
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
