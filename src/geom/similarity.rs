use super::{Affine, Flip};

/// A transform that keeps shapes: a mirror, a size and a turn, then a place. What a baked pose can
/// show.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Similarity {
    /// Where the origin goes, in pixels.
    pub position: [f32; 2],
    /// Turn in radians, clockwise on screen, from -pi to pi.
    pub angle: f32,
    /// Size; greater than 0.
    pub scale: f32,
    /// Mirrored left to right, before turning.
    pub flip: Flip,
}

impl Affine {
    /// This transform as a mirror, a size, a turn and a place, if it is one: `None` where it
    /// stretches or slants by more than `tolerance`, as a part of its size (1/1000 is below what
    /// shows), flattens, or is not finite.
    ///
    /// ```
    /// use hitmask::{Affine, Flip};
    /// let turned = Affine::translation([7.0, 9.0]) * Affine::rotation(0.5) * Affine::scale([-2.0, 2.0]);
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
        // Of a similarity the second column is the first one, turned a quarter and perhaps
        // mirrored; its length is the scale.
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
    fn parts_put_together_again_are_the_transform() {
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
            // Turning a half and mirroring the other axis is the same.
            let other = t * Affine::scale([-1.0, -1.0]);
            assert!(other.similarity(1e-6).is_some_and(|o| o.flip.x == flip));
        }
    }

    #[test]
    fn what_stretches_slants_flattens_or_is_not_finite_is_none() {
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
