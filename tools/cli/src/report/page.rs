//! The HTML page of `hitmask report`: a single file, with a content security policy that blocks all
//! network access.

use super::outline::MAX_ERROR;
use super::row::{Frame, Outline, Row};
use crate::output::escaped;
use crate::sprite_stats::FidelityStats;
use crate::{describe, output};
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
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name}: hitmask report</title>\n<style>\n{}</style>\n</head>\n<body>\n\
         <header><div><h1>{name}</h1><p>Every sprite with the outline that collides.</p></div>\n\
         <label>Theme <select id=\"theme\"><option value=\"\">system</option>\
         <option value=\"light\">light</option><option value=\"dark\">dark</option></select></label></header>\n\
         <main>\n",
        include_str!("page.css")
    );
    html += "<dl class=\"facts\">";
    for (what, figure) in [
        ("sprites", grouped(rows.len() as u64)),
        ("frames", grouped(u64::from(subject.frames))),
        ("poses stored", grouped(u64::from(subject.poses))),
        ("size", output::size(subject.bytes)),
        (over.as_str(), grouped(turning as u64)),
        ("warnings", grouped(warnings as u64)),
        ("hints", grouped(hints as u64)),
    ] {
        let _ = write!(html, "<div><dt>{what}</dt><dd>{figure}</dd></div>");
    }
    html += "</dl>\n";
    html += &shares(rows);
    if !subject.others.is_empty() {
        html += "<h2>Other warnings</h2>\n<ul class=\"odd\">";
        for warning in &subject.others {
            let _ = write!(html, "<li>{}</li>", escaped(warning));
        }
        html += "</ul>\n";
    }
    html += TOOLS;
    let _ = write!(
        html,
        "<p id=\"how\">The line is the outline of the mask, the dot its pivot. Pieces: convex pieces \
         of the first frame for a physics engine, with an error of {MAX_ERROR} px, as hitmask export writes them. Error: largest distance of a \
         solid pixel from its position under exact rotation. Errors above {} px are marked, with the number of angles that would avoid them. \
         Bytes: size of the sprite's masks, including shared ones. Differ: pixels that differ between a stored pose and the mask under \
         exact rotation, as a share of the mask, and the largest distance between them. It is measured on the first frame \
         at 8 angles between steps.</p>\n<noscript><p>The rows are drawn by JavaScript.</p></noscript>\n\
         <table aria-label=\"Sprites\" aria-describedby=\"how\">\n<thead><tr><th scope=\"col\"><span>picture</span></th>",
        subject.budget
    );
    for (key, title) in COLUMNS {
        let class = if key == "name" { "" } else { " class=\"n\"" };
        let sort = if key == "name" { "ascending" } else { "none" };
        let _ = write!(
            html,
            "<th scope=\"col\"{class} data-key=\"{key}\" aria-sort=\"{sort}\"><button type=\"button\">{title}</button></th>"
        );
    }
    // The script takes rows from the template when they come into view. A template is parsed, but not laid
    // out, so that a page of thousands of sprites opens at once.
    html +=
        "</tr></thead>\n<tbody></tbody></table>\n<div id=\"more\"></div>\n<template id=\"rows\">\n";
    let largest = rows.iter().map(|row| row.stats.mask_bytes).max().unwrap_or(0).max(1);
    for (i, row) in rows.iter().enumerate() {
        html += &line(i, row, largest, subject.budget);
    }
    let _ = write!(
        html,
        "</template>\n<p id=\"none\" hidden>No sprite matches.</p>\n</main>\n<script>\n{}</script>\n</body>\n</html>\n",
        include_str!("page.js")
    );
    html
}

/// Sort keys and titles of the columns.
const COLUMNS: [(&str, &str); 12] = [
    ("name", "sprite"),
    ("size", "size"),
    ("frames", "frames"),
    ("solid", "solid"),
    ("pieces", "pieces"),
    ("angles", "angles"),
    ("scales", "scales"),
    ("error", "error, px"),
    ("differ", "differ"),
    ("bytes", "bytes"),
    ("warnings", "warnings"),
    ("hints", "hints"),
];

/// Search field and switches above the table.
const TOOLS: &str = "<div class=\"tools\" role=\"search\">\
    <label for=\"q\">Search</label><input id=\"q\" type=\"search\" placeholder=\"name, warning or hint\" autocomplete=\"off\" spellcheck=\"false\">\
    <label><input id=\"odd\" type=\"checkbox\"> warnings only</label>\
    <label><input id=\"art\" type=\"checkbox\" checked> art</label>\
    <label><input id=\"mask\" type=\"checkbox\" checked> outline</label>\
    <label><input id=\"pieces\" type=\"checkbox\" checked> pieces</label>\
    <label><input id=\"pivot\" type=\"checkbox\" checked> pivot</label>\
    <label>Pictures <input id=\"picture\" type=\"range\" min=\"48\" max=\"480\" step=\"16\" value=\"96\"></label>\
    <output id=\"count\" aria-live=\"polite\"></output></div>\n";

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
        None => ("not measured".to_owned(), String::new()),
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
    if !row.warnings.is_empty() {
        html += "<ul class=\"odd\">";
        for warning in &row.warnings {
            let _ = write!(html, "<li>{}</li>", escaped(warning));
        }
        html += "</ul>";
    }
    if !row.hints.is_empty() {
        html += "<ul class=\"hints\">";
        for hint in &row.hints {
            let _ = write!(html, "<li>{}</li>", escaped(hint));
        }
        html += "</ul>";
    }
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
        grouped(row.stats.mask_bytes),
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

/// Formats a number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let start = digits.len() % 3;
    let (head, tail) = digits.split_at(start);
    let groups = tail.as_bytes().chunks(3).map(|three| String::from_utf8_lossy(three).into_owned());
    let parts = (!head.is_empty()).then(|| head.to_owned()).into_iter().chain(groups);
    parts.collect::<Vec<_>>().join(",")
}
