//! Reads a tileset, and draws the shapes of its tiles.
//!
//! Called by `frame_source`.

use super::element::{Element, Known};
use super::object::{self, Templates};
use super::shape::{Basis, Shape};
use crate::error::BakeError;
use crate::image::cut::Region;
use crate::image::frame_fault::FrameFault;
use crate::limits::{BakeLimits, Cost};
use crate::text::Text;
use hitmask::Mask;
use hitmask::baking::Frame;
use std::path::{Path, PathBuf};

/// Largest number of tiles in a set. Guards against files of a few bytes that claim any number.
const MAX_TILES: u32 = 65_536;

/// Limit on the work of drawing one file: rows that sides cross, and words of 64 pixels that shapes
/// cover. About 1 s.
const MAX_WORK: u64 = 1 << 29;

/// Attributes and children whose values change no shape, besides those that are read. Offsets,
/// alignments and fill modes concern the drawing of tiles on a map.
const TILESET: Known = Known {
    attributes: &[
        "firstgid",
        "name",
        "class",
        "type",
        "tilewidth",
        "tileheight",
        "spacing",
        "margin",
        "tilecount",
        "columns",
        "objectalignment",
        "tilerendersize",
        "fillmode",
        "backgroundcolor",
        "transparentcolor",
        "version",
        "tiledversion",
    ],
    children: &[
        "image",
        "tile",
        "grid",
        "tileoffset",
        "properties",
        "propertytypes",
        "tileproperties",
        "tilepropertytypes",
        "terraintypes",
        "terrains",
        "wangsets",
        "transformations",
        "editorsettings",
        "export",
    ],
};

const TILE: Known = Known {
    attributes: &["id", "type", "class", "terrain", "probability", "x", "y", "width", "height"],
    children: &["image", "objectgroup", "properties", "animation", "terrain"],
};

const GROUP: Known = Known {
    attributes: &[
        "id",
        "name",
        "class",
        "type",
        "color",
        "x",
        "y",
        "width",
        "height",
        "opacity",
        "visible",
        "tintcolor",
        "offsetx",
        "offsety",
        "parallaxx",
        "parallaxy",
        "draworder",
        "locked",
        "mode",
    ],
    children: &["object", "properties"],
};

const GRID: Known = Known { attributes: &["orientation", "width", "height"], children: &[] };

/// The frames of a tileset, and the files that they come from.
pub(crate) struct Tileset {
    pub(crate) frames: Vec<Frame>,
    /// The tileset, then its templates.
    pub(crate) files: Vec<PathBuf>,
}

/// Draws the frames of the tileset at `path`.
pub(crate) fn read(path: &Path, limits: &BakeLimits) -> Result<Tileset, BakeError> {
    let (source, set) = object::read(path)?;
    if set.name != "tileset" {
        let cause = format!("the file is a {:?}, not a tileset", set.name);
        let remedy = "export the tileset from Tiled to a file of its own";
        return Err(source.refused(set.at, cause, remedy));
    }
    if set.attribute("source").is_some() {
        let cause = "the file only names another tileset".to_owned();
        return Err(source.refused(set.at, cause, "bake the file that it names"));
    }
    source.check(&set, &TILESET)?;
    let size = source.pair(&set, ["tilewidth", "tileheight"])?;
    let declared_count = source.number(&set, "tilecount")?.unwrap_or(0.0);
    if !(0.0..=f64::from(MAX_TILES)).contains(&declared_count) {
        let cause = format!("a tileset has at most {MAX_TILES} tiles, not {declared_count}");
        return Err(source.malformed(set.at, cause));
    }
    let grid = Grid::of(&source, &set, size)?;
    let mut reader = Reader { source, size, grid, templates: Templates::default(), work: 0 };
    let frames = reader.frames(&set, declared_count as u32, limits)?;
    let files = [path.to_owned()].into_iter().chain(reader.templates.into_paths()).collect();
    Ok(Tileset { frames, files })
}

/// Returns the collision shapes of a tile of this height, relative to its top-left corner.
pub(crate) fn tile_shapes(
    source: &Text,
    (set, tile): (&Element, &Element),
    height: u32,
    templates: &mut Templates,
) -> Result<Vec<Shape>, BakeError> {
    let Some(group) = source.child(tile, "objectgroup")? else { return Ok(Vec::new()) };
    let size = source.pair(set, ["tilewidth", "tileheight"])?;
    let ground = Grid::of(source, set, size)?.ground(height);
    let mut shapes = Vec::new();
    for object in group.named("object") {
        shapes.extend(templates.shape(source, object, &ground)?);
    }
    Ok(shapes)
}

