//! Shapes in the JSON that PhysicsEditor writes for Phaser 3 and matter.js.

use super::data::to_json;
use super::frame::{self, Frame, names};
use crate::CliError;
use serde_json::{Value, json};

/// The key that files of PhysicsEditor begin with.
pub(super) const MARK: &str = "generator_info";

/// Largest distance from the middle of its box, as a part of the box, at which Phaser takes a centre of mass for
/// the middle.
const NEAR: f64 = 0.0001;

/// Returns a shape for each frame that has pieces, in units from the frame's top-left corner.
pub(super) fn text(frames: &[Frame<'_>], scale: f32) -> Result<String, CliError> {
    let info =
        format!("Shapes of hitmask {}, as PhysicsEditor writes them", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![format!("{}:{}", to_json(&MARK), to_json(&info))];
    for (frame, name) in frames.iter().zip(names(frames, MARK)?) {
        if frame.pieces.pieces.is_empty() {
            continue;
        }
        let vertices = |piece: &Vec<[f32; 2]>| -> Vec<Value> {
            // The shortest digits of f32, which a conversion to f64 would lose.
            let number = |v: f32| frame::number(v).parse::<f64>().unwrap_or_default();
            piece.iter().map(|&[x, y]| json!({ "x": number(x), "y": number(y) })).collect()
        };
        let pieces: Vec<Vec<Value>> = frame.pieces.pieces.iter().map(vertices).collect();
        let [x_offset, y_offset] = offset(frame, scale.into());
        let shape = json!({
            "type": "fromPhysicsEditor",
            "label": name,
            "isStatic": false,
            "density": 0.1,
            "restitution": 0.1,
            "friction": 0.1,
            "frictionAir": 0.01,
            "frictionStatic": 0.5,
            "collisionFilter": { "group": 0, "category": 1, "mask": 255 },
            "render": { "sprite": { "xOffset": x_offset, "yOffset": y_offset } },
            "fixtures": [{ "label": "", "isSensor": false, "vertices": pieces }],
        });
        lines.push(format!("{}:{shape}", to_json(&name)));
    }
    Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
}

/// Returns the offset that puts the picture onto its body, in sizes of the frame. Phaser puts the centre of mass
/// there by itself, but takes the middle of the picture where the centre of mass is the middle of its box.
fn offset(frame: &Frame<'_>, scale: f64) -> [f64; 2] {
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for piece in &frame.pieces.pieces {
        let corners: Vec<[f64; 2]> = piece.iter().map(|corner| corner.map(f64::from)).collect();
        for (i, &[x, y]) in corners.iter().enumerate() {
            let [next_x, next_y] = corners[(i + 1) % corners.len()];
            let twice = x * next_y - next_x * y;
            area += twice / 2.0;
            for (axis, sum) in [x + next_x, y + next_y].into_iter().enumerate() {
                moment[axis] += sum * twice / 6.0;
            }
            for (axis, at) in [x, y].into_iter().enumerate() {
                (low[axis], high[axis]) = (low[axis].min(at), high[axis].max(at));
            }
        }
    }
    let centre = moment.map(|moment| moment / area);
    let part = |axis: usize| (centre[axis] - low[axis]) / (high[axis] - low[axis]);
    if [0, 1].into_iter().any(|axis| (part(axis) - 0.5).abs() >= NEAR) {
        return [0.0; 2];
    }
    // What is smaller than the last decimal is a rounding error.
    let of_frame = |axis: usize| centre[axis] / (scale * f64::from(frame.source.size[axis])) - 0.5;
    [0, 1].map(|axis| (of_frame(axis) * 1e9).round() / 1e9 + 0.0)
}
