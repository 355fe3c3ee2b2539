//! Changes that settings make to the frames of any source: filled holes, shrinking, growing, and a pivot
//! at an anchor.
//!
//! Called by `inputs` when a source is loaded. Invariant: the masks are those of the calls of [`Mask`].

use super::{BakeError, BakeFault, SourceSettings};
use hitmask::baking::Frame;
use hitmask::{GrowShape, MAX_SIDE, Mask, Pivot, Rect};

/// Largest radius by which masks grow and shrink, in texels.
pub(super) const MAX_RADIUS: u32 = 256;

impl SourceSettings {
    /// Returns true if the frames of a source stay as they are.
    pub(super) fn keeps_frames(&self) -> bool {
        self.anchor.is_none() && !self.fill_holes && self.shrink == 0 && self.grow == 0
    }

    /// Changes the frames of the sprite `name`: fills holes, then shrinks, then grows. A plane of a slice
    /// keeps its pixels.
    pub(super) fn shape(&self, name: &str, frames: &mut [Frame]) -> Result<(), BakeError> {
        for (i, frame) in frames.iter_mut().enumerate() {
            let first = frame.planes.first();
            let size = first.map_or([0, 0], |(_, mask)| [mask.width(), mask.height()]);
            let anchor = self.anchor.map(|anchor| anchor.pivot(size.map(|side| side as i32)));
            frame.pivot = frame.pivot.or(anchor);
            if !self.fill_holes && self.shrink == 0 && self.grow == 0 {
                continue;
            }
            // The solid texels are no longer those of the alpha rule, so they are not compared.
            frame.visible = None;
            for (plane, mask) in &mut frame.planes {
                let is_slice = self.slices.contains(plane);
                *mask = self
                    .shaped(mask, is_slice)
                    .ok_or_else(|| too_large(name, i, size, self.grow))?;
            }
            if let Pivot::HalfTexels(x, y) = frame.pivot.unwrap_or(self.sprite.pivot) {
                // The corner of the frame moves by the radius. A pivot too far away is refused later.
                let moved = |at: i32| at.saturating_add_unsigned(2 * self.grow);
                frame.pivot = Some(Pivot::HalfTexels(moved(x), moved(y)));
            }
        }
        Ok(())
    }

    /// Returns the mask of a plane after all changes. `None` if it would be too large.
    fn shaped(&self, mask: &Mask, is_slice: bool) -> Option<Mask> {
        let radius = self.grow as i32;
        if is_slice {
            let [width, height] = [mask.width(), mask.height()].map(|side| side as i32 + radius);
            return mask.cropped(Rect::new(-radius, -radius, width, height)).ok();
        }
        let mut mask = mask.clone();
        if self.fill_holes {
            mask.fill_holes();
        }
        if self.shrink > 0 {
            mask = mask.shrunk(self.shrink, GrowShape::Disc);
        }
        if self.grow > 0 { mask.grown(self.grow, GrowShape::Disc).ok() } else { Some(mask) }
    }
}

/// Returns the error of a frame that is too large after it has grown.
fn too_large(name: &str, frame: usize, [width, height]: [u32; 2], grow: u32) -> BakeError {
    let needed = (u64::from(width.max(height))) + 2 * u64::from(grow);
    let fault = BakeFault::OverLimit { quantity: "pixels a side", needed, limit: MAX_SIDE.into() };
    let cause = format!(
        "sprite {name:?}, frame {frame} has {width} x {height} pixels, and grown by {grow} it exceeds the limit of {MAX_SIDE} a side"
    );
    let help = "grow it less, or make the image smaller";
    BakeError::new(fault, cause, help).in_sprite(name).in_frame(&frame.to_string())
}
