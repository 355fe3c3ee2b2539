//! `demo` and `bench`: what the library does, shown.

use crate::folder::Folder;
use hitmask::Simd;
use serde_json::{Value, json};

#[test]
fn the_demo_checks_itself_and_draws_its_last_frame() {
    let folder = Folder::new("demo");
    let said = folder.ok(&["demo", "--colliders", "400", "--seconds", "0", "--output", "last.png"]);
    for part in ["updates per second", "all agree", "times as fast", "last.png"] {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
    let picture = image::open(folder.0.join("last.png")).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (1200, 800));
    assert!(picture.pixels().any(|p| p.0 == [255; 3]), "somewhere two sprites touch");
    let answer = folder.json(&["demo", "--colliders", "300", "--seconds", "0", "--json"]);
    assert_eq!((&answer["colliders"], &answer["angles"]), (&json!(300), &json!(64)));
    assert_eq!(answer["output"], "hitmask-demo.png");
    for figure in ["sprites", "bytes", "bake_seconds", "updates_per_second", "touching"] {
        assert!(answer[figure].as_f64().unwrap() > 0.0, "{figure}: {answer}");
    }
    let figure = |key: &str| answer[key].as_f64().unwrap();
    assert!(figure("naive_updates_per_second") < figure("updates_per_second"), "{answer}");
    let candidates = answer["checked"]["candidates"].as_f64().unwrap();
    assert!(candidates >= figure("touching"), "{answer}");
    let (cause, _) = folder.fails_late(&[
        "demo",
        "--colliders",
        "2",
        "--seconds",
        "0",
        "--output",
        "no/last.png",
    ]);
    assert!(cause.contains("no/last.png"), "{cause}");
}

#[test]
fn a_frame_is_timed_part_by_part() {
    let folder = Folder::new("frame");
    let world = ["bench", "world", "--entities", "300", "--threads", "2", "--json"];
    let frame = folder.json(&world);
    assert_eq!((&frame["entities"], &frame["threads"]), (&json!(300), &json!(2)));
    for part in ["place", "build", "join", "narrow", "events"] {
        assert!(frame["parts"][part].as_f64().unwrap() > 0.0, "{frame}");
    }
    assert!(frame["frame_ms"].as_f64().unwrap() > 0.0 && frame["rstar_ms"].as_f64().unwrap() > 0.0);
    let count = |key: &str| frame[key].as_u64().unwrap();
    assert!(count("pairs") > count("touching") && count("touching") > 0, "{frame}");
    let without = folder.json(&[&world[..], &["--no-peers"]].concat());
    assert_eq!(without["rstar_ms"], json!(null));
}

#[test]
fn the_bench_compares_answers_and_prints_rows() {
    let folder = Folder::new("bench");
    let rows = folder.json(&["bench", "open", "--json"]);
    let row = &rows["rows"][0];
    assert_eq!((&row["part"], &row["query"]), (&json!("open"), &json!("open")));
    for key in ["ns", "naive_ns", "ratio"] {
        assert!(row[key].as_f64().unwrap() > 0.0, "{row}");
    }
}

#[test]
fn w5_every_part_of_the_bench_is_measured_against_the_naive_way() {
    let folder = Folder::new("parts");
    let hold = |part: &str, expected: &[(&str, u32)]| {
        let answer = folder.json(&["bench", part, "--json"]);
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
    let said = folder.ok(&["bench", "open"]);
    assert!(said.starts_with("part ") && said.contains("naive ns"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
}

#[test]
fn the_narrow_bench_has_a_row_for_each_query_mix_and_instruction_set() {
    let folder = Folder::new("pairs");
    let bench = ["bench", "narrow", "--sizes", "16,200", "--pairs", "60", "--json"];
    let answer = folder.json(&bench);
    let rows = answer["rows"].as_array().unwrap();
    for level in Simd::available() {
        for size in [16, 200] {
            for (query, mix) in [
                ("touches", "natural"),
                ("touches", "miss"),
                ("area", "natural"),
                ("rect", "natural"),
                ("point", "natural"),
            ] {
                let is_it = |row: &&Value| {
                    row["query"] == query
                        && row["mix"] == mix
                        && row["size"] == size
                        && row["level"] == level.name()
                };
                let row = rows.iter().find(is_it).unwrap_or_else(|| panic!("{query} {mix} {size}"));
                for key in ["ns", "single_ns", "scalar_ns", "naive_ns", "prepared_ns"] {
                    assert!(row[key].as_f64().unwrap() > 0.0, "{key} of {row}");
                }
            }
        }
    }
    assert_eq!(rows.len(), Simd::available().len() * 2 * 5);
    let (cause, _) = folder.fails(&["bench", "open", "--pairs", "60"]);
    assert!(cause.contains("--pairs"), "{cause}");
}
