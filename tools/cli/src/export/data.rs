//! Shapes as data: JSON, and the same as a Lua table. The chapter `cli.md` of the guide documents both.

use super::frame::Frame;
use hitmask::{Fit, ShapeOptions};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// Number of the layout. It grows with each change that a reader notices.
const VERSION: u32 = 1;

/// How a JSON file begins.
pub(super) const JSON_MARK: &str = "{\"generator\":\"hitmask ";

/// How a Lua file begins.
pub(super) const LUA_MARK: &str = "-- hitmask ";

const RELEASE: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize)]
struct Head {
    generator: String,
    version: u32,
    scale: f32,
    y_up: bool,
    max_error: f32,
    fit: &'static str,
    min_area: u32,
    max_corners: u32,
    min_width: f32,
}

#[derive(Serialize)]
struct Shape {
    size: [u32; 2],
    pivot: [f32; 2],
    polygons: Vec<Polygon>,
    pieces: Vec<Vec<f32>>,
    mass: Mass,
    left_out: LeftOut,
}

#[derive(Serialize)]
struct Polygon {
    border: Vec<f32>,
    holes: Vec<Vec<f32>>,
}

#[derive(Serialize)]
struct Mass {
    area: f64,
    centroid: [f64; 2],
    inertia: f64,
}

#[derive(Serialize)]
struct LeftOut {
    islands: u32,
    holes: u32,
    pieces: u32,
    pieces_area: f64,
}

/// Returns x and y of each corner, one after the other.
fn flat(corners: &[[f32; 2]]) -> Vec<f32> {
    corners.iter().flatten().map(|v| v + 0.0).collect()
}

impl Shape {
    fn of(frame: &Frame<'_>) -> Self {
        let polygon = |polygon: &hitmask::ShapePolygon| Polygon {
            border: flat(&polygon.border),
            holes: polygon.holes.iter().map(|hole| flat(hole)).collect(),
        };
        let hitmask::Mass { area, centroid, inertia } = frame.mass;
        let [islands, holes] = frame.left_out;
        Self {
            size: frame.source.size,
            pivot: frame.source.pivot,
            polygons: frame.polygons.iter().map(polygon).collect(),
            pieces: frame.pieces.pieces.iter().map(|piece| flat(piece)).collect(),
            mass: Mass { area, centroid, inertia },
            left_out: LeftOut {
                islands,
                holes,
                pieces: frame.pieces.left_out,
                pieces_area: frame.pieces.left_out_area,
            },
        }
    }
}

impl Head {
    fn of(options: &ShapeOptions) -> Self {
        let &ShapeOptions { max_error, fit, min_area, max_corners, min_width, scale, y_up, .. } =
            options;
        let fit = match fit {
            Fit::Nearest => "nearest",
            Fit::Outside => "outside",
            Fit::Inside => "inside",
        };
        let generator = format!("hitmask {RELEASE}");
        Self {
            generator,
            version: VERSION,
            scale,
            y_up,
            max_error,
            fit,
            min_area,
            max_corners,
            min_width,
        }
    }
}

/// Returns the frames by sprite.
pub(super) fn by_sprite<'f, 'a>(frames: &'f [Frame<'a>]) -> impl Iterator<Item = &'f [Frame<'a>]> {
    frames.chunk_by(|a, b| a.source.name == b.source.name)
}

/// Returns a JSON text with a line for each frame.
pub(super) fn json(frames: &[Frame<'_>], options: &ShapeOptions) -> String {
    let line = |frame: &Frame<'_>| to_json(&Shape::of(frame));
    let sprite = |frames: &[Frame<'_>]| {
        let lines: Vec<String> = frames.iter().map(line).collect();
        format!("{}:{{\"frames\":[\n{}\n]}}", to_json(&frames[0].source.name), lines.join(",\n"))
    };
    let sprites: Vec<String> = by_sprite(frames).map(sprite).collect();
    let head = to_json(&Head::of(options));
    let head = head.trim_end_matches('}');
    format!("{head},\"sprites\":{{\n{}\n}}}}\n", sprites.join(",\n"))
}

/// Formats a value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and finite numbers are JSON")
}

/// Largest number of tables that a function of Lua makes. LuaJIT has at most 65,536 constants in one.
const TABLES_PER_FUNCTION: usize = 4096;

/// Formats a value as Lua.
fn to_lua(value: &Value) -> String {
    match value {
        Value::Object(keys) => {
            let keys = keys.iter().map(|(key, value)| format!("{key}={}", to_lua(value)));
            format!("{{{}}}", keys.collect::<Vec<_>>().join(","))
        }
        Value::Array(all) => joined(all.iter().map(to_lua).collect()),
        Value::String(text) => quoted(text),
        number => number.to_string(),
    }
}

/// Returns what a type is as JSON. Numbers have the shortest digits of `f32`, which a conversion would lose.
fn value_of(value: &impl Serialize) -> Value {
    serde_json::from_str(&to_json(value)).expect("its own JSON")
}

/// Returns a Lua table of these values.
fn joined(tables: Vec<String>) -> String {
    let part = |tables: &[String]| format!("{{{}}}", tables.join(","));
    if tables.len() <= TABLES_PER_FUNCTION {
        return part(&tables);
    }
    let parts = tables.chunks(TABLES_PER_FUNCTION);
    let parts: Vec<String> =
        parts.map(|tables| format!("(function() return {} end)()", part(tables))).collect();
    format!("join{{{}}}", parts.join(","))
}

/// Joins the tables of [`joined`].
const JOIN: &str = "local function join(parts)\nlocal all={}\nfor _,part in ipairs(parts) do \
                    for _,each in ipairs(part) do all[#all+1]=each end end\nreturn all\nend\n";

/// Returns a Lua chunk with a line for each frame, which is made in a function of its own.
pub(super) fn lua(frames: &[Frame<'_>], options: &ShapeOptions) -> String {
    let head = to_lua(&value_of(&Head::of(options)));
    let head = head.trim_end_matches('}');
    let mut text = format!(
        "{LUA_MARK}{RELEASE}: shapes of sprites, such as for love.physics\n{JOIN}return {head},sprites={{\n"
    );
    for frames in by_sprite(frames) {
        let _ = writeln!(text, "[{}]={{frames={{", quoted(frames[0].source.name));
        for frame in frames {
            let shape = to_lua(&value_of(&Shape::of(frame)));
            let _ = writeln!(text, "(function() return {shape} end)(),");
        }
        text += "}},\n";
    }
    text + "}}\n"
}

/// Formats a text as a Lua string. Names of sprites have no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
