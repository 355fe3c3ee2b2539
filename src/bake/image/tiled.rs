//! Reads collision shapes from Tiled tilesets, `.tsx`: one sprite whose frame `i` is drawn from the
//! shapes of tile `i`.
//!
//! Called by `frame_source`. Supports rectangles, polygons and ellipses. The tile images are not
//! read. A tile without shapes is an empty frame. Points, lines and texts are ignored, because they
//! have no area.

use super::glob_walk::read_text;
use super::region::Region;
use super::tiled_shapes::Shape;
use crate::bake::solidify::{Frame, MAX_TEXELS};
use crate::bake::{BakeError, FrameFault};
use crate::mask::Mask;
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;

/// Largest number of tiles in a set. Guards against files of a few bytes that claim any number.
const MAX_TILES: u32 = 65_536;

/// Draws the frames of the tileset at `path`.
pub(super) fn frames(path: &Path) -> Result<Vec<Frame>, BakeError> {
    let text = read_text(path)?;
    let options = ParsingOptions { nodes_limit: 4_000_000, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).map_err(|e| {
        let at = e.pos();
        let cause = e.to_string();
        let cause = cause.rsplit_once(" at ").map_or(cause.as_str(), |(cause, _)| cause);
        (at.row as usize, at.col as usize, cause.to_owned())
    });
    let wrong =
        |(line, column, cause)| BakeError::Text { path: path.to_owned(), line, column, cause };
    let document = document.map_err(wrong)?;
    let set = document.root_element();
    let reader = Reader { path, document: &document };
    if !set.has_tag_name("tileset") {
        return Err(reader.wrong(set, "the root element is not a tileset".to_owned()));
    }
    let size = [reader.number(set, "tilewidth", 0.0)?, reader.number(set, "tileheight", 0.0)?];
    let mut tiles = Vec::new();
    for tile in set.children().filter(|node| node.has_tag_name("tile")) {
        let id = reader.number(tile, "id", f64::NAN)?;
        if !(0.0..f64::from(MAX_TILES)).contains(&id) || id.fract() != 0.0 {
            let cause = format!("a tile id must be from 0 to {}", MAX_TILES - 1);
            return Err(reader.wrong(tile, cause));
        }
        tiles.push((id as u32, tile));
    }
    let declared_count = reader.number(set, "tilecount", 0.0)?;
    if !(0.0..=f64::from(MAX_TILES)).contains(&declared_count) {
        return Err(reader.wrong(set, format!("a tileset has at most {MAX_TILES} tiles")));
    }
    let count = tiles.iter().map(|&(id, _)| id + 1).fold(declared_count as u32, u32::max);
    let [width, height] = reader.checked(size, 0)?;
    let mut texels = u64::from(width) * u64::from(height) * u64::from(count);
    let mut frames = Vec::new();
    for id in 0..if texels > MAX_TEXELS { 0 } else { count } {
        frames.push(Frame::of(reader.blank(size, id)?));
    }
    for (id, tile) in tiles {
        let size = reader.size(tile, size)?;
        let [width, height] = reader.checked(size, id)?;
        texels += u64::from(width) * u64::from(height);
        // Checked before the mask is allocated, because a few bytes can claim more than the memory.
        if texels > MAX_TEXELS {
            break;
        }
        frames[id as usize] = Frame::of(reader.tile(tile, size, id)?);
    }
    if texels > MAX_TEXELS {
        return Err(BakeError::TooManyTexels { path: path.to_owned() });
    }
    Ok(frames)
}

struct Reader<'a> {
    path: &'a Path,
    document: &'a Document<'a>,
}

