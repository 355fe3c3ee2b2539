//! One frame of a sprite with its shape.

use crate::CliError;
use hitmask::{MaskRef, Mass, Pieces, Point, ShapeOptions, ShapePolygon, Sprite};
use std::collections::HashSet;

/// The origin of coordinates.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    Pivot,
    TopLeft,
}

/// The pixels of a frame.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The name of its sprite.
    pub(super) name: &'a str,
    pub(super) index: u32,
    /// Number of frames of its sprite.
    pub(super) frame_count: u32,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
    /// Pivot in pixels from the top-left corner.
    pub(super) pivot: [f32; 2],
    pub(super) mask: MaskRef<'a>,
    /// The pixel of the frame that is the top-left pixel of the mask.
    pub(super) corner: Point,
}

impl<'a> Source<'a> {
    /// Returns the frame of a sprite of an undrawn atlas.
    pub(super) fn of(sprite: Sprite<'a>, index: u32) -> Option<Self> {
        let (mask, corner) = sprite.source(index)?;
        let pivot = sprite.pivot(index)?.map(|half_texels| half_texels as f32 / 2.0);
        let (size, frame_count) = (sprite.frame_size(index)?, sprite.frame_count());
        Some(Self { name: sprite.name(), index, frame_count, size, pivot, mask, corner })
    }
}

/// A frame with its shape in the units of the file.
pub(super) struct Frame<'a> {
    pub(super) source: Source<'a>,
    pub(super) polygons: Vec<ShapePolygon>,
    pub(super) pieces: Pieces,
    pub(super) mass: Mass,
    /// Number of islands and of holes that are too small.
    pub(super) left_out: [u32; 2],
    /// True if all pieces are thinner than the least width, and so all of them stay.
    pub(super) is_thin: bool,
}

impl<'a> Frame<'a> {
    /// Traces a frame.
    pub(super) fn of(
        source: Source<'a>,
        options: ShapeOptions,
        origin: Origin,
    ) -> Result<Self, CliError> {
        let Source { pivot: [x, y], mask, corner, .. } = source;
        let [x, y] = match origin {
            Origin::Pivot => [x, y],
            Origin::TopLeft => [0.0; 2],
        };
        let origin = [x - corner.x as f32, y - corner.y as f32];
        let mut shape = mask.shape(ShapeOptions { origin, ..options })?;
        let mut pieces = shape.pieces();
        // A body without a piece is worse than a thin one.
        let is_thin = pieces.pieces.is_empty() && pieces.left_out > 0;
        if is_thin {
            shape = mask.shape(ShapeOptions { origin, min_width: 0.0, ..options })?;
            pieces = shape.pieces();
        }
        Ok(Self {
            source,
            polygons: shape.polygons(),
            pieces,
            mass: shape.mass(),
            left_out: shape.left_out(),
            is_thin,
        })
    }

    /// Returns the name of the sprite, followed by the number of the frame if there are several.
    pub(super) fn numbered_name(&self) -> String {
        let Source { name, index, .. } = self.source;
        if self.source.frame_count == 1 { name.to_owned() } else { format!("{name}-{index}") }
    }

    /// Returns the number of corners of the polygons and their holes.
    pub(super) fn corner_count(&self) -> usize {
        corner_count(&self.polygons)
    }
}

/// Returns the number of corners of polygons and their holes.
pub(crate) fn corner_count(polygons: &[ShapePolygon]) -> usize {
    let rings = polygons.iter().flat_map(|p| std::iter::once(&p.border).chain(&p.holes));
    rings.map(Vec::len).sum()
}

/// Returns the [`Frame::numbered_name`] of each frame in a format that has frames alone. Fails if two frames
/// have one name.
pub(super) fn names(frames: &[Frame<'_>], reserved: &str) -> Result<Vec<String>, CliError> {
    let mut seen = HashSet::from([reserved.to_owned()]);
    let unique = frames.iter().map(|frame| {
        let name = frame.numbered_name();
        if seen.insert(name.clone()) {
            return Ok(name);
        }
        let cause = format!("two frames would have the name {name:?} in the file");
        Err(CliError::new(cause, "rename one of the sprites, or choose one with --sprite"))
    });
    unique.collect()
}

/// Formats a number without an exponent and without a negative zero.
pub(super) fn number(value: f32) -> String {
    (value + 0.0).to_string()
}
