//! Tests of `bake`, `info` and `verify`.

use crate::folder::{Folder, assert_parts};
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_baked_folder_can_be_listed_and_verified() {
    let folder = Folder::new("bake");
    let summary = folder.ok("bake art -o a.hitmask --angles 8 --scales 0.5,1");
    assert_parts(
        &summary,
        &["sprites   2", "poses     32", "8 angles", "scales 0.5, 1", "size", "time", "warnings"],
    );
    let info = folder.json("info a.hitmask --json");
    let size = fs::metadata(folder.0.join("a.hitmask")).unwrap().len();
    assert_eq!(info["bytes"], size);
    let names: Vec<&Value> =
        info["sprites"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["arrow", "small/dot"]);
    let arrow = &info["sprites"][0];
    assert_eq!(arrow["angles"], 8);
    assert_eq!(arrow["scales"], json!([0.5, 1.0]));
    assert_eq!((&arrow["size"], &arrow["pivot"]), (&json!([4, 3]), &json!([2.0, 1.5])));
    let id = hitmask::Atlas::open(folder.0.join("a.hitmask")).unwrap().id().to_string();
    assert_eq!(info["id"], id);
    let table = folder.ok("info a.hitmask");
    assert!(table.starts_with(&format!("atlas {id}: ")) && table.contains("small/dot"), "{table}");
    assert!(folder.ok("verify a.hitmask").contains("intact"));
    let verified = json!({"verified": true, "bytes": size, "poses": info["poses"]});
    assert_eq!(folder.json("verify a.hitmask --json"), verified);
}

#[test]
fn amounts_are_accepted_with_and_without_units() {
    let folder = Folder::new("amounts");
    let baked = |flag: &str, amount: &str| {
        folder.ok(["bake", "art", "-o", "a", "--no-cache", flag, amount]);
        folder.read("a")
    };
    let half = baked("--max-error", "0.5");
    assert_ne!(half, baked("--max-error", "1"));
    for amount in ["0.5px", "0.5 px", "0.5PX", " .5 "] {
        assert_eq!(baked("--max-error", amount), half, "{amount:?}");
    }
    let small = baked("--max-mb", "0.008");
    assert_ne!(small, baked("--max-mb", "64"));
    for amount in ["0.008mb", "0.008MB", "0.008 MB"] {
        assert_eq!(baked("--max-mb", amount), small, "{amount:?}");
    }
    folder.ok("report a -o page.html --max-error 1px");
    let help = folder.ok("bake --help");
    assert!(help.contains("1, or 1px") && help.contains("64, or 64mb"), "{help}");
}

#[test]
fn planes_by_threshold_and_colours_are_chosen_on_the_command_line() {
    let folder = Folder::new("thresholds");
    let planes = |flags: &str| {
        folder.ok(&format!("bake art -o a --no-cache {flags}"));
        folder.json("info a arrow --json")
    };
    let info = planes("--thresholds 224,32");
    assert_eq!(info["planes"], json!(["body", "alpha32", "alpha224"]));
    let area = |flags: &str| planes(flags)["frames"][0]["masks"][0]["area"].clone();
    // The art has the colour c86432 with alpha 255.
    for (flag, colors, expected) in [
        ("--exclude-color", "c86432", 0),
        ("--exclude-color", "#c86432fe", 8),
        ("--exclude-color", "000000..ffffff7f", 8),
        ("--only-color", "c86432ff", 8),
        ("--only-color", "00000000..0000ffff", 0),
    ] {
        assert_eq!(area(&format!("{flag} {colors}")), expected, "{flag} {colors}");
    }
    folder.refuses("bake art -o a --thresholds 9,9", "threshold 9 twice", "once");
}

