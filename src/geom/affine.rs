//! Affine transforms, for chains of nested parents, and their split into flip, scale, angle and
//! position.
//!
//! Game code computes a collider's transform with [`Affine`] and hands the result to the world.
//! `raster` takes the same type for masks that no baked pose covers. A baked pose shows similarities
//! only; `Affine::similarity` tells whether a transform is one.
//!
//! Invariants: no operation panics. `inverse` returns only finite transforms.

use super::{Flip, Point};

/// An affine transform of the plane, for chains of nested parents.
///
/// Maps a point (x, y) to (a x + c y + tx, b x + d y + ty). With y down, a positive angle turns
/// clockwise on screen. All arithmetic is in f64, so chains of whole-pixel offsets are exact.
///
/// ```
/// use hitmask::Affine;
/// // A shape inside a parent inside a parent: the outermost transform comes first.
/// let world = Affine::translation([20.0, 50.0]) * Affine::translation([400.0, -20.0]);
/// assert_eq!(world.apply([10.0, -280.0]), [430.0, -250.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Affine {
    /// x of the image of (1, 0), without the translation.
    pub a: f64,
    /// y of the image of (1, 0), without the translation.
    pub b: f64,
    /// x of the image of (0, 1), without the translation.
    pub c: f64,
    /// y of the image of (0, 1), without the translation.
    pub d: f64,
    /// x of the image of the origin, in pixels.
    pub tx: f64,
    /// y of the image of the origin, in pixels.
    pub ty: f64,
}

impl Affine {
    /// The identity transform.
    pub const IDENTITY: Self = Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, tx: 0.0, ty: 0.0 };

    /// Returns a translation by `by` pixels.
    #[must_use]
    pub fn translation(by: impl Into<[f32; 2]>) -> Self {
        let [x, y] = by.into();
        Self { tx: f64::from(x), ty: f64::from(y), ..Self::IDENTITY }
    }

    /// Returns a rotation by `radians` about the origin, clockwise on screen.
    #[must_use]
    pub fn rotation(radians: f32) -> Self {
        let (s, c) = f64::from(radians).sin_cos();
        Self { a: c, b: s, c: -s, d: c, ..Self::IDENTITY }
    }

    /// Returns a scale about the origin; a negative factor mirrors that axis.
    #[must_use]
    pub fn scale(by: impl Into<[f32; 2]>) -> Self {
        let [x, y] = by.into();
        Self { a: f64::from(x), d: f64::from(y), ..Self::IDENTITY }
    }

    /// Returns the transform of a child in its parent. The child is scaled, then rotated by
    /// `radians`, about its registration point. That point, in the child's coordinates, is placed
    /// at `at` in the parent's coordinates.
    ///
    /// ```
    /// use hitmask::Affine;
    /// let turret = Affine::placed([100.0, 50.0], [4.0, 8.0], std::f32::consts::PI, 2.0);
    /// assert_eq!(turret.apply([4.0, 8.0]), [100.0, 50.0]);
    /// ```
    #[must_use]
    pub fn placed(
        at: impl Into<[f32; 2]>,
        registration: impl Into<[f32; 2]>,
        radians: f32,
        scale: f32,
    ) -> Self {
        let back = registration.into().map(|v| -v);
        Self::translation(at)
            * Self::rotation(radians)
            * Self::scale([scale, scale])
            * Self::translation(back)
    }

    /// Tests whether all six coefficients are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        [self.a, self.b, self.c, self.d, self.tx, self.ty].iter().all(|v| v.is_finite())
    }

    /// Returns the image of the point `p`.
    #[must_use]
    pub fn apply(self, p: impl Into<[f32; 2]>) -> [f32; 2] {
        self.map(p.into().map(f64::from))
    }

    /// Returns the image of a point in f64: pixels far from the origin are exact.
    pub(crate) fn map(self, [x, y]: [f64; 2]) -> [f32; 2] {
        [(self.a * x + self.c * y + self.tx) as f32, (self.b * x + self.d * y + self.ty) as f32]
    }

    /// Returns this transform without its translation, which maps directions.
    pub(crate) const fn linear(self) -> Self {
        Self { tx: 0.0, ty: 0.0, ..self }
    }

    /// Splits off the whole pixels of a finite translation. The rest is in [0, 1).
    pub(crate) fn without_whole_pixels(self) -> (Self, Point) {
        let [(x, tx), (y, ty)] = [self.tx, self.ty].map(|t| {
            let (whole, rest) = (t.floor(), t - t.floor());
            // A negative `t` closer to 0 than f64 resolves next to 1 leaves a rest that rounds to
            // 1.
            if rest < 1.0 { (whole, rest) } else { (whole + 1.0, 0.0) }
        });
        (Self { tx, ty, ..self }, Point::new(x as i32, y as i32))
    }

    /// Returns the transform without the rounding errors of single precision where it keeps the
    /// axes: quarter turns and mirrors, with or without a scale. Entries below 2^-20 of the largest
    /// become 0. The others become whole numbers, or 1 over whole numbers, if they are as near to
    /// them. Other transforms are returned as they are.
    pub(crate) fn without_rounding_errors(self) -> Self {
        const NEAR: f64 = 1.0 / (1 << 20) as f64;
        let Self { a, b, c, d, .. } = self;
        let most = [a, b, c, d].into_iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let is_zero = |v: f64| v.abs() <= most * NEAR;
        let rounded = |v: f64| (v - v.round()).abs() <= v.abs() * NEAR;
        let exact = |v: f64| match v {
            _ if rounded(v) => v.round(),
            _ if rounded(1.0 / v) => 1.0 / (1.0 / v).round(),
            _ => v,
        };
        if is_zero(b) && is_zero(c) {
            Self { a: exact(a), b: 0.0, c: 0.0, d: exact(d), ..self }
        } else if is_zero(a) && is_zero(d) {
            Self { a: 0.0, b: exact(b), c: exact(c), d: 0.0, ..self }
        } else {
            self
        }
    }

    /// Returns the inverse transform; `None` where the determinant is zero or the result is not
    /// finite.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        // Kahan's determinant: exact to the last bits, though the products of a thin image cancel.
        let product = self.b * self.c;
        let rounding = self.b.mul_add(-self.c, product);
        let det = self.a.mul_add(self.d, -product) + rounding;
        let inverse = Self {
            a: self.d / det,
            b: -self.b / det,
            c: -self.c / det,
            d: self.a / det,
            tx: (self.c * self.ty - self.d * self.tx) / det,
            ty: (self.b * self.tx - self.a * self.ty) / det,
        };
        inverse.is_finite().then_some(inverse)
    }
}

