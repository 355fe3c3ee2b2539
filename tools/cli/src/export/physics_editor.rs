//! Shapes in the JSON that PhysicsEditor writes for Phaser 3 and matter.js.

use super::data::to_json;
use super::frame::Frame;
use super::names;
use crate::CliError;
use serde_json::{Value, json};

/// The key that files of PhysicsEditor begin with.
pub(super) const MARK: &str = "generator_info";

/// Returns a shape for each frame that has pieces, in pixels from the frame's top-left corner.
pub(super) fn text(frames: &[Frame<'_>]) -> Result<String, CliError> {
    let info =
        format!("Shapes of hitmask {}, as PhysicsEditor writes them", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![format!("{}:{}", to_json(&MARK), to_json(&info))];
    for (frame, name) in frames.iter().zip(names(frames, MARK)?) {
        if frame.pieces.pieces.is_empty() {
            continue;
        }
        let vertices = |piece: &Vec<[f32; 2]>| -> Vec<Value> {
            // The shortest digits of f32, which a conversion to f64 would lose.
            let number = |v: f32| super::number(v).parse::<f64>().unwrap_or_default();
            piece.iter().map(|&[x, y]| json!({ "x": number(x), "y": number(y) })).collect()
        };
        let pieces: Vec<Vec<Value>> = frame.pieces.pieces.iter().map(vertices).collect();
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
            "fixtures": [{ "label": "", "isSensor": false, "vertices": pieces }],
        });
        lines.push(format!("{}:{shape}", to_json(&name)));
    }
    Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
}
