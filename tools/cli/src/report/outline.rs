//! What the page shows of each mask: its outline, and its convex pieces for physics engines.

use crate::export::corner_count;
use crate::svg_path::{closed, outline};
use hitmask::{Flip, MaskKey, MaskRef, Sprite};
use rayon::prelude::*;
use std::collections::HashMap;

/// Greatest error of the shapes, in pixels.
pub(super) const MAX_ERROR: f32 = 1.0;

/// What the page shows of a mask.
#[derive(Default)]
pub(super) struct Drawn {
    /// Path data of the outline in mask pixels; empty for an empty mask.
    pub(super) outline: String,
    /// Number of set pixels.
    pub(super) solid: u64,
    /// Path data of the convex pieces in mask pixels.
    pub(super) pieces: String,
    /// Number of corners of the polygons with their holes.
    pub(super) corner_count: usize,
    pub(super) piece_count: usize,
}

/// What is shown of masks. Each mask is read once, however many frames show it.
pub(super) struct Outlines {
    masks: HashMap<MaskKey, Drawn>,
    none: Drawn,
}

impl Outlines {
    /// Draws the outlines of all frames and planes, unrotated at the scale nearest to 1. `resolution` is the
    /// number of mask pixels per pixel side.
    pub(super) fn of(sprites: &[Sprite<'_>], resolution: f32) -> Self {
        let mut masks = HashMap::new();
        for sprite in sprites {
            let pose = sprite.nearest(0.0, 1.0).unwrap_or_default();
            for plane in (0..sprite.plane_count()).filter_map(|plane| sprite.in_plane(plane)) {
                let frames = 0..sprite.frame_count();
                let shown = frames.filter_map(|frame| plane.posed(frame, pose, Flip::NONE));
                masks.extend(shown.map(|posed| (posed.mask.key(), posed.mask)));
            }
        }
        let drawn = |(key, mask): (MaskKey, MaskRef<'_>)| (key, drawn(mask, resolution));
        Self { masks: masks.into_par_iter().map(drawn).collect(), none: Drawn::default() }
    }

    /// Returns what is shown of a mask of [`of`](Self::of).
    pub(super) fn get(&self, mask: MaskRef<'_>) -> &Drawn {
        self.masks.get(&mask.key()).unwrap_or(&self.none)
    }
}

fn drawn(mask: MaskRef<'_>, resolution: f32) -> Drawn {
    let mut drawn = Drawn { outline: outline(mask), solid: mask.count(), ..Drawn::default() };
    // Every resolution gives an error that a shape can have.
    if let Ok(shape) = mask.shape(MAX_ERROR * resolution) {
        let pieces = shape.pieces().pieces;
        drawn.piece_count = pieces.len();
        drawn.pieces = pieces.iter().map(|piece| closed(piece)).collect();
        drawn.corner_count = corner_count(&shape.polygons());
    }
    drawn
}
