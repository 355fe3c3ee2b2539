use crate::pose::PoseError;

/// Farthest that a pivot may lie from the image's corner on either axis, in half-texels.
pub const MAX_PIVOT: i32 = 65_536;

/// The point of an image that a collider's position names, and that it turns about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pivot {
    /// The centre of the untrimmed image.
    #[default]
    Center,
    /// A point in half-texels from the image's top-left corner: (0, 0) is that corner, (1, 1) the
    /// centre of its first texel. It may lie outside the image.
    HalfTexels(i32, i32),
}

impl Pivot {
    /// The pivot of a `width` x `height` image in half-texels, and whether its y was lowered by
    /// one: both numbers must be even or both odd, so that one lattice serves both axes.
    pub(crate) fn resolve(self, width: u32, height: u32) -> Result<([i32; 2], bool), PoseError> {
        let (x, y) = match self {
            Self::Center => (width as i32, height as i32),
            Self::HalfTexels(x, y) => (x, y),
        };
        let within = -MAX_PIVOT..=MAX_PIVOT;
        if !within.contains(&x) || !within.contains(&y) {
            return Err(PoseError::Pivot { half_texels: [x, y], limit: MAX_PIVOT });
        }
        let lowered = (x ^ y) & 1 == 1;
        Ok(([x, y - i32::from(lowered)], lowered))
    }
}
