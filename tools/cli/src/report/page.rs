//! The HTML page of `hitmask report`: a single file, with a content security policy that blocks all
//! network access.

use super::outline::MAX_ERROR;
use super::row::{Frame, Outline, Row};
use crate::output::escaped;
use crate::sprite_stats::FidelityStats;
use crate::{describe, output};
use hitmask_demo::grouped;
use std::fmt::Write;

/// Number of sprites named in the strip of the largest sprites.
const MAX_NAMED: usize = 12;

/// Facts about the whole atlas.
pub(super) struct Subject {
    /// Path of the atlas, as given.
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) frames: u32,
    pub(super) poses: u32,
    /// Rotation error in pixels above which sprites are marked.
    pub(super) budget: f64,
    pub(super) map_count: usize,
    /// The sections of the maps, as HTML.
    pub(super) maps: String,
    /// Warnings of the bake that are about no sprite of the atlas, such as files that were passed over.
    pub(super) others: Vec<String>,
}

/// Returns the text of the page.
pub(super) fn page(subject: &Subject, rows: &[Row<'_>]) -> String {
    let name = escaped(&subject.name);
    let warnings = rows.iter().map(|row| row.warnings.len()).sum::<usize>() + subject.others.len();
    let hints: usize = rows.iter().map(|row| row.hints.len()).sum();
    let turning = rows.iter().filter(|row| row.wanted_angles(subject.budget).is_some()).count();
    let over = format!("have a rotation error above {} px", subject.budget);
    let facts = [
        ("sprites", grouped(rows.len())),
        ("maps", grouped(subject.map_count)),
        ("frames", grouped(subject.frames as usize)),
        ("poses stored", grouped(subject.poses as usize)),
        ("size", output::size(subject.bytes)),
        (over.as_str(), grouped(turning)),
        ("warnings", grouped(warnings)),
        ("hints", grouped(hints)),
    ];
    let fact =
        |(what, figure): &(&str, String)| format!("<div><dt>{what}</dt><dd>{figure}</dd></div>");
    let others = list("odd", &subject.others);
    let others =
        if others.is_empty() { others } else { format!("<h2>Other warnings</h2>\n{others}\n") };
    let largest = rows.iter().map(|row| row.stats.mask_bytes).max().unwrap_or(0).max(1);
    let line = |(i, row)| line(i, row, largest, subject.budget);
    filled(|gap| match gap {
        "name" => name.clone(),
        "style" => include_str!("page.css").to_owned(),
        "facts" => facts.iter().map(fact).collect(),
        "shares" => shares(rows),
        "others" => others.clone(),
        "maps" => subject.maps.clone(),
        "max_error" => MAX_ERROR.to_string(),
        "budget" => subject.budget.to_string(),
        "rows" => rows.iter().enumerate().map(line).collect(),
        "script" => include_str!("page.js").to_owned(),
        gap => unreachable!("a gap {gap:?} in page.html"),
    })
}

/// Returns the page with its gaps filled. What fills a gap is not searched for gaps.
fn filled(fill: impl Fn(&str) -> String) -> String {
    let mut parts = include_str!("page.html").split("{{");
    let first = parts.next().unwrap_or_default().to_owned();
    let gaps = parts.filter_map(|part| part.split_once("}}"));
    gaps.fold(first, |page, (gap, rest)| page + &fill(gap) + rest)
}

/// Returns a list of texts; nothing without texts.
fn list(class: &str, texts: &[String]) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let items: String = texts.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect();
    format!("<ul class=\"{class}\">{items}</ul>")
}

