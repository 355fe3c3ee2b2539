//! An image file that is being decoded: checks of its size, its memory, its errors, and masks from its
//! texels.
//!
//! Called by the decoder of each format. Invariant: sizes are checked before memory is allocated.

use super::compositor::{Canvas, Disposal, Placement, Row};
use crate::error::BakeError;
use crate::limits::{BakeLimits, Cost};
use crate::settings::SourceSettings;
use hitmask::baking::{Frame, TexelMasks, frame_mask};
use hitmask::{AlphaRule, CallError, Channel, MAX_FRAME_SIDE, Mask, Pivot};
use std::fmt::Display;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};

/// Takes the rows of a frame as they are decoded.
pub(super) type Sink<'a> = dyn FnMut(Row<'_>) + 'a;

/// Decodes the frame of an index into a sink, or returns the fault of the frame.
pub(super) type Draw<'a> = dyn FnMut(usize, &mut Sink<'_>) -> Result<(), String> + 'a;

/// An image file, the settings that its masks depend on, and the limits on decoding it.
pub(super) struct ImageFile<'a> {
    pub(super) path: &'a Path,
    pub(super) settings: &'a SourceSettings,
    pub(super) limits: &'a BakeLimits,
}

impl ImageFile<'_> {
    pub(super) fn damaged(&self, cause: impl ToString) -> BakeError {
        BakeError::damaged(self.path, cause.to_string())
    }

    /// Returns the error for content that is not read with certainty.
    pub(super) fn unsupported(&self, cause: impl Display, remedy: &'static str) -> BakeError {
        BakeError::unsupported(self.path, cause, remedy)
    }

    /// Checks the sides of an image or a frame.
    pub(super) fn check_size(&self, [width, height]: [u32; 2]) -> Result<(), BakeError> {
        if width > MAX_FRAME_SIDE || height > MAX_FRAME_SIDE {
            return Err(self.too_large([width, height]));
        }
        Ok(())
    }

    /// Checks the number of texels in all images of the file.
    pub(super) fn check_texels(&self, texels: u64) -> Result<(), BakeError> {
        self.check(Cost::Texels, texels)?;
        let of_thresholds = texels.saturating_mul(self.settings.sprite.thresholds.len() as u64);
        self.check(Cost::ThresholdTexels, of_thresholds)
    }

    /// Checks the number of frames of the file.
    pub(super) fn check_frames(&self, frames: usize) -> Result<(), BakeError> {
        self.check(Cost::Frames, frames as u64)
    }

    pub(super) fn check(&self, cost: Cost, needed: u64) -> Result<(), BakeError> {
        self.limits.check(cost, needed, self.path)
    }

    /// Checks the memory that decoding takes: that of the canvas, of the masks, and of a decoder that
    /// holds a whole frame. Reserves it, so that all threads together take little.
    pub(super) fn reserve_memory(&self, bytes: u64) -> Result<Reservation, BakeError> {
        self.check(Cost::DecodingBytes, bytes)?;
        Ok(reserve(bytes))
    }

    /// Decodes a still image of `size`. `draw` gives all of its rows, and its decoder holds
    /// `decoder_bytes` per texel.
    pub(super) fn still(
        &self,
        size: [u32; 2],
        decoder_bytes: u64,
        draw: impl FnOnce(&mut Sink<'_>) -> Result<(), String>,
    ) -> Result<Vec<DecodedImage>, BakeError> {
        self.check_size(size)?;
        let [width, height] = size;
        let texels = u64::from(width).saturating_mul(height.into());
        self.check_texels(texels)?;
        // A byte per texel here, one more for thresholds, and a bit in each mask.
        let thresholds = self.settings.sprite.thresholds.len() as u64;
        let bytes = decoder_bytes.saturating_add(if thresholds > 0 { 2 } else { 1 });
        let masks = (texels / 8).saturating_mul(thresholds.saturating_add(2));
        let _memory = self.reserve_memory(texels.saturating_mul(bytes).saturating_add(masks))?;
        let rule = self.settings.sprite.texel_rule();
        // Evaluates the rule once per value instead of once per texel.
        let solid: [bool; 256] =
            std::array::from_fn(|value| self.settings.sprite.alpha.is_solid(value as u8));
        // Two bits per texel, because the texels of a large image take gigabytes.
        let texels = texels as usize;
        let mut bits = vec![0_u8; texels];
        // The values, which are needed for thresholds only. A colour that is left out has 0.
        let has_thresholds = !self.settings.sprite.thresholds.is_empty();
        let mut values = vec![0_u8; if has_thresholds { texels } else { 0 }];
        draw(&mut |row| {
            // On the image, whose texels are in memory.
            let line = (row.y as usize).wrapping_mul(width as usize);
            let places = bits[line..].iter_mut().take(width as usize);
            let places = places.skip(row.x as usize).step_by(row.step.max(1) as usize);
            for (bits, &texel) in places.zip(row.texels) {
                *bits = rule.value(texel).map_or(0, |value| {
                    u8::from(solid[usize::from(value)]) | u8::from(value > 0) << 1
                });
            }
            if has_thresholds {
                let places = values[line..].iter_mut().take(width as usize);
                let places = places.skip(row.x as usize).step_by(row.step.max(1) as usize);
                for (place, &texel) in places.zip(row.texels) {
                    *place = rule.value(texel).unwrap_or(0);
                }
            }
        })
        .map_err(|cause| self.damaged(cause))?;
        let mask = |bit| frame_mask(size, &bits, |bits| bits & bit != 0);
        let masks = || {
            let by_threshold = TexelMasks::by_threshold(&self.settings.sprite, |test| {
                frame_mask(size, &values, test)
            })?;
            Ok(TexelMasks { solid: mask(1)?, visible: mask(2)?, by_threshold })
        };
        Ok(vec![self.decoded(masks(), size)?])
    }

    /// Decodes and composites the frames of an animation on a canvas of `size`. The decoder of a
    /// frame holds `decoder_bytes` per texel.
    pub(super) fn animation(
        &self,
        size: [u32; 2],
        frames: &[Placement],
        decoder_bytes: u64,
        draw: &mut Draw<'_>,
    ) -> Result<Vec<DecodedImage>, BakeError> {
        self.check_size(size)?;
        let area = |[width, height]: [u32; 2]| u64::from(width).saturating_mul(height.into());
        let (mut texels, mut decoded, mut restored) = (0_u64, 0_u64, 0_u64);
        for frame in frames {
            self.check_size(frame.size)?;
            decoded = area(frame.size).max(decoded);
            if frame.disposal == Disposal::Restore {
                restored = area(frame.size).min(area(size)).max(restored);
            }
            // An image without texels counts as 1, because it takes memory too.
            texels = texels.saturating_add(area(size).max(area(frame.size)).max(1));
        }
        self.check_frames(frames.len())?;
        self.check_texels(texels)?;
        if frames.is_empty() {
            return Err(self.damaged("the file has no image"));
        }
        let reads_alpha_alone = reads_alpha_alone(self.settings);
        let channels = if reads_alpha_alone { 1 } else { 4 };
        let canvas = area(size).saturating_add(restored).saturating_mul(channels);
        let masks = (self.settings.sprite.thresholds.len() as u64).saturating_add(2);
        let bytes = canvas
            .saturating_add(decoded.saturating_mul(decoder_bytes))
            .saturating_add((texels / 8).saturating_mul(masks));
        let _memory = self.reserve_memory(bytes)?;
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
        let mut canvas = Canvas::<N>::new(size);
        let mut images = Vec::with_capacity(frames.len());
        for (i, &frame) in frames.iter().enumerate() {
            canvas.begin(frame);
            draw(i, &mut |row| canvas.draw(row))
                .map_err(|cause| self.damaged(format!("frame {i}: {cause}")))?;
            let masks = if N == 1 {
                TexelMasks::from_alpha(size, canvas.bytes(), &self.settings.sprite)
            } else {
                TexelMasks::from_rgba(size, canvas.bytes(), &self.settings.sprite)
            };
            images.push(self.decoded(masks, size)?);
        }
        Ok(images)
    }

    fn decoded(
        &self,
        masks: Result<TexelMasks, CallError>,
        size: [u32; 2],
    ) -> Result<DecodedImage, BakeError> {
        let TexelMasks { solid, visible, by_threshold } =
            masks.map_err(|_| self.too_large(size))?;
        let planes = [(BODY.to_owned(), solid)].into_iter().chain(by_threshold).collect();
        let rule = self.settings.sprite.alpha;
        Ok(DecodedImage { planes, rule, visible, pivot: None, is_cut: false })
    }

    fn too_large(&self, size: [u32; 2]) -> BakeError {
        BakeError::too_large(self.path, size, MAX_FRAME_SIDE)
    }
}

