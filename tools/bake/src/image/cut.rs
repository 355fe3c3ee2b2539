//! Packed frames: rectangles on a page that are rotated, trimmed and limited to polygons.
//!
//! A description states a frame as a [`Region`]. `cuts` and `grid` cut the frame from the image of its
//! page by a [`Cut`]. Invariant: a [`Cut`] exists only for whole, non-negative coordinates within the
//! longest mask side.

use super::frame_fault::FrameFault;
use super::image_file::DecodedImage;
use super::triangles::Triangles;
use crate::error::BakeError;
use hitmask::baking::Frame;
use hitmask::{MAX_PIVOT, MAX_SIDE, Mask, Pivot, Rect};
use std::path::Path;

/// The rotation of an image on its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum PackedRotation {
    /// No rotation.
    #[default]
    Upright,
    /// A quarter turn clockwise.
    Clockwise,
    /// Half a turn.
    HalfTurn,
    /// A quarter turn counter-clockwise.
    CounterClockwise,
}

/// A frame on a page. The creator has checked the coordinates, and that the upright image lies
/// inside the frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cut {
    /// Corner of the rectangle on the page.
    pub(super) from: [u32; 2],
    /// Width and height on the page, after rotation.
    pub(super) size: [u32; 2],
    pub(super) rotation: PackedRotation,
    /// Corner of the upright image in the frame.
    pub(super) at: [u32; 2],
    /// Width and height of the untrimmed frame.
    pub(super) frame: [u32; 2],
    pub(super) pivot: Option<Pivot>,
    /// The part of the frame that counts. `None` means all of it.
    pub(super) triangles: Option<Triangles>,
}

impl Cut {
    /// Returns a cut whose rectangle is the whole frame.
    pub(super) fn whole(from: [u32; 2], size: [u32; 2]) -> Self {
        let (rotation, at) = (PackedRotation::Upright, [0, 0]);
        Self { from, size, rotation, at, frame: size, pivot: None, triangles: None }
    }

    /// Returns a cut without a pixel, of a frame of this size.
    pub(super) fn blank(frame: [u32; 2]) -> Self {
        Self { frame, ..Self::whole([0; 2], [0; 2]) }
    }

    /// Cuts the frame from the image of a page.
    pub(super) fn frame(&self, page: &DecodedImage) -> Frame {
        let planes = page.planes.iter().map(|(name, mask)| (name.clone(), self.mask(mask)));
        Frame {
            planes: planes.collect(),
            pivot: self.pivot,
            visible: Some(self.upright(&page.visible).count()),
            is_cut: page.is_cut,
            rule: Some(page.rule),
        }
    }

    /// Returns the untrimmed frame.
    fn mask(&self, page: &Mask) -> Mask {
        let upright = self.upright(page);
        if [upright.width(), upright.height()] == self.frame {
            return upright;
        }
        cropped(&upright, self.at.map(|v| (v as i32).saturating_neg()), self.frame)
    }

    /// Returns the trimmed image, not rotated.
    fn upright(&self, page: &Mask) -> Mask {
        let cut = cropped(page, self.from.map(|v| v as i32), self.size);
        let mut upright = match self.rotation {
            PackedRotation::Upright => cut,
            PackedRotation::Clockwise => cut.quarter_turned().quarter_turned().quarter_turned(),
            PackedRotation::HalfTurn => cut.flip_x().flip_y(),
            PackedRotation::CounterClockwise => cut.quarter_turned(),
        };
        if let Some(triangles) = &self.triangles {
            triangles.clip(&mut upright, self.at);
        }
        upright
    }
}

/// Returns `size` pixels of `mask` from the pixel `from`. Pixels outside the mask are clear. All
/// numbers are within the longest mask side.
fn cropped(mask: &Mask, [x, y]: [i32; 2], [width, height]: [u32; 2]) -> Mask {
    let end = |from: i32, len: u32| from.saturating_add_unsigned(len);
    let area = Rect::new(x, y, end(x, width), end(y, height));
    mask.cropped(area).unwrap_or_else(|_| Mask::default())
}

