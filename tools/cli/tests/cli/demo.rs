//! Tests of `demo` and `bench`.

use crate::folder::{Folder, assert_parts, assert_positive};
use hitmask::Simd;
use serde_json::{Value, json};

#[test]
fn the_demo_checks_itself_and_draws_its_last_frame_with_overlaps_in_white() {
    let folder = Folder::new("demo");
    let said = folder.ok("demo --colliders 400 --seconds 0 --output last.png");
    assert_parts(&said, &["updates per second", "all agree", "x as fast", "last.png", "next: "]);
    let picture = image::open(folder.0.join("last.png")).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (1280, 720));
    assert!(picture.pixels().any(|p| p.0 == [255; 3]), "white pixels: two sprites touch");
    let answer = folder.json("demo --colliders 300 --seconds 0 --json");
    assert_eq!((&answer["colliders"], &answer["angles"]), (&json!(300), &json!(64)));
    assert_eq!(answer["output"], "hitmask-demo.png");
    let rates = ["updates_per_second", "naive_updates_per_second"];
    assert_positive(&answer, &["sprites", "bytes", "bake_seconds", "touching"]);
    assert_positive(&answer, &rates);
    let figure = |key: &str| answer[key].as_f64().unwrap();
    let candidates = answer["checked"]["candidates"].as_f64().unwrap();
    assert!(candidates >= figure("touching"), "{answer}");
}

#[test]
fn the_stages_of_a_frame_are_timed() {
    let folder = Folder::new("frame");
    let world = "bench world --entities 300 --threads 2 --json";
    let frame = folder.json(world);
    assert_eq!((&frame["entities"], &frame["threads"]), (&json!(300), &json!(2)));
    assert_positive(&frame["parts"], &["place", "build", "join", "narrow", "events"]);
    assert_positive(&frame, &["frame_ms", "rstar_ms"]);
    let count = |key: &str| frame[key].as_u64().unwrap();
    assert!(count("pairs") > count("touching") && count("touching") > 0, "{frame}");
}

#[test]
fn a_world_of_which_a_share_moves_is_timed_beside_the_same_world_all_moving() {
    let folder = Folder::new("shares");
    let world = "bench world --entities 300 --moving 0.1 --no-peers";
    let frame = folder.json(&format!("{world} --fixed 0.5 --json"));
    assert_eq!((&frame["moving"], &frame["fixed"]), (&json!(0.1), &json!(0.5)));
    let count = |frame: &Value, key: &str| frame[key].as_u64().unwrap();
    let all = &frame["all_moving"];
    assert!(count(&frame, "pairs") > 0 && count(&frame, "pairs") < count(all, "pairs"), "{frame}");
    // Fixed colliders do not touch each other.
    assert!(count(&frame, "touching") < count(all, "touching"), "{frame}");
    let ratio = frame["frame_ms"].as_f64().unwrap() / all["frame_ms"].as_f64().unwrap();
    assert!((frame["ratio"].as_f64().unwrap() / ratio - 1.0).abs() < 1e-9, "{frame}");
    let said = folder.ok(world);
    assert!(said.contains("10% move and turn, 0% are fixed"), "{said}");
    assert!(said.lines().any(|line| line.starts_with("10% ")), "{said}");
    assert!(said.lines().any(|line| line.starts_with("100% ")), "{said}");
    assert!(said.contains("10% moving over 100%: "), "{said}");
    let rests = folder.json("bench world --entities 90 --moving 0 --json");
    assert_eq!(rests["pairs"], json!(0), "{rests}");
}

#[test]
fn a_coarse_world_of_large_sprites_finds_every_exact_pair_and_more() {
    let folder = Folder::new("coarse_world");
    let world = |accuracy: &str| {
        let world = "bench world --entities 400 --size 300 --no-peers --json";
        folder.json(&format!("{world} --accuracy {accuracy}"))
    };
    let [exact, coarse] = ["exact", "coarse"].map(world);
    assert_eq!((&exact["accuracy"], &coarse["accuracy"]), (&json!("exact"), &json!("coarse")));
    assert_eq!((&exact["size"], &exact["pairs"]), (&json!(300), &coarse["pairs"]));
    assert!(exact["touching"].as_u64() < coarse["touching"].as_u64(), "{exact} {coarse}");
}

#[test]
fn ticks_of_walkers_are_timed_and_compared_with_the_naive_approach() {
    let folder = Folder::new("walkers");
    let walk = "bench walk --walkers 120 --slabs 150 --threads 1";
    let some = "--moving 0.5 --distance 6.5";
    let answer = folder.json(&format!("{walk} {some} --json"));
    let figure = |key: &str| answer[key].as_f64().unwrap();
    for (key, value) in [("walkers", 120.0), ("slabs", 150.0), ("moving", 0.5), ("distance", 6.5)] {
        assert_eq!(figure(key), value, "{key}: {answer}");
    }
    let keys = ["us_per_walk", "tick_ms", "update_ms", "naive_us_per_walk", "ratio", "blocked"];
    assert_positive(&answer, &keys);
    assert!(
        (figure("tick_ms") * 1e3 / 60.0 / figure("us_per_walk") - 1.0).abs() < 1e-9,
        "{answer}"
    );
    assert!(figure("blocked") < 1.0 && figure("update_ms") < figure("tick_ms"), "{answer}");
    let said = folder.ok(walk);
    assert!(said.contains("120 walkers among 150 slabs: 100% walk 1.8 px a tick"), "{said}");
    assert_eq!(said.lines().count(), 4, "{said}");
}

