//! `hitmask bench --chart`: draws the rows of the narrow phase as a line chart in SVG.
//!
//! Called by `bench::run` with the rows of a run, or with rows that `--json` saved earlier. Both
//! are JSON, so that a chart can be redrawn without a run. A series is a numeric field of the rows.
//! A field that the rows lack is omitted.

use crate::output::escaped;
use crate::{CliError, output};
use serde_json::Value;
use std::path::Path;

/// Fields drawn as series, with their labels and colours.
const SERIES: [(&str, &str, &str); 5] = [
    ("naive_ns", "naive, drawn per pair", "#b42318"),
    ("prepared_ns", "naive, drawn beforehand", "#c26a0a"),
    ("scalar_ns", "one scalar loop", "#5f6673"),
    ("single_ns", "one call per pair", "#2563eb"),
    ("ns", "batch", "#047857"),
];
/// Query and mix of the rows that are drawn.
const QUERY: &str = "touches";
const MIX: &str = "natural";

/// Width and height of the chart in pixels.
const SIZE: [i32; 2] = [838, 440];
/// Columns and rows in pixels between which the lines are drawn. Labels of the series follow on the
/// right.
const COLUMNS: [i32; 2] = [80, SIZE[0] - 230];
const ROWS: [i32; 2] = [50, SIZE[1] - 60];
/// Least vertical distance in pixels between two labels.
const NAME_HEIGHT: i32 = 20;
/// Upper bound of the ticks of an axis. Ticks are powers of two or ten.
const MAX_TICKS: usize = 10;
/// Dark on light, independent of the theme of the surrounding page.
const PAPER: &str = "#fcfcfa";
const INK: &str = "#282c34";
const GRID: &str = "#dee0e4";

/// Refuses an unsuitable output path. Called before the run, which takes minutes.
pub(super) fn check(path: &Path, from: Option<&Path>) -> Result<(), CliError> {
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("svg")) {
        return Err(CliError::new(
            format!("{} does not end in .svg, but the chart is an SVG", path.display()),
            "give --chart a path such as chart.svg",
        ));
    }
    output::check_target(path, from.as_slice())?;
    output::check_kind(path, "an SVG", |head| {
        let head = head.trim_ascii_start();
        head.starts_with(b"<svg") || head.starts_with(b"<?xml")
    })
}

/// Draws the rows of a file that `hitmask bench narrow --json` wrote.
pub(super) fn redraw(from: &Path, path: &Path) -> Result<(), CliError> {
    let help = "give a file that `hitmask bench narrow --json > rows.json` wrote";
    let file = from.display();
    let bytes = output::read(from, help)?;
    let rows = serde_json::from_slice(&bytes)
        .map_err(|e| CliError::new(format!("{file} is not valid JSON: {e}"), help))?;
    write(&rows, path).map_err(|error| error.of(&file.to_string()))
}

/// Draws the rows of a JSON table.
pub(super) fn write(table: &Value, path: &Path) -> Result<(), CliError> {
    output::write(path, svg(&lines(table)?).as_bytes())
}

/// A series of at least one point.
struct Line {
    name: String,
    colour: &'static str,
    /// Size in pixels and time in ns, sorted by size.
    points: Vec<(f64, f64)>,
}

/// Returns the series of the fastest instruction set, or an error if no row can be drawn.
fn lines(table: &Value) -> Result<Vec<Line>, CliError> {
    let rows = table["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_drawn = |row: &&Value| row["query"] == QUERY && row["mix"] == MIX;
    let rows: Vec<&Value> = rows.iter().filter(is_drawn).collect();
    let best = best_level(&rows).unwrap_or_default();
    let line = |&(field, name, colour): &(&str, &str, &'static str)| {
        let points = rows.iter().filter(|row| level(row) == best).filter_map(|row| {
            let [size, ns] = ["size", field].map(|key| row[key].as_f64().filter(|v| *v > 0.0));
            Some((size?, ns?))
        });
        let mut points: Vec<(f64, f64)> = points.collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let name = if field == "ns" { format!("{name}, {best}") } else { name.to_owned() };
        (!points.is_empty()).then_some(Line { name, colour, points })
    };
    let lines: Vec<Line> = SERIES.iter().filter_map(line).collect();
    if lines.is_empty() {
        return Err(CliError::new(
            format!("no row can be drawn: none has query {QUERY:?}, mix {MIX:?} and times"),
            "give rows that `hitmask bench narrow --json` wrote",
        ));
    }
    Ok(lines)
}

fn level(row: &Value) -> &str {
    row["level"].as_str().unwrap_or_default()
}

/// Returns the instruction set with the most sizes; the least total time breaks ties.
fn best_level<'r>(rows: &[&'r Value]) -> Option<&'r str> {
    let total = |name: &str| {
        let times = rows.iter().filter(|row| level(row) == name);
        let times: Vec<f64> = times.filter_map(|row| row["ns"].as_f64()).collect();
        (times.len(), times.iter().sum::<f64>())
    };
    let better = |a: &&str, b: &&str| {
        let ([sizes_a, sizes_b], [time_a, time_b]) =
            ([total(a).0, total(b).0], [total(a).1, total(b).1]);
        sizes_a.cmp(&sizes_b).then(time_b.total_cmp(&time_a))
    };
    rows.iter().map(|row| level(row)).max_by(better)
}

