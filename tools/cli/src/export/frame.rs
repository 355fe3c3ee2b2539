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

/// A frame with its shape in the units of the file.
pub(super) struct Frame<'a> {
    pub(super) sprite: Sprite<'a>,
    pub(super) index: u32,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
    /// Pivot in pixels from the top-left corner.
    pub(super) pivot: [f32; 2],
    pub(super) mask: MaskRef<'a>,
    /// The pixel of the frame that is the top-left pixel of the mask.
    pub(super) corner: Point,
    pub(super) polygons: Vec<ShapePolygon>,
    pub(super) pieces: Pieces,
    pub(super) mass: Mass,
    /// Number of islands and of holes that are too small.
    pub(super) left_out: [u32; 2],
    /// True if all pieces are thinner than the least width, and so all of them stay.
    pub(super) is_thin: bool,
}

impl<'a> Frame<'a> {
    /// Traces the frame of a sprite of an undrawn atlas.
    pub(super) fn of(
        sprite: Sprite<'a>,
        index: u32,
        options: ShapeOptions,
        origin: Origin,
    ) -> Result<Self, CliError> {
        let source = sprite.source(index).zip(sprite.frame_size(index)).zip(sprite.pivot(index));
        let ((mask, corner), size, pivot) = match source {
            Some((((mask, corner), size), pivot)) => ((mask, corner), size, pivot),
            None => {
                let cause = format!("{:?} has no mask of frame {index}", sprite.name());
                return Err(CliError::new(cause, "report this as a fault of hitmask"));
            }
        };
        let pivot = pivot.map(|half_texels| half_texels as f32 / 2.0);
        let origin = match origin {
            Origin::Pivot => [0.0; 2],
            Origin::TopLeft => pivot.map(|side| -side),
        };
        let mut shape = sprite.shape(index, ShapeOptions { origin, ..options })?;
        let mut pieces = shape.pieces();
        // A body without a piece is worse than a thin one.
        let is_thin = pieces.pieces.is_empty() && pieces.left_out > 0;
        if is_thin {
            shape = sprite.shape(index, ShapeOptions { origin, min_width: 0.0, ..options })?;
            pieces = shape.pieces();
        }
        Ok(Self {
            sprite,
            index,
            size,
            pivot,
            mask,
            corner,
            polygons: shape.polygons(),
            pieces,
            mass: shape.mass(),
            left_out: shape.left_out(),
            is_thin,
        })
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

/// Returns the name of each frame in a format that has frames alone: that of its sprite, followed by the
/// number of the frame if there are several. Fails if two frames have one name.
pub(super) fn names(frames: &[Frame<'_>], reserved: &str) -> Result<Vec<String>, CliError> {
    let mut seen = HashSet::from([reserved.to_owned()]);
    let name = |frame: &Frame<'_>| match frame.sprite.frame_count() {
        1 => frame.sprite.name().to_owned(),
        _ => format!("{}-{}", frame.sprite.name(), frame.index),
    };
    let unique = frames.iter().map(|frame| {
        let name = name(frame);
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