/// Returns a strip of the largest sprites, each as wide as its share of the bytes.
fn shares(rows: &[Row<'_>]) -> String {
    let all: u64 = rows.iter().map(|row| row.stats.mask_bytes).sum();
    if all == 0 {
        return String::new();
    }
    let mut largest: Vec<(usize, &Row<'_>)> = rows.iter().enumerate().collect();
    largest.sort_by_key(|(i, row)| (std::cmp::Reverse(row.stats.mask_bytes), *i));
    let mut html = "<h2>Size by sprite</h2>\n<div class=\"shares\">".to_owned();
    let mut named = 0;
    for (i, row) in largest.iter().take(MAX_NAMED) {
        named += row.stats.mask_bytes;
        let (name, part) = (escaped(row.sprite.name()), row.stats.mask_bytes as f64 / all as f64);
        let _ = write!(
            html,
            "<a href=\"#s-{i}\" style=\"flex:{part:.5} 1 0\" title=\"{name}: {}, {:.1}%\">{name}</a>",
            output::size(row.stats.mask_bytes),
            100.0 * part
        );
    }
    if rows.len() > MAX_NAMED {
        let part = (all - named) as f64 / all as f64;
        let others = rows.len() - MAX_NAMED;
        let _ = write!(
            html,
            "<span style=\"flex:{part:.5} 1 0\" title=\"{others} others: {}\">{others} others</span>",
            output::size(all - named)
        );
    }
    html + "</div>\n"
}

/// Returns the table row of a sprite.
fn line(i: usize, row: &Row<'_>, largest: u64, budget: f64) -> String {
    let sprite = row.sprite;
    let name = escaped(sprite.name());
    let [w, h] = sprite.frame_size(0).unwrap_or_default();
    let (angles, scales) = (sprite.angles(), sprite.scales());
    let error = match (row.stats.error, row.wanted_angles(budget)) {
        (None, _) => "never turns".to_owned(),
        (Some(error), None) => format!("{error:.2}"),
        (Some(error), Some(angles)) => {
            format!("<span class=\"over\">{error:.2}<br>{angles} angles</span>")
        }
    };
    let sorted_error = row.stats.error.map(|error| error.to_string()).unwrap_or_default();
    let (differ, sorted_differ) = match &row.stats.fidelity {
        None => ("<span title=\"not measured\">\u{2013}</span>".to_owned(), String::new()),
        Some(FidelityStats { share, distance, .. }) => {
            (format!("{:.2}%<br>{distance:.1} px", 100.0 * share), share.to_string())
        }
    };
    let mut html = format!(
        "<tr id=\"s-{i}\" data-name=\"{name}\" data-size=\"{}\" data-frames=\"{}\" data-solid=\"{}\" data-pieces=\"{}\" \
         data-angles=\"{angles}\" data-scales=\"{}\" data-error=\"{sorted_error}\" data-differ=\"{sorted_differ}\" data-bytes=\"{}\" \
         data-warnings=\"{}\" data-hints=\"{}\">",
        u64::from(w) * u64::from(h),
        row.frames.len(),
        row.solid,
        row.pieces,
        scales.len(),
        row.stats.mask_bytes,
        row.warnings.len(),
        row.hints.len()
    );
    html += "<td>";
    html += &pictures(&name, &row.frames);
    let _ = write!(html, "</td><th scope=\"row\">{name}");
    html += &(list("odd", &row.warnings) + &list("hints", &row.hints));
    html += "</th>";
    // Narrow windows show the title of the column in front of the value.
    let mut cell = |title: &str, value: &str| {
        let _ = write!(html, "<td class=\"n\" data-title=\"{title}\">{value}</td>");
    };
    cell("size", &format!("{w} x {h}"));
    cell("frames", &row.frames.len().to_string());
    cell("solid", &format!("{} px<br>{:.0}%", row.solid, 100.0 * row.share));
    cell("pieces", &format!("{}<br>{} corners", row.pieces, row.corners));
    cell("angles", &angles.to_string());
    cell("scales", &describe::scales(scales));
    cell("error, px", &error);
    cell("differ", &differ);
    let _ = write!(
        html,
        "<td class=\"n bar\" data-title=\"bytes\" style=\"--part:{:.1}%\" title=\"{} bytes\">{}</td>",
        100.0 * row.stats.mask_bytes as f64 / largest as f64,
        grouped(row.stats.mask_bytes as usize),
        output::size(row.stats.mask_bytes)
    );
    let mut cell = |title: &str, value: usize| {
        let _ = write!(html, "<td class=\"n\" data-title=\"{title}\">{value}</td>");
    };
    cell("warnings", row.warnings.len());
    cell("hints", row.hints.len());
    html + "</tr>\n"
}

fn pictures(name: &str, frames: &[Frame]) -> String {
    let each = frames.iter().enumerate().map(|(i, frame)| picture(name, i, frame));
    let each: Vec<String> = each.collect();
    let first = each.first().map_or("", String::as_str);
    if each.len() < 2 {
        return format!("<div class=\"frames\">{first}</div>");
    }
    format!(
        "<div class=\"frames\">{first}</div><details><summary>{} more frames</summary><div class=\"frames\">{}</div></details>",
        each.len() - 1,
        each[1..].concat()
    )
}

fn picture(name: &str, i: usize, frame: &Frame) -> String {
    let Frame { size: [w, h], pivot: [x, y], outlines, art } = frame;
    let (w, h) = (f64::from(*w), f64::from(*h));
    // Shows the image, a margin for the outline, and the pivot unless it is far away.
    let far = 2.0 * w.max(h);
    let near = |at: f64, side: f64| if at.abs() > far { side / 2.0 } else { at };
    let (px, py) = (near(*x, w), near(*y, h));
    let margin = 0.04 * w.max(h);
    let (x0, y0) = (px.min(0.0) - margin, py.min(0.0) - margin);
    let (x1, y1) = (px.max(w) + margin, py.max(h) + margin);
    let class = if art.is_some() { "" } else { " class=\"bare\"" };
    let mut svg = format!(
        "<svg{class} viewBox=\"{x0} {y0} {} {}\" role=\"img\" aria-label=\"{name}, frame {i}\">",
        x1 - x0,
        y1 - y0
    );
    if let Some(art) = art {
        let _ = write!(svg, "<image href=\"{art}\" width=\"{w}\" height=\"{h}\"/>");
    }
    for Outline { plane, path, pieces, transform } in outlines {
        // A tooltip with the plane's name, if there are several planes.
        let title = if outlines.len() > 1 {
            format!("<title>{}</title>", escaped(plane))
        } else {
            String::new()
        };
        let _ = write!(
            svg,
            "<g transform=\"{transform}\">{title}<path class=\"pieces\" d=\"{pieces}\"/><path class=\"halo\" d=\"{path}\"/><path class=\"edge\" d=\"{path}\"/></g>"
        );
    }
    let _ = write!(svg, "<path class=\"pivot\" d=\"M{x} {y}h0\"/></svg>");
    svg
}