/// Returns the chart of these series.
fn svg(lines: &[Line]) -> String {
    let all = || lines.iter().flat_map(|line| &line.points);
    let [sizes, times] = [all().map(|p| p.0).collect(), all().map(|p| p.1).collect()].map(bounds);
    // Spans whole decades, at least one.
    let decades = [times[0].log10().floor(), times[1].log10().ceil()];
    let decades = [decades[0], decades[1].max(decades[0] + 1.0)];
    let octaves = [(sizes[0] * 0.9).log2(), (sizes[1] * 1.1).log2()];
    let place = |value: f64, [low, high]: [f64; 2], [from, to]: [i32; 2]| {
        from + ((value - low) / (high - low) * f64::from(to - from)).round() as i32
    };
    let x = |size: f64| place(size.log2(), octaves, COLUMNS);
    let y = |ns: f64| place(ns.log10(), decades, [ROWS[1], ROWS[0]]);
    let ([left, right], [top, bottom]) = (COLUMNS, ROWS);
    let [width, height] = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"{INK}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n"
    );
    let text = |place: &str, text: &str| format!("<text {place}>{}</text>\n", escaped(text));
    let (middle, between) = ((left + right) / 2, (top + bottom) / 2);
    svg += &text(
        &format!("x=\"{middle}\" y=\"30\" font-size=\"18\" text-anchor=\"middle\""),
        "Time to test whether two posed sprites share a pixel",
    );
    svg += &text(
        &format!("x=\"{middle}\" y=\"{}\" text-anchor=\"middle\"", bottom + 46),
        "longer side of the sprites in px, log scale",
    );
    svg += &text(
        &format!("transform=\"translate(24 {between}) rotate(-90)\" text-anchor=\"middle\""),
        "time per pair, log scale",
    );
    for size in ticks(octaves, f64::exp2) {
        let x = x(size);
        svg += &format!("<path d=\"M{x} {top}V{bottom}\" stroke=\"{GRID}\"/>\n");
        let place = format!("x=\"{x}\" y=\"{}\" text-anchor=\"middle\"", bottom + 20);
        svg += &text(&place, &format!("{size:.0}"));
    }
    for ns in ticks(decades, |power| 10_f64.powf(power)) {
        let y = y(ns);
        svg += &format!("<path d=\"M{left} {y}H{right}\" stroke=\"{GRID}\"/>\n");
        let place = format!("x=\"{}\" y=\"{}\" text-anchor=\"end\"", left - 8, y + 4);
        svg += &text(&place, &duration(ns));
    }
    for Line { points, colour, .. } in lines {
        let points: Vec<[i32; 2]> = points.iter().map(|&(size, ns)| [x(size), y(ns)]).collect();
        let path: Vec<String> = points.iter().map(|[x, y]| format!("{x} {y}")).collect();
        let path = path.join("L");
        svg += &format!(
            "<path d=\"M{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/>\n"
        );
        for [x, y] in points {
            svg += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>\n");
        }
    }
    // Places each label at the end of its line, moved down or up where labels would overlap.
    let ends = lines.iter().filter_map(|line| Some((line, line.points.last()?)));
    let mut names: Vec<_> = ends.map(|(line, &(size, ns))| (y(ns), x(size), ns, line)).collect();
    names.sort_by_key(|&(y, ..)| y);
    let mut least = 0;
    for (below, (y, x, ns, line)) in (1..=names.len() as i32).rev().zip(names) {
        let y = y.max(least).min(height - below * NAME_HEIGHT);
        least = y + NAME_HEIGHT;
        let place = format!("x=\"{}\" y=\"{}\" fill=\"{}\"", x + 12, y + 4, line.colour);
        svg += &text(&place, &format!("{}: {}", line.name, duration(ns)));
    }
    svg + "</svg>\n"
}

/// Returns the values of the whole powers in a range, at most [`MAX_TICKS`] of them.
fn ticks([low, high]: [f64; 2], value: fn(f64) -> f64) -> impl Iterator<Item = f64> {
    let (first, count) = (low.ceil(), (high.floor() - low.ceil() + 1.0) as usize);
    let step = count.div_ceil(MAX_TICKS).max(1);
    (0..count).step_by(step).map(move |tick| value(first + tick as f64))
}

/// Returns the minimum and maximum of a non-empty list.
fn bounds(numbers: Vec<f64>) -> [f64; 2] {
    let start = [f64::INFINITY, f64::NEG_INFINITY];
    numbers.into_iter().fold(start, |[low, high], number| [low.min(number), high.max(number)])
}

/// Formats a duration in ns with a unit; values below 10 have one decimal.
fn duration(ns: f64) -> String {
    let (unit, name) = match ns {
        ..0.9995e3 => (1.0, "ns"),
        0.9995e3..0.9995e6 => (1e3, "µs"),
        0.9995e6..0.9995e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    let number = ns / unit;
    let rounded = if number < 9.95 { (number * 10.0).round() / 10.0 } else { number.round() };
    format!("{rounded} {name}")
}
