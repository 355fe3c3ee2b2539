//! The shape of a sprite about its pivot.

use super::{Shape, ShapeOptions};
use crate::atlas::Sprite;
use crate::error::CallError;
use crate::geom::{Flip, Rect};
use crate::mask::MaskRef;
use crate::pose::Pose;
use crate::raster::PosedRef;

impl Sprite<'_> {
    /// Returns the outlines of a frame about its pivot: upright, at scale 1, in the current plane.
    ///
    /// Options are in pixels of the image, and `origin` is relative to the pivot. `hitmask export` writes
    /// these shapes. On an axis where the pivot is in the middle of a texel, it lies half a pixel after a
    /// collider's position.
    ///
    /// The mask that is traced has one pixel per texel in an [undrawn](crate::Atlas#undrawn-atlases)
    /// atlas, or if it is baked at the scale 1 / [resolution](crate::Atlas::resolution). Otherwise it
    /// is that of the smallest baked scale with more pixels, or of the largest scale. The error is at
    /// least 0.1 pixels of that mask. Costs as much as [`Mask::shape`](crate::Mask::shape).
    ///
    /// ```
    /// use hitmask::{Atlas, AtlasBuilder, Mask, ShapeOptions};
    /// let atlas = AtlasBuilder::new().mask("crate", Mask::solid(40, 20)?).to_bytes()?;
    /// let atlas = Atlas::from_vec(atlas)?;
    /// // Metres with y up, as Box2D and rapier take them.
    /// let options = ShapeOptions { scale: 1.0 / 20.0, y_up: true, ..1.0.into() };
    /// let shape = atlas.sprites().next().unwrap().shape(0, options)?;
    /// let mut corners = shape.polygons()[0].border.clone();
    /// corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    /// assert_eq!(corners, [[-1.0, -0.5], [-1.0, 0.5], [1.0, -0.5], [1.0, 0.5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`CallError::Number`] if there is no such frame, or where an option is out of range or not
    /// a number.
    pub fn shape(self, frame: u32, options: impl Into<ShapeOptions>) -> Result<Shape, CallError> {
        let options = options.into();
        options.check()?;
        CallError::check_number("frame", frame as f32, 0.0, (self.frame_count() - 1) as f32)?;
        let raster = self.raster(frame);
        let units = || self.scales().iter().map(|scale| scale * self.resolution());
        let scale = units().position(|unit| unit >= 1.0).unwrap_or(units().len() - 1);
        let pose = Pose { step: 0, scale: scale as u32 };
        // The mask, the half-pixels from its corner to the pivot, and its pixels per pixel of the image.
        let (mask, pivot2, unit) = match (&raster, self.posed(frame, pose, Flip::NONE)) {
            (None, Some(PosedRef { mask, origin, pivot2: [x, y] })) => {
                let pivot2 = [x - 2 * origin.x, y - 2 * origin.y];
                (mask, pivot2, self.scales()[scale] * self.resolution())
            }
            (Some(raster), _) => {
                let (mask, pivot2, _) = raster.source();
                (mask.as_ref(), pivot2, 1.0)
            }
            // An undrawn atlas always has a raster.
            (None, None) => (MaskRef::empty(), [0; 2], 1.0),
        };
        let origin = [0, 1].map(|axis| options.origin[axis] * unit + pivot2[axis] as f32 / 2.0);
        let options = ShapeOptions {
            max_error: (options.max_error * unit).max(ShapeOptions::LEAST_ERROR),
            min_area: (f64::from(options.min_area) * f64::from(unit).powi(2)).ceil() as u32,
            scale: options.scale / unit,
            origin,
            ..options
        };
        let region = Rect::new(0, 0, mask.width() as i32, mask.height() as i32);
        Ok(Shape::of(mask, region, [0, 0], options))
    }
}
