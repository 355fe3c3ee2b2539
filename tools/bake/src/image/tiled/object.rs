//! Reads objects, which are the collision shapes of a tile, and the templates that they name.
//!
//! Called by `tileset`. As in Tiled, an object's own size, rotation and shape override those of its
//! template, and its position never comes from the template.

use super::element::{Element, Known};
use super::shape::{Basis, Shape};
use super::{json, xml};
use crate::error::BakeError;
use crate::text::Text;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Largest number of templates that are based on each other.
const MAX_CHAIN: usize = 16;

/// Elements and keys of an object's shape. A rectangle has none of them.
const SHAPES: [&str; 6] = ["polygon", "polyline", "ellipse", "capsule", "point", "text"];

/// `visible` and `opacity` concern the editor: a hidden object is a collision shape too.
const OBJECT: Known = Known {
    attributes: &[
        "id", "name", "type", "class", "x", "y", "width", "height", "rotation", "gid", "visible",
        "opacity", "template",
    ],
    children: &[
        "properties",
        "propertytypes",
        "polygon",
        "polyline",
        "ellipse",
        "capsule",
        "point",
        "text",
    ],
};

const TEMPLATE: Known = Known { attributes: &["type"], children: &["object", "tileset"] };

/// Returns the text of the file at `path` and its root element. The format follows the first
/// character, because a tileset of one format may use templates of the other.
pub(crate) fn read(path: &Path) -> Result<(Text, Element), BakeError> {
    let source = Text::read(path)?;
    let is_json = source.text.trim_start().starts_with(['{', '[']);
    let root = if is_json { json::parse(&source) } else { xml::parse(&source) }?;
    Ok((source, root))
}

/// The properties of an object or template. `None` means those of its template.
#[derive(Clone, Default)]
pub(crate) struct Object {
    pub(crate) name: Option<String>,
    pub(crate) class: Option<String>,
    /// Those of the template that the object does not have itself come last.
    pub(crate) properties: Vec<(String, String)>,
    pub(crate) size: Option<[f64; 2]>,
    pub(crate) degrees: Option<f64>,
    pub(crate) form: Option<Form>,
}

#[derive(Clone)]
pub(crate) enum Form {
    /// Points, lines and texts.
    WithoutArea,
    Polygon(Rc<[[f64; 2]]>),
    Ellipse,
    Capsule,
    /// The picture of a tile, by its global number.
    Tile {
        gid: u32,
        set: TileNumbers,
    },
}

/// The tilesets that count a global number of a tile.
#[derive(Clone)]
pub(crate) enum TileNumbers {
    /// Those of the map.
    Map,
    /// The tileset of a template: its path, and its first global number.
    Template(PathBuf, u32),
}

impl Form {
    /// Returns the shape of an object of a size, in its own coordinate system. `None` if it has no area of
    /// its own.
    pub(crate) fn shape(form: Option<&Self>, basis: Basis, size: [f64; 2]) -> Option<Shape> {
        Some(match form {
            Some(Self::WithoutArea | Self::Tile { .. }) => return None,
            Some(Self::Polygon(points)) => {
                Shape::Polygon(points.iter().map(|&point| basis.at(point)).collect())
            }
            Some(Self::Ellipse) => Shape::Ellipse { basis, size },
            Some(Self::Capsule) => Shape::Capsule { basis, size },
            None => Shape::rectangle(&basis, [0.0, 0.0], size),
        })
    }
}

/// The templates that a tileset or a map names.
#[derive(Default)]
pub(crate) struct Templates {
    by_path: BTreeMap<PathBuf, Object>,
    /// Counts the objects with content that is not read, instead of refusing them.
    is_lenient: bool,
    /// Their number, and what is not read of the first one.
    pub(crate) unread: (u32, String),
}

impl Templates {
    /// Returns no templates yet. Objects with content that is not read are counted.
    pub(crate) fn of_map() -> Self {
        Self { is_lenient: true, ..Self::default() }
    }

