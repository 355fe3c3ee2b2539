//! Tests of `check`.

use crate::folder::Folder;
use serde_json::json;
use std::fs;

#[test]
fn touching_pairs_are_listed_in_scene_order() {
    let folder = Folder::new("check");
    folder.ok("bake art -o a.hitmask --angles 4 --pivot 0,0");
    let scene = json!({"colliders": [
        {"id": "late", "sprite": "small/dot", "x": 2.4, "y": 0.0},
        {"id": "ship", "sprite": "arrow", "x": -0.3, "y": 0.2},
        {"id": "hole", "sprite": "small/dot", "x": 0.0, "y": 0.0},
        {"id": "other", "sprite": "arrow", "x": 3.0, "y": 1.0, "angle": 0.0, "scale": 1.0,
            "flip_x": false, "flip_y": false, "frame": 0},
    ]});
    folder.write("scene.json", &scene.to_string());
    let expected = json!({"contacts": [
        {"a": "late", "b": "ship", "rect": [2, 0, 3, 1], "area": 1, "point": [2, 0]},
        {"a": "ship", "b": "other", "rect": [3, 2, 4, 3], "area": 1, "point": [3, 2]},
    ]});
    assert_eq!(folder.json("check a.hitmask scene.json --json"), expected);
    let text = folder.ok("check a.hitmask scene.json");
    assert!(text.contains("late ship: 1 px in 2,0 .. 3,1, first at 2,0"), "{text}");
    // With box accuracy the dot in the empty corner of the arrow touches too.
    let mut boxes = scene;
    boxes["accuracy"] = json!("box");
    folder.write("boxes.json", &boxes.to_string());
    let contacts = folder.json("check a.hitmask boxes.json --json");
    assert_eq!(contacts["contacts"].as_array().unwrap().len(), 3);
}

