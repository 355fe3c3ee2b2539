//! An image file that is being decoded: checks of its size, its errors, and masks from its texels.
//!
//! Called by the decoder of each format. Invariant: sizes are checked before memory is allocated.

use super::compositor::{Canvas, Placement, Row};
use crate::bake::solidify::{self, BODY, DecodedImage, MAX_TEXELS};
use crate::bake::{BakeError, Channel, Settings};
use crate::mask::{MAX_SIDE, Mask};
use std::path::Path;

/// Takes the rows of a frame as they are decoded.
pub(super) type Sink<'a> = dyn FnMut(Row<'_>) + 'a;

/// Decodes the frame of an index into a sink, or returns the fault of the frame.
pub(super) type Draw<'a> = dyn FnMut(usize, &mut Sink<'_>) -> Result<(), String> + 'a;

/// An image file, and the settings that its masks depend on.
pub(super) struct ImageFile<'a> {
    pub(super) path: &'a Path,
    pub(super) settings: &'a Settings,
}

impl ImageFile<'_> {
    pub(super) fn damaged(&self, cause: impl ToString) -> BakeError {
        BakeError::Decode { path: self.path.to_owned(), cause: cause.to_string() }
    }

    /// Returns the error for content that is not read with certainty.
    pub(super) fn unsupported(&self, cause: impl Into<String>, remedy: &str) -> BakeError {
        let (path, remedy) = (self.path.to_owned(), remedy.to_owned());
        BakeError::Unsupported { path, cause: cause.into(), remedy }
    }

    /// Checks the sides of an image or a frame.
    pub(super) fn check_size(&self, [width, height]: [u32; 2]) -> Result<(), BakeError> {
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(BakeError::ImageTooLarge { path: self.path.to_owned(), width, height });
        }
        Ok(())
    }

    /// Decodes a still image of `size`. `draw` gives all of its rows.
    pub(super) fn still(
        &self,
        size: [u32; 2],
        draw: impl FnOnce(&mut Sink<'_>) -> Result<(), String>,
    ) -> Result<Vec<DecodedImage>, BakeError> {
        self.check_size(size)?;
        let [width, height] = size;
        // Evaluates the rule once per value instead of once per texel.
        let solid: [bool; 256] =
            std::array::from_fn(|value| self.settings.alpha.is_solid(value as u8));
        // Two bits per texel, because the texels of a large image take gigabytes.
        let mut bits = vec![0_u8; width as usize * height as usize];
        draw(&mut |row| {
            let line = row.y as usize * width as usize;
            let places = bits[line..].iter_mut().take(width as usize);
            let places = places.skip(row.x as usize).step_by(row.step.max(1) as usize);
            for (bits, &texel) in places.zip(row.texels) {
                *bits = solidify::value(texel, self.settings).map_or(0, |value| {
                    u8::from(solid[usize::from(value)]) | u8::from(value > 0) << 1
                });
            }
        })
        .map_err(|cause| self.damaged(cause))?;
        let mask = |bit| Mask::from_texels(width, height, &bits, 1, |bits| bits[0] & bit != 0);
        Ok(vec![self.decoded(mask(1), mask(2), size)?])
    }

    /// Decodes and composites the frames of an animation on a canvas of `size`.
    pub(super) fn animation(
        &self,
        size: [u32; 2],
        frames: &[Placement],
        draw: &mut Draw<'_>,
    ) -> Result<Vec<DecodedImage>, BakeError> {
        self.check_size(size)?;
        let area = |[width, height]: [u32; 2]| u64::from(width) * u64::from(height);
        let mut texels = 0;
        for frame in frames {
            self.check_size(frame.size)?;
            // An image without texels counts as 1, because it takes memory too.
            texels += area(size).max(area(frame.size)).max(1);
        }
        if texels > MAX_TEXELS {
            return Err(BakeError::TooManyTexels { path: self.path.to_owned() });
        }
        if frames.is_empty() {
            return Err(self.damaged("the file has no image"));
        }
        let reads_alpha_alone =
            self.settings.channel == Channel::Alpha && self.settings.exclude_color.is_empty();
        if reads_alpha_alone {
            self.composited::<1>(size, frames, draw)
        } else {
            self.composited::<4>(size, frames, draw)
        }
    }

    fn composited<const N: usize>(
        &self,
        size: [u32; 2],
        frames: &[Placement],
        draw: &mut Draw<'_>,
    ) -> Result<Vec<DecodedImage>, BakeError> {
        let [width, height] = size;
        let mut canvas = Canvas::<N>::new(size);
        let mut images = Vec::with_capacity(frames.len());
        for (i, &frame) in frames.iter().enumerate() {
            canvas.begin(frame);
            draw(i, &mut |row| canvas.draw(row))
                .map_err(|cause| self.damaged(format!("frame {i}: {cause}")))?;
            let [solid, visible] = if N == 1 {
                let alpha = self.settings.alpha;
                let mask = |is_set: &dyn Fn(u8) -> bool| {
                    Mask::from_texels(width, height, canvas.bytes(), 1, |alpha| is_set(alpha[0]))
                };
                [mask(&|value| alpha.is_solid(value)), mask(&|value| value > 0)]
            } else {
                let masks = solidify::masks(width, height, canvas.bytes(), self.settings);
                let [solid, visible] = masks.map_err(|_| self.too_large(size))?;
                [Ok(solid), Ok(visible)]
            };
            images.push(self.decoded(solid, visible, size)?);
        }
        Ok(images)
    }

    fn decoded<E>(
        &self,
        solid: Result<Mask, E>,
        visible: Result<Mask, E>,
        size: [u32; 2],
    ) -> Result<DecodedImage, BakeError> {
        let (Ok(solid), Ok(visible)) = (solid, visible) else { return Err(self.too_large(size)) };
        let planes = vec![(BODY.to_owned(), solid)];
        Ok(DecodedImage { planes, visible, pivot: None, is_cut: false })
    }

    fn too_large(&self, [width, height]: [u32; 2]) -> BakeError {
        BakeError::ImageTooLarge { path: self.path.to_owned(), width, height }
    }
}