/// A frame as stated in a description, in texels, not validated.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// Top-left corner on the page.
    pub(super) from: [f64; 2],
    /// Width and height of the upright image.
    pub(super) size: [f64; 2],
    pub(super) rotation: PackedRotation,
    /// Corner of the trimmed image in the untrimmed frame.
    pub(super) at: [f64; 2],
    /// Width and height of the untrimmed frame.
    pub(super) frame: [f64; 2],
    /// Pivot relative to the corner of the untrimmed frame.
    pub(super) pivot: Option<[f64; 2]>,
    /// The part of the untrimmed frame that the frame owns. `None` means all of it.
    pub(super) triangles: Option<Triangles>,
}

impl Region {
    /// Limits the region to the triangles of a polygon. `vertices` are in the untrimmed frame, and
    /// `on_page` has the same vertices on the page. Without vertices and triangles the whole rectangle
    /// counts.
    pub(super) fn with_polygon(
        self,
        vertices: &[[f64; 2]],
        indices: &[[usize; 3]],
        on_page: Option<&[[f64; 2]]>,
    ) -> Result<Self, FrameFault> {
        if vertices.is_empty() && indices.is_empty() && on_page.is_none_or(<[_]>::is_empty) {
            return Ok(self);
        }
        let ([x, y], [_, height]) = (self.from, self.size);
        let to_page = |vertex: [f64; 2]| {
            let [dx, dy] = [vertex[0] - self.at[0], vertex[1] - self.at[1]];
            match self.rotation {
                PackedRotation::Clockwise => [x + height - dy, y + dx],
                _ => [x + dx, y + dy],
            }
        };
        let triangles = Some(Triangles::new(vertices, indices, on_page, to_page)?);
        Ok(Self { triangles, ..self })
    }

    /// Validates the region of the frame `name` in the description at `path`.
    pub(super) fn checked(&self, path: &Path, name: &str) -> Result<Cut, BakeError> {
        let whole = |[x, y]: [f64; 2]| {
            let limit = f64::from(MAX_SIDE);
            let part = |v: f64| match v {
                v if v.fract() != 0.0 => {
                    Err(FrameFault::new("has a position or size that is not a whole number"))
                } // NaN and infinity too
                v if v < 0.0 => Err(FrameFault::new("has a negative position or size")),
                v if v > limit => Err(FrameFault::too_large()),
                v => Ok(v as u32),
            };
            Ok([part(x)?, part(y)?])
        };
        let cut = || {
            let ([from, size], [at, frame]) =
                ([whole(self.from)?, whole(self.size)?], [whole(self.at)?, whole(self.frame)?]);
            if (0..2).any(|axis| at[axis].saturating_add(size[axis]) > frame[axis]) {
                return Err(FrameFault::trim());
            }
            let size = match self.rotation {
                PackedRotation::Upright | PackedRotation::HalfTurn => size,
                PackedRotation::Clockwise | PackedRotation::CounterClockwise => [size[1], size[0]],
            };
            let pivot = self.pivot.map(pivot).transpose()?;
            let triangles = self.triangles.clone();
            Ok(Cut { from, size, rotation: self.rotation, at, frame, pivot, triangles })
        };
        cut().map_err(|fault: FrameFault| fault.of(path, name))
    }
}

/// Returns the corner of a trimmed image in its frame from an offset of their centres, with y up. It must
/// be the `stated` corner, which is exact, while tools round offsets.
pub(super) fn corner(
    [x, y]: [f64; 2],
    size: [f64; 2],
    frame: [f64; 2],
    stated: Option<[f64; 2]>,
) -> Result<[f64; 2], FrameFault> {
    let corner = [(frame[0] - size[0]) / 2.0 + x, (frame[1] - size[1]) / 2.0 - y];
    let Some(stated) = stated else { return Ok(corner) };
    let is_near = |axis: usize| (stated[axis] - corner[axis]).abs() < 1.0; // false for NaN
    if !is_near(0) || !is_near(1) {
        return Err(FrameFault::new("has an offset that differs from its place before trimming"));
    }
    Ok(stated)
}

/// Rounds a pivot in texels to the nearest half-texel. Ties round up.
pub(super) fn pivot(texels: [f64; 2]) -> Result<Pivot, FrameFault> {
    let [x, y] = texels.map(|texels| (2.0 * texels + 0.5).floor());
    let is_near = |v: f64| v.abs() <= f64::from(MAX_PIVOT); // false for NaN
    if !is_near(x) || !is_near(y) {
        return Err(FrameFault::new("has a pivot that is not a number or is too far away"));
    }
    Ok(Pivot::HalfTexels(x as i32, y as i32))
}