#[test]
fn a_failed_bake_gives_the_cause_and_leaves_the_old_atlas() {
    let folder = Folder::new("failed");
    folder.ok("bake art -o a.hitmask");
    let before = folder.read("a.hitmask");
    folder.write("art/broken.png", "not an image");
    let (cause, help) = folder.fails("bake art -o a.hitmask --strict");
    assert!(cause.contains("broken.png") && cause.contains("not a PNG"), "{cause}");
    assert!(help.contains("convert"), "{help}");
    assert_eq!(folder.read("a.hitmask"), before);
    folder.refuses("bake nowhere -o a.hitmask", "nowhere", "");
    fs::remove_file(folder.0.join("art/broken.png")).unwrap();
    folder.refuses("bake art -o missing/a.hitmask", "missing/a.hitmask", "folder");
    folder.refuses("bake art art/arrow.png -o a.hitmask", "\"arrow\"", "");
}

#[test]
fn faulty_files_are_listed_and_left_out_and_the_exit_code_is_1() {
    let folder = Folder::new("left-out");
    folder.write("art/broken.png", "not an image");
    folder.write("art/small/torn.gif", "GIF89a");
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere.png", folder.0.join("art/gone.png")).unwrap();
    let faulty = if cfg!(unix) { 3 } else { 2 };
    let (out, err) = folder.exits("bake art -o a.hitmask", 1);
    assert!(out.contains("sprites   2") && out.contains(&format!("left out  {faulty}")), "{out}");
    assert!(err.contains("error: art/broken.png is not") && err.contains("torn.gif"), "{err}");
    assert_eq!(err.matches("\nhelp: ").count(), faulty, "{err}");
    folder.ok("verify a.hitmask");
    let answer: Value = folder.json_of("bake art -o a.hitmask --json", 1);
    assert_eq!(
        (&answer["sprites"], answer["failures"].as_array().unwrap().len()),
        (&json!(2), faulty)
    );
    assert_eq!(answer["failures"][0]["file"], "art/broken.png");
    // Checks and shards need every file.
    folder.exits("bake art -o a.hitmask --check", 2);
    folder.fails("bake art -o s1 --shard 1/2");
    let before = folder.read("a.hitmask");
    folder.image("art/new.png", ["##"]);
    folder.fails("bake art -o a.hitmask --strict");
    assert_eq!(folder.read("a.hitmask"), before);
    assert!(folder.ok("bake --help").contains("--strict"));
}

#[test]
fn a_bake_prints_one_line_per_kind_of_warning_and_every_finding_with_v() {
    let folder = Folder::new("bake-verbose");
    for i in 0..9 {
        folder.image(&format!("art/empty{i}.png"), ["....", "...."]);
        folder.image(&format!("art/same{i}.png"), ["####", "####"]);
    }
    let said = |more: &str| folder.exits(&format!("bake art -o a {more}"), 0);
    let (out, err) = said("");
    // 8 equal another, and 9 are full rectangles.
    assert!(out.contains("warnings  9, hints 17 (-v lists them)"), "{out}");
    let lines: Vec<&str> = err.lines().collect();
    let [empty, full] = lines[..] else { panic!("{err}") };
    assert!(empty.starts_with("warning: 9 frames are empty, such as empty0, frame 0: "), "{err}");
    assert!(full.starts_with("hint: 9 sprites are full rectangles, such as same0: "), "{err}");
    assert!(full.contains("transparency") && full.contains("--exclude-color"), "{err}");
    let (out, err) = said("-v");
    assert!(out.contains("warnings  9, hints 17\n"), "{out}");
    let count = |kind: &str| err.lines().filter(|line| line.starts_with(kind)).count();
    assert_eq!((count("warning: "), count("hint: ")), (9, 17), "{err}");
    let answer = folder.json("bake art -o a --angles 8 --json");
    let size = fs::metadata(folder.0.join("a")).unwrap().len();
    assert_eq!((&answer["output"], &answer["bytes"]), (&json!("a"), &json!(size)));
    assert_eq!((&answer["sprites"], &answer["poses"]), (&json!(20), &json!(160)));
    let warned = answer["warnings"].as_array().unwrap();
    let empty = warned.iter().find(|w| w["sprite"] == "empty0" && w["warning"].is_string());
    assert!(empty.is_some(), "{answer}");
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
        let names: Vec<&Value> = each.iter().map(|sprite| &sprite["sprite"]).collect();
        assert_eq!(names, ["arrow", "bar", "small/dot"]);
        let info = folder.json("info a.hitmask --json");
        let stored = info["sprites"].as_array().unwrap().iter().map(|s| s["angles"].as_f64());
        assert!(stored.eq(figure("angles").into_iter().map(Some)), "{info}");
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
    let (cause, _) = folder.fails("bake art -o b --max-mb 0.0001");
    assert!(cause.contains("bytes") && cause.contains(" 100"), "{cause}");
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
    let said = folder.ok("bake art -o a.hitmask");
    assert!(said.starts_with("a.hitmask is up to date\n"), "{said}");
    assert!(said.contains("baked     0 (2 unchanged)"), "{said}");
    folder.image("art/small/dot.png", ["##"]);
    has(&bake(""), 1, true);
    has(&bake("--no-cache"), 0, false);
    // The cache is beside the atlas by default, or at the given path.
    assert!(folder.0.join("a.hitmask.cache").exists());
    fs::remove_file(folder.0.join("a.hitmask.cache")).unwrap();
    has(&bake("--cache here"), 0, false);
    has(&bake("--cache here"), 2, false);
    assert!(folder.0.join("here").exists() && !folder.0.join("a.hitmask.cache").exists());
    // A file that is not a cache is left alone, at the given path and at the default path.
    for (path, more) in [("here", "--cache here"), ("a.hitmask.cache", "")] {
        folder.write(path, "mine");
        let answer = bake(more);
        has(&answer, 0, false);
        let note = answer["notes"][0].as_str().unwrap();
        assert!(note.contains(&format!("{path} is not a cache")), "{answer}");
        assert_eq!(folder.read(path), b"mine");
    }
    folder.misuses("bake art -o a --no-cache --cache b", "--no-cache");
}