impl std::ops::Mul for Affine {
    type Output = Self;

    /// Applies `inner` first, then `self`: a parent times its child.
    fn mul(self, inner: Self) -> Self {
        Self {
            a: self.a * inner.a + self.c * inner.b,
            b: self.b * inner.a + self.d * inner.b,
            c: self.a * inner.c + self.c * inner.d,
            d: self.b * inner.c + self.d * inner.d,
            tx: self.a * inner.tx + self.c * inner.ty + self.tx,
            ty: self.b * inner.tx + self.d * inner.ty + self.ty,
        }
    }
}

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
    fn the_fraction_of_a_translation_is_below_one_pixel() {
        let cases = [
            (0.0, 0, 0.0),
            (-0.0, 0, 0.0),
            (2.75, 2, 0.75),
            (-2.75, -3, 0.25),
            (-7.0, -7, 0.0),
            (1e9, 1_000_000_000, 0.0),
            // -2^-53 is the negative value closest to 0 that leaves a rest below 1.
            (-f64::EPSILON / 2.0, -1, 1.0 - f64::EPSILON / 2.0),
            (-f64::EPSILON / 4.0, 0, 0.0),
            (-1e-30, 0, 0.0),
            (-f64::MIN_POSITIVE, 0, 0.0),
        ];
        for (t, whole, rest) in cases {
            let along = |tx, ty| Affine { tx, ty, ..Affine::scale([3.0, 2.0]) };
            let split = along(t, 5.5).without_whole_pixels();
            assert_eq!(split, (along(rest, 0.5), Point::new(whole, 5)), "{t}");
            let split = along(5.5, t).without_whole_pixels();
            assert_eq!(split, (along(0.5, rest), Point::new(5, whole)), "{t}");
        }
    }
}
