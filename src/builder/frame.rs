//! The frames of a sprite before they are posed: masks by plane, made from pixels or given.
//!
//! Called by `AtlasBuilder`, and by bakers through [`baking`](crate::baking). Invariants: all masks of
//! a frame have one size. A frame has one plane for each threshold, and no other plane of that name.

use super::Settings;
use crate::atlas::{BuildError, BuildFault, DEFAULT_PLANE, threshold_plane};
use crate::error::CallError;
use crate::mask::{AlphaRule, Mask};
use crate::raster::Pivot;

/// Largest number of planes, and of bytes of a plane name: each is one byte in the file.
const MAX_PLANES: usize = u8::MAX as usize;

/// A frame of a sprite.
///
/// ```
/// use hitmask::{Mask, baking::Frame};
/// let frame = Frame::from(Mask::solid(3, 2)?);
/// assert_eq!(frame.planes[0].0, "body");
/// # Ok::<(), hitmask::CallError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The masks by plane name. The first is the default plane; the others are in the requested
    /// order. All have the size of the untrimmed frame. The pivot is relative to it.
    pub planes: Vec<(String, Mask)>,
    /// Pivot of this frame. `None` means that of the settings.
    pub pivot: Option<Pivot>,
    /// Number of visible texels of the first plane (alpha 1 or more), if known.
    pub visible: Option<u64>,
    /// True if the file ends after this frame, without its end mark.
    pub is_cut: bool,
    /// The rule that made the masks. `None` if the source has masks or shapes instead of texels. The
    /// frame then lacks the planes by threshold.
    pub rule: Option<AlphaRule>,
}

impl From<Mask> for Frame {
    /// Returns a frame of one plane, which was not made from texels.
    fn from(mask: Mask) -> Self {
        Self::of_planes(vec![(DEFAULT_PLANE.to_owned(), mask)])
    }
}

impl Frame {
    /// Returns a frame of these planes, which were not made from texels.
    #[must_use]
    pub const fn of_planes(planes: Vec<(String, Mask)>) -> Self {
        Self { planes, pivot: None, visible: None, is_cut: false, rule: None }
    }

    /// Returns the frames of a sprite with one mask per plane and frame.
    pub(super) fn with_planes(
        name: &str,
        planes: &[String],
        frames: Vec<Vec<Mask>>,
    ) -> Result<Vec<Self>, BuildError> {
        check_planes(name, planes)?;
        let is_whole =
            |masks: &Vec<Mask>| masks.len() == planes.len() && are_of_one_size(masks.iter());
        if let Some(frame) = frames.iter().position(|masks| !is_whole(masks)) {
            return Err(BuildError::planes(name, frame, planes.len()));
        }
        let frame = |masks: Vec<Mask>| Self::of_planes(planes.iter().cloned().zip(masks).collect());
        Ok(frames.into_iter().map(frame).collect())
    }

    /// Adds the planes by threshold to the frame of a sprite without alpha: masks and shapes. A set
    /// pixel is opaque, so each of these planes equals the first plane.
    ///
    /// # Errors
    /// [`BuildFault::Thresholds`] if a plane has the name of one by threshold, or if there would be
    /// more than 255.
    pub fn add_threshold_planes(
        &mut self,
        sprite: &str,
        settings: &Settings,
    ) -> Result<(), BuildError> {
        if settings.thresholds.is_empty() || self.rule.is_some() {
            return Ok(());
        }
        let own = self.planes.iter().map(|(plane, _)| plane.as_str());
        check_thresholds(sprite, own, &settings.thresholds)?;
        if let Some((_, first)) = self.planes.first() {
            let first = first.clone();
            let added = settings.ascending_thresholds().into_iter();
            self.planes.extend(added.map(|t| (threshold_plane(t), first.clone())));
        }
        Ok(())
    }
}

/// The masks of an image of up to [`MAX_FRAME_SIDE`](crate::MAX_FRAME_SIDE) a side.
#[derive(Clone, Debug)]
pub struct TexelMasks {
    /// The solid texels.
    pub solid: Mask,
    /// The visible texels: a value of 1 or more.
    pub visible: Mask,
    /// The planes by threshold, in ascending order.
    pub by_threshold: Vec<(String, Mask)>,
}

impl TexelMasks {
    /// Returns the masks of an RGBA image, row by row without padding.
    ///
    /// # Errors
    /// [`CallError`] if the number of bytes does not match the size, or a side is too long.
    pub fn from_rgba(
        [width, height]: [u32; 2],
        rgba: &[u8],
        settings: &Settings,
    ) -> Result<Self, CallError> {
        let rule = settings.texel_rule();
        let mask = |test: &dyn Fn(u8) -> bool| rule.mask_where(width, height, rgba, test);
        Ok(Self {
            solid: rule.mask(width, height, rgba)?,
            visible: mask(&|value| value > 0)?,
            by_threshold: Self::by_threshold(settings, mask)?,
        })
    }

