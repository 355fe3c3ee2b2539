//! Tests of `bake`. `answers.txt` has more of it, and `info` and `verify`.

use crate::folder::Folder;
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_strict_bake_leaves_the_old_atlas_and_shards_need_every_file() {
    let folder = Folder::new("left-out");
    folder.ok("bake art -o a.hitmask");
    let before = folder.read("a.hitmask");
    folder.image("art/new.png", ["##"]);
    folder.write("art/broken.png", "not an image");
    folder.fails("bake art -o a.hitmask --strict");
    assert_eq!(folder.read("a.hitmask"), before);
    folder.fails("bake art -o s1 --shard 1/2");
    let answer: Value = folder.json_of("bake art -o a.hitmask --json", 1);
    assert_eq!(answer["failures"][0]["file"], "art/broken.png");
    assert_eq!(answer["sprites"], json!(3));
}

#[test]
fn angle_steps_follow_the_error_limit_and_the_size_limit() {
    let folder = Folder::new("bake-error");
    let bar = image::RgbaImage::from_pixel(61, 9, image::Rgba([200, 100, 50, 255]));
    bar.save(folder.0.join("art/bar.png")).unwrap();
    let baked = |more: &str| {
        let bake = "bake art -o a.hitmask --no-cache --json";
        let answer = folder.json(&format!("{bake} {more}"));
        let size = fs::metadata(folder.0.join("a.hitmask")).unwrap().len();
        assert_eq!(answer["bytes"], size);
        let each = answer["each"].as_array().unwrap();
        let figure = |key: &str| -> Vec<f64> {
            each.iter().map(|sprite| sprite[key].as_f64().unwrap()).collect()
        };
        (size, figure("angles"), figure("error"))
    };
    // An error of 1 px needs about pi * r steps, rounded up to a multiple of 4, and at least 8. The
    // distance r from the pivot to the farthest corner is 2.5 px (arrow), 30.8 px (bar)
    // or 0.7 px (dot).
    let (size, angles, errors) = baked("--max-error 1 --max-mb 64");
    assert_eq!(angles, [8.0, 100.0, 8.0]);
    assert!(errors.iter().all(|&error| error > 0.0 && error <= 1.0), "{errors:?}");
    assert!(size < 64_000_000);
    assert_eq!(
        baked("--max-error 1"),
        (size, angles, errors.clone()),
        "64 MB do not reduce the steps"
    );
    let (_, angles, errors) = baked("--max-error 4");
    assert!(angles == [8.0, 28.0, 8.0] && errors[1] > 1.0, "{angles:?} {errors:?}");
    // A size limit reduces the steps, which increases the error.
    let limit = size * 2 / 3;
    let megabytes = format!("{}", limit as f64 / 1e6);
    let (size, angles, errors) = baked(&format!("--max-error 1 --max-mb {megabytes}"));
    assert!(size <= limit && angles[1] < 100.0 && errors[1] > 1.0, "{size} {angles:?} {errors:?}");
}

#[test]
fn a_second_bake_redoes_only_the_changed_sprites() {
    let folder = Folder::new("bake-again");
    let bake = |more: &str| folder.json(&format!("bake art -o a.hitmask --json {more}"));
    let has = |answer: &Value, kept: u64, written: bool| {
        assert_eq!((&answer["kept"], &answer["written"]), (&json!(kept), &json!(written)));
    };
    has(&bake(""), 0, true);
    has(&bake(""), 2, false);
    folder.image("art/small/dot.png", ["##"]);
    has(&bake(""), 1, true);
    has(&bake("--no-cache"), 0, false);
    // The cache is beside the atlas by default, or at the given path.
    assert!(folder.0.join("a.hitmask.cache").exists());
    fs::remove_file(folder.0.join("a.hitmask.cache")).unwrap();
    has(&bake("--cache here"), 0, false);
    has(&bake("--cache here"), 2, false);
    assert!(folder.0.join("here").exists() && !folder.0.join("a.hitmask.cache").exists());
    folder.write("here", "mine");
    let answer = bake("--cache here");
    has(&answer, 0, false);
    assert!(answer["notes"][0].as_str().unwrap().contains("here is not a cache"), "{answer}");
    assert_eq!(folder.read("here"), b"mine");
}

#[test]
fn bake_info_and_report_give_the_same_statistics() {
    let folder = Folder::new("info-one");
    folder.image("art/bar.png", ["########################"; 5]);
    let baked = folder.json("bake art -o a --angles 8 --scales 1,2 --json");
    let info = folder.json("info a bar --json");
    let share = info["fidelity"]["share"].as_f64().unwrap();
    assert!(share > 0.1, "8 angles are few: {info}");
    let reported = folder.json("report a -o page.html --json");
    for each in [&baked["each"], &reported["each"]] {
        assert_eq!((each.as_array().unwrap().len(), &each[1]["sprite"]), (3, &json!("bar")));
        for key in ["angles", "error", "mask_bytes", "fidelity"] {
            assert_eq!(each[1][key], info[key], "{key}");
        }
    }
    assert!(folder.text("page.html").contains(&format!("{:.2}%<br>", 100.0 * share)));
}
