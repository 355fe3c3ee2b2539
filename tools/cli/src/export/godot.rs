//! Shapes as a scene of Godot. Format 2 is that of Godot 3, which Godot 4 reads too.

use super::frame::{Frame, number};
use std::collections::HashSet;
use std::fmt::Write;

/// The tag that scenes begin with.
pub(super) const MARK: &str = "[gd_scene";

/// Returns a scene with a body for each frame that has pieces, at the frame's pivot. The first frame
/// of a sprite is active; the others are disabled and hidden.
pub(super) fn text(frames: &[Frame<'_>]) -> String {
    let mut text = format!("{MARK} format=2]\n\n[node name=\"shapes\" type=\"Node2D\"]\n");
    let mut seen = HashSet::new();
    for frame in frames.iter().filter(|frame| !frame.pieces.pieces.is_empty()) {
        let body = unique(node_name(frame), &mut seen);
        let is_later = frame.source.index > 0;
        let hidden = if is_later { "visible = false\n" } else { "" };
        let disabled = if is_later { "disabled = true\n" } else { "" };
        let _ =
            write!(text, "\n[node name=\"{body}\" type=\"StaticBody2D\" parent=\".\"]\n{hidden}");
        for (i, piece) in frame.pieces.pieces.iter().enumerate() {
            let corners: Vec<String> = piece.iter().flatten().map(|&v| number(v)).collect();
            let _ = write!(
                text,
                "\n[node name=\"piece{i}\" type=\"CollisionPolygon2D\" parent=\"{body}\"]\n\
                 polygon = PoolVector2Array( {} )\n{disabled}",
                corners.join(", ")
            );
        }
    }
    text
}

/// Returns the name of a frame without characters that names of nodes cannot have.
fn node_name(frame: &Frame<'_>) -> String {
    frame.numbered_name().replace(|c: char| ".:@/\"%\\".contains(c), "_")
}

/// Adds a number to a name that another node has.
fn unique(name: String, seen: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !seen.contains(name));
    let free = free.unwrap_or(name);
    seen.insert(free.clone());
    free
}
