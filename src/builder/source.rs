//! The step from the frames of a sprite to a [`SourceSprite`], whose poses can be drawn.

use super::frame::{are_of_one_size, check_planes, check_thresholds};
use super::motion_frame::motion_frame;
use super::{Frame, Settings, angle_steps};
use crate::atlas::{BuildError, BuildFault, DEFAULT_PLANE, Image, SourceSprite};
use crate::mask::{MAX_SIDE, Mask};
use crate::pose::{Pose, PoseSet};
use crate::raster::Raster;

fn poses_of(name: &str, settings: &Settings, resolution: f32) -> Result<PoseSet, BuildError> {
    if name.is_empty() {
        let help = "give the sprite a name";
        return Err(BuildError::new(BuildFault::Name, "a sprite has an empty name", help));
    }
    if name.contains(char::is_control) {
        let cause = format!("sprite {name:?} has a control character in its name");
        let help = "rename the sprite or its file";
        return Err(BuildError::new(BuildFault::Name, cause, help).of(name));
    }
    if let Some(error) = settings.max_error.filter(|e| !(e.is_finite() && *e > 0.0)) {
        let cause = format!("the maximum error of {error} pixels is not a positive number");
        let help = "use a positive number, such as 1";
        return Err(BuildError::new(BuildFault::Settings(None), cause, help));
    }
    PoseSet::new(settings.angles, settings.scales.clone())
        .and_then(|poses| poses.at_resolution(resolution))
        .map(|poses| if settings.mirrored { poses } else { poses.without_mirroring() })
        .map_err(BuildError::settings)
}

impl SourceSprite {
    /// Checks the name and the settings of a sprite before its frames are loaded. `planes` are the
    /// names of the planes that the frames will have at least.
    ///
    /// # Errors
    /// [`BuildFault::Name`], [`BuildFault::Settings`] or [`BuildFault::Thresholds`].
    pub fn check<'a>(
        name: &str,
        planes: impl Iterator<Item = &'a str>,
        settings: &Settings,
        resolution: f32,
    ) -> Result<(), BuildError> {
        poses_of(name, settings, resolution)?;
        check_thresholds(name, planes, &settings.thresholds)
    }

    /// Prepares a sprite for drawing: trims its masks, adds the motion frame and chooses the angle
    /// steps. The frames have their planes by threshold.
    ///
    /// # Errors
    /// Those of [`check`](Self::check), and of frames that the sprite cannot have.
    pub fn new(
        name: &str,
        frames: &[Frame],
        settings: &Settings,
        resolution: f32,
    ) -> Result<Self, BuildError> {
        let poses = poses_of(name, settings, resolution)?;
        if frames.is_empty() {
            let cause = format!("sprite {name:?} has no frames");
            let help = "give the sprite at least one mask";
            return Err(BuildError::new(BuildFault::NoFrames, cause, help).of(name));
        }
        // All planes of all frames, in order of first occurrence.
        let mut planes: Vec<String> = Vec::new();
        for (plane, _) in frames.iter().flat_map(|frame| &frame.planes) {
            if !planes.contains(plane) {
                planes.push(plane.clone());
            }
        }
        check_planes(name, &planes)?;
        let mut images = Vec::with_capacity(frames.len() * planes.len());
        for (i, frame) in frames.iter().enumerate() {
            let pivot = frame.pivot.unwrap_or(settings.pivot);
            let first = frame.planes.first().map(|(_, mask)| mask);
            let (width, height) = first.map_or((0, 0), |mask| (mask.width(), mask.height()));
            if !are_of_one_size(frame.planes.iter().map(|(_, mask)| mask)) {
                return Err(BuildError::planes(name, i, frame.planes.len()));
            }
            let pivot =
                pivot.resolve(width, height).map_err(|cause| BuildError::pose(name, cause))?;
            let blank = Mask::filled_by(width, height, |_, _| 0);
            for plane in &planes {
                // A plane that this frame lacks is empty here.
                let found = frame.planes.iter().find(|(name, _)| name == plane);
                let (tight, corner) = found.map_or(&blank, |(_, mask)| mask).trimmed();
                let sides = [tight.width(), tight.height()];
                if sides.iter().any(|&side| side > MAX_SIDE) {
                    return Err(BuildError::too_large(name, i, sides));
                }
                images.push(Image { size: [width, height], pivot, tight, corner });
            }
        }
        if settings.motion_frame {
            let motion_frame = motion_frame(name, &images, planes.len())?;
            images.extend(motion_frame);
        }
        if planes == [DEFAULT_PLANE] {
            planes.clear();
        }
        let mut sprite = Self {
            name: name.to_owned(),
            planes,
            poses,
            rule: frames.first().and_then(|frame| frame.rule).unwrap_or(settings.alpha),
            sampling: settings.sampling,
            images,
        };
        if let Some(limit) = settings.max_error {
            angle_steps::choose_steps(&mut sprite, limit);
        }
        Ok(sprite)
    }

    /// Checks that no pose exceeds the longest side of a mask. Draws the poses of sprites that may
    /// exceed it, so that one such sprite does not end the bake when a whole batch is drawn.
    ///
    /// # Errors
    /// [`BuildFault::Settings`] with the size of the pose.
    pub fn check_sides(&self) -> Result<(), BuildError> {
        let (poses, name) = (&self.poses, &self.name);
        let largest = poses.scales().iter().fold(0.0, |a: f32, &b| a.max(b)) * poses.resolution();
        for image in &self.images {
            // A turned rectangle is at most as wide as both of its sides together.
            let sides = f64::from(image.tight.width()) + f64::from(image.tight.height());
            if sides * f64::from(largest) < f64::from(MAX_SIDE - 8) {
                continue;
            }
            let Image { pivot: [x, y], corner, .. } = *image;
            let pivot = [x - 2 * corner.x, y - 2 * corner.y];
            let raster = Raster::of_tight(image.tight.clone(), pivot, self.sampling);
            for scale in 0..poses.scales().len() as u32 {
                // Further quarters of the turn have the same sides.
                for step in 0..poses.angles().div_ceil(4) {
                    let drawn = raster.pose(poses, Pose { step, scale });
                    drawn.map_err(|cause| BuildError::pose(name, cause))?;
                }
            }
        }
        Ok(())
    }
}