    /// Returns the paths of all templates that have been read.
    pub(crate) fn into_paths(self) -> impl Iterator<Item = PathBuf> {
        self.by_path.into_keys()
    }

    /// Passes over content of an object that is not read, or returns its error.
    fn pass(&mut self, error: BakeError) -> Result<(), BakeError> {
        if !self.is_lenient {
            return Err(error);
        }
        if self.unread.0 == 0 {
            self.unread.1 = error.to_string();
        }
        self.unread.0 = self.unread.0.saturating_add(1);
        Ok(())
    }

    /// Returns the shape of an object, or `None` if it has no area. `ground` is the coordinate
    /// system of the objects.
    pub(super) fn shape(
        &mut self,
        source: &Text,
        element: &Element,
        ground: &Basis,
    ) -> Result<Option<Shape>, BakeError> {
        let object = self.object(source, element)?;
        if let Some(Form::Tile { .. }) = object.form {
            let cause = "an object is a tile (gid), and the image of the tile is its shape";
            let remedy = "replace the object by a rectangle or polygon";
            self.pass(source.refused(element.at, cause, remedy))?;
            return Ok(None);
        }
        let basis = ground.moved(source.pair(element, ["x", "y"])?);
        let basis = basis.turned(cos_sin(object.degrees.unwrap_or(0.0)));
        Ok(Form::shape(object.form.as_ref(), basis, object.size.unwrap_or_default()))
    }

    /// Returns an object with what it takes from its template.
    pub(crate) fn object(&mut self, source: &Text, element: &Element) -> Result<Object, BakeError> {
        self.object_at(source, element, 0)
    }

    fn object_at(
        &mut self,
        source: &Text,
        element: &Element,
        depth: usize,
    ) -> Result<Object, BakeError> {
        source.check(element, &OBJECT).or_else(|error| self.pass(error))?;
        let base = match element.attribute("template") {
            None | Some("") => None,
            Some(named) => Some(self.template(source, element, named, depth)?),
        };
        let own = [source.number(element, "width")?, source.number(element, "height")?];
        let size = match (own, &base) {
            ([None, None], _) => None,
            ([Some(width), Some(height)], Some(_)) if width > 0.0 && height > 0.0 => {
                Some([width, height])
            }
            // Tiled takes the template's size then, but the object asks for another one.
            (_, Some(_)) => {
                let cause = "an object with a template gives half a size or an empty one";
                let remedy = "give both width and height, above 0, or neither";
                self.pass(source.refused(element.at, cause, remedy))?;
                None
            }
            ([width, height], None) => Some([width.unwrap_or(0.0), height.unwrap_or(0.0)]),
        };
        let is_lenient = self.is_lenient;
        let (degrees, mut form) =
            (source.number(element, "rotation")?, form(source, element, is_lenient)?);
        let gid = source.number(element, "gid")?.unwrap_or(0.0);
        if gid != 0.0 {
            if gid.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&gid) {
                return Err(source.malformed(element.at, format!("{gid} is no number of a tile")));
            }
            form = Some(Form::Tile { gid: gid as u32, set: TileNumbers::Map });
        }
        let base = base.unwrap_or_default();
        let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let mut properties = element.properties();
        inherit(&mut properties, &base.properties);
        Ok(Object {
            name: text(element.attribute("name")).or(base.name),
            class: text(element.class()).or(base.class),
            properties,
            size: size.or(base.size),
            degrees: degrees.or(base.degrees),
            form: form.or(base.form),
        })
    }

    /// Returns the object of the template that `element` names. The path is relative to the file
    /// that names it.
    fn template(
        &mut self,
        source: &Text,
        element: &Element,
        named: &str,
        depth: usize,
    ) -> Result<Object, BakeError> {
        let help =
            "put the template at that path, relative to the file, or detach the object in Tiled";
        let path = source.beside(element, ("template", named), help)?;
        if let Some(object) = self.by_path.get(&path) {
            return Ok(object.clone());
        }
        if depth == MAX_CHAIN {
            let cause = format!("{named:?} is the end of a chain of over {MAX_CHAIN} templates");
            let remedy = "base templates on a shape, not on each other";
            return Err(source.refused(element.at, cause, remedy));
        }
        let object = self.template_at(&path, depth)?;
        self.by_path.insert(path, object.clone());
        Ok(object)
    }

    fn template_at(&mut self, path: &Path, depth: usize) -> Result<Object, BakeError> {
        let (source, root) = read(path)?;
        if root.name != "template" {
            let cause = format!("the file is a {:?}, not a template", root.name);
            return Err(source.malformed(root.at, cause));
        }
        source.check(&root, &TEMPLATE)?;
        match source.child(&root, "object")? {
            Some(element) => {
                let mut object = self.object_at(&source, element, depth.saturating_add(1))?;
                if let Some(Form::Tile { set, .. }) = &mut object.form {
                    let tileset = source.child(&root, "tileset")?;
                    let named = tileset.and_then(|set| Some((set, set.attribute("source")?)));
                    let Some((tileset, named)) = named else {
                        let cause = "the template shows a tile, but names no tileset";
                        return Err(source.malformed(element.at, cause));
                    };
                    let first = source.number(tileset, "firstgid")?.unwrap_or(1.0);
                    let path = path.with_file_name("").join(named.replace('\\', "/"));
                    // A first number out of range leaves no tile.
                    *set = TileNumbers::Template(path, first as u32);
                }
                Ok(object)
            }
            None => Err(source.malformed(root.at, "the template has no object".to_owned())),
        }
    }
}