impl Reader<'_> {
    fn wrong(&self, node: Node<'_, '_>, cause: String) -> BakeError {
        let at = self.document.text_pos_at(node.range().start);
        let (line, column) = (at.row as usize, at.col as usize);
        BakeError::Text { path: self.path.to_owned(), line, column, cause }
    }

    fn number(&self, node: Node<'_, '_>, name: &str, default: f64) -> Result<f64, BakeError> {
        match node.attribute(name).map(|text| text.trim().parse::<f64>()) {
            None => Ok(default),
            Some(Ok(number)) if number.is_finite() => Ok(number),
            Some(_) => Err(self.wrong(node, format!("{name} is not a number"))),
        }
    }

    /// Returns width and height of a tile as whole numbers.
    fn checked(&self, size: [f64; 2], id: u32) -> Result<[u32; 2], BakeError> {
        let region = Region { size, frame: size, ..Region::default() };
        region.checked(self.path, &id.to_string()).map(|cut| cut.frame)
    }

    fn blank(&self, size: [f64; 2], id: u32) -> Result<Mask, BakeError> {
        let [width, height] = self.checked(size, id)?;
        Mask::new(width, height).map_err(|_| BakeError::Frame {
            path: self.path.to_owned(),
            frame: id.to_string(),
            fault: FrameFault::TooLarge,
        })
    }

    /// Returns the size of a tile: its own in a collection of images, else that of the set.
    fn size(&self, tile: Node<'_, '_>, size: [f64; 2]) -> Result<[f64; 2], BakeError> {
        match tile.children().find(|node| node.has_tag_name("image")) {
            Some(image) => {
                Ok([self.number(image, "width", size[0])?, self.number(image, "height", size[1])?])
            }
            None => Ok(size),
        }
    }

    fn tile(&self, tile: Node<'_, '_>, size: [f64; 2], id: u32) -> Result<Mask, BakeError> {
        let child = |name| tile.children().find(|node: &Node<'_, '_>| node.has_tag_name(name));
        let mut mask = self.blank(size, id)?;
        let objects = child("objectgroup").into_iter().flat_map(|group| group.children());
        for object in objects.filter(|node| node.has_tag_name("object")) {
            if let Some(shape) = self.shape(object)? {
                shape.draw(&mut mask);
            }
        }
        Ok(mask)
    }

    /// Returns the shape of an object, or `None` if it has no area.
    fn shape(&self, object: Node<'_, '_>) -> Result<Option<Shape>, BakeError> {
        let number = |name| self.number(object, name, 0.0);
        let (corner, size) = ([number("x")?, number("y")?], [number("width")?, number("height")?]);
        let turn = cos_sin(number("rotation")?);
        let [cos, sin] = turn;
        let turned =
            |[x, y]: [f64; 2]| [corner[0] + x * cos - y * sin, corner[1] + x * sin + y * cos];
        let child = |name| object.children().find(|node: &Node<'_, '_>| node.has_tag_name(name));
        if ["point", "polyline", "text"].into_iter().any(|name| child(name).is_some()) {
            return Ok(None);
        }
        if child("ellipse").is_some() {
            return Ok(Some(Shape::Ellipse { corner, size, turn }));
        }
        let points = match child("polygon") {
            Some(polygon) => self.points(polygon)?,
            None => vec![[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]],
        };
        Ok(Some(Shape::Polygon(points.into_iter().map(turned).collect())))
    }

    fn points(&self, polygon: Node<'_, '_>) -> Result<Vec<[f64; 2]>, BakeError> {
        let point = |pair: &str| {
            let (x, y) = pair.split_once(',')?;
            let point = [x.trim().parse().ok()?, y.trim().parse().ok()?];
            point.iter().all(|v: &f64| v.is_finite()).then_some(point)
        };
        let points = polygon.attribute("points").unwrap_or_default();
        let points: Option<Vec<_>> = points.split_ascii_whitespace().map(point).collect();
        points.ok_or_else(|| self.wrong(polygon, "points must be pairs such as 0,0 8,4".to_owned()))
    }
}

/// Returns cosine and sine of an angle in degrees. Exact at quarter turns. Otherwise rounded, so
/// that differences between systems in the last bit change no pixel.
fn cos_sin(degrees: f64) -> [f64; 2] {
    const ROUNDING_STEPS: f64 = (1_u64 << 40) as f64;
    let radians = degrees.rem_euclid(360.0).to_radians();
    [radians.cos(), radians.sin()].map(|v| (v * ROUNDING_STEPS).round() / ROUNDING_STEPS)
}