#[test]
fn every_call_is_timed_in_every_state_of_a_world() {
    let folder = Folder::new("calls");
    let bench = "bench calls --entities 100";
    let answer = folder.json(&format!("{bench} --json"));
    assert_eq!(answer["colliders"], json!([100, 100]));
    let (rows, states) = (answer["rows"].as_array().unwrap(), answer["states"].as_array().unwrap());
    assert_eq!(rows.len(), hitmask_bench::CALLS.len());
    for (row, call) in rows.iter().zip(hitmask_bench::CALLS) {
        assert_eq!((&row["call"], &row["dirty"][0]), (&json!(call.name), &json!(1.0)));
        let whole = call.scope == hitmask_bench::Scope::World;
        assert_eq!(row["whole_world"], json!(whole));
        assert_positive(row, &["growth"]);
        for (state, us) in states.iter().zip(row["us"].as_array().unwrap()) {
            let needs_update = call.scope == hitmask_bench::Scope::Updated && state == "never";
            assert_eq!(us.is_null(), needs_update, "{state}: {row}");
            assert!(us.is_null() || us[1].as_f64().unwrap() > 0.0, "{state}: {row}");
        }
    }
    let (said, progress) = folder.exits(bench, 0);
    assert_eq!(said.lines().count(), rows.len() + 4, "{said}");
    let steps: Vec<&str> = progress.lines().collect();
    assert_eq!((steps.len(), steps[1]), (states.len(), "measured 2/9: near"), "{progress}");
}

#[test]
fn the_parts_of_a_frame_of_rollback_are_timed() {
    let folder = Folder::new("rollback");
    let answer = folder.json("bench rollback --entities 30 --json");
    assert_eq!(answer["colliders"], 30);
    let parts = answer["parts"].as_array().unwrap();
    assert!(parts.iter().all(|part| part[1].as_f64().unwrap() > 0.0), "{parts:?}");
    let (said, _) = folder.exits("bench rollback --entities 30", 0);
    assert_eq!(said.lines().count(), parts.len() + 3, "{said}");
}

#[test]
fn every_part_of_the_bench_is_compared_with_the_naive_approach() {
    let folder = Folder::new("parts");
    let hold = |part: &str, expected: &[(&str, u32)]| {
        let answer = folder.json(&format!("bench {part} --json"));
        let rows = answer["rows"].as_array().unwrap();
        let asked: Vec<Value> = rows.iter().map(|r| json!([r["part"], r["query"]])).collect();
        let wanted: Vec<Value> = expected.iter().map(|(query, _)| json!([part, query])).collect();
        assert_eq!(asked, wanted, "{answer}");
        for (row, (_, size)) in rows.iter().zip(expected) {
            let figure = |key: &str| row[key].as_f64().unwrap();
            assert_eq!(row["size"], *size, "{row}");
            let (ns, naive) = (figure("ns"), figure("naive_ns"));
            assert!(part != "world" || figure("prepared_ns") > 0.0, "{row}");
            assert!(ns > 0.0 && naive > 0.0, "{row}");
            assert!((figure("ratio") / (naive / ns) - 1.0).abs() < 1e-6, "{row}");
        }
    };
    let widths = ["hull", "frame", "whale"].map(|name| hitmask_scenes::named(name).width);
    let poses = ["nearest", "coverage"].map(|query| widths.map(|width| (query, width)));
    hold("raster", poses.as_flattened());
    hold("world", &[1_000, 10_000, 100_000].map(|count| ("update", count)));
    let poses = hitmask_scenes::Stage::new(..).atlas.pose_count();
    hold("open", &[("open", poses)]);
    let said = folder.ok("bench open");
    assert!(said.starts_with("part ") && said.contains("naive ns"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
}

#[test]
fn the_narrow_bench_has_a_row_for_each_query_mix_and_instruction_set() {
    let folder = Folder::new("pairs");
    let bench = "bench narrow --sizes 16,200 --pairs 60 --json";
    let answer = folder.json(bench);
    let rows = answer["rows"].as_array().unwrap();
    for level in Simd::available() {
        for size in [16, 200] {
            for (query, mix) in [
                ("touches", "natural"),
                ("touches", "miss"),
                ("area", "natural"),
                ("contact", "natural"),
            ] {
                let is_it = |row: &&Value| {
                    row["query"] == query
                        && row["mix"] == mix
                        && row["size"] == size
                        && row["level"] == level.name()
                };
                let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("{query} {mix} {size}"));
                assert_positive(row, &["ns", "single_ns", "scalar_ns", "naive_ns", "prepared_ns"]);
            }
        }
    }
    assert_eq!(rows.len(), Simd::available().len() * 2 * 4);
    // The coarse levels alone have exact batches beside them.
    let answer = folder.json("bench narrow --sizes 300 --pairs 60 --accuracy coarse --json");
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), Simd::available().len() * 2);
    assert!(rows.iter().all(|row| row["query"] == "coarse"), "{answer}");
    rows.iter().for_each(|row| assert_positive(row, &["ns", "exact_ns"]));
}