#[test]
fn an_invalid_scene_is_refused_with_its_line_or_collider() {
    let folder = Folder::new("scene");
    folder.ok("bake art -o a --angles 4");
    let collider = |more: &str| format!(r#"{{"id":"a","sprite":"arrow","x":0,"y":0{more}}}"#);
    let scene = |collider: &str| format!("{{\"colliders\":[\n{collider}]}}");
    for (text, expected) in [
        ("".to_owned(), "line 1"),
        ("{".to_owned(), "line 1"),
        ("[]".to_owned(), "line 1"),
        (r#"{"colliders":[],"colour":1}"#.to_owned(), "colour"),
        (r#"{"accuracy":"pixel","colliders":[]}"#.to_owned(), "pixel"),
        (scene(r#"{"id":"a","x":0,"y":0}"#), "`sprite` at line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":"0","y":0}"#), "line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":NaN,"y":0}"#), "line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":1e999,"y":0}"#), "line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":1e39,"y":0}"#), "collider \"a\": position"),
        (scene(r#"{"id":"a","sprite":"arrow","x":0,"y":-2e9}"#), "collider \"a\": position"),
        (scene(r#"{"id":"a","sprite":"zebra","x":0,"y":0}"#), "collider \"a\": the atlas has no"),
        (scene(&collider(r#","frame":1"#)), "collider \"a\": frame 1"),
        (scene(&collider(r#","frame":-1"#)), "line 2"),
        (scene(&collider(r#","scale":0"#)), "collider \"a\": invalid scale 0"),
        (scene(&collider(r#","scale":10"#)), "collider \"a\": scale 10 is not baked"),
        (scene(&collider(r#","angel":0"#)), "angel"),
        (scene(&format!("{},\n{}", collider(""), collider(""))), "two colliders have the id \"a\""),
    ] {
        folder.write("scene.json", &text);
        folder.refuses("check a scene.json", expected, "");
    }
    folder.refuses("check a absent.json", "absent.json", "");
    fs::write(folder.0.join("binary.json"), [0xff, 0xfe, 0]).unwrap();
    folder.refuses("check a binary.json", "binary.json", "");
}

#[test]
fn a_scene_from_world_explain_gives_the_same_result() {
    use hitmask::{Accuracy, Angle, Atlas, Collider, Flip, Pair, ScalePolicy, World};
    let folder = Folder::new("replay");
    folder.ok("bake art -o a --angles 16");
    let atlas = Atlas::open(folder.0.join("a")).unwrap();
    let arrow = atlas.sprite_id("arrow").unwrap();
    let mut world = World::new(atlas);
    world.set_scale_policy(ScalePolicy::Nearest).unwrap();
    let a = Collider::new(arrow).at([10.3, -4.5]).turned(Angle::turn(5000)).flipped(Flip::X);
    for b in [
        a.at([11.5, -4.0]).turned(0.1),
        a.at([12.0, -2.0]),
        a.at([11.5, -4.0]).scaled(10.0),
        Collider { accuracy: Accuracy::Box, min_overlap: [3, 3].into(), ..a.at([9.0, -3.0]) },
        a.at([11.5, -4.0]).on_layers(2, 4),
    ] {
        let pair = Pair { a: world.insert(a).unwrap(), b: world.insert(b).unwrap() };
        let why = world.pair(pair).and_then(|pair| pair.explain()).unwrap();
        folder.write("scene.json", &why.to_scene().unwrap());
        let answer = folder.json("check a scene.json --json");
        let contacts = answer["contacts"].as_array().unwrap();
        assert_eq!(!contacts.is_empty(), why.touches, "{why}");
        if let (Some(found), Some(contact)) = (contacts.first(), world.contact(pair)) {
            assert_eq!(found["area"], contact.area);
            assert_eq!(found["point"], json!([contact.point.x, contact.point.y]));
        }
    }
}

#[test]
fn the_picture_of_a_scene_shows_overlaps_in_white() {
    let folder = Folder::new("check-picture");
    folder.ok("bake art -o a --angles 4 --pivot 0,0");
    let arrow = |id: &str, x: i32, layers: u32| json!({"id": id, "sprite": "arrow", "x": x, "y": 0, "layers": layers, "collides_with": 1});
    // The rows are ..## #### ..##. Arrows at x = 0 and x = 3 share 1 pixel, in row 1. The third
    // arrow covers the first, but its layers match no other collider.
    let scene = json!({"colliders": [arrow("a", 0, 1), arrow("b", 3, 1), arrow("ghost", 0, 2)]});
    folder.write("scene.json", &scene.to_string());
    folder.ok("check a scene.json --png scene.png");
    let picture = image::open(folder.0.join("scene.png")).unwrap().to_rgb8();
    // 7 columns, magnified 16x.
    let count = |colour| picture.pixels().filter(|p| p.0 == colour).count() / 256;
    assert_eq!(count([255; 3]), 1);
    assert_eq!(count([45, 155, 255]), 7, "pixels of the second arrow outside of the overlap");
    let far = arrow("far", 900_000, 1);
    let scene = json!({"colliders": [arrow("a", 0, 1), far]});
    folder.write("scene.json", &scene.to_string());
    folder.refuses("check a scene.json --png scene.png", "900020 x", "far from");
    folder.write("scene.json", r#"{"colliders":[]}"#);
    folder.refuses("check a scene.json --png scene.png", "no collider", "");
}

#[test]
fn one_pair_is_told_in_the_singular() {
    let folder = Folder::new("check-one");
    folder.ok("bake art -o a --angles 4");
    let collider = |x: u32| format!(r#"{{"id": "{x}", "sprite": "arrow", "x": {x}, "y": 0}}"#);
    let scene = |all: &[u32]| {
        let all: Vec<String> = all.iter().map(|&x| collider(x)).collect();
        folder.write("scene.json", &format!(r#"{{"colliders":[{}]}}"#, all.join(",")));
        folder.ok("check a scene.json")
    };
    assert!(scene(&[0, 1]).starts_with("1 touching pair among 2 colliders\n"));
    assert!(scene(&[0]).starts_with("0 touching pairs among 1 collider\n"));
}