#[test]
fn a_check_of_a_stale_atlas_exits_with_1_and_writes_nothing() {
    let folder = Folder::new("bake-check");
    let check = |more: &str, code: i32| {
        let output = folder.run(&format!("bake art -o a.hitmask --check {more}"));
        let (out, err) = crate::folder::texts(&output);
        assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
        out + &err
    };
    let said = check("", 1);
    assert!(
        said.contains("a.hitmask is missing or unreadable") && said.contains("+ small/dot"),
        "{said}"
    );
    let names = || {
        let entries = fs::read_dir(&folder.0).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["art"]);
    folder.ok("bake art -o a.hitmask --no-cache");
    assert_eq!(check("", 0), "a.hitmask is up to date\n");
    folder.image("art/small/dot.png", ["##"]);
    fs::rename(folder.0.join("art/arrow.png"), folder.0.join("art/bow.png")).unwrap();
    let before = folder.read("a.hitmask");
    let said = check("", 1);
    let expected = "a.hitmask is stale\n- arrow\n+ bow\n~ small/dot\n1 new, 1 gone, 1 changed\n";
    assert_eq!(said, expected);
    let answer: Value = serde_json::from_str(&check("--json", 1)).unwrap();
    let lists = (&answer["fresh"], &answer["new"], &answer["gone"], &answer["changed"]);
    let names_of = |name: &str| json!([name]);
    assert_eq!(
        lists,
        (&json!(false), &names_of("bow"), &names_of("arrow"), &names_of("small/dot"))
    );
    assert_eq!(names(), ["a.hitmask", "art"]);
    assert_eq!(folder.read("a.hitmask"), before);
    folder.write("art/bow.png", "not an image");
    assert!(check("", 2).contains("bow.png"));
    check("--watch", 2);
}

#[test]
fn sprite_names_do_not_depend_on_how_the_path_of_the_folder_is_written() {
    let folder = Folder::new("bake-paths");
    folder.ok("bake art -o a");
    let before = folder.read("a");
    let whole = folder.0.join("art");
    for path in
        ["./art", "art/", "art/../art", "art/**/*.png", "./art/**/*.png", whole.to_str().unwrap()]
    {
        folder.ok(&format!("bake {path} -o b"));
        assert!(folder.read("b") == before, "{path}");
    }
    let twice = folder.fails("bake art/arrow.png ./art/arrow.png -o b");
    assert!(twice.0.contains("gives a sprite named \"arrow\" twice"), "{twice:?}");
    assert!(twice.1.contains("name the file once"), "{twice:?}");
}