/// Returns true if the solid texels depend on alpha alone, not on colours.
pub(super) fn reads_alpha_alone(settings: &SourceSettings) -> bool {
    let hitmask::Settings { channel, exclude_color, only_color, .. } = &settings.sprite;
    *channel == Channel::Alpha && exclude_color.is_empty() && only_color.is_empty()
}

/// Name of the first plane of every frame from a file.
pub(super) use hitmask::baking::DEFAULT_PLANE as BODY;

/// A decoded image of a file.
pub(super) struct DecodedImage {
    /// The masks by plane name: the body, the planes of layers, and the planes by threshold.
    pub(super) planes: Vec<(String, Mask)>,
    /// The rule that made the masks.
    pub(super) rule: AlphaRule,
    /// The visible texels: alpha 1 or more.
    pub(super) visible: Mask,
    pub(super) pivot: Option<Pivot>,
    /// True if the file ends after this image, without its end mark.
    pub(super) is_cut: bool,
}

impl DecodedImage {
    /// Returns width and height in texels.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.visible.width(), self.visible.height()]
    }

    /// Returns the whole image as a frame.
    pub(super) fn frame(&self) -> Frame {
        Frame {
            pivot: self.pivot,
            visible: Some(self.visible.count()),
            is_cut: self.is_cut,
            rule: Some(self.rule),
            ..Frame::of_planes(self.planes.clone())
        }
    }
}

