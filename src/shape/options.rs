//! What a shape shall be like.

use crate::error::CallError;

/// Options of [`Mask::shape`](crate::Mask::shape). An error alone converts to options.
///
/// ```
/// use hitmask::{Fit, ShapeOptions};
/// // Metres with y up, for Box2D at 32 pixels a metre.
/// let options = ShapeOptions { scale: 1.0 / 32.0, y_up: true, ..ShapeOptions::DEFAULT };
/// let covering = ShapeOptions { fit: Fit::Outside, ..2.0.into() };
/// assert_eq!((options.max_error, covering.max_error), (1.0, 2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeOptions {
    /// The greatest distance between the exact border and the border of the shape, in pixels, either
    /// way: 0.1 to 32,767. Islands and holes that `min_area` leaves out do not count. The error does not follow
    /// the size of a mask: at 1, a disc of 8 px becomes a square. 1/16 of the size keeps it round.
    pub max_error: f32,
    /// On which side of the exact border the shape may be.
    pub fit: Fit,
    /// Islands and holes that enclose fewer pixels are left out. A part of an outline that leaves its
    /// cell remains in a [`ShapeGrid`](crate::ShapeGrid).
    pub min_area: u32,
    /// The most corners of a piece, from 3. Box2D takes 8.
    pub max_corners: u32,
    /// The least width of a piece, in output units. Thinner ones are left out and counted. Box2D
    /// v3 refuses what is thinner than 0.02 m.
    pub min_width: f32,
    /// Output units per pixel, such as metres per pixel.
    pub scale: f32,
    /// Output y runs up. Corners keep their orientation: positive area for outer borders.
    pub y_up: bool,
    /// The place that is the origin of the output, in pixels from the mask's top-left corner. In
    /// [`Sprite::shape`](crate::Sprite::shape), from the pivot of the sprite.
    pub origin: [f32; 2],
}

impl ShapeOptions {
    /// 1 px of error on either side, all islands and holes, 8 corners a piece, in pixels from the
    /// mask's top-left corner with y down.
    pub const DEFAULT: Self = Self {
        max_error: 1.0,
        fit: Fit::Nearest,
        min_area: 0,
        max_corners: 8,
        min_width: 0.02,
        scale: 1.0,
        y_up: false,
        origin: [0.0; 2],
    };

    /// The least `max_error`, in pixels of the mask that is traced.
    pub(super) const LEAST_ERROR: f32 = 0.1;

    /// Refuses values out of range.
    pub(super) fn check(&self) -> Result<(), CallError> {
        let fields = [
            ("max_error", self.max_error, Self::LEAST_ERROR, 32_767.0),
            ("max_corners", self.max_corners as f32, 3.0, f32::MAX),
            ("min_width", self.min_width, 0.0, f32::MAX),
            ("scale", self.scale, 1e-9, 1e9),
            ("origin x", self.origin[0], -1e9, 1e9),
            ("origin y", self.origin[1], -1e9, 1e9),
        ];
        for (name, value, least, most) in fields {
            CallError::check_number(name, value, least, most)?;
        }
        Ok(())
    }
}

impl Default for ShapeOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Takes the greatest error in pixels.
impl From<f32> for ShapeOptions {
    fn from(max_error: f32) -> Self {
        Self { max_error, ..Self::DEFAULT }
    }
}

impl From<&ShapeOptions> for ShapeOptions {
    fn from(options: &ShapeOptions) -> Self {
        *options
    }
}

/// On which side of the exact border a shape may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fit {
    /// On either side. It takes the fewest corners.
    #[default]
    Nearest,
    /// The shape covers every set pixel.
    Outside,
    /// The shape covers no clear pixel.
    Inside,
}