#[test]
fn an_empty_folder_is_refused_with_a_remedy() {
    let folder = Folder::new("bake-empty");
    fs::create_dir(folder.0.join("empty")).unwrap();
    folder.refuses("bake empty -o a", "empty", "");
    // The output path is a folder, or its parent is a file.
    for output in ["art", "art/arrow.png/a"] {
        folder.refuses(&format!("bake art -o {output}"), output, "folder");
    }
    for verb in ["info", "verify"] {
        folder.refuses(&format!("{verb} art"), "art", "");
    }
}

#[test]
fn info_describes_one_sprite_in_full() {
    let folder = Folder::new("info-one");
    folder.image("art/bar.png", ["########################"; 5]);
    let baked = "bake art -o a --angles 8 --scales 1,2 --json";
    let baked = folder.json(baked);
    let info = folder.json("info a bar --json");
    for (key, value) in [
        ("name", json!("bar")),
        ("id", json!(1)),
        ("planes", json!(["body"])),
        ("angles", json!(8)),
        ("scales", json!([1.0, 2.0])),
        ("resolution", json!(1.0)),
        ("alpha", json!("at least 128")),
        ("sampling", json!("nearest")),
    ] {
        assert_eq!(info[key], value, "{key}");
    }
    // The centre of 24 x 5 is between texels on one axis only.
    let mask = json!([{"rect": [-12, -2, 12, 3], "area": 120}]);
    assert_eq!(info["frames"], json!([{"size": [24, 5], "pivot": [12.0, 2.5], "masks": mask}]));
    // `bake`, `info` and `report` give the same statistics.
    let measured = &info["fidelity"];
    assert_eq!(measured["angles"], json!(8));
    assert!(measured["share"].as_f64().unwrap() > 0.1, "8 angles are few: {measured}");
    assert!(measured["distance"].as_f64().unwrap() >= 2.0, "{measured}");
    let reported = folder.json("report a -o page.html --json");
    for each in [&baked["each"], &reported["each"]] {
        let names: Vec<_> = each.as_array().unwrap().iter().map(|one| &one["sprite"]).collect();
        assert_eq!(names, ["arrow", "bar", "small/dot"]);
        for key in ["angles", "error", "mask_bytes", "fidelity"] {
            assert_eq!(each[1][key], info[key], "{key}");
        }
    }
    let page = folder.text("page.html");
    let share = format!("{:.2}%<br>", 100.0 * measured["share"].as_f64().unwrap());
    assert!(page.contains(&share), "{share} is not in {page}");

    let text = folder.ok("info a bar");
    assert_parts(
        &text,
        &["angles      8", "body 120 px in -12,-2 .. 12,3", "at 8 angles between steps"],
    );
    folder.refuses("info a barr", "\"barr\"", "\"bar\"");
}

