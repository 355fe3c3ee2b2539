//! A picture of shapes: pixels in grey, pieces in colours, polygons as lines, and the pivot as a dot.

use super::frame::Frame;
use crate::output::{self, escaped};
use crate::svg_path::{closed, outline};
use std::fmt::Write;

/// Side of the square that a frame fills, and the space around it.
const SIDE: f32 = 240.0;
const GAP: f32 = 20.0;
/// Height of the caption.
const CAPTION: f32 = 36.0;
/// Longest part of a name that fits below a picture.
const NAME: usize = 30;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#1b1d22}.px{fill:#cfcdc6}\
    .piece,.ring{vector-effect:non-scaling-stroke;stroke-linejoin:round}\
    .piece{fill-opacity:.45;stroke:#1b1d22;stroke-width:.5}.ring{fill:none;stroke:#ff2d78;stroke-width:1.5}\
    .pivot{vector-effect:non-scaling-stroke;stroke:#00b3a4;stroke-width:6;stroke-linecap:round}";

pub(super) fn text(frames: &[Frame<'_>]) -> String {
    let columns = (frames.len() as f32).sqrt().ceil().clamp(1.0, 6.0) as usize;
    let rows = frames.len().div_ceil(columns);
    let [across, down] = [SIDE + GAP, SIDE + GAP + CAPTION];
    let (width, height) = (GAP + columns as f32 * across, GAP + rows as f32 * down);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>{STYLE}</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fbfaf7\"/>\n"
    );
    for (i, frame) in frames.iter().enumerate() {
        let x = GAP + (i % columns) as f32 * across;
        let y = GAP + (i / columns) as f32 * down;
        svg += &picture(frame, [x, y]);
    }
    svg + "</svg>\n"
}

fn picture(frame: &Frame<'_>, [x, y]: [f32; 2]) -> String {
    let [w, h] = frame.source.size;
    let zoom = (SIDE / w.max(h).max(1) as f32).min(16.0);
    let name = frame.source.name;
    let shown: String = name.chars().take(NAME).collect();
    let more = if name.chars().count() > NAME { "\u{2026}" } else { "" };
    let number_of = if frame.source.frame_count > 1 {
        format!(", frame {}", frame.source.index)
    } else {
        String::new()
    };
    let (corners, pieces) = (frame.corner_count(), frame.pieces.pieces.len());
    let mut svg = format!(
        "<g transform=\"translate({x} {y})\"><title>{}</title><g transform=\"scale({zoom})\">\
         <path class=\"px\" fill-rule=\"evenodd\" transform=\"translate({} {})\" d=\"{}\"/>",
        escaped(name),
        frame.source.corner.x,
        frame.source.corner.y,
        outline(frame.source.mask)
    );
    for (i, piece) in frame.pieces.pieces.iter().enumerate() {
        // The golden angle makes neighbouring numbers differ.
        let hue = i * 137 % 360;
        let _ = write!(
            svg,
            "<path class=\"piece\" fill=\"hsl({hue},70%,60%)\" d=\"{}\"/>",
            closed(piece)
        );
    }
    for polygon in &frame.polygons {
        let holes: String = polygon.holes.iter().map(|hole| closed(hole)).collect();
        let _ = write!(svg, "<path class=\"ring\" d=\"{}{holes}\"/>", closed(&polygon.border));
    }
    let [px, py] = frame.source.pivot;
    let _ = writeln!(
        svg,
        "<path class=\"pivot\" d=\"M{px} {py}h0\"/></g><text y=\"{}\">{}{more}{number_of}</text>\
         <text y=\"{}\">{w} x {h} px, {}, {}</text></g>",
        SIDE + 16.0,
        escaped(&shown),
        SIDE + 32.0,
        output::count(corners, "corner"),
        output::count(pieces, "piece")
    );
    svg
}
