//! Limits on compact atlases: some verbs draw no more than they show, and others refuse what exceeds
//! `--limit`.

use crate::folder::Folder;
use serde_json::json;

#[test]
fn verbs_that_draw_a_compact_atlas_take_a_limit_and_info_draws_nothing() {
    let folder = Folder::new("limits");
    folder.ok(&["bake", "art", "-o", "a", "--angles", "1024", "--scales", "20", "--compact"]);
    // The masks of all poses take tens of megabytes.
    let report = ["report", "a", "-o", "a.html", "--limit"];
    let (cause, help) = folder.fails(&[&report[..], &["0.1"]].concat());
    assert!(cause.contains("100000"), "{cause}");
    assert!(help.contains("--limit"), "{help}");
    folder.ok(&[&report[..], &["200mb"]].concat());
    folder.ok(&["show", "a", "arrow"]);
    let verified = folder.json(&["verify", "a", "--json"]);
    assert_eq!((&verified["verified"], &verified["poses"]), (&json!(true), &json!(null)));
    let listed = folder.json(&["info", "a", "--json"]);
    assert_eq!((&listed["compact"], &listed["poses"]), (&json!(true), &json!(null)));
    assert_eq!(listed["sprites"][0]["angles"], json!(1024));
    let arrow = folder.json(&["info", "a", "arrow", "--json"]);
    let frame = &arrow["frames"][0];
    assert_eq!((&frame["masks"], &frame["sources"][0]["area"]), (&json!([]), &json!(8)));
    folder.ok(&["bake", "art", "-o", "b", "--angles", "4"]);
    let listed = folder.json(&["info", "b", "--json"]);
    assert_eq!(listed["compact"], json!(false));
    assert!(listed["poses"].is_number());
}
