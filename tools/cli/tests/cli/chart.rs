//! Tests of `bench --chart`: charts from saved rows and from a run, and refused files.

use crate::folder::Folder;
use serde_json::{Value, json};

/// Rows in the format of `bench narrow --json`: two instruction sets, of which `avx2` is faster.
fn table() -> Value {
    let row = |size: u32, level: &str, ns: f64| {
        json!({
            "query": "touches", "mix": "natural", "size": size, "level": level,
            "ns": ns, "single_ns": 20.0, "scalar_ns": 30.0, "naive_ns": 900.0 * f64::from(size),
        })
    };
    let other = json!({"part": "open", "query": "open", "size": 9, "ns": 1.0, "naive_ns": 2.0});
    let rows = [row(64, "sse2", 9.0), row(64, "avx2", 5.26), row(16, "avx2", 4.0), other];
    json!({ "rows": rows })
}

/// Labels of the series, each with its last time, at 64 px.
const NAMES: [&str; 4] = [
    "naive, drawn per pair: 58 µs",
    "one scalar loop: 30 ns",
    "one call per pair: 20 ns",
    "batch, avx2: 5.3 ns",
];

/// Returns the texts and the centres of circles of an SVG.
fn parts(svg: &str) -> (Vec<String>, Vec<[i32; 2]>) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let tag = |name: &'static str| {
        document.descendants().filter(move |node| node.tag_name().name() == name)
    };
    let texts = tag("text").map(|text| text.text().unwrap().trim().to_owned()).collect();
    let circles = tag("circle")
        .map(|circle| ["cx", "cy"].map(|key| circle.attribute(key).unwrap().parse().unwrap()));
    (texts, circles.collect())
}

#[test]
fn saved_rows_are_drawn_as_a_chart_with_a_line_for_each_series() {
    let folder = Folder::new("chart");
    folder.write("rows.json", &table().to_string());
    let draw = "bench --from rows.json --chart chart.svg";
    assert!(folder.ok(draw).contains("chart.svg"));
    let svg = folder.text("chart.svg");
    let (texts, circles) = parts(&svg);
    let labels = ["16", "64", "10 ns", "1 µs", "time per pair, log scale"];
    for text in NAMES.iter().chain(&labels) {
        assert!(texts.iter().any(|found| found == text), "{text:?} is not in {texts:?}");
    }
    assert!(texts.iter().any(|text| text.contains("in px")), "{texts:?}");
    // 2 sizes of 4 series. The slower instruction set and other parts are not drawn.
    assert_eq!(circles.len(), 8, "{circles:?}");
    // From the slowest to the fastest series, smaller size first. The y axis points down.
    for line in circles.chunks(2) {
        assert!(line[0][0] < line[1][0], "{circles:?}");
    }
    assert!(circles.windows(3).step_by(2).all(|c| c[0][1] < c[2][1]), "{circles:?}");

    // The same rows give the same bytes. A known field of another version adds a series.
    folder.ok(draw);
    assert_eq!(folder.text("chart.svg"), svg);
    let mut more = table();
    for row in more["rows"].as_array_mut().unwrap() {
        row["prepared_ns"] = json!(700.0);
        row.as_object_mut().unwrap().remove("scalar_ns");
    }
    folder.write("rows.json", &more.to_string());
    folder.ok(draw);
    let (texts, circles) = parts(&folder.text("chart.svg"));
    assert!(texts.iter().any(|text| text == "naive, drawn beforehand: 700 ns"), "{texts:?}");
    assert!(!texts.iter().any(|text| text.contains("scalar")), "{texts:?}");
    assert_eq!(circles.len(), 8);
}

#[test]
fn a_run_draws_its_own_rows() {
    let folder = Folder::new("chart-run");
    let bench = "bench narrow --sizes 16 --pairs 20 --chart c.svg";
    let saved = folder.json(&format!("{bench} --json"));
    let drawn = folder.text("c.svg");
    folder.write("rows.json", &saved.to_string());
    folder.ok("bench --from rows.json --chart again.svg");
    assert_eq!(drawn, folder.text("again.svg"));
    // A single size gives 1 point per series.
    assert!(parts(&drawn).1.len() >= NAMES.len(), "{drawn}");
}

#[test]
fn a_chart_that_cannot_be_drawn_is_refused_and_the_old_file_stays() {
    let folder = Folder::new("chart-refused");
    folder.write("rows.json", &table().to_string());
    folder.write("text.json", "no rows");
    folder.write("none.json", r#"{"rows":[]}"#);
    folder.write("open.json", r#"{"rows":[{"part":"open","query":"open","size":9,"ns":1.0}]}"#);
    let zero = r#"{"rows":[{"query":"touches","mix":"natural","size":16,"level":"x","ns":0}]}"#;
    folder.write("zero.json", zero);
    folder.write("old.svg", "<svg/>");
    folder.write("notes.svg", "mine");
    for (from, chart, expected, remedy) in [
        ("absent.json", "old.svg", "cannot read absent.json", "bench narrow --json"),
        ("text.json", "old.svg", "text.json is not valid JSON", "bench narrow --json"),
        ("none.json", "old.svg", "none.json: no row can be drawn", "bench narrow --json"),
        ("open.json", "old.svg", "open.json: no row can be drawn", "bench narrow --json"),
        ("zero.json", "old.svg", "zero.json: no row can be drawn", "bench narrow --json"),
        ("rows.json", "chart.png", "chart.png does not end in .svg", "chart.svg"),
        ("rows.json", "notes.svg", "notes.svg exists and is not an SVG file", "another path"),
        ("rows.json", "no/c.svg", "cannot write no/c.svg", "folder"),
    ] {
        folder.refuses(&format!("bench --from {from} --chart {chart}"), expected, remedy);
    }
    assert_eq!(folder.read("old.svg"), b"<svg/>");
    assert_eq!(folder.read("notes.svg"), b"mine");
    assert!(!folder.0.join("chart.png").exists());

    folder.refuses("bench open --chart old.svg", "--chart", "bench narrow --chart");
    folder.misuses("bench --from rows.json", "--chart");
    let both = "bench narrow --from rows.json --chart old.svg";
    folder.misuses(both, "--from");
}
