//! Shapes as data: JSON, and the same as a Lua table. The README of this crate documents both.

use super::frame::Frame;
use super::number;
use hitmask::{Fit, ShapeOptions};
use serde::Serialize;
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
            size: frame.size,
            pivot: frame.pivot,
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

    fn lua(&self) -> String {
        let Self { size: [w, h], pivot: [px, py], polygons, pieces, mass, left_out } = self;
        let list = |numbers: &Vec<f32>| {
            let numbers: Vec<String> = numbers.iter().map(|&v| number(v)).collect();
            format!("{{{}}}", numbers.join(","))
        };
        let lists = |all: &[Vec<f32>]| joined(all.iter().map(list).collect());
        let polygon = |Polygon { border, holes }: &Polygon| {
            format!("{{border={},holes={}}}", list(border), lists(holes))
        };
        let polygons = joined(polygons.iter().map(polygon).collect());
        let Mass { area, centroid: [cx, cy], inertia } = mass;
        let LeftOut { islands, holes, pieces: thin, pieces_area } = left_out;
        format!(
            "{{size={{{w},{h}}},pivot={{{px},{py}}},polygons={polygons},pieces={},\
             mass={{area={area},centroid={{{cx},{cy}}},inertia={inertia}}},\
             left_out={{islands={islands},holes={holes},pieces={thin},pieces_area={pieces_area}}}}}",
            lists(pieces)
        )
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
    frames.chunk_by(|a, b| a.sprite.name() == b.sprite.name())
}

/// Returns a JSON text with a line for each frame.
pub(super) fn json(frames: &[Frame<'_>], options: &ShapeOptions) -> String {
    let line = |frame: &Frame<'_>| to_json(&Shape::of(frame));
    let sprite = |frames: &[Frame<'_>]| {
        let lines: Vec<String> = frames.iter().map(line).collect();
        format!("{}:{{\"frames\":[\n{}\n]}}", to_json(&frames[0].sprite.name()), lines.join(",\n"))
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

/// Returns a Lua table of these tables.
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
    let Head { version, scale, y_up, max_error, fit, min_area, max_corners, min_width, .. } =
        Head::of(options);
    let mut text = format!(
        "{LUA_MARK}{RELEASE}: shapes of sprites, such as for love.physics\n{JOIN}return {{\nversion={version},\
         scale={scale},y_up={y_up},max_error={max_error},fit=\"{fit}\",min_area={min_area},\
         max_corners={max_corners},min_width={min_width},sprites={{\n"
    );
    for frames in by_sprite(frames) {
        let _ = writeln!(text, "[{}]={{frames={{", quoted(frames[0].sprite.name()));
        for frame in frames {
            let _ = writeln!(text, "(function() return {} end)(),", Shape::of(frame).lua());
        }
        text += "}},\n";
    }
    text + "}}\n"
}

/// Formats a text as a Lua string. Names of sprites have no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
