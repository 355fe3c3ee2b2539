//! Tests of `diff`: the listed differences, and the exit code.

use crate::folder::{Folder, assert_parts, texts};
use serde_json::{Value, json};

/// Returns the output of `diff --json`, after a check of the exit code.
fn diff(folder: &Folder, before: &str, after: &str) -> Value {
    let output = folder.run(&format!("diff {before} {after} --json"));
    let (out, err) = texts(&output);
    assert_eq!(err, "");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(output.status.code(), Some(if answer["same"] == true { 0 } else { 1 }));
    answer
}

#[test]
fn an_atlas_is_the_same_as_itself_and_as_a_second_bake() {
    let folder = Folder::new("diff-same");
    folder.ok("bake art -o a --angles 8");
    folder.ok("bake art -o b --angles 8");
    let answer = diff(&folder, "a", "b");
    assert_eq!((&answer["same_bytes"], &answer["unchanged"]), (&json!(true), &json!(2)));
    assert!(folder.ok("diff a a").contains("the same: 2 sprites"));
}

#[test]
fn added_removed_and_renamed_sprites_are_distinguished() {
    let folder = Folder::new("diff-names");
    folder.ok("bake art -o a --angles 8");
    std::fs::rename(folder.0.join("art/small/dot.png"), folder.0.join("art/point.png")).unwrap();
    std::fs::remove_file(folder.0.join("art/arrow.png")).unwrap();
    folder.image("art/bar.png", ["####"]);
    folder.ok("bake art -o b --angles 8");
    let answer = diff(&folder, "a", "b");
    assert_eq!(answer["added"], json!(["bar"]));
    assert_eq!(answer["removed"], json!(["arrow"]));
    assert_eq!(answer["renamed"], json!([{"before": "small/dot", "after": "point"}]));
    assert_eq!((&answer["changed"], &answer["unchanged"]), (&json!([]), &json!(0)));
    let (text, _) = folder.exits("diff a b", 1);
    assert_parts(
        &text,
        &["- arrow", "+ bar", "> small/dot is now point", "1 added, 1 removed, 1 renamed"],
    );
}

#[test]
fn differing_pixels_are_counted_over_the_common_poses() {
    let folder = Folder::new("diff-pixels");
    folder.ok("bake art -o a --angles 8 --pivot 0,0");
    // One pixel added, one removed.
    folder.image("art/arrow.png", ["#.##", "####", "..#."]);
    folder.ok("bake art -o b --angles 4 --pivot 0,0");
    let answer = diff(&folder, "a", "b");
    let arrow = &answer["changed"][0];
    assert_eq!(arrow["name"], "arrow");
    let settings = json!([{"what": "angles", "before": "8", "after": "4"}]);
    assert_eq!(arrow["settings"], settings);
    // Both have the 4 quarter turns, which are exact.
    let poses = json!({"compared": 4, "different": 4, "pixels": 8, "most": 2, "area": [32, 32]});
    assert_eq!(arrow["poses"], poses);
    // The pixels of the dot are the same; only its settings have changed.
    assert_eq!(answer["changed"][1]["poses"]["different"], 0);
    let text = texts(&folder.run("diff a b")).0;
    assert!(text.contains("~ arrow: angles 8 to 4; 4 of 4 poses differ, by 8 pixels"), "{text}");
}

#[test]
fn a_moved_pivot_counts_as_moved_pixels() {
    let folder = Folder::new("diff-pivot");
    folder.ok("bake art/small -o a --angles 4 --pivot 0,0");
    folder.ok("bake art/small -o b --angles 4 --pivot 1,0");
    let answer = diff(&folder, "a", "b");
    let dot = &answer["changed"][0];
    assert_eq!(dot["settings"][0], json!({"what": "pivot", "before": "0,0", "after": "1,0"}));
    assert_eq!((&dot["poses"]["different"], &dot["poses"]["pixels"]), (&json!(4), &json!(8)));
}

#[test]
fn an_unreadable_atlas_exits_with_2() {
    let folder = Folder::new("diff-trouble");
    folder.ok("bake art -o a --angles 4");
    folder.write("text", "no atlas");
    for (before, after, named) in [("a", "absent", "absent"), ("text", "a", "text")] {
        let (out, err) = folder.exits(&format!("diff {before} {after}"), 2);
        assert!(out.is_empty() && err.contains(named) && err.contains("help: "), "{err}");
    }
    assert!(folder.ok("diff --help").contains("0 same, 1 different, 2 "));
}

#[test]
fn planes_are_compared_by_name() {
    let folder = Folder::new("diff-planes");
    folder.planes("a", "....\n..#.");
    folder.planes("b", "....\n..##");
    let answer = diff(&folder, "a", "b");
    let poses = &answer["changed"][0]["poses"];
    assert_eq!((&poses["compared"], &poses["different"]), (&json!(8), &json!(4)));
    assert_eq!((&poses["pixels"], &poses["area"]), (&json!(4), &json!([32, 36])));
    folder.exits("report a -o page.html", 0);
    let page = folder.text("page.html");
    assert!(page.contains("<title>body</title>") && page.contains("<title>eye</title>"), "{page}");
}