/// The grid that objects are drawn on.
#[derive(Clone, Copy)]
enum Grid {
    Orthogonal,
    /// Width and height of a cell.
    Isometric([f64; 2]),
}

impl Grid {
    fn of(source: &Text, set: &Element, size: [f64; 2]) -> Result<Self, BakeError> {
        let Some(grid) = source.child(set, "grid")? else { return Ok(Self::Orthogonal) };
        source.check(grid, &GRID)?;
        match grid.attribute("orientation").unwrap_or("orthogonal") {
            "orthogonal" => Ok(Self::Orthogonal),
            "isometric" => {
                let cell = source.pair(grid, ["width", "height"])?;
                let cell = if cell.iter().all(|&side| side > 0.0) { cell } else { size };
                if cell.iter().any(|&side| side <= 0.0) {
                    let cause = format!("the isometric grid has cells of {cell:?}");
                    return Err(source.malformed(grid.at, cause));
                }
                Ok(Self::Isometric(cell))
            }
            other => {
                let cause = format!("the grid has the unknown orientation {other:?}");
                Err(source.refused(grid.at, cause, "make the grid orthogonal or isometric"))
            }
        }
    }

    /// Returns the coordinate system of the objects of a tile of this height.
    fn ground(self, tile_height: u32) -> Basis {
        match self {
            Self::Orthogonal => Basis { corner: [0.0, 0.0], x: [1.0, 0.0], y: [0.0, 1.0] },
            // The cell lies at the bottom left of the tile. Objects count from its top corner.
            Self::Isometric([width, height]) => Basis {
                corner: [(width / 2.0).floor(), f64::from(tile_height) - height],
                x: [width / height / 2.0, 0.5],
                y: [-width / height / 2.0, 0.5],
            },
        }
    }
}

struct Reader {
    source: Text,
    /// Width and height of the tiles without an image of their own.
    size: [f64; 2],
    grid: Grid,
    templates: Templates,
    /// The work of all shapes so far.
    work: u64,
}

impl Reader {
    fn frames(
        &mut self,
        set: &Element,
        declared_count: u32,
        limits: &BakeLimits,
    ) -> Result<Vec<Frame>, BakeError> {
        let tiles = self.tiles(set)?;
        let count =
            tiles.iter().map(|&(id, _)| id.saturating_add(1)).fold(declared_count, u32::max);
        if count == 0 {
            let cause = "the tileset has neither tiles nor a tilecount";
            let help = "save the tileset again in Tiled, or remove it from the sources";
            return Err(self.source.malformed(set.at, cause).with_help(help));
        }
        let all_have_images = all_have_images(&tiles, count);
        if !all_have_images && self.size.contains(&0.0) {
            let cause = format!("tiles of {:?} pixels have no area", self.size);
            return Err(self.source.malformed(set.at, cause));
        }
        let [width, height] = self.checked(0, [0.0, 0.0], self.size)?;
        let area = |[width, height]: [u32; 2]| u64::from(width).saturating_mul(height.into());
        let path = &self.source.path;
        limits.check(Cost::Frames, count.into(), path)?;
        let sizes = tiles.iter().map(|&(id, tile)| self.tile_size(id, tile));
        let sizes: Vec<[u32; 2]> = sizes.collect::<Result<_, _>>()?;
        // Checked before masks are allocated, because a few bytes can claim more than the memory.
        let blank = area([width, height]).saturating_mul(count.into());
        let texels = sizes.iter().copied().map(area).fold(blank, u64::saturating_add);
        limits.check(Cost::Texels, texels, path)?;
        let mut frames: Vec<Frame> = Vec::new();
        for id in 0..count {
            frames.push(Frame::from(self.blank(id, [width, height])?));
        }
        for ((id, tile), size) in tiles.into_iter().zip(sizes) {
            let mask = self.blank(id, size)?;
            frames[id as usize] = Frame::from(self.drawn(tile, mask)?);
        }
        Ok(frames)
    }