    /// Returns the masks of an image from its alpha bytes. The rule must depend on alpha alone.
    ///
    /// # Errors
    /// As [`from_rgba`](Self::from_rgba).
    pub fn from_alpha(
        size: [u32; 2],
        alpha: &[u8],
        settings: &Settings,
    ) -> Result<Self, CallError> {
        let mask = |test: &dyn Fn(u8) -> bool| frame_mask(size, alpha, test);
        Ok(Self {
            solid: mask(&|value| settings.alpha.is_solid(value))?,
            visible: mask(&|value| value > 0)?,
            by_threshold: Self::by_threshold(settings, mask)?,
        })
    }

    /// Returns the planes by threshold, in ascending order. `mask` makes a mask from a test for the
    /// value of a texel.
    ///
    /// # Errors
    /// Those of `mask`.
    pub fn by_threshold(
        settings: &Settings,
        mask: impl Fn(&dyn Fn(u8) -> bool) -> Result<Mask, CallError>,
    ) -> Result<Vec<(String, Mask)>, CallError> {
        let plane = |t| Ok((threshold_plane(t), mask(&|value| value >= t)?));
        settings.ascending_thresholds().into_iter().map(plane).collect()
    }

    /// Returns the frame of an image with these masks.
    #[must_use]
    pub fn into_frame(self, settings: &Settings) -> Frame {
        let body = (DEFAULT_PLANE.to_owned(), self.solid);
        Frame {
            visible: Some(self.visible.count()),
            rule: Some(settings.alpha),
            ..Frame::of_planes([body].into_iter().chain(self.by_threshold).collect())
        }
    }
}

/// Returns the mask of an image of up to [`MAX_FRAME_SIDE`](crate::MAX_FRAME_SIDE) a side, from one
/// byte per texel, row by row without padding.
///
/// # Errors
/// [`CallError`] if the number of bytes does not match the size, or a side is too long.
pub fn frame_mask(
    [width, height]: [u32; 2],
    values: &[u8],
    is_solid: impl Fn(u8) -> bool,
) -> Result<Mask, CallError> {
    Mask::from_texels(width, height, values, 1, |value| is_solid(value[0]))
}

pub(super) fn are_of_one_size<'a>(mut masks: impl Iterator<Item = &'a Mask>) -> bool {
    let size = |mask: &Mask| [mask.width(), mask.height()];
    let first = masks.next().map(size);
    masks.all(|mask| Some(size(mask)) == first)
}

/// Checks that a sprite can have planes with these names.
pub(super) fn check_planes(name: &str, planes: &[String]) -> Result<(), BuildError> {
    let is_bad = |i: usize| {
        let plane = &planes[i];
        let is_odd =
            plane.is_empty() || plane.len() > MAX_PLANES || plane.contains(char::is_control);
        is_odd || planes[..i].contains(plane)
    };
    let bad = (0..planes.len()).find(|&i| is_bad(i) || i == MAX_PLANES);
    if planes.is_empty() || bad.is_some() {
        let plane = bad.map(|i| planes[i].as_str()).unwrap_or_default();
        let cause = format!("sprite {name:?} has the invalid plane name {plane:?}");
        let help = "use 1 to 255 different names of 1 to 255 bytes, without control characters";
        return Err(BuildError::new(BuildFault::Planes, cause, help).of(name));
    }
    Ok(())
}

/// Checks that a sprite with these planes can have planes for these thresholds too.
pub(super) fn check_thresholds<'a>(
    name: &str,
    planes: impl Iterator<Item = &'a str>,
    thresholds: &[u8],
) -> Result<(), BuildError> {
    if thresholds.is_empty() {
        return Ok(());
    }
    let refuse = |fault: String, help: &'static str| {
        let cause = format!("sprite {name:?} {fault}");
        Err(BuildError::new(BuildFault::Thresholds, cause, help).of(name))
    };
    if thresholds.contains(&0) {
        let fault = "has the alpha threshold 0, which every texel reaches";
        return refuse(fault.into(), "use thresholds from 1 to 255");
    }
    if let Some(i) = (1..thresholds.len()).find(|&i| thresholds[..i].contains(&thresholds[i])) {
        let fault = format!("has the alpha threshold {} twice", thresholds[i]);
        return refuse(fault, "give each threshold once");
    }
    let added: Vec<String> = thresholds.iter().map(|&t| threshold_plane(t)).collect();
    let mut count = added.len();
    for plane in planes {
        count += 1;
        if added.iter().any(|added| added == plane) {
            let fault = format!("has a plane {plane:?} besides that of an alpha threshold");
            return refuse(fault, "rename the plane, or leave out the threshold");
        }
    }
    if count > MAX_PLANES {
        let fault = format!("has {count} planes with those by alpha threshold (limit 255)");
        return refuse(fault, "bake fewer thresholds or planes");
    }
    Ok(())
}