#[test]
fn a_grid_and_a_named_pivot_are_given_as_in_a_manifest() {
    let folder = Folder::new("bake-grid");
    folder.image("strip.png", ["##.#.#", "##..##"]);
    let baked = |args: &str| {
        folder.ok(&format!("bake strip.png -o a --no-cache --angles 1 {args}"));
        folder.json("info a strip --json")
    };
    let areas = |args: &str| -> Vec<u64> {
        let frames = baked(args)["frames"].as_array().unwrap().clone();
        frames.iter().map(|frame| frame["masks"][0]["area"].as_u64().unwrap()).collect()
    };
    assert_eq!(areas("--grid 2x2"), [4, 1, 3]);
    assert_eq!(areas("--grid 2"), [4, 1, 3]);
    assert_eq!(areas("--grid columns=3,rows=1"), [4, 1, 3]);
    assert_eq!(areas("--grid 2x1,order=columns"), [2, 2, 1, 0, 1, 2]);
    assert_eq!(areas("--grid 1x2,margin=1x0,spacing=1,count=2"), [2, 1]);
    assert_eq!(areas("--grid 2x2,columns=2,rows=1"), [4, 1]);
    for (grid, expected) in [
        ("0x2", "at least 1"),
        ("columns=2", "columns and rows"),
        ("2x2,tiles=3", "\"tiles\" is none of margin"),
        ("2x2,order=down", "neither rows nor columns"),
        ("2xa", "not a whole number"),
    ] {
        let said = folder.misused(&format!("bake strip.png -o a --grid {grid}"));
        assert!(said.contains(expected), "{grid}: {said}");
    }
    folder.refuses(
        "bake strip.png -o a --strict --grid columns=4,rows=1",
        "4 columns and 1 rows do not divide",
        "",
    );
    for (pivot, expected) in [
        ("center", json!([3.0, 1.0])),
        ("bottom", json!([3.0, 2.0])),
        ("top-left", json!([0.0, 0.0])),
        ("2,0.5", json!([2.0, 0.5])),
    ] {
        assert_eq!(baked(&format!("--pivot {pivot}"))["frames"][0]["pivot"], expected, "{pivot}");
    }
    let said = folder.misused("bake strip.png -o a --pivot middle");
    assert!(
        said.contains("\"middle\" is not one of") && said.contains("\"bottom-right\""),
        "{said}"
    );
    assert_eq!(areas("--fill-holes --shrink 1 --grow 1"), [0]);
    assert_eq!(areas("--grow 1"), [24]);
    let limited = "bake strip.png -o a --strict --limit-pose-pixels 100";
    folder.refuses(limited, "takes 16384 pixels in all poses", "--limit-pose-pixels 16384");
}

#[test]
fn an_image_that_looks_like_a_sheet_is_told_with_the_grid_that_cuts_it() {
    let folder = Folder::new("bake-guess");
    let solid = |x: u32, y: u32| {
        let (i, x, y) = (x / 16, x % 16, y % 16);
        (3 + i % 2..13).contains(&x) && (2..14 - i % 3).contains(&y)
    };
    let pixel = |x, y| image::Rgba([9, 9, 9, if solid(x, y) { 255 } else { 0 }]);
    image::RgbaImage::from_fn(64, 32, pixel).save(folder.0.join("walker.png")).unwrap();
    let output = folder.run("bake walker.png -o a --angles 4");
    let (_, said) = crate::folder::texts(&output);
    let expected = "warning: walker: looks like a sheet of 8 frames of 16 x 16, but is one sprite of one frame; ";
    assert!(said.starts_with(expected) && said.contains("--grid 16x16"), "{said}");
    let out = folder.ok("bake walker.png -o a --angles 4 --grid 16x16");
    assert!(out.contains("warnings  0"), "{out}");
    assert_eq!(folder.json("info a --json")["frames"], 8);
}

#[test]
fn a_damaged_image_keeps_its_sprite_and_the_message_and_the_exit_code_say_so() {
    let folder = Folder::new("bake-stale");
    for more in ["", "--no-cache", "--compact"] {
        folder.image("art/arrow.png", ["..##", "####", "..##"]);
        let args = &format!("bake art -o a.hitmask --angles 8 {more}");
        folder.ok(args);
        let before = folder.read("a.hitmask");
        let good = folder.read("art/arrow.png");
        fs::write(folder.0.join("art/arrow.png"), &good[..good.len() / 2]).unwrap();
        let (out, err) = folder.exits(args, 1);
        assert!(out.contains("sprites   2 ") && out.contains("faulty    1 file;"), "{out}");
        assert!(out.contains("stale     1 sprite keeps its last masks: arrow\n"), "{out}");
        assert!(err.contains("error: art/arrow.png is damaged"), "{err}");
        assert!(err.contains("warning: \"arrow\" keeps its masks of the last bake"), "{err}");
        assert!(folder.read("a.hitmask") == before, "{more:?}");
        let answer: Value = folder.json_of(&format!("{args} --json"), 1);
        assert_eq!((&answer["stale"], &answer["sprites"]), (&json!(["arrow"]), &json!(2)));
        folder.exits(&format!("{args} --strict"), 1);
        assert!(folder.read("a.hitmask") == before, "{more:?}");
        folder.image("art/arrow.png", ["..##", "####", "..##"]);
        folder.ok(args);
        assert!(folder.read("a.hitmask") == before, "{more:?}");
    }
}
