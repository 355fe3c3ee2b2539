//! `hitmask bench --chart`: draws the rows of the narrow phase as a line chart in SVG.
//!
//! Called by `bench::run` with the rows of a run, or with rows that `--json` saved earlier. Both
//! are JSON, so that a chart can be redrawn without a run. A series is a numeric field of the rows.
//! A field that the rows lack is omitted.

use crate::{CliError, output};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use serde_json::Value;
use std::path::Path;

/// Fields drawn as series, with their labels and colours.
const SERIES: [(&str, &str, RGBColor); 5] = [
    ("naive_ns", "naive, drawn per pair", RGBColor(180, 35, 24)),
    ("prepared_ns", "naive, drawn beforehand", RGBColor(194, 106, 10)),
    ("scalar_ns", "one scalar loop", RGBColor(95, 102, 115)),
    ("single_ns", "one call per pair", RGBColor(37, 99, 235)),
    ("ns", "batch", RGBColor(4, 120, 87)),
];
/// Query and mix of the rows that are drawn.
const QUERY: &str = "touches";
const MIX: &str = "natural";

/// Width and height of the chart in pixels.
const SIZE: (u32, u32) = (838, 440);
/// Width in pixels of the column of labels, right of the lines.
const NAMES_WIDTH: i32 = 230;
/// Font sizes in the unit of plotters: 1.24 times the pixels in the SVG.
const FONT: i32 = 16;
const TITLE_FONT: i32 = 22;
/// Least vertical distance in pixels between two labels.
const NAME_HEIGHT: i32 = 20;
/// Upper bound of the ticks of an axis. Ticks are powers of two or ten; plotters thins them out.
const MAX_TICKS: usize = 10;
/// Dark on light, independent of the theme of the surrounding page.
const PAPER: RGBColor = RGBColor(252, 252, 250);
const INK: RGBColor = RGBColor(40, 44, 52);
const GRID: RGBColor = RGBColor(222, 224, 228);

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
    let lines = lines(table)?;
    let mut svg = String::new();
    draw(&lines, SVGBackend::with_string(&mut svg, SIZE).into_drawing_area())
        .map_err(|e| output::cannot(path, &e))?;
    svg.push('\n');
    output::write(path, svg.as_bytes())?;
    Ok(())
}

/// A series of at least one point.
struct Line {
    name: String,
    colour: RGBColor,
    /// Size in pixels and time in ns, sorted by size.
    points: Vec<(f64, f64)>,
}

/// Returns the series of the fastest instruction set, or an error if no row can be drawn.
fn lines(table: &Value) -> Result<Vec<Line>, CliError> {
    let rows = table["rows"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_drawn = |row: &&Value| row["query"] == QUERY && row["mix"] == MIX;
    let rows: Vec<&Value> = rows.iter().filter(is_drawn).collect();
    let best = best_level(&rows).unwrap_or_default();
    let line = |&(field, name, colour): &(&str, &str, RGBColor)| {
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

type Fault<'s> = DrawingAreaErrorKind<<SVGBackend<'s> as DrawingBackend>::ErrorType>;

fn draw<'s>(lines: &[Line], area: DrawingArea<SVGBackend<'s>, Shift>) -> Result<(), Fault<'s>> {
    area.fill(&PAPER)?;
    let all = || lines.iter().flat_map(|line| &line.points);
    let [sizes, times] = [all().map(|p| p.0).collect(), all().map(|p| p.1).collect()].map(bounds);
    // Spans whole decades, at least one. The extra 1% keeps the end ticks despite rounding.
    let first = times[0].log10().floor();
    let decades = (times[1].log10().ceil() - first).max(1.0);
    let time_range = 10_f64.powf(first) * 0.99..10_f64.powf(first + decades) * 1.01;
    let size_range = sizes[0] * 0.9..sizes[1] * 1.1;
    let font = ("sans-serif", FONT).into_font().color(&INK);

    let mut chart = ChartBuilder::on(&area)
        .caption(
            "Time to test whether two posed sprites share a pixel",
            ("sans-serif", TITLE_FONT).into_font().color(&INK),
        )
        .margin(14)
        .margin_right(NAMES_WIDTH)
        .x_label_area_size(46)
        .y_label_area_size(66)
        .build_cartesian_2d(size_range.log_scale().base(2.0), time_range.log_scale())?;
    chart
        .configure_mesh()
        .x_labels(MAX_TICKS)
        .y_labels(MAX_TICKS)
        .x_label_formatter(&|size| format!("{size:.0}"))
        .y_label_formatter(&|ns| duration(*ns))
        .x_desc("longer side of the sprites in px, log scale")
        .y_desc("time per pair, log scale")
        .label_style(font.clone())
        .axis_desc_style(font.clone())
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(GRID)
        .draw()?;
    for line in lines {
        let points = line.points.iter().copied();
        chart.draw_series(LineSeries::new(points.clone(), line.colour.stroke_width(3)))?;
        chart.draw_series(points.map(|point| Circle::new(point, 4, line.colour.filled())))?;
    }

    // Places each label at the end of its line, moved down or up where labels would overlap.
    let mut names: Vec<(i32, i32, String, RGBColor)> = Vec::new();
    for line in lines {
        if let Some(last) = line.points.last() {
            let (x, y) = chart.backend_coord(last);
            names.push((y, x, format!("{}: {}", line.name, duration(last.1)), line.colour));
        }
    }
    names.sort_by_key(|&(y, ..)| y);
    let mut least = 0;
    for (below, (y, x, name, colour)) in (1..=names.len() as i32).rev().zip(names) {
        let y = y.max(least).min(SIZE.1 as i32 - below * NAME_HEIGHT);
        least = y + NAME_HEIGHT;
        let anchor = Pos::new(HPos::Left, VPos::Center);
        let style = ("sans-serif", FONT).into_font().color(&colour).pos(anchor);
        area.draw(&Text::new(name, (x + 12, y), style))?;
    }
    area.present()
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
