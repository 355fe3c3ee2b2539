//! Planes by alpha threshold: their settings, and the planes of sprites without alpha.
//!
//! Called by `pipeline`. `solidify` makes the planes of texels. Invariant: a frame has one plane for
//! each threshold, and no other plane of that name.

use super::solidify::{BODY, Frame};
use super::{BakeError, Settings, ThresholdFault};
use crate::atlas::threshold_plane;
use std::borrow::Cow;

/// Largest number of planes of a sprite.
const MAX_PLANES: usize = u8::MAX as usize;

/// Checks the thresholds of a sprite, and that the planes of its layers leave room for them.
pub(super) fn check(name: &str, settings: &Settings) -> Result<(), BakeError> {
    let thresholds = &settings.thresholds;
    let repeated = (1..thresholds.len()).find(|&i| thresholds[..i].contains(&thresholds[i]));
    let fault = if thresholds.contains(&0) {
        Some(ThresholdFault::Zero)
    } else {
        repeated.map(|i| ThresholdFault::Repeated { threshold: thresholds[i] })
    };
    if let Some(fault) = fault {
        return Err(BakeError::Threshold { name: name.to_owned(), fault });
    }
    let layers = settings.planes.iter().map(|plane| plane.name.as_str());
    check_beside(name, layers.filter(|&layer| layer != BODY).chain([BODY]), thresholds)
}

/// Checks that a sprite with these planes can have planes for these thresholds too.
fn check_beside<'a>(
    name: &str,
    planes: impl Iterator<Item = &'a str>,
    thresholds: &[u8],
) -> Result<(), BakeError> {
    if thresholds.is_empty() {
        return Ok(());
    }
    let added: Vec<String> = thresholds.iter().map(|&t| threshold_plane(t)).collect();
    let refuse = |fault| Err(BakeError::Threshold { name: name.to_owned(), fault });
    let mut count = added.len();
    for plane in planes {
        count += 1;
        if added.iter().any(|added| added == plane) {
            return refuse(ThresholdFault::PlaneName { plane: plane.to_owned() });
        }
    }
    if count > MAX_PLANES {
        return refuse(ThresholdFault::TooMany { planes: count });
    }
    Ok(())
}

/// Adds the planes by threshold to frames from sources without alpha: masks and shapes. A set pixel
/// is opaque, so each of these planes equals the first plane.
pub(super) fn complete<'a>(
    name: &str,
    mut frames: Cow<'a, [Frame]>,
    settings: &Settings,
) -> Result<Cow<'a, [Frame]>, BakeError> {
    let is_incomplete = |frame: &Frame| frame.rule.is_none();
    if settings.thresholds.is_empty() || !frames.iter().any(is_incomplete) {
        return Ok(frames);
    }
    for frame in frames.to_mut().iter_mut().filter(|frame| is_incomplete(frame)) {
        let own = frame.planes.iter().map(|(plane, _)| plane.as_str());
        check_beside(name, own, &settings.thresholds)?;
        if let Some((_, first)) = frame.planes.first() {
            let first = first.clone();
            let added = settings.ascending_thresholds().into_iter();
            frame.planes.extend(added.map(|t| (threshold_plane(t), first.clone())));
        }
    }
    Ok(frames)
}
