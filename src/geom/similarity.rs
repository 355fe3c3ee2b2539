//! Affine transforms split into flip, scale, angle and position.
//!
//! A baked pose shows similarities only. `Affine::similarity` tells whether a transform is one.

use super::{Affine, Flip};

/// A transform that preserves shapes: a flip, a scale and a rotation, then a translation. Baked
/// poses can show these and no other transforms.
///
/// ```
/// use hitmask::{Affine, Flip};
/// let parts = Affine::translation([7.0, 9.0]).similarity(0.001).unwrap();
/// assert_eq!((parts.position, parts.scale, parts.flip), ([7.0, 9.0], 1.0, Flip::NONE));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Similarity {
    /// Image of the origin, in pixels.
    pub position: [f32; 2],
    /// Angle in radians, clockwise on screen, from -pi to pi.
    pub angle: f32,
    /// Scale factor; greater than 0.
    pub scale: f32,
    /// Mirrored left to right before the rotation; never top to bottom.
    pub flip: Flip,
}

impl Affine {
    /// Splits this transform into a flip, a scale, an angle and a position.
    ///
    /// Returns `None` where the transform stretches or slants by more than `tolerance`, is
    /// singular, or is not finite. `tolerance` is relative to the scale; 1/1000 is below what is
    /// visible.
    ///
    /// ```
    /// use hitmask::{Affine, Flip};
    /// let mirrored = Affine::rotation(0.5) * Affine::scale([-2.0, 2.0]);
    /// let turned = Affine::translation([7.0, 9.0]) * mirrored;
    /// let parts = turned.similarity(0.001).unwrap();
    /// assert_eq!((parts.position, parts.flip), ([7.0, 9.0], Flip::X));
    /// assert!((parts.angle - 0.5).abs() < 1e-6 && (parts.scale - 2.0).abs() < 1e-6);
    /// assert_eq!(Affine::scale([2.0, 3.0]).similarity(0.001), None);
    /// ```
    #[must_use]
    pub fn similarity(self, tolerance: f64) -> Option<Similarity> {
        let determinant = self.a * self.d - self.b * self.c;
        let scale = determinant.abs().sqrt();
        if !self.is_finite() || !scale.is_finite() || scale == 0.0 {
            return None;
        }
        let flip_x = determinant < 0.0;
        let sign = if flip_x { -1.0 } else { 1.0 };
        // The second column of a similarity is the first one rotated by a quarter turn, negated
        // where mirrored. Its length is the scale.
        let (x, y) = (sign * self.a, sign * self.b);
        let off = [self.c + y, self.d - x, (x * x + y * y).sqrt() - scale];
        if off.iter().any(|v| v.abs() > tolerance * scale) {
            return None;
        }
        Some(Similarity {
            position: [self.tx as f32, self.ty as f32],
            angle: y.atan2(x) as f32,
            scale: scale as f32,
            flip: Flip { x: flip_x, y: false },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_similarity_splits_into_the_parts_it_was_made_from() {
        for (angle, scale, flip) in
            [(0.0, 1.0, false), (2.5, 0.3, true), (-3.0, 7.0, false), (1.5, 1.0, true)]
        {
            let mirror = if flip { -1.0 } else { 1.0 };
            let t = Affine::translation([3.5, -4.0])
                * Affine::rotation(angle)
                * Affine::scale([scale * mirror, scale]);
            let parts = t.similarity(1e-6).unwrap();
            assert_eq!((parts.flip.x, parts.position), (flip, [3.5, -4.0]));
            assert!((parts.angle - angle).abs() < 1e-5 && (parts.scale - scale).abs() < 1e-5);
            // A half turn is the same as mirroring both axes.
            let other = t * Affine::scale([-1.0, -1.0]);
            assert!(other.similarity(1e-6).is_some_and(|o| o.flip.x == flip));
        }
    }

    #[test]
    fn stretched_slanted_singular_or_non_finite_transforms_are_none() {
        let slant = Affine { c: 0.5, ..Affine::IDENTITY };
        for none in [
            slant,
            Affine::scale([1.0, 1.1]),
            Affine::scale([0.0, 0.0]),
            Affine::scale([1.0, 0.0]),
            Affine::scale([f32::NAN, 1.0]),
            Affine::translation([f32::INFINITY, 0.0]),
        ] {
            assert_eq!(none.similarity(0.001), None, "{none:?}");
        }
        assert!(Affine::scale([1.0, 1.1]).similarity(0.2).is_some(), "close enough");
    }
}