/// Appends the properties that are not there yet.
pub(crate) fn inherit(properties: &mut Vec<(String, String)>, from: &[(String, String)]) {
    for (key, value) in from {
        if !properties.iter().any(|(known, _)| known == key) {
            properties.push((key.clone(), value.clone()));
        }
    }
}

/// Returns the shape that the element itself has.
fn form(source: &Text, element: &Element, is_lenient: bool) -> Result<Option<Form>, BakeError> {
    let mut shapes = element.children.iter().filter(|it| SHAPES.contains(&it.name.as_str()));
    let Some(shape) = shapes.next() else { return Ok(None) };
    if let Some(second) = shapes.next() {
        let cause = format!("an object is both {} and {}", shape.name, second.name);
        return Err(source.refused(second.at, cause, "make two objects of it"));
    }
    let is_list = shape.name.starts_with("poly");
    if shape.name != "text" && !is_lenient {
        let attributes: &[_] = if is_list { &["points"] } else { &[] };
        source.check(shape, &Known { attributes, children: &[] })?;
    }
    let points = if is_list { points(source, shape)? } else { Vec::new() };
    Ok(Some(match shape.name.as_str() {
        "polygon" => Form::Polygon(points.into()),
        "ellipse" => Form::Ellipse,
        "capsule" => Form::Capsule,
        _ => Form::WithoutArea,
    }))
}

fn points(source: &Text, polygon: &Element) -> Result<Vec<[f64; 2]>, BakeError> {
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        let point = [x.trim().parse().ok()?, y.trim().parse().ok()?];
        point.iter().all(|v: &f64| v.is_finite()).then_some(point)
    };
    let points = polygon.attribute("points").unwrap_or_default();
    let points: Option<Vec<_>> = points.split_ascii_whitespace().map(point).collect();
    points.ok_or_else(|| {
        source.malformed(polygon.at, "points must be pairs such as 0,0 8,4".to_owned())
    })
}

/// Returns cosine and sine of an angle in degrees. Exact at quarter turns. Otherwise rounded, so
/// that differences between systems in the last bit change no pixel.
pub(crate) fn cos_sin(degrees: f64) -> [f64; 2] {
    const ROUNDING_STEPS: f64 = (1_u64 << 40) as f64;
    let radians = degrees.rem_euclid(360.0).to_radians();
    [radians.cos(), radians.sin()].map(|v| (v * ROUNDING_STEPS).round() / ROUNDING_STEPS)
}