    /// Returns the tiles with their numbers.
    fn tiles<'e>(&self, set: &'e Element) -> Result<Vec<(u32, &'e Element)>, BakeError> {
        let mut tiles = Vec::new();
        let mut is_known = vec![false; MAX_TILES as usize];
        for tile in set.children.iter().filter(|child| child.name == "tile") {
            self.source.check(tile, &TILE)?;
            let id = self.source.number(tile, "id")?.unwrap_or(f64::NAN);
            if !(0.0..f64::from(MAX_TILES)).contains(&id) || id.fract() != 0.0 {
                let cause = format!("a tile id must be from 0 to {}, not {id}", MAX_TILES - 1);
                return Err(self.source.malformed(tile.at, cause));
            }
            if std::mem::replace(&mut is_known[id as usize], true) {
                let cause = format!("tile {id} appears a second time");
                return Err(self.source.refused(tile.at, cause, "merge both tiles into one"));
            }
            tiles.push((id as u32, tile));
        }
        Ok(tiles)
    }

    /// Returns width and height of a tile as whole numbers. `corner` is that of its image.
    fn checked(&self, id: u32, corner: [f64; 2], size: [f64; 2]) -> Result<[u32; 2], BakeError> {
        let region = Region { from: corner, size, frame: size, ..Region::default() };
        region.checked(&self.source.path, &id.to_string()).map(|cut| cut.frame)
    }

    fn fault(&self, id: u32, fault: FrameFault) -> BakeError {
        fault.of(&self.source.path, &id.to_string())
    }

    fn blank(&self, id: u32, [width, height]: [u32; 2]) -> Result<Mask, BakeError> {
        Mask::new(width, height).map_err(|_| self.fault(id, FrameFault::too_large()))
    }

    /// Returns the size of a tile: in a collection of images its own rectangle or image, else that
    /// of the set.
    fn tile_size(&self, id: u32, tile: &Element) -> Result<[u32; 2], BakeError> {
        let source = &self.source;
        let pair = |element, names: [&str; 2]| {
            Ok::<_, BakeError>([
                source.number(element, names[0])?,
                source.number(element, names[1])?,
            ])
        };
        let own = pair(tile, ["width", "height"])?;
        let Some(image) = source.child(tile, "image")? else {
            if own.iter().any(|side| side.is_some_and(|side| side != 0.0)) {
                let cause = format!("tile {id} has a rectangle but no image of its own");
                let remedy = "remove the rectangle, or name the image in the tile";
                return Err(source.refused(tile.at, cause, remedy));
            }
            return self.checked(id, [0.0, 0.0], self.size);
        };
        let whole = pair(image, ["width", "height"])?;
        let has_rectangle = own.iter().any(|side| side.is_some_and(|side| side != 0.0));
        let mut size = [0.0; 2];
        for axis in 0..2 {
            let side = if has_rectangle { own[axis].or(whole[axis]) } else { whole[axis] };
            size[axis] = match side {
                Some(side) if side != 0.0 => side,
                _ => {
                    let cause = format!("the image of tile {id} has no width or height");
                    let remedy = "save the tileset in Tiled again, or write both attributes";
                    return Err(source.refused(image.at, cause, remedy));
                }
            };
        }
        let corner = source.pair(tile, ["x", "y"])?;
        let checked = self.checked(id, corner, size)?;
        if let [Some(width), Some(height)] = whole {
            let page = self.checked(id, [0.0, 0.0], [width, height])?;
            if (0..2).any(|axis| corner[axis] + size[axis] > f64::from(page[axis])) {
                return Err(self.fault(id, FrameFault::outside_page(page)));
            }
        }
        Ok(checked)
    }

    /// Draws the shapes of a tile.
    fn drawn(&mut self, tile: &Element, mut mask: Mask) -> Result<Mask, BakeError> {
        let source = &self.source;
        let Some(group) = source.child(tile, "objectgroup")? else { return Ok(mask) };
        source.check(group, &GROUP)?;
        for offset in ["offsetx", "offsety"] {
            if source.number(group, offset)?.is_some_and(|offset| offset != 0.0) {
                let cause = format!("the objects of a tile have an {offset}");
                return Err(source.refused(group.at, cause, "move the objects instead"));
            }
        }
        let ground = self.grid.ground(mask.height());
        for object in group.named("object") {
            let Some(shape) = self.templates.shape(source, object, &ground)? else { continue };
            self.work = self.work.saturating_add(shape.work(&mask));
            if self.work > MAX_WORK {
                let cause = format!("the shapes take more than {MAX_WORK} steps to draw");
                let remedy = "simplify the polygons, or split the file into several files";
                return Err(source.refused(object.at, cause, remedy));
            }
            shape.draw(&mut mask);
        }
        Ok(mask)
    }
}

/// Returns true if each tile of the set has an image of its own.
fn all_have_images(tiles: &[(u32, &Element)], count: u32) -> bool {
    let has_image = |tile: &Element| tile.children.iter().any(|child| child.name == "image");
    tiles.len() == count as usize && tiles.iter().all(|&(_, tile)| has_image(tile))
}