/// Bytes that all threads together reserve at a time. Decoding calls no parallel work, so a thread that
/// holds memory never waits for one that needs it. A single image may exceed the limit while no other is
/// decoded.
const MAX_BYTES: u64 = 128 << 20;

static RESERVED: Mutex<u64> = Mutex::new(0);
static FREED: Condvar = Condvar::new();

/// Memory for one image, given back when dropped.
#[must_use = "the memory is given back when this is dropped"]
pub(super) struct Reservation(u64);

/// Waits until `bytes` are available, and reserves them.
pub(super) fn reserve(bytes: u64) -> Reservation {
    let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    while *reserved > 0 && reserved.saturating_add(bytes) > MAX_BYTES {
        reserved = FREED.wait(reserved).unwrap_or_else(PoisonError::into_inner);
    }
    *reserved = reserved.saturating_add(bytes);
    Reservation(bytes)
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
        *reserved = reserved.saturating_sub(self.0);
        FREED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn threads_together_stay_within_the_limit_and_one_alone_may_exceed_it() {
        let held = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for i in 1..=8 {
                let held = &held;
                scope.spawn(move || {
                    for _ in 0..50 {
                        let bytes = i * MAX_BYTES / 5;
                        let reservation = reserve(bytes);
                        let all = held.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        assert!(all <= MAX_BYTES || all == bytes, "{all} bytes are held");
                        held.fetch_sub(bytes, Ordering::SeqCst);
                        drop(reservation);
                    }
                });
            }
        });
        assert_eq!(held.load(Ordering::SeqCst), 0);
    }
}
