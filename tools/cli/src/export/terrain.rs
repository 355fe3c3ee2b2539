//! The terrain of a map as one frame for each name, in pixels of the map.

use super::frame::Source;
use crate::sprites::{self, in_plane};
use crate::{CliError, maps};
use hitmask::{Atlas, Mask, MaskRef, Point, Rect};

/// The chunks of a terrain as one mask, so that no shape ends where two chunks meet.
pub(super) struct Terrain {
    /// The name of its sprite.
    name: String,
    /// Width and height of the map.
    size: [u32; 2],
    mask: Mask,
    /// The pixel of the map that is the top-left pixel of the mask.
    corner: Point,
}

impl Terrain {
    /// Returns the terrains of a map of an undrawn atlas.
    pub(super) fn all(
        atlas: &Atlas,
        map: &str,
        plane: Option<&str>,
    ) -> Result<Vec<Self>, CliError> {
        let maps = atlas.maps();
        let map = maps::find(&maps, map)?;
        let mut terrains = Vec::new();
        for terrain in maps::terrains(map) {
            let mut chunks: Vec<(MaskRef<'_>, Point)> = Vec::new();
            let items = map.items.iter().filter(|item| maps::terrain(item) == Some(terrain));
            for (item, shape) in items.filter_map(|item| Some((item, item.shape.as_ref()?))) {
                let sprite = in_plane(sprites::find(atlas.sprites(), &shape.sprite)?, plane)?;
                let Some(source) = Source::of(sprite, shape.frame) else { continue };
                let at = |axis: usize| (item.position[axis] - source.pivot[axis]).floor() as i32;
                let Point { x, y } = source.corner;
                chunks.push((source.mask, Point::new(x + at(0), y + at(1))));
            }
            let rect = |&(mask, Point { x, y }): &(MaskRef<'_>, Point)| {
                Rect::new(x, y, x + mask.width() as i32, y + mask.height() as i32)
            };
            let bounds = chunks.iter().map(rect).filter(|rect| !rect.is_empty());
            let bounds = bounds.reduce(hitmask_demo::hull).unwrap_or_default();
            let mut mask = Mask::new(bounds.width(), bounds.height())?;
            for (chunk, Point { x, y }) in chunks {
                mask.draw(chunk, [x - bounds.x0, y - bounds.y0]);
            }
            let name = format!("{}/{terrain}", map.name);
            let size = map.size.map(|side| side as u32);
            terrains.push(Self { name, size, mask, corner: Point::new(bounds.x0, bounds.y0) });
        }
        if terrains.is_empty() {
            let cause = format!("the map {:?} has no terrain", map.name);
            let help =
                "let its tiles become one by the rules of its source, such as becomes = \"solid\"";
            return Err(CliError::new(cause, help));
        }
        Ok(terrains)
    }

    /// Returns the terrain as the only frame of its sprite.
    pub(super) fn source(&self) -> Source<'_> {
        let Self { name, size, mask, corner } = self;
        Source {
            name,
            index: 0,
            frame_count: 1,
            size: *size,
            pivot: [0.0; 2],
            mask: mask.as_ref(),
            corner: *corner,
        }
    }
}
